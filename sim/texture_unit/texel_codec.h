// Converts one texel between memory and four 32-bit components (docs/reference/direct3d.md 3.2 and 3.3).
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/texture_unit/format.h"

namespace texlate::sim {

/// Reads the texel at `memory` (format_info(format).bytes long, any alignment). float32 bits are copied,
/// including denormals and NaN payloads; sRGB becomes linear; missing components get their defaults.
Word4 decode_texel(const FormatInfo& info, const std::byte* memory);

/// Writes the components that the format has, converted by the rules for render targets and typed stores:
/// UNORM and SNORM clamp and round half away from zero, floats round toward zero, integers clamp.
void encode_texel(const FormatInfo& info, const Word4& value, std::byte* memory);

/// sRGB <-> linear for one 8-bit component; exact at both ends.
float srgb_to_linear(uint32_t value);
uint32_t linear_to_srgb(float value);

/// Clamps `value` to [0,1] (UNORM) or [-1,1] (SNORM), with NaN as 0, and rounds it to what the component can
/// hold. Other kinds are returned unchanged. Sample comparison quantises its reference this way
/// (docs/reference/direct3d.md 1.4 `sample_c`).
float quantise_like(const ComponentLayout& component, float value);

}  // namespace texlate::sim
