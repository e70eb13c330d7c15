// resinfo, bufinfo, sampleinfo, samplepos.
#include "sim/texture_unit/query.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

TEST(Resinfo, EveryDimension) {
  struct Case {
    TextureDesc desc;
    Word4 expected;  // for mip 1, except multisampled: mip 0
  };
  const Case cases[] = {
      {{Dimension::texture1d, Format::r8_unorm, {16, 1, 1}, 3}, {8, 0, 0, 3}},
      {{Dimension::texture1d_array, Format::r8_unorm, {16, 1, 1}, 3, 5}, {8, 5, 0, 3}},
      {{Dimension::texture2d, Format::r8_unorm, {16, 4, 1}, 3}, {8, 2, 0, 3}},
      {{Dimension::texture2d_array, Format::r8_unorm, {16, 4, 1}, 3, 5}, {8, 2, 5, 3}},
      {{Dimension::texture3d, Format::r8_unorm, {16, 4, 2}, 3}, {8, 2, 1, 3}},
      {{Dimension::texture_cube, Format::r8_unorm, {16, 16, 1}, 3, 6}, {8, 8, 0, 3}},
      {{Dimension::texture_cube_array, Format::r8_unorm, {16, 16, 1}, 3, 12}, {8, 8, 2, 3}},
      {{Dimension::texture2dms, Format::r8_unorm, {16, 4, 1}, 1, 1, 4}, {16, 4, 0, 1}},
  };
  for (const Case& c : cases) {
    Texture texture = make_texture(c.desc);
    const uint32_t mip = c.desc.samples > 1 ? 0 : 1;
    EXPECT_EQ(resinfo(TextureView::whole(texture), mip, ResinfoType::uint), c.expected)
        << dimension_info(c.desc.dimension).name;
    Word4 absent{0, 0, 0, c.expected[3]};
    EXPECT_EQ(resinfo(TextureView::whole(texture), 9, ResinfoType::uint), absent);
    EXPECT_EQ(resinfo(TextureView::whole(texture), 0xffffffffu, ResinfoType::uint), absent);
  }
}

TEST(Resinfo, FloatAndReciprocal) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r8_unorm, {16, 4, 1}, 3, 5});
  const TextureView view = TextureView::whole(texture);
  const uint32_t infinity = bits(std::numeric_limits<float>::infinity());
  EXPECT_EQ(resinfo(view, 0, ResinfoType::float_), (Word4{bits(16), bits(4), bits(5), bits(3)}));
  EXPECT_EQ(resinfo(view, 0, ResinfoType::rcp_float), (Word4{bits(1 / 16.0f), bits(0.25f), bits(5), bits(3)}))
      << "array size and mip count are never inverted";
  EXPECT_EQ(resinfo(view, 7, ResinfoType::rcp_float), (Word4{infinity, infinity, 0, bits(3)}));
  EXPECT_EQ(resinfo({}, 0, ResinfoType::rcp_float), (Word4{infinity, infinity, 0, 0}));
  EXPECT_EQ(resinfo({}, 0, ResinfoType::uint), (Word4{0, 0, 0, 0}));
  EXPECT_EQ(resinfo(view, 0, ResinfoType::uint, true)[3], 1u) << "an unordered access view has one mip";
}

TEST(Bufinfo, SameInAllComponents) {
  std::byte memory[16];
  BufferView view;
  view.data = memory;
  view.element_count = 7;
  EXPECT_EQ(bufinfo(view), (Word4{7, 7, 7, 7}));
  EXPECT_EQ(bufinfo({}), (Word4{0, 0, 0, 0}));
}

TEST(Samples, InfoAndPositions) {
  EXPECT_EQ(sampleinfo(4, false), (Word4{bits(4), 0, 0, 0}));
  EXPECT_EQ(sampleinfo(4, true), (Word4{4, 0, 0, 0}));
  EXPECT_EQ(sampleinfo(TextureView{}, true), (Word4{}));
  EXPECT_EQ(samplepos(4, 0), (Word4{bits(-0.125f), bits(-0.375f), 0, 0}));
  EXPECT_EQ(samplepos(16, 15), (Word4{bits(-7 / 16.0f), bits(-0.5f), 0, 0}));
  EXPECT_EQ(samplepos(4, 4), (Word4{}));
  EXPECT_EQ(samplepos(3, 0), (Word4{}));
}

}  // namespace
}  // namespace texlate::sim
