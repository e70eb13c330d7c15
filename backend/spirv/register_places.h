// The bindings of the module's registers, according to the caller's binding map.
#pragma once

#include <memory_resource>
#include <span>

#include "backend/spirv/binding_map.h"
#include "ir/module.h"

namespace texlate::spirv {

struct RegisterPlaces {
  std::span<Place> constant_buffers, samplers, resources;  // by index in the module
  std::span<Place> counters;                               // by resource
};

RegisterPlaces find_places(const ir::Module& module, const BindingMap& map,
                           std::pmr::monotonic_buffer_resource& arena);

/// Is the register, or range of registers, an array of descriptors?
template <typename Declared>
bool is_array(const Place& place, const Declared& declared) {
  return declared.is_range() || place.array_size != 0;
}

}  // namespace texlate::spirv
