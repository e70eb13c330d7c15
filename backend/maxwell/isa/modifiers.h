// The modifiers of the instruction set as types, and their spellings (both from modifiers.inc).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "backend/maxwell/isa/short_text.h"

namespace texlate::maxwell {

// One enum per modifier: enum class Rounding : uint8_t { rn = 0, rm = 1, ... }.
#define VALUE(name, value, text) name = value,
#define MODIFIER(name, Type, values) enum class Type : uint8_t { values };
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER
#undef VALUE

/// The kinds of modifier; `literal` is a fixed word in the middle of a mnemonic (the .B of TLD4.R.B).
enum class Modifier : uint8_t {
  literal,
#define MODIFIER(name, Type, values) name,
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER
  count_
};

struct ModifierValue {
  uint8_t value;
  std::string_view text;  // in assembly text: "" if omitted
};

struct ModifierInfo {
  const ModifierValue* values;
  uint8_t value_count;
  uint32_t valid;             // bit v: value v exists
  const ShortText* suffixes;  // by value: what the mnemonic gets, ".RN"; "" if omitted
};

extern const std::array<ModifierInfo, static_cast<size_t>(Modifier::count_)> kModifiers;
inline const ModifierInfo& modifier_info(Modifier modifier) {
  return kModifiers[static_cast<size_t>(modifier)];
}

/// The spelling of a value; empty when it is the default, data() == nullptr when the value does not exist.
std::string_view modifier_text(Modifier modifier, uint8_t value);

}  // namespace texlate::maxwell
