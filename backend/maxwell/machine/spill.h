// Reduces the number of live values to the number of registers and predicates. Where there are too many, the
// value with the latest next use is kept elsewhere from its definition on: a constant, or a comparison of
// constants, is computed again at each use; another register's content goes to local memory; a predicate
// becomes a 0 or 1 in a register. Here for 3 registers:
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     S2R v1, SR_TID.Y
//     S2R v2, SR_TID.Z
//     S2R v3, SR_LANEID
//     FADD v4, v2, v3
//     FADD v5, v4, v1
//     FADD v6, v5, v0
//     exit(v6)
//
// After:
//   values local=4
//   block0:
//     S2R v0, SR_TID.X
//     STL [RZ], v0 writes spill
//     S2R v1, SR_TID.Y
//     S2R v2, SR_TID.Z
//     S2R v3, SR_LANEID
//     FADD v4, v2, v3
//     FADD v5, v4, v1
//     LDL v7, [RZ] reads spill
//     FADD v6, v5, v7
//     exit(v6)
//
#pragma once

#include <span>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

/// The maximum number of live values, including the extra registers that vectors need.
struct Pressure {
  unsigned general = 0;
  unsigned predicates = 0;
};
Pressure find_pressure(Function& function, const Liveness& liveness);

/// Reduces the pressure to at most `limit` registers and the seven predicates. `spilled` counts the values.
/// Returns false if that is impossible: one instruction, or one block's parameters, need more. `liveness` is
/// that of the function, before and after; `pressures` is that of each block, or void: it is then found here.
bool spill(Function& function, Liveness& liveness, std::span<const Pressure> pressures, unsigned limit,
           unsigned& spilled);

}  // namespace texlate::maxwell::machine
