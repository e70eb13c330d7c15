// The one table of the instruction set, in the order of the files under table/.
#pragma once

#include <cstdint>
#include <span>

#include "backend/maxwell/isa/form.h"

namespace texlate::maxwell {

std::span<const Form> forms();
const Form& form(FormId id);
inline const Form& form(const Instruction& instruction) {
  return form(instruction.form);
}
inline Opcode opcode(const Instruction& instruction) {
  return form(instruction.form).opcode;
}
Latency latency(const Instruction& instruction);

/// The form of an opcode with the given B operand; kNoForm when there is none. Variants are counted in the
/// table's order.
FormId find_form(Opcode opcode, Shape shape = Shape::reg, uint8_t variant = 0);

/// An instruction of that form with every operand and modifier at its neutral value: RZ, PT, 0.
Instruction make_instruction(Opcode opcode, Shape shape = Shape::reg, uint8_t variant = 0);

/// The index of a modifier in Instruction::modifiers, -1 when the form has none of that kind.
int modifier_index(FormId id, Modifier modifier);

/// The value of a modifier, 0 where the form does not have it.
uint8_t get_modifier(const Instruction& instruction, Modifier modifier);
/// Sets a modifier; false when the form does not have it.
bool set_modifier(Instruction& instruction, Modifier modifier, uint8_t value);

/// set(instruction, Modifier::lod, LodMode::ll)
template <typename Enum>
bool set(Instruction& instruction, Modifier modifier, Enum value) {
  return set_modifier(instruction, modifier, static_cast<uint8_t>(value));
}

}  // namespace texlate::maxwell
