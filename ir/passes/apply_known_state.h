// Replaces by constants what the known state says about a module: before gaps are closed, so that guards that
// cannot fail are never made and branches on known constants go.
#pragma once

#include "ir/passes/known_facts.h"

namespace texlate::ir {

/// Rows of constant buffers, queries of sizes, and reads of slots to which nothing is bound become constants;
/// writes to such slots are removed. The module is in SSA form. Returns true if something changed: folding
/// and the removal of branches and dead code then find more.
bool apply_known_state(Module& module, KnownFacts& known);

/// Removes the guards of resource accesses that have become constants, and accesses that never take place.
bool settle_guards(Module& module);

}  // namespace texlate::ir
