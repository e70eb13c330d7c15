// The executor's side of the TEXS page and the TMML page (docs/reference/seeds.md). A quad of four threads
// loads R4..R7 from its line of memory, runs one texture instruction and stores R8..R11 there.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "tests/unit/sim_maxwell/words.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim::maxwell {
namespace {

using Line = std::array<uint32_t, 4>;
using Quad = std::array<Line, 4>;

constexpr uint64_t kAllLanes = 0x70000;
enum Dim : uint64_t { k1D, kArray1D, k2D, kArray2D, k3D, kCube = 6, kArrayCube };

/// TMML.B.LOD R8, R4, R12, 0x0, dim, mask
uint64_t tmml(Dim dim, uint64_t mask = 15) {
  return uint64_t{0xdf60} << 48 | mask << 31 | dim << 28 | uint64_t{12} << 20 | kAllLanes | 4 << 8 | 8;
}
/// TXQ.B R8, R12, TEX_HEADER_DIMENSION, 0x0, 0xf: of the handle in R12 and level 1 in R13
uint64_t txq() {
  return uint64_t{0xdf50} << 48 | uint64_t{15} << 31 | 1 << 22 | kAllLanes | 12 << 8 | 8;
}
/// TEXS R10, R8, R4, R6, 0x52, ...; the handle is the word of c[0x0] after the parameter
uint64_t texs(uint64_t form, bool half = false, uint64_t mask = 4, uint64_t rd1 = 10) {
  return uint64_t{half ? 0xd0u : 0xd8u} << 56 | form << 53 | mask << 50 | uint64_t{0x52} << 36 | rd1 << 28 |
         uint64_t{6} << 20 | kAllLanes | 4 << 8 | 8;
}
enum TexsForm : uint64_t { kTexs2D = 1, kTexsLl2D = 3, kTexsDc = 4, kTexsLlDc = 5, kTexsLzDc = 6 };

struct TextureBench {
  TextureView view;
  Sampler sampler;
  bool has_texture = true;
  std::string faults = {};

  Quad run(uint64_t instruction, const Quad& lines) {
    constexpr uint64_t kTimes16 = 0x3848000000470002;   // SHL R2, R0, 0x4
    constexpr uint64_t kLoad128 = 0xeed6200000070204;   // LDG.E.128 R4, [R2]
    constexpr uint64_t kStore128 = 0xeede200000070208;  // STG.E.128 [R2], R8
    constexpr uint64_t kHandle = 0x4c9807800527000c;    // MOV R12, c[0x0][0x148]
    constexpr uint64_t kOne = 0x010000000017f00d;       // MOV32I R13, 0x1
    const auto poison = [](uint64_t reg) { return Word{0x010facade007f000 | reg}; };  // MOV32I
    Program program;
    program.words = pack({{word::kThread, 2, 0, 0},
                          {kTimes16, 15, 1},
                          {word::kZeroR0},
                          {word::kAddLow},
                          {word::kAddHigh},
                          {kLoad128, 15, 0, 0},
                          poison(8),
                          poison(9),
                          poison(10),
                          poison(11),
                          {kHandle},
                          {kOne},
                          {instruction, 15, 1, 0},
                          {kStore128, 15, 1, 7, 1},
                          {word::kExit}});
    program.registers = 16;
    Machine machine(program);
    Quad memory = lines;
    const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(memory)));
    uint32_t handle = has_texture ? machine.add_texture({view}) : 77;
    handle |= machine.add_sampler(sampler) << 20;
    std::array<std::byte, 12> parameters;
    std::memcpy(parameters.data(), &address, 8);
    std::memcpy(parameters.data() + 8, &handle, 4);
    faults = machine.launch({1, 1, 1}, {4, 1, 1}, parameters).describe();
    return memory;
  }
};

/// The coordinates (s, t, r) of a quad from those of its first pixel and their derivatives.
Quad quad(std::array<float, 3> at, std::array<float, 3> dx, std::array<float, 3> dy, bool array = false) {
  Quad lines{};
  for (size_t lane = 0; lane < 4; ++lane) {
    for (size_t axis = 0; axis < 3; ++axis) {
      float value = at[axis];
      if ((lane & 1) != 0) value += dx[axis];
      if ((lane & 2) != 0) value += dy[axis];
      lines[lane][axis + (array ? 1 : 0)] = f(value);
    }
  }
  return lines;
}

Sampler linear_mips() {
  Sampler sampler;
  sampler.mip_filter = Filter::linear;
  return sampler;
}

