// ld and ld2dms: the vectors of docs/reference/direct3d.md 1.7, then every address against a second
// implementation of the rule.
#include "sim/texture_unit/fetch.h"

#include <gtest/gtest.h>

#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

constexpr Word4 kZero{0, 0, 0, 0};
constexpr Word4 kRedOutside{0, 0, 0, 0x3f800000u};

struct Vector {
  Word4 address;
  TexelOffset offset;
  int mip, x, y;  // the texel; mip -1: out of bounds
};

// Section 1.7: T = Texture2D, 4x4, 3 mips. `77` in z shows that z is ignored.
constexpr Vector kVectors[] = {
    {{0, 0, 0, 0}, {0, 0, 0}, 0, 0, 0},   {{3, 3, 0, 0}, {0, 0, 0}, 0, 3, 3},
    {{4, 0, 0, 0}, {0, 0, 0}, -1, 0, 0},  {{0xffffffffu, 0, 0, 0}, {0, 0, 0}, -1, 0, 0},
    {{0, 0, 0, 0}, {-1, 0, 0}, -1, 0, 0}, {{0xffffffffu, 2, 0, 0}, {1, 0, 0}, 0, 0, 2},
    {{1, 0, 0, 1}, {0, 0, 0}, 1, 1, 0},   {{2, 0, 0, 1}, {0, 0, 0}, -1, 0, 0},
    {{0, 0, 0, 1}, {1, 1, 0}, 1, 1, 1},   {{0, 0, 0, 1}, {2, 0, 0}, -1, 0, 0},
    {{0, 0, 0, 2}, {0, 0, 0}, 2, 0, 0},   {{0, 0, 0, 2}, {2, 0, 0}, -1, 0, 0},
    {{0, 0, 0, 3}, {0, 0, 0}, -1, 0, 0},  {{0, 0, 0, 0xffffffffu}, {0, 0, 0}, -1, 0, 0},
    {{0, 0, 77, 0}, {0, 0, 5}, 0, 0, 0},
};

TEST(Fetch, VectorsOfSection17) {
  for (Format format : {Format::r32g32b32a32_float, Format::r32_float}) {
    Texture texture = make_texture({Dimension::texture2d, format, {4, 4, 1}, 3});
    fill(texture);
    const TextureView view = TextureView::whole(texture);
    for (const Vector& v : kVectors) {
      SCOPED_TRACE(testing::Message() << v.address[0] << "," << v.address[1] << " mip " << v.address[3]);
      Access access;
      Word4 expected = format == Format::r32_float ? kRedOutside : kZero;
      if (v.mip >= 0) {
        const Word4 texel = texel_value(v.mip, 0, v.x, v.y, 0, 0, false);
        expected = format == Format::r32_float ? Word4{texel[0], 0, 0, 0x3f800000u} : texel;
      }
      EXPECT_EQ(ld(view, v.address, v.offset, access), expected);
      EXPECT_EQ(access.undefined, 0u);
    }
  }
}

TEST(Fetch, UnboundIsZeroInAllFour) {
  Access access;
  EXPECT_EQ(ld({}, {0, 0, 0, 0}, {}, access), kZero);
  EXPECT_EQ(ld2dms({}, {0, 0, 0, 0}, 0, {}, access), kZero);
}

TEST(Fetch, OutOfBoundsAlphaOfIntegersIsOne) {
  Texture texture = make_texture({Dimension::texture2d, Format::r16g16_uint, {4, 4, 1}, 1});
  Access access;
  EXPECT_EQ(ld(TextureView::whole(texture), {9, 9, 0, 0}, {}, access), (Word4{0, 0, 0, 1}));
}

TEST(Fetch, SliceIsNeitherClampedNorOffset) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r32_float, {4, 4, 1}, 1, 2});
  fill(texture);
  const TextureView view = TextureView::whole(texture);
  Access access;
  EXPECT_EQ(ld(view, {0, 0, 2, 0}, {}, access), kRedOutside);
  EXPECT_EQ(ld(view, {0, 0, 0, 0}, {0, 0, 1}, access)[0], texel_value(0, 0, 0, 0, 0, 0, false)[0]);

  Texture line = make_texture({Dimension::texture1d_array, Format::r32_float, {4, 1, 1}, 1, 2});
  fill(line);
  EXPECT_EQ(ld(TextureView::whole(line), {0, 1, 0, 0}, {0, 1, 0}, access)[0],
            texel_value(0, 1, 0, 0, 0, 0, false)[0]);
  EXPECT_EQ(ld(TextureView::whole(line), {0, 2, 0, 0}, {}, access), kRedOutside);
}

