// All that SPIR-V and Vulkan promise, for ir::legalize.
#pragma once

#include "backend/spirv/arithmetic_guarantees.h"
#include "backend/spirv/memory_guarantees.h"
#include "backend/spirv/texture_guarantees.h"
#include "ir/passes/legalize.h"

namespace texlate::spirv {

inline ir::Guarantees guarantees(Robustness robustness, bool clamps_levels = true) {
  return {texture_guarantees(robustness, clamps_levels), memory_guarantees(robustness),
          kArithmeticGuarantees};
}

}  // namespace texlate::spirv