uint32_t fixed(double value, int fraction, uint32_t mask) {
  return static_cast<uint32_t>(static_cast<int32_t>(std::nearbyint(std::ldexp(value, fraction)))) & mask;
}

TEST(TmmlPage, LevelsAndAxes) {
  Texture texture = make_texture({Dimension::texture2d, Format::r8_unorm, {64, 32, 1}, 0});
  TextureBench bench{TextureView::whole(texture), linear_mips()};
  // 8 texels along u, 2 along v: LOD 3; major (1, 0); minor / major = 1/4.
  Line r = bench.run(tmml(k2D), quad({}, {0.125f, 0, 0}, {0, 0.0625f, 0}))[0];
  EXPECT_EQ(bench.faults, "");
  EXPECT_EQ(r, (Line{fixed(3, 8, 0xffff), fixed(3, 8, 0xffff), 0x0040, fixed(-2, 12, 0xffff)}));
  // The longer derivative is the second one and points to (-3, 4) texels: length 5.
  r = bench.run(tmml(k2D), quad({0.5f, 0.5f, 0}, {1.0f / 64, 0, 0}, {-3.0f / 64, 4.0f / 32, 0}))[0];
  EXPECT_EQ(r[0], fixed(std::log2(5.0), 8, 0xffff));
  EXPECT_EQ(r[2], fixed(-0.6, 6, 0xff) | fixed(0.8, 6, 0xff) << 8);
  EXPECT_EQ(r[3], fixed(std::log2(4.0 / 25), 12, 0xffff));
  // A footprint of one texel: LOD 0, isotropic.
  r = bench.run(tmml(k2D), quad({}, {1.0f / 64, 0, 0}, {0, 1.0f / 32, 0}))[0];
  EXPECT_EQ(r, (Line{0, 0, 0x0040, 0}));
}

TEST(TmmlPage, RangesOfTheResults) {
  Texture texture = make_texture({Dimension::texture2d, Format::r8_unorm, {64, 64, 1}, 3});
  TextureBench bench{TextureView::whole(texture), linear_mips()};
  bench.sampler.min_lod = 1;
  // The unclamped LOD is negative in S8.8; the clamped one obeys the sampler. No high bits.
  Line r = bench.run(tmml(k2D), quad({}, {1.0f / 256, 0, 0}, {0, 1.0f / 256, 0}))[0];
  EXPECT_EQ(r, (Line{0xfe00, 0x0100, 0x0040, 0}));
  // Larger than the last mip.
  r = bench.run(tmml(k2D), quad({}, {0.5f, 0, 0}, {0, 0.5f, 0}))[0];
  EXPECT_EQ(r, (Line{0x0500, 0x0200, 0x0040, 0}));
  // Derivatives in one direction: the minor axis has no length, and S4.12 ends at -8.
  r = bench.run(tmml(k2D), quad({}, {0, -0.5f, 0}, {0, 0.25f, 0}))[0];
  EXPECT_EQ(r[2], 0xc000u);
  EXPECT_EQ(r[3], 0x8000u);
  // No derivatives at all: no direction.
  r = bench.run(tmml(k2D), quad({0.5f, 0.5f, 0}, {}, {}))[0];
  EXPECT_EQ(r, (Line{0x8000, 0x0100, 0, 0}));
}

TEST(TmmlPage, ResultsArePackedByTheMask) {
  Texture texture = make_texture({Dimension::texture2d, Format::r8_unorm, {64, 32, 1}, 0});
  TextureBench bench{TextureView::whole(texture), linear_mips()};
  const Quad lines = quad({}, {0.125f, 0, 0}, {0, 0.0625f, 0});
  const Line all = bench.run(tmml(k2D), lines)[0];
  const Line alpha = bench.run(tmml(k2D, 8), lines)[0];
  EXPECT_EQ(alpha[0], all[3]);
  EXPECT_EQ(alpha[1], alpha[2]);  // untouched registers
  const Line blue_red = bench.run(tmml(k2D, 5), lines)[0];
  EXPECT_EQ(blue_red[0], all[0]);
  EXPECT_EQ(blue_red[1], all[2]);
  EXPECT_EQ(blue_red[2], alpha[1]);
}

