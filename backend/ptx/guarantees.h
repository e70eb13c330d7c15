// All that PTX promises, for ir::legalize.
#pragma once

#include "ir/passes/legalize.h"

namespace texlate::ptx {

extern const ir::GuaranteeTable kTextureGuarantees;
extern const ir::MemoryTable kMemoryGuarantees;
extern const ir::ArithmeticTable kArithmeticGuarantees;

/// The first with what the caller guarantees. `all_mapped`: no tiled resource is bound. `native_compare`: the
/// host's texture objects compare with the samplers' functions.
ir::GuaranteeTable texture_guarantees(bool all_mapped, bool native_compare);

inline ir::Guarantees guarantees(bool all_mapped = false, bool native_compare = false) {
  return {texture_guarantees(all_mapped, native_compare), kMemoryGuarantees, kArithmeticGuarantees};
}

}  // namespace texlate::ptx
