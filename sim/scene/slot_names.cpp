#include "sim/scene/slot_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace texlate::sim {

namespace {

/// The shader's text has T0[5], CB1[2:2] in shader model 5.1.
std::string upper_case(std::string_view prefix) {
  std::string text(prefix);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<std::string> spellings(const SlotRegister& slot) {
  std::vector<std::string> all{slot.name()};
  const std::string upper = upper_case(slot.prefix);
  all.push_back(fmt::format("{}{}[{}]", upper, slot.id, slot.reg));
  if (slot.is_range) return all;
  all.push_back(fmt::format("{}{}[{}]", slot.prefix, slot.id, slot.reg));
  all.push_back(fmt::format("{}{}", upper, slot.id));
  return all;
}

}  // namespace

std::string SlotRegister::name() const {
  return is_range ? fmt::format("{}{}[{}]", prefix, id, reg) : fmt::format("{}{}", prefix, id);
}

SceneValue SlotNames::find(const SceneValue& section, const SlotRegister& slot) {
  Known& known = sections_[section.path.empty() ? "" : section.path.back()];
  known.slots.push_back(slot);
  SceneValue found = reader_.member(section, slot.name());
  for (const std::string& spelling : spellings(slot)) {
    const SceneValue one = reader_.member(section, spelling);
    if (!one.given()) continue;
    known.keys.insert(spelling);
    if (found.given() && found.json != one.json)
      reader_.fail(one, fmt::format("{} and {} are the same register", found.path.back(), spelling));
    found = one;
  }
  return found;
}

bool SlotNames::check_all_found(const SceneValue& section) {
  if (!section.given()) return true;
  const Known& known = sections_[section.path.back()];
  for (const auto& one : section.json->items()) {
    if (known.keys.contains(one.key())) continue;
    return reader_.fail(reader_.member(section, one.key()),
                        fmt::format("this shader has no {}{}", one.key(), suggestion(one.key(), known)));
  }
  return true;
}

std::string SlotNames::suggestion(const std::string& key, const Known& known) {
  constexpr size_t kMost = 8;
  std::string names;
  for (size_t i = 0; i < known.slots.size(); ++i) {
    const SlotRegister& slot = known.slots[i];
    const std::string in_text = fmt::format("{}{}[{}]", upper_case(slot.prefix), slot.id, slot.reg);
    if (key == fmt::format("{}{}", slot.prefix, slot.reg))
      return fmt::format(": this register is {} here", in_text);
    if (i < kMost) names += (i == 0 ? "" : ", ") + (slot.id == slot.reg ? slot.name() : in_text);
  }
  if (known.slots.size() > kMost) names += " ...";
  return names.empty() ? "" : ": it has " + names;
}

}  // namespace texlate::sim
