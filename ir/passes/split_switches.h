// Splits switches with more labels than a target's instruction can hold.
//
// before (2 labels at most):       after:
//   switch %0                        switch %0            which arm it is, by parts of the labels
//     case 1                           case 3
//     case 2                             break yields(1)
//       break                          default
//     case 3                             break yields(2)
//       return                       %1 = endswitch
//     default                        switch %0
//       break                          case 1
//   endswitch                          case 2
//                                        break yields(0)
//                                      default
//                                        break yields(%1)
//                                    %2 = endswitch
//                                    switch %2            the arms, in groups
//                                      case 0
//                                        break
//                                      case 1
//                                        return
//                                      default
//                                        break
//                                    endswitch
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Takes and leaves a module in SSA form. `most_labels` is 2 or more. Returns true when something changed.
/// Linear in the program.
bool split_switches(Module& module, uint32_t most_labels);

}  // namespace texlate::ir
