// All sample instructions: address modes, filters, LOD, comparison, gather.
#include "sim/texture_unit/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "sim/texture_unit/address.h"
#include "sim/texture_unit/filter.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

constexpr AddressMode kModes[] = {AddressMode::wrap, AddressMode::mirror, AddressMode::clamp,
                                  AddressMode::border, AddressMode::mirror_once};

Sampler sampler_of(AddressMode mode, Filter filter) {
  Sampler sampler;
  sampler.address = {mode, mode, mode};
  sampler.min_filter = sampler.mag_filter = filter;
  return sampler;
}

SampleOperands at_level(std::array<float, 4> coordinate, float level, TexelOffset offset = {}) {
  SampleOperands operands;
  operands.coordinate = coordinate;
  operands.lod_source = LodSource::level;
  operands.lod = level;
  operands.offset = offset;
  return operands;
}

float red(const TextureView& view, const Sampler& sampler, const SampleOperands& operands) {
  Access access;
  return number(sample(view, sampler, operands, {}, access)[0]);
}

struct SampleTest : testing::Test {
  Texture texture = make_texture({Dimension::texture2d, Format::r32g32b32a32_float, {4, 4, 1}, 3});
  TextureView view;
  SampleTest() {
    fill(texture);
    view = TextureView::whole(texture);
  }
  float texel(int mip, int x, int y) { return number(texel_value(mip, 0, x, y, 0, 0, false)[0]); }
};

// Address modes compared with pictures of the infinite row: reflect by walking step by step.
TEST(AddressModes, AgainstBruteForce) {
  for (int64_t n = 1; n <= 7; ++n) {
    for (int64_t t = -40; t <= 40; ++t) {
      int64_t wrap = t;
      while (wrap < 0) wrap += n;
      while (wrap >= n) wrap -= n;
      int64_t mirror = t;
      while (mirror < 0 || mirror >= n) mirror = mirror < 0 ? -mirror - 1 : 2 * n - 1 - mirror;
      const int64_t clamped = t < 0 ? 0 : t >= n ? n - 1 : t;
      const int64_t folded = t < 0 ? -t - 1 : t;
      EXPECT_EQ(apply_address_mode(AddressMode::wrap, t, n), wrap);
      EXPECT_EQ(apply_address_mode(AddressMode::mirror, t, n), mirror) << t << " of " << n;
      EXPECT_EQ(apply_address_mode(AddressMode::clamp, t, n), clamped);
      EXPECT_EQ(apply_address_mode(AddressMode::mirror_once, t, n), folded >= n ? n - 1 : folded);
      EXPECT_EQ(apply_address_mode(AddressMode::border, t, n), t < 0 || t >= n ? kBorderTexel : t);
    }
  }
}

TEST(FixedPoint, RoundsToEvenClampsAndDropsNan) {
  EXPECT_EQ(to_fixed(0.5, 16, 0), 0);
  EXPECT_EQ(to_fixed(1.5, 16, 0), 2);
  EXPECT_EQ(to_fixed(kNan, 16, 8), 0);
  EXPECT_EQ(to_fixed(kInf, 16, 8), (1 << 23) - 1);
  EXPECT_EQ(to_fixed(-kInf, 16, 8), -(1 << 23));
}

TEST_F(SampleTest, OffsetComesBeforeTheAddressMode) {
  const SampleOperands left = at_level({0, 0, 0, 0}, 0, {-1, 0, 0});
  EXPECT_EQ(red(view, sampler_of(AddressMode::wrap, Filter::point), left), texel(0, 3, 0));
  EXPECT_EQ(red(view, sampler_of(AddressMode::clamp, Filter::point), left), texel(0, 0, 0));
  EXPECT_EQ(red(view, sampler_of(AddressMode::mirror, Filter::point), left), texel(0, 0, 0));
  Sampler border = sampler_of(AddressMode::border, Filter::point);
  border.border = {0.25f, 0, 0, 0};
  EXPECT_EQ(red(view, border, left), 0.25f);
}

TEST_F(SampleTest, TexelCentresAreExact) {
  for (AddressMode mode : kModes) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 4; ++x) {
        const SampleOperands operands = at_level({(x + 0.5f) / 4, (y + 0.5f) / 4, 0, 0}, 0);
        EXPECT_EQ(red(view, sampler_of(mode, Filter::linear), operands), texel(0, x, y));
        EXPECT_EQ(red(view, sampler_of(mode, Filter::point), operands), texel(0, x, y));
      }
    }
  }
}

