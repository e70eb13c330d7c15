// The edges of what geometry, hull and domain shaders can do, one by one, on every route: the interpreter
// leaves what is written here, and the other routes leave what the interpreter leaves.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "sim/pipeline/patch_factors.h"
#include "tests/support/ir_text.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"

namespace texlate::executor {
namespace {

struct Edge {
  const char* name;
  std::string source, scene;
  /// What the interpreter must leave. Null: undefined in Direct3D, so that only the end of the run is judged.
  std::function<void(const Shader&, const sim::Scene&, const RouteResult&)> expect;
};

std::string geometry(const std::string& head, const std::string& code) {
  return "gs_5_0\n" + head + "dcl_temps 2\n" + code + "ret\n";
}
const std::string kPointIn = "dcl_input v[1][0].xyzw\ndcl_inputprimitive point\n";
const std::string kStripOut = "dcl_stream m0\ndcl_outputtopology trianglestrip\n";
const std::string kPointOut = "dcl_stream m0\ndcl_outputtopology pointlist\n";

std::string hull(uint32_t points, const std::string& phases) {
  const std::string n = std::to_string(points);
  return "hs_5_0\nhs_decls\ndcl_input_control_point_count " + n + "\ndcl_output_control_point_count " + n +
         "\ndcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
         "dcl_tessellator_output_primitive output_triangle_cw\n"
         "dcl_immediateConstantBuffer { { 0.0, 0, 0, 0}, { -1.0, 0, 0, 0}, { 0x7fc00000, 0, 0, 0}, "
         "{ 3.0, 0, 0, 0} }\n"
         "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[" +
         n +
         "][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\n"
         "mov o0.xyzw, v[r0.x + 0][0].xyzw\nret\n" +
         phases;
}
std::string fork(uint32_t instances, const std::string& head, const std::string& code) {
  return "hs_fork_phase\ndcl_hs_fork_phase_instance_count " + std::to_string(instances) +
         "\ndcl_input vForkInstanceID\n" + head + "dcl_temps 2\n" + code + "ret\n";
}
const std::string kFactors =
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n";
const std::string kOnes = "mov o0.x, l(1.0)\nmov o1.x, l(1.0)\nmov o2.x, l(1.0)\nmov o3.x, l(1.0)\n";

uint32_t constant(const sim::Scene& scene, const RouteResult& result, uint32_t reg, uint32_t c,
                  uint32_t patch) {
  return result.patch_constants.at((size_t{reg} * 4 + c) * scene.primitives().count + patch);
}
float as_float(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
uint32_t emitted_word(const RouteResult& result, size_t vertex, uint32_t plane) {
  return result.emitted.words.at(vertex * result.emitted.planes + plane);
}

// The sum of a run-time index and a number has to be in the range, so the index alone may be negative.
std::vector<Edge> negative_indices() {
  std::vector<Edge> made;
  const std::string three = "dcl_output o0.x\ndcl_output o1.x\ndcl_output o2.x\ndcl_indexrange o0.x 3\n";
  const std::string tens = "mov o0.x, l(10.0)\nmov o1.x, l(11.0)\nmov o2.x, l(12.0)\n";
  made.push_back({"NegativeIndicesOfVerticesAndOutputs",
                  geometry("dcl_input v[1][0].x\ndcl_input v[1][1].x\ndcl_input v[1][2].x\ndcl_input vPrim\n"
                           "dcl_indexrange v[1][0].x 3\ndcl_inputprimitive point\n" +
                               kPointOut + three + "dcl_maxout 1\n",
                           "iadd r0.x, vPrim.x, l(-1)\n" + tens +
                               "mov o[r0.x + 1].x, v[0][r0.x + 1].x\nemit_stream m0\n"),
                  R"({"primitives": 3, "inputs": {"v0": {"values": [[1.0]]}, "v1": {"values": [[2.0]]},
                      "v2": {"values": [[3.0]]}}})",
                  [](const Shader&, const sim::Scene&, const RouteResult& result) {
                    ASSERT_EQ(result.emitted.vertices.size(), 3u);
                    for (uint32_t p = 0; p < 3; ++p) {
                      for (uint32_t reg = 0; reg < 3; ++reg)
                        EXPECT_EQ(as_float(emitted_word(result, p, 4 * reg)),
                                  static_cast<float>(reg == p ? p + 1 : reg + 10));
                    }
                  }});
  made.push_back(
      {"NegativeIndicesOfPatchConstants",
       hull(3, fork(1, kFactors, kOnes) +
                   fork(3, "dcl_output o4.x\ndcl_output o5.x\ndcl_output o6.x\ndcl_indexrange o4.x 3\n",
                        "iadd r0.x, vForkInstanceID.x, l(-1)\nutof r0.y, vForkInstanceID.x\n"
                        "mov o[r0.x + 5].x, r0.y\n") +
                   "hs_join_phase\ndcl_hs_join_phase_instance_count 3\ndcl_input vJoinInstanceID\n"
                   "dcl_input vpc4.x\ndcl_input vpc5.x\ndcl_input vpc6.x\ndcl_output o8.x\n"
                   "dcl_output o9.x\ndcl_output o10.x\ndcl_temps 1\ndcl_indexrange vpc4.x 3\n"
                   "dcl_indexrange o8.x 3\niadd r0.x, vJoinInstanceID.x, l(-1)\n"
                   "mov o[r0.x + 9].x, vpc[r0.x + 5].x\nret\n"),
       R"({"primitives": 2})", [](const Shader&, const sim::Scene& scene, const RouteResult& result) {
         for (uint32_t i = 0; i < 3; ++i) {
           for (const uint32_t first : {4u, 8u})
             EXPECT_EQ(as_float(constant(scene, result, first + i, 0, 1)), static_cast<float>(i));
         }
       }});
  made.push_back(
      {"NegativeIndicesInTheDomain",
       "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\n"
       "dcl_input vpc4.x\ndcl_input vpc5.x\ndcl_input vpc6.x\ndcl_input vDomain.xyz\ndcl_input vPrim\n"
       "dcl_input vcp[1][0].x\ndcl_input vcp[1][1].x\ndcl_input vcp[1][2].x\n" +
           three +
           "dcl_temps 1\ndcl_indexrange vpc4.x 3\ndcl_indexrange vcp[1][0].x 3\n"
           "iadd r0.x, vPrim.x, l(-1)\n" +
           tens + "mov r0.y, vpc[r0.x + 5].x\nadd o[r0.x + 1].x, vcp[0][r0.x + 1].x, r0.y\nret\n",
       R"({"primitives": 3, "tessellation": {"factors": [1, 1, 1, 1]}})",
       [](const Shader&, const sim::Scene& scene, const RouteResult& result) {
         const uint32_t count = scene.element_count();
         ASSERT_EQ(count % 3, 0u);
         for (uint32_t e = 0; e < count; ++e) {
           const uint32_t p = e / (count / 3);
           for (uint32_t reg = 0; reg < 3; ++reg) {
             const float expected = static_cast<float>(reg + 10);
             const uint32_t word = result.outputs[size_t{4 * reg} * count + e];
             EXPECT_EQ(as_float(word) == expected, reg != p) << e;
           }
         }
       }});
  return made;
}

