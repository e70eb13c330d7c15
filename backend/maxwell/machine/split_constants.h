// Gives every vector its own copy of a constant that several vectors contain. A move from another register
// would be as expensive, and would keep the constant alive.
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     MOV32I v1, 0x0
//     STS.64 [v0], v0:v1 writes 2
//     STS.64 [v0+0x8], v1:v0 writes 2
//     exit
//
// After:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     MOV32I v1, 0x0
//     STS.64 [v0], v0:v1 writes 2
//     MOV32I v2, 0x0
//     STS.64 [v0+0x8], v2:v0 writes 2
//     exit
//
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void split_constants(Function& function);

}  // namespace texlate::maxwell::machine
