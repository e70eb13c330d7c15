// System values that one stage passes to another before the rasterizer: declared on control points, and
// array indices as inputs of several vertices. See "Stages" in docs/spirv.md.

#include <gmock/gmock.h>

#include "tests/support/has_match.h"
#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using test::HasMatch;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kHull =
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\n"
    "dcl_input vOutputControlPointID\n";

FromListing hull_with(std::string_view rest) {
  return FromListing(std::string(kHull) + std::string(rest));
}

TEST(SpirvPassedSystemValues, AHullShaderWritesThemAsPlainOutputs) {
  const FromListing hs = hull_with(
      "dcl_input v[3][2].xyzw\ndcl_output_siv o0.xyzw, position\n"
      "dcl_output_siv o1.x, rendertarget_array_index\ndcl_output_siv o3.y, viewport_array_index\n"
      "dcl_output_siv o4.xy, clip_distance\ndcl_temps 1\nmov r0.x, vOutputControlPointID\n"
      "mov o0.xyzw, v[r0.x + 0][2].xyzw\nmov o1.x, v[r0.x + 0][2].x\nmov o3.y, v[r0.x + 0][2].y\n"
      "mov o4.xy, v[r0.x + 0][2].zwzz\nret\n"
      "hs_fork_phase\ndcl_input vocp[3][0].xyzw\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\n"
      "mov o0.x, vocp[1][0].w\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  for (const char* location :
       {"%o0 Location 0\n", "%o1 Location 1\n", "%o3 Location 3\n", "%o4 Location 4\n", "%v2 Location 2\n"})
    EXPECT_EQ(hs.count(location), 1u) << location << hs.text;
  for (const char* builtin :
       {"BuiltIn Position", "BuiltIn Layer", "BuiltIn ViewportIndex", "BuiltIn ClipDistance"})
    EXPECT_THAT(hs.text, Not(HasSubstr(builtin)));
  // The patch's factors keep theirs.
  EXPECT_EQ(hs.count("BuiltIn TessLevelOuter"), 1u);
}

TEST(SpirvPassedSystemValues, APatchMayRepeatThemOnControlPoints) {
  const FromListing hs = hull_with(
      "dcl_input v[3][2].xyzw\ndcl_output_siv o0.xyzw, position\ndcl_temps 1\n"
      "mov r0.x, vOutputControlPointID\nmov o0.xyzw, v[r0.x + 0][2].xyzw\nret\n"
      "hs_fork_phase\ndcl_input_siv vocp[3][0].xyzw, position\n"
      "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nmov o0.x, vocp[1][0].w\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.module.outputs.size(), 1u);
  EXPECT_THAT(hs.text, Not(HasSubstr("BuiltIn Position")));
}

TEST(SpirvPassedSystemValues, AHullShaderReadsWhatTheVertexShaderWrote) {
  // Without a signature only the declarations say what is a position.
  const FromListing hs = hull_with(
      "dcl_input_siv v[3][0].xyzw, position\ndcl_input_siv v[3][1].x, rendertarget_array_index\n"
      "dcl_output o0.xyzw\ndcl_output o1.x\ndcl_temps 1\nmov r0.x, vOutputControlPointID\n"
      "mov o0.xyzw, v[r0.x + 0][0].xyzw\nmov o1.x, v[r0.x + 0][1].x\nret\n");
  ASSERT_NE(hs.text, "") << hs.messages;
  EXPECT_EQ(hs.count("BuiltIn Position"), 1u);
  EXPECT_EQ(hs.count("%v1 Location 1\n"), 1u);
  EXPECT_EQ(hs.count("%v0 Location"), 0u);
  EXPECT_THAT(hs.text, Not(HasSubstr("BuiltIn Layer")));
}

TEST(SpirvPassedSystemValues, ADomainShaderReadsThemAsPlainControlPoints) {
  const FromListing ds(
      "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\ndcl_input vDomain.xyz\n"
      "dcl_input_siv vicp[3][0].xyzw, position\ndcl_input_siv vicp[3][1].x, rendertarget_array_index\n"
      "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.x, rendertarget_array_index\n"
      "mul o0.xyzw, vDomain.xxxx, vicp[1][0].xyzw\nmov o1.x, vicp[0][1].x\nret\n");
  ASSERT_NE(ds.text, "") << ds.messages;
  EXPECT_EQ(ds.count("%v0 Location 0\n"), 1u);
  EXPECT_EQ(ds.count("%v1 Location 1\n"), 1u);
  // Its own outputs go to the rasterizer.
  EXPECT_EQ(ds.count("BuiltIn Position"), 1u);
  EXPECT_EQ(ds.count("BuiltIn Layer"), 1u);
  EXPECT_THAT(ds.text, HasMatch("OpVariable %_ptr_Output_v4float Output"));
}

TEST(SpirvPassedSystemValues, AGeometryShaderReadsArrayIndicesAsPlainInputs) {
  const FromListing gs(
      "gs_5_0\ndcl_input_siv v[3][0].xyzw, position\ndcl_input_siv v[3][1].x, rendertarget_array_index\n"
      "dcl_input_siv v[3][2].x, viewport_array_index\ndcl_inputprimitive triangle\ndcl_stream m0\n"
      "dcl_outputtopology trianglestrip\ndcl_output_siv o0.xyzw, position\n"
      "dcl_output_siv o1.x, rendertarget_array_index\ndcl_output_siv o2.x, viewport_array_index\n"
      "dcl_maxout 3\nmov o0.xyzw, v[0][0].xyzw\niadd o1.x, v[0][1].x, l(1)\nmov o2.x, v[1][2].x\n"
      "emit_stream m0\nret\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_EQ(gs.count("%v1 Location 1\n"), 1u);
  EXPECT_EQ(gs.count("%v2 Location 2\n"), 1u);
  EXPECT_EQ(gs.count("BuiltIn Position"), 2u);  // the input and the output
  EXPECT_EQ(gs.count("BuiltIn Layer"), 1u);
  EXPECT_EQ(gs.count("BuiltIn ViewportIndex"), 1u);
  EXPECT_THAT(gs.text, HasSubstr("OpIAdd"));
}

TEST(SpirvPassedSystemValues, APixelShaderReadsThemFromTheRasterizer) {
  const FromListing ps(
      "ps_5_0\ndcl_input_ps_siv constant v1.x, rendertarget_array_index\ndcl_output o0.x\nmov o0.x, v1.x\n"
      "ret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("BuiltIn Layer"), 1u);
  EXPECT_EQ(ps.count("Location 1\n"), 0u);
}

}  // namespace
}  // namespace texlate::spirv
