// All that Maxwell promises, for ir::legalize.
#pragma once

#include "ir/passes/legalize.h"

namespace texlate::maxwell {

extern const ir::GuaranteeTable kTextureGuarantees;
extern const ir::MemoryTable kMemoryGuarantees;
extern const ir::ArithmeticTable kArithmeticGuarantees;

/// For programs of deko3d (graphics/guarantees.cpp). Their arithmetic is the same.
extern const ir::GuaranteeTable kGraphicsTextureGuarantees;
extern const ir::MemoryTable kGraphicsMemoryGuarantees;

/// `all_mapped`: the caller guarantees that no tiled resource is bound.
inline ir::Guarantees graphics_guarantees(bool all_mapped = false) {
  ir::Guarantees all{kGraphicsTextureGuarantees, kGraphicsMemoryGuarantees, kArithmeticGuarantees,
                     "docs/dksh.md: depth is what the program returns"};
  all.texture.all_mapped = all_mapped;
  return all;
}

/// `calls`: may comparisons become routines? Otherwise all are expanded in place.
inline ir::Guarantees guarantees(bool all_mapped = false, bool calls = true) {
  ir::Guarantees all{kTextureGuarantees, kMemoryGuarantees, kArithmeticGuarantees};
  all.texture.all_mapped = all_mapped;
  if (!calls) all.texture.most_comparisons = ir::GuaranteeTable().most_comparisons;
  return all;
}

}  // namespace texlate::maxwell
