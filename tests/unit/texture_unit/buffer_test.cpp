// Buffers and unordered access.
#include "sim/texture_unit/buffer.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/texture_unit/unordered_access.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

struct Memory : testing::Test {
  uint32_t words[16];
  uint32_t counter = 0;
  Access access;
  Memory() {
    for (uint32_t i = 0; i < 16; ++i) words[i] = 100 + i;
  }
  BufferView raw(uint32_t bytes) {
    BufferView view;
    view.data = reinterpret_cast<std::byte*>(words);
    view.element_count = bytes;
    return view;
  }
  BufferView structured(uint32_t count, uint32_t stride) {
    BufferView view = raw(count);
    view.kind = BufferKind::structured;
    view.stride = stride;
    view.counter = &counter;
    return view;
  }
  BufferView typed(Format format, uint32_t count) {
    BufferView view = raw(count);
    view.kind = BufferKind::typed;
    view.format = format;
    return view;
  }
};

TEST_F(Memory, TypedBuffer) {
  const BufferView view = typed(Format::r32_uint, 4);
  EXPECT_EQ(ld_buffer(view, 3, access), (Word4{103, 0, 0, 1}));
  EXPECT_EQ(ld_buffer(view, 4, access), (Word4{0, 0, 0, 1}));
  EXPECT_EQ(ld_buffer(view, 0xffffffffu, access), (Word4{0, 0, 0, 1}));
  EXPECT_EQ(ld_buffer({}, 0, access), (Word4{0, 0, 0, 0}));
  store_uav_typed(view, 2, {7, 8, 9, 10}, access);
  store_uav_typed(view, 4, {7, 8, 9, 10}, access);
  EXPECT_EQ(words[2], 7u);
  EXPECT_EQ(words[3], 103u);
  EXPECT_EQ(words[4], 104u);
  EXPECT_EQ(ld_buffer(typed(Format::r32g32b32_uint, 2), 1, access), (Word4{103, 104, 105, 1}));
}

TEST_F(Memory, RawIsJudgedPerWord) {
  const BufferView view = raw(12);
  EXPECT_EQ(ld_raw(view, 4, 0xf, access), (Word4{101, 102, 0, 0}));
  EXPECT_EQ(ld_raw(view, 4, 0x2, access), (Word4{0, 102, 0, 0}));
  EXPECT_EQ(ld_raw(view, 0xfffffffcu, 0xf, access), (Word4{0, 0, 0, 0})) << "no wrap to offset 0";
  store_raw(view, 8, {1, 2, 3, 4}, 4, access);
  EXPECT_EQ(words[2], 1u);
  EXPECT_EQ(words[3], 103u);
  EXPECT_EQ(access.undefined, 0u);
  ld_raw(view, 2, 0xf, access);
  EXPECT_TRUE(access.has(Undefined::misaligned));
}

TEST_F(Memory, Structured) {
  const BufferView view = structured(2, 12);
  EXPECT_EQ(ld_structured(view, 1, 4, 0x3, access), (Word4{104, 105, 0, 0}));
  EXPECT_EQ(ld_structured(view, 2, 0, 0x7, access), (Word4{0, 0, 0, 0}));
  EXPECT_EQ(access.undefined, 0u);
  EXPECT_EQ(ld_structured(view, 0, 4, 0x7, access), (Word4{0, 0, 0, 0}));
  EXPECT_TRUE(access.has(Undefined::structure_offset));
  // An index whose byte address wraps to 0 in 32 bits is still out of range.
  Access wrap;
  EXPECT_EQ(ld_structured(structured(2, 16), 0x10000000u, 0, 1, wrap), (Word4{}));
  store_structured(view, 1, 0, {9, 0, 0, 0}, 1, wrap);
  store_structured(view, 7, 0, {9, 0, 0, 0}, 1, wrap);
  EXPECT_EQ(words[3], 9u);
  EXPECT_EQ(wrap.undefined, 0u);
}

TEST_F(Memory, GroupSharedBoundsAreUndefined) {
  BufferView view = raw(8);
  view.group_shared = true;
  ld_raw(view, 8, 1, access);
  EXPECT_TRUE(access.has(Undefined::group_shared_bounds));
}

TEST_F(Memory, Atomics) {
  EXPECT_EQ(apply_atomic(AtomicOp::imin, 5, 0xffffffffu, 0), 0xffffffffu);
  EXPECT_EQ(apply_atomic(AtomicOp::umin, 5, 0xffffffffu, 0), 5u);
  EXPECT_EQ(apply_atomic(AtomicOp::imax, 5, 0xffffffffu, 0), 5u);
  EXPECT_EQ(apply_atomic(AtomicOp::umax, 5, 0xffffffffu, 0), 0xffffffffu);
  EXPECT_EQ(apply_atomic(AtomicOp::iadd, 0xffffffffu, 2, 0), 1u);
  EXPECT_EQ(apply_atomic(AtomicOp::cmp_exch, 5, 5, 8), 8u);
  EXPECT_EQ(apply_atomic(AtomicOp::cmp_exch, 6, 5, 8), 6u);
  EXPECT_EQ(apply_atomic(AtomicOp::xor_, 6, 5, 0), 3u);
  EXPECT_EQ(apply_atomic(AtomicOp::and_, 6, 5, 0), 4u);
  EXPECT_EQ(apply_atomic(AtomicOp::or_, 6, 5, 0), 7u);
  EXPECT_EQ(apply_atomic(AtomicOp::exch, 6, 5, 0), 5u);

  EXPECT_EQ(atomic(raw(16), 4, 0, AtomicOp::iadd, 5, 0, true, access), 101u);
  EXPECT_EQ(words[1], 106u);
  EXPECT_EQ(atomic(structured(2, 8), 1, 4, AtomicOp::exch, 1, 0, true, access), 103u);
  EXPECT_EQ(atomic(typed(Format::r32_sint, 2), 1, 0, AtomicOp::imax, 500, 0, true, access), 106u);
  EXPECT_EQ(atomic(raw(16), 16, 0, AtomicOp::iadd, 5, 0, false, access), 0u);
  EXPECT_EQ(access.undefined, 0u);
  EXPECT_EQ(atomic(raw(16), 16, 0, AtomicOp::iadd, 5, 0, true, access), 0u);
  EXPECT_TRUE(access.has(Undefined::atomic_out_of_bounds));
  EXPECT_EQ(words[4], 104u);
}

