// Hull and domain shaders: phases, control points, patch constants, tessellation factors.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kDeclarations =
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 4\n"
    "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_fractional_even\n"
    "dcl_tessellator_output_primitive output_triangle_ccw\n";
constexpr std::string_view kControlPoints =
    "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[3][0].xyzw\n"
    "dcl_input v[3][1].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\n"
    "mov o0.xyzw, v[r0.x + 0][1].xyzw\nret\n";

FromListing hull(std::string_view phases) {
  return FromListing(std::string(kDeclarations) + std::string(phases));
}

TEST(SpirvHull, PhasesAreFunctionsThatTheEntryPointCallsInOrder) {
  const FromListing hs =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\n"
           "mov o0.x, l(2.0)\nret\n"
           "hs_join_phase\ndcl_input vpc0.x\ndcl_output o6.y\nmul o6.y, vpc0.x, l(3.0)\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.count("OpFunctionCall"), 3u);
  const size_t control_points = hs.text.find("OpFunctionCall %void %control_points");
  const size_t fork = hs.text.find("OpFunctionCall %void %fork");
  const size_t join = hs.text.find("OpFunctionCall %void %join");
  EXPECT_LT(control_points, fork);
  EXPECT_LT(fork, join);
  EXPECT_THAT(hs.text, HasSubstr("OpCapability Tessellation"));
  EXPECT_EQ(hs.count("OpCapability"), 2u);  // Tessellation and Shader
  EXPECT_THAT(hs.text, HasSubstr("OutputVertices 4"));
  EXPECT_THAT(hs.text, HasSubstr("SpacingFractionalEven"));
  EXPECT_THAT(hs.text, HasSubstr("VertexOrderCcw"));
  EXPECT_THAT(hs.text, HasSubstr("Quads"));
  // Nothing in the patch phase reads output control points.
  EXPECT_THAT(hs.text, Not(HasSubstr("OpControlBarrier")));
}

TEST(SpirvHull, ABarrierStandsBeforeAPatchThatReadsControlPoints) {
  const FromListing hs =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_input vocp[4][0].xyzw\n"
           "dcl_output_siv o4.x, finalQuadUInsideTessFactor\nmov o4.x, vocp[2][0].y\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.count("OpControlBarrier"), 1u);
  EXPECT_THAT(hs.text, HasSubstr("gl_TessLevelInner"));
}

/// The target of the switch for 0.
std::string label_of_case_0(const std::string& text) {
  size_t at = text.find("OpSwitch");
  at = text.find(" 0 %", at) + 3;
  return text.substr(at, text.find_first_of(" \n", at) - at);
}

TEST(SpirvHull, InstancesAreALoopAroundTheFunction) {
  const FromListing hs =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_hs_fork_phase_instance_count 4\ndcl_input vForkInstanceID\n"
           "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\ndcl_output_siv o1.x, "
           "finalQuadVeq0EdgeTessFactor\ndcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\n"
           "dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\ndcl_temps 1\ndcl_indexrange o0.x 4\n"
           "mov r0.x, vForkInstanceID.x\nmov o[r0.x + 0].x, l(1.0)\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.count("OpLoopMerge"), 1u);
  EXPECT_EQ(hs.count("OpFunctionParameter"), 1u);
  // The instance chooses the edge: one case for all four.
  EXPECT_EQ(hs.count("OpSwitch"), 1u);
  EXPECT_THAT(hs.text, HasSubstr(fmt::format(" 0 {0} 1 {0} 2 {0} 3 {0}\n", label_of_case_0(hs.text))))
      << hs.text;
  EXPECT_EQ(hs.count("OpAccessChain %_ptr_Output_float %gl_TessLevelOuter"), 1u);
  EXPECT_EQ(hs.count("OpStore"), 2u);
}

