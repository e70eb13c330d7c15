// Moves loads that are in both arms of an `if` in front of it.
//
// before:                            after:
//   if %0                              %1..%4 = cb.load cb0 7
//     %1..%4 = cb.load cb0 7           if %0
//     ...                                ...
//   else                               else
//     %5..%8 = cb.load cb0 7             ...                  with %1 for %5, and so on
//     ...                              endif
//   endif
//
// One of the two is always executed, so nothing is executed more often than before.
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Moves rows of constant buffers and tables, inputs, facts of bindings, and the comparisons that guard them
/// in front of an `if` if both arms have them and their operands are defined there. From nested constructs
/// they move out as far as possible. Takes and leaves a module in SSA form, best after
/// eliminate_common_subexpressions. Returns true when something changed. Linear in the program, times the
/// depth of its constructs for what moves.
bool hoist_loads(Module& module);

}  // namespace texlate::ir
