// What a module's arrays and resources are used for.
#pragma once

#include <memory_resource>
#include <span>

#include "ir/base/buffer.h"
#include "ir/module.h"

namespace texlate::spirv {

struct ModuleUses {
  explicit ModuleUses(std::pmr::monotonic_buffer_resource& arena) : constant_loads(&arena) {}

  std::span<uint8_t> has_atomics, is_read, is_written;  // by resource: unordered access views
  std::span<uint8_t> shared_atomics;                    // by g#: has atomic operations
  // By index in Survey::code
  ArenaBuffer<uint32_t> constant_loads;  // instructions that read constant buffers
};

/// Does it read what is known when the shader starts, such as an input register or a system value?
inline bool reads_entry(const ir::Instruction& instruction) {
  if (instruction.op == ir::Op::input)
    return !instruction.has(ir::kVertexOperand) && !instruction.has(ir::kIndexOperand);
  return instruction.op == ir::Op::system_value;
}

}  // namespace texlate::spirv
