// The only table of the instruction set, in the order of the files under table/.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "backend/maxwell/isa/form.h"

namespace texlate::maxwell {

std::span<const Form> forms();
inline const Form& form(FormId id) {
  static const Form* const first = forms().data();
  return first[id];
}
inline const Form& form(const Instruction& instruction) {
  return form(instruction.form);
}

/// The properties of a form that passes read for every instruction, in a few bytes: the form itself is large.
struct FormFacts {
  Opcode opcode = Opcode::nop;
  LatencyClass latency_class = LatencyClass::none;
  Latency times{};
  uint8_t operand_count = 0;
  // A bit for each operand.
  uint8_t destinations = 0;  // it is written
  uint8_t predicates = 0;    // it is a predicate
  uint8_t scalars = 0;       // it covers one register, if any
  uint8_t pair_seconds = 0;
  uint8_t same_as_rd = 0;
  bool may_read_carry = false;  // with some modifier or operand
  uint64_t carry_out = 0;       // bits of the word, any of which lets it write the condition code
};
/// One for each form.
std::span<const FormFacts> form_facts();
inline const FormFacts& facts(FormId id) {
  static const FormFacts* const first = form_facts().data();
  return first[id];
}
inline const FormFacts& facts(const Instruction& instruction) {
  return facts(instruction.form);
}
inline Opcode opcode(const Instruction& instruction) {
  return facts(instruction).opcode;
}
inline LatencyClass latency_class(const Instruction& instruction) {
  return facts(instruction).latency_class;
}
inline const Latency& latency(const Instruction& instruction) {
  return facts(instruction).times;
}

/// The form of an opcode with the given B operand; kNoForm if there is none. Variants are counted in the
/// table's order.
FormId find_form(Opcode opcode, Shape shape = Shape::reg, uint8_t variant = 0);
/// All variants of that form.
std::span<const FormId> find_variants(Opcode opcode, Shape shape);

/// An instruction of that form with every operand and modifier at its neutral value: RZ, PT, 0.
Instruction make_instruction(Opcode opcode, Shape shape = Shape::reg, uint8_t variant = 0);
/// The same for a known form.
const Instruction& make_instruction(FormId id);

/// The index of each modifier in Instruction::modifiers, -1 if the form has none of that kind.
using ModifierIndex = std::array<int8_t, static_cast<size_t>(Modifier::count_)>;
std::span<const ModifierIndex> modifier_indices();

/// The index of a modifier in Instruction::modifiers, -1 if the form has none of that kind.
inline int modifier_index(FormId id, Modifier modifier) {
  static const ModifierIndex* const first = modifier_indices().data();
  return first[id][static_cast<size_t>(modifier)];
}

/// The value of a modifier, 0 if the form lacks it.
inline uint8_t get_modifier(const Instruction& instruction, Modifier modifier) {
  const int index = modifier_index(instruction.form, modifier);
  return index < 0 ? 0 : instruction.modifiers[static_cast<size_t>(index)];
}
/// Sets a modifier. Returns false if the form lacks it.
inline bool set_modifier(Instruction& instruction, Modifier modifier, uint8_t value) {
  const int index = modifier_index(instruction.form, modifier);
  if (index < 0) return false;
  instruction.modifiers[static_cast<size_t>(index)] = value;
  return true;
}

/// For example set(instruction, Modifier::lod, LodMode::ll).
template <typename Enum>
bool set(Instruction& instruction, Modifier modifier, Enum value) {
  return set_modifier(instruction, modifier, static_cast<uint8_t>(value));
}

}  // namespace texlate::maxwell
