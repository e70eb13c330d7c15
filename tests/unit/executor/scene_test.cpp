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
  /// "line:column message" of the first error.
  std::string located_error_of(std::string_view json) {
    const std::string message = error_of(json);
    if (diagnostics_.list().empty()) return "";
    const SourceLocation at = diagnostics_.list()[0].location;
    return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + message;
  }
  static std::string repeated(std::string_view text, size_t count) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += text;
    return all;
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

TEST_F(SceneFiles, SlotsThatTheShaderLacks) {
  EXPECT_EQ(located_error_of("{\"textures\": {\"t9\": null}}"),
            "1:15 this shader has no t9: it has t0, t1, t2");
  EXPECT_EQ(error_of("{\"uavs\": {\"u1\": null}}"), "this shader has no u1: it has u0");
  EXPECT_EQ(error_of("{\"samplers\": {\"s7\": {}}}"), "this shader has no s7: it has s0, s1");
  EXPECT_EQ(error_of("{\"constants\": {\"cb3\": null}}"), "this shader has no cb3: it has cb0");
  EXPECT_EQ(error_of("{\"inputs\": {\"v5\": {}}}"), "this shader has no v5: it has v0, v1");
  EXPECT_EQ(error_of("{\"textures\": {\"t0[3]\": null}}"), "this shader has no t0[3]: it has t0, t1, t2");
}

// T0[4:4] is range 0 with register 4; t2[5:6] has two registers.
TEST_F(SceneFiles, NamesOfRanges) {
  ir::Module ranges;
  ir::parse_or_fail(
      "module pixel 5.1 \"main\"\nresource t0 texture2d float registers(4, 4) space(0)\n"
      "resource t2 texture2d float registers(5, 6) space(0)\noutput o0.x\ncode {\n}\n",
      ranges);
  const auto bound = [&](std::string_view json) -> std::string {
    Diagnostics diagnostics;
    const auto scene = Scene::make(json, ".", ranges, diagnostics);
    if (scene == nullptr) return std::string(diagnostics.list()[0].message);
    std::string text;
    for (uint32_t i = 0; i < 2; ++i) {
      for (const BoundResource& one : scene->bindings().resources(i)) text += one.bound() ? "b" : "-";
    }
    return text;
  };
  EXPECT_EQ(bound("{}"), "bbb");
  for (const char* const name : {"t0", "T0", "t0[4]", "T0[4]"})
    EXPECT_EQ(bound("{\"textures\": {\"" + std::string(name) + "\": null}}"), "-bb") << name;
  for (const char* const name : {"t2[6]", "T2[6]"})
    EXPECT_EQ(bound("{\"textures\": {\"" + std::string(name) + "\": null}}"), "bb-") << name;
  EXPECT_EQ(bound(R"({"textures": {"t4": null}})"), "this shader has no t4: this register is T0[4] here");
  EXPECT_EQ(bound(R"({"textures": {"t6": null}})"), "this shader has no t6: this register is T2[6] here");
  EXPECT_EQ(bound(R"({"textures": {"t2": null}})"), "this shader has no t2: it has T0[4], T2[5], T2[6]");
  EXPECT_EQ(bound(R"({"textures": {"t0": null, "T0[4]": null}})"), "t0 and T0[4] are the same register");
}

TEST_F(SceneFiles, FiltersOneByOne) {
  const auto scene = make(R"({"samplers": {"s0": {"filter": {"min": "point", "mip": "linear"}}}})");
  ASSERT_NE(scene, nullptr);
  const Sampler& sampler = scene->bindings().samplers(0)[0];
  EXPECT_EQ(sampler.min_filter, Filter::point);
  EXPECT_EQ(sampler.mag_filter, Filter::linear) << "as without a filter";
  EXPECT_EQ(sampler.mip_filter, Filter::linear);
  EXPECT_FALSE(sampler.anisotropic);
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"filter": {"min": "trilinear"}}}})"),
            "samplers.s0.filter.min: 'trilinear' is not point or linear");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"filter": {"max": "point"}}}})"),
            "unknown key 'max' in 'filter' of s0");
}

