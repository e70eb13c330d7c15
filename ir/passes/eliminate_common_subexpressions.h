// Removes operations already computed by an instruction whose region encloses this one.
//
// before:
//   %1 = ult.u32 %0, %9
//   if %1
//     %2 = ult.u32 %0, %9
//     %3 = pand %2, %8
// after:
//   %1 = ult.u32 %0, %9
//   if %1
//     %3 = pand %1, %8
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Only for pure operations; those that exchange with other lanes (derivatives) only within one region. An
/// instruction that replaces a `[precise]` one becomes precise. Returns true when something changed.
bool eliminate_common_subexpressions(Module& module);

}  // namespace texlate::ir
