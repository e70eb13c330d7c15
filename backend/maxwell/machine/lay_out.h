// Blocks as one sequence of lines, with branches and the instructions that manage the branch stack
// (constructs.h). A conditional jump to a block that only leaves becomes the leaving instruction itself:
// @P0 BRK, @!P1 SYNC, @P2 EXIT.
//
// Before:
//   registers exits=1
//   block0:
//     S2R R0, SR_TID.X
//     ISETP.LT.AND P0, PT, R0, 0x4, PT
//     selection merge block3
//     branch P0, block1, block2
//   block1:
//     IADD R0, R0, 0x1
//     jump block3
//   block2:
//     jump block3
//   block3:
//     exit
//
// After:
//   lines exits=1 stack=2
//   block0:
//     S2R R0, SR_TID.X
//     ISETP.LT.AND P0, PT, R0, 0x4, PT
//     SSY block3
//     @!P0 SYNC to block3
//   block1:
//     IADD R0, R0, 0x1
//     SYNC to block3
//   block2:
//   block3:
//     EXIT
//
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// The function must have registers. Control instructions are in Function::spare.
Layout lay_out(Function& function);

}  // namespace texlate::maxwell::machine
