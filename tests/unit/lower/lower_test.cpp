// Lowering of registers, arithmetic and control flow.

#include <fmt/format.h>

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

/// The number of results of the only marker of this kind.
uint32_t results(const Lowered& lowered, Op marker) {
  EXPECT_EQ(lowered.count(marker), 1u);
  return lowered.count(marker) == 1 ? lowered.all(marker)[0]->result_count : 0;
}

TEST(Lower, AnIfPassesWhatItsArmsLeaveDifferentAndSomethingReadsLater) {
  const Lowered branch(
      pixel_shader("mov r0.xyzw, v0.xyzw\nif_nz v0.y\n  mov o0.x, r0.x\n  mov r0.y, v0.z\n  mov r0.w, v0.w\n"
                   "  mov r1.x, v0.w\nelse \n  mov r0.x, v0.z\n  mov r0.y, v0.z\nendif \n"
                   "mov o0.y, r0.x\nmov o0.zw, r0.yyyw\n"));
  ASSERT_TRUE(branch.ok) << branch.messages;
  // r0.x and r0.y: both arms leave v0.z in r0.y, where it was not before. r0.w is still v0.w; nothing reads
  // r1.
  EXPECT_EQ(results(branch, Op::endif), 2u);
  EXPECT_EQ(branch.all(Op::else_)[0]->operand_count, 2u);
}

TEST(Lower, AnIfPassesWhatOnlyTheIndexOfAnIndexReads) {
  const Lowered nested(
      pixel_shader("dcl_indexableTemp x0[4], 4\ndcl_indexableTemp x1[4], 4\nmov r0.x, l(1)\nif_nz v0.y\n"
                   "  mov r0.x, l(2)\nendif \nmov o0.x, x0[x1[r0.x].x].x\n"
                   "loop \n  breakc_nz v0.x\n  mov o0.y, x0[x1[r0.y].x].x\n  mov r0.y, v0.z\nendloop \n"));
  ASSERT_TRUE(nested.ok) << nested.messages;
  EXPECT_EQ(nested.all(Op::endif)[0]->result_count, 1u);
  EXPECT_EQ(results(nested, Op::loop), 1u) << "the next iteration reads r0.y";
}

TEST(Lower, AnArmThatJumpsPassesNothing) {
  const Lowered jumps(
      pixel_shader("mov r0.x, v0.x\nif_nz v0.y\n  mov r0.x, v0.z\nelse \n  mov r0.x, v0.w\n"
                   "  ret \nendif \nmov o0.x, r0.x\n"));
  ASSERT_TRUE(jumps.ok) << jumps.messages;
  EXPECT_EQ(jumps.all(Op::else_)[0]->operand_count, 1u);
  EXPECT_EQ(jumps.all(Op::endif)[0]->operand_count, 0u);
}

TEST(Lower, ALoopCarriesWhatAnIterationMayReadFromThePreviousOne) {
  const Lowered first(pixel_shader(
      "loop \n  mov r0.x, v0.x\n  breakc_nz r0.x\n  mov o0.x, r0.x\nendloop \nmov o0.y, r0.x\n"));
  ASSERT_TRUE(first.ok) << first.messages;
  EXPECT_EQ(results(first, Op::loop), 0u);
  EXPECT_EQ(results(first, Op::endloop), 1u);
  // After the break, r0.x is that of the iteration before.
  const Lowered left(pixel_shader(
      "loop \n  breakc_nz v0.y\n  mov r0.x, v0.x\n  mov o0.x, r0.x\nendloop \nmov o0.y, r0.x\n"));
  ASSERT_TRUE(left.ok) << left.messages;
  EXPECT_EQ(results(left, Op::loop), 1u);
  const Lowered sometimes(pixel_shader(
      "loop \n  breakc_nz v0.y\n  if_nz v0.z\n    mov r0.x, v0.x\n  endif \n  mov o0.x, r0.x\nendloop \n"));
  ASSERT_TRUE(sometimes.ok) << sometimes.messages;
  EXPECT_EQ(results(sometimes, Op::loop), 1u);
  const Lowered counts(
      pixel_shader("mov r0.x, l(0)\nloop \n  ige r0.y, r0.x, l(4)\n  breakc_nz r0.y\n  iadd r0.x, r0.x, "
                   "l(1)\nendloop \n"));
  ASSERT_TRUE(counts.ok) << counts.messages;
  EXPECT_EQ(results(counts, Op::loop), 1u);
}

TEST(Lower, AnOuterLoopMayReadWhatAnInnerOneWrites) {
  const Lowered nested(
      pixel_shader("loop \n  breakc_nz v0.x\n  mov o0.x, r0.x\n  loop \n    breakc_nz v0.y\n    mov r0.x, "
                   "v0.z\n  endloop \n"
                   "endloop \n"));
  ASSERT_TRUE(nested.ok) << nested.messages;
  for (const ir::Instruction* loop : nested.all(Op::loop)) EXPECT_EQ(loop->result_count, 1u);
}

