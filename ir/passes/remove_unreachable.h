// Removes code that control cannot reach: what follows a jump in its region, and whole constructs in it.
//
// before:
//   if %1
//     break
//     %2 = iadd %3, 1
//   else
//     break
//   endif
//   %4 = iadd %3, 2
// after:
//   if %1
//     break
//   else
//     break
//   endif
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// The end of a region that cannot be reached passes no values; a construct that is never left has no
/// results.
void remove_unreachable(Module& module);

}  // namespace texlate::ir
