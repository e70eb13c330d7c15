// What known state cannot be, whoever says it: a structure of the C interface or a file of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/resource.h"
#include "texlate/texlate.h"

namespace texlate::library {

struct WholeLimits {
  uint32_t least, most;
};
inline constexpr WholeLimits kKnownTexels{1, 16384};  // of an axis: D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION
inline constexpr WholeLimits kKnownElements{0, INT32_MAX};  // of buffers: elements, structures or bytes
inline constexpr WholeLimits kKnownSlices{1, 2048};         // D3D11_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION
inline constexpr WholeLimits kKnownMips{1, 15};             // D3D11_REQ_MIP_LEVELS
inline constexpr WholeLimits kKnownSamples{1, 32};          // D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT

/// What is wrong, beginning with the member; nothing: it is possible. `dimension`: that of a declaration of
/// these registers, if the shader has one. Properties that views of the dimension lack may be 1,
/// and the slices of a cube 6.
std::optional<std::string> fault_of(const texlate_known_resource& known,
                                    std::optional<ir::Dimension> dimension);
std::optional<std::string> fault_of(const texlate_static_sampler& state);

}  // namespace texlate::library
