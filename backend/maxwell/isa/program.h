// Programs as arrays of instructions, as a code generator produces them: each instruction has its control
// slot.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell {

struct ProgramViolation {
  uint32_t index = 0;  // of the instruction
  Violation violation;
};

/// The first instruction that cannot be encoded or breaks a constraint.
ProgramViolation check_program(std::span<const Code> instructions);

/// Appends groups of a control word and three instructions; the last group is filled with NOPs. Branch
/// offsets are in the instructions already (instruction_address() gives the address of each).
void encode_unchecked(std::span<const Code> instructions, std::pmr::vector<uint64_t>& words);

/// What ends a program in every file that holds code: a branch to itself, because fetching does not stop at
/// EXIT, and NOPs to a whole number of 64 bytes, as NVIDIA's compilers write. Nothing if `words`, which are
/// whole groups, end so.
std::span<const uint64_t> end_of_program(std::span<const uint64_t> words);

}  // namespace texlate::maxwell