TEST_F(SceneFiles, GroupsThatAreLeftOutAreOne) {
  EXPECT_EQ(make("{}")->groups(), (std::array<uint32_t, 3>{2, 2, 1}));
  EXPECT_EQ(make(R"({"dispatch": [8]})")->groups(), (std::array<uint32_t, 3>{8, 1, 1}));
}

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

TEST_F(SceneFiles, ReductionsAndLeastLods) {
  const auto scene =
      make(R"({"textures": {"t0": {"min_lod": 1.25}}, "samplers": {"s0": {"reduction": "minimum"}}})");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->bindings().resources(0)[0].texture.min_lod_clamp, 1.25f);
  EXPECT_EQ(scene->bindings().samplers(0)[0].reduction, Reduction::minimum);
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"reduction": "mean"}}})"),
            "samplers.s0.reduction: 'mean' is not a reduction");
  EXPECT_EQ(error_of(R"({"samplers": {"s1": {"reduction": "minimum"}}})"),
            "s1 compares: it has no reduction");
  EXPECT_EQ(error_of(R"({"uavs": {"u0": {"min_lod": 1}}})"), "unknown key 'min_lod' in u0");
}

TEST_F(SceneFiles, UnboundSlotsViewsAndGenerators) {
  const auto scene =
      make(R"({"textures": {"t0": {"generate": "mip-colored", "size": [8, 4], "view_mips": [1, 2]},
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

TEST_F(SceneFiles, ViewsOfVolumesHaveTheSlicesOfTheirFirstMip) {
  ir::Module module;
  ir::parse_or_fail("module pixel 5.0 \"main\"\nresource t0 texture3d float\noutput o0.xyzw\ncode {\n}\n",
                    module);
  Diagnostics diagnostics;
  const auto scene = Scene::make(R"({"textures": {"t0": {"size": [8, 8, 16], "view_mips": [2, 2]}}})",
                                 folder_, module, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics);
  const TextureView& view = scene->bindings().resources(0)[0].texture;
  EXPECT_EQ(view.size(0).depth, 4u);
  EXPECT_EQ(view.slice_count, 4u);
  EXPECT_EQ(Scene::make(R"({"textures": {"t0": {"size": [8, 8, 16], "view_mips": [7, 1]}}})", folder_, module,
                        diagnostics),
            nullptr);
}

TEST_F(SceneFiles, NamesOfFilesMayBeAbsolute) {
  ASSERT_TRUE(write_png(folder_ + "/absolute.png", {1, 1, 8, {255, 0, 0, 255}}, diagnostics_));
  const std::string path = std::filesystem::absolute(folder_ + "/absolute.png").string();
  EXPECT_NE(make(R"({"textures": {"t0": {"png": ")" + path + R"(", "size": [1, 1]}}})"), nullptr)
      << ir::to_text(diagnostics_);
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"png": "/absent.png"}}})"), "/absent.png cannot be read");
}

TEST_F(SceneFiles, TypedViewsHaveTheirFormats) {
  ir::Module module;
  ir::parse_or_fail(
      "module compute 5.0 \"main\"\nthread_group 1 1 1\nuav u0 texture2d float\nuav u1 buffer float\n"
      "uav u2 buffer float\ncode {\n  %0 = surf.atomic u2 buffer float coord(0) value(1) atomic(exchange)\n"
      "  %1 = surf.atomic u1 buffer float coord(0) value(%0) atomic(add)\n}\n",
      module);
  const auto error = [&](const std::string& view, const std::string& format) {
    Diagnostics diagnostics;
    const auto scene = Scene::make(R"({"uavs": {")" + view + R"(": {"format": ")" + format + R"("}}})",
                                   folder_, module, diagnostics);
    return scene != nullptr ? std::string() : std::string(diagnostics.list()[0].message);
  };
  for (const char* format : {"r32g32b32_float", "r8g8b8a8_unorm_srgb", "r9g9b9e5_sharedexp", "d32_float",
                             "d16_unorm", "r24_unorm_x8_typeless"}) {
    EXPECT_EQ(error("u0", format),
              "u0: a typed unordered access view cannot have the format '" + std::string(format) + "'");
    EXPECT_NE(error("u1", format), "");
  }
  for (const char* format : {"r8g8b8a8_unorm", "r11g11b10_float", "r32g32b32a32_float", "r16_float"})
    EXPECT_EQ(error("u0", format), "");
  // Without a format a view has one that its atomic operations take.
  Diagnostics diagnostics;
  const auto scene = Scene::make(R"({"uavs": {"u1": {}, "u2": {}}})", folder_, module, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics);
  EXPECT_EQ(scene->bindings().resources(1)[0].buffer.format, Format::r32_uint);
  EXPECT_EQ(scene->bindings().resources(2)[0].buffer.format, Format::r32_float);
}

