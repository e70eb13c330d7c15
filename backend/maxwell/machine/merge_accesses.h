// Merges accesses to neighbouring words of shared and local memory into one access to two or four words.
//
//   LDS a, [0x20] ; LDS b, [0x24] ; FADD s, a, b        ->      LDS.64 (a, b), [0x20] ; FADD s, a, b
//   STL [i+0x10], a ; ... ; STL [i+0x14], b             ->      ... ; STL.64 [i+0x10], (a, b)      i = j << 4
//
// Only if the address is known to be a multiple of the access size: both windows begin at 0, and the
// instruction that computes a register shows what it is a multiple of. Accesses of global memory are wide
// from the start, by what the host promises about the address (select/buffer.cpp).
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Works within a block, on accesses with the same base register and guard between which nothing touches the
/// same memory. A store is merged only if its values can be adjacent without copies. The input is the output
/// of remove_dead_code().
void merge_accesses(Function& function);

}  // namespace texlate::maxwell::machine
