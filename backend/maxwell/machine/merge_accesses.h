// Merges accesses to neighboring words of shared and local memory into one access to two or four words. Only
// if the address is known to be a multiple of the access size: both windows begin at 0, and the instruction
// that computes a register shows what it is a multiple of. Accesses of global memory are wide from the start,
// by what the host promises about the address (select/buffer.cpp).
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     SHL v1, v0, 0x3
//     LDS v2, [v1+0x20] reads 2
//     LDS v3, [v1+0x24] reads 2
//     FADD v4, v2, v3
//     FMUL v5, v2, v3
//     STS [0x10], v4 writes 2
//     STS [0x14], v5 writes 2
//     exit
//
// After:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     SHL v1, v0, 0x3
//     LDS.64 v2:v3, [v1+0x20] reads 2
//     FADD v4, v2, v3
//     FMUL v5, v2, v3
//     STS.64 [0x10], v4:v5 writes 2
//     exit
//
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Works within a block, on accesses with the same base register and guard between which nothing touches the
/// same memory. A store is merged only if its values can be adjacent without copies. The input is the output
/// of remove_dead_code().
void merge_accesses(Function& function);

}  // namespace texlate::maxwell::machine
