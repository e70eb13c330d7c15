// Closes every gap between Direct3D's contract and what a target's documents promise: the legalize_* passes
// in their order.
#pragma once

#include "ir/passes/legalize_arithmetic.h"
#include "ir/passes/legalize_memory.h"
#include "ir/passes/legalize_texture.h"
#include "ir/passes/observer.h"

namespace texlate::ir {

/// What a target promises.
struct Guarantees {
  const GuaranteeTable& texture;
  const MemoryTable& memory;
  const ArithmeticTable& arithmetic;
};

/// Rewrites the module, which is in SSA form. Textures first, for what they are made of may have gaps of its
/// own, arithmetic last. What comes in shares its comparisons once the module is optimised again. `closed`,
/// when given, gets one entry for each gap closed, in the order of the passes. False, with located errors,
/// where the target cannot express an operation.
bool legalize(Module& module, const Guarantees& guarantees, Diagnostics& diagnostics,
              std::pmr::vector<ClosedGap>* closed = nullptr, const PassObserver* observer = nullptr);

}  // namespace texlate::ir
