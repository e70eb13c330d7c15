// The test vectors of docs/reference/direct3d.md 1.7 from listing to result. Each is a shader with one
// instruction, which is read, lowered, and run by all routes: the interpreter on the contract and on the
// legalized module, the machine on the kernel. The expected texels are given here, not computed by the
// texture unit.
#include <fmt/format.h>

#include <optional>

#include "tests/support/routes.h"
#include "tests/unit/texture_unit/texture_fixture.h"
#include "tools/executor/shader.h"

namespace texlate {
namespace {

using sim::Dimension;
using sim::Format;
using sim::Word4;

constexpr uint32_t kOne = 0x3f800000u;

struct Texel {
  uint32_t mip, slice, x, y;
};
using Want = std::optional<Texel>;  // nothing: the out-of-bounds value
constexpr std::nullopt_t kOutside = std::nullopt;

/// One instruction that reads v0 (integers) or v1 (floats) into r0 from t0 and s0.
std::string listing(std::string_view dimension, std::string_view type, std::string_view instruction) {
  return fmt::format(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_default\n"
      "dcl_resource_{0} ({1},{1},{1},{1}) t0\ndcl_input_ps constant v0.xyzw\ndcl_input_ps constant v1.xyzw\n"
      "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.xyzw, l(7,8,9,10)\n{2}\nmov o0.xyzw, r0.xyzw\nret\n",
      dimension, type, instruction);
}

/// `name` as in ld_indexable; all components of t0, unswizzled.
std::string reads(std::string_view name, std::string_view dimension, std::string_view type,
                  std::string_view address, std::string_view sampler = {}) {
  return listing(dimension, type,
                 fmt::format("{0}({1})({2},{2},{2},{2}) r0.xyzw, {3}, t0.xyzw{4}", name, dimension, type,
                             address, sampler));
}

/// Four pixels with the same inputs; each of them must read `expected` by every route.
void expect_word4(const std::string& text, const sim::TextureView& view, const Word4& integers,
                  const std::array<float, 4>& floats, const Word4& expected) {
  SCOPED_TRACE(text);
  executor::Shader shader;
  Diagnostics diagnostics;
  ASSERT_TRUE(executor::load_shader(text, shader, {}, diagnostics)) << ir::to_text(diagnostics, text);
  Routes routes(ir::to_text(shader.contract));
  sim::Bindings bindings(routes.module());
  bindings.resources(0)[0].texture = view;
  if (!routes.module().samplers.empty()) {
    bindings.samplers(0)[0].min_filter = bindings.samplers(0)[0].mag_filter = sim::Filter::point;
    bindings.samplers(0)[0].address.fill(sim::AddressMode::wrap);
  }
  std::vector<uint32_t> planes;
  for (uint32_t word : integers) planes.insert(planes.end(), 4, word);
  for (float value : floats) planes.insert(planes.end(), 4, std::bit_cast<uint32_t>(value));
  sim::StreamLaunch launch;
  launch.count = 4;
  launch.inputs = planes;
  const Routes::Outputs outputs = routes.run(bindings, launch);
  std::vector<uint32_t> wanted;
  for (uint32_t word : expected) wanted.insert(wanted.end(), 4, word);
  EXPECT_EQ(outputs.contract, wanted);
  EXPECT_EQ(outputs.legal, wanted);
  EXPECT_EQ(outputs.machine, wanted);
  EXPECT_EQ(outputs.undefined, (std::vector<uint32_t>(4, 0)));
}

sim::Texture filled(Dimension dimension, Format format, sim::Extent size, uint32_t mips, uint32_t slices) {
  sim::Texture texture = sim::make_texture({dimension, format, size, mips, slices});
  sim::fill(texture);
  return texture;
}

/// For RGBA32F or R32F: the texel, or the out-of-bounds value.
Word4 value_of(const Want& want, Format format) {
  const bool red = format == Format::r32_float;
  if (!want) return {0, 0, 0, red ? kOne : 0};
  const Word4 texel = sim::texel_value(want->mip, want->slice, want->x, want->y, 0, 0, false);
  return red ? Word4{texel[0], 0, 0, kOne} : texel;
}

constexpr Format kBothFormats[] = {Format::r32g32b32a32_float, Format::r32_float};

struct Vector {
  const char* offset;  // as in the mnemonic; empty: none
  Word4 address;
  Want want;
};

// T = Texture2D, 4x4, 3 mips. 77 in z: z is ignored.
const Vector kVectors[] = {
    {"", {0, 0, 77, 0}, Texel{0, 0, 0, 0}},
    {"", {3, 3, 77, 0}, Texel{0, 0, 3, 3}},
    {"", {4, 0, 77, 0}, kOutside},
    {"", {0xffffffffu, 0, 77, 0}, kOutside},
    {"(-1,0,0)", {0, 0, 77, 0}, kOutside},
    {"(1,0,0)", {0xffffffffu, 2, 77, 0}, Texel{0, 0, 0, 2}},
    {"", {1, 0, 77, 1}, Texel{1, 0, 1, 0}},
    {"", {2, 0, 77, 1}, kOutside},
    {"(1,1,0)", {0, 0, 77, 1}, Texel{1, 0, 1, 1}},
    {"(2,0,0)", {0, 0, 77, 1}, kOutside},
    {"", {0, 0, 77, 2}, Texel{2, 0, 0, 0}},
    {"", {0, 0, 77, 3}, kOutside},
    {"", {0, 0, 77, 0xffffffffu}, kOutside},
    {"(0,0,5)", {0, 0, 77, 0}, Texel{0, 0, 0, 0}},
};

std::string ld_text(std::string_view dimension, std::string_view type, std::string_view offset) {
  const std::string name = offset.empty() ? "ld_indexable" : fmt::format("ld_aoffimmi_indexable{}", offset);
  return reads(name, dimension, type, "v0.xyzw");
}

TEST(FetchVectors, Texture2D) {
  for (Format format : kBothFormats) {
    sim::Texture texture = filled(Dimension::texture2d, format, {4, 4, 1}, 3, 1);
    for (const Vector& vector : kVectors) {
      const std::string text = ld_text("texture2d", "float", vector.offset);
      expect_word4(text, sim::TextureView::whole(texture), vector.address, {}, value_of(vector.want, format));
      expect_word4(text, {}, vector.address, {}, {0, 0, 0, 0});
    }
  }
  fmt::print("{} vectors, bound and not, each by 3 routes\n", 2 * std::size(kVectors));
}

TEST(FetchVectors, OutOfBoundsAlphaOfIntegersIsOne) {
  sim::Texture texture = filled(Dimension::texture2d, Format::r16g16_uint, {4, 4, 1}, 1, 1);
  expect_word4(ld_text("texture2d", "uint", ""), sim::TextureView::whole(texture), {9, 9, 0, 0}, {},
               {0, 0, 0, 1});
}

TEST(FetchVectors, SlicesAreNeitherClampedNorOffset) {
  for (Format format : kBothFormats) {
    sim::Texture planes = filled(Dimension::texture2d_array, format, {4, 4, 1}, 1, 2);
    const sim::TextureView view = sim::TextureView::whole(planes);
    expect_word4(ld_text("texture2darray", "float", ""), view, {0, 0, 2, 0}, {}, value_of(kOutside, format));
    expect_word4(ld_text("texture2darray", "float", "(0,0,1)"), view, {0, 0, 0, 0}, {},
                 value_of(Texel{0, 0, 0, 0}, format));
    sim::Texture lines = filled(Dimension::texture1d_array, format, {4, 1, 1}, 1, 2);
    for (uint32_t slice : {0u, 1u}) {
      expect_word4(ld_text("texture1darray", "float", "(0,1,0)"), sim::TextureView::whole(lines),
                   {0, slice, 0, 0}, {}, value_of(Texel{0, slice, 0, 0}, format));
    }
  }
}

// All bounds are those of the view, not of the resource (1.1).
TEST(FetchVectors, BoundsAreTheViews) {
  for (Format format : kBothFormats) {
    sim::Texture texture = filled(Dimension::texture2d_array, format, {8, 8, 1}, 4, 6);
    sim::TextureView view = sim::TextureView::whole(texture);
    view.first_mip = 1, view.mip_count = 2, view.first_slice = 2, view.slice_count = 3;
    const std::pair<Word4, Want> vectors[] = {
        {{3, 3, 0, 0}, Texel{1, 2, 3, 3}}, {{4, 3, 0, 0}, kOutside}, {{1, 1, 2, 1}, Texel{2, 4, 1, 1}},
        {{2, 0, 2, 1}, kOutside},          {{0, 0, 3, 0}, kOutside}, {{0, 0, 0, 2}, kOutside},
    };
    for (const auto& [address, want] : vectors) {
      expect_word4(ld_text("texture2darray", "float", ""), view, address, {}, value_of(want, format));
    }
    const std::string sampled =
        reads("sample_l_indexable", "texture2darray", "float", "v1.xyzx", ", s0, v1.w");
    // Slices clamp to the view's, and level 9 is its last mip.
    expect_word4(sampled, view, {}, {0.4f, 0.4f, 7.0f, 9.0f}, value_of(Texel{2, 4, 0, 0}, format));
    expect_word4(sampled, view, {}, {0.4f, 0.4f, -7.0f, 0.0f}, value_of(Texel{1, 2, 1, 1}, format));
  }
}

TEST(FetchVectors, SwizzleOfTheResourceAndMaskOfTheDestination) {
  const std::string text = listing(
      "texture2d", "float", "ld_indexable(texture2d)(float,float,float,float) r0.zw, v0.xyzw, t0.yxwz");
  for (Format format : kBothFormats) {
    sim::Texture texture = filled(Dimension::texture2d, format, {4, 4, 1}, 1, 1);
    const Word4 texel = value_of(Texel{0, 0, 2, 1}, format);
    expect_word4(text, sim::TextureView::whole(texture), {2, 1, 0, 0}, {}, {7, 8, texel[3], texel[2]});
  }
}

TEST(FetchVectors, DenormalsAndSignallingNansKeepTheirBits) {
  for (Format format : kBothFormats) {
    sim::Texture texture = sim::make_texture({Dimension::texture2d, format, {4, 4, 1}, 1});
    const bool red = format == Format::r32_float;
    for (uint32_t word : {1u, 0x807fffffu, 0x7fa00001u, 0xffc12345u}) {
      texture.write(0, 0, 0, 0, 0, {word, word, word, word});
      const Word4 expected = red ? Word4{word, 0, 0, kOne} : Word4{word, word, word, word};
      expect_word4(ld_text("texture2d", "float", ""), sim::TextureView::whole(texture), {}, {}, expected);
    }
  }
}

// The same table for `sample`, point and wrap.
TEST(FetchVectors, SamplesWrapAndClampTheirSlice) {
  for (Format format : kBothFormats) {
    sim::Texture plane = filled(Dimension::texture2d, format, {4, 4, 1}, 1, 1);
    const std::string moved =
        reads("sample_aoffimmi_indexable(-1,0,0)", "texture2d", "float", "v1.xyxx", ", s0");
    expect_word4(moved, sim::TextureView::whole(plane), {}, {0.125f, 0.125f},
                 value_of(Texel{0, 0, 3, 0}, format));
    expect_word4(moved, {}, {}, {0.125f, 0.125f}, {0, 0, 0, 0});
    sim::Texture planes = filled(Dimension::texture2d_array, format, {4, 4, 1}, 1, 2);
    const std::string sliced = reads("sample_indexable", "texture2darray", "float", "v1.xyzx", ", s0");
    for (const auto& [index, slice] : {std::pair{1.5f, 1u}, {-3.0f, 0u}, {0.5f, 0u}, {1.0f, 1u}}) {
      expect_word4(sliced, sim::TextureView::whole(planes), {}, {0.125f, 0.125f, index},
                   value_of(Texel{0, slice, 0, 0}, format));
    }
  }
}

}  // namespace
}  // namespace texlate
