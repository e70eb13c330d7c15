// Values that are made from constants alone, and can be made again wherever they are needed.
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Is it a move of what any instruction could load again: an immediate or a constant at a fixed place?
bool is_constant_move(const Instruction& instruction);
/// Is it a comparison of only such operands, such as the test whether a resource is bound?
bool is_constant_comparison(const Instruction& instruction);

}  // namespace texlate::maxwell::machine