TEST(SpirvHull, FactorsThatDoNotFollowTheirRegistersAreCasesOfTheirOwn) {
  // v1 and u1 are swapped; the inside factor is in another array.
  const FromListing hs =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_input vPrim\ndcl_output_siv o2.x, finalQuadUeq0EdgeTessFactor\n"
           "dcl_output_siv o3.x, finalQuadVeq0EdgeTessFactor\ndcl_output_siv o5.x, "
           "finalQuadUeq1EdgeTessFactor\ndcl_output_siv o4.x, finalQuadVeq1EdgeTessFactor\n"
           "dcl_output_siv o6.x, finalQuadUInsideTessFactor\ndcl_output o7.x\ndcl_temps 1\n"
           "dcl_indexrange o2.x 6\nmov r0.x, vPrim\nmov o[r0.x + 2].x, l(1.0)\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.count("OpStore"), 1u + 5u) << hs.text;
  // 2 - 2 and 3 - 2; the index of the first is 0 if the register is 2.
  EXPECT_THAT(hs.text, HasSubstr("%uint_4294967294")) << hs.text;
  EXPECT_EQ(hs.count("%gl_TessLevelOuter %uint_"), 2u);
  EXPECT_EQ(hs.count("%gl_TessLevelInner %uint_0"), 1u);
  const FromListing arrays =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_input vPrim\ndcl_output_siv o2.x, finalQuadUeq0EdgeTessFactor\n"
           "dcl_output_siv o3.x, finalQuadVInsideTessFactor\ndcl_temps 1\ndcl_indexrange o2.x 2\n"
           "mov r0.x, vPrim\nmov o[r0.x + 2].x, l(1.0)\nret\n");
  EXPECT_EQ(arrays.count("OpStore"), 1u + 2u) << arrays.messages;
}

TEST(SpirvHull, AReturnInsideOfALoopEndsThePhaseAlone) {
  const FromListing hs =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_input vPrim\ndcl_output o0.y\ndcl_temps 1\nmov r0.x, l(0)\nloop\n"
           "ige r0.y, r0.x, vPrim\nretc_nz r0.y\niadd r0.x, r0.x, l(1)\nendloop\n"
           "hs_join_phase\ndcl_output o1.y\nmov o1.y, l(1.0)\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_THAT(hs.text, HasSubstr("OpFunctionCall %void %join"));
}

TEST(SpirvHull, ControlPointsPassThroughByTheSignature) {
  const std::string signature =
      "// Input signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
      "// TEXCOORD                 0   xy          1     NONE  float   xy  \n//\n";
  const std::string fork =
      "hs_fork_phase\ndcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\nmov o0.x, l(2.0)\nret\n";
  const FromListing hs(signature + std::string(kDeclarations) + fork);
  ASSERT_NE(hs.text, "") << hs.messages;
  // What the vertex shader wrote as a position is read as one; it is passed on as a plain output.
  EXPECT_THAT(hs.text, HasSubstr("BuiltIn Position"));
  EXPECT_THAT(hs.text, HasSubstr("OpDecorate %SV_Position0 Location 0"));
  EXPECT_THAT(hs.text, HasSubstr("%TEXCOORD0"));
  const FromListing unnamed = hull(fork);
  EXPECT_EQ(unnamed.text, "");
  EXPECT_THAT(unnamed.messages, HasSubstr("has no signature that lists them"));
}

