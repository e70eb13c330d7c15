// deko3d programs on the Maxwell machine, compared with the interpreter: attributes, interpolation, results,
// slots. Words agree exactly, because position w is a power of two there (dksh_route.cpp).
#include "tools/executor/dksh_route.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/corpus/corpus.h"
#include "tests/support/examples.h"
#include "tests/unit/executor/dksh_subject.h"

namespace texlate::executor {
namespace {

class DkshExamples : public testing::TestWithParam<std::string> {};

TEST_P(DkshExamples, AgreeWithTheInterpreter) {
  const std::string source = corpus::read(test::kShaders + "/" + GetParam() + ".asm");
  const std::string scene = corpus::read(test::kShaders + "/scenes/" + GetParam() + ".json");
  // The LOD of a cube is computed from differences of divided coordinates (docs/dksh.md).
  const Tolerance tolerance = GetParam() == "cube_sphere" ? Tolerance{0, 0.05} : Tolerance{};
  expect_agreement(source, scene, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Shaders, DkshExamples, testing::ValuesIn(test::example_names()),
                         [](const auto& shader) { return shader.param; });

TEST(DkshRoute, EveryInterpolation) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_input_ps constant v1.xyz\ndcl_input_ps linear noperspective "
      "v2.xy\n"
      "dcl_input_ps linear centroid v3.zw\ndcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_temps 1\n"
      "mov o0.xy, v0.zwzz\nmov o0.zw, v2.xxxy\nmov o1.xy, v3.zwzz\nmov o1.zw, v1.xxxz\nret\n");
}

TEST(DkshRoute, PositionAndItsW) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps_siv linear noperspective v0.xyzw, position\ndcl_input_ps linear v1.xy\n"
      "dcl_output o0.xyzw\nmul o0.xyzw, v0.xyzw, v1.xyxy\nret\n",
      R"({"inputs": {"v0": {"values": [[0.5, 0.5, 0.25, 2.0], [1.5, 0.5, 0.5, 0.5], [0.5, 1.5, 0.75, 4.0], [1.5, 1.5, 1.0, 1.0]]}}})");
}

// Targets with a gap between them, coverage and depth: the header determines the registers.
TEST(DkshRoute, TargetsMaskAndDepth) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_output o2.xy\ndcl_output oDepth\n"
      "dcl_output oMask\nmov o0.xyzw, v0.wzyx\nmov o2.xy, v0.yxyy\nmul oDepth, v0.x, l(0.5)\nmov oMask, "
      "l(1)\nret\n");
  expect_agreement("ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output oDepth\nmul oDepth, v0.x, l(0.5)\nret\n");
}

// The header enables target 0, because the stage would not run without any result: the mask is after its
// registers.
TEST(DkshRoute, MaskWithoutColorAndDepth) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps constant v0.x\ndcl_output oMask\ndcl_temps 1\nand r0.x, v0.x, l(1)\nmov oMask, "
      "r0.x\nret\n");
  expect_agreement(
      "ps_5_0\ndcl_input_ps linear v0.x\ndcl_output oMask\ndcl_output oDepth\nmov oMask, l(1)\nmov oDepth, "
      "v0.x\nret\n");
}

TEST(DkshRoute, DiscardedPixelsStillLendTheirDerivatives) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 2\n"
      "ftou r0.xy, v0.xyxx\nand r0.z, r0.x, l(1)\nmul r1.x, v0.x, v0.y\ndiscard_nz r0.z\n"
      "deriv_rtx_fine r1.y, r1.x\nderiv_rty_fine r1.z, r1.x\nmov r1.w, l(1)\nmov o0.xyzw, r1.xyzw\nret\n");
}

TEST(DkshRoute, DiscardInBranchesAndEarlyReturn) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 1\n"
      "mov o0.xyzw, l(1,2,3,4)\nlt r0.x, v0.x, l(20)\nif_nz r0.x\n  lt r0.y, v0.y, l(9)\n  discard_nz r0.y\n"
      "  mov o0.x, v0.y\n  ret\nendif\nmov o0.yz, v0.xxyx\nret\n");
}

