// The order of a function's instructions before they have registers: longest paths first, so that fetches are
// in flight together, as far as registers allow.
//
//   TEXS a ; FADD s, a, k ; TEXS b ; FADD t, b, s      ->      TEXS a ; TEXS b ; FADD s, a, k ; FADD t, b, s
#pragma once

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

/// What a warp needs for an order, loops counted as often as they are assumed to turn.
struct OrderCost {
  uint64_t cycles = 0;  // if it runs alone
  uint64_t instructions = 0;
};

/// `register_goal`: from this many live values on, the order frees registers instead of hiding latency. The
/// values alive between blocks stay as in `liveness`.
OrderCost schedule_values(Function& function, const Liveness& liveness, unsigned register_goal,
                          unsigned fetch_register_goal);

}  // namespace texlate::maxwell::machine
