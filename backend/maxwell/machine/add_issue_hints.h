// The parts of control slots that only change speed. Fetches that are all issued before the first wait are
// one batch: `.T` except for the last, which is `.P`. `.reuse`: the next instruction finds the register in
// the operand cache of its port. `Y`: another warp may issue in the meantime.
//
// Before:
//   lines timed
//   block0:
//     --:-:0:Y:1  TEXS.LZ RZ, R2, R0, R1, 0x10, 2D, RG
//     --:-:1:Y:2  TEXS.LZ RZ, R4, R0, R1, 0x20, 2D, RG
//     03:-:-:Y:1  FADD R0, R2, R4
//     --:-:-:Y:15  FADD R1, R2, R5
//     --:-:-:Y:15  EXIT
//
// After:
//   lines timed
//   block0:
//     --:-:0:-:1  TEXS.LZ.T RZ, R2, R0, R1, 0x10, 2D, RG
//     --:-:1:-:2  TEXS.LZ.P RZ, R4, R0, R1, 0x20, 2D, RG
//     03:-:-:-:1  FADD R0, R2.reuse, R4
//     --:-:-:Y:15  FADD R1, R2, R5
//     --:-:-:-:15  EXIT
//
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

/// Run it after assign_control().
void add_issue_hints(Layout& layout);

}  // namespace texlate::maxwell::machine
