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

/// The passes of one round of `optimize`, in order. Each takes and leaves a module in SSA form.
std::span<const Pass> optimization_passes();

/// Runs rounds of the passes until one changes nothing, three at most. Source locations and `[precise]` stay
/// with their instructions. In debug builds the verifier runs after each pass, and a broken rule ends the
/// program.
void optimize(Module& module, const PassObserver* observer = nullptr);

/// Folds and shares what legalization inserted into a module whose operations were folded and shared, without
/// changing its branches. The values from `first_new` on are those of legalization.
void share_new(Module& module, Value first_new, const PassObserver* observer = nullptr);

/// The same, and removes dead code.
void clean_up(Module& module, Value first_new, const PassObserver* observer = nullptr);

}  // namespace texlate::ir
