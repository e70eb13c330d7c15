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
  const size_t groups = (instructions.size() + kGroupInstructions - 1) / kGroupInstructions;
  words.reserve(words.size() + kGroupWords * groups);
  std::array<Code, kGroupInstructions> last;
  last.fill(make_instruction(Opcode::nop));
  for (; !instructions.empty();
       instructions = instructions.subspan(std::min(instructions.size(), last.size()))) {
    const Code* group = instructions.data();
    if (instructions.size() < last.size()) {
      std::ranges::copy(instructions, last.begin());
      group = last.data();
    }
    uint64_t control = 0;
    for (unsigned i = 0; i < kGroupInstructions; ++i)
      control |= uint64_t{encode_control(group[i].control)} << 21 * i;
    words.insert(words.end(), {control, group[0].word, group[1].word, group[2].word});
  }
}

std::span<const uint64_t> end_of_program(std::span<const uint64_t> words) {
  static const std::array<uint64_t, kUnitWords> kEnd = make_end();
  if (has_end(words)) return {};
  return std::span(kEnd).first(words.size() % kUnitWords == 0 ? kUnitWords : kGroupWords);
}

}  // namespace texlate::maxwell
