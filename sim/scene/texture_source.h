// Where the texels of a texture or buffer come from: generated patterns, PNG pictures, raw files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/texture_unit/texture.h"

namespace texlate::sim {

enum class Pattern : uint8_t {
  checker,      // 8 x 8 squares of two colors, the slice number in blue
  gradient,     // red along x, green along y, blue along depth or slice
  noise,        // every component from a hash of its position
  mip_colored,  // a different color in each mip
};
std::optional<Pattern> find_pattern(std::string_view name);

/// Fills all mips, slices and samples. Integer formats get values of 0 to 255.
void fill_texture(Texture& texture, Pattern pattern, uint32_t seed);
/// One word of a generated buffer: a float in (0, 1] or a small integer.
uint32_t buffer_word(uint64_t index, uint32_t seed, bool integer);

/// Stores a picture as mip 0 of a slice, in all samples, and averages it into the other mips.
bool fill_from_png(Texture& texture, uint32_t slice, const std::string& path, Diagnostics& diagnostics);
/// Texels as stored in memory: slice by slice, mip by mip within a slice, tightly packed.
bool fill_from_raw(std::span<std::byte> memory, const std::string& path, Diagnostics& diagnostics);

}  // namespace texlate::sim