TEST_F(SceneFiles, PicturesFillAllSamplesAndNoVolumes) {
  ASSERT_TRUE(write_png(folder_ + "/one.png", {1, 1, 8, {255, 0, 0, 255}}, diagnostics_));
  ir::Module module;
  ir::parse_or_fail(
      "module pixel 5.0 \"main\"\nresource t0 texture2dms float samples(4)\nresource t1 texture3d float\n"
      "output o0.xyzw\ncode {\n}\n",
      module);
  Diagnostics diagnostics;
  const auto scene = Scene::make(R"({"textures": {"t0": {"png": "one.png", "size": [1, 1]}}})", folder_,
                                 module, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics);
  const Texture& samples = *scene->bindings().resources(0)[0].texture.texture;
  for (uint32_t s = 0; s < 4; ++s)
    EXPECT_EQ(samples.read(0, 0, 0, 0, 0, s), (Word4{bits(1), 0, 0, bits(1)})) << s;
  EXPECT_EQ(Scene::make(R"({"textures": {"t1": {"png": "one.png", "size": [1, 1, 2]}}})", folder_, module,
                        diagnostics),
            nullptr);
  ASSERT_FALSE(diagnostics.list().empty());
  EXPECT_EQ(diagnostics.list()[0].message,
            "t1: a 3D texture cannot be a picture; 'raw' gives all its texels");
}

TEST_F(SceneFiles, PicturesOfEightBits) {
  Picture picture{2, 2, 8, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 51}};
  ASSERT_TRUE(write_png(folder_ + "/p.png", picture, diagnostics_));
  Picture back;
  ASSERT_TRUE(read_png(folder_ + "/p.png", back, diagnostics_));
  EXPECT_EQ(back.texels, picture.texels);
  const auto scene = make(R"({"textures": {"t0": {"png": "p.png", "size": [2, 2]},
    "t1": {"png": ["p.png", "p.png"], "size": [2, 2], "slices": 3, "format": "r32g32b32a32_float"}}})");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(texel(*scene, 0, 0, 1, 0), (Word4{0, bits(1), 0, bits(1)}));
  EXPECT_EQ(texel(*scene, 0, 1, 1, 1, 1), (Word4{bits(1), bits(1), bits(1), bits(0.2f)}));
  EXPECT_EQ(texel(*scene, 1, 1, 0, 0, 1)[0], bits(0.5f)) << "mip 1 is the mean of four";
  EXPECT_EQ(texel(*scene, 0, 2, 0, 0, 1)[0], 0u) << "no picture for slice 2";
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"png": "p.png", "size": [4, 2]}}})"),
            folder_ + "/p.png has 2 x 2 texels, but the texture has 4 x 2");
}

TEST_F(SceneFiles, PicturesOfSixteenBits) {
  // A gray PNG of 2 x 1 texels with the values 0x0102 and 0xfffe, as written by another program.
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
  EXPECT_EQ(error_of(R"({"viewport": [-1, 1]})"),
            "item [0] of 'viewport' must be a whole number from 1 to 8192, not -1");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"fromat": "r32_float"}}})"), "unknown key 'fromat' in t0");
  EXPECT_EQ(error_of(R"({"textures": {"t0": 5}})"), "t0 must be an object, not 5");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"format": "r33_float"}}})"),
            "t0: 'r33_float' is not a supported format");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"generate": "plaid"}}})"),
            "t0: 'plaid' is not a generated texture");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"png": "absent.png"}}})"),
            folder_ + "/absent.png cannot be read");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"filter": "cubic"}}})"),
            "samplers.s0.filter: 'cubic' is not a filter");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"address": "fold"}}})"),
            "samplers.s0.address: 'fold' is not an address mode");
  EXPECT_EQ(error_of(R"({"samplers": {"s1": {"comparison": "nearly"}}})"),
            "samplers.s1.comparison: 'nearly' is not a comparison");
  EXPECT_EQ(error_of(R"({"inputs": {"v1": {"constants": [1]}}})"), "unknown key 'constants' in v1");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"view_mips": [6, 4]}}})").empty(), false);
}

