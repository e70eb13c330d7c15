// Texture instructions: the access has the contract that the instruction specifies.

#include "tests/unit/lower/lowered.h"

namespace texlate::test {
namespace {

using ir::Dimension;
using ir::LodRule;
using ir::Op;
using ir::Slot;

TEST(LowerTexture, LdTakesTheMipFromW) {
  const Lowered lowered(pixel_shader(
      "ld_aoffimmi_indexable(-1,2,5)(texture2d)(float,float,float,float) o0.xyzw, v0.xyzw, t0.xyzw\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const ir::ResourceAccess& access = lowered.access(Op::tex_fetch);
  EXPECT_EQ(access.dimension, Dimension::texture2d);
  EXPECT_EQ(access.lod, LodRule::level);
  EXPECT_TRUE(access.has_offset);
  EXPECT_EQ(access.offset[0], -1);
  EXPECT_EQ(access.offset[1], 2);
  EXPECT_EQ(access.offset[2], 0) << "an axis that the dimension lacks takes no offset";
  const ir::Instruction& fetch = *lowered.all(Op::tex_fetch)[0];
  auto input_component = [&](Slot slot) {
    const ir::Value value = lowered.module.operand(fetch, slot);
    for (const ir::Instruction* input : lowered.all(Op::input)) {
      if (input->first_result == value) return static_cast<int>(input->payload % 4);
    }
    return -1;
  };
  EXPECT_EQ(input_component(Slot::coordinate0), 0);
  EXPECT_EQ(input_component(Slot::coordinate1), 1);
  EXPECT_EQ(input_component(Slot::lod), 3);
}

TEST(LowerTexture, ZeroOffsetsAreNone) {
  const Lowered lowered(pixel_shader(
      "ld_aoffimmi_indexable(0,0,0)(texture2d)(float,float,float,float) o0.xyzw, v0.xyzw, t0.xyzw\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_FALSE(lowered.access(Op::tex_fetch).has_offset);
}

TEST(LowerTexture, ArraysTakeTheSliceFromTheirLane) {
  const Lowered lowered(pixel_shader(
      "sample_indexable(texture2darray)(float,float,float,float) o0.xyzw, v0.xyzw, t1.xyzw, s0\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const ir::ResourceAccess& access = lowered.access(Op::tex_sample);
  EXPECT_TRUE(access.has(Slot::layer));
  EXPECT_EQ(access.lod, LodRule::implicit);
}

TEST(LowerTexture, ResourceSwizzlePermutesResultsAndTheMaskChooses) {
  const Lowered lowered(
      pixel_shader("mov r0.xyzw, l(0,0,0,0)\nld_indexable(texture2d)(float,float,float,float) r0.zw, "
                   "v0.xyzw, t0.yxwz\nmov o0.xyzw, r0.xyzw\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const ir::Instruction& fetch = *lowered.all(Op::tex_fetch)[0];
  std::vector<std::pair<uint32_t, uint32_t>> stores;  // (component stored to, texel component)
  for (const ir::Instruction* store : lowered.all(Op::output)) {
    const ir::Value value = lowered.module.operands[store->first_operand];
    if (value >= fetch.first_result && value < fetch.first_result + 4) {
      stores.push_back({store->payload % 4, value - fetch.first_result});
    }
  }
  EXPECT_EQ(stores, (std::vector<std::pair<uint32_t, uint32_t>>{{2, 3}, {3, 2}}));
}

TEST(LowerTexture, GatherTakesItsComponentFromTheSampler) {
  const Lowered lowered(pixel_shader(
      "gather4_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0.w\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.access(Op::tex_gather).gather_component, 3);
}

TEST(LowerTexture, GatherWithRunTimeOffsetAndComparison) {
  const Lowered lowered(
      pixel_shader("gather4_po_c_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, v1.xyxx, "
                   "t0.xyzw, s1.x, v0.z\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const ir::ResourceAccess& access = lowered.access(Op::tex_gather);
  EXPECT_TRUE(access.compare);
  EXPECT_TRUE(access.has(Slot::offset0));
  EXPECT_TRUE(access.has(Slot::offset1));
  EXPECT_TRUE(access.has(Slot::reference));
}

TEST(LowerTexture, GradientsAreAsManyAsAxes) {
  const Lowered lowered(
      pixel_shader("sample_d_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0, "
                   "v1.xyxx, v1.zwzz\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const ir::ResourceAccess& access = lowered.access(Op::tex_sample);
  EXPECT_EQ(access.lod, LodRule::gradient);
  EXPECT_TRUE(access.has(Slot::ddx1));
  EXPECT_FALSE(access.has(Slot::ddx2));
}

TEST(LowerTexture, ResinfoConvertsAsItsSuffixSays) {
  const std::string group = "_indexable(texture3d)(float,float,float,float)";
  const Lowered as_uint(pixel_shader("resinfo" + group + "_uint o0.xyzw, l(0), t2.xyzw\n"));
  const Lowered as_float(pixel_shader("resinfo" + group + " o0.xyzw, l(0), t2.xyzw\n"));
  const Lowered as_reciprocal(pixel_shader("resinfo" + group + "_rcpFloat o0.xyzw, l(0), t2.xyzw\n"));
  ASSERT_TRUE(as_uint.ok && as_float.ok && as_reciprocal.ok) << as_reciprocal.messages;
  EXPECT_EQ(as_uint.count(Op::utof), 0u);
  EXPECT_EQ(as_float.count(Op::utof), 4u);
  EXPECT_EQ(as_float.count(Op::frcp), 0u);
  EXPECT_EQ(as_reciprocal.count(Op::frcp), 3u) << "width, height, depth; not the mip count";
}

TEST(LowerTexture, StructuredLoadsReadOnlyTheWordsThatAreSelected) {
  const Lowered lowered(
      pixel_shader("ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) r0.xy, "
                   "v0.x, l(16), t5.zwzz\nmov o0.xyzw, r0.xyxy\n",
                   "dcl_resource_structured t5, 32 \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.access(Op::buf_load).component_mask, 0xc);
}

}  // namespace
}  // namespace texlate::test