// docs/limits.md: values that pass through exits.
TEST(Lower, TooManyPassedValuesAreAnError) {
  const auto listing = [](uint32_t exits) {
    std::string text = "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 4096\nloop \n";
    for (uint32_t i = 0; i < exits; ++i) text += "  breakc_nz v0.x\n";
    for (uint32_t reg = 0; reg < 4096; ++reg) text += fmt::format("  mov r{}.xyzw, v0.xyzw\n", reg);
    text += "endloop \n";
    for (uint32_t reg = 0; reg < 4096; ++reg) text += fmt::format("add o0.xyzw, v0.xyzw, r{}.xyzw\n", reg);
    return text + "ret \n";
  };
  const Lowered few(listing(1));
  EXPECT_TRUE(few.ok) << few.messages;
  const Lowered many(listing(70));
  EXPECT_FALSE(many.ok);
  EXPECT_NE(many.messages.find("ifs, loops and switches pass on too many temporaries"), std::string::npos)
      << many.messages;
}

TEST(Lower, FoldsAndSharesWhileItMakesOperations) {
  const Lowered lowered(pixel_shader(
      "mov r0.x, v0.x\nadd r0.y, r0.x, l(1.0)\nif_nz v0.y\n  add r0.z, r0.x, l(1.0)\n  add r0.w, r0.x, "
      "l(2.0)\n"
      "  mov o0.x, r0.w\n  mov o0.y, r0.z\nendif \nadd r0.w, r0.x, l(2.0)\nmov o0.z, r0.w\nmov o0.w, r0.y\n"
      "ine r1.x, v0.y, l(0)\nif_nz r1.x\n  mov o0.x, l(0)\nendif \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::fadd), 3u);  // x + 2 of the arm is not known after it
  const auto ifs = lowered.all(Op::if_);
  ASSERT_EQ(ifs.size(), 2u);  // the test of a mask is a test of what it was made from
  EXPECT_EQ(lowered.module.operands[ifs[0]->first_operand], lowered.module.operands[ifs[1]->first_operand]);
}

TEST(Lower, AMoveBetweenLabelsIsAnArm) {
  const Lowered lowered(
      pixel_shader("mov r0.x, v0.y\nswitch v0.x\n  case l(1)\n    mov r0.x, l(5)\n  case l(2)\n    mov o0.x, "
                   "r0.x\n    break \nendswitch \n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::output), 2u);  // once after the move, once in a separate arm
}

TEST(Lower, AComponentThatSeveralLanesReadIsLoadedOnce) {
  const Lowered lowered(pixel_shader("mul o0.xyzw, v0.xxxx, v1.yyzz\n"));
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::input), 3u);
  EXPECT_EQ(lowered.count(Op::fmul), 2u);
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

// D3D11.3 functional specification 22.17.7
TEST(Lower, ADiscardIsAFenceOfViews) {
  const Lowered plain(pixel_shader("discard_nz v0.x\n"));
  EXPECT_EQ(plain.count(Op::barrier), 0u);
  const Lowered fenced(pixel_shader("store_raw u0.x, v0.x, v0.y\ndiscard_nz v0.x\n", "dcl_uav_raw u0\n"));
  ASSERT_EQ(fenced.count(Op::barrier), 1u) << fenced.messages;
  EXPECT_EQ(fenced.all(Op::barrier)[0]->payload, uint32_t{ir::kBarrierUavGlobal});
  EXPECT_LT(fenced.all(Op::buf_store).at(0), fenced.all(Op::barrier)[0]);
}

/// A hull shader without inputs: its header has an empty input signature.
TEST(Lower, AConstantInputIsTheSameWhereverItIsEvaluated) {
  const Lowered lowered(
      "ps_5_0\ndcl_input_ps constant v0.x\ndcl_input_ps linear v1.x\ndcl_output o0.xyzw\n"
      "eval_snapped o0.x, v0.x, l(3,-4,0,0)\neval_sample_index o0.y, v0.x, l(1)\n"
      "eval_centroid o0.z, v0.x\neval_centroid o0.w, v1.x\nret\n");
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.count(Op::eval_snapped) + lowered.count(Op::eval_sample), 0u);
  EXPECT_EQ(lowered.count(Op::eval_centroid), 1u);
  EXPECT_EQ(lowered.count(Op::input), 1u);
}

// D3D11.3 7.5: what is addressed is the sum, which has to be in the range; the index may be negative.
TEST(Lower, ARunTimeRegisterNumberCountsFromItsRange) {
  const Lowered lowered(
      "vs_5_0\ndcl_input v0.x\ndcl_input v4.xyzw\ndcl_input v5.xyzw\ndcl_input v6.xyzw\n"
      "dcl_output o2.x\ndcl_output o3.x\ndcl_indexrange v4.xyzw 3\ndcl_indexrange o2.x 2\n"
      "mov o[v0.x + 3].x, v[v0.x + 6].y\nret\n");
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  EXPECT_EQ(lowered.all(Op::input).at(1)->payload, 4u * 4 + 1);
  EXPECT_EQ(lowered.all(Op::output).at(0)->payload, 2u * 4);
  EXPECT_EQ(lowered.count(Op::iadd), 2u);
}

TEST(Lower, DistancesThatAreNotDeclaredKeepTheirPlaces) {
  const Lowered lowered(
      "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_ClipDistance          0   xyzw        1  CLIPDST   float       \n"
      "// SV_CullDistance          0     zw        2  CULLDST   float      w\n//\n"
      "gs_5_0\ndcl_input_siv v[1][2].w, cull_distance\ndcl_inputprimitive point\n"
      "dcl_outputtopology pointlist\ndcl_output o0.x\ndcl_maxout 1\nmov o0.x, v[0][2].w\nemit\nret\n");
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  uint32_t clip = 0, cull = 0;
  for (const ir::Parameter& input : lowered.module.inputs) {
    EXPECT_EQ(input.array_size, 1u);
    if (input.system_value == ir::SystemValue::clip_distance) clip |= input.mask << 4 * input.reg;
    if (input.system_value == ir::SystemValue::cull_distance) cull |= input.mask << 4 * input.reg;
  }
  EXPECT_EQ(clip, 0xf0u);
  EXPECT_EQ(cull, 0xc00u);
}

TEST(Lower, ArrayIndicesOfTheVertexShaderReachAHullShader) {
  const Lowered lowered(
      "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
      "dcl_tessellator_domain domain_isoline\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_line\nhs_control_point_phase\n"
      "dcl_input_siv v[1][2].x, rendertarget_array_index\ndcl_output o0.x\nmov o0.x, v[0][2].x\nret\n");
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  ASSERT_EQ(lowered.module.inputs.size(), 1u);
  EXPECT_EQ(lowered.module.inputs[0].system_value, ir::SystemValue::render_target_array_index);
}

// D3D11.3 22.3.5. Where nothing would show that an invocation goes on, nothing is counted.
TEST(Lower, AGeometryShaderThatWritesViewsEndsWithItsLastVertex) {
  const auto returns = [](const std::string& view, uint32_t most, const std::string& code) {
    const Lowered lowered("gs_5_0\n" + view +
                          "dcl_input v[1][0].x\ndcl_temps 1\ndcl_inputprimitive point\n"
                          "dcl_outputtopology pointlist\ndcl_output o0.x\ndcl_maxout " +
                          std::to_string(most) + "\n" + code + "ret\n");
    EXPECT_TRUE(lowered.ok) << lowered.messages;
    return lowered.count(Op::return_);
  };
  const std::string emits = "mov o0.x, v[0][0].x\nemit\nemit\n";
  const std::string loop = "loop\nemit\nbreakc_nz v[0][0].x\nendloop\n";
  EXPECT_EQ(returns("dcl_uav_raw u1\n", 3, emits), 1u);
  EXPECT_EQ(returns("dcl_uav_raw u1\n", 2, emits), 3u);
  EXPECT_EQ(returns("", 2, emits), 1u);
  EXPECT_EQ(returns("dcl_uav_raw u1\n", 100, loop), 2u);
  EXPECT_EQ(returns("", 100, loop), 1u);
  EXPECT_EQ(returns("", 100, "loop\nemit\nendloop\n"), 1u);
}

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
  // Without output control points, none do (D3D11.3 functional specification 22.3.19).
  std::string no_points = body;
  no_points.replace(no_points.find("output_control_point_count 3"), 28, "output_control_point_count 0");
  const Lowered none(no_points);
  EXPECT_TRUE(none.ok) << none.messages;
  EXPECT_EQ(none.count(Op::input), 0u);
}

// What an instruction writes may hold the index of what it writes next.
TEST(Lower, IndicesOfDestinationsAreReadBeforeAnyIsWritten) {
  const std::string declarations =
      "vs_5_0\ndcl_input v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\ndcl_indexableTemp x0[4], 4\n";
  const auto index = [](const Lowered& program, size_t store) {
    return program.module.operands_of(*program.all(Op::local_store).at(store))[0];
  };
  const Lowered one(declarations +
                    "mov x0[0].xyzw, v0.xxxx\nmov x0[x0[0].x].xy, v0.zwzz\nmov o0.xyzw, x0[0].xyzw\nret\n");
  ASSERT_TRUE(one.ok) << one.messages;
  ASSERT_EQ(one.count(Op::local_store), 6u);
  EXPECT_EQ(index(one, 4), index(one, 5));
  const Lowered two(declarations +
                    "mov r0.x, v0.x\nudiv r0.x, x0[r0.x].y, v0.z, v0.w\nmov o0.x, r0.x\n"
                    "mov o0.yzw, x0[1].yyyy\nret\n");
  ASSERT_TRUE(two.ok) << two.messages;
  ASSERT_EQ(two.count(Op::local_store), 1u);
  EXPECT_EQ(index(two, 0), two.all(Op::input).at(0)->first_result);
}

}  // namespace
}  // namespace texlate::test
