#include "backend/maxwell/machine/constants.h"

#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {

bool is_constant_move(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard() != kPT) return false;
  switch (opcode(instruction.code)) {
    case Opcode::mov32i: return true;
    case Opcode::mov: {
      constexpr uint64_t kAllLanes = 15;
      const unsigned mask_at = form(instruction.code).operands[2].at;
      return instruction.value_count() == 1 && instruction.result_values == 1 &&
             (instruction.code.word >> mask_at & kAllLanes) == kAllLanes;
    }
    default: return false;
  }
}

bool is_constant_comparison(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard() != kPT) return false;
  const Opcode op = opcode(instruction.code);
  return (op == Opcode::isetp || op == Opcode::fsetp) && instruction.value_count() == 1 &&
         instruction.result_values == 1 && !reads_condition_code(instruction.code);
}

}  // namespace texlate::maxwell::machine
