// Programs as instruction arrays: what a code generator hands over, with each instruction's control slot in
// place.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell {

struct ProgramViolation {
  uint32_t index = 0;  // of the instruction
  Violation violation;
};

/// Appends groups of a control word and three instructions, the last group filled with NOPs. Branch offsets
/// are already in the instructions (instruction_address() gives the address of each). The first instruction
/// that cannot be encoded or breaks a constraint is reported, and nothing is appended then.
ProgramViolation encode_program(std::span<const Instruction> instructions, std::pmr::vector<uint64_t>& words);

/// The reverse: whole groups to instructions with their control slots. False at the first word that does not
/// decode.
bool decode_program(std::span<const uint64_t> words, std::pmr::vector<Instruction>& instructions);

}  // namespace texlate::maxwell