TEST_F(SceneFiles, NestingHasALimit) {
  // The scene is the first level and 'kernel', which shaders ignore, the second.
  const auto nested = [](size_t depth) {
    return R"({"kernel": {"x": )" + repeated("[", depth) + repeated("]", depth) + "}}";
  };
  EXPECT_NE(make(nested(62)), nullptr);
  EXPECT_EQ(located_error_of(nested(63)), "1:80 lists and objects are nested more than 64 deep");
  const std::string deep = repeated("[", 100000) + repeated("]", 100000);
  for (const char* key : {"viewport", "kernel", "nothing"}) {
    EXPECT_EQ(error_of("{\"" + std::string(key) + "\": " + deep + "}"),
              "lists and objects are nested more than 64 deep");
  }
  EXPECT_EQ(error_of(repeated("{\"a\":", 100000)), "lists and objects are nested more than 64 deep");
  EXPECT_NE(make("{ /* " + deep.substr(0, 100) + " */ // \" " + deep.substr(0, 100) + "\n}"), nullptr);
  EXPECT_EQ(error_of("{ // \r \"a\": " + deep), "lists and objects are nested more than 64 deep")
      << "for the parser, a carriage return ends a comment";
  EXPECT_EQ(error_of(R"({"\"[[[": ")" + deep.substr(0, 100) + "\"}"), "unknown key '\"[[[' in the scene");
}

TEST_F(SceneFiles, SizesHaveRanges) {
  EXPECT_NE(make(R"({"viewport": [8192, 1], "vertices": 1048576, "samples": 32, "dispatch": [65535, 0]})"),
            nullptr);
  EXPECT_NE(make(R"({"viewport": [1, 8192], "vertices": 1, "samples": 1, "dispatch": [1, 1, 1]})"), nullptr);
  constexpr std::string_view kVertices = "'vertices' must be a whole number from 1 to 1048576, not ";
  for (const char* count : {"2147483647", "1048577", "0", "-1", "64.0", "18446744073709551616"})
    EXPECT_TRUE(error_of(std::string(R"({"vertices": )") + count + "}").starts_with(kVertices)) << count;
  EXPECT_EQ(located_error_of("{\"viewport\":\n [8193, 4]}"),
            "2:3 item [0] of 'viewport' must be a whole number from 1 to 8192, not 8193");
  EXPECT_EQ(located_error_of(R"({"viewport": [4, 0]})"),
            "1:18 item [1] of 'viewport' must be a whole number from 1 to 8192, not 0");
  EXPECT_EQ(error_of(R"({"viewport": [4]})"),
            "'viewport' must be a list of 2 whole numbers, not a list of 1");
  EXPECT_EQ(error_of(R"({"samples": 0})"), "'samples' must be a whole number from 1 to 32, not 0");
  EXPECT_EQ(error_of(R"({"samples": 99})"), "'samples' must be a whole number from 1 to 32, not 99");
  EXPECT_EQ(error_of(R"({"dispatch": [1, 65536]})"),
            "item [1] of 'dispatch' must be a whole number from 0 to 65535, not 65536");
}

