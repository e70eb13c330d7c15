// Closes the gap between Direct3D's contract and the target's guarantee for the shader's own memory: constant
// buffers, constant tables, x#, g#, and registers indexed at run time.
//
// before (x0 has four rows):
//   %2 = local.load x0[%1].x
//   %3 = local.load x0[%1].y
// after, for a target with predicates:                 and for one without, where x0 gets a fifth row:
//   %4 = ult.u32 %1, 4                                   %4 = umin.u32 %1, 4
//   %2 = local.load x0[%1].x guard(%4)                   %5 = local.load x0[%4].x
//   %3 = local.load x0[%1].y guard(%4)                   %6 = ult.u32 %1, 4
//                                                        %2 = select.b32 %6, %5, 0 ...
//
// Each access gets its own comparisons; eliminate_common_subexpressions leaves one of those that are
// equal.
#pragma once

#include "ir/passes/closed_gap.h"
#include "ir/passes/known_facts.h"
#include "ir/passes/memory_guarantees.h"

namespace texlate::ir {

/// Rewrites the module, which is in SSA form. Nothing is inserted for rows, offsets and indices that are
/// known to be in range; `known`, when given, says which rows of constant buffers are bound. `closed`, when
/// given, gets one entry for each gap closed. Linear in the module. Returns true when something changed.
bool legalize_memory(Module& module, const MemoryTable& table, std::pmr::vector<ClosedGap>* closed = nullptr,
                     KnownFacts* known = nullptr);

}  // namespace texlate::ir