std::vector<Edge> edges() {
  std::vector<Edge> made;
  made.push_back(
      {"CutsOfEmptyStrips",
       geometry(kPointIn + kStripOut + "dcl_output o0.xyzw\ndcl_maxout 8\n",
                "mov o0.xyzw, v[0][0].xyzw\ncut_stream m0\ncut_stream m0\nemit_stream m0\ncut_stream m0\n"
                "cut_stream m0\nmov o0.xyzw, v[0][0].yyyy\nemit_stream m0\nmov o0.xyzw, v[0][0].zzzz\n"
                "emit_stream m0\nmov o0.xyzw, v[0][0].wwww\nemit_stream m0\ncut_stream m0\n"),
       R"({"primitives": 2})", [](const Shader&, const sim::Scene&, const RouteResult& result) {
         ASSERT_EQ(result.emitted.vertices.size(), 8u);
         for (const size_t v : {0, 1, 4, 5}) EXPECT_TRUE(result.emitted.vertices[v].starts_strip) << v;
         for (const size_t v : {2, 3, 6, 7}) EXPECT_FALSE(result.emitted.vertices[v].starts_strip) << v;
       }});
  made.push_back(
      {"EmissionsPastTheCount",
       geometry(kPointIn + kPointOut + "dcl_output o0.xyzw\ndcl_maxout 3\n",
                "mov r0.x, l(0)\nloop\nige r0.y, r0.x, l(9)\nbreakc_nz r0.y\nmov o0.xyz, v[0][0].xyzx\n"
                "utof o0.w, r0.x\nemit_stream m0\niadd r0.x, r0.x, l(1)\nendloop\n"),
       R"({"primitives": 3})", [](const Shader&, const sim::Scene&, const RouteResult& result) {
         ASSERT_EQ(result.emitted.vertices.size(), 9u);
         EXPECT_EQ(as_float(emitted_word(result, 2, 3)), 2.0f);
         EXPECT_EQ(as_float(emitted_word(result, 3, 3)), 0.0f);
       }});
  made.push_back(
      {"TheEndWithTheLastVertex",
       geometry(kPointIn + kPointOut + "dcl_uav_raw u1\ndcl_output o0.xyzw\ndcl_maxout 2\n",
                "mov r0.x, l(0)\nloop\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m0\niadd r0.x, r0.x, l(1)\n"
                "ishl r0.y, r0.x, l(2)\nstore_raw u1.x, r0.y, l(7)\nendloop\n"),
       R"({"primitives": 1, "uavs": {"u1": {"elements": 8}}})",
       [](const Shader&, const sim::Scene&, const RouteResult& result) {
         EXPECT_EQ(result.emitted.vertices.size(), 2u);
         EXPECT_EQ(result.uavs, (std::vector<uint32_t>{0, 7, 0, 0, 0, 0, 0, 0}));
       }});
  made.push_back(
      {"StreamThree",
       geometry(
           kPointIn + kPointOut +
               "dcl_output o0.xyzw\ndcl_stream m1\ndcl_outputtopology pointlist\n"
               "dcl_output o0.xyzw\ndcl_stream m2\ndcl_outputtopology pointlist\ndcl_output "
               "o0.xyzw\ndcl_stream m3\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\n"
               "dcl_maxout 3\n",
           "mov o0.xyzw, v[0][0].xyzw\nemit_stream m3\nmov o0.xyzw, v[0][0].wzyx\nemit_then_cut_stream m0\n"
           "mov o0.xyzw, v[0][0].yyyy\nemit_stream m3\n"),
       R"({"primitives": 2})", [](const Shader&, const sim::Scene&, const RouteResult& result) {
         ASSERT_EQ(result.emitted.vertices.size(), 6u);
         const std::array<uint32_t, 6> streams = {3, 0, 3, 3, 0, 3};
         for (size_t v = 0; v < streams.size(); ++v)
           EXPECT_EQ(result.emitted.vertices[v].stream, streams[v]) << v;
       }});
  made.push_back({"ThirtyTwoControlPoints", hull(32, fork(1, kFactors, kOnes)), R"({"primitives": 3})",
                  [](const Shader&, const sim::Scene& scene, const RouteResult& result) {
                    ASSERT_EQ(scene.element_count(), 96u);
                    for (uint32_t e = 0; e < 96; ++e) EXPECT_EQ(result.outputs[e], scene.inputs()[e]) << e;
                  }});
  made.push_back(
      {"FactorsOfZeroNegativeAndNaN",
       hull(3,
            fork(1, kFactors + "dcl_input vPrim\n",
                 "mov r0.x, vPrim\nmov o0.x, icb[r0.x + 0].x\nmov o1.x, l(2.0)\nmov o2.x, l(2.0)\nmov o3.x, "
                 "l(2.0)\n")),
       R"({"primitives": 4})", [](const Shader& shader, const sim::Scene&, const RouteResult& result) {
         const sim::Tessellation tessellation = sim::tessellation_of(shader.contract);
         for (uint32_t p = 0; p < 4; ++p) {
           const auto factors = sim::factors_of(shader.contract, result.patch_constants, 4, p);
           EXPECT_EQ(sim::tessellate(tessellation, factors).points.empty(), p < 3) << p;
         }
         EXPECT_EQ(result.patch_constants[2], 0x7fc00000u);
       }});
  for (const uint32_t instances : {1u, 99u}) {
    made.push_back({instances == 1 ? "ForkPhaseOfOneInstance" : "ForkPhaseOfNinetyNineInstances",
                    hull(3, fork(1, kFactors, kOnes) +
                                fork(instances, "dcl_output o4.xyz\n",
                                     "mov r0.x, vForkInstanceID\nif_z r0.x\nmov o4.x, l(7.0)\nret\nendif\n"
                                     "ieq r0.y, r0.x, l(98)\nif_nz r0.y\nutof o4.y, r0.x\nendif\n")),
                    R"({"primitives": 2})",
                    [instances](const Shader&, const sim::Scene& scene, const RouteResult& result) {
                      for (uint32_t p = 0; p < 2; ++p) {
                        EXPECT_EQ(as_float(constant(scene, result, 4, 0, p)), 7.0f);
                        if (instances != 99) continue;
                        EXPECT_EQ(as_float(constant(scene, result, 4, 1, p)), 98.0f);
                      }
                    }});
  }
  made.push_back({"InstanceThirtyOne",
                  geometry("dcl_input vGSInstanceID\ndcl_gs_instance_count 32\n" + kPointIn + kPointOut +
                               "dcl_output o0.xy\ndcl_maxout 1\n",
                           "utof o0.x, vGSInstanceID.x\nmov o0.y, v[0][0].y\nemit_stream m0\n"),
                  R"({"primitives": 2})", [](const Shader&, const sim::Scene&, const RouteResult& result) {
                    ASSERT_EQ(result.emitted.vertices.size(), 64u);
                    EXPECT_EQ(as_float(emitted_word(result, 31, 0)), 31.0f);
                    EXPECT_EQ(result.emitted.vertices[63].instance, 31u);
                  }});
  made.push_back(
      {"AControlPointOutOfRange",
       hull(3, fork(1, kFactors + "dcl_input vocp[3][0].xyzw\ndcl_input vicp[3][0].xyzw\ndcl_input vPrim\n",
                    "iadd r0.x, vPrim, l(77)\nmov o0.x, vocp[r0.x + 0][0].x\nmov o1.x, "
                    "vicp[r0.x + 0][0].x\nmov o2.x, l(1.0)\nmov o3.x, l(1.0)\n")),
       R"({"primitives": 2})", nullptr});
  made.push_back(
      {"PatchConstantsOfSeveralPhases",
       hull(3, fork(4, kFactors + "dcl_indexrange o0.x 4\n",
                    "mov r0.x, vForkInstanceID\niadd r0.y, r0.x, l(1)\nutof r0.y, r0.y\nmov o[r0.x + 0].x, "
                    "r0.y\n") +
                   fork(1, "dcl_output o4.x\n", "mov o4.x, l(10.0)\n") +
                   fork(1, "dcl_output o4.y\n", "mov o4.y, l(20.0)\n") +
                   "hs_join_phase\ndcl_input vpc4.xy\ndcl_input vpc2.x\ndcl_output o4.zw\ndcl_temps 1\n"
                   "add o4.z, vpc4.x, vpc4.y\nadd o4.w, vpc4.y, vpc2.x\nret\n"),
       R"({"primitives": 2})", [](const Shader&, const sim::Scene& scene, const RouteResult& result) {
         const std::array<float, 4> expected = {10, 20, 30, 23};
         for (uint32_t c = 0; c < 4; ++c)
           EXPECT_EQ(as_float(constant(scene, result, 4, c, 1)), expected[c]) << c;
         for (uint32_t reg = 0; reg < 4; ++reg)
           EXPECT_EQ(as_float(constant(scene, result, reg, 0, 1)), static_cast<float>(reg + 1)) << reg;
       }});
  made.push_back(
      {"ThousandAndTwentyFourWords",
       geometry(kPointIn + kPointOut + "dcl_output o0.xyzw\ndcl_maxout 256\n",
                "mov r0.x, l(0)\nloop\nige r0.y, r0.x, l(256)\nbreakc_nz r0.y\nmov o0.xyz, v[0][0].xyzx\n"
                "utof o0.w, r0.x\nemit_stream m0\niadd r0.x, r0.x, l(1)\nendloop\n"),
       R"({"primitives": 2})", [](const Shader&, const sim::Scene&, const RouteResult& result) {
         ASSERT_EQ(result.emitted.vertices.size(), 512u);
         EXPECT_EQ(as_float(emitted_word(result, 511, 3)), 255.0f);
       }});
  made.push_back({"DomainPointsWithThirtyTwoControlPoints",
                  "ds_5_0\ndcl_input_control_point_count 32\ndcl_tessellator_domain domain_quad\n"
                  "dcl_input vDomain.xy\ndcl_input vcp[32][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n"
                  "mul r0.x, vDomain.x, l(31.0)\nftou r0.x, r0.x\nmov o0.xy, vcp[r0.x + 0][0].xyxx\n"
                  "mov o0.zw, vDomain.xxxy\nret\n",
                  R"({"primitives": 2, "tessellation": {"factors": [4, 4, 4, 4, 4, 4]}})",
                  [](const Shader&, const sim::Scene& scene, const RouteResult&) {
                    EXPECT_EQ(scene.element_count(), 50u);
                  }});
  made.push_back({"AVertexOutOfRange",
                  geometry("dcl_input v[3][0].xyzw\ndcl_input vPrim\ndcl_inputprimitive triangle\n" +
                               kPointOut + "dcl_output o0.xyzw\ndcl_maxout 1\n",
                           "iadd r0.x, vPrim, l(1000)\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nemit_stream m0\n"),
                  R"({"primitives": 2})", nullptr});
  const std::string domain =
      "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\ndcl_input vDomain.xyz\n"
      "dcl_input vcp[3][0].xyzw\ndcl_input vPrim\ndcl_output o0.xyzw\ndcl_temps 1\n";
  made.push_back({"AControlPointOutOfRangeInTheDomain",
                  domain + "iadd r0.x, vPrim, l(77)\nmov o0.xyzw, vcp[r0.x + 0][0].xyzw\nret\n",
                  R"({"primitives": 2})", nullptr});
  made.push_back(
      {"PatchesThatFactorsCull", domain + "utof r0.x, vPrim\nmov o0.x, r0.x\nmov o0.yzw, vDomain.xxyz\nret\n",
       R"({"primitives": 5, "tessellation": {"factors": [[0, 2, 2, 2], [2, -1, 2, 2], [2, 2, "nan", 2],
                     [2, 2, 2, "nan"], [2, 2, 2, -1]]}})",
       [](const Shader&, const sim::Scene& scene, const RouteResult& result) {
         // An inside factor culls nothing: it is at least 1.
         ASSERT_EQ(scene.element_count() % 2, 0u);
         const uint32_t half = scene.element_count() / 2;
         ASSERT_NE(half, 0u);
         for (uint32_t e = 0; e < 2 * half; ++e)
           EXPECT_EQ(as_float(result.outputs[e]), e < half ? 3.0f : 4.0f) << e;
       }});
  for (Edge& edge : negative_indices()) made.push_back(std::move(edge));
  return made;
}