TEST(Fetch, DenormalsAndSignallingNanKeepTheirBits) {
  Texture texture = make_texture({Dimension::texture1d, Format::r32g32_float, {1, 1, 1}, 1});
  texture.write(0, 0, 0, 0, 0, {1, 0x7fa00001u, 0, 0});
  Access access;
  EXPECT_EQ(ld(TextureView::whole(texture), {0, 0, 0, 0}, {}, access),
            (Word4{1, 0x7fa00001u, 0, 0x3f800000u}));
}

TEST(Fetch, BoundsAreTheViews) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r32_float, {8, 8, 1}, 4, 6});
  fill(texture);
  TextureView view = TextureView::whole(texture);
  view.first_mip = 1, view.mip_count = 2, view.first_slice = 2, view.slice_count = 3;
  Access access;
  EXPECT_EQ(ld(view, {3, 3, 0, 0}, {}, access)[0], texel_value(1, 2, 3, 3, 0, 0, false)[0]);
  EXPECT_EQ(ld(view, {4, 3, 0, 0}, {}, access), kRedOutside);
  EXPECT_EQ(ld(view, {0, 0, 2, 1}, {}, access)[0], texel_value(2, 4, 0, 0, 0, 0, false)[0]);
  EXPECT_EQ(ld(view, {0, 0, 3, 0}, {}, access), kRedOutside);
  EXPECT_EQ(ld(view, {0, 0, 0, 2}, {}, access), kRedOutside);
}

TEST(Fetch, MultisampleIndexIsUndefinedOutOfRangeButSafe) {
  Texture texture = make_texture({Dimension::texture2dms_array, Format::r32_float, {2, 2, 1}, 1, 2, 4});
  fill(texture);
  const TextureView view = TextureView::whole(texture);
  Access access;
  EXPECT_EQ(ld2dms(view, {1, 0, 1, 99}, 3, {}, access)[0], texel_value(0, 1, 1, 0, 0, 3, false)[0]);
  EXPECT_EQ(ld2dms(view, {0, 0, 1, 0}, 3, {1, 0, 0}, access)[0], texel_value(0, 1, 1, 0, 0, 3, false)[0]);
  EXPECT_EQ(ld2dms(view, {2, 0, 1, 0}, 3, {}, access), kRedOutside);
  EXPECT_EQ(access.undefined, 0u);
  EXPECT_EQ(ld2dms(view, {0, 0, 0, 0}, 4, {}, access), kRedOutside);
  EXPECT_TRUE(access.has(Undefined::sample_index));
}

TEST(Fetch, UnmappedTexelsAreOutOfBoundsAndTold) {
  Texture texture = make_texture({Dimension::texture2d, Format::r32_float, {4, 4, 1}, 1});
  fill(texture);
  texture.unmap(0, 0, {2, 0, 0}, {2, 4, 1});
  const TextureView view = TextureView::whole(texture);
  Access access;
  ld(view, {1, 0, 0, 0}, {}, access);
  EXPECT_TRUE(access.mapped);
  EXPECT_EQ(ld(view, {2, 0, 0, 0}, {}, access), kRedOutside);
  EXPECT_FALSE(access.mapped);
}

