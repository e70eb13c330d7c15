// Registers for values, in one walk over the blocks in program order, which meets every definition before its
// uses. A value keeps its register until an operand requires it elsewhere. It then moves; all moves of one
// instruction happen at once before it.
//
// In SSA form only the registers alive at one point matter (Hack, "Register allocation for programs in SSA
// form", 2007): once the pressure is reduced (spill.h), there is a place for every value. The difficulty on
// this machine is the vectors; affinity.h keeps their moves few.
#pragma once

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

struct Allocation {
  bool ok = false;
  unsigned register_count = 0;
};

/// Rewrites the function: `code` holds register numbers, the value lists are void, blocks have no parameters,
/// moves are inserted where contents change places, Block::condition is a predicate number.
Allocation allocate_registers(Function& function, const Liveness& liveness, unsigned register_limit);

}  // namespace texlate::maxwell::machine
