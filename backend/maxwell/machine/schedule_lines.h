// The order of instructions once they have registers: finds places for moves and spills, and fills the time
// in which an instruction waits for a result of fixed latency.
//
// Before:
//   lines
//   block0:
//     FADD R0, R4, R5
//     FMUL R0, R0, R0
//     FADD R1, R6, R7
//     FMUL R1, R1, R1
//     STS.64 [R8], R0 writes 2
//     EXIT
//
// After:
//   lines
//   block0:
//     FADD R0, R4, R5
//     FADD R1, R6, R7
//     FMUL R0, R0, R0
//     FMUL R1, R1, R1
//     STS.64 [R8], R0 writes 2
//     EXIT
//
#pragma once

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

void schedule_lines(Layout& layout);

}  // namespace texlate::maxwell::machine
