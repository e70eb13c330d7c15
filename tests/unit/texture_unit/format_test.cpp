// Formats: reading compared with values computed by hand, exhaustive round trips, the rules for writing.
#include "sim/texture_unit/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sim/texture_unit/small_float.h"
#include "sim/texture_unit/texel_codec.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

constexpr uint32_t kOne = 0x3f800000u;
Word4 decode(Format format, uint64_t low, uint64_t high = 0) {
  std::byte memory[16];
  std::memcpy(memory, &low, 8);
  std::memcpy(memory + 8, &high, 8);
  return decode_texel(format_info(format), memory);
}

uint64_t encode(Format format, const Word4& value) {
  std::byte memory[16]{};
  encode_texel(format_info(format), value, memory);
  uint64_t low = 0;
  std::memcpy(&low, memory, 8);
  return low;
}

Word4 floats(float r, float g, float b, float a) {
  return {bits(r), bits(g), bits(b), bits(a)};
}

TEST(Format, NamesAndNumbers) {
  EXPECT_EQ(find_format("R8G8B8A8_UNORM_SRGB"), Format::r8g8b8a8_unorm_srgb);
  EXPECT_EQ(find_format("DXGI_FORMAT_R32_FLOAT"), Format::r32_float);
  EXPECT_EQ(find_format("r16g16_uint"), Format::r16g16_uint);
  EXPECT_EQ(find_format("R8G8B9"), Format::unknown);
  EXPECT_EQ(find_format(67), Format::r9g9b9e5_sharedexp);
  EXPECT_EQ(find_format(0xffffu), Format::unknown);
  EXPECT_EQ(find_format("r16g16b16x16_float"), Format::unknown) << "DXGI has none";
  EXPECT_EQ(find_format(0), Format::unknown);
}

TEST(Format, OutOfBoundsValues) {
  EXPECT_EQ(out_of_bounds_value(Format::r32_float), (Word4{0, 0, 0, kOne}));
  EXPECT_EQ(out_of_bounds_value(Format::r16g16_uint), (Word4{0, 0, 0, 1}));
  EXPECT_EQ(out_of_bounds_value(Format::r8g8b8a8_unorm), (Word4{0, 0, 0, 0}));
  EXPECT_EQ(out_of_bounds_value(Format::a8_unorm), (Word4{0, 0, 0, 0}));
  EXPECT_EQ(out_of_bounds_value(Format::r11g11b10_float), (Word4{0, 0, 0, kOne}));
  EXPECT_EQ(out_of_bounds_value(Format::x24_typeless_g8_uint), (Word4{0, 0, 0, 1}));
  EXPECT_EQ(out_of_bounds_value(Format::b8g8r8x8_unorm), (Word4{0, 0, 0, kOne}));
}

TEST(Format, ComponentPlaces) {
  EXPECT_EQ(decode(Format::r8g8b8a8_uint, 0x04030201), (Word4{1, 2, 3, 4}));
  EXPECT_EQ(decode(Format::b8g8r8a8_unorm, 0x00ff0000), (floats(1, 0, 0, 0)));
  EXPECT_EQ(decode(Format::b8g8r8x8_unorm, 0x000000ff), (floats(0, 0, 1, 1)));
  EXPECT_EQ(decode(Format::b5g6r5_unorm, 0xf800), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::b5g6r5_unorm, 0x07e0), floats(0, 1, 0, 1));
  EXPECT_EQ(decode(Format::b5g5r5a1_unorm, 0x8000), floats(0, 0, 0, 1));
  EXPECT_EQ(decode(Format::r10g10b10a2_uint, 0xc0300c03), (Word4{3, 3, 3, 3}));
  EXPECT_EQ(decode(Format::r10g10b10a2_unorm, 0x40000000)[3], bits(1.0f / 3.0f));
  EXPECT_EQ(decode(Format::a8_unorm, 0xff), floats(0, 0, 0, 1));
  EXPECT_EQ(decode(Format::r24_unorm_x8_typeless, 0xffffffff), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::x24_typeless_g8_uint, 0xab123456), (Word4{0, 0xab, 0, 1}));
  EXPECT_EQ(decode(Format::x32_typeless_g8x24_uint, 0x0000007f00000000ull), (Word4{0, 0x7f, 0, 1}));
  EXPECT_EQ(decode(Format::r32g32b32_uint, 0x0000000200000001ull, 3), (Word4{1, 2, 3, 1}));
  EXPECT_EQ(decode(Format::r16g16b16a16_sint, 0x8000ffff00017fffull),
            (Word4{0x7fff, 1, 0xffffffffu, 0xffff8000u}));
  EXPECT_EQ(decode(Format::b4g4r4a4_unorm, 0x0f00), floats(1, 0, 0, 0));
}

