#include "ir/passes/remove_unreachable.h"

#include "ir/reachability.h"

namespace texlate::ir {

void remove_unreachable(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  Reachability control(&scratch);
  uint32_t skipped_depth = 0;  // constructs open around here that are dropped whole
  size_t kept = 0;
  auto keep = [&](size_t i) -> Instruction& {
    if (kept != i) module.code[kept] = module.code[i];
    return module.code[kept++];
  };
  for (size_t i = 0; i < module.code.size(); ++i) {
    const Op op = module.code[i].op;
    const bool reached = control.reachable() && skipped_depth == 0;
    if (!reached) {
      if (opens_construct(op)) ++skipped_depth;
      if (skipped_depth != 0) {
        if (closes_construct(op)) --skipped_depth;
        continue;
      }
      if (!bounds_region(op)) continue;
    }
    Instruction& instruction = keep(i);
    if (!info(op).has(kControl)) continue;
    if (!reached) instruction.operand_count = 0;
    control.visit(op);
    if (closes_construct(op) && !control.reachable()) instruction.result_count = 0;
  }
  module.code.resize(kept);
}

}  // namespace texlate::ir
