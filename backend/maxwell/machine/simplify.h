// Cleans up before register allocation: removes moves between values, and instructions without a use.
//
//   MOV b, a ; FADD c, b, 1 ; FMUL d, c, c (d unused)      ->      FADD c, a, 1 if c has other uses
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Is it a move of what any instruction could load again: an immediate or a constant at a fixed place?
bool is_constant_move(const Instruction& instruction);
/// Is it a comparison of only such operands, such as the test whether a resource is bound?
bool is_constant_comparison(const Instruction& instruction);

/// Unreachable blocks become empty and end the program: the continue block of a loop that never repeats, code
/// after a loop that only a return leaves. Their values would have no place.
void empty_unreachable_blocks(Function& function);
void propagate_moves(Function& function);
void remove_dead_code(Function& function);

}  // namespace texlate::maxwell::machine
