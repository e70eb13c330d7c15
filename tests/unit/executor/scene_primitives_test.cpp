// Scenes of hull, domain and geometry shaders, and comparisons of what these leave.
#include <bit>

#include "sim/scene/primitive_source.h"
#include "tests/support/ir_text.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// A shader as IR text, and scenes for it.
struct Staged {
  explicit Staged(std::string_view text) { ir::parse_or_fail(text, shader.contract); }
  std::unique_ptr<sim::Scene> scene(std::string_view json) {
    diagnostics = Diagnostics();
    return sim::Scene::make(json, ".", shader.contract, diagnostics);
  }
  std::string error(std::string_view json) {
    EXPECT_EQ(scene(json), nullptr) << json;
    return diagnostics.list().empty() ? "" : std::string(diagnostics.list()[0].message);
  }
  executor::RouteResult run(std::string_view json) {
    const auto made = scene(json);
    executor::RouteResult result;
    EXPECT_TRUE(made != nullptr && run_route(executor::Route::ir, shader, *made, {}, result, diagnostics))
        << ir::to_text(diagnostics);
    return result;
  }
  executor::Shader shader;
  Diagnostics diagnostics;
};

constexpr std::string_view kDomain =
    "module domain 5.0 \"main\"\ninput_control_points 2\ntessellator_domain 2\ninput v0.x array(2)\n"
    "patch_constant p0.x sv(tri_edge_u)\npatch_constant p3.x sv(tri_inside)\npatch_constant p5.xy\noutput "
    "o0.xyz\n"
    "output o1.x\ncode {\n  %0 = sysval domain_point.x\n  %1 = sysval domain_point.y\n"
    "  %2 = sysval domain_point.z\n  %3 = sysval primitive_register.x\n  output o0.x, %0\n  output o0.y, %1\n"
    "  output o0.z, %2\n  output o1.x, %3\n}\n";
constexpr std::string_view kHull =
    "module hull 5.0 \"main\"\ninput_control_points 3\noutput_control_points 2\ntessellator_domain 2\n"
    "tessellator_partitioning 1\ntessellator_output 3\ninput v0.x array(3)\noutput o0.xy\n"
    "patch_constant p0.x sv(tri_edge_u)\npatch_constant p1.x\n"
    "phase 0 control_point instances(1)\nphase 1 fork instances(1)\ncode {\n  phase 0\n"
    "  %0 = input v0.x vertex(1)\n  output o0.x, %0\n  return\n  phase 1\n  patch.output p0.x, 5\n  "
    "return\n}\n";
constexpr std::string_view kGeometry =
    "module geometry 5.0 \"main\"\ninput_primitive 7\noutput_topology 5\nmax_vertex_count 4\n"
    "input v0.x array(6)\noutput o0.x\ncode {\n  %0 = input v0.x vertex(5)\n  output o0.x, %0\n  emit 0\n"
    "  emit 0\n  output o0.x, 7\n  emit 0\n  cut 0\n  emit 0\n}\n";