TEST(Format, SmallFloats) {
  EXPECT_EQ(half_to_float_bits(0x3c00), kOne);
  EXPECT_EQ(half_to_float_bits(0x0001), bits(std::ldexp(1.0f, -24)));
  EXPECT_EQ(half_to_float_bits(0x83ff), bits(-1023 * std::ldexp(1.0f, -24)));
  EXPECT_EQ(half_to_float_bits(0xfc00), bits(-kInf));
  EXPECT_EQ(half_to_float_bits(0x7e01), 0x7fc02000u);
  // R = 1.0 (exponent 15), G = smallest denormal, B = infinity.
  EXPECT_EQ(decode(Format::r11g11b10_float, 15u << 6 | 1u << 11 | 31u << 27),
            floats(1, std::ldexp(1.0f, -20), kInf, 1));
  EXPECT_EQ(decode(Format::r9g9b9e5_sharedexp, 256u | 1u << 9 | 16u << 27), floats(1, 1.0f / 256, 0, 1));

  EXPECT_EQ(float_bits_to_half_toward_zero(bits(65535.0f)), 0x7bffu);
  EXPECT_EQ(float_bits_to_half_toward_zero(bits(1e30f)), 0x7bffu);
  EXPECT_EQ(float_bits_to_half_toward_zero(bits(-kInf)), 0xfc00u);
  EXPECT_EQ(float_bits_to_half_toward_zero(bits(1.9999f)), 0x3fffu);
  EXPECT_EQ(float_bits_to_half_toward_zero(bits(std::ldexp(1.5f, -24))), 1u);
  EXPECT_EQ(float_bits_to_half_toward_zero(bits(std::ldexp(0.9f, -24))), 0u);
  EXPECT_GT(float_bits_to_half_toward_zero(bits(kNan)) & 0x7fffu, 0x7c00u);
  EXPECT_EQ(float_bits_to_unsigned_float(bits(-1.0f), 6), 0u);
  EXPECT_EQ(float_bits_to_unsigned_float(bits(-kInf), 6), 0u);
  EXPECT_EQ(float_bits_to_unsigned_float(bits(1e9f), 6), 0x7bfu);
  EXPECT_GT(float_bits_to_unsigned_float(bits(kNan), 5), 31u << 5);
}

TEST(Format, SrgbEndsAndMiddle) {
  EXPECT_EQ(srgb_to_linear(0), 0.0f);
  EXPECT_EQ(srgb_to_linear(255), 1.0f);
  EXPECT_NEAR(srgb_to_linear(128), 0.21586f, 1e-5);  // IEC 61966-2-1
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(linear_to_srgb(srgb_to_linear(i)), i);
  EXPECT_EQ(decode(Format::r8g8b8a8_unorm_srgb, 0x80808080)[3], bits(128 / 255.0f)) << "alpha stays linear";
}

