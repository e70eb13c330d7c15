// All that PTX promises, for ir::legalize.
#pragma once

#include "backend/ptx/arithmetic_guarantees.h"
#include "backend/ptx/memory_guarantees.h"
#include "backend/ptx/texture_guarantees.h"
#include "ir/passes/legalize.h"

namespace texlate::ptx {

/// `all_mapped`, `native_compare`: guaranteed by the caller, see TargetOptions.
inline ir::Guarantees guarantees(bool all_mapped = false, bool native_compare = false) {
  return {texture_guarantees(all_mapped, native_compare), kMemoryGuarantees, kArithmeticGuarantees};
}

}  // namespace texlate::ptx
