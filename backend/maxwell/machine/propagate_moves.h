// Whoever reads the copy that a plain move makes of a value reads the value itself. The move stays until
// remove_dead_code().
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     MOV v1, v0
//     ISETP.LT.AND p2, PT, v1, 0x4, PT
//     PSETP.AND.AND p3, PT, p2, PT, PT
//     @p3 IADD v4, v1, 0x1 else v1
//     exit(v4)
//
// After:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     MOV v1, v0
//     ISETP.LT.AND p2, PT, v0, 0x4, PT
//     PSETP.AND.AND p3, PT, p2, PT, PT
//     @p2 IADD v4, v0, 0x1 else v0
//     exit(v4)
//
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

void propagate_moves(Function& function);

}  // namespace texlate::maxwell::machine
