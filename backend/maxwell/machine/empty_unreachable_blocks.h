// Unreachable blocks become empty and end the program: the continue block of a loop that never repeats, code
// after a loop that only a return leaves. Their values would have no place.
//
// Before:
//   values
//   block0:
//     MOV32I v0, 0x1
//     jump block2
//   block1:
//     IADD v1, v0, 0x1
//     jump block2
//   block2:
//     exit
//
// After:
//   values
//   block0:
//     MOV32I v0, 0x1
//     jump block2
//   block1:
//     exit
//   block2:
//     exit
//
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void empty_unreachable_blocks(Function& function);

}  // namespace texlate::maxwell::machine
