#include "backend/maxwell/isa/program.h"

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell {

ProgramViolation encode_program(std::span<const Instruction> instructions,
                                std::pmr::vector<uint64_t>& words) {
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    Violation violation = check_encodable(instructions[i]);
    if (!violation) violation = check_constraints(instructions[i]);
    if (violation) return {i, violation};
  }
  const Instruction nop = make_instruction(Opcode::nop);
  const size_t base = words.size();
  const uint32_t count = static_cast<uint32_t>(instructions.size() + 2) / 3 * 3;
  words.resize(base + count / 3 * 4, 0);
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = i < instructions.size() ? instructions[i] : nop;
    words[base + instruction_address(i) / 8] = encode_unchecked(instruction);
    uint64_t& control = words[base + i / 3 * 4];
    control = with_control_slot(control, i % 3, encode_control(instruction.control));
  }
  return {};
}

bool decode_program(std::span<const uint64_t> words, std::pmr::vector<Instruction>& instructions) {
  for (uint32_t i = 0; i < words.size() / 4 * 3; ++i) {
    Instruction instruction;
    if (!decode(words[instruction_address(i) / 8], instruction)) return false;
    instruction.control = decode_control(control_slot(words[i / 3 * 4], i % 3));
    instructions.push_back(instruction);
  }
  return words.size() % 4 == 0;
}

}  // namespace texlate::maxwell