TEST_F(SampleTest, LinearWeightsHaveEightBits) {
  const Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  EXPECT_EQ(red(view, sampler, at_level({0.25f, 0.125f, 0, 0}, 0)), (texel(0, 0, 0) + texel(0, 1, 0)) / 2);
  // 3/8 of a texel past the center of texel 1, snapped: weight 96/256.
  EXPECT_EQ(red(view, sampler, at_level({(1.875f + 0.0004f) / 4, 0.125f, 0, 0}, 0)),
            texel(0, 1, 0) * 0.625f + texel(0, 2, 0) * 0.375f);
}

TEST_F(SampleTest, PointSnapsBelowABoundaryOnlyWhenAsked) {
  const SampleOperands operands = at_level({(1.0f - 1.0f / 1024) / 4, 0.125f, 0, 0}, 0);
  Access access;
  UnitOptions options;
  const Sampler sampler = sampler_of(AddressMode::clamp, Filter::point);
  EXPECT_EQ(number(sample(view, sampler, operands, options, access)[0]), texel(0, 1, 0));
  options.snap_point = false;
  EXPECT_EQ(number(sample(view, sampler, operands, options, access)[0]), texel(0, 0, 0));
}

TEST_F(SampleTest, NanAndInfinityChooseTexelZeroOrAnEdge) {
  EXPECT_EQ(red(view, sampler_of(AddressMode::wrap, Filter::point), at_level({kNan, kInf, 0, 0}, 0)),
            texel(0, 0, 0));
  EXPECT_EQ(red(view, sampler_of(AddressMode::clamp, Filter::point), at_level({kInf, -kInf, 0, 0}, 0)),
            texel(0, 3, 0));
}

TEST_F(SampleTest, ConstantTextureStaysConstant) {
  const float value = 0.1f;
  Texture constant = make_texture({Dimension::texture3d, Format::r32_float, {8, 4, 2}, 4});
  for (size_t i = 0; i < constant.memory().size(); i += 4)
    std::memcpy(constant.memory().data() + i, &value, 4);
  const TextureView all = TextureView::whole(constant);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> coordinate(-3, 3), level(-1, 5);
  for (int i = 0; i < 5000; ++i) {
    Sampler sampler = sampler_of(kModes[i % 3], i % 2 != 0 ? Filter::linear : Filter::point);
    sampler.mip_filter = Filter::linear;
    ASSERT_EQ(red(all, sampler,
                  at_level({coordinate(random), coordinate(random), coordinate(random), 0}, level(random))),
              value);
  }
}

TEST_F(SampleTest, MipChoice) {
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::point);
  const auto level = [&](float lod) { return red(view, sampler, at_level({0.125f, 0.125f, 0, 0}, lod)); };
  EXPECT_EQ(level(0.49f), texel(0, 0, 0));
  EXPECT_EQ(level(0.5f), texel(1, 0, 0)) << "Direct3D: floor(LOD + 0.5)";
  EXPECT_EQ(level(1.6f), texel(2, 0, 0));
  EXPECT_EQ(level(9.0f), texel(2, 0, 0));
  EXPECT_EQ(level(-kInf), texel(0, 0, 0));
  EXPECT_EQ(level(kNan), texel(2, 0, 0)) << "a NaN LOD turns into MaxLOD";
  sampler.mip_filter = Filter::linear;
  EXPECT_EQ(level(0.25f), texel(0, 0, 0) * 0.75f + texel(1, 0, 0) * 0.25f);
  sampler.mip_lod_bias = 1.0f;
  EXPECT_EQ(level(0.0f), texel(1, 0, 0)) << "bias moves an explicit level";
  sampler.max_lod = 0.5f, sampler.min_lod = 2.0f;
  EXPECT_EQ(level(0.0f), texel(2, 0, 0)) << "MinLOD wins over a smaller MaxLOD";
}

TEST_F(SampleTest, MagnifyAndMinifyUseTheirFilters) {
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  sampler.min_filter = Filter::point;
  const std::array<float, 4> between{0.25f, 0.125f, 0, 0};
  EXPECT_EQ(red(view, sampler, at_level(between, 0)), (texel(0, 0, 0) + texel(0, 1, 0)) / 2);
  EXPECT_EQ(red(view, sampler, at_level(between, 0.1f)), texel(0, 1, 0));
}

