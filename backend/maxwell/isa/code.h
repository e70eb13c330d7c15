// An instruction in 16 bytes: its form, the word of that form, and its control slot. Whoever looks at
// operands decodes it.
#pragma once

#include <cassert>
#include <cstdint>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell {

struct Code {
  uint64_t word = 0;
  FormId form = kNoForm;
  Control control;

  Code() = default;
  /// The operands must fit their fields (check_encodable); the second register of a pair need not be set.
  Code(const Instruction& code) : word(encode_unchecked(code)), form(code.form), control(code.control) {
    assert(holds(code) && "an operand that does not fit its field");
  }
  Instruction decode() const {
    Instruction out;
    maxwell::decode(form, word, out);
    out.control = control;
    return out;
  }
  operator Instruction() const { return decode(); }

  /// As Instruction::guard of the instruction set.
  uint8_t guard() const { return static_cast<uint8_t>(word >> kGuardAt & 15); }
  void set_guard(uint8_t guard) {
    word = (word & ~(uint64_t{15} << kGuardAt)) | static_cast<uint64_t>(guard & 15) << kGuardAt;
  }

 private:
  static constexpr unsigned kGuardAt = 16;
  bool holds(const Instruction& code) const;
};
static_assert(sizeof(Code) == 16);

/// As of a decoded instruction.
inline uint8_t get_modifier(const Code& code, Modifier modifier) {
  const int index = modifier_index(code.form, modifier);
  return index < 0 ? uint8_t{0} : form(code).modifiers[static_cast<size_t>(index)].read(code.word);
}

}  // namespace texlate::maxwell
