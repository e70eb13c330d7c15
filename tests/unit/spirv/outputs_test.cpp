// Outputs are delayed to the end of their block, and stored together.

#include <gmock/gmock.h>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The lines of the module that contain one of these words, each represented by the first one that it
/// contains.
std::vector<std::string> order_of(const FromListing& module, std::initializer_list<std::string_view> words) {
  std::vector<std::string> found;
  for (size_t at = 0; at < module.text.size();) {
    const size_t end = std::min(module.text.find('\n', at), module.text.size());
    const std::string_view line = std::string_view(module.text).substr(at, end - at);
    for (const std::string_view word : words) {
      if (line.find(word) == std::string_view::npos) continue;
      found.emplace_back(word);
      break;
    }
    at = end + 1;
  }
  return found;
}

FromListing pixel_with_outputs(std::string_view body) {
  return FromListing(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[4], immediateIndexed\n"
      "dcl_input_ps linear v0.xyzw\ndcl_input_ps constant v1.xy\ndcl_output o0.xyzw\ndcl_output o1.xyz\n"
      "dcl_temps 2\n" +
      std::string(body) + "ret\n");
}

TEST(SpirvOutputs, ComponentsWrittenApartAreStoredAsOne) {
  const FromListing ps = pixel_with_outputs(
      "dp4 o0.x, v0.xyzw, cb0[0].xyzw\ndp4 o0.y, v0.xyzw, cb0[1].xyzw\nmov o1.xy, v0.xyxx\n"
      "dp4 o0.z, v0.xyzw, cb0[2].xyzw\nmov o1.z, v0.w\ndp4 o0.w, v0.xyzw, cb0[3].xyzw\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpStore"), 2u) << ps.text;
  EXPECT_EQ(ps.count("OpAccessChain %_ptr_Output"), 0u) << ps.text;
  EXPECT_EQ(ps.count("OpUndef"), 0u);
}

TEST(SpirvOutputs, BetweenStagesARegisterIsFourComponents) {
  const std::string body = "dcl_output o1.xz\nmov o1.xz, v0.xyzw\nmov o2.z, v0.w\nret\n";
  const FromListing vs("vs_5_0\ndcl_input v0.xyzw\ndcl_output o2.z\n" + body);
  ASSERT_NE(vs.text, "") << vs.messages;
  // Components that nothing reads may have any value: no instruction is emitted only for them.
  EXPECT_EQ(vs.count("OpUndef"), 0u) << vs.text;
  EXPECT_EQ(vs.count("OpVectorShuffle"), 2u) << vs.text;
  EXPECT_EQ(vs.count("OpAccessChain"), 0u) << vs.text;
  EXPECT_EQ(vs.count("OpVariable %_ptr_Output_v4float"), 2u) << vs.text;
  EXPECT_EQ(vs.count("OpStore"), 2u) << vs.text;
  // A render target uses what it needs.
  const FromListing ps("ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o2.z\n" + body);
  EXPECT_EQ(ps.count("OpVariable %_ptr_Output_v3float"), 2u) << ps.text;
  const FromListing parts(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.x\ndcl_output o0.yz\nmov o0.xyz, v0.xyzw\nret\n");
  EXPECT_EQ(parts.count("OpVariable %_ptr_Output_v3float"), 1u) << parts.text;
  const FromListing one("ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.x\nmov o0.x, v0.y\nret\n");
  EXPECT_EQ(one.count("OpVariable %_ptr_Output_float"), 1u) << one.text;
  EXPECT_EQ(one.count("OpAccessChain"), 0u) << one.text;
}

TEST(SpirvOutputs, VariablesOfOneRegisterKeepToTheirComponents) {
  const FromListing ps(
      "// Output signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_Target                0   xy          0   TARGET  float   xy  \n"
      "// SV_Target                1     zw        0   TARGET   uint     zw \n//\n"
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xy\ndcl_output o0.zw\nmov o0.xy, v0.xyzw\n"
      "mov o0.zw, l(7, 7, 7, 8)\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpVariable %_ptr_Output_v2float"), 1u) << ps.text;
  EXPECT_EQ(ps.count("OpVariable %_ptr_Output_v2uint"), 1u) << ps.text;
  EXPECT_THAT(ps.text, HasSubstr("OpConstantComposite %v2uint %uint_7 %uint_8")) << ps.text;
  EXPECT_EQ(ps.count("OpStore"), 2u) << ps.text;
}

