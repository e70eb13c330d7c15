#include "backend/maxwell/machine/layout.h"

#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine {

bool is_stack_push(Opcode opcode) {
  return opcode == Opcode::ssy || opcode == Opcode::pbk || opcode == Opcode::pcnt || opcode == Opcode::pret;
}

bool is_jump(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::sync || opcode == Opcode::brk || opcode == Opcode::cont ||
         opcode == Opcode::ret || opcode == Opcode::exit;
}

void set_target(Code& code, int32_t value) {
  maxwell::Instruction decoded = code;
  set_target(decoded, value);
  code = decoded;
}

void set_target(maxwell::Instruction& code, int32_t value) {
  for (Operand& operand : code.operands) {
    if (operand.kind == OperandKind::target) operand.value = value;
  }
}

}  // namespace texlate::maxwell::machine
