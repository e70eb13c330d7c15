// Is a Program one that a driver could be given?
#pragma once

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

/// Checks declarations against uses, register ranges, operand shapes, stage and model of each instruction,
/// the structure of control flow, resource dimensions and sampler modes against instructions. Each finding is
/// a located diagnostic. True when there was no error; warnings are things that work but look wrong (a
/// listing that ends without `ret`).
bool validate(const Program& program, Diagnostics& diagnostics);

}  // namespace texlate::sm4
