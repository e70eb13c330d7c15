// sm4::Program -> ir::Module: every instruction becomes the scalar operations that mean the same, registers
// stay registers (reg.load, reg.store) until ir/passes/construct_ssa.
#pragma once

#include "frontend/sm4/program.h"
#include "ir/module.h"

namespace texlate::lower {

/// Fills `module`, which must be empty. False, with located errors, when the program uses what cannot be
/// lowered. The Program should have passed sm4::validate; a Program that has not gives errors or unspecified
/// but safe output.
bool lower(const sm4::Program& program, ir::Module& module, Diagnostics& diagnostics);

}  // namespace texlate::lower