TEST(SpirvOutputs, WhatIsOverwrittenIsNotStored) {
  const FromListing ps = pixel_with_outputs(
      "mov o1.xyz, l(5.0, 6.0, 7.0, 0)\nmov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)\nmov o0.y, l(8.0)\n"
      "mov o1.xyz, v0.xyzx\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpStore"), 2u) << ps.text;
  EXPECT_THAT(ps.text, HasSubstr("%float_1 %float_8 %float_3 %float_4"));
  EXPECT_THAT(ps.text, Not(HasSubstr("%float_5")));
}

TEST(SpirvOutputs, ZerosNeedNoConstantsForTheirParts) {
  const FromListing zero = pixel_with_outputs("mov o0.xyzw, l(0,0,0,0)\n");
  EXPECT_THAT(zero.text, HasSubstr("OpConstantNull %v4float")) << zero.messages;
  EXPECT_EQ(zero.count("OpConstant %float"), 0u) << zero.text;
  const FromListing negative = pixel_with_outputs("mov o0.xyzw, l(0, 0x80000000, 0, 0)\n");
  EXPECT_THAT(negative.text, HasSubstr("%float_0 %float_n0 %float_0 %float_0")) << negative.messages;
}

TEST(SpirvOutputs, PartOfAVectorIsStoredByComponent) {
  const FromListing ps = pixel_with_outputs("mov o0.xz, l(1.0, 0, 3.0, 0)\nmov o1.xyz, v0.xyzx\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpStore"), 3u) << ps.text;
  EXPECT_EQ(ps.count("OpAccessChain %_ptr_Output_float %o0"), 2u) << ps.text;
}

TEST(SpirvOutputs, EachPathStoresBeforeItLeavesItsBlock) {
  const FromListing arms = pixel_with_outputs(
      "mov o0.xyzw, v0.xyzw\nif_nz v1.x\nmov o0.xyzw, v0.wzyx\nelse\nmov o1.xyz, v0.xyzx\nendif\n"
      "mov o1.x, l(0)\n");
  ASSERT_NE(arms.text, "") << arms.messages;
  EXPECT_THAT(order_of(arms, {"OpStore", "OpSelectionMerge", "OpBranch", "OpReturn"}),
              testing::ElementsAre("OpStore", "OpSelectionMerge", "OpBranch", "OpStore", "OpBranch",
                                   "OpStore", "OpBranch", "OpStore", "OpReturn"))
      << arms.text;
  const FromListing early = pixel_with_outputs("mov o0.xyzw, v0.xyzw\nretc_nz v1.x\nmov o0.xyzw, v0.wzyx\n");
  EXPECT_THAT(order_of(early, {"OpStore", "OpBranchConditional", "OpReturn"}),
              testing::ElementsAre("OpStore", "OpBranchConditional", "OpReturn", "OpStore", "OpReturn"))
      << early.text;
}

TEST(SpirvOutputs, LoopsStoreInEachTurn) {
  const FromListing ps = pixel_with_outputs(
      "mov r0.x, l(0)\nloop\nige r0.y, r0.x, v1.x\nmov o0.xyzw, r0.xxxx\nbreakc_nz r0.y\n"
      "iadd r0.x, r0.x, l(1)\nendloop\nmov o1.xyz, l(0,0,0,0)\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(order_of(ps, {"OpLoopMerge", "OpStore", "OpBranchConditional", "OpReturn"}),
              testing::ElementsAre("OpLoopMerge", "OpStore", "OpBranchConditional", "OpStore", "OpReturn"))
      << ps.text;
}

