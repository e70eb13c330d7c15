#include "backend/maxwell/isa/modifiers.h"

#include <array>

namespace texlate::maxwell {
namespace {

#define VALUE(name, value, text) {#name, value, text},
#define MODIFIER(name, Type, values) constexpr ModifierValue k_##name[] = {values};
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER
#undef VALUE

template <size_t count>
constexpr ModifierInfo info(std::string_view name, const ModifierValue (&values)[count]) {
  uint32_t valid = 0;
  for (const ModifierValue& value : values) valid |= 1u << value.value;
  return {name, values, count, valid};
}

constexpr ModifierInfo kModifiers[] = {
    {"literal", nullptr, 0, 1},
#define MODIFIER(name, Type, values) info(#name, k_##name),
#include "backend/maxwell/isa/modifiers.inc"
#undef MODIFIER
};

// Spellings by value, so that the printer need not search.
constexpr auto kTexts = [] {
  std::array<std::array<std::string_view, 32>, static_cast<size_t>(Modifier::count_)> texts{};
  for (size_t kind = 0; kind < texts.size(); ++kind) {
    for (uint8_t i = 0; i < kModifiers[kind].value_count; ++i) {
      texts[kind][kModifiers[kind].values[i].value] = kModifiers[kind].values[i].text;
    }
  }
  return texts;
}();

}  // namespace

const ModifierInfo& modifier_info(Modifier modifier) {
  return kModifiers[static_cast<size_t>(modifier)];
}

std::string_view modifier_text(Modifier modifier, uint8_t value) {
  return value < 32 ? kTexts[static_cast<size_t>(modifier)][value] : std::string_view();
}

}  // namespace texlate::maxwell
