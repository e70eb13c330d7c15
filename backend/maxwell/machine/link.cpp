#include <algorithm>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/layout.h"
#include "backend/maxwell/machine/program.h"

namespace texlate::maxwell::machine {

FinishError link(Program& program, std::span<const Program> routines) {
  if (routines.empty()) return FinishError::none;  // and no calls
  const size_t own = program.instructions.size();
  std::pmr::vector<uint32_t> start(program.instructions.get_allocator());
  unsigned deepest = 0;
  for (const Program& routine : routines) {
    // Branch offsets within the routine include control words, so it starts at a group, like a program.
    while (program.instructions.size() % kGroupInstructions != 0)
      program.instructions.push_back(make_instruction(Opcode::nop));
    start.push_back(static_cast<uint32_t>(program.instructions.size()));
    program.instructions.insert(program.instructions.end(), routine.instructions.begin(),
                                routine.instructions.end());
    program.origins.resize(program.instructions.size(), 0);
    program.register_count = std::max(program.register_count, routine.register_count);
    program.local_bytes = std::max(program.local_bytes, routine.local_bytes);
    program.spilled_values += routine.spilled_values;
    deepest = std::max(deepest, 1 + routine.stack_depth);
  }
  program.stack_depth += deepest;
  for (uint32_t i = 0; i < own; ++i) {
    Code& code = program.instructions[i];
    if (opcode(code) != Opcode::cal) continue;
    const auto number = static_cast<size_t>(code.decode().operands[0].value);
    const int64_t offset =
        int64_t{instruction_address(start[number])} - (int64_t{instruction_address(i)} + 8);
    if (offset >= kBranchReach) return FinishError::too_long;
    set_target(code, static_cast<int32_t>(offset));
  }
  return FinishError::none;
}

}  // namespace texlate::maxwell::machine
