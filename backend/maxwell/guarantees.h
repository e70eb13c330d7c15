// All that Maxwell promises, for ir::legalize.
#pragma once

#include "ir/passes/legalize.h"

namespace texlate::maxwell {

extern const ir::GuaranteeTable kTextureGuarantees;
extern const ir::GuaranteeTable kAllMappedGuarantees;
/// All comparisons are expanded in place.
extern const ir::GuaranteeTable kGuaranteesWithoutCalls;
extern const ir::GuaranteeTable kAllMappedGuaranteesWithoutCalls;
extern const ir::MemoryTable kMemoryGuarantees;
extern const ir::ArithmeticTable kArithmeticGuarantees;

/// For programs of deko3d (graphics/guarantees.cpp). Their arithmetic is the same.
extern const ir::GuaranteeTable kGraphicsTextureGuarantees;
extern const ir::GuaranteeTable kGraphicsAllMappedGuarantees;
extern const ir::MemoryTable kGraphicsMemoryGuarantees;

/// `all_mapped`: the caller guarantees that no tiled resource is bound.
inline ir::Guarantees graphics_guarantees(bool all_mapped = false) {
  return {all_mapped ? kGraphicsAllMappedGuarantees : kGraphicsTextureGuarantees, kGraphicsMemoryGuarantees,
          kArithmeticGuarantees};
}

/// `calls`: may comparisons become routines?
inline ir::Guarantees guarantees(bool all_mapped = false, bool calls = true) {
  const ir::GuaranteeTable& with_calls = all_mapped ? kAllMappedGuarantees : kTextureGuarantees;
  const ir::GuaranteeTable& without = all_mapped ? kAllMappedGuaranteesWithoutCalls : kGuaranteesWithoutCalls;
  return {calls ? with_calls : without, kMemoryGuarantees, kArithmeticGuarantees};
}

}  // namespace texlate::maxwell
