#include "ir/passes/remove_unreachable.h"

#include "ir/reachability.h"

namespace texlate::ir {

void remove_unreachable(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  Reachability control(&scratch);
  uint32_t skipped_depth = 0;  // constructs open around here that are dropped whole
  size_t kept = 0;
  for (Instruction instruction : module.code) {
    const Op op = instruction.op;
    if (!control.reachable() || skipped_depth != 0) {
      if (opens_construct(op)) {
        ++skipped_depth;
        continue;
      }
      if (skipped_depth != 0) {
        if (closes_construct(op)) --skipped_depth;
        continue;
      }
      if (!bounds_region(op)) continue;
      instruction.operand_count = 0;
    }
    control.visit(op);
    if (closes_construct(op) && !control.reachable()) instruction.result_count = 0;
    module.code[kept++] = instruction;
  }
  module.code.resize(kept);
}

}  // namespace texlate::ir
