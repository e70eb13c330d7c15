#include "backend/maxwell/isa/program.h"

#include <algorithm>
#include <array>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"

namespace texlate::maxwell {

namespace {

constexpr size_t kGroupWords = 4, kUnitWords = 8;

/// Do the words end with a branch to itself, after which are only NOPs?
bool has_end(std::span<const uint64_t> words) {
  if (words.size() % kUnitWords != 0) return false;
  for (size_t i = words.size(); i-- != 0;) {
    const uint32_t address = static_cast<uint32_t>(8 * i);
    if (is_control_address(address)) continue;
    Instruction instruction;
    if (!decode(words[i], instruction)) return false;
    if (opcode(instruction) == Opcode::nop) continue;
    return opcode(instruction) == Opcode::bra && branch_target(instruction, address) == address;
  }
  return false;
}

std::array<uint64_t, kUnitWords> make_end() {
  Instruction branch = make_instruction(Opcode::bra);
  for (Operand& operand : branch.operands) {
    if (operand.kind == OperandKind::target) operand.value = -8;
  }
  branch.control.stall = 15;
  std::pmr::vector<uint64_t> words;
  const Code nop = make_instruction(Opcode::nop);
  encode_unchecked(std::array<Code, 4>{branch, nop, nop, nop}, words);
  std::array<uint64_t, kUnitWords> end{};
  std::copy(words.begin(), words.end(), end.begin());
  return end;
}

}  // namespace

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

std::span<const uint64_t> end_of_program(std::span<const uint64_t> words) {
  static const std::array<uint64_t, kUnitWords> kEnd = make_end();
  if (has_end(words)) return {};
  return std::span(kEnd).first(words.size() % kUnitWords == 0 ? kUnitWords : kGroupWords);
}

}  // namespace texlate::maxwell
