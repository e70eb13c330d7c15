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
/// that would skip a denormal flush or a signed zero (fold.cpp says for each rewrite why it is exact).
/// An instruction becomes at most one other instruction, at its place. True when something
/// changed.
bool fold(Module& module);

/// The same, and eliminate_common_subexpressions(), in one walk: what folding makes equal is found at once.
bool fold_and_share(Module& module);
/// Of a module that went through that already and to which code was added since: only at what has results or
/// operands from value `first_new` on is looked, and at what may be equal to it.
bool fold_and_share_new(Module& module, Value first_new);

}  // namespace texlate::ir