TEST(DkshRoute, HelpersWriteNothing) {
  expect_agreement(
      "ps_5_0\ndcl_uav_raw u1\ndcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\n"
      "dcl_temps 1\natomic_iadd u1, l(4), l(1)\nmov o0.xyzw, v0.xyxy\nret\n",
      R"({"viewport": [5, 3]})");
}

TEST(DkshRoute, FlatIntegersAndFrontFace) {
  expect_agreement(
      "ps_5_0\ndcl_input_ps constant v0.xy\ndcl_input_ps_sgv constant v1.x, is_front_face\n"
      "dcl_input_ps_sgv constant v2.x, primitive_id\ndcl_output o0.xyzw\ndcl_temps 1\n"
      "iadd r0.x, v0.x, l(-3)\niadd r0.y, v2.x, v0.y\nmov r0.z, v1.x\nmov r0.w, l(7)\nmov o0.xyzw, "
      "r0.xyzw\nret\n");
}

TEST(DkshRoute, VertexAttributes) {
  expect_agreement(
      "vs_4_0\ndcl_constantbuffer cb0[4], immediateIndexed\ndcl_input v0.xyz\ndcl_input v2.y\n"
      "dcl_input_sgv v3.x, vertex_id\ndcl_input_sgv v4.x, instance_id\ndcl_output_siv o0.xyzw, position\n"
      "dcl_output o1.xyz\ndcl_output_siv o2.xy, clip_distance\ndcl_temps 1\nmov r0.xyz, v0.xyzx\nmov r0.w, "
      "l(1.0)\n"
      "dp4 o0.x, r0.xyzw, cb0[0].xyzw\ndp4 o0.y, r0.xyzw, cb0[1].xyzw\ndp4 o0.z, r0.xyzw, cb0[2].xyzw\n"
      "dp4 o0.w, r0.xyzw, cb0[3].xyzw\nutof o1.x, v3.x\nmov o1.y, v2.y\nitof o1.z, v4.x\nmov o2.x, v0.z\n"
      "mul o2.y, v0.y, l(-2.0)\nret\n");
}

TEST(DkshRoute, ConstantBuffersByRunTimeRow) {
  // Those of compute shaders after the sixth are accessed by address.
  for (const char* number : {"1", "5", "6", "7", "13"}) {
    const std::string n = number;
    expect_agreement(
        "cs_5_0\ndcl_constantbuffer cb" + n +
            "[16], dynamicIndexed\ndcl_uav_structured u0, 16\ndcl_input vThreadID.x\ndcl_temps 2\n"
            "dcl_thread_group 16, 1, 1\nmov r0.x, vThreadID.x\nmov r1.xyzw, cb" +
            n + "[r0.x + 0].xyzw\nadd r1.xyzw, r1.xyzw, cb" + n +
            "[3].wzyx\nstore_structured u0.xyzw, vThreadID.x, l(0), r1.xyzw\nret\n",
        R"({"dispatch": [1, 1, 1]})");
  }
}

// A warp of 33 vertices has 31 lanes that do not run: only real vertices count.
TEST(DkshRoute, VerticesPastTheLastDoNotRun) {
  const std::string source =
      "vs_5_0\ndcl_uav_raw u1\ndcl_output_siv o0.xyzw, position\natomic_iadd u1, l(0), l(1)\n"
      "mov o0.xyzw, l(1,2,3,4)\nret\n";
  for (const char* count : {"1", "31", "32", "33", "65"})
    expect_agreement(source, std::string(R"({"vertices": )") + count + "}");
}

// One thread: the numbers that several take from a counter depend on their order.
TEST(DkshRoute, StructuredBuffersTheirSizeAndCounter) {
  expect_agreement(
      "cs_5_0\ndcl_resource_structured t0, 12\ndcl_uav_structured_opc u0, 8\ndcl_uav_raw u1\n"
      "dcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group 1, 1, 1\n"
      "ld_structured r0.xyz, vThreadID.x, l(0), t0.xyzx\nimm_atomic_alloc r1.x, u0\n"
      "bufinfo_indexable(structured_buffer, stride=12) r1.y, t0.yxzw\niadd r1.y, r1.y, r1.x\n"
      "imm_atomic_iadd r1.z, u1, l(0), r1.y\nret\n",
      R"({"dispatch": [1, 1, 1], "textures": {"t0": {"elements": 20}}})");
}

