// Opaque variables: .texref, .samplerref, .surfref (PTX ISA 5.3).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/ptx/texture_object.h"

namespace texlate::sim::ptx {

enum class OpaqueKind : uint8_t { texture, sampler, surface };

/// ".texref", ".samplerref", ".surfref"
std::string_view opaque_name(OpaqueKind kind);

/// A variable of the module, or a parameter of an entry. Its register holds the handle of the bound
/// object.
struct OpaqueVariable {
  OpaqueKind kind = OpaqueKind::texture;
  std::string name;
  std::string entry;  // the entry whose parameter it is; empty: a variable of the module
  uint32_t reg = 0;
  uint32_t line = 0, column = 0;
  // From the initializer. Sizes and channels in it have no effect, because the bound view has its own.
  bool initialized = false;
  std::optional<Filter> filter;
  std::array<std::optional<AddressMode>, 3> address;
  std::optional<bool> normalized, force_unnormalized;

  /// Overrides `state` with the initializer.
  void apply(SamplerObject& state) const {
    if (filter) state.filter = *filter;
    for (size_t axis = 0; axis < address.size(); ++axis) {
      if (address[axis]) state.address[axis] = *address[axis];
    }
    if (force_unnormalized) state.force_unnormalized = *force_unnormalized;
  }
};

}  // namespace texlate::sim::ptx