TEST(ScenePrimitives, PatchesHaveTheirOwnPoints) {
  Staged staged(kDomain);
  const auto scene = staged.scene(
      R"({"primitives": 3, "tessellation": {"factors": [[1, 1, 1, 1], [1, 0, 1, 1], [2, 2, 2, "nan"]]}})");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->primitives().point_patch, (std::vector<uint32_t>{0, 0, 0, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(scene->element_count(), 10u);
  EXPECT_EQ(scene->inputs().size(), 4u * 3 * 2);
  // V = 1 comes first; W is 1 - U - V.
  EXPECT_EQ(scene->primitives().locations[10], bits(1.0f));
  EXPECT_EQ(scene->primitives().locations[21], bits(1.0f));
  // Constants that are factors have those of the patch.
  EXPECT_EQ(scene->primitives().constants[2], bits(2.0f));
  EXPECT_EQ(scene->primitives().constants[4 * 3 * 3], bits(1.0f));
}

TEST(ScenePrimitives, DomainPointsMayBeListed) {
  Staged staged(kDomain);
  const auto result =
      staged.run(R"({"primitives": 2, "primitive_ids": [9], "domain_points": [[0.25, 0.5], [0, 1, 0.5]]})");
  const uint32_t quarter = bits(0.25f), half = bits(0.5f), one = bits(1.0f);
  EXPECT_EQ(
      (std::vector<uint32_t>{result.outputs.begin(), result.outputs.begin() + 12}),
      (std::vector<uint32_t>{quarter, 0, quarter, 0, half, one, half, one, quarter, half, quarter, half}));
  EXPECT_EQ((std::vector<uint32_t>{result.outputs.begin() + 16, result.outputs.begin() + 20}),
            (std::vector<uint32_t>{9, 9, 1, 1}));
}

TEST(ScenePrimitives, APatchConstantHasAValueForEachPatch) {
  Staged staged(kDomain);
  const auto scene =
      staged.scene(R"({"primitives": 3, "patch_constants": {"vpc5": {"values": [[1, 2], [3, 4]]}}})");
  ASSERT_NE(scene, nullptr);
  const std::vector<uint32_t>& planes = scene->primitives().constants;
  EXPECT_EQ((std::vector<uint32_t>{planes.begin() + 60, planes.begin() + 66}),
            (std::vector<uint32_t>{1, 3, 1, 2, 4, 2}));
}

TEST(ScenePrimitives, ErrorsNameWhatIsWrong) {
  Staged domain(kDomain), geometry(kGeometry);
  EXPECT_EQ(domain.error(R"({"patch_constants": {"vpc7": {}}})"),
            "this shader has no vpc7: it has vpc0, vpc3, vpc5");
  EXPECT_EQ(domain.error(R"({"patch_constants": {"v7": {}}})"),
            "unknown key 'v7' in 'patch_constants': expected vpc0, vpc1 ...");
  EXPECT_EQ(domain.error(R"({"tessellation": {"factor": []}})"), "unknown key 'factor' in 'tessellation'");
  EXPECT_EQ(domain.error(R"({"tessellation": {"factors": [1, 1, 1]}})"),
            "factors must be a list of 4 factors, not a list of 3");
  EXPECT_EQ(domain.error(R"({"tessellation": {"factors": [1, 1, 1, "none"]}})"),
            "tessellation.factors[3]: 'none' is not a number, nan, inf or -inf");
  EXPECT_EQ(domain.error(R"({"primitives": 0})"),
            "'primitives' must be a whole number from 1 to 65536, not 0");
  EXPECT_EQ(domain.error(R"({"primitives": 1, "primitive_ids": [1, 2]})"),
            "'primitive_ids' must be a list of up to 1 whole numbers, not a list of 2");
  EXPECT_EQ(domain.error(R"({"primitives": 65536, "tessellation": {"factors": [64, 64, 64, 64]}})"),
            "the patches have 207683584 domain points; at most 4194304 are possible");
  EXPECT_EQ(geometry.error(R"({"domain_points": []})"), "'domain_points' is for domain shaders alone");
  EXPECT_EQ(geometry.error(R"({"tessellation": {}})"), "'tessellation' is for domain shaders alone");
}

TEST(ScenePrimitives, PrimitivesHaveTheVerticesOfTheirKind) {
  const std::pair<uint32_t, uint32_t> kinds[] = {{1, 1}, {2, 2}, {3, 3}, {6, 4}, {7, 6}, {8, 1}, {39, 32}};
  for (const auto& [primitive, vertices] : kinds) {
    ir::Module module;
    module.stage = ir::Stage::geometry;
    module.input_primitive = primitive;
    EXPECT_EQ(sim::vertices_per_primitive(module), vertices) << primitive;
  }
}

class ComparingPrimitives : public testing::Test {
 protected:
  static executor::Comparison compare(Staged& staged, const executor::RouteResult& a,
                                      const executor::RouteResult& b) {
    return compare_outputs(staged.shader, *staged.scene(R"({"primitives": 2})"), a, b);
  }
};

TEST_F(ComparingPrimitives, PatchConstantsAndControlPoints) {
  Staged staged(kHull);
  const executor::RouteResult a = staged.run(R"({"primitives": 2})");
  EXPECT_EQ(a.outputs.size(), 4u * 2 * 2);
  executor::RouteResult b = a;
  EXPECT_TRUE(compare(staged, a, b).equal());
  EXPECT_EQ(compare(staged, a, b).unassigned, 4u + 2u) << "o0.y and vpc1.x";
  b.patch_constants[1] = 6;
  EXPECT_EQ(compare(staged, a, b).different, 1u);
  EXPECT_TRUE(compare(staged, a, b).first.starts_with("vpc0.x of patch 1: ")) << compare(staged, a, b).first;
  b = a;
  b.outputs[3] = 6;
  EXPECT_TRUE(compare(staged, a, b).first.starts_with("o0.x of control point 1 of patch 1: "));
  b.outputs[4] = 6;  // o0.y, which no phase writes
  EXPECT_EQ(compare(staged, a, b).different, 1u);
}

TEST_F(ComparingPrimitives, EmittedVertices) {
  Staged staged(kGeometry);
  const executor::RouteResult a = staged.run(R"({"primitives": 2, "inputs": {"v0": {"constant": [3]}}})");
  ASSERT_EQ(a.emitted.vertices.size(), 8u);
  executor::RouteResult b = a;
  EXPECT_TRUE(compare(staged, a, b).equal());
  EXPECT_EQ(compare(staged, a, b).unassigned, 4u) << "o0.x of the second and of the fourth emission";
  b.emitted.words[0] = 4;
  EXPECT_TRUE(compare(staged, a, b).first.starts_with("o0.x of vertex 0 of primitive 0, instance 0: "));
  b.emitted.words[0] = a.emitted.words[0];
  b.emitted.vertices[1].starts_strip = true;
  EXPECT_TRUE(compare(staged, a, b).first.starts_with("strip start of vertex 1 of primitive 0"));
  b = a;
  b.emitted.vertices.pop_back();
  EXPECT_TRUE(compare(staged, a, b).first.starts_with("number of emitted vertices"));
  EXPECT_EQ(compare(staged, a, b).different, 1u);
  b.emitted.vertices[6].undefined = 1;
  EXPECT_TRUE(compare(staged, a, b).equal()) << "whether there are more may depend on what is undefined";
}

// A strip that is too short for a triangle leaves nothing in a list.
TEST_F(ComparingPrimitives, ListsOfWholePrimitives) {
  Staged staged(kGeometry);
  const executor::RouteResult a = staged.run(R"({"primitives": 2, "inputs": {"v0": {"constant": [3]}}})");
  executor::RouteResult b;
  b.emits_lists = true;
  b.emitted.planes = 1;
  for (uint32_t v = 0; v < 6; ++v) {
    b.emitted.vertices.push_back({0, 0, 0, v % 3 == 0, 0});
    b.emitted.words.push_back(v % 3 == 0 ? 3u : 7u);
  }
  b.emitted.planes = 4;
  std::vector<uint32_t> words(24);
  for (size_t v = 0; v < 6; ++v) words[v * 4] = b.emitted.words[v];
  b.emitted.words = words;
  EXPECT_TRUE(compare(staged, a, b).equal()) << compare(staged, a, b).first;
  b.emitted.words[2 * 4] = 8;
  EXPECT_TRUE(compare(staged, a, b).first.starts_with("o0.x of list vertex 2 of stream 0: "));
}

}  // namespace
}  // namespace texlate
