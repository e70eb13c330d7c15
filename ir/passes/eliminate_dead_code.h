// Removes everything that is not needed: instructions, results of constructs, values that loops carry, whole
// constructs.
//
// before:
//   %1, %2 = loop init(0, 0)
//     %3 = iadd %1, 1
//     %4 = iadd %2, 1
//     %5 = uge.u32 %3, %9
//     if %5
//       break yields(%3, %4)
//     else
//     endif
//   %6, %7 = endloop yields(%3, %4)
//   output o0.x, %6
// after:
//   %1 = loop init(0)
//     %3 = iadd %1, 1
//     %5 = uge.u32 %3, %9
//     if %5
//       break yields(%3)
//     else
//     endif
//   %6 = endloop yields(%3)
//   output o0.x, %6
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Starts from effects (stores, outputs, discards, barriers, returns) and marks what they need, including
/// jumps and conditions. An operation with several results keeps all of them as long as one is used. A loop
/// that is left only by a return, or never, stays, and so does one that reads globally coherent memory: it
/// may wait for what another group writes. Returns true when something changed.
bool eliminate_dead_code(Module& module);

}  // namespace texlate::ir
