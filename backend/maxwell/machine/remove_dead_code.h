// Removes instructions without effects whose results nobody uses, and what only they used. A result without a
// use, of an instruction that stays, becomes `v_`: it may be anywhere.
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     IADD v1, v0, 0x1
//     FMUL v2, v1, v1
//     LDS.U.64 v3:v4, [v0] reads 2
//     exit(v3)
//
// After:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     LDS.U.64 v3:v_, [v0] reads 2
//     exit(v3)
//
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void remove_dead_code(Function& function);

}  // namespace texlate::maxwell::machine
