// The only table of the instruction set, in the order of the files under table/.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <span>

#include "backend/maxwell/isa/form.h"

namespace texlate::maxwell {

/// An instruction, decoded or not (code.h).
template <typename Any>
concept HasForm = requires(const Any& code) {
  { code.form } -> std::convertible_to<FormId>;
};

/// The properties of a form that passes read for every instruction, in a few bytes: the form itself is large.
struct alignas(64) FormFacts {
  Opcode opcode = Opcode::nop;
  LatencyClass latency_class = LatencyClass::none;
  Latency times{};
  uint8_t operand_count = 0;
  bool is_guarded = false;  // has a guard predicate
  // A bit for each operand.
  uint8_t sources = 0;          // it is read
  uint8_t destinations = 0;     // it is written
  uint8_t places = 0;           // it is registers or predicates
  uint8_t predicates = 0;       // it is a predicate
  uint8_t predicate_words = 0;  // it is all predicates: PR
  uint8_t scalars = 0;          // it covers one register, if any
  uint8_t pair_seconds = 0;
  uint8_t same_as_rd = 0;
  bool may_read_carry = false;  // with some modifier other than .X, or some operand
  bool has_target = false;      // of a branch, or of what pushes an entry of the stack
  uint64_t carry_in = 0;        // the bit of the word for .X, which lets it read the condition code
  uint64_t carry_out = 0;       // bits of the word, any of which lets it write the condition code
  // Where the word has the number of each operand's register or predicate, of same_as_rd Rd's; a bit for each
  // whose field holds 7 - p.
  std::array<uint8_t, kMaxOperands> register_at{};
  uint8_t inverted = 0;
  // The places that are one register each, by role; whether the others are one predicate each, there is a
  // guard, and carry_in and carry_out say all about the condition code.
  uint8_t source_registers = 0, destination_registers = 0;
  bool has_plain_places = false;
  // Where the word has the register that is read through each of the three ports and may be kept there.
  static constexpr uint8_t kNoPort = 0xff;
  std::array<uint8_t, 3> port_at{kNoPort, kNoPort, kNoPort};
};

/// The index of each modifier in Instruction::modifiers, -1 if the form has none of that kind.
using ModifierIndex = std::array<int8_t, static_cast<size_t>(Modifier::count_)>;

/// Tables with a row for each form. They are built when a form is first looked for, by opcode or by word.
/// What has the number of a form reads them without asking, which passes do several times for each
/// instruction.
struct Tables {
  const Form* forms = nullptr;
  const FormFacts* facts = nullptr;
  const struct CompiledForm* compiled = nullptr;
  const ModifierIndex* modifier_index = nullptr;
  // Variants of an opcode and a shape, n = 4 * opcode + shape: variants[first_variant[n]] ..
  // variants[first_variant[n + 1] - 1].
  const FormId* variants = nullptr;
  const uint16_t* first_variant = nullptr;
};
inline constinit Tables tables;
inline constinit std::atomic<bool> are_tables_built = false;

std::span<const Form> forms();
inline const Form& form(FormId id) {
  return tables.forms[id];
}
const Form& form(const HasForm auto& code) {
  return form(code.form);
}
inline const FormFacts& facts(FormId id) {
  return tables.facts[id];
}
const FormFacts& facts(const HasForm auto& code) {
  return facts(code.form);
}
Opcode opcode(const HasForm auto& code) {
  return facts(code).opcode;
}
LatencyClass latency_class(const HasForm auto& code) {
  return facts(code).latency_class;
}
const Latency& latency(const HasForm auto& code) {
  return facts(code).times;
}

/// All forms of the opcode, by shape and variant.
inline std::span<const FormId> find_forms(Opcode opcode, unsigned first_shape = 0, unsigned shapes = 4) {
  if (!are_tables_built.load(std::memory_order_acquire)) [[unlikely]]
    forms();
  const uint16_t* const first = tables.first_variant + 4 * static_cast<size_t>(opcode) + first_shape;
  return {tables.variants + first[0], static_cast<size_t>(first[shapes] - first[0])};
}
/// The form of an opcode with the given B operand; kNoForm if there is none. Variants are counted in the
/// table's order.
inline FormId find_form(Opcode opcode, Shape shape = Shape::reg, uint8_t variant = 0) {
  const std::span<const FormId> found = find_forms(opcode, static_cast<unsigned>(shape), 1);
  return variant < found.size() ? found[variant] : kNoForm;
}

/// An instruction of that form with every operand and modifier at its neutral value: RZ, PT, 0.
Instruction make_instruction(Opcode opcode, Shape shape = Shape::reg, uint8_t variant = 0);

/// The index of a modifier in Instruction::modifiers, -1 if the form has none of that kind.
inline int modifier_index(FormId id, Modifier modifier) {
  return tables.modifier_index[id][static_cast<size_t>(modifier)];
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