TEST_F(SampleTest, LodFromDerivatives) {
  SampleOperands operands;
  operands.coordinate = {0.125f, 0.125f, 0, 0};
  operands.derivatives = {{0.5f, 0, 0}, {0, 0.25f, 0}};  // two texels in x, one in y
  const Sampler sampler = sampler_of(AddressMode::clamp, Filter::point);
  EXPECT_EQ(red(view, sampler, operands), texel(1, 0, 0));
  operands.lod_source = LodSource::bias;
  operands.lod = 1;
  EXPECT_EQ(red(view, sampler, operands), texel(2, 0, 0));
  operands.lod = -1;
  EXPECT_EQ(red(view, sampler, operands), texel(0, 0, 0));
  operands.lod_source = LodSource::derivatives;
  operands.lod_clamp = 2.0f;
  EXPECT_EQ(red(view, sampler, operands), texel(2, 0, 0));
  operands.lod_clamp = 3.0f;
  EXPECT_EQ(red(view, sampler, operands), 0.0f) << "no mip left";
  operands.lod_clamp = 2.125f;
  EXPECT_EQ(red(view, sampler, operands), 0.0f) << "past the last mip (D3D11.3 5.8.5)";
  operands.lod_clamp = kNan;
  EXPECT_EQ(red(view, sampler, operands), texel(1, 0, 0));
}

// Functional specification 5.8.6.1, in docs/reference/direct3d.md 2.5.
TEST(Lod, WorkedExample) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {128, 128, 1}, 8});
  for (uint32_t mip = 0; mip < 8; ++mip) {
    const Extent size = texture.mip_size(mip);
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x)
        texture.write(mip, 0, x, y, 0, {bits(static_cast<float>(mip)), 0, 0, 0});
    }
  }
  TextureView view = TextureView::whole(texture);
  view.first_mip = 1, view.mip_count = 6, view.min_lod_clamp = 3.5f;
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  sampler.mip_filter = Filter::linear;
  sampler.min_lod = 1.2f, sampler.max_lod = 4;
  const float step = std::ldexp(1.0f, -8);  // a quarter texel of the view's mip 0 (64 texels): LOD -2
  const Derivatives derivatives{{step, 0, 0}, {0, step, 0}};
  SampleOperands operands;
  operands.coordinate = {0.5f, 0.5f, 0, 0};
  operands.derivatives = derivatives;
  Access access;
  EXPECT_EQ(number(sample(view, sampler, operands, {}, access)[0]), 3.5f) << "view mips 2 and 3, equally";
  const Word4 levels = lod(view, sampler, operands.coordinate, derivatives, access);
  EXPECT_EQ(number(levels[0]), 2.5f);
  EXPECT_EQ(number(levels[1]), -2.0f);
  EXPECT_EQ(number(ld(view, {0, 0, 0, 2}, {}, access)[0]), 3.0f);
  EXPECT_EQ(ld(view, {0, 0, 0, 1}, {}, access), (Word4{0, 0, 0, 0x3f800000u}));
  EXPECT_EQ(gather4(view, sampler, operands.coordinate, {}, 0, {}, access), (Word4{0, 0, 0, 0}));
  EXPECT_EQ(access.undefined, 0u);
}

TEST(Lod, EmptySetGivesZero) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {8, 8, 1}, 4});
  TextureView view = TextureView::whole(texture);
  view.min_lod_clamp = 4.0f;
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  sampler.mip_filter = Filter::linear;
  Access access;
  EXPECT_EQ(number(lod(view, sampler, {0, 0, 0, 0}, {{0.5f, 0, 0}, {0, 0.5f, 0}}, access)[0]), 0.0f);
  EXPECT_EQ(sample(view, sampler, at_level({0, 0, 0, 0}, 0), {}, access), (Word4{0, 0, 0, 0x3f800000u}));
  // Of four mips, a clamp past 3 leaves none (D3D11.3 5.8.5).
  for (uint32_t mip = 0; mip < 4; ++mip) texture.write(mip, 0, 0, 0, 0, {bits(7.0f), 0, 0, 0});
  view.min_lod_clamp = 3.0f;
  EXPECT_EQ(number(ld(view, {0, 0, 0, 3}, {}, access)[0]), 7.0f);
  EXPECT_EQ(number(sample(view, sampler, at_level({0, 0, 0, 0}, 0), {}, access)[0]), 7.0f);
  view.min_lod_clamp = 3.125f;
  EXPECT_EQ(number(ld(view, {0, 0, 0, 3}, {}, access)[0]), 0.0f);
  EXPECT_EQ(number(sample(view, sampler, at_level({0, 0, 0, 0}, 0), {}, access)[0]), 0.0f);
}

