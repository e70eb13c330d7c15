// Predicates instead of short branches: the instructions of both arms are guarded, and what the merge block
// takes as a parameter is one register that either arm writes. A branch whose lanes diverge takes SSY, the
// branch, two SYNCs and 13 cycles for each of them (docs/reference/maxwell.md 6). Up to about as many issue
// slots, the guarded form is shorter.
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     ISETP.LT.AND p1, PT, v0, 0x4, PT
//     selection merge block3
//     branch p1, block1, block2
//   block1:
//     FADD v2, v0, v0
//     jump block3(v2)
//   block2:
//     FMUL v3, v0, v0
//     jump block3(v3)
//   block3(v4):
//     exit(v4)
//
// After:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     ISETP.LT.AND p1, PT, v0, 0x4, PT
//     @!p1 FMUL v3, v0, v0
//     @p1 FADD v2, v0, v0 else v3
//     exit(v2)
//
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void convert_branches(Function& function);

}  // namespace texlate::maxwell::machine
