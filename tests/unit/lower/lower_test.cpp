// Lowering of registers, arithmetic and control flow.

#include "tests/unit/lower/lowered.h"

namespace texlate::test {
namespace {

using ir::Op;

TEST(Lower, ReadsAllSourcesBeforeItWrites) {
  const Lowered lowered(pixel_shader("mov r0.xyzw, v0.xyzw\nmov r0.xy, r0.yxyy\nmov o0.xyzw, r0.xyzw\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  // The second mov: two loads, then two stores.
  std::vector<Op> order;
  for (const ir::Instruction& instruction : lowered.module.code) {
    if (instruction.location.line == 15 && instruction.op != Op::return_) order.push_back(instruction.op);
  }
  EXPECT_EQ(order, (std::vector<Op>{Op::reg_load, Op::reg_load, Op::reg_store, Op::reg_store}));
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

TEST(Lower, CarryAndBorrow) {
  const Lowered lowered(
      pixel_shader("uaddc r0.x, r1.x, v0.x, v0.y\nusubb r0.y, null, v0.x, v0.y\nmov o0.xyzw, r0.xyxx\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::ult), 2u);
  EXPECT_EQ(lowered.count(Op::reg_store), 3u);
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

}  // namespace
}  // namespace texlate::test