TEST_F(SceneFiles, CountsOfResourcesHaveRanges) {
  for (const char* limit : {"1", "16"})
    EXPECT_NE(make(std::string(R"({"samplers": {"s0": {"max_anisotropy": )") + limit + "}}}"), nullptr);
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"max_anisotropy": 0}}})"),
            "'max_anisotropy' of s0 must be a whole number from 1 to 16, not 0");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"max_anisotropy": 17}}})"),
            "'max_anisotropy' of s0 must be a whole number from 1 to 16, not 17");
  EXPECT_EQ(error_of(R"({"textures": {"t0": {"mips": 0}}})"),
            "'mips' of t0 must be a whole number from 1 to 15, not 0");
  EXPECT_EQ(error_of(R"({"uavs": {"u0": {"mips": 2}}})"), "'mips' of u0 must be 1, not 2");
  EXPECT_EQ(located_error_of(R"({"textures": {"t0": {"mips": 8}}})"),
            "1:15 t0: a texture2d of this size cannot have 8 mips");
  EXPECT_EQ(error_of(R"({"textures": {"t1": {"slices": 2049}}})"),
            "'slices' of t1 must be a whole number from 1 to 2048, not 2049");
  EXPECT_EQ(located_error_of(R"({"textures": {"t2": {"elements": 2147483647}}})"),
            "1:22 t2 is too large: 8589934588 bytes of at most 1073741824");
  EXPECT_EQ(diagnostics_.error_count(), 1u);
  EXPECT_EQ(error_of(R"({"textures": {"t2": {"format": "bc1_unorm"}}})"),
            "t2: a buffer cannot have a block-compressed format");
  // A cube array of 1431655766 / 2 cubes would have 2^32 + 2 slices.
  ir::Module cubes;
  ir::parse_or_fail("module pixel 5.0 \"main\"\nresource t0 texturecubearray float\noutput o0.x\ncode {\n}\n",
                    cubes);
  EXPECT_EQ(Scene::make(R"({"textures": {"t0": {"slices": 1431655766}}})", folder_, cubes, diagnostics_),
            nullptr);
}

TEST_F(SceneFiles, InputsMustFitInMemory) {
  ir::Module wide;
  ir::parse_or_fail("module pixel 5.0 \"main\"\ninput v31.x\noutput o0.x\ncode {\n}\n", wide);
  diagnostics_ = Diagnostics();
  EXPECT_EQ(Scene::make(R"({"viewport": [8192, 8192]})", folder_, wide, diagnostics_), nullptr);
  ASSERT_EQ(diagnostics_.list().size(), 1u);
  EXPECT_EQ(diagnostics_.list()[0].message,
            "the inputs take 34359738368 bytes; at most 4294967296 are possible");
}

TEST_F(SceneFiles, SectionsAreObjectsWithSlots) {
  for (const char* section : {"textures", "uavs", "samplers", "constants", "inputs"}) {
    for (const auto& [value, found] :
         std::initializer_list<std::pair<const char*, const char*>>{{"5", "5"},
                                                                    {"\"x\"", "the text 'x'"},
                                                                    {"[1, 2]", "a list of 2"},
                                                                    {"null", "null"},
                                                                    {"true", "true"}}) {
      EXPECT_EQ(located_error_of(std::string("{\"") + section + "\": " + value + "}"),
                std::string("1:2 '") + section + "' must be an object, not " + found);
    }
  }
  EXPECT_EQ(error_of(R"({"kernel": [1]})"), "'kernel' must be an object");
  EXPECT_EQ(error_of(R"({"scatter": 1})"), "'scatter' must be true or false, not 1");
  EXPECT_EQ(located_error_of(R"({"textures": {"u0": {}}})"),
            "1:15 unknown key 'u0' in 'textures': expected t0, t1 ...");
  for (const char* name : {"", "t", "t01", "t0[", "t0[]", "t0[x]", "t[0]", "t0 ", "t-1", "albedo"}) {
    EXPECT_EQ(error_of(std::string("{\"textures\": {\"") + name + "\": {}}}"),
              std::string("unknown key '") + name + "' in 'textures': expected t0, t1 ...");
  }
  EXPECT_EQ(error_of(R"({"inputs": {"v0[1]": {}}})"), "unknown key 'v0[1]' in 'inputs': expected v0, v1 ...");
  EXPECT_EQ(error_of(R"({"samplers": {"s0": {"lod bias": 1}}})"), "unknown key 'lod bias' in s0");
}