TEST(TmmlPage, ArraysAndPlainTexturesMayBeMixed) {
  struct Case {
    Dimension dimension;
    Dim plain, array;
  };
  for (const Case& c : {Case{Dimension::texture1d, k1D, kArray1D},
                        {Dimension::texture1d_array, k1D, kArray1D},
                        {Dimension::texture2d, k2D, kArray2D},
                        {Dimension::texture2d_array, k2D, kArray2D},
                        {Dimension::texture_cube, kCube, kArrayCube},
                        {Dimension::texture_cube_array, kCube, kArrayCube}}) {
    const bool cube = c.plain == kCube;
    const uint32_t layers = cube ? 12 : 2;
    const bool array = c.dimension == Dimension::texture1d_array ||
                       c.dimension == Dimension::texture2d_array ||
                       c.dimension == Dimension::texture_cube_array;
    Texture texture = make_texture({c.dimension,
                                    Format::r8_unorm,
                                    {32, c.plain == k1D ? 1u : 32u, 1},
                                    0,
                                    array  ? layers
                                    : cube ? 6u
                                           : 1u});
    TextureBench bench{TextureView::whole(texture), linear_mips()};
    const std::array<float, 3> at{1, 0.25f, 0.25f}, dx{0, 0.25f, 0}, dy{0.125f, 0, 0.5f};
    const Line plain = bench.run(tmml(c.plain), quad(at, dx, dy))[0];
    EXPECT_EQ(bench.faults, "");
    const Line mixed = bench.run(tmml(c.array), quad(at, dx, dy, true))[0];
    EXPECT_EQ(bench.faults, "");
    EXPECT_EQ(plain, mixed) << static_cast<int>(c.dimension);
    EXPECT_NE(plain[0], 0u);
  }
}

// Layers follow the axes, and the header of a cube array counts cubes (docs/reference/maxwell.md 3, TXQ).
TEST(Txq, SizesLayersAndMips) {
  struct Case {
    Dimension dimension;
    Extent size;
    uint32_t slices;
    Line expected;
  };
  for (const Case& c : {Case{Dimension::texture1d_array, {16, 1, 1}, 5, {8, 5, 0, 3}},
                        {Dimension::texture2d_array, {16, 8, 1}, 5, {8, 4, 5, 3}},
                        {Dimension::texture3d, {16, 8, 4}, 1, {8, 4, 2, 3}},
                        {Dimension::texture_cube_array, {16, 16, 1}, 12, {8, 8, 2, 3}}}) {
    Texture texture = make_texture({c.dimension, Format::r8_unorm, c.size, 3, c.slices});
    TextureBench bench{TextureView::whole(texture), {}};
    EXPECT_EQ(bench.run(txq(), {})[0], c.expected) << static_cast<int>(c.dimension);
    EXPECT_EQ(bench.faults, "");
  }
}

TEST(TmmlPage, AnotherDimensionGivesZeros) {
  struct Case {
    Dimension dimension;
    Dim fits;
    uint32_t layers, samples;
  };
  for (const Case& c : {Case{Dimension::texture1d, k1D, 1, 1},
                        {Dimension::texture2d, k2D, 1, 1},
                        {Dimension::texture3d, k3D, 1, 1},
                        {Dimension::texture_cube, kCube, 6, 1},
                        {Dimension::texture2dms, kArrayCube, 1, 4}}) {
    const bool one = c.dimension == Dimension::texture1d;
    Texture texture = make_texture({c.dimension,
                                    Format::r8_unorm,
                                    {16, one ? 1u : 16u, c.dimension == Dimension::texture3d ? 16u : 1u},
                                    1,
                                    c.layers,
                                    c.samples});
    TextureBench bench{TextureView::whole(texture), linear_mips()};
    for (const Dim dim : {k1D, k2D, k3D, kCube}) {
      const Line r = bench.run(tmml(dim), quad({1, 0.25f, 0.25f}, {0, 0.25f, 0}, {0.125f, 0, 0.5f}))[0];
      EXPECT_EQ(bench.faults, "");
      EXPECT_EQ(r == Line{}, dim != c.fits) << static_cast<int>(c.dimension) << " " << dim;
    }
  }
}

TEST(TmmlPage, CubesAndVolumes) {
  Texture cube = make_texture({Dimension::texture_cube, Format::r8_unorm, {64, 64, 1}, 0, 6});
  TextureBench bench{TextureView::whole(cube), linear_mips()};
  // Face +X: u runs against z, v against y, over two units for 64 texels.
  Line r = bench.run(tmml(kCube), quad({1, 0, 0}, {0, 0, -0.25f}, {0, -0.125f, 0}))[0];
  EXPECT_EQ(r, (Line{0x0300, 0x0300, 0x0040, fixed(-1, 12, 0xffff)}));
  Texture volume = make_texture({Dimension::texture3d, Format::r8_unorm, {64, 64, 64}, 0});
  bench.view = TextureView::whole(volume);
  r = bench.run(tmml(k3D), quad({}, {0, 0, 0.125f}, {0, 0.0625f, 0}))[0];
  EXPECT_EQ(r, (Line{0x0300, 0x0300, 0, fixed(-1, 12, 0xffff)}));  // the major axis is r, which has no place
}

