// Passes the values of constructs with very many exits, or very many next iterations, through an array.
//
// before (2 exits at most):        after:
//   loop                             loop
//     if %0                            if %0
//       break yields(1)                  local.store x0[0].x, 1
//     else                               break
//     endif                            else
//     ...                              endif
//     break yields(%1)                 ...
//   %2 = endloop                       local.store x0[0].x, %1
//                                      break
//                                    endloop
//                                    %2 = local.load x0[0].x
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// For targets where such a value is one instruction with an operand for each exit (OpPhi of SPIR-V). Takes
/// and leaves a module in SSA form. Returns true when something changed. Linear in the program.
bool spill_exits(Module& module, uint32_t most_exits);

}  // namespace texlate::ir