TEST_F(SceneFiles, NoKeyIsGivenTwice) {
  EXPECT_EQ(located_error_of(R"({"viewport": [4, 4], "viewport": [8, 8]})"),
            "1:22 'viewport' is given twice");
  EXPECT_EQ(located_error_of("{\"samplers\": {\"s0\": {},\n \"s1\": {}, /* \"s2\": */ \"s0\": {}}}"),
            "2:24 's0' is given twice");
  EXPECT_EQ(located_error_of(R"({"samplers": {"s0": {"bias": 1, "b\u0069as": 2}}, "samplers": {}})"),
            "1:33 'bias' is given twice")
      << "the first of two, and with an escape";
  EXPECT_NE(make(R"({"textures": {"t0": {"size": [4, 4]}, "t1": {"size": [4, 4]}}, "uavs": {}})"), nullptr)
      << "in different objects";
}

TEST_F(SceneFiles, ConstantsAreRowsOfFourNumbers) {
  const auto error = [&](const char* rows) {
    return located_error_of(std::string(R"({"constants": {"cb0": )") + rows + "}}");
  };
  EXPECT_EQ(error("[1, 2, 3, 4]"), "1:24 item [0] of cb0 must be a list of 4 numbers, not 1");
  EXPECT_EQ(error("\"x\""), "1:16 cb0 must be a list of up to 4096 rows of 4 numbers, not the text 'x'");
  EXPECT_EQ(error("{}"), "1:16 cb0 must be a list of up to 4096 rows of 4 numbers, not an object");
  EXPECT_EQ(error("[[[1, 2, 3, 4]]]"), "1:24 item [0] of cb0 must be a list of 4 numbers, not a list of 1");
  EXPECT_EQ(error("[[1, 2]]"), "1:24 item [0] of cb0 must be a list of 4 numbers, not a list of 2");
  EXPECT_EQ(error("[[1, 2, 3, 4, 5]]"), "1:24 item [0] of cb0 must be a list of 4 numbers, not a list of 5");
  // D3D11.3 5.3.4.3.2: of a longer buffer, a shader sees this much.
  const std::string rows = repeated("[1, 2, 3, 4], ", 4095);
  EXPECT_NE(make(R"({"constants": {"cb0": [)" + rows + "[1, 2, 3, 4]]}}"), nullptr);
  EXPECT_EQ(error(("[" + rows + "[1, 2, 3, 4], [1, 2, 3, 4]]").c_str()),
            "1:16 cb0 must be a list of up to 4096 rows of 4 numbers, not a list of 4097");
  EXPECT_EQ(error("[[0, 0, 0, 0], [1, \"q\", 3, 4]]"),
            "1:42 item [1][1] of cb0 must be a number, true or false, not the text 'q'");
  EXPECT_EQ(error("[[1, 2, null, 4]]"), "1:31 item [0][2] of cb0 must be a number, true or false, not null");
  for (const char* number : {"4294967296", "99999999999", "-2147483649"}) {
    EXPECT_EQ(
        error((std::string("[[") + number + ", 0, 0, 0]]").c_str()),
        std::string("1:25 item [0][0] of cb0 must be a whole number from -2147483648 to 4294967295, not ") +
            number);
  }
  EXPECT_EQ(error("[[1e39, 0, 0, 0]]"),
            "1:25 item [0][0] of cb0 must be a number that a 32-bit float can hold, not 1e+39");
  const auto scene = make(
      R"({"constants": {"cb0": [[4294967295, -2147483648, 3.4028234663852886e38, false], [0, 0, 0, 1]]}})");
  ASSERT_NE(scene, nullptr);
  const std::span<const uint32_t> cb0 = scene->bindings().constant_buffers(0)[0];
  EXPECT_EQ(std::vector<uint32_t>(cb0.begin(), cb0.end()),
            (std::vector<uint32_t>{0xffffffffu, 0x80000000u, 0x7f7fffffu, 0, 0, 0, 0, 1}));
  const auto none = make(R"({"constants": {"cb0": []}})");
  ASSERT_NE(none, nullptr);
  EXPECT_TRUE(none->bindings().constant_buffers(0)[0].empty());
}

