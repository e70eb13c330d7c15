#include "sim/scene/blocks/block_decode.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace texlate::sim {

namespace {

using Color = std::array<double, 4>;

uint64_t word64(const std::byte* at) {
  uint64_t word;
  std::memcpy(&word, at, 8);
  return word;
}

// Khronos Data Format Specification 1.3, 18.1: two colors of 5, 6, 5 bits and two interpolated ones, or one
// and black. The last is transparent in BC1 if `is_bc1`.
std::array<Color, 4> colors_of(uint64_t block, bool is_bc1) {
  const auto first = static_cast<uint32_t>(block & 0xffff),
             second = static_cast<uint32_t>(block >> 16 & 0xffff);
  const auto unpacked = [](uint32_t c) {
    return Color{(c >> 11) / 31.0, (c >> 5 & 63) / 63.0, (c & 31) / 31.0, 1.0};
  };
  std::array<Color, 4> colors{unpacked(first), unpacked(second)};
  const bool has_four = !is_bc1 || first > second;
  for (size_t c = 0; c < 3; ++c) {
    const double a = colors[0][c], b = colors[1][c];
    colors[2][c] = has_four ? (2 * a + b) / 3 : (a + b) / 2;
    colors[3][c] = has_four ? (a + 2 * b) / 3 : 0;
  }
  colors[2][3] = 1.0;
  colors[3][3] = has_four ? 1.0 : 0.0;
  return colors;
}

// 18.4: two numbers and six interpolated ones, or four and the ends of the range.
std::array<double, 16> channel_of(uint64_t block, bool is_signed) {
  const auto number = [&](uint32_t at) {
    const auto byte = static_cast<uint32_t>(block >> at & 0xff);
    if (!is_signed) return byte / 255.0;
    return std::max(-127, int{static_cast<int8_t>(byte)}) / 127.0;
  };
  const double a = number(0), b = number(8);
  const bool has_eight = is_signed ? static_cast<int8_t>(block) > static_cast<int8_t>(block >> 8)
                                   : (block & 0xff) > (block >> 8 & 0xff);
  std::array<double, 16> texels{};
  for (uint32_t texel = 0; texel < 16; ++texel) {
    const auto index = static_cast<uint32_t>(block >> (16 + 3 * texel) & 7);
    const double steps = has_eight ? 7 : 5;
    double& value = texels[texel];
    if (index < 2) {
      value = index == 0 ? a : b;
    } else if (!has_eight && index >= 6) {
      value = index == 7 ? 1.0 : is_signed ? -1.0 : 0.0;
    } else {
      value = ((steps - (index - 1)) * a + (index - 1) * b) / steps;
    }
  }
  return texels;
}

/// IEC 61966-2-1, as D3D11.3 functional specification 3.2.3.7.
double from_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

uint32_t word_of(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

BlockTexels decode_colors(const std::byte* block, bool is_bc1, bool is_srgb) {
  const uint64_t bits = word64(block);
  const std::array<Color, 4> colors = colors_of(bits, is_bc1);
  BlockTexels texels{};
  for (uint32_t texel = 0; texel < 16; ++texel) {
    const Color& color = colors[bits >> (32 + 2 * texel) & 3];
    for (size_t c = 0; c < 4; ++c)
      texels[texel][c] = word_of(is_srgb && c < 3 ? from_srgb(color[c]) : color[c]);
  }
  return texels;
}

void put_channel(BlockTexels& texels, size_t component, const std::array<double, 16>& channel) {
  for (size_t texel = 0; texel < 16; ++texel) texels[texel][component] = word_of(channel[texel]);
}

}  // namespace

BlockFormat block_format(Format format) {
  switch (format) {
    case Format::bc1_unorm:
    case Format::bc1_unorm_srgb: return {8, Format::r32g32b32a32_float};
    case Format::bc2_unorm:
    case Format::bc2_unorm_srgb:
    case Format::bc3_unorm:
    case Format::bc3_unorm_srgb: return {16, Format::r32g32b32a32_float};
    case Format::bc4_unorm:
    case Format::bc4_snorm: return {8, Format::r32_float};
    case Format::bc5_unorm:
    case Format::bc5_snorm: return {16, Format::r32g32_float};
    case Format::bc6h_uf16:
    case Format::bc6h_sf16: return {16, Format::r16g16b16x16_float};
    case Format::bc7_unorm: return {16, Format::r8g8b8a8_unorm};
    case Format::bc7_unorm_srgb: return {16, Format::r8g8b8a8_unorm_srgb};
    default: return {};
  }
}

BlockTexels decode_block(Format format, std::span<const std::byte> block) {
  const std::byte* const first = block.data();
  BlockTexels texels{};
  switch (format) {
    case Format::bc1_unorm: return decode_colors(first, true, false);
    case Format::bc1_unorm_srgb: return decode_colors(first, true, true);
    case Format::bc2_unorm:
    case Format::bc2_unorm_srgb: {
      texels = decode_colors(first + 8, false, format == Format::bc2_unorm_srgb);
      const uint64_t alpha = word64(first);
      for (uint32_t texel = 0; texel < 16; ++texel)
        texels[texel][3] = word_of(static_cast<double>(alpha >> 4 * texel & 15) / 15.0);
      return texels;
    }
    case Format::bc3_unorm:
    case Format::bc3_unorm_srgb:
      texels = decode_colors(first + 8, false, format == Format::bc3_unorm_srgb);
      put_channel(texels, 3, channel_of(word64(first), false));
      return texels;
    case Format::bc5_unorm:
    case Format::bc5_snorm:
      put_channel(texels, 1, channel_of(word64(first + 8), format == Format::bc5_snorm));
      [[fallthrough]];
    case Format::bc4_unorm:
    case Format::bc4_snorm:
      put_channel(texels, 0,
                  channel_of(word64(first), format == Format::bc4_snorm || format == Format::bc5_snorm));
      return texels;
    case Format::bc6h_uf16: return decode_bc6h(first, false);
    case Format::bc6h_sf16: return decode_bc6h(first, true);
    case Format::bc7_unorm:
    case Format::bc7_unorm_srgb: return decode_bc7(first);
    default: return texels;
  }
}

}  // namespace texlate::sim
