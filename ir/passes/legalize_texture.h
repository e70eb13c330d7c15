// Closes, for every resource access, the gap between Direct3D's contract and the target's guarantee.
//
// before (ld with _aoffimmi(1,-2,0) on a Texture2D):
//   %5..%8 = tex.fetch t0 2d float coord(%1, %2) level %3 offset(1, -2)
// after, for a target that promises nothing about offsets, ranges, unbound slots and missing components:
//   %10 = iadd %1, 1                        the offset wraps modulo 2^32
//   %11 = iadd %2, -2
//   %12 = binding t0.levels
//   %13 = ult.u32 %3, %12                   an unbound slot has no mips
//   ...                                     x < max(width >> mip, 1), y likewise
//   %20..%23 = tex.fetch t0 2d float guard %19 else(0, 0, 0, %18) coord(%10, %11) level %3
//   %24 = and %20, keep.x ...               components that the format lacks
#pragma once

#include "ir/base/diagnostics.h"
#include "ir/module.h"
#include "ir/passes/closed_gap.h"
#include "ir/passes/known_facts.h"
#include "ir/passes/texture_guarantees.h"

namespace texlate::ir {

/// Rewrites the module; `closed`, when given, gets one entry for each gap closed. With `known`, facts are
/// constants, and guards that cannot fail are left out. Returns false, with a located error, if an access
/// cannot be expressed on the target. Linear in the module.
bool legalize_texture(Module& module, const GuaranteeTable& table, Diagnostics& diagnostics,
                      std::pmr::vector<ClosedGap>* closed = nullptr, KnownFacts* known = nullptr);

}  // namespace texlate::ir
