#include "backend/maxwell/machine/resolve_targets.h"

#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine {

bool resolve_targets(Layout& layout) {
  for (uint32_t i = 0; i < layout.lines.size(); ++i) {
    Line& line = layout.lines[i];
    const Opcode op = opcode(line.code());
    if (op != Opcode::bra && !is_stack_push(op)) continue;
    const int64_t offset = int64_t{instruction_address(layout.blocks[line.target].first)} -
                           (int64_t{instruction_address(i)} + 8);
    if (offset < -kBranchReach || offset >= kBranchReach) return false;
    set_target(line.code(), static_cast<int32_t>(offset));
  }
  return true;
}

}  // namespace texlate::maxwell::machine
