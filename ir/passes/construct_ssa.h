// Turns registers (reg.load, reg.store) into values: the mutable state of kernels of geometry and hull
// shaders (backend/launch/lower_primitives.h), and the registers of IR text. Lowering from Direct3D needs no
// such pass.
//
// before:
//   if %1
//     reg.store r0.x, 1
//   else
//   endif
//   %2 = reg.load r0.x
//   output o0.x, %2
// after:
//   if %1
//   else yields(1)
//   endif yields(0)          a register that was never written reads 0
//   ^ %3
//   output o0.x, %3
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// Afterwards constructs pass, after the values that they passed before, the registers that they write and
/// that are read later. Removes unreachable code. Linear in the program, times the nesting depth where nested
/// constructs write the same register. Returns false, with a located error, if the program passes more values
/// than docs/limits.md allows; the module is then unusable.
bool construct_ssa(Module& module, Diagnostics& diagnostics);

/// For a program that is known to be within the limits.
void construct_ssa(Module& module);

}  // namespace texlate::ir
