// What SPIR-V and Vulkan promise about arithmetic.
#pragma once

#include "ir/passes/arithmetic_guarantees.h"

namespace texlate::spirv {

extern const ir::ArithmeticTable kArithmeticGuarantees;

}  // namespace texlate::spirv
