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
  ArenaBuffer<uint32_t> constant_loads;                 // instructions that read constant buffers
};

void survey(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena, ModuleUses& uses);

}  // namespace texlate::spirv
