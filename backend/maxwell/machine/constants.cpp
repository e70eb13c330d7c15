#include "backend/maxwell/machine/constants.h"

#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {

bool is_constant_move(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard() != kPT) return false;
  switch (opcode(instruction.code)) {
    case Opcode::mov32i: return true;
    case Opcode::mov: {
      const maxwell::Instruction code = instruction.code;
      const Operand& source = code.operands[1];
      return code.operands[2].value == 15 && (source.kind != OperandKind::reg || source.reg == kRZ);
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
