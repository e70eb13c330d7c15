// Scenes: defaults, the contents of files, and errors that name the fault.
#include "sim/scene/scene.h"

#include <bit>
#include <filesystem>
#include <fstream>

#include "sim/scene/png_file.h"
#include "tests/support/ir_text.h"

namespace texlate::sim {
namespace {

constexpr std::string_view kModule =
    "module pixel 5.0 \"main\"\nresource t0 texture2d float\nresource t1 texture2darray float\n"
    "resource t2 buffer float\nuav u0 texture2d float\nsampler s0\nsampler s1 comparison\n"
    "constant_buffer cb0 rows(2)\ninput v0.xy\ninput v1.xyzw\noutput o0.xyzw\ncode {\n"
    "  %0..%3 = cb.load cb0[1]\n  %4 = iadd %0, 1\n  %5 = fadd.f32 %1, 1.0f\n  output o0.x, %4\n  output "
    "o0.y, %5\n}\n";

class SceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    ir::parse_or_fail(kModule, module_);
    folder_ = testing::TempDir() + "texlate_scene";
    std::filesystem::create_directories(folder_);
  }
  std::unique_ptr<Scene> make(std::string_view json) {
    diagnostics_ = Diagnostics();
    return Scene::make(json, folder_, module_, diagnostics_);
  }
  std::string error_of(std::string_view json) {
    EXPECT_EQ(make(json), nullptr) << json;
    return diagnostics_.list().empty() ? "" : std::string(diagnostics_.list()[0].message);
  }
  void write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  static Word4 texel(const Scene& scene, uint32_t mip, uint32_t slice, uint32_t x, uint32_t y,
                     uint32_t resource = 0) {
    return scene.bindings().resources(resource)[0].texture.texture->read(mip, slice, x, y, 0);
  }
  static uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

  ir::Module module_;
  std::string folder_;
  Diagnostics diagnostics_;
};

TEST_F(SceneFiles, EverythingHasADefault) {
  const auto scene = make("");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->element_count(), 64u * 64u);
  const TextureView& t0 = scene->bindings().resources(0)[0].texture;
  EXPECT_EQ(t0.mip_count, 7u);
  EXPECT_EQ(t0.format, Format::r8g8b8a8_unorm);
  EXPECT_EQ(scene->bindings().resources(1)[0].texture.array_size(), 4u);
  EXPECT_EQ(scene->bindings().resources(2)[0].buffer.element_count, 1024u);
  EXPECT_EQ(scene->bindings().samplers(1)[0].reduction, Reduction::comparison);
  const std::span<const uint32_t> cb0 = scene->bindings().constant_buffers(0)[0];
  ASSERT_EQ(cb0.size(), 8u);
  EXPECT_LE(cb0[4], 64u) << "an integer, since only integer operations read it";
  EXPECT_GE(cb0[5], bits(0.125f));
  // Quads: element 3 is the lower right pixel of the first.
  EXPECT_EQ(scene->pixel_of(3), (std::array<uint32_t, 2>{1, 1}));
  EXPECT_EQ(scene->pixel_of(4), (std::array<uint32_t, 2>{2, 0}));
}

TEST_F(SceneFiles, ConstantsInputsAndSamplers) {
  const auto scene = make(R"({"viewport": [4, 2], "constants": {"cb0": [[1.5, -2, 3, true]]},
    "inputs": {"v0": {"gradient": [10, 0], "dx": [1, 0], "dy": [0, 2]}, "v1": {"values": [[1, 2], [3, 4]]}},
    "samplers": {"s0": {"filter": "trilinear", "address": ["mirror", "border"], "bias": 0.5, "lod": [1, 2], "border": [1, 2]},
                 "s1": {"filter": "point", "comparison": "greater"}}})");
  ASSERT_NE(scene, nullptr);
  const std::span<const uint32_t> cb0 = scene->bindings().constant_buffers(0)[0];
  EXPECT_EQ(std::vector<uint32_t>(cb0.begin(), cb0.end()),
            (std::vector<uint32_t>{bits(1.5f), 0xfffffffeu, 3, ~0u}));
  ASSERT_EQ(scene->element_count(), 8u);
  EXPECT_EQ(scene->inputs()[3], bits(11.5f));     // v0.x of pixel (1, 1)
  EXPECT_EQ(scene->inputs()[8 + 3], bits(3.0f));  // v0.y
  EXPECT_EQ(scene->inputs()[4 * 8 + 1], 3u);      // v1.x of element 1
  EXPECT_EQ(scene->inputs()[5 * 8 + 2], 2u);      // v1.y of element 2
  const Sampler& s0 = scene->bindings().samplers(0)[0];
  EXPECT_EQ(s0.mip_filter, Filter::linear);
  EXPECT_EQ(s0.address, (std::array{AddressMode::mirror, AddressMode::border, AddressMode::wrap}));
  EXPECT_EQ(s0.mip_lod_bias, 0.5f);
  EXPECT_EQ(s0.max_lod, 2.0f);
  EXPECT_EQ(s0.border[1], 2.0f);
  EXPECT_EQ(scene->bindings().samplers(1)[0].comparison, Comparison::greater);
}

