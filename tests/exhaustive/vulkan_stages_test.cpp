// Hull, domain and geometry shaders executed on a Vulkan driver. They write their inputs to a raw view; the
// expected contents are derived by hand from D3D11.3 chapters 10 to 13.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "tests/support/vulkan_table.h"
#include "tests/unit/spirv/from_listing.h"

namespace texlate {
namespace {

using spirv::FromListing;

constexpr uint32_t kRows = 256;
/// Words 0..15: number of rows; then rows of 16 words.
using Record = std::array<float, 16>;

std::vector<Record> run(const FromListing& vertex, sim::vulkan::PrimitiveJob job) {
  std::vector<uint32_t> words(16 * (kRows + 1), 0);
  sim::vulkan::Shader shader;
  shader.words = vertex.words;
  sim::vulkan::Descriptor view;
  view.kind = sim::vulkan::DescriptorKind::words;
  view.binding = 160;  // u0
  view.elements.resize(1);
  view.elements[0].buffer.data = reinterpret_cast<std::byte*>(words.data());
  view.elements[0].buffer.element_count = static_cast<uint32_t>(words.size() * 4);
  shader.descriptors = {view};
  Diagnostics diagnostics;
  EXPECT_TRUE(vulkan_device(robustness_here())->draw_primitives(shader, job, diagnostics))
      << ir::to_text(diagnostics);
  std::vector<Record> records(std::min(words[0], kRows));
  for (size_t r = 0; r < records.size(); ++r) {
    for (size_t w = 0; w < 16; ++w) records[r][w] = std::bit_cast<float>(words[16 * (r + 1) + w]);
  }
  std::ranges::sort(records);
  return records;
}

/// Takes a row of the view: r0.y becomes its address.
constexpr std::string_view kTakeRow =
    "imm_atomic_iadd r0.x, u0, l(0), l(1)\nimul null, r0.y, r0.x, l(64)\niadd r0.y, r0.y, l(64)\n";

constexpr std::string_view kVertex =
    "vs_5_0\ndcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_output o1.x\ndcl_temps 1\n"
    "utof r0.x, v0.x\nmov o0.xyzw, r0.xxxx\nmul o1.x, r0.x, l(10.0)\nret\n";

// Vertex i has position i and texcoord 10 i; control point k of four comes from vertex k mod 3 of three.
constexpr std::string_view kHull =
    "// Input signature:\n//\n"
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
    "// TEXCOORD                 0   x           1     NONE  float   x   \n//\n"
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 4\n"
    "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\n"
    "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[3][0].xyzw\ndcl_input v[3][1].x\n"
    "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\nudiv null, r0.y, r0.x, l(3)\n"
    "utof r0.z, r0.x\nadd o0.x, v[r0.y + 0][1].x, r0.z\nmov o0.yzw, v[r0.y + 0][0].xxyz\nret\n"
    // The four edges in four instances, by a run-time register number: 1, 2, 3, 4
    "hs_fork_phase\ndcl_hs_fork_phase_instance_count 4\ndcl_input vForkInstanceID\n"
    "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\ndcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\n"
    "dcl_temps 1\ndcl_indexrange o0.x 4\nmov r0.x, vForkInstanceID.x\niadd r0.y, r0.x, l(1)\n"
    "utof r0.y, r0.y\nmov o[r0.x + 0].x, r0.y\nret\n"
    // The sum over the control points that the first phase wrote; returns out of its loop
    "hs_fork_phase\ndcl_input vocp[4][0].xyzw\ndcl_output o6.xyz\ndcl_temps 1\nmov r0.xy, l(0,0,0,0)\nloop\n"
    "add r0.x, r0.x, vocp[r0.y + 0][0].x\nmov o6.x, r0.x\nige r0.z, r0.y, l(3)\nretc_nz r0.z\n"
    "iadd r0.y, r0.y, l(1)\nendloop\nmov o6.x, l(999.0)\nret\n"
    // Reads what the fork phases wrote
    "hs_join_phase\ndcl_input vpc6.x\ndcl_input vpc2.x\ndcl_output_siv o4.x, finalQuadUInsideTessFactor\n"
    "dcl_output_siv o5.x, finalQuadVInsideTessFactor\ndcl_output o6.y\nmov o4.x, l(2.0)\nmov o5.x, l(3.0)\n"
    "mad o6.y, vpc6.x, l(2.0), vpc2.x\nret\n";

std::string domain() {
  return "ds_5_0\ndcl_input_control_point_count 4\ndcl_tessellator_domain domain_quad\ndcl_uav_raw u0\n"
         "dcl_input vpc6.xy\ndcl_input_siv vpc0.x, finalQuadUeq0EdgeTessFactor\n"
         "dcl_input_siv vpc1.x, finalQuadVeq0EdgeTessFactor\ndcl_input_siv vpc2.x, "
         "finalQuadUeq1EdgeTessFactor\ndcl_input_siv vpc3.x, finalQuadVeq1EdgeTessFactor\n"
         "dcl_input_siv vpc4.x, finalQuadUInsideTessFactor\ndcl_input_siv vpc5.x, "
         "finalQuadVInsideTessFactor\ndcl_input vDomain.xy\ndcl_input vicp[4][0].xyzw\n"
         "dcl_output_siv o0.xyzw, position\ndcl_temps 2\n" +
         std::string(kTakeRow) +
         "mov r1.xy, vDomain.xyxx\nmov r1.z, vpc6.x\nmov r1.w, vpc6.y\nstore_raw u0.xyzw, r0.y, r1.xyzw\n"
         "iadd r0.y, r0.y, l(16)\nmov r1.x, vpc0.x\nmov r1.y, vpc1.x\nmov r1.z, vpc2.x\nmov r1.w, vpc3.x\n"
         "store_raw u0.xyzw, r0.y, r1.xyzw\niadd r0.y, r0.y, l(16)\nmov r1.x, vpc4.x\nmov r1.y, vpc5.x\n"
         "mov r1.z, vicp[3][0].x\nmov r1.w, vicp[2][0].w\nstore_raw u0.xyzw, r0.y, r1.xyzw\n"
         "mov o0.xyzw, l(0,0,0,1.0)\nret\n";
}

TEST(VulkanStages, AHullShaderFeedsItsDomainShader) {
  TEXLATE_NEEDS_VULKAN(robustness_here());
  const FromListing vs(kVertex), hs(kHull), ds(domain());
  ASSERT_FALSE(vs.words.empty() || hs.words.empty() || ds.words.empty()) << hs.messages << ds.messages;
  sim::vulkan::PrimitiveJob job;
  job.vertices = job.patch_control_points = 3;
  job.hull = hs.words;
  job.domain = ds.words;
  const std::vector<Record> records = run(vs, job);
  // Edges of 1, 2, 3 and 4 parts around an inside of 2 by 3: ten points on the border, two inside.
  std::vector<std::array<float, 2>> points,
      expected = {{0, 0},    {0, 1},     {0.25f, 1}, {0.5f, 0},     {0.5f, 1 / 3.0f}, {0.5f, 2 / 3.0f},
                  {0.5f, 1}, {0.75f, 1}, {1, 0},     {1, 1 / 3.0f}, {1, 2 / 3.0f},    {1, 1}};
  for (const Record& record : records) {
    // A driver may run the domain shader for a point more than once (11.7.10).
    if (points.empty() || points.back() != std::array{record[0], record[1]})
      points.push_back({record[0], record[1]});
    // 0 + 11 + 22 + 3; twice that, and the third edge; the factors; control points 3 and 2
    const std::array<float, 10> rest = {36, 75, 1, 2, 3, 4, 2, 3, 3, 2};
    for (size_t i = 0; i < rest.size(); ++i) EXPECT_EQ(record[2 + i], rest[i]) << i;
  }
  ASSERT_EQ(points.size(), expected.size());
  for (size_t i = 0; i < points.size(); ++i) {
    // The tessellator computes in 16-bit fixed point (11.7.2).
    EXPECT_NEAR(points[i][0], expected[i][0], 1 / 65536.0f) << i;
    EXPECT_NEAR(points[i][1], expected[i][1], 1 / 65536.0f) << i;
  }
}

TEST(VulkanStages, AGeometryShaderHasInstancesAndReadsItsVertices) {
  TEXLATE_NEEDS_VULKAN(robustness_here());
  const FromListing vs(kVertex);
  const FromListing gs(
      "gs_5_0\ndcl_uav_raw u0\ndcl_input_siv v[1][0].xyzw, position\ndcl_input v[1][1].x\n"
      "dcl_input vPrim\ndcl_input vGSInstanceID\ndcl_gs_instance_count 2\n"
      "dcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\n"
      "dcl_output_siv o0.xyzw, position\ndcl_maxout 1\ndcl_temps 2\n" +
      std::string(kTakeRow) +
      "utof r1.x, vPrim\nutof r1.y, vGSInstanceID.x\nmov r1.z, v[0][0].y\nmov r1.w, v[0][1].x\n"
      "store_raw u0.xyzw, r0.y, r1.xyzw\nmov o0.xyzw, l(0,0,0,1.0)\nemit_stream m0\nret\n");
  ASSERT_FALSE(gs.words.empty()) << gs.messages;
  sim::vulkan::PrimitiveJob job;
  job.vertices = 3;
  job.geometry = gs.words;
  const std::vector<Record> records = run(vs, job);
  ASSERT_EQ(records.size(), 6u);
  for (uint32_t r = 0; r < 6; ++r) {
    const float primitive = static_cast<float>(r / 2);
    EXPECT_EQ(records[r][0], primitive);
    EXPECT_EQ(records[r][1], static_cast<float>(r % 2));
    EXPECT_EQ(records[r][2], primitive);
    EXPECT_EQ(records[r][3], 10 * primitive);
  }
}

}  // namespace
}  // namespace texlate
