// Runs the optimizing passes in a good order.
#pragma once

#include <span>
#include <string_view>

#include "ir/module.h"
#include "ir/passes/observer.h"

namespace texlate::ir {

struct Pass {
  std::string_view name;
  bool (*run)(Module&);  // true when something changed (the order of a commutative pair does not count)
};

/// The passes of one round of `optimize`, in order. Each takes a module in SSA form and leaves one.
std::span<const Pass> optimization_passes();

/// Rounds of the passes until one changes nothing, three at most. Source locations and `[precise]` stay with
/// their instructions. In debug builds the verifier runs after each pass and a broken rule ends the program.
void optimize(Module& module, const PassObserver* observer = nullptr);

/// One round: what is worth its time where the module is optimised once more later. True: branches went, and
/// another round would find more.
bool optimize_once(Module& module, const PassObserver* observer = nullptr);

/// Folds, shares and drops what a pass put between the instructions of an optimised module, which has the
/// branches that it had; the values from `first_new` on are the pass's.
void clean_up(Module& module, Value first_new, const PassObserver* observer = nullptr);

}  // namespace texlate::ir
