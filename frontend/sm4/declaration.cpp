#include "frontend/sm4/declaration.h"

namespace texlate::sm4 {

namespace {

uint32_t word(const Program& program, const Instruction& dcl, uint32_t i) {
  return i < dcl.word_count ? program.words[dcl.first_word + i] : 0;
}

/// Number of dwords of the declaration before 5.1's trailing register space.
uint32_t words_before_space(Opcode opcode) {
  switch (opcode) {
    case Opcode::dcl_resource:
    case Opcode::dcl_uav_typed:
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_structured:
    case Opcode::dcl_constantbuffer: return 1;
    default: return 0;
  }
}

}  // namespace

DeclaredRange declared_range(const Program& program, const Instruction& dcl) {
  const Operand& operand = program.operands[dcl.first_operand];
  const uint32_t id = operand.index[0].immediate;
  if (program.version.model() < 51 || operand.index_count < 3) return {id, id, id, 0};
  return {id, operand.index[1].immediate, operand.index[2].immediate,
          word(program, dcl, words_before_space(dcl.opcode))};
}

uint32_t declared_constant_buffer_size(const Program& program, const Instruction& dcl) {
  if (program.version.model() >= 51) return word(program, dcl, 0);
  return program.operands[dcl.first_operand].index[1].immediate;
}

uint16_t declared_return_types(const Program& program, const Instruction& dcl) {
  return static_cast<uint16_t>(word(program, dcl, 0));
}

uint32_t declared_stride(const Program& program, const Instruction& dcl) {
  return word(program, dcl, 0);
}

SystemValue declared_system_value(const Program& program, const Instruction& dcl) {
  switch (dcl.opcode) {
    case Opcode::dcl_input_siv:
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_ps_siv:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_output_siv:
    case Opcode::dcl_output_sgv: return static_cast<SystemValue>(word(program, dcl, 0));
    default: return SystemValue::undefined;
  }
}

}  // namespace texlate::sm4