TEST_F(SceneFiles, ValuesOfTexturesAndBuffersHaveTypes) {
  const auto error = [&](const char* slot, const char* value) {
    return error_of("{\"" + std::string(slot[0] == 'u' ? "uavs" : "textures") + "\": {\"" + slot +
                    "\": " + value + "}}");
  };
  EXPECT_EQ(error("t0", R"({"raw": 5})"), "'raw' of t0 must be a text, not 5");
  EXPECT_EQ(error("t0", R"({"format": 7})"), "'format' of t0 must be a text, not 7");
  EXPECT_EQ(error("t0", R"({"format": ""})"), "t0: '' is not a supported format");
  EXPECT_EQ(error("t0", R"({"generate": ["noise"]})"), "'generate' of t0 must be a text, not a list of 1");
  EXPECT_EQ(error("t0", R"({"size": 8})"), "'size' of t0 must be a list of up to 3 whole numbers, not 8");
  EXPECT_EQ(error("t0", R"({"size": [8, 8.5]})"),
            "item [1] of 'size' of t0 must be a whole number from 0 to 2147483647, not 8.5");
  EXPECT_EQ(error("t0", R"({"mips": null})"), "'mips' of t0 must be a whole number from 1 to 15, not null");
  EXPECT_EQ(error("t0", R"({"view_mips": [1]})"),
            "'view_mips' of t0 must be a list of 2 whole numbers, not a list of 1");
  EXPECT_EQ(error("t0", R"({"png": []})"), "t0: 'png' is an empty list");
  EXPECT_EQ(error("t0", R"({"png": [7]})"), "t0: 'png' must be a file name or a list of file names");
  EXPECT_EQ(error("t0", R"({"png": "a.png", "raw": "a"})"), "t0 must have only one of png, raw and generate");
  EXPECT_EQ(error("t0", R"({"png": "a.png", "generate": "zero"})"),
            "t0 must have only one of png, raw and generate");
  EXPECT_EQ(error("t2", R"({"raw": "a", "words": [1]})"),
            "t2 has all its bytes from 'raw': 'words' and 'generate' change nothing");
  EXPECT_EQ(error("u0", R"({"format": 7})"), "'format' of u0 must be a text, not 7");
  EXPECT_EQ(error("t2", R"({"words": ["a", true, null]})"),
            "item [0] of 'words' of t2 must be a number, true or false, not the text 'a'");
  EXPECT_EQ(error("t2", R"({"words": 5})"), "'words' of t2 must be a list of up to 1024 numbers, not 5");
  EXPECT_EQ(error("t2", R"({"elements": 1, "words": [1, 2, 3, 4, 5]})"),
            "'words' of t2 must be a list of up to 1 numbers, not a list of 5");
  EXPECT_EQ(error("t2", R"({"generate": "checker"})"),
            "textures.t2.generate: 'checker' is not a generated buffer");
  EXPECT_EQ(error("t2", R"({"raw": {}})"), "'raw' of t2 must be a text, not an object");
  EXPECT_EQ(error("t2", R"({"counter": "1"})"),
            "'counter' of t2 must be a whole number from 0 to 4294967295, not the text '1'");
  EXPECT_EQ(located_error_of(R"({"textures": {"t0": {"raw": "absent"}}})"),
            "1:22 " + folder_ + "/absent cannot be read");
}

