// Shared by the tests of the texture unit: small textures whose texels encode their position.
#pragma once

#include <bit>
#include <limits>

#include "ir/base/diagnostics.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

inline uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline float number(uint32_t word) {
  return std::bit_cast<float>(word);
}

inline Texture make_texture(const TextureDesc& desc) {
  Diagnostics diagnostics;
  auto texture = Texture::create(desc, diagnostics);
  if (!texture) std::abort();
  return std::move(*texture);
}

/// A value unique to the texel: an integer for integer formats, otherwise a float.
inline Word4 texel_value(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
                         bool integer) {
  const uint32_t id = 1 + x + 16 * y + 256 * z + 1000 * slice + 20000 * mip + 100 * sample;
  Word4 value{id, id + 1, id + 2, id + 3};
  if (!integer) {
    for (uint32_t& word : value) word = bits(static_cast<float>(word));
  }
  return value;
}

inline void fill(Texture& texture) {
  const TextureDesc& desc = texture.desc();
  const bool integer = format_info(desc.format).is_integer();
  for (uint32_t slice = 0; slice < desc.array_size; ++slice) {
    for (uint32_t mip = 0; mip < desc.mips; ++mip) {
      const Extent size = texture.mip_size(mip);
      for (uint32_t z = 0; z < size.depth; ++z) {
        for (uint32_t y = 0; y < size.height; ++y) {
          for (uint32_t x = 0; x < size.width; ++x) {
            for (uint32_t s = 0; s < desc.samples; ++s) {
              texture.write(mip, slice, x, y, z, texel_value(mip, slice, x, y, z, s, integer), s);
            }
          }
        }
      }
    }
  }
}

}  // namespace texlate::sim
