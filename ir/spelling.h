// Spellings, in the text form and in messages, of everything that is not an operation: dimensions, level
// rules, system values and others.
//
// Every table is a switch without default, so that a new enumerator without a spelling does not compile.
// Numbers that are not enumerators have an empty spelling. `parse_spelling` is the inverse.
#pragma once

#include <optional>
#include <string_view>

#include "ir/module.h"

namespace texlate::ir {

std::string_view spelling(Dimension dimension);  // as the shader assembly spells it
std::string_view spelling(ComponentType type);
std::string_view spelling(AtomicOp op);
std::string_view spelling(CounterOp op);
std::string_view spelling(BindingFact fact);
/// "t", "u", "s", "cb"
std::string_view letter_of(RegisterFile file);
std::string_view spelling(Stage stage);
std::string_view spelling(SystemValue value);
std::string_view spelling(Interpolation interpolation);
std::string_view spelling(HullPhase phase);
std::string_view spelling(Type type);

/// The enumerator of a spelling.
template <typename Enum>
std::optional<Enum> parse_spelling(std::string_view text) {
  if (text.empty()) return std::nullopt;
  for (uint32_t i = 0; i < 256; ++i) {
    if (spelling(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// The operation of a spelling (OpInfo::text).
std::optional<Op> parse_op(std::string_view text);

}  // namespace texlate::ir
