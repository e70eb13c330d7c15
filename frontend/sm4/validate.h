// Checks whether a Program is valid input for a driver.
#pragma once

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

/// Checks declarations against uses, register ranges, operand shapes, stage and model of each instruction,
/// the structure of control flow, and resource dimensions and sampler modes against instructions. Each
/// finding is a located diagnostic. Returns true if there was no error. Warnings are about code that works
/// but looks wrong (a listing that ends without `ret`), and about what Program::lenient accepts.
bool validate(const Program& program, Diagnostics& diagnostics);

}  // namespace texlate::sm4