TEST(Array, SliceRoundsToEvenAndClamps) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r32_float, {2, 2, 1}, 1, 4});
  fill(texture);
  const TextureView view = TextureView::whole(texture);
  const Sampler sampler = sampler_of(AddressMode::clamp, Filter::point);
  const std::pair<float, uint32_t> cases[] = {{-3, 0}, {-0.5f, 0}, {0.5f, 0}, {1.5f, 2}, {2.5f, 2},
                                              {9, 3},  {kNan, 0},  {kInf, 3}, {1, 1}};
  for (const auto& [slice, expected] : cases) {
    EXPECT_EQ(red(view, sampler, at_level({0.25f, 0.25f, slice, 0}, 0)),
              number(texel_value(0, expected, 0, 0, 0, 0, false)[0]))
        << slice;
  }
}

TEST(Border, MissingComponentsKeepDefaultsAndUnormClamps) {
  Texture texture = make_texture({Dimension::texture2d, Format::r8_unorm, {2, 2, 1}, 1});
  Sampler sampler = sampler_of(AddressMode::border, Filter::point);
  sampler.border = {7, 0.5f, 0.5f, 0.5f};
  Access access;
  EXPECT_EQ(sample(TextureView::whole(texture), sampler, at_level({2, 2, 0, 0}, 0), {}, access),
            (Word4{bits(1), 0, 0, bits(1)}));
}

TEST(Comparison, FunctionsAndNan) {
  EXPECT_TRUE(compare(Comparison::less, 1, 2));
  EXPECT_FALSE(compare(Comparison::less, 2, 2));
  EXPECT_TRUE(compare(Comparison::greater, 3, 2)) << "the reference is the left operand";
  EXPECT_TRUE(compare(Comparison::not_equal, kNan, 0));
  EXPECT_FALSE(compare(Comparison::equal, kNan, kNan));
  EXPECT_FALSE(compare(Comparison::never, 0, 0));
  EXPECT_TRUE(compare(Comparison::always, kNan, 0));
  EXPECT_TRUE(compare(Comparison::equal, 0, -1e-40f)) << "denormals are flushed (D3D11.3 22.4.3, 3.1.3.2)";
  EXPECT_FALSE(compare(Comparison::less, 1e-40f, 1.1e-40f));
}

struct ComparisonTest : testing::Test {
  Texture depth = make_texture({Dimension::texture2d, Format::d16_unorm, {2, 2, 1}, 1});
  TextureView view;
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  ComparisonTest() {
    for (uint32_t i = 0; i < 4; ++i)
      depth.write(0, 0, i % 2, i / 2, 0, {bits(static_cast<float>(i) / 4), 0, 0, 0});
    view = TextureView::whole(depth);
    sampler.reduction = Reduction::comparison;
    sampler.comparison = Comparison::less_equal;
  }
};

TEST_F(ComparisonTest, ComparesEachTapThenFilters) {
  SampleOperands operands = at_level({0.5f, 0.5f, 0, 0}, 0);
  operands.reference = 0.3f;
  Access access;
  EXPECT_EQ(sample(view, sampler, operands, {}, access),
            (Word4{bits(0.5f), bits(0.5f), bits(0.5f), bits(0.5f)}));
  operands.reference = 5.0f;
  sampler.comparison = Comparison::greater;
  EXPECT_EQ(number(sample(view, sampler, operands, {}, access)[0]), 1.0f);
  sampler.comparison = Comparison::less;  // 5 clamps to 1, which is not below any texel
  EXPECT_EQ(number(sample(view, sampler, operands, {}, access)[0]), 0.0f);
}

TEST_F(ComparisonTest, ReferenceIsQuantised) {
  SampleOperands operands = at_level({0.75f, 0.25f, 0, 0}, 0);
  operands.reference = 0.25f + 1e-6f;  // rounds to the texel's 16-bit value
  sampler.comparison = Comparison::equal;
  Access access;
  EXPECT_EQ(number(sample(view, sampler, operands, {}, access)[0]), 1.0f);
}

