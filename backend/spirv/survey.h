// What one walk over a module finds out about it, for all analyses before emission.
#pragma once

#include "backend/spirv/kinds.h"
#include "backend/spirv/module_uses.h"
#include "backend/spirv/value_needs.h"

namespace texlate::spirv {

struct Survey {
  explicit Survey(std::pmr::monotonic_buffer_resource& arena) : uses(arena), open(&arena) {}

  ModuleUses uses;
  ValueNeeds needs;

  // For infer_types(). Operations that do not determine the kinds of their results and operands are open.
  std::span<Kind> kinds;       // by value; none: its operation is open
  std::span<int32_t> votes;    // by value, more than 0 for a float: of operations that are not open
  ArenaBuffer<uint32_t> open;  // the open instructions, in order
};

void survey(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena, Survey& survey);

}  // namespace texlate::spirv
