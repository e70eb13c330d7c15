// Accesses to neighbouring words of shared and local memory become one access to two or four of them.
//
//   LDS a, [0x20] ; LDS b, [0x24] ; FADD s, a, b        ->      LDS.64 (a, b), [0x20] ; FADD s, a, b
//   STL [i+0x10], a ; ... ; STL [i+0x14], b             ->      ... ; STL.64 [i+0x10], (a, b)      i = j << 4
//
// Only where the address is known to be a multiple of the access: both windows begin at 0, and a register's
// multiple is read off the instruction that makes it. Accesses of global memory are chosen wide at once, by
// what the host promises of the address (select/buffer.cpp).
#pragma once

#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Within a block, of accesses with one base register and one guard between which nothing touches the same
/// memory. A store is merged only if its values need no copies to be adjacent. Takes what
/// remove_dead_code() leaves.
void merge_accesses(Function& function);

}  // namespace texlate::maxwell::machine
