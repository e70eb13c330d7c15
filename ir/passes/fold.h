// Constant folding and algebraic simplification.
//
// before:
//   %1 = mask %0
//   %2 = ine %1, 0
//   %3 = and %1, 1.0f
//   %4 = iadd 2, 3
//   %5 = iadd %9, %4
//   %6 = iadd %5, -5
// after (values that nothing uses are left to eliminate_dead_code):
//   %1 = mask %0
//   (%2 is %0)
//   %3 = select.b32 %0, 1.0f, 0
//   (%4 is 5)
//   %5 = iadd %9, 5
//   (%6 is %9)
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Every rewrite gives the same bits as before, `[precise]` or not: no reassociation of floats, no identity
/// that would skip a denormal flush or a signed zero (fold_*.cpp give the reason why each rewrite is exact).
/// An instruction becomes at most one other instruction, at the same place. Returns true when something
/// changed.
bool fold(Module& module);

/// Does this and eliminate_common_subexpressions() in one walk: what folding makes equal is shared at once.
bool fold_and_share(Module& module);
/// For a module that has been through fold_and_share() and to which code was added since. Looks only at
/// instructions with results or operands from value `first_new` on, which are shared with each other.
bool fold_and_share_new(Module& module, Value first_new);

}  // namespace texlate::ir
