// All that PTX promises, for ir::legalize.
#pragma once

#include "backend/ptx/arithmetic_guarantees.h"
#include "backend/ptx/memory_guarantees.h"
#include "backend/ptx/texture_guarantees.h"
#include "ir/passes/legalize.h"

namespace texlate::ptx {

inline ir::Guarantees guarantees() {
  return {kTextureGuarantees, kMemoryGuarantees, kArithmeticGuarantees};
}

}  // namespace texlate::ptx
