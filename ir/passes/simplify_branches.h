// Removes branches that decide nothing: an `if` on a constant keeps one arm, an `if` without instructions
// becomes a selection.
//
// before:
//   if true
//     output o0.x, 1
//   else
//     output o0.x, 2
//   endif
//   if %0
//   else yields(%1)
//   %3 = endif yields(%2)
// after:
//   output o0.x, 1
//   %3 = select.b32 %0, %1, %2
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Returns true when something changed.
bool simplify_branches(Module& module);

}  // namespace texlate::ir