class StageEdges : public testing::TestWithParam<Route> {};

void judge(const Edge& edge, Route route) {
  const std::array routes = {Route::ir, route};
  Diagnostics diagnostics;
  Shader shader;
  ASSERT_TRUE(load_shader(edge.source, shader, routes, diagnostics)) << ir::to_text(diagnostics, edge.source);
  const auto scene = sim::Scene::make(edge.scene, ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics, edge.scene);
  RunLimits limits;
  if (route == Route::vulkan) limits.device = vulkan_device(spirv::Robustness::driver);
  RouteResult expected, result;
  ASSERT_TRUE(run_route(Route::ir, shader, *scene, limits, expected, diagnostics))
      << ir::to_text(diagnostics);
  if (edge.expect != nullptr) edge.expect(shader, *scene, expected);
  if (route == Route::ir) return;
  ASSERT_TRUE(run_route(route, shader, *scene, limits, result, diagnostics)) << ir::to_text(diagnostics);
  EXPECT_TRUE(result.trouble.empty() || is_excused(shader, expected, result)) << result.trouble;
  const Comparison comparison = compare_outputs(shader, *scene, expected, result);
  EXPECT_EQ(comparison.different, 0u) << comparison.first;
  EXPECT_TRUE(edge.expect == nullptr || comparison.elements != 0);
}

TEST_P(StageEdges, AreThoseOfTheInterpreter) {
  if (GetParam() == Route::vulkan) {
    TEXLATE_NEEDS_VULKAN(spirv::Robustness::driver);
  }
  for (const Edge& edge : edges()) {
    SCOPED_TRACE(edge.name);
    judge(edge, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Routes, StageEdges,
                         testing::Values(Route::ir, Route::ptx, Route::maxwell, Route::dksh, Route::vulkan),
                         [](const auto& route) { return std::string(route_name(route.param)); });

}  // namespace
}  // namespace texlate::executor
