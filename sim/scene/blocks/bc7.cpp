// BC7 (Khronos Data Format Specification 1.3, 20.1; D3D11.3 functional specification 19.5.14).
#include <algorithm>
#include <bit>

#include "sim/scene/blocks/block_decode.h"

namespace texlate::sim {

namespace {

struct Bc7Mode {
  uint8_t subsets, partition_bits, rotation_bits, selection_bits, color_bits, alpha_bits;
  uint8_t endpoint_p_bits, shared_p_bits;  // a last bit for each endpoint, or for each subset
  uint8_t index_bits, second_index_bits;
};
constexpr Bc7Mode kBc7Modes[] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                                 {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                                 {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                                 {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};
constexpr uint32_t kModeCount = 8, kMostEndpoints = 6;

using Bc7Color = std::array<uint32_t, 4>;

/// Extends a number to 8 bits by repeating its highest bits.
uint32_t widened(uint32_t value, uint32_t bits) {
  value <<= 8 - bits;
  return value | value >> bits;
}

std::array<Bc7Color, kMostEndpoints> read_endpoints(const Bc7Mode& mode, BlockBits& bits) {
  std::array<Bc7Color, kMostEndpoints> endpoints{};
  const uint32_t count = 2u * mode.subsets;
  for (uint32_t c = 0; c < 4; ++c) {
    const uint32_t width = c < 3 ? mode.color_bits : mode.alpha_bits;
    for (uint32_t e = 0; e < count; ++e) endpoints[e][c] = width == 0 ? 255 : bits.take(width);
  }
  std::array<uint32_t, kMostEndpoints> last{};
  for (uint32_t e = 0; e < count; ++e) {
    if (mode.endpoint_p_bits != 0 || (mode.shared_p_bits != 0 && e % 2 == 0)) last[e] = bits.take(1);
    if (mode.shared_p_bits != 0 && e % 2 == 1) last[e] = last[e - 1];
  }
  const uint32_t p_bits = mode.endpoint_p_bits | mode.shared_p_bits;
  for (uint32_t e = 0; e < count; ++e) {
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t width = c < 3 ? mode.color_bits : mode.alpha_bits;
      if (width == 0) continue;
      const uint32_t value = p_bits != 0 ? endpoints[e][c] << 1 | last[e] : endpoints[e][c];
      endpoints[e][c] = widened(value, width + p_bits);
    }
  }
  return endpoints;
}

std::array<uint32_t, 16> read_indices(const Bc7Mode& mode, uint32_t partition, uint32_t index_bits,
                                      BlockBits& bits) {
  std::array<uint32_t, 16> indices{};
  for (uint32_t texel = 0; texel < 16; ++texel) {
    const uint32_t subset = subset_of(mode.subsets, partition, texel);
    const bool is_anchor = anchor_of(mode.subsets, partition, subset) == texel;
    indices[texel] = bits.take(index_bits - (is_anchor ? 1 : 0));
  }
  return indices;
}

}  // namespace

BlockTexels decode_bc7(const std::byte* block) {
  BlockTexels texels{};
  BlockBits bits(block);
  uint32_t number = 0;
  while (number < kModeCount && bits.take(1) == 0) ++number;
  if (number == kModeCount) return texels;  // reserved: transparent black
  const Bc7Mode& mode = kBc7Modes[number];
  const uint32_t partition = bits.take(mode.partition_bits);
  const uint32_t rotation = bits.take(mode.rotation_bits);
  const bool selects_second = bits.take(mode.selection_bits) != 0;
  const auto endpoints = read_endpoints(mode, bits);
  const auto first = read_indices(mode, partition, mode.index_bits, bits);
  const bool has_second = mode.second_index_bits != 0;
  const auto second = has_second ? read_indices(mode, partition, mode.second_index_bits, bits) : first;
  for (uint32_t texel = 0; texel < 16; ++texel) {
    const uint32_t subset = subset_of(mode.subsets, partition, texel);
    const Bc7Color &a = endpoints[2 * subset], &b = endpoints[2 * subset + 1];
    for (uint32_t c = 0; c < 4; ++c) {
      const bool from_second = has_second && (c == 3) != selects_second;
      const uint32_t index_bits = from_second ? mode.second_index_bits : mode.index_bits;
      const uint32_t weight = block_weight(index_bits, from_second ? second[texel] : first[texel]);
      texels[texel][c] = ((64 - weight) * a[c] + weight * b[c] + 32) >> 6;
    }
    if (rotation != 0) std::swap(texels[texel][3], texels[texel][rotation - 1]);
  }
  return texels;
}

}  // namespace texlate::sim