TEST_F(ComparisonTest, GatherComparesUnfiltered) {
  Access access;
  EXPECT_EQ(gather4_c(view, sampler, {0.5f, 0.5f, 0, 0}, {}, 0.3f, {}, access),
            (Word4{bits(1), bits(1), 0, 0}));
}

TEST_F(ComparisonTest, SamplerMustMatchTheInstruction) {
  Access access;
  EXPECT_EQ(sample(view, sampler, at_level({0, 0, 0, 0}, 0), {}, access), (Word4{}));
  EXPECT_TRUE(access.has(Undefined::wrong_sampler));
}

TEST_F(SampleTest, GatherOrderAndOffsets) {
  Access access;
  const Sampler sampler = sampler_of(AddressMode::wrap, Filter::point);
  const Word4 got = gather4(view, sampler, {0.25f, 0.25f, 0, 0}, {}, 0, {}, access);
  EXPECT_EQ(got,
            (Word4{bits(texel(0, 0, 1)), bits(texel(0, 1, 1)), bits(texel(0, 1, 0)), bits(texel(0, 0, 0))}));
  const Word4 moved =
      gather4(view, sampler, {0.25f, 0.25f, 0, 0}, programmable_offset(33, 0xffffffffu), 1, {}, access);
  EXPECT_EQ(moved[0], texel_value(0, 0, 1, 0, 0, 0, false)[1]) << "33 acts as -31, which wraps to 1";
  EXPECT_EQ(programmable_offset(32, 40), (TexelOffset{-32, -24, 0}));
  EXPECT_EQ(programmable_offset(31, 0xffffffe0u), (TexelOffset{31, -32, 0}));
}

// Texels 2 u - 1 - 20 and the next one, far beyond the last: the reduction of the range does not change them.
TEST(Gather, FarCoordinatesStayOutsideWhateverTheOffset) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {2, 2, 1}, 1});
  fill(texture);
  const TextureView view = TextureView::whole(texture);
  const TexelOffset offset = programmable_offset(static_cast<uint32_t>(-20), 0);
  const std::array<float, 4> coordinate = {20, 0.25f, 0, 0};
  Access access;
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::point);
  EXPECT_EQ(gather4(view, sampler, coordinate, offset, 0, {}, access)[3],
            texel_value(0, 0, 1, 0, 0, 0, false)[0]);
  sampler = sampler_of(AddressMode::border, Filter::point);
  sampler.border = {0.5f, 0, 0, 0};
  EXPECT_EQ(gather4(view, sampler, coordinate, offset, 0, {}, access),
            (Word4{bits(0.5f), bits(0.5f), bits(0.5f), bits(0.5f)}));
}

TEST(Gather, MissingComponentIsItsDefault) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {2, 2, 1}, 1});
  Access access;
  EXPECT_EQ(gather4(TextureView::whole(texture), sampler_of(AddressMode::clamp, Filter::point), {0, 0, 0, 0},
                    {}, 3, {}, access),
            (Word4{bits(1), bits(1), bits(1), bits(1)}));
}

TEST_F(SampleTest, UnboundIsZero) {
  Access access;
  EXPECT_EQ(sample({}, sampler_of(AddressMode::clamp, Filter::point), at_level({0, 0, 0, 0}, 0), {}, access),
            (Word4{}));
  EXPECT_EQ(gather4({}, sampler_of(AddressMode::clamp, Filter::point), {0, 0, 0, 0}, {}, 3, {}, access),
            (Word4{}));
  EXPECT_EQ(lod({}, {}, {0, 0, 0, 0}, {}, access), (Word4{}));
}

TEST_F(SampleTest, MinimumSkipsZeroWeights) {
  Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  sampler.reduction = Reduction::maximum;
  EXPECT_EQ(red(view, sampler, at_level({0.125f, 0.125f, 0, 0}, 0)), texel(0, 0, 0));
  EXPECT_EQ(red(view, sampler, at_level({0.2f, 0.2f, 0, 0}, 0)), texel(0, 1, 1));
  sampler.reduction = Reduction::minimum;
  EXPECT_EQ(red(view, sampler, at_level({0.2f, 0.2f, 0, 0}, 0)), texel(0, 0, 0));
}