TEST(DkshRoute, ImagesAndTheirAtomics) {
  expect_agreement(
      "cs_5_0\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u0\ndcl_uav_typed_texture2darray "
      "(float,float,float,float) u1\n"
      "dcl_input vThreadID.xyz\ndcl_temps 1\ndcl_thread_group 8, 8, 1\nimul null, r0.x, vThreadID.x, "
      "vThreadID.y\n"
      "atomic_umax u0, vThreadID.xyxx, r0.x\nutof r0.xyz, vThreadID.xyzx\nmov r0.w, l(0.25)\n"
      "store_uav_typed u1.xyzw, vThreadID.xyzz, r0.xyzw\nret\n",
      R"({"dispatch": [2, 2, 6], "uavs": {"u0": {"size": [12, 13], "format": "r32_uint"},
          "u1": {"size": [10, 10], "slices": 4, "format": "r16g16b16a16_float"}}})");
}

TEST(DkshRoute, QueriesAskTheHeader) {
  expect_agreement(
      "ps_5_0\ndcl_sampler s0, mode_default\ndcl_resource_texture2darray (float,float,float,float) t0\n"
      "dcl_resource_texture2dms(4) (float,float,float,float) t1\ndcl_resource_texturecubearray "
      "(float,float,float,float) t2\n"
      "dcl_input_ps linear v0.xyz\ndcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_temps 2\n"
      "ftou r0.x, v0.x\nresinfo_indexable(texture2darray)(float,float,float,float)_uint r1.xyzw, r0.x, "
      "t0.xyzw\n"
      "utof o0.xyzw, r1.xyzw\nsampleinfo_uint r1.x, t1.x\nutof o1.x, r1.x\nmov o1.yzw, l(0,0,0,0)\n"
      "resinfo_indexable(texturecubearray)(float,float,float,float)_uint r1.xyzw, l(1), t2.xyzw\nutof "
      "o2.xyzw, r1.xyzw\nret\n");
}

TEST(DkshRoute, SizesOfArrays) {
  const std::string resinfo = "(uint,uint,uint,uint)_uint r0.xyzw, l(0), ";
  expect_agreement(
      "cs_5_0\ndcl_resource_texture1darray (uint,uint,uint,uint) t0\n"
      "dcl_resource_texturecubearray (uint,uint,uint,uint) t1\n"
      "dcl_uav_typed_texture1darray (uint,uint,uint,uint) u1\ndcl_uav_raw u0\ndcl_input vThreadID.xyz\n"
      "dcl_temps 1\ndcl_thread_group 1, 1, 1\nresinfo_indexable(texture1darray)" +
          resinfo + "t0.xyzw\nstore_raw u0.xyzw, l(0), r0.xyzw\nresinfo_indexable(texturecubearray)" +
          resinfo + "t1.xyzw\nstore_raw u0.xyzw, l(16), r0.xyzw\nresinfo_indexable(texture1darray)" +
          resinfo + "u1.xyzw\nstore_raw u0.xyzw, l(32), r0.xyzw\natomic_iadd u1, vThreadID.xyzz, l(3)\nret\n",
      R"({"dispatch": [6, 4, 1], "textures": {"t0": {"size": [9], "slices": 7, "format": "r32_uint"},
          "t1": {"size": [8, 8], "slices": 18, "format": "r32_uint"}},
          "uavs": {"u0": {"elements": 16}, "u1": {"size": [5], "slices": 3, "format": "r32_uint"}}})");
}

TEST(DkshRoute, FetchesPastTheEdges) {
  expect_agreement(
      "ps_5_0\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture2dms(4) "
      "(float,float,float,float) t1\n"
      "dcl_resource_buffer (float,float,float,float) t2\ndcl_input_ps_siv linear noperspective v0.xy, "
      "position\n"
      "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_temps 2\nftoi r0.xy, v0.xyxx\n"
      "iadd r0.xy, r0.xyxx, l(-8,-8,0,0)\nmov r0.zw, l(0,0,0,1)\n"
      "ld_aoffimmi_indexable(-3,5,0)(texture2d)(float,float,float,float) o0.xyzw, r0.xyww, t0.xyzw\n"
      "ld2dms_indexable(texture2dms)(float,float,float,float) o1.xyzw, r0.xyzz, t1.xyzw, l(2)\n"
      "ld_indexable(buffer)(float,float,float,float) o2.xyzw, r0.x, t2.xyzw\nret\n",
      R"({"viewport": [48, 48], "textures": {"t0": {"size": [40, 30], "mips": 3, "format": "r16g16_float"},
          "t1": {"size": [32, 32], "format": "r32_float"}, "t2": {"elements": 17, "format": "r32g32_float"}}})");
}

