// Lowering of registers, arithmetic and control flow.

#include "tests/unit/lower/lowered.h"

namespace texlate::test {
namespace {

using ir::Op;

TEST(Lower, ReadsAllSourcesBeforeItWrites) {
  const Lowered lowered(pixel_shader("mov r0.xyzw, v0.xyzw\nmov r0.xy, r0.yxyy\nmov o0.xyzw, r0.xyzw\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const auto inputs = lowered.all(Op::input);
  const auto outputs = lowered.all(Op::output);
  ASSERT_EQ(inputs.size(), 4u);
  ASSERT_EQ(outputs.size(), 4u);
  const uint32_t from[] = {1, 0, 2, 3};
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(lowered.module.operands[outputs[i]->first_operand], inputs[from[i]]->first_result);
}

TEST(Lower, OnlyWhatCrossesBlocksIsARegisterAccess) {
  const Lowered straight(pixel_shader("mov r0.xy, v0.xyxx\nadd r0.x, r0.x, r0.y\nmov o0.xyzw, r0.xyxy\n"));
  ASSERT_TRUE(straight.ok) << straight.messages;
  EXPECT_EQ(straight.count(Op::reg_load), 0u);
  EXPECT_EQ(straight.count(Op::reg_store), 0u);
  // The last write before the `if` is saved once. Its arm knows the value; after the endif it is read again.
  const Lowered branch(
      pixel_shader("mov r0.x, v0.x\nadd r0.x, r0.x, r0.x\nif_nz v0.y\n  mov o0.x, r0.x\nelse \n  mov r0.x, "
                   "v0.z\nendif \nmov o0.y, r0.x\nmov o0.z, r0.x\n"));
  ASSERT_TRUE(branch.ok) << branch.messages;
  EXPECT_EQ(branch.count(Op::reg_store), 2u);
  EXPECT_EQ(branch.count(Op::reg_load), 1u);
}

TEST(Lower, AConditionalJumpForgetsNothing) {
  const Lowered lowered(pixel_shader(
      "loop \n  mov r0.x, v0.x\n  breakc_nz r0.x\n  mov o0.x, r0.x\nendloop \nmov o0.y, r0.x\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::reg_store), 1u);
  EXPECT_EQ(lowered.count(Op::reg_load), 1u);
}

TEST(Lower, AMoveBetweenLabelsIsAnArm) {
  const Lowered lowered(
      pixel_shader("mov r0.x, v0.y\nswitch v0.x\n  case l(1)\n    mov r0.x, l(5)\n  case l(2)\n    mov o0.x, "
                   "r0.x\n    break \nendswitch \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::output), 2u);  // once after the move, once in a separate arm
}

TEST(Lower, AComponentThatSeveralLanesReadIsLoadedOnce) {
  const Lowered lowered(pixel_shader("mul o0.xyzw, v0.xxxx, v1.yyyy\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::input), 2u);
  EXPECT_EQ(lowered.count(Op::fmul), 4u);
}

TEST(Lower, ModifiersAreFloatOrIntegerByTheOpcode) {
  const Lowered lowered(pixel_shader(
      "add r0.x, -|v0.x|, v0.y\niadd r0.y, -v0.x, v0.y\nmov r0.z, -v0.x\nmov o0.xyzw, r0.xyzw\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::fabs), 1u);
  EXPECT_EQ(lowered.count(Op::fneg), 2u);
  EXPECT_EQ(lowered.count(Op::ineg), 1u);
}

TEST(Lower, MovMovesTheWordsOfDoubles) {
  const Lowered lowered(pixel_shader("mov o0.xyzw, d(1.5l, -2.0l)\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const auto outputs = lowered.all(Op::output);
  ASSERT_EQ(outputs.size(), 4u);
  const uint32_t words[] = {0, 0x3ff80000u, 0, 0xc0000000u};
  for (uint32_t i = 0; i < 4; ++i) {
    const ir::Value value = lowered.module.operands[outputs[i]->first_operand];
    ASSERT_TRUE(lowered.module.is_constant(value));
    EXPECT_EQ(lowered.module.constant_bits(value), words[i]);
  }
}

TEST(Lower, SaturatesAndMarksPreciseLanes) {
  const Lowered lowered(pixel_shader("mul_sat [precise(y)] r0.xy, v0.xyxx, v1.xyxx\nmov o0.xyzw, r0.xyxy\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::fsat), 2u);
  const auto products = lowered.all(Op::fmul);
  ASSERT_EQ(products.size(), 2u);
  EXPECT_FALSE(products[0]->has(ir::kPrecise));
  EXPECT_TRUE(products[1]->has(ir::kPrecise));
}

TEST(Lower, EveryIfHasAnElse) {
  const Lowered lowered(
      pixel_shader("if_nz v0.x\n  mov o0.x, v0.y\nendif \nif_z v0.x\nelse \n  mov o0.y, v0.y\nendif \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::if_), 2u);
  EXPECT_EQ(lowered.count(Op::else_), 2u);
  EXPECT_EQ(lowered.count(Op::endif), 2u);
}

TEST(Lower, CodeAfterAJumpIsNotReached) {
  const Lowered lowered(pixel_shader(
      "loop \n  break \n  mov r0.x, v0.x\n  if_nz r0.x\n    mov r0.y, v0.x\n  endif \nendloop \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::reg_store), 0u);
  EXPECT_EQ(lowered.count(Op::if_), 0u);
}

TEST(Lower, ASwitchGetsADefaultAndItsLastBreak) {
  const Lowered lowered(
      pixel_shader("switch v0.x\n  case l(1)\n  case l(2)\n    mov o0.x, v0.y\n    break \n  case l(7)\n    "
                   "mov o0.y, v0.y\nendswitch \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::case_), 3u);
  EXPECT_EQ(lowered.count(Op::default_), 1u);
  EXPECT_EQ(lowered.count(Op::break_), 3u);
}

TEST(Lower, UnclosedAndUnopenedConstructsAreErrors) {
  EXPECT_NE(Lowered(pixel_shader("loop \n")).messages.find("error"), std::string::npos);
  EXPECT_NE(Lowered(pixel_shader("endif \n")).messages.find("error"), std::string::npos);
  EXPECT_NE(Lowered(pixel_shader("break \n")).messages.find("error"), std::string::npos);
  EXPECT_NE(Lowered(pixel_shader("if_nz v0.x\nendloop \nendif \n")).messages.find("error"),
            std::string::npos);
}

TEST(Lower, ErrorsPointAtTheOperand) {
  const Lowered lowered(pixel_shader("mov r0.x, v0.x\nstore_raw g4.x, v0.x, r0.x\n"));
  EXPECT_NE(lowered.messages.find(
                ": error: store_raw uses undeclared group-shared memory\n    store_raw g4.x, v0.x, "
                "r0.x\n              ^~~~\n"),
            std::string::npos)
      << lowered.messages;
}

TEST(Lower, CarryAndBorrow) {
  const Lowered lowered(
      pixel_shader("uaddc r0.x, r1.x, v0.x, v0.y\nusubb r0.y, null, v0.x, v0.y\nmov o0.xyzw, r0.xyxx\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::ult), 2u);
  // o0: sum, difference, sum, sum.
  const auto outputs = lowered.all(Op::output);
  ASSERT_EQ(outputs.size(), 4u);
  const auto written = [&](uint32_t i) { return lowered.module.operands[outputs[i]->first_operand]; };
  EXPECT_EQ(written(0), lowered.all(Op::iadd)[0]->first_result);
  EXPECT_EQ(written(1), lowered.all(Op::isub)[0]->first_result);
}

TEST(Lower, GroupSharedMemoryIsAddressedInBytes) {
  const Lowered lowered(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 1\n"
      "dcl_tgsm_structured g0, 8, 64\ndcl_tgsm_raw g1, 256\ndcl_thread_group 64, 1, 1\n"
      "store_structured g0.xy, vThreadIDInGroupFlattened.x, l(0), l(1,2,0,0)\nsync_g_t\n"
      "ld_structured r0.x, vThreadIDInGroupFlattened.x, l(4), g0.xxxx\n"
      "atomic_iadd g1, r0.x, l(1)\nret \n");
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.module.shared[0].bytes, 512u);
  EXPECT_EQ(lowered.module.shared[0].stride, 8u);
  EXPECT_EQ(lowered.count(Op::shared_store), 2u);
  EXPECT_EQ(lowered.count(Op::shared_load), 1u);
  EXPECT_EQ(lowered.count(Op::shared_atomic), 1u);
  EXPECT_EQ(lowered.all(Op::barrier).at(0)->payload, ir::kBarrierThreads | ir::kBarrierShared);
}

/// A hull shader without inputs: its header has an empty input signature.
TEST(Lower, AHullShaderMayHaveNoInputs) {
  const std::string body =
      "hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_triangle_cw\nhs_fork_phase \n"
      "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nmov o0.x, l(1.0)\nret \n";
  const std::string header =
      "// Patch Constant signature:\n//\n// Name                 Index   Mask Register SysValue  Format   "
      "Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_TessFactor            0   x           0  TRIEDGE   float   x   \n//\n"
      "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n// no Input\n";
  const Lowered with_header(header + body);
  EXPECT_TRUE(with_header.ok) << with_header.messages;
  EXPECT_TRUE(with_header.module.inputs.empty());
  // Without a header, the control points that pass through are unknown.
  const Lowered without(body);
  EXPECT_FALSE(without.ok);
}

}  // namespace
}  // namespace texlate::test
