// Results of constructs that are one value whichever way control came.
//
// before:
//   %1 = loop init(%0)
//     if %9
//       break yields(%1)
//     else
//     endif
//   %2 = endloop yields(%1)
//   output o0.x, %2
// after (what is not used any more is left to eliminate_dead_code):
//   ...
//   output o0.x, %0
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// True when something changed.
bool propagate_copies(Module& module);

}  // namespace texlate::ir
