// The bindings of the module's registers, according to the caller's binding map.
#pragma once

#include <memory_resource>
#include <span>

#include "backend/spirv/descriptors.h"

namespace texlate::spirv {

struct RegisterPlaces {
  std::span<Place> constant_buffers, samplers, resources;  // by index in the module
  std::span<Place> counters;                               // by resource

  const Place& of(RegisterClass register_class, uint32_t index) const;
};

RegisterPlaces find_places(const ir::Module& module, const BindingMap& map,
                           std::pmr::monotonic_buffer_resource& arena);

/// Registers as the module declares them.
struct Registers {
  std::string_view letters;  // of their names
  uint32_t id, lower_bound, upper_bound, space;
};
Registers registers_of(const ir::Module& module, RegisterClass register_class, uint32_t index);

/// What the descriptor of a resource or view is.
DescriptorKind kind_of(const ir::Resource& resource, const Place& place);

/// Is the register, or range of registers, an array of descriptors?
template <typename Declared>
bool is_array(const Place& place, const Declared& declared) {
  return declared.is_range() || place.array_size != 0;
}

}  // namespace texlate::spirv