// The rule again, in 64-bit signed arithmetic, for every dimension, offset and a border of coordinates.
TEST(Fetch, EveryAddressOfSmallTextures) {
  const uint32_t kExtremes[] = {0x7fffffffu, 0x80000000u, 0xfffffff8u, 0xffffffffu};
  struct Case {
    Dimension dimension;
    Extent size;
    uint32_t mips, slices;
    int axes, slice;
  };
  const Case cases[] = {{Dimension::texture1d, {5, 1, 1}, 3, 1, 1, -1},
                        {Dimension::texture1d_array, {5, 1, 1}, 3, 3, 1, 1},
                        {Dimension::texture2d, {5, 3, 1}, 3, 1, 2, -1},
                        {Dimension::texture2d_array, {3, 2, 1}, 2, 2, 2, 2},
                        {Dimension::texture3d, {3, 2, 2}, 2, 1, 3, -1}};
  uint64_t fetches = 0;
  for (const Case& c : cases) {
    Texture texture = make_texture({c.dimension, Format::r32_float, c.size, c.mips, c.slices});
    fill(texture);
    const TextureView view = TextureView::whole(texture);
    std::vector<uint32_t> coordinates(std::begin(kExtremes), std::end(kExtremes));
    for (uint32_t i = 0; i < 8; ++i) coordinates.push_back(i);
    const int v_low = c.axes > 1 ? -8 : 0, w_low = c.axes > 2 ? -8 : 0;
    for (uint32_t mip : {0u, 1u, 2u, 3u, 0xffffffffu}) {
      for (uint32_t slice : {0u, 1u, 3u, 0xffffffffu}) {
        if (c.slice < 0 && slice > 0) continue;
        for (uint32_t x : coordinates) {
          for (uint32_t y : coordinates) {
            if (c.axes < 2 && y != 0) continue;
            for (int u = -8; u <= 7; ++u) {
              for (int v = v_low; v <= (v_low != 0 ? 7 : 0); v += 3) {
                for (int w = w_low; w <= (w_low != 0 ? 7 : 0); w += 5) {
                  Word4 address{x, y, c.axes == 3 ? x : 0, mip};
                  if (c.slice >= 0) address[c.slice] = slice;
                  Access access;
                  const Word4 got = ld(view, address, {u, v, w}, access);
                  ++fetches;
                  Word4 expected = kRedOutside;
                  if (mip < c.mips && (c.slice < 0 || slice < c.slices)) {
                    const int64_t at[3] = {(int64_t{address[0]} + u) & 0xffffffff,
                                           c.axes > 1 ? (int64_t{address[1]} + v) & 0xffffffff : 0,
                                           c.axes > 2 ? (int64_t{address[2]} + w) & 0xffffffff : 0};
                    auto size = [&](uint32_t n) { return std::max<int64_t>(n >> mip, 1); };
                    if (at[0] < size(c.size.width) && at[1] < size(c.size.height) &&
                        at[2] < size(c.size.depth)) {
                      expected = {texel_value(mip, c.slice < 0 ? 0 : slice, at[0], at[1], at[2], 0, false)[0],
                                  0, 0, 0x3f800000u};
                    }
                  }
                  ASSERT_EQ(got, expected) << dimension_info(c.dimension).name << " " << x << "," << y
                                           << " mip " << mip << " offset " << u << "," << v << "," << w;
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(fetches, 300000u);
}

TEST(Fetch, CubesAndMultisamplesAreNotForLd) {
  Texture cube = make_texture({Dimension::texture_cube, Format::r32_float, {2, 2, 1}, 1, 6});
  Access access;
  EXPECT_EQ(ld(TextureView::whole(cube), {0, 0, 0, 0}, {}, access), kZero);
  EXPECT_TRUE(access.has(Undefined::wrong_dimension));
}

TEST(TextureDescription, WrongOnesAreRefused) {
  auto refused = [](TextureDesc desc, std::string_view message) {
    Diagnostics diagnostics;
    ASSERT_FALSE(Texture::create(desc, diagnostics).has_value());
    EXPECT_EQ(diagnostics.list()[0].message, message);
  };
  refused({Dimension::texture2d, Format::bc1_unorm, {4, 4, 1}},
          "block-compressed format bc1_unorm is not supported by the texture unit");
  refused({Dimension::texture2d, Format::unknown, {4, 4, 1}}, "a texture needs a format");
  refused({Dimension::texture2d, Format::r8_unorm, {4, 0, 1}}, "texture2d of size 4x0x1 is not possible");
  refused({Dimension::texture_cube, Format::r8_unorm, {4, 2, 1}, 1, 6},
          "the faces of a texturecube must be square");
  refused({Dimension::texture2d, Format::r8_unorm, {4, 4, 1}, 4},
          "a texture2d of this size cannot have 4 mips");
  refused({Dimension::texture_cube, Format::r8_unorm, {4, 4, 1}, 1, 7}, "a texturecube cannot have 7 slices");
  refused({Dimension::texture2d, Format::r8_unorm, {4, 4, 1}, 1, 1, 4}, "a texture2d cannot have 4 samples");
}

TEST(TextureDescription, WrongViewsAreReported) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r32_float, {4, 4, 1}, 3, 7});
  TextureView view = TextureView::whole(texture);
  Diagnostics none;
  EXPECT_TRUE(check_view(view, none));
  view.first_mip = 1;
  view.dimension = Dimension::texture_cube;
  view.format = Format::r16_float;
  Diagnostics diagnostics;
  EXPECT_FALSE(check_view(view, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 3u);
}

}  // namespace
}  // namespace texlate::sim
