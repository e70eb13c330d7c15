// All that PTX promises, for ir::legalize.
#pragma once

#include "backend/ptx/arithmetic_guarantees.h"
#include "backend/ptx/memory_guarantees.h"
#include "backend/ptx/texture_guarantees.h"
#include "ir/passes/legalize.h"

namespace texlate::ptx {

/// `all_mapped`: the caller's word that no tiled resource is bound.
inline ir::Guarantees guarantees(bool all_mapped = false) {
  return {all_mapped ? kAllMappedGuarantees : kTextureGuarantees, kMemoryGuarantees, kArithmeticGuarantees};
}

}  // namespace texlate::ptx
