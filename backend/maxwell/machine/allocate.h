// Registers for values: one walk over the blocks in program order, in which every definition is met before
// its uses. A value keeps its register until an operand needs it elsewhere; then it moves, and the moves of
// one instruction happen at once before it.
//
// On SSA the registers alive at one point are all that matters (Hack, "Register allocation for programs in
// SSA form", 2007): whoever has reduced the pressure (spill.h) is sure to find a place for each. What is
// hard on this machine is the vectors; see affinity.h for what keeps their moves few.
#pragma once

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

struct Allocation {
  bool ok = false;
  unsigned register_count = 0;
};

/// Rewrites the function: `code` holds register numbers, the value lists are void, blocks have no parameters,
/// moves have been added where contents change places, Block::condition is a predicate number.
Allocation allocate_registers(Function& function, const Liveness& liveness, unsigned register_limit);

}  // namespace texlate::maxwell::machine