TEST_F(SceneFiles, UnboundSlotsViewsAndGenerators) {
  const auto scene =
      make(R"({"textures": {"t0": {"generate": "mip-coloured", "size": [8, 4], "view_mips": [1, 2]},
    "t1": null, "t2": null}, "constants": {"cb0": null}, "uavs": {"u0": {"size": [3, 2], "format": "R32_FLOAT"}}})");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->bindings().resources(0)[0].texture.mip_count, 2u);
  EXPECT_EQ(texel(*scene, 1, 0, 0, 0), (Word4{bits(1), 0, 0, bits(1)})) << "mip 1 is red";
  EXPECT_EQ(texel(*scene, 2, 0, 1, 0), (Word4{0, bits(1), 0, bits(1)})) << "mip 2 is green";
  EXPECT_FALSE(scene->bindings().resources(1)[0].bound());
  EXPECT_FALSE(scene->bindings().resources(2)[0].bound());
  EXPECT_TRUE(scene->bindings().constant_buffers(0)[0].empty());
  ASSERT_EQ(scene->uav_ranges().size(), 1u);
  EXPECT_EQ(scene->uav_ranges()[0].count, 6u);
}

TEST_F(SceneFiles, PicturesOfEightBits) {
  Picture picture{2, 2, 8, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 51}};
  ASSERT_TRUE(write_png(folder_ + "/p.png", picture, diagnostics_));
  Picture back;
  ASSERT_TRUE(read_png(folder_ + "/p.png", back, diagnostics_));
  EXPECT_EQ(back.texels, picture.texels);
  const auto scene = make(R"({"textures": {"t0": {"png": "p.png", "size": [2, 2]},
    "t1": {"png": ["p.png", "p.png"], "size": [2, 2], "slices": 3, "generate": "zero", "format": "r32g32b32a32_float"}}})");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(texel(*scene, 0, 0, 1, 0), (Word4{0, bits(1), 0, bits(1)}));
  EXPECT_EQ(texel(*scene, 0, 1, 1, 1, 1), (Word4{bits(1), bits(1), bits(1), bits(0.2f)}));
  EXPECT_EQ(texel(*scene, 1, 1, 0, 0, 1)[0], bits(0.5f)) << "mip 1 is the mean of four";
  EXPECT_EQ(texel(*scene, 0, 2, 0, 0, 1)[0], 0u) << "no picture for slice 2";
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"png": "p.png", "size": [4, 2]}}})"),
            folder_ + "/p.png has 2 x 2 texels, but the texture has 4 x 2");
}

TEST_F(SceneFiles, PicturesOfSixteenBits) {
  // A grey PNG of 2 x 1 texels with the values 0x0102 and 0xfffe, as written by another program.
  write("g.png", {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                  0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x10, 0x00, 0x00, 0x00,
                  0x00, 0x81, 0xd9, 0xfc, 0x15, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78,
                  0x9c, 0x63, 0x60, 0x64, 0xfa, 0xff, 0x0f, 0x00, 0x03, 0x0b, 0x02, 0x01, 0x84, 0x91,
                  0xe8, 0x13, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82});
  const auto scene =
      make(R"({"textures": {"t0": {"png": "g.png", "size": [2, 1], "format": "r16g16b16a16_unorm"}}})");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(texel(*scene, 0, 0, 0, 0),
            (Word4{bits(258.0f / 65535), bits(258.0f / 65535), bits(258.0f / 65535), bits(1)}));
  EXPECT_EQ(texel(*scene, 0, 0, 1, 0)[0], bits(65534.0f / 65535));
}

TEST_F(SceneFiles, RawFilesHaveExactlyTheTexels) {
  write("t.raw", {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0});  // 2 x 2 of r8g8_uint and its mip 1
  ir::Module uints;
  ir::parse_or_fail("module pixel 5.0 \"main\"\nresource t0 texture2d uint\noutput o0.x\ncode {\n}\n", uints);
  const auto scene = Scene::make(
      R"({"textures": {"t0": {"raw": "t.raw", "format": "dxgi_format_r8g8_uint", "size": [2, 2]}}})", folder_,
      uints, diagnostics_);
  EXPECT_EQ(scene, nullptr) << "ten bytes are wanted";
  write("t.raw", {1, 0, 2, 0, 3, 0, 4, 0, 5, 9});
  const auto good = Scene::make(
      R"({"textures": {"t0": {"raw": "t.raw", "format": "dxgi_format_r8g8_uint", "size": [2, 2]}}})", folder_,
      uints, diagnostics_);
  ASSERT_NE(good, nullptr);
  EXPECT_EQ(texel(*good, 0, 0, 1, 1), (Word4{4, 0, 0, 1}));
  EXPECT_EQ(texel(*good, 1, 0, 0, 0), (Word4{5, 9, 0, 1}));
}

TEST_F(SceneFiles, ErrorsNameTheFault) {
  EXPECT_EQ(error_of("[1]"), "the scene is not a JSON object");
  EXPECT_EQ(error_of(R"({"viewport": [1e999, 1]})"), "a number is too large");
  EXPECT_EQ(error_of(R"({"view": [1, 1]})"), "unknown key 'view' in the scene");
  EXPECT_EQ(error_of(R"({"viewport": [-1, 1]})"), "[-1,1] must be a list of up to 2 whole numbers");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"fromat": "r32_float"}}})"), "unknown key 'fromat' in t0");
  EXPECT_EQ(error_of(R"({"textures": {"t0": 5}})"), "t0 must be an object");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"format": "r33_float"}}})"),
            "t0: 'r33_float' is not a supported format");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"generate": "plaid"}}})"),
            "t0: 'plaid' is not a generated texture");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"png": "absent.png"}}})"),
            folder_ + "/absent.png cannot be read");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"filter": "cubic"}}})"), "s0: 'cubic' is not a filter");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"address": "fold"}}})"), "s0: 'fold' is not an address mode");
  EXPECT_EQ(error_of(R"({"samplers": {"s1": {"comparison": "nearly"}}})"),
            "s1: 'nearly' is not a comparison");
  EXPECT_EQ(error_of(R"({"inputs": {"v1": {"constants": [1]}}})"), "unknown key 'constants' in v1");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"view_mips": [6, 4]}}})").empty(), false);
}

}  // namespace
}  // namespace texlate::sim
