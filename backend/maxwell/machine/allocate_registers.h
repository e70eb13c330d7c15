// Registers for values, in one walk over the blocks in program order, which meets every definition before its
// uses. A value keeps its register until an operand requires it elsewhere. It then moves; all moves of one
// instruction happen at once before it.
//
// In SSA form only the registers alive at one point matter (Hack, "Register allocation for programs in SSA
// form", 2007): once the pressure is reduced (spill.h), there is a place for every value. The difficulty on
// this machine is the vectors; affinity.h keeps their moves few.
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     LDS.U.64 v1:v2, [v0] reads 2
//     ISETP.LT.AND p3, PT, v1, v2, PT
//     selection merge block3
//     branch p3, block1, block2
//   block1:
//     STS.64 [v0], v2:v1 writes 2
//     jump block3(v1)
//   block2:
//     jump block3(v2)
//   block3(v4):
//     exit(v4)
//
// After:
//   registers exits=1
//   block0:
//     S2R R0, SR_TID.X
//     LDS.U.64 R2, [R0] reads 2
//     ISETP.LT.AND P0, PT, R2, R3, PT
//     selection merge block3
//     branch P0, block1, block2
//   block1:
//     MOV R4, R3
//     MOV R5, R2
//     STS.64 [R0], R4 writes 2
//     MOV R0, R2
//     jump block3
//   block2:
//     MOV R0, R3
//     jump block3
//   block3:
//     exit
//
#pragma once

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

struct Allocation {
  bool ok = false;
  unsigned register_count = 0;
};

/// Rewrites the function: `code` holds register numbers, the value lists are void, blocks have no parameters,
/// moves are inserted where contents change places, Block::condition is a predicate number. Where it fails,
/// the function is void.
Allocation allocate_registers(Function& function, const Liveness& liveness, unsigned register_limit);

}  // namespace texlate::maxwell::machine
