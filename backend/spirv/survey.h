// What one walk backwards over a module finds out about it, before anything is written.
#pragma once

#include "backend/spirv/infer_types.h"

namespace texlate::spirv {

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