TEST(SpirvOutputs, AreHeldOverWhatNeitherWritesNorLeaves) {
  const FromListing ps = pixel_with_outputs(
      "mov o0.xy, v0.xyxx\ndiscard_nz v1.y\nmov r0.xy, l(0,0,0,0)\nif_nz v1.x\nloop\nige r0.z, r0.x, v1.x\n"
      "breakc_nz r0.z\niadd r0.x, r0.x, l(1)\nendloop\nendif\nswitch v1.y\ncase l(1)\nmov r0.y, l(4)\nbreak\n"
      "default\nmov r0.y, l(5)\nbreak\nendswitch\nmov o0.zw, r0.xxxy\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpLoopMerge"), 1u) << ps.text;
  EXPECT_EQ(ps.count("OpSwitch"), 1u) << ps.text;
  EXPECT_EQ(ps.count("OpStore"), 1u) << ps.text;
  EXPECT_LT(ps.text.find("OpSwitch"), ps.text.find("OpStore"));
  // The break leaves the `if` for the end of the loop: past the second store.
  const FromListing left = pixel_with_outputs(
      "mov r0.x, l(0)\nloop\nmov o0.xyzw, r0.xxxx\niadd r0.x, r0.x, l(1)\nif_nz v1.x\ndiscard_nz v1.y\n"
      "break\nendif\nmov o0.xyzw, v0.xyzw\nige r0.y, r0.x, v1.y\nbreakc_nz r0.y\nendloop\n");
  ASSERT_NE(left.text, "") << left.messages;
  EXPECT_EQ(left.count("OpStore"), 2u) << left.text;
  EXPECT_THAT(order_of(left, {"OpLoopMerge", "OpStore", "OpBranchConditional"})[1], "OpStore") << left.text;
}

TEST(SpirvOutputs, EveryVertexHasTheLastValues) {
  const FromListing gs(
      "gs_5_0\ndcl_input v[1][0].xyzw\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology "
      "trianglestrip\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xy\ndcl_maxout 2\n"
      "mov o0.xyzw, v[0][0].xyzw\nmov o1.xy, l(1.0, 2.0, 0, 0)\nemit_stream m0\n"
      "mov o0.xyzw, v[0][0].wzyx\nmov o1.xy, l(3.0, 4.0, 0, 0)\nmov o1.y, l(5.0)\nemit_stream m0\n"
      "cut_stream m0\nret\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_THAT(order_of(gs, {"OpStore", "OpEmitVertex", "OpEndPrimitive", "OpReturn"}),
              testing::ElementsAre("OpStore", "OpStore", "OpEmitVertex", "OpStore", "OpStore", "OpEmitVertex",
                                   "OpEndPrimitive", "OpReturn"))
      << gs.text;
}

TEST(SpirvOutputs, ARunTimeNumberKeepsTheOrderOfStores) {
  const FromListing vs(
      "vs_5_0\ndcl_input v0.xyzw\ndcl_output o0.x\ndcl_output o1.x\ndcl_temps 1\ndcl_indexrange o0.x 2\n"
      "ftou r0.x, v0.x\nmov o0.x, v0.y\nmov o[r0.x + 0].x, v0.z\nmov o1.x, v0.w\nret\n");
  ASSERT_NE(vs.text, "") << vs.messages;
  EXPECT_THAT(order_of(vs, {"OpStore", "OpSwitch", "OpReturn"}),
              testing::ElementsAre("OpStore", "OpSwitch", "OpStore", "OpStore", "OpStore", "OpReturn"))
      << vs.text;
}

TEST(SpirvOutputs, PatchConstantsAreThereForWhoReadsThem) {
  const FromListing hs(
      "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\n"
      "dcl_input v[1][0].xyzw\ndcl_output o0.xyzw\nmov o0.xy, v[0][0].xyxx\nmov o0.zw, v[0][0].wwwz\nret\n"
      "hs_join_phase\ndcl_input vpc6.xyzw\ndcl_output o6.xyzw\ndcl_output o7.x\nmov o6.xy, l(1.0, 2.0, 0, "
      "0)\nmov o6.zw, l(0, 0, 3.0, 4.0)\nadd o7.x, vpc6.w, l(5.0)\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  const size_t join = hs.text.find("%join = OpFunction");
  ASSERT_NE(join, std::string::npos) << hs.text;
  EXPECT_EQ(hs.count("OpStore"), 3u) << hs.text;
  EXPECT_LT(hs.text.find("OpStore", join), hs.text.find("OpLoad", join)) << hs.text;
}

}  // namespace
}  // namespace texlate::spirv
