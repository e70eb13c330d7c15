// Clean-up before anything is placed: removes moves between values, and instructions that are not needed.
//
//   MOV b, a ; FADD c, b, 1 ; FMUL d, c, c (d unused)      ->      FADD c, a, 1 if c has other uses
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// A move of something that any instruction could fetch again: an immediate or a constant of a fixed place.
bool is_constant_move(const Instruction& instruction);
/// A predicate from only such operands: whether a resource is bound.
bool is_constant_comparison(const Instruction& instruction);

/// Blocks that nothing leads to end the program, empty: the continue block of a loop that never repeats, what
/// follows a loop that only a return leaves. Their values would have no place.
void empty_unreachable_blocks(Function& function);
void propagate_moves(Function& function);
void remove_dead_code(Function& function);

}  // namespace texlate::maxwell::machine
