// How reflections name a Direct3D register, whatever the interface.
#pragma once

#include <array>

#include "ir/base/json_writer.h"

namespace texlate::launch {

/// Shader model 5.1 numbers declarations: T0 may be register 5 of space 2, or a range. Writes the first and
/// the last register, and the space, unless the number of the declaration is its register.
template <typename Binding>
void write_numbers(JsonWriter& json, std::string_view registers, std::string_view space,
                   const Binding& binding) {
  if (!binding.is_range() && binding.lower_bound == binding.id && binding.space == 0) return;
  json.array(registers, std::array{binding.lower_bound, binding.upper_bound});
  json.field(space, binding.space);
}

/// Writes members into the open object: "name" ("t3"), "registers" and "space".
template <typename Binding>
void write_register(JsonWriter& json, std::string_view file, const Binding& binding) {
  json.register_field("name", file, binding.id);
  write_numbers(json, "registers", "space", binding);
}

}  // namespace texlate::launch
