// All that Maxwell promises, for ir::legalize.
#pragma once

#include "ir/passes/legalize.h"

namespace texlate::maxwell {

extern const ir::GuaranteeTable kTextureGuarantees;
extern const ir::MemoryTable kMemoryGuarantees;
extern const ir::ArithmeticTable kArithmeticGuarantees;

inline ir::Guarantees guarantees() {
  return {kTextureGuarantees, kMemoryGuarantees, kArithmeticGuarantees};
}

}  // namespace texlate::maxwell