TEST_F(SampleTest, ZeroWeightTapsDoNotCountForResidency) {
  texture.unmap(0, 0, {1, 0, 0}, {3, 4, 1});
  Access access;
  const Sampler sampler = sampler_of(AddressMode::clamp, Filter::linear);
  sample(view, sampler, at_level({0.125f, 0.125f, 0, 0}, 0), {}, access);
  EXPECT_TRUE(access.mapped);
  sample(view, sampler, at_level({0.2f, 0.125f, 0, 0}, 0), {}, access);
  EXPECT_FALSE(access.mapped);
}

TEST(Anisotropy, BoundedAndReducesToIsotropic) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {64, 64, 1}, 7});
  fill(texture);
  const TextureView view = TextureView::whole(texture);
  Sampler sampler;
  sampler.anisotropic = true;
  sampler.max_anisotropy = 8;
  const std::array<float, 4> center{0.5f, 0.5f, 0, 0};
  const float texel = 1.0f / 64;
  Footprint equal = footprint(view, sampler, center, {{4 * texel, 0, 0}, {0, 4 * texel, 0}});
  EXPECT_EQ(equal.probes, 1);
  EXPECT_EQ(equal.lod, 2.0);
  Footprint long_axis = footprint(view, sampler, center, {{16 * texel, 0, 0}, {0, 4 * texel, 0}});
  EXPECT_EQ(long_axis.probes, 4);
  EXPECT_EQ(long_axis.lod, 2.0);
  Footprint limited = footprint(view, sampler, center, {{64 * texel, 0, 0}, {0, 2 * texel, 0}});
  EXPECT_EQ(limited.probes, 8);
  EXPECT_EQ(limited.lod, 3.0);
  Footprint degenerate = footprint(view, sampler, center, {{0, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(degenerate.probes, 1);
  Footprint parallel = footprint(view, sampler, center, {{8 * texel, 0, 0}, {8 * texel, 0, 0}});
  EXPECT_EQ(parallel.probes, 8);
  EXPECT_EQ(parallel.lod, 0.0);
}

TEST(IntegerFormats, PointOnly) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_uint, {2, 2, 1}, 1});
  fill(texture);
  Access access;
  const TextureView view = TextureView::whole(texture);
  EXPECT_EQ(
      sample(view, sampler_of(AddressMode::clamp, Filter::point), at_level({0, 0, 0, 0}, 0), {}, access)[0],
      1u);
  EXPECT_EQ(access.undefined, 0u);
  EXPECT_EQ(
      sample(view, sampler_of(AddressMode::clamp, Filter::linear), at_level({0, 0, 0, 0}, 0), {}, access),
      (Word4{}));
  EXPECT_TRUE(access.has(Undefined::wrong_format));
}

// The whole linear filter compared with its definition in real numbers, without effects of snapping
// (coordinates are multiples of 1/256 texel).
TEST(Linear, AgainstDefinition) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {8, 4, 1}, 1});
  fill(texture);
  const TextureView view = TextureView::whole(texture);
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const AddressMode mode = kModes[random() % 5];
    Sampler sampler = sampler_of(mode, Filter::linear);
    sampler.border = {0.5f, 0, 0, 0};
    const int fx = static_cast<int>(random() % (24 * 256)) - 8 * 256,
              fy = static_cast<int>(random() % (12 * 256)) - 4 * 256;
    const TexelOffset offset{static_cast<int>(random() % 16) - 8, static_cast<int>(random() % 16) - 8, 0};
    double expected = 0;
    const double x = fx / 256.0 - 0.5 + offset[0], y = fy / 256.0 - 0.5 + offset[1];
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) {
        const double wx = x - std::floor(x), wy = y - std::floor(y);
        const int64_t tx = apply_address_mode(mode, static_cast<int64_t>(std::floor(x)) + k, 8);
        const int64_t ty = apply_address_mode(mode, static_cast<int64_t>(std::floor(y)) + j, 4);
        const double value = tx < 0 || ty < 0 ? 0.5 : number(texel_value(0, 0, tx, ty, 0, 0, false)[0]);
        expected += (k != 0 ? wx : 1 - wx) * (j != 0 ? wy : 1 - wy) * value;
      }
    }
    const SampleOperands operands =
        at_level({static_cast<float>(fx / 256.0 / 8), static_cast<float>(fy / 256.0 / 4), 0, 0}, 0, offset);
    ASSERT_EQ(red(view, sampler, operands), static_cast<float>(expected));
  }
}

}  // namespace
}  // namespace texlate::sim
