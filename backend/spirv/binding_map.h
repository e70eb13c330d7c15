// Where Direct3D's registers live in Vulkan's descriptor sets.
//
// The default: set = register space; binding = a place by class and register number, disjoint for all registers:
//   cb0..cb15   0..15
//   s0..s15     16..31
//   t0..t127    32..159
//   u0..u63     160..223
//   counters of u0..u63   224..287
//   registers beyond these (shader model 5.1)   288 + 5 * (register - number of places of the class) + class
// A range of registers (5.1) is one array binding at the place of its first register.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace texlate::spirv {

enum class RegisterClass : uint8_t { constant_buffer, sampler, resource, view, counter };

struct Place {
  uint32_t set = 0;
  uint32_t binding = 0;
  bool operator==(const Place&) const = default;
};

struct BindingEntry {
  RegisterClass register_class = RegisterClass::resource;
  uint32_t space = 0;
  uint32_t reg = 0;
  Place place;
};

/// The caller's map: registers that have no entry live at their default place.
struct BindingMap {
  std::span<const BindingEntry> entries = {};

  constexpr Place find(RegisterClass register_class, uint32_t space, uint32_t reg) const {
    for (const BindingEntry& entry : entries) {
      if (entry.register_class == register_class && entry.space == space && entry.reg == reg) return entry.place;
    }
    return default_place(register_class, space, reg);
  }

  static constexpr Place default_place(RegisterClass register_class, uint32_t space, uint32_t reg) {
    constexpr std::array<uint32_t, 6> kFirst = {0, 16, 32, 160, 224, 288};
    const uint32_t index = static_cast<uint32_t>(register_class);
    const uint32_t places = kFirst[index + 1] - kFirst[index];
    if (reg < places) return {space, kFirst[index] + reg};
    return {space, kFirst[5] + 5 * (reg - places) + index};
  }
};

}  // namespace texlate::spirv
