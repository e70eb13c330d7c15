// How reflections describe Direct3D's registers, whatever the interface.
#pragma once

#include <array>

#include "backend/launch/launch_abi.h"
#include "ir/module_json.h"
#include "ir/spelling.h"

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

/// Writes members into the open object: "name" ("t3"), "registers" and "space", and the place that the
/// interface calls so.
template <typename Binding>
void write_binding(JsonWriter& json, std::string_view file, const Binding& binding,
                   std::string_view place_name, uint32_t place) {
  json.register_field("name", file, binding.id);
  write_numbers(json, "registers", "space", binding);
  json.field(place_name, place);
  if (is_table(binding)) json.field("table", true);
}

inline void write_constant_buffers(JsonWriter& json, std::string_view title, const ir::Module& module,
                                   std::string_view place_name, std::span<const uint32_t> places) {
  json.begin_array(title);
  for (size_t i = 0; i < module.constant_buffers.size(); ++i) {
    json.begin_object();
    write_binding(json, "cb", module.constant_buffers[i], place_name, places[i]);
    json.field("rows", module.constant_buffers[i].rows);
    json.end_object();
  }
  json.end_array();
}

/// What is to be said of an input or output besides its register and its place.
inline void write_parameter(JsonWriter& json, const ir::Module& module, const ir::Parameter& parameter,
                            bool is_interpolated) {
  json.field("mask", parameter.mask);
  if (parameter.system_value != ir::SystemValue::none)
    json.field("system_value", ir::spelling(parameter.system_value));
  if (is_interpolated) json.field("interpolation", ir::spelling(parameter.interpolation));
  ir::write_semantic(json, module, parameter);
  if (parameter.stream != 0) json.field("stream", parameter.stream);
}

}  // namespace texlate::launch
