// The enumerated words that may be operands: dimensions, queries, special registers, masks,
// swizzles.
#pragma once

#include <cstdint>
#include <string_view>

namespace texlate::maxwell {

/// Values of texture_dim: bit 0 = array. Source: docs/reference/maxwell.md 3.
enum class TextureDim : uint8_t { _1d, array_1d, _2d, array_2d, _3d, array_3d, cube, array_cube };
std::string_view texture_dim_text(uint32_t value);

/// TXQ queries; empty for values without a name.
enum class TextureQuery : uint8_t {
  dimension = 1,
  texture_type = 2,
  sampler_pos = 5,
  filter = 16,
  lod = 18,
  wrap = 20,
  border_color = 22,
};
std::string_view texture_query_text(uint32_t value);

/// "SR_TID.X"; empty if the register has only a number ("SR12").
std::string_view special_register_text(uint32_t value);

/// Mask code of the scalar forms, by whether Rd1 is RZ; empty for codes that do not exist.
std::string_view scalar_mask_text(uint32_t value, bool two_registers);

/// The RGBA bits of a scalar mask code, 0 for codes that do not exist; and the reverse, 8 if no code has
/// these bits.
uint8_t scalar_mask_bits(uint32_t value, bool two_registers);
uint8_t scalar_mask_code(uint8_t bits);

}  // namespace texlate::maxwell
