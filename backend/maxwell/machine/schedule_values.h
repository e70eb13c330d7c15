// The order of a function's instructions before they have registers: long ways first, so that fetches are in
// flight together, as far as registers allow.
//
//   TEXS a ; FADD s, a, k ; TEXS b ; FADD t, b, s      ->      TEXS a ; TEXS b ; FADD s, a, k ; FADD t, b, s
#pragma once

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

/// `register_goal`: from this many values alive at once the order frees registers rather than hides latency.
/// What is alive between blocks stays as `liveness` has it.
void schedule_values(Function& function, const Liveness& liveness, unsigned register_goal,
                     unsigned fetch_register_goal);

}  // namespace texlate::maxwell::machine
