// Makes the word of an instruction whose form is known, operand by operand.
#pragma once

#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell {

/// Adds a modifier to the bits that a form's neutral word is joined with. Returns false if the form cannot
/// hold the value: it lacks the modifier and the value is no default, or its field is too narrow.
inline bool add_modifier(FormId id, Modifier modifier, uint8_t value, uint64_t& word) {
  const int index = modifier_index(id, modifier);
  if (index < 0) return value == 0 && modifier_info(modifier).suffixes[0].size == 0;
  const ModifierField& field = form(id).modifiers[static_cast<size_t>(index)];
  word |= uint64_t{value} << field.at;
  if (field.high == 0) return value >> field.width == 0;
  const unsigned top = value >> field.width;
  word ^= uint64_t{top} << (field.at + field.width) ^ uint64_t { top } << field.high;
  return top <= 1;
}

/// What is given must fit its field.
class WordWriter {
 public:
  /// With every operand and modifier at its neutral value.
  explicit WordWriter(FormId id) : known_(maxwell::facts(id)), form_(form(id)), compiled_(compiled_form(id)) {
    code_.form = id;
    code_.word = compiled_.neutral;
  }
  const Code& code() const { return code_; }
  const Slot& slot(unsigned operand) const { return form_.operands[operand]; }
  const FormFacts& facts() const { return known_; }

  void set_modifiers(uint64_t word) { code_.word |= word; }
  void set_register(unsigned operand, uint8_t number) { put_number(operand, 0xff, number); }
  void set_predicate(unsigned operand, uint8_t number, bool is_inverted) {
    put_number(operand, 7, (known_.inverted >> operand & 1) != 0 ? 7 - number : number);
    if (is_inverted) code_.word |= uint64_t{1} << slot(operand).invert;
  }
  void set_flags(unsigned operand, uint8_t flags) {
    if (flags == 0) return;
    const Slot& at = slot(operand);
    if ((flags & kNegate) != 0) code_.word |= uint64_t{1} << at.negate;
    if ((flags & kAbsolute) != 0) code_.word |= uint64_t{1} << at.absolute;
    if ((flags & kInvert) != 0) code_.word |= uint64_t{1} << at.invert;
    if ((flags & kWriteCC) != 0) code_.word |= uint64_t{1} << at.cc;
  }
  void set_part(unsigned operand, uint8_t part) { code_.word |= uint64_t{part} << slot(operand).part_at; }
  void set_value(unsigned operand, int32_t value) {
    const ValueMove& move = compiled_.values[operand];
    put(move.field(), move.write(value));
  }
  void set_bank(unsigned operand, uint8_t bank) {
    code_.word |= uint64_t{bank} << (slot(operand).at + slot(operand).width);
  }

 private:
  void put(uint64_t field, uint64_t bits) { code_.word = (code_.word & ~field) | bits; }
  void put_number(unsigned operand, uint64_t mask, uint64_t number) {
    put(mask << known_.register_at[operand], number << known_.register_at[operand]);
  }

  const FormFacts& known_;
  const Form& form_;
  const CompiledForm& compiled_;
  Code code_;
};

}  // namespace texlate::maxwell
