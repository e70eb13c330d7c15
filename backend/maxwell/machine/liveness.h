// Which values are alive at the start of each block.
#pragma once

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

/// Values alive at the start of each block, except its parameters, ascending.
using Liveness = Lists<BlockId, Value>;

/// Walks from each use up to the definition (Boissinot and others, "Computing liveness sets for SSA-form
/// programs", 2011): time and memory are proportional to the result.
Liveness find_liveness(Function& function, const Predecessors& predecessors);
inline Liveness find_liveness(Function& function) {
  return find_liveness(function, find_predecessors(function));
}

}  // namespace texlate::maxwell::machine
