// What one walk backwards over a module finds out about it, before anything is written.
#pragma once

#include "backend/spirv/infer_types.h"

namespace texlate::spirv {

/// What a module's arrays and resources are used for.
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

struct Survey {
  explicit Survey(std::pmr::monotonic_buffer_resource& arena) : uses(arena) {}

  /// The instructions that something needs, in order; the module may hold others. What reads_entry() comes
  /// first, unless each phase of a hull shader has its own entry. Behind the last one is a return that does
  /// not count. Markers may have results and operands that nothing needs: see ValueNeeds::is_used().
  std::span<const ir::Instruction> code;
  ControlMap control;
  ModuleUses uses;
  ValueNeeds needs;
  ValueTypes types;
};

void survey(const ir::Module& module, const InterfaceElements& interface,
            std::pmr::monotonic_buffer_resource& arena, Survey& survey);

}  // namespace texlate::spirv
