#include "backend/maxwell/isa/modifiers.h"

#include <array>
#include <span>

namespace texlate::maxwell {
namespace {

#define VALUE(name, value, text) {value, text},
#define MODIFIER(name, Type, values) constexpr ModifierValue k_##name[] = {values};
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER
#undef VALUE

/// Suffixes by value; values are in ascending order, and the last one is `last`.
template <uint8_t last>
constexpr auto suffixes(std::span<const ModifierValue> values) {
  std::array<ShortText, last + 1> texts;
  for (const ModifierValue& value : values) {
    ShortText& text = texts[value.value];
    if (value.text.empty()) continue;
    text.append(".");
    text.append(value.text);
  }
  return texts;
}

#define MODIFIER(name, Type, values) \
  constexpr auto k_suffixes_##name = suffixes<std::end(k_##name)[-1].value>(k_##name);
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER

constexpr ModifierInfo info(std::span<const ModifierValue> values, const ShortText* suffixes) {
  uint32_t valid = 0;
  for (const ModifierValue& value : values) valid |= 1u << value.value;
  return {values.data(), static_cast<uint8_t>(values.size()), valid, suffixes};
}

}  // namespace

constexpr std::array<ModifierInfo, static_cast<size_t>(Modifier::count_)> kModifiers{{
    {nullptr, 0, 1, nullptr},
#define MODIFIER(name, Type, values) info(k_##name, k_suffixes_##name.data()),
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER
}};

std::string_view modifier_text(Modifier modifier, uint8_t value) {
  const ModifierInfo& info = modifier_info(modifier);
  if ((info.valid >> (value & 31) & 1) == 0 || value >= 32) return {};
  const ShortText& suffix = info.suffixes[value];
  return std::string_view(suffix.text.data(), suffix.size).substr(suffix.size == 0 ? 0 : 1);
}

}  // namespace texlate::maxwell
