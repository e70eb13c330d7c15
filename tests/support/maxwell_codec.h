// Instructions and programs of Maxwell to words and back, as only tests need it: checked before, or decoded
// as a whole.
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/program.h"

namespace texlate::maxwell {

struct Encoded {
  uint64_t word = 0;
  Violation violation;
};
/// The word of an instruction, or why there is none.
inline Encoded encode(const Instruction& instruction) {
  const Violation violation = check_encodable(instruction);
  if (violation) return {0, violation};
  return {encode_unchecked(instruction), {}};
}

/// Appends groups of a control word and three instructions. Nothing is appended if an instruction cannot be
/// encoded or breaks a constraint.
inline ProgramViolation encode_program(std::span<const Instruction> instructions,
                                       std::pmr::vector<uint64_t>& words) {
  std::vector<Code> codes;
  for (const Instruction& instruction : instructions) {
    Violation violation = check_encodable(instruction);
    if (!violation) violation = check_constraints(instruction);
    if (violation) return {static_cast<uint32_t>(codes.size()), violation};
    codes.emplace_back(instruction);
  }
  encode_unchecked(codes, words);
  return {};
}

/// Whole groups to instructions with their control slots. Returns false at the first word that does not
/// decode.
inline bool decode_program(std::span<const uint64_t> words, std::pmr::vector<Instruction>& instructions) {
  for (uint32_t i = 0; i < words.size() / 4 * 3; ++i) {
    Instruction instruction;
    if (!decode(words[instruction_address(i) / 8], instruction)) return false;
    instruction.control = decode_control(control_slot(words[i / 3 * 4], i % 3));
    instructions.push_back(instruction);
  }
  return words.size() % 4 == 0;
}

}  // namespace texlate::maxwell