TEST(SpirvHull, EachPhaseHasTemporariesOfItsOwn) {
  const FromListing hs =
      hull(std::string(kControlPoints) +
           "hs_fork_phase\ndcl_input vPrim\ndcl_temps 1\ndcl_indexableTemp x0[2], 1\ndcl_output o0.y\n"
           "mov r0.x, vPrim\nmov x0[r0.x + 0].x, l(1.0)\nmov o0.y, x0[r0.x + 0].x\nret\n"
           "hs_fork_phase\ndcl_input vPrim\ndcl_temps 1\ndcl_indexableTemp x0[5], 4\ndcl_output o1.y\n"
           "mov r0.x, vPrim\nmov x0[r0.x + 0].w, l(1.0)\nmov o1.y, x0[r0.x + 0].w\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  ASSERT_EQ(hs.module.locals.size(), 2u);
  EXPECT_EQ(hs.module.locals[0].rows, 2u + 1u) << "legalization gave it a spare row";
  EXPECT_EQ(hs.module.locals[1].rows, 5u + 1u);
}

TEST(SpirvHull, CodeOutsideOfPhasesIsAnError) {
  EXPECT_THAT(hull("ret\n" + std::string(kControlPoints)).messages,
              HasSubstr("ret is outside the phases of a hull shader"));
  EXPECT_NE(hull("").messages, "");
}

TEST(SpirvHull, RunTimeVertexAndRegisterNumbers) {
  const FromListing hs = hull(
      "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input vPrim\ndcl_input v[3][0].xyzw\n"
      "dcl_input v[3][1].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\ndcl_indexrange v[3][0].xyzw 2\n"
      "mov r0.x, vOutputControlPointID\nmov r0.y, vPrim\nmov o0.x, v[r0.x + 0][r0.y + 0].x\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.count("OpSelect "), 1u);
}

TEST(SpirvHull, ControlPointsAreReadBackAsVectors) {
  const FromListing hs = hull(std::string(kControlPoints) +
                              "hs_fork_phase\ndcl_input vocp[4][0].xyzw\ndcl_output o6.xyzw\n"
                              "add o6.xyzw, vocp[2][0].xyzw, vocp[3][0].xyzw\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  const size_t fork = hs.text.find("%fork = OpFunction");
  size_t loads = 0;
  for (size_t at = fork; (at = hs.text.find("OpLoad %v4float", at)) != std::string::npos; ++at) ++loads;
  EXPECT_EQ(loads, 2u) << hs.text;
  EXPECT_EQ(hs.text.find("OpCompositeExtract", fork), std::string::npos) << hs.text;
}

TEST(SpirvDomain, ConstantsAndControlPointsComeAsVectors) {
  const FromListing ds(
      "ds_5_0\ndcl_input_control_point_count 4\ndcl_tessellator_domain domain_tri\ndcl_input vpc6.xyzw\n"
      "dcl_input vicp[4][2].xyzw\ndcl_output_siv o0.xyzw, position\n"
      "add o0.xyzw, vpc6.wzyx, vicp[1][2].xyzw\nret\n");
  ASSERT_NE(ds.text, "") << ds.messages;
  EXPECT_EQ(ds.count("OpLoad %v4float"), 2u) << ds.text;
  EXPECT_EQ(ds.count("OpAccessChain"), 1u);
  EXPECT_EQ(ds.count("OpVectorShuffle"), 1u);
  EXPECT_THAT(ds.text, HasSubstr(" 3 2 1 0\n"));
}

TEST(SpirvDomain, PatchConstantsComeFromWhereTheHullShaderPutThem) {
  const FromListing ds(
      "ds_5_0\ndcl_input_control_point_count 4\ndcl_tessellator_domain domain_tri\ndcl_input vpc6.xy\n"
      "dcl_input_siv vpc1.x, finalTriVeq0EdgeTessFactor\ndcl_input vDomain.xyz\ndcl_input vicp[4][2].xyzw\n"
      "dcl_output_siv o0.xyzw, position\nmul o0.xyz, vDomain.xyzx, vicp[1][2].xyzx\n"
      "add o0.w, vpc6.y, vpc1.x\nret\n");
  ASSERT_NE(ds.text, "") << ds.messages;
  EXPECT_THAT(ds.text, HasSubstr("Location 25"));  // 31 - 6, as in the hull shader
  EXPECT_THAT(ds.text, HasSubstr("%gl_TessLevelOuter %uint_1"));
  EXPECT_THAT(ds.text, HasSubstr("Triangles"));
}

}  // namespace
}  // namespace texlate::spirv
