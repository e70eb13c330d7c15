// Block-compressed textures of a scene: blocks with known texels, for each format, and errors.
//
// The vectors follow from the formats' definitions (Khronos Data Format Specification 1.3, chapters 18 to
// 20).
#include "sim/scene/block_texture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sim/scene/scene.h"
#include "sim/texture_unit/small_float.h"
#include "tests/support/ir_text.h"

namespace texlate::sim {
namespace {

using Floats = std::array<float, 4>;

Floats texel_of(Format format, std::vector<uint8_t> bytes, size_t texel) {
  const BlockTexels texels = decode_block(format, std::as_bytes(std::span(bytes)));
  Floats floats{};
  const bool is_bytes = block_format(format).decoded == Format::r8g8b8a8_unorm;
  for (size_t c = 0; c < 4; ++c)
    floats[c] = is_bytes ? static_cast<float>(texels[texel][c]) : std::bit_cast<float>(texels[texel][c]);
  return floats;
}

// Colors 0xf800 (red) and 0x001f (blue); indices 0, 1, 2, 3 in the first row.
TEST(Blocks, Bc1) {
  const std::vector<uint8_t> four = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
  EXPECT_EQ(texel_of(Format::bc1_unorm, four, 0), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(texel_of(Format::bc1_unorm, four, 1), (Floats{0, 0, 1, 1}));
  EXPECT_EQ(texel_of(Format::bc1_unorm, four, 2), (Floats{2.0f / 3, 0, 1.0f / 3, 1}));
  EXPECT_EQ(texel_of(Format::bc1_unorm, four, 3), (Floats{1.0f / 3, 0, 2.0f / 3, 1}));
  const std::vector<uint8_t> three = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
  EXPECT_EQ(texel_of(Format::bc1_unorm, three, 2), (Floats{0.5f, 0, 0.5f, 1}));
  EXPECT_EQ(texel_of(Format::bc1_unorm, three, 3), (Floats{0, 0, 0, 0}));
  // sRGB: the colors are converted after interpolation.
  EXPECT_NEAR(texel_of(Format::bc1_unorm_srgb, four, 2)[0], 0.40198f, 1e-4f);
}

TEST(Blocks, Bc2AndBc3HaveFourColors) {
  std::vector<uint8_t> block = {0xf7, 0, 0, 0, 0, 0, 0, 0, 0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
  EXPECT_EQ(texel_of(Format::bc2_unorm, block, 0), (Floats{0, 0, 1, 7.0f / 15}));
  EXPECT_EQ(texel_of(Format::bc2_unorm, block, 1), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(texel_of(Format::bc2_unorm, block, 2), (Floats{1.0f / 3, 0, 2.0f / 3, 0}));
  // Alpha 255 and 0; indices 0, 1, 2, 7.
  block[0] = 255;
  block[1] = 0;
  block[2] = 0x88, block[3] = 0x0e;
  EXPECT_EQ(texel_of(Format::bc3_unorm, block, 0)[3], 1.0f);
  EXPECT_EQ(texel_of(Format::bc3_unorm, block, 1)[3], 0.0f);
  EXPECT_EQ(texel_of(Format::bc3_unorm, block, 2)[3], 6.0f / 7);
  EXPECT_EQ(texel_of(Format::bc3_unorm, block, 3)[3], 1.0f / 7);
}

TEST(Blocks, Bc4AndBc5) {
  // The first number is not the greater one: four interpolated ones, 0 and 1. Indices 2, 5, 6, 7.
  const std::vector<uint8_t> six = {0, 255, 0xaa, 0x0f, 0, 0, 0, 0};
  EXPECT_EQ(texel_of(Format::bc4_unorm, six, 0), (Floats{1.0f / 5, 0, 0, 0}));
  EXPECT_EQ(texel_of(Format::bc4_unorm, six, 1)[0], 4.0f / 5);
  EXPECT_EQ(texel_of(Format::bc4_unorm, six, 2)[0], 0.0f);
  EXPECT_EQ(texel_of(Format::bc4_unorm, six, 3)[0], 1.0f);
  // -128 is -127; -1 is less than 127.
  const std::vector<uint8_t> wide = {0x80, 0x7f, 0x88, 0x0f, 0, 0, 0, 0};
  EXPECT_EQ(texel_of(Format::bc4_snorm, wide, 0)[0], -1.0f);
  EXPECT_EQ(texel_of(Format::bc4_snorm, wide, 1)[0], 1.0f);
  EXPECT_EQ(texel_of(Format::bc4_snorm, wide, 2)[0], -1.0f) << "index 6";
  EXPECT_EQ(texel_of(Format::bc4_snorm, wide, 3)[0], 1.0f) << "index 7";
  std::vector<uint8_t> both = six;
  both.insert(both.end(), {128, 128, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(texel_of(Format::bc5_unorm, both, 0), (Floats{1.0f / 5, 128.0f / 255, 0, 0}));
}

/// Appends fields of some bits each, from the lowest bit of the block on.
std::vector<uint8_t> packed(std::initializer_list<std::pair<uint32_t, uint32_t>> fields) {
  std::vector<uint8_t> block(16);
  uint32_t at = 0;
  for (const auto& [value, bits] : fields) {
    for (uint32_t i = 0; i < bits; ++i, ++at)
      block[at / 8] = static_cast<uint8_t>(block[at / 8] | ((value >> i & 1) << at % 8));
  }
  return block;
}

// Mode 3 of BC6H: one subset, two endpoints of 10 bits for each component.
TEST(Blocks, Bc6h) {
  const auto block =
      packed({{3, 5}, {0, 10}, {1023, 10}, {512, 10}, {1023, 10}, {0, 10}, {512, 10}, {0, 3}, {15, 4}});
  // 1023 is 0xffff, of which 31/64 are 0x7bff, the greatest half; 512 is 0x8020, of which they are 0x3e0f.
  EXPECT_EQ(texel_of(Format::bc6h_uf16, block, 0), (Floats{0, 65504, std::bit_cast<float>(0x3fc1e000u), 1}));
  EXPECT_EQ(texel_of(Format::bc6h_uf16, block, 1), (Floats{65504, 0, std::bit_cast<float>(0x3fc1e000u), 1}));
  // Signed: 511 is 0x7fff, -512 (as -511) -0x7fff.
  const auto signs = packed({{3, 5}, {511, 10}, {512, 10}, {0, 10}, {511, 10}, {512, 10}, {0, 10}});
  EXPECT_EQ(texel_of(Format::bc6h_sf16, signs, 0), (Floats{65504, -65504, 0, 1}));
  // Mode 15: endpoints of 16 bits, whose high bits are in reverse; the second is the first and a difference.
  const auto exact = packed({{15, 5},
                             {0x234, 10},
                             {0, 10},
                             {0, 10},
                             {0xf, 4},
                             {0x08, 6},
                             {0, 4},
                             {0, 6},
                             {0, 4},
                             {0, 6},
                             {0, 3},
                             {15, 4}});
  // 000100 read backwards is 001000 in bits 15 to 10: 0x1000 + 0x234.
  EXPECT_EQ(texel_of(Format::bc6h_uf16, exact, 0)[0],
            std::bit_cast<float>(half_to_float_bits((0x1234u * 31) >> 6)));
  EXPECT_EQ(texel_of(Format::bc6h_uf16, exact, 1)[0],
            std::bit_cast<float>(half_to_float_bits((0x1233u * 31) >> 6)));
  EXPECT_EQ(texel_of(Format::bc6h_uf16, packed({{0x13, 5}, {~0u, 32}}), 0), (Floats{0, 0, 0, 1}))
      << "reserved";
}

TEST(Blocks, Bc7) {
  // Mode 6: one subset, endpoints of 7 bits and one more for each endpoint, indices of 4 bits.
  const auto one = packed({{0x40, 7},
                           {0, 7},
                           {127, 7},
                           {64, 7},
                           {64, 7},
                           {0, 7},
                           {0, 7},
                           {127, 7},
                           {127, 7},
                           {0, 1},
                           {1, 1},
                           {0, 3},
                           {15, 4},
                           {8, 4}});
  EXPECT_EQ(texel_of(Format::bc7_unorm, one, 0), (Floats{0, 128, 0, 254}));
  EXPECT_EQ(texel_of(Format::bc7_unorm, one, 1), (Floats{255, 129, 1, 255}));
  EXPECT_EQ(texel_of(Format::bc7_unorm, one, 2)[0], std::floor((34 * 255 + 32) / 64.0f)) << "weight 34";
  // Mode 5 with rotation 1: alpha, which has its own index, becomes red.
  const auto rotated = packed({{0x20, 6},
                               {1, 2},
                               {127, 7},
                               {127, 7},
                               {0, 7},
                               {0, 7},
                               {0, 7},
                               {0, 7},
                               {9, 8},
                               {200, 8},
                               {0, 1},
                               {0, 30},
                               {0, 1},
                               {3, 2}});
  EXPECT_EQ(texel_of(Format::bc7_unorm, rotated, 0), (Floats{9, 0, 0, 255}));
  EXPECT_EQ(texel_of(Format::bc7_unorm, rotated, 1), (Floats{200, 0, 0, 255}));
  // Mode 3, partition 0: the right half is the second subset.
  const auto halves = packed({{8, 4}, {0, 6}, {127, 7}, {127, 7}, {0, 7}, {0, 7}});
  EXPECT_EQ(texel_of(Format::bc7_unorm, halves, 0)[0], 254);
  EXPECT_EQ(texel_of(Format::bc7_unorm, halves, 2)[0], 0);
  EXPECT_EQ(texel_of(Format::bc7_unorm, packed({{0, 8}, {~0u, 32}}), 0), (Floats{0, 0, 0, 0})) << "reserved";
}

class BlockScenes : public testing::Test {
 protected:
  void SetUp() override {
    ir::parse_or_fail(
        "module pixel 5.0 \"main\"\nresource t0 texture2d float\nresource t1 texture1d float\n"
        "resource t2 buffer float\nuav u0 texture2d float\noutput o0.x\ncode {\n}\n",
        module_);
  }
  std::unique_ptr<Scene> make(const std::string& textures) {
    diagnostics_ = Diagnostics();
    return Scene::make("{\"textures\": {" + textures + "}}", testing::TempDir(), module_, diagnostics_);
  }
  std::string error_of(const std::string& textures) {
    EXPECT_EQ(make(textures), nullptr) << textures;
    return diagnostics_.list().empty() ? "" : std::string(diagnostics_.list()[0].message);
  }
  ir::Module module_;
  Diagnostics diagnostics_;
};

// Mip 1 has half a block: a row of 8 x 4 texels, then 4 x 2, then 2 x 1 and 1 x 1.
TEST_F(BlockScenes, BlocksOfAFile) {
  std::vector<uint8_t> blocks;
  for (const uint8_t red : std::initializer_list<uint8_t>{0x08, 0x10, 0x18, 0x20, 0x28})
    blocks.insert(blocks.end(), {0, red, 0, 0, 0, 0, 0, 0});
  std::ofstream(testing::TempDir() + "/blocks.raw", std::ios::binary)
      .write(reinterpret_cast<const char*>(blocks.data()), static_cast<std::streamsize>(blocks.size()));
  const auto scene = make(R"("t0": {"format": "bc1_unorm", "size": [8, 4], "raw": "blocks.raw"})");
  ASSERT_NE(scene, nullptr) << diagnostics_.list()[0].message;
  const TextureView& view = scene->bindings().resources(0)[0].texture;
  EXPECT_EQ(view.mip_count, 4u);
  const auto red = [&](uint32_t mip, uint32_t x, uint32_t y) {
    return std::bit_cast<float>(view.texture->read(mip, 0, x, y, 0)[0]) * 31;
  };
  EXPECT_FLOAT_EQ(red(0, 3, 3), 1);
  EXPECT_FLOAT_EQ(red(0, 4, 0), 2);
  EXPECT_FLOAT_EQ(red(1, 3, 1), 3);
  EXPECT_FLOAT_EQ(red(2, 1, 0), 4);
  EXPECT_FLOAT_EQ(red(3, 0, 0), 5);
}

TEST_F(BlockScenes, EveryFormatHasGeneratedBlocks) {
  for (const char* const format : {"bc1_unorm", "bc1_unorm_srgb", "bc2_unorm", "bc2_unorm_srgb", "bc3_unorm",
                                   "bc3_unorm_srgb", "bc4_unorm", "bc4_snorm", "bc5_unorm", "bc5_snorm",
                                   "bc6h_uf16", "bc6h_sf16", "bc7_unorm", "bc7_unorm_srgb"}) {
    const auto scene = make("\"t0\": {\"format\": \"" + std::string(format) + "\"}");
    ASSERT_NE(scene, nullptr) << format;
    const Texture& texture = *scene->bindings().resources(0)[0].texture.texture;
    EXPECT_NE(texture.read(0, 0, 0, 0, 0), texture.read(0, 0, 63, 63, 0)) << format;
  }
}

TEST_F(BlockScenes, Errors) {
  EXPECT_EQ(error_of(R"("t0": {"format": "bc7_unorm", "size": [6, 4]})"),
            "t0: width and height must be multiples of 4, the size of a block");
  EXPECT_EQ(error_of(R"("t0": {"format": "bc7_unorm", "generate": "checker"})"),
            "textures.t0.generate: 'checker' is not a generated block-compressed texture (noise, zero)");
  EXPECT_EQ(error_of(R"("t0": {"format": "bc7_unorm", "png": "a.png"})"),
            "t0: a block-compressed texture cannot be a picture; 'raw' gives its blocks");
  EXPECT_EQ(error_of(R"("t1": {"format": "bc7_unorm"})"),
            "t1: a texture1d cannot have a block-compressed format");
  EXPECT_EQ(error_of(R"("t2": {"format": "bc7_unorm"})"),
            "t2: a buffer cannot have a block-compressed format");
}

}  // namespace
}  // namespace texlate::sim