// Data invertibility: every 8- and 16-bit pattern of every format survives decoding and encoding.
TEST(Format, ExhaustiveRoundTrips) {
  uint64_t texels = 0;
  for (int i = 1; i < 256; ++i) {
    const auto format = static_cast<Format>(i);
    if (i > static_cast<int>(Format::b4g4r4a4_unorm)) break;
    const FormatInfo& info = format_info(format);
    if (info.bytes == 0 || info.kind == Kind::shared_exponent) continue;
    for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
      uint64_t word = pattern * 0x0001000100010001ull;
      uint64_t used = 0;
      bool skip = false;
      for (const ComponentLayout& c : info.layout.component) {
        if (c.kind == Kind::none || c.offset >= 64) continue;
        const uint64_t mask = (c.bits == 64 ? ~0ull : ((1ull << c.bits) - 1)) << c.offset;
        const auto value = static_cast<uint32_t>((word & mask) >> c.offset);
        // SNORM has two codes for -1; only the second one is ever written.
        if (c.kind == Kind::snorm && value == 1u << (c.bits - 1)) skip = true;
        used |= mask;
      }
      if (skip) continue;
      const Word4 value = decode(format, word, word);
      ASSERT_EQ(encode(format, value) & used, word & used) << info.name << " " << std::hex << pattern;
      ++texels;
    }
  }
  EXPECT_GT(texels, 3000000u);
}

TEST(Format, WritingRules) {
  EXPECT_EQ(encode(Format::r8g8b8a8_unorm, floats(kNan, 2, -1, 0.5f)), 0x8000ff00u);
  EXPECT_EQ(encode(Format::r8g8b8a8_snorm, floats(kNan, 2, -2, -0.5f)), 0xc0817f00u);
  EXPECT_EQ(encode(Format::r8_uint, {300, 0, 0, 0}), 255u);
  EXPECT_EQ(encode(Format::r8_uint, {0xffffffffu, 0, 0, 0}), 255u);
  EXPECT_EQ(encode(Format::r8_sint, {0xffffffffu, 0, 0, 0}), 255u);
  EXPECT_EQ(encode(Format::r8_sint, {0xffffff00u, 0, 0, 0}), 0x80u);
  EXPECT_EQ(encode(Format::r8_sint, {1000, 0, 0, 0}), 0x7fu);
  EXPECT_EQ(encode(Format::r16_float, floats(70000, 0, 0, 0)), 0x7bffu);
  EXPECT_EQ(encode(Format::r10g10b10a2_uint, {5000, 1, 2, 9}), 0x3ffu | 1u << 10 | 2u << 20 | 3u << 30);
  EXPECT_EQ(decode(Format::r9g9b9e5_sharedexp, encode(Format::r9g9b9e5_sharedexp, floats(1, 0.5f, 0.25f, 0))),
            floats(1, 0.5f, 0.25f, 1));
}

TEST(Format, SnormReading) {
  EXPECT_EQ(decode(Format::r8_snorm, 0x80)[0], bits(-1.0f));
  EXPECT_EQ(decode(Format::r8_snorm, 0x81)[0], bits(-1.0f));
  EXPECT_EQ(decode(Format::r8_snorm, 0x7f)[0], bits(1.0f));
  EXPECT_EQ(decode(Format::r16_snorm, 0xc000)[0], bits(-16384.0f / 32767.0f));
}

TEST(Format, ReferenceQuantisation) {
  const ComponentLayout unorm8{Kind::unorm, 0, 8};
  EXPECT_EQ(quantise_like(unorm8, 0.5f), 128 / 255.0f);
  EXPECT_EQ(quantise_like(unorm8, 3.0f), 1.0f);
  EXPECT_EQ(quantise_like(unorm8, kNan), 0.0f);
  EXPECT_EQ(quantise_like({Kind::float_, 0, 32}, 3.0f), 3.0f);
  // 19715.4999 of 65535, which a product of floats rounds to 19715.5; 4196224.75 of 16777215.
  EXPECT_EQ(quantise_like({Kind::unorm, 0, 16}, 0.300839245f), 19715 / 65535.0f);
  EXPECT_EQ(quantise_like({Kind::unorm, 0, 24}, 0.250114501f), 4196225 / 16777215.0f);
}

}  // namespace
}  // namespace texlate::sim
