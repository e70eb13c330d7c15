// Replaces by constants what the known state says about a module: before gaps are closed, so that guards that
// cannot fail are never made and branches on known constants go.
#pragma once

#include "ir/passes/known_facts.h"

namespace texlate::ir {

/// Rows of constant buffers, queries of sizes, and reads of slots to which nothing is bound become constants;
/// writes to such slots are removed. The module is in SSA form. Returns true if something changed: folding
/// and the removal of branches and dead code then find more.
bool apply_known_state(Module& module, KnownFacts& known);

/// What kernels rely on of a launch becomes part of module.relied. If depth and stencil are tested before the
/// shader, it does not write them. Returns true if dead code is left.
bool apply_known_launch(Module& module, const KnownLaunch& known, bool is_kernel);

/// Removes the guards of resource accesses that have become constants, and accesses that never take place.
bool settle_guards(Module& module);

}  // namespace texlate::ir
