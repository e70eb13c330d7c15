// Replaces results of constructs that are the same value on every path.
//
// before:
//   %1 = loop init(%0)
//     if %9
//       break yields(%1)
//     else
//     endif
//   %2 = endloop yields(%1)
//   output o0.x, %2
// after (values that nothing uses are left to eliminate_dead_code):
//   ...
//   output o0.x, %0
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Returns true when something changed.
bool propagate_copies(Module& module);

}  // namespace texlate::ir
