// What SPIR-V and Vulkan promise about the shader's own memory.
#pragma once

#include "backend/spirv/texture_guarantees.h"
#include "ir/passes/memory_guarantees.h"

namespace texlate::spirv {

const ir::MemoryTable& memory_guarantees(Robustness robustness);

}  // namespace texlate::spirv