TEST(DkshRoute, GathersComparesAndLevels) {
  expect_agreement(
      "ps_5_0\ndcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\n"
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture2d (float,float,float,float) "
      "t1\n"
      "dcl_resource_texture2darray (float,float,float,float) t2\ndcl_input_ps linear v0.xyz\ndcl_output "
      "o0.xyzw\n"
      "dcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_temps 2\nftoi r0.xy, v0.zyzz\n"
      "gather4_po_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, r0.xyxx, t0.xyzw, s0.x\n"
      "sample_c_lz_indexable(texture2d)(float,float,float,float) r1.x, v0.xyxx, t1.xxxx, s1, l(0.5)\n"
      "gather4_c_indexable(texture2d)(float,float,float,float) o1.xyzw, v0.xyxx, t1.xyzw, s1.x, l(0.25)\n"
      "mul r0.xyz, v0.xyzx, l(1,1,5,0)\n"
      "sample_l_indexable(texture2darray)(float,float,float,float) r0.xyzw, r0.xyzx, t2.xyzw, s0, l(1.5)\n"
      "add o2.xyzw, r0.xyzw, r1.xxxx\nret\n");
}

TEST(DkshRoute, TablesAndIndexedRegisters) {
  expect_agreement(
      "ps_5_0\ndcl_immediateConstantBuffer {{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}, {0.5, 0.25, 0, "
      "-1.0}}\n"
      "dcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 1\ndcl_indexableTemp x0[3], 4\n"
      "mov x0[0].xyzw, l(1,2,3,4)\nmov x0[1].xyzw, l(9,8,7,6)\nmov x0[2].xyzw, l(-1,-2,-3,-4)\n"
      "umin r0.x, v0.x, l(2)\nmov r0.y, r0.x\nadd o0.xyzw, icb[r0.x + 0].xyzw, x0[r0.y + 0].wzyx\nret\n");
}

// One that reaches beyond them is memory as a whole.
TEST(DkshRoute, ARangeBeyondTheBanksOfComputeMayBeIndexed) {
  expect_agreement(
      "cs_5_1\ndcl_constantbuffer CB0[3:11][2], dynamicIndexed, space=0\n"
      "dcl_uav_structured U0[0:0], 16, space=0\ndcl_input vThreadIDInGroup.x\ndcl_temps 2\n"
      "dcl_thread_group 8, 1, 1\nmov r0.x, vThreadIDInGroup.x\niadd r0.y, r0.x, l(3)\n"
      "and r0.z, r0.x, l(1)\nadd r1.xyzw, CB0[r0.y][r0.z].xyzw, CB0[4][0].yxwz\n"
      "store_structured U0[0].xyzw, r0.x, l(0), r1.xyzw\nret\n");
}

// The offset in a bank is signed and modulo 64 KiB.
TEST(DkshRoute, RowsOfALargeConstantBuffer) {
  std::string rows;
  for (int row = 0; row < 4096; ++row)
    rows += (row == 0 ? "[" : ",[") + std::to_string(row) + ".0,1,2," + std::to_string(row) + "]";
  for (const int row : {2046, 2047, 2048, 3000, 4095}) {
    const std::string number = std::to_string(row);
    expect_agreement(
        "ps_5_0\ndcl_constantbuffer cb0[4096], dynamicIndexed\ndcl_output o0.xyzw\ndcl_output o1.xyzw\n"
        "dcl_temps 1\nmov r0.x, l(" +
            number + ")\nmov o0.xyzw, cb0[" + number + "].xyzw\nmov o1.xyzw, cb0[r0.x + 0].wzyx\nret\n",
        R"({"constants": {"cb0": [)" + rows + "]}}");
  }
}

