#include "ir/passes/remove_unreachable.h"

#include "ir/structure.h"

namespace texlate::ir {

void remove_unreachable(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  const Structure structure(module, &scratch);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const Op op = module.code[i].op;
    const bool reached = structure.reached(i);
    if (!reached) {
      // The markers of a reached construct stay, even if jumps end its regions.
      const bool own_marker = bounds_region(op) && op != Op::phase;
      if (own_marker ? !structure.reached(structure.of(i).marker) : op != Op::phase) continue;
    }
    Instruction& instruction = module.code[kept++] = module.code[i];
    if (!info(op).has(kControl)) continue;
    if (!reached) instruction.operand_count = 0;
    if (closes_construct(op) && !structure.continues(i)) instruction.result_count = 0;
  }
  module.code.resize(kept);
}

}  // namespace texlate::ir
