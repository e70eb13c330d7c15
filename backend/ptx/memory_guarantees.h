// What PTX promises about the shader's own memory.
#pragma once

#include "ir/passes/memory_guarantees.h"

namespace texlate::ptx {

extern const ir::MemoryTable kMemoryGuarantees;

}  // namespace texlate::ptx
