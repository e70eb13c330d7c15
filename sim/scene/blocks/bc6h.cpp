// BC6H (Khronos Data Format Specification 1.3, 20.2; D3D11.3 functional specification 19.5.13).
#include <algorithm>
#include <bit>
#include <string_view>

#include "sim/scene/blocks/block_decode.h"
#include "sim/texture_unit/small_float.h"

namespace texlate::sim {

namespace {

/// The header after the number of the mode. `r`, `g`, `b` of the endpoints w, x (first subset), y, z
/// (second); the bits in brackets are from the last to the first in the block, so that [10:11] is in reverse.
struct Bc6hMode {
  uint8_t number;
  uint8_t endpoint_bits;
  std::array<uint8_t, 3> delta_bits;  // 0: all endpoints are whole
  bool two_subsets;
  std::string_view fields;
};
constexpr Bc6hMode kBc6hModes[] = {
    {0x00,
     10,
     {5, 5, 5},
     true,
     "gy[4] by[4] bz[4] rw[9:0] gw[9:0] bw[9:0] rx[4:0] gz[4] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] "
     "by[3:0] "
     "ry[4:0] bz[2] rz[4:0] bz[3]"},
    {0x01,
     7,
     {6, 6, 6},
     true,
     "gy[5] gz[4] gz[5] rw[6:0] bz[0] bz[1] by[4] gw[6:0] by[5] bz[2] gy[4] bw[6:0] bz[3] bz[5] bz[4] "
     "rx[5:0] "
     "gy[3:0] gx[5:0] gz[3:0] bx[5:0] by[3:0] ry[5:0] rz[5:0]"},
    {0x02,
     11,
     {5, 4, 4},
     true,
     "rw[9:0] gw[9:0] bw[9:0] rx[4:0] rw[10] gy[3:0] gx[3:0] gw[10] bz[0] gz[3:0] bx[3:0] bw[10] bz[1] "
     "by[3:0] "
     "ry[4:0] bz[2] rz[4:0] bz[3]"},
    {0x06,
     11,
     {4, 5, 4},
     true,
     "rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10] gz[4] gy[3:0] gx[4:0] gw[10] gz[3:0] bx[3:0] bw[10] bz[1] "
     "by[3:0] "
     "ry[3:0] bz[0] bz[2] rz[3:0] gy[4] bz[3]"},
    {0x0a,
     11,
     {4, 4, 5},
     true,
     "rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10] by[4] gy[3:0] gx[3:0] gw[10] bz[0] gz[3:0] bx[4:0] bw[10] "
     "by[3:0] "
     "ry[3:0] bz[1] bz[2] rz[3:0] bz[4] bz[3]"},
    {0x0e,
     9,
     {5, 5, 5},
     true,
     "rw[8:0] by[4] gw[8:0] gy[4] bw[8:0] bz[4] rx[4:0] gz[4] gy[3:0] gx[4:0] bz[0] gz[3:0] bx[4:0] bz[1] "
     "by[3:0] "
     "ry[4:0] bz[2] rz[4:0] bz[3]"},
    {0x12,
     8,
     {6, 5, 5},
     true,
     "rw[7:0] gz[4] by[4] gw[7:0] bz[2] gy[4] bw[7:0] bz[3] bz[4] rx[5:0] gy[3:0] gx[4:0] bz[0] gz[3:0] "
     "bx[4:0] "
     "bz[1] by[3:0] ry[5:0] rz[5:0]"},
    {0x16,
     8,
     {5, 6, 5},
     true,
     "rw[7:0] bz[0] by[4] gw[7:0] gy[5] gy[4] bw[7:0] gz[5] bz[4] rx[4:0] gz[4] gy[3:0] gx[5:0] gz[3:0] "
     "bx[4:0] "
     "bz[1] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"},
    {0x1a,
     8,
     {5, 5, 6},
     true,
     "rw[7:0] bz[1] by[4] gw[7:0] by[5] gy[4] bw[7:0] bz[5] bz[4] rx[4:0] gz[4] gy[3:0] gx[4:0] bz[0] "
     "gz[3:0] "
     "bx[5:0] by[3:0] ry[4:0] bz[2] rz[4:0] bz[3]"},
    {0x1e,
     6,
     {0, 0, 0},
     true,
     "rw[5:0] gz[4] bz[0] bz[1] by[4] gw[5:0] gy[5] by[5] bz[2] gy[4] bw[5:0] gz[5] bz[3] bz[5] bz[4] "
     "rx[5:0] "
     "gy[3:0] gx[5:0] gz[3:0] bx[5:0] by[3:0] ry[5:0] rz[5:0]"},
    {0x03, 10, {0, 0, 0}, false, "rw[9:0] gw[9:0] bw[9:0] rx[9:0] gx[9:0] bx[9:0]"},
    {0x07, 11, {9, 9, 9}, false, "rw[9:0] gw[9:0] bw[9:0] rx[8:0] rw[10] gx[8:0] gw[10] bx[8:0] bw[10]"},
    {0x0b,
     12,
     {8, 8, 8},
     false,
     "rw[9:0] gw[9:0] bw[9:0] rx[7:0] rw[10:11] gx[7:0] gw[10:11] bx[7:0] bw[10:11]"},
    {0x0f,
     16,
     {4, 4, 4},
     false,
     "rw[9:0] gw[9:0] bw[9:0] rx[3:0] rw[10:15] gx[3:0] gw[10:15] bx[3:0] bw[10:15]"},
};

using Endpoints = std::array<std::array<int32_t, 3>, 4>;

int32_t sign_extended(int32_t value, uint32_t bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(value) << (32 - bits)) >> (32 - bits);
}

uint32_t number_at(std::string_view& text) {
  uint32_t number = 0;
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
    number = number * 10 + static_cast<uint32_t>(text[0] - '0');
  return number;
}

Endpoints read_fields(std::string_view fields, BlockBits& bits) {
  Endpoints endpoints{};
  while (!fields.empty()) {
    const size_t component = std::string_view("rgb").find(fields[0]),
                 endpoint = std::string_view("wxyz").find(fields[1]);
    fields.remove_prefix(3);
    const uint32_t last = number_at(fields);
    uint32_t first = last;
    if (fields[0] == ':') {
      fields.remove_prefix(1);
      first = number_at(fields);
    }
    fields.remove_prefix(std::min<size_t>(2, fields.size()));  // "] "
    const uint32_t count = (last > first ? last - first : first - last) + 1;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t bit = last >= first ? first + i : first - i;
      endpoints[endpoint][component] |= static_cast<int32_t>(bits.take(1) << bit);
    }
  }
  return endpoints;
}