// Two words at a multiple of 8 bytes, three and four at a multiple of 16.
TEST(DkshRoute, VectorsOfAttributesAreAligned) {
  expect_agreement(
      "vs_5_0\ndcl_input v0.xyzw\ndcl_input v1.yzw\ndcl_input v2.yz\ndcl_input v3.yw\ndcl_input v4.xw\n"
      "dcl_output_siv o0.xyzw, position\ndcl_output o1.yzw\ndcl_output o2.yz\ndcl_output o3.xzw\n"
      "mov o0.xyzw, v0.xyzw\nmov o1.yzw, v1.yyzw\nmov o2.yz, v2.yyzw\nmov o3.xz, v3.yyww\n"
      "add o3.w, v4.x, v4.w\nret\n");
}

// Detects a header that does not say that the program stores, or accesses memory at all.
TEST(DkshRoute, AccessesToImagesMustBeDeclared) {
  for (const std::string access :
       {"store_uav_typed u2.xyzw, r0.xyyy, l(1,2,3,4)\n", "atomic_iadd u2, r0.xyyy, l(1)\n",
        "ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) o1.xyzw, r0.xyyy, u2.xyzw\n"}) {
    const bool loads = access.starts_with("ld");
    const std::string source =
        "ps_5_0\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u2\n"
        "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_output o1.xyzw\n"
        "dcl_temps 1\nftou r0.xyzw, v0.xyyy\nmov o1.xyzw, l(0,0,0,0)\n" +
        access + "mov o0.xyzw, l(1.0,1.0,1.0,1.0)\nret\n";
    expect_agreement(source);
    Subject run;
    ASSERT_TRUE(run.run(source));
    DkshShader program;
    ASSERT_TRUE(make_dksh(run.shader.legal_dksh, program, run.diagnostics));
    EXPECT_TRUE(program.dksh.loads_or_stores) << access;
    EXPECT_EQ(program.dksh.stores, !loads) << access;
    std::vector<uint32_t> outputs(run.ir.outputs.size());
    sim::StreamLaunch launch;
    launch.count = run.scene->element_count();
    launch.inputs = run.scene->inputs();
    launch.outputs = outputs;
    const auto runs = [&] {
      return run_dksh(program, run.shader.legal_dksh, run.scene->bindings(), launch).ok();
    };
    EXPECT_TRUE(runs()) << access;
    program.dksh.stores = false;
    EXPECT_EQ(runs(), loads) << access;
    program.dksh.loads_or_stores = false;
    EXPECT_FALSE(runs()) << access;
  }
}

// Detects a header that omits something that the code reads.
TEST(DkshRoute, AttributesMustBeListed) {
  Subject run;
  const std::string source =
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyzw\nret\n";
  ASSERT_TRUE(run.run(source));
  DkshShader program;
  ASSERT_TRUE(make_dksh(run.shader.legal_dksh, program, run.diagnostics));
  program.dksh.inputs[0x84 / 4] = 0;
  std::vector<uint32_t> outputs(4 * run.scene->element_count());
  sim::StreamLaunch launch;
  launch.count = run.scene->element_count();
  launch.inputs = run.scene->inputs();
  launch.outputs = outputs;
  const sim::maxwell::Report report = run_dksh(program, run.shader.legal_dksh, run.scene->bindings(), launch);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.faults[0].kind, sim::maxwell::FaultKind::bad_operand);
}

// Detects a missing perspective division: position w is not 1.
TEST(DkshRoute, PerspectiveIsNotForgotten) {
  Subject run;
  ASSERT_TRUE(
      run.run("ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyzw\nret\n"));
  DkshShader program;
  ASSERT_TRUE(make_dksh(run.shader.legal_dksh, program, run.diagnostics));
  for (uint32_t word = 0x80 / 4; word < 0x90 / 4; ++word) program.dksh.inputs[word] = 3;
  std::vector<uint32_t> outputs(run.ir.outputs.size());
  sim::StreamLaunch launch;
  launch.count = run.scene->element_count();
  launch.inputs = run.scene->inputs();
  launch.outputs = outputs;
  EXPECT_TRUE(run_dksh(program, run.shader.legal_dksh, run.scene->bindings(), launch).ok());
  EXPECT_NE(outputs, run.ir.outputs);
}

}  // namespace
}  // namespace texlate::executor
