// How reflections name a Direct3D register, whatever the interface.
#pragma once

#include "ir/base/json_writer.h"

namespace texlate::launch {

/// Writes members into the open object: "name" ("t3"), and for a range of shader model 5.1 "registers" (its
/// first and last number) and "space".
template <typename Binding>
void write_register(JsonWriter& json, std::string_view file, const Binding& binding) {
  json.register_field("name", file, binding.id);
  if (!binding.is_range()) return;
  json.begin_array("registers");
  json.value(binding.lower_bound);
  json.value(binding.upper_bound);
  json.end_array();
  json.field("space", binding.space);
}

}  // namespace texlate::launch
