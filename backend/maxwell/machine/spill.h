// Fewer values alive at once than there are registers and predicates. Where too many are, the value that is
// needed last is kept elsewhere from its definition on: a constant, and a comparison of constants, is made
// again at each use, another register's content goes to local memory, a predicate becomes a 0 or 1 in a
// register.
//
//   FSETP p, a, b           FSETP p, a, b ; SEL g, RZ, 1, !p
//   ...                 ->  ...
//   @p FADD c, c, d         ISETP.NE q, g, RZ ; @q FADD c, c, d
#pragma once

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

/// The maximum number alive at once, including the extra registers that vectors need.
struct Pressure {
  unsigned general = 0;
  unsigned predicates = 0;
};
Pressure find_pressure(Function& function, const Liveness& liveness);

/// Makes the pressure at most `limit` registers and the seven predicates. `spilled` counts the values. False
/// when that cannot be: one instruction, or one block's parameters, need more. `liveness` is the function's
/// before and after.
bool spill(Function& function, Liveness& liveness, unsigned limit, unsigned& spilled);

}  // namespace texlate::maxwell::machine