TEST_F(SceneFiles, ValuesOfSamplersHaveTypes) {
  const auto error = [&](const char* value) {
    return error_of(std::string(R"({"samplers": {"s0": )") + value + "}}");
  };
  EXPECT_EQ(error(R"({"filter": 1})"), "'filter' of s0 must be a text, not 1");
  EXPECT_EQ(error(R"({"lod": 3})"), "'lod' of s0 must be a list of 2 numbers, not 3");
  EXPECT_EQ(error(R"({"lod": [3]})"), "'lod' of s0 must be a list of 2 numbers, not a list of 1");
  EXPECT_EQ(error(R"({"lod": [0, true]})"), "item [1] of 'lod' of s0 must be a number, not true");
  EXPECT_EQ(error(R"({"bias": "1"})"), "'bias' of s0 must be a number, not the text '1'");
  EXPECT_EQ(error(R"({"bias": -1e39})"),
            "'bias' of s0 must be a number that a 32-bit float can hold, not -1e+39");
  EXPECT_EQ(error(R"({"border": "red"})"),
            "'border' of s0 must be a list of up to 4 numbers, not the text 'red'");
  EXPECT_EQ(error(R"({"border": [0, 0, 0, 0, 0]})"),
            "'border' of s0 must be a list of up to 4 numbers, not a list of 5");
  EXPECT_EQ(error(R"({"address": 5})"), "'address' of s0 must be a text, not 5");
  EXPECT_EQ(error(R"({"address": ["wrap", null]})"), "item [1] of 'address' of s0 must be a text, not null");
  EXPECT_EQ(error(R"({"address": ["wrap", "wrap", "wrap", "wrap"]})"),
            "'address' of s0 must be a list of up to 3 address modes, not a list of 4");
  EXPECT_EQ(error(R"({"comparison": 4})"), "'comparison' of s0 must be a text, not 4")
      << "also where the sampler does not compare";
  EXPECT_EQ(error("null"), "s0 must be an object, not null");
  EXPECT_EQ(error(("{\"filter\": [\"" + repeated("x", 41) + "\"]}").c_str()),
            "'filter' of s0 must be a text, not a list of 1");
  EXPECT_EQ(error(("{\"bias\": \"" + repeated("x", 41) + "\"}").c_str()),
            "'bias' of s0 must be a number, not a text");
}

TEST_F(SceneFiles, ValuesOfInputsHaveTypes) {
  const auto error = [&](const char* value) {
    return error_of(std::string(R"({"inputs": {"v1": )") + value + "}}");
  };
  EXPECT_EQ(error(R"({"constant": 5})"), "'constant' of v1 must be a list of up to 4 numbers, not 5");
  EXPECT_EQ(
      error(R"({"constant": [99999999999]})"),
      "item [0] of 'constant' of v1 must be a whole number from -2147483648 to 4294967295, not 99999999999");
  EXPECT_EQ(error(R"({"gradient": [1, "2"]})"),
            "item [1] of 'gradient' of v1 must be a number, not the text '2'");
  EXPECT_EQ(error(R"({"dx": 1})"), "'dx' of v1 must be a list of up to 4 numbers, not 1");
  EXPECT_EQ(error(R"({"values": [1, 2]})"),
            "item [0] of 'values' of v1 must be a list of up to 4 numbers, not 1");
  EXPECT_EQ(error(R"({"values": 7})"), "'values' of v1 must be a list of lists of up to 4 numbers, not 7");
  EXPECT_EQ(error(R"({"values": []})"), "'values' has no values");
  EXPECT_EQ(error(R"({"constant": [1], "dx": [1]})"),
            "v1 must have only one of constant, gradient and values");
}

TEST_F(SceneFiles, EachListReportsItsFirstFaultOnly) {
  EXPECT_EQ(make(R"({"samplers": {"s0": {"border": ["a", "b"], "lod": ["c", "d"]}}})"), nullptr);
  EXPECT_EQ(diagnostics_.error_count(), 2u);
}

TEST_F(SceneFiles, PicturesThatCannotBeWrittenHaveAReason) {
  const Picture picture{1, 1, 8, {1, 2, 3, 4}};
  const std::string path = folder_ + "/absent/p.png";
  EXPECT_FALSE(write_png(path, picture, diagnostics_));
  ASSERT_EQ(diagnostics_.list().size(), 1u);
  EXPECT_EQ(std::string(diagnostics_.list()[0].message),
            path + " cannot be written: No such file or directory");
  EXPECT_FALSE(write_png(folder_ + "/empty.png", Picture{}, diagnostics_));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/empty.png"));
  if (!std::filesystem::exists("/dev/full")) return;
  diagnostics_ = Diagnostics();
  EXPECT_FALSE(write_png("/dev/full", picture, diagnostics_));
  EXPECT_EQ(diagnostics_.list()[0].message, "/dev/full cannot be written: No space left on device");
}

}  // namespace
}  // namespace texlate::sim