TEST_F(Memory, Counters) {
  const BufferView view = structured(2, 8);
  EXPECT_EQ(atomic_alloc(view, access), 0u);
  EXPECT_EQ(atomic_alloc(view, access), 1u);
  EXPECT_EQ(atomic_consume(view, access), 1u);
  EXPECT_EQ(atomic_consume(view, access), 0u);
  EXPECT_EQ(atomic_consume(view, access), 0xffffffffu) << "wraps, no clamp";
}

TEST(UnorderedTexture, StoreLoadAndBounds) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r8g8b8a8_unorm, {4, 4, 1}, 2, 3});
  TextureView view = TextureView::whole(texture);
  view.first_mip = 1, view.mip_count = 1, view.first_slice = 1, view.slice_count = 2;
  Access access;
  const Word4 value{bits(1), bits(0.5f), bits(-1), bits(9)};
  store_uav_typed(view, {1, 1, 1, 0}, value, access);
  EXPECT_EQ(ld_uav_typed(view, {1, 1, 1, 0}, access), (Word4{bits(1), bits(128 / 255.0f), 0, bits(1)}));
  EXPECT_EQ(texture.read(1, 2, 1, 1, 0), (Word4{bits(1), bits(128 / 255.0f), 0, bits(1)}));
  const std::vector<std::byte> before(texture.memory().begin(), texture.memory().end());
  for (const Word4& outside :
       {Word4{2, 0, 0, 0}, Word4{0, 2, 0, 0}, Word4{0, 0, 2, 0}, Word4{0xffffffffu, 0, 0, 0}}) {
    store_uav_typed(view, outside, value, access);
    EXPECT_EQ(ld_uav_typed(view, outside, access), (Word4{}));
  }
  EXPECT_TRUE(std::equal(before.begin(), before.end(), texture.memory().begin()));
  store_uav_typed(TextureView{}, {0, 0, 0, 0}, value, access);
  EXPECT_EQ(access.undefined, 0u);
}

TEST(UnorderedTexture, UnmappedTexelsAreNeitherReadNorWritten) {
  Texture texture = make_texture({Dimension::texture2d_array, Format::r32_uint, {4, 4, 1}, 2, 3});
  fill(texture);
  texture.unmap(1, 2, {1, 0, 0}, {1, 2, 1});
  TextureView view = TextureView::whole(texture);
  view.first_mip = 1, view.mip_count = 1, view.first_slice = 1, view.slice_count = 2;
  Access access;
  EXPECT_EQ(ld_uav_typed(view, {0, 1, 1, 0}, access)[0], texel_value(1, 2, 0, 1, 0, 0, true)[0]);
  EXPECT_TRUE(access.mapped);
  EXPECT_EQ(ld_uav_typed(view, {1, 1, 1, 0}, access), (Word4{0, 0, 0, 1}));
  EXPECT_FALSE(access.mapped);
  store_uav_typed(view, {1, 1, 1, 0}, {7, 7, 7, 7}, access);
  EXPECT_EQ(atomic(view, {1, 1, 1, 0}, AtomicOp::exch, 7, 0, false, access), 0u);
  EXPECT_EQ(texture.read(1, 2, 1, 1, 0)[0], texel_value(1, 2, 1, 1, 0, 0, true)[0]);
  EXPECT_EQ(access.undefined, 0u);
}

TEST(UnorderedTexture, ThreeDimensionalSlicesOfTheView) {
  Texture texture = make_texture({Dimension::texture3d, Format::r32_uint, {2, 2, 4}, 1});
  fill(texture);
  TextureView view = TextureView::whole(texture);
  view.first_slice = 1, view.slice_count = 2;
  Access access;
  EXPECT_EQ(ld_uav_typed(view, {0, 0, 1, 0}, access)[0], texel_value(0, 0, 0, 0, 2, 0, true)[0]);
  EXPECT_EQ(ld_uav_typed(view, {0, 0, 2, 0}, access), (Word4{0, 0, 0, 1}));
  EXPECT_EQ(atomic(view, {0, 0, 0, 0}, AtomicOp::iadd, 1, 0, true, access),
            texel_value(0, 0, 0, 0, 1, 0, true)[0]);
  EXPECT_EQ(texture.read(0, 0, 0, 0, 1)[0], texel_value(0, 0, 0, 0, 1, 0, true)[0] + 1);
}

}  // namespace
}  // namespace texlate::sim