TEST(TexsPage, ComparisonAndTheSamplersState) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {1, 1, 1}});
  texture.write(0, 0, 0, 0, 0, {f(0.25f), 0, 0, 0});
  TextureBench bench{TextureView::whole(texture), {}};
  bench.sampler.comparison = Comparison::less;
  const auto value = [&](uint64_t form, bool sampler_compares, float reference) {
    bench.sampler.reduction = sampler_compares ? Reduction::comparison : Reduction::standard;
    Quad lines{};
    const bool has_lod = form == kTexsLlDc;
    for (Line& line : lines)
      line = {f(0.5f), f(0.5f), has_lod ? 0 : f(reference), has_lod ? f(reference) : 0};
    const Line r = bench.run(texs(form), lines)[0];
    EXPECT_EQ(bench.faults, "");
    return r;
  };
  // 0.125 < 0.25 passes, 0.75 does not; the result is in R, G and B, and A is 1.
  const Line passed{f(1), f(1), f(1), f(1)}, failed{0, 0, 0, f(1)};
  for (const bool sampler_compares : {false, true}) {
    for (const uint64_t form : {kTexsDc, kTexsLzDc}) {
      EXPECT_EQ(value(form, sampler_compares, 0.125f), passed) << form << sampler_compares;
      EXPECT_EQ(value(form, sampler_compares, 0.75f), failed) << form << sampler_compares;
    }
  }
  EXPECT_EQ(value(kTexsLlDc, true, 0.125f), passed);
  EXPECT_EQ(value(kTexsLlDc, true, 0.75f), failed);
  // A sampler without comparison is not forced by .LL.DC: the texel.
  EXPECT_EQ(value(kTexsLlDc, false, 0.75f), (Line{f(0.25f), 0, 0, f(1)}));
}

TEST(TexsPage, LevelsCountFromTheViewsFirstMip) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {8, 8, 1}, 4});
  fill(texture);
  TextureBench bench{TextureView::whole(texture), {}};
  bench.view.first_mip = 1;
  bench.view.mip_count = 3;
  for (uint32_t level = 0; level < 3; ++level) {
    Quad lines{};
    for (Line& line : lines) line = {0, 0, f(static_cast<float>(level)), 0};
    EXPECT_EQ(bench.run(texs(kTexsLl2D), lines)[0][0], texel_value(level + 1, 0, 0, 0, 0, 0, false)[0])
        << level;
  }
}

TEST(TexsPage, HalvesFillWholeRegisters) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32g32b32a32_float, {1, 1, 1}});
  texture.write(0, 0, 0, 0, 0, {f(1), f(2), f(4), f(8)});
  TextureBench bench{TextureView::whole(texture), {}};
  Quad lines{};
  for (Line& line : lines) line = {f(0.5f), f(0.5f), f(0.5f), 0};
  constexpr uint32_t k1 = 0x3c00, k2 = 0x4000, k4 = 0x4400, k8 = 0x4800;
  const auto low_high = [&](uint64_t mask, uint64_t rd1) {
    const Line r = bench.run(texs(kTexs2D, true, mask, rd1), lines)[0];
    EXPECT_EQ(bench.faults, "");
    return std::pair(r[0], r[2]);
  };
  EXPECT_EQ(low_high(4, 10), std::pair(k1 | k2 << 16, k4 | k8 << 16));  // RGBA
  EXPECT_EQ(low_high(2, 10), std::pair(k1 | k4 << 16, k8));             // RBA
  EXPECT_EQ(low_high(7, 255).first, k4 | k8 << 16);                     // BA
  EXPECT_EQ(low_high(3, 255).first, k8);                                // A
}

TEST(TexsPage, HalvesOfIntegersAreReported) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_uint, {1, 1, 1}});
  TextureBench bench{TextureView::whole(texture), {}};
  bench.run(texs(kTexs2D, true), Quad{});
  EXPECT_NE(bench.faults.find("half-precision results of an integer texture"), std::string::npos)
      << bench.faults;
}

TEST(TexsPage, PointersBeyondTheirPools) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {1, 1, 1}});
  TextureBench bench{TextureView::whole(texture), {}};
  bench.has_texture = false;
  bench.run(texs(kTexs2D), Quad{});
  EXPECT_NE(bench.faults.find("does not refer to a texture header"), std::string::npos) << bench.faults;
}

}  // namespace
}  // namespace texlate::sim::maxwell
