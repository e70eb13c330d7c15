#include "backend/maxwell/isa/program.h"

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell {

ProgramViolation check_program(std::span<const Code> instructions) {
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    const Instruction& instruction = instructions[i];
    Violation violation = check_encodable(instruction);
    if (!violation) violation = check_constraints(instruction);
    if (violation) return {i, violation};
  }
  return {};
}

void encode_unchecked(std::span<const Code> instructions, std::pmr::vector<uint64_t>& words) {
  const Code nop = make_instruction(Opcode::nop);
  const size_t base = words.size();
  const uint32_t count = static_cast<uint32_t>(instructions.size() + 2) / 3 * 3;
  words.resize(base + count / 3 * 4, 0);
  for (uint32_t i = 0; i < count; ++i) {
    const Code& code = i < instructions.size() ? instructions[i] : nop;
    words[base + instruction_address(i) / 8] = code.word;
    uint64_t& control = words[base + i / 3 * 4];
    control = with_control_slot(control, i % 3, encode_control(code.control));
  }
}

}  // namespace texlate::maxwell
