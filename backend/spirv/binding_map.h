// Where Direct3D's registers are in Vulkan's descriptor sets, and in what form they are passed.
//
// The default: set = register space; binding = a number by class and register, different for all
// registers:
//   cb0..cb15   0..15
//   s0..s15     16..31
//   t0..t127    32..159
//   u0..u63     160..223
//   counters of u0..u63   224..287
//   registers beyond these (shader model 5.1)   288 + 5 * (register - number of places of the class) + class
// A range of registers (5.1) is one array binding, at the place of its first register.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace texlate::spirv {

enum class RegisterClass : uint8_t { constant_buffer, sampler, resource, view, counter };

/// How the host passes the resource of a register.
enum class Passing : uint8_t {
  descriptor,      // a uniform buffer, sampler, image, or a storage buffer for raw and structured buffers
  texel_buffer,    // raw and structured resources and views, counters: a texel buffer of R32_UINT
  push_constants,  // constant buffers: bytes of the push-constant block, from `binding` on
  specialization,  // constant buffers: word i is the specialization constant with id `binding` + i
};

inline constexpr uint32_t kUnsizedArray = 0xffffffffu;
inline constexpr uint32_t kNoOffset = 0xffffffffu;

struct Place {
  uint32_t set = 0;
  uint32_t binding = 0;  // push constants: offset in bytes, a multiple of 4
  Passing passing = Passing::descriptor;
  uint32_t size = 0;        // push constants: bytes, a multiple of 4; 0: as many as the shader declares
  uint32_t array_size = 0;  // descriptors in the binding's array; kUnsizedArray: a run-time array; 0: none
  uint32_t element = 0;     // index in that array
  /// Byte offset of a uint in the push constants that is added to `element`: for hosts with one heap of
  /// descriptors. kNoOffset: nothing is added.
  uint32_t offset_at = kNoOffset;
  bool operator==(const Place&) const = default;
};

/// Registers [reg, reg + count) of a class and space: the first is at `place`, each further one is one
/// binding or, in an array, one element further (push constants: count is 1).
struct BindingEntry {
  RegisterClass register_class = RegisterClass::resource;
  uint32_t space = 0;
  uint32_t reg = 0;
  Place place;
  uint32_t count = 1;
};

/// A texture and a sampler that are sampled together and share one descriptor
/// (VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER).
struct CombinedEntry {
  static constexpr uint32_t kNoSampler = UINT32_MAX;  // the pair is only for `ld` and queries

  uint32_t texture_space = 0, texture = 0;
  uint32_t sampler_space = 0, sampler = 0;
  Place place;
};

/// The caller's map: registers without an entry are at their default binding.
struct BindingMap {
  std::span<const BindingEntry> entries = {};
  /// A texture that is listed here and has no entry of its own is only bound in its pairs: `ld` and queries
  /// read the first pair.
  std::span<const CombinedEntry> combined = {};
  bool strict = false;  // no register has a default binding: one without an entry is an error

  constexpr const BindingEntry* find_entry(RegisterClass register_class, uint32_t space, uint32_t reg) const {
    for (const BindingEntry& entry : entries) {
      if (entry.register_class == register_class && entry.space == space && reg - entry.reg < entry.count)
        return &entry;
    }
    return nullptr;
  }

  constexpr Place find(RegisterClass register_class, uint32_t space, uint32_t reg) const {
    const BindingEntry* entry = find_entry(register_class, space, reg);
    if (entry == nullptr) return default_place(register_class, space, reg);
    Place place = entry->place;
    (place.array_size != 0 ? place.element : place.binding) += reg - entry->reg;
    return place;
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
