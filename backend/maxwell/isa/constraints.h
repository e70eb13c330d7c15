// What the machine requires of an encodable instruction: alignment and length of register vectors, and which
// operands must or must not be RZ (docs/reference/maxwell.md 2.5). A code generator uses register_count() for
// allocation.
#pragma once

#include <cstdint>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell {

/// How many consecutive registers operand `index` covers: 0 if it is not a register or carries nothing;
/// otherwise 1..4 (8 for none). For an address operand: the registers of its base.
unsigned register_count(const Instruction& instruction, unsigned index);

/// The first register of a vector of `count` must be a multiple of this: 1 -> 1, 2 -> 2, 3 and 4 -> 4.
constexpr unsigned vector_alignment(unsigned count) {
  return count <= 1 ? 1 : count == 2 ? 2 : 4;
}

/// The highest register that an instruction names, plus one.
uint32_t registers_of(const Instruction& instruction);

/// The first constraint that is broken.
Violation check_constraints(const Instruction& instruction);

/// What a target before sm_53 lacks: half precision, and .F16 results of TEXS, TLDS and TLD4S, which ptxas
/// refuses for sm_50 and sm_52 (docs/maxwell-isa.md).
Violation check_target(const Instruction& instruction, uint32_t sm);

}  // namespace texlate::maxwell