int32_t unquantized(int32_t value, uint32_t bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || value == 0) return value;
    if (value == (1 << bits) - 1) return 0xffff;
    return ((value << 15) + 0x4000) >> (bits - 1);
  }
  if (bits >= 16 || value == 0) return value;
  const int32_t magnitude = std::abs(value);
  const int32_t whole =
      magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -whole : whole;
}

/// The bits of a half.
uint32_t finished(int32_t value, bool is_signed) {
  if (!is_signed) return static_cast<uint32_t>(value * 31 >> 6);
  const auto magnitude = static_cast<uint32_t>(std::abs(value) * 31 >> 5);
  return value < 0 ? magnitude | 0x8000u : magnitude;
}

void unpack(const Bc6hMode& mode, bool is_signed, Endpoints& endpoints) {
  const uint32_t bits = mode.endpoint_bits;
  const int32_t mask = bits == 16 ? 0xffff : (1 << bits) - 1;
  for (size_t e = 0; e < (mode.two_subsets ? 4u : 2u); ++e) {
    for (size_t c = 0; c < 3; ++c) {
      int32_t& value = endpoints[e][c];
      if (e != 0 && mode.delta_bits[c] != 0)
        value = (endpoints[0][c] + sign_extended(value, mode.delta_bits[c])) & mask;
    }
  }
  for (auto& endpoint : endpoints) {
    for (int32_t& value : endpoint)
      value = unquantized(is_signed ? sign_extended(value, bits) : value, bits, is_signed);
  }
}

}  // namespace

BlockTexels decode_bc6h(const std::byte* block, bool is_signed) {
  BlockTexels texels;
  texels.fill({0, 0, 0, std::bit_cast<uint32_t>(1.0f)});
  BlockBits bits(block);
  uint32_t number = bits.take(2);
  if ((number & 2) != 0) number |= bits.take(3) << 2;
  const auto* mode = std::find_if(std::begin(kBc6hModes), std::end(kBc6hModes),
                                  [number](const Bc6hMode& one) { return one.number == number; });
  if (mode == std::end(kBc6hModes)) return texels;  // reserved: black
  Endpoints endpoints = read_fields(mode->fields, bits);
  unpack(*mode, is_signed, endpoints);
  const uint32_t subsets = mode->two_subsets ? 2 : 1, index_bits = mode->two_subsets ? 3 : 4;
  const uint32_t partition = mode->two_subsets ? bits.take(5) : 0;
  for (uint32_t texel = 0; texel < 16; ++texel) {
    const uint32_t subset = subset_of(subsets, partition, texel);
    const bool is_anchor = anchor_of(subsets, partition, subset) == texel;
    const auto weight =
        static_cast<int32_t>(block_weight(index_bits, bits.take(index_bits - (is_anchor ? 1 : 0))));
    for (size_t c = 0; c < 3; ++c) {
      const int32_t a = endpoints[2 * subset][c], b = endpoints[2 * subset + 1][c];
      const int32_t value = (a * (64 - weight) + b * weight + 32) >> 6;
      texels[texel][c] = half_to_float_bits(finished(value, is_signed));
    }
  }
  return texels;
}

}  // namespace texlate::sim
