// Comparisons of routes: distances, masks, and which complaints count.
#include "tools/executor/comparison.h"

#include <array>
#include <bit>

#include "tests/support/ir_text.h"

namespace texlate::executor {
namespace {

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

TEST(UlpDistance, CountsStepsBetweenFloats) {
  EXPECT_EQ(ulp_distance(bits(1.0f), bits(1.0f)), 0u);
  EXPECT_EQ(ulp_distance(0x3f800000, 0x3f800003), 3u);
  EXPECT_EQ(ulp_distance(0x00000001, 0x80000001), 2u) << "over zero";
  EXPECT_EQ(ulp_distance(0x00000000, 0x80000000), 0u);
  EXPECT_EQ(ulp_distance(0x7fc00000, 0xffffffff), 0u) << "any NaN";
  EXPECT_EQ(ulp_distance(0x7fc00000, bits(1.0f)), 0xffffffffu);
}

class Comparing : public testing::Test {
 protected:
  void SetUp() override {
    ir::parse_or_fail("module pixel 5.0 \"main\"\nuav u0 raw_buffer mixed\noutput o0.xy\ncode {\n}\n",
                      shader_.contract);
    Diagnostics diagnostics;
    scene_ = sim::Scene::make(R"({"viewport": [2, 2], "uavs": {"u0": {"elements": 2}}})", ".",
                              shader_.contract, diagnostics);
    ASSERT_NE(scene_, nullptr);
    a_.outputs.assign(16, bits(1.0f));
    a_.written.assign(4, 1);
    a_.undefined.assign(4, 0);
    a_.uavs.assign(2, 5);
    b_ = a_;
  }
  Comparison compare(uint32_t tolerance = 0) {
    return compare_outputs(shader_, *scene_, a_, b_, {tolerance});
  }

  Shader shader_;
  std::unique_ptr<sim::Scene> scene_;
  RouteResult a_, b_;
};

TEST_F(Comparing, FindsFirstAndWorst) {
  EXPECT_TRUE(compare().equal());
  b_.outputs[2] = bits(1.0f) + 2;      // o0.x of pixel (0, 1)
  b_.outputs[4 + 3] = bits(1.0f) + 9;  // o0.y of pixel (1, 1)
  const Comparison comparison = compare();
  EXPECT_EQ(comparison.different, 2u);
  EXPECT_EQ(comparison.words, 2u);
  EXPECT_EQ(comparison.worst_ulp, 9u);
  EXPECT_NE(comparison.first.find("o0.x of pixel (0, 1)"), std::string::npos) << comparison.first;
  EXPECT_NE(comparison.worst.find("o0.y of pixel (1, 1)"), std::string::npos) << comparison.worst;
  EXPECT_EQ(compare(2).different, 1u);
  EXPECT_TRUE(compare(9).equal());
}

TEST_F(Comparing, DiscardedPixelsAndViewsCount) {
  b_.written[1] = 0;
  b_.uavs[1] = 6;
  EXPECT_EQ(compare().different, 2u);
}

TEST_F(Comparing, WordsOfAnyTypeMayBeIntegers) {
  const auto differ = [&](uint32_t a, uint32_t b, Tolerance tolerance) {
    a_.uavs[1] = a;
    b_.uavs[1] = b;
    return compare_outputs(shader_, *scene_, a_, b_, tolerance).different != 0;
  };
  const Tolerance wide = {4096, 1.0 / 256};
  for (const Tolerance& tolerance : {Tolerance{}, wide}) {
    EXPECT_TRUE(differ(static_cast<uint32_t>(-1), static_cast<uint32_t>(-2), tolerance)) << "NaNs as floats";
    EXPECT_TRUE(differ(static_cast<uint32_t>(-1), bits(1.0f), tolerance));
    EXPECT_TRUE(differ(5, 6, tolerance)) << "denormals as floats";
    EXPECT_TRUE(differ(0, 1, tolerance));
    EXPECT_FALSE(differ(0x7fffffff, 0xffc00000, tolerance)) << "the NaNs of two routes";
    EXPECT_FALSE(differ(0x7fc00000, 0x7f800001, tolerance)) << "a copied payload";
    EXPECT_FALSE(differ(0, 0x80000000, tolerance)) << "zeros";
  }
  EXPECT_TRUE(differ(bits(1.0f), bits(1.0f) + 3, {}));
  EXPECT_FALSE(differ(bits(1.0f), bits(1.0f) + 3, wide));
  EXPECT_EQ(compare_outputs(shader_, *scene_, a_, b_).worst_ulp, 3u);
}

TEST_F(Comparing, OutputsOfUnknownTypeMayBeIntegers) {
  a_.outputs[0] = static_cast<uint32_t>(-1);
  b_.outputs[0] = static_cast<uint32_t>(-2);
  EXPECT_EQ(compare().different, 1u);
  shader_.contract.outputs[0].component_type = 3;  // float
  EXPECT_TRUE(compare().equal()) << "NaNs";
}

/// Compares two words of u0 as a scene describes it.
bool views_differ(std::string_view declared, const std::string& description, std::array<uint32_t, 2> a,
                  std::array<uint32_t, 2> b, const Tolerance& tolerance = {}) {
  Shader shader;
  ir::parse_or_fail(
      "module compute 5.0 \"main\"\nthread_group 1 1 1\nuav u0 " + std::string(declared) + "\ncode {\n}\n",
      shader.contract);
  Diagnostics diagnostics;
  const auto scene =
      sim::Scene::make("{\"uavs\": {\"u0\": " + description + "}}", ".", shader.contract, diagnostics);
  if (scene == nullptr || scene->uav_words().size() != 2) {
    ADD_FAILURE() << description << ": " << ir::to_text(diagnostics, "");
    return false;
  }
  RouteResult x, y;
  x.uavs.assign(a.begin(), a.end());
  y.uavs.assign(b.begin(), b.end());
  return compare_outputs(shader, *scene, x, y, tolerance).different != 0;
}

TEST(ComparingViews, IntegersAreExact) {
  const std::string format = R"({"elements": 2, "format": "r32_sint"})";
  const Tolerance wide = {4096, 1.0};
  EXPECT_FALSE(views_differ("buffer sint", format, {1, 2}, {1, 2}));
  EXPECT_TRUE(views_differ("buffer sint", format, {1, 0xffffffff}, {1, 0xfffffffe}, wide));
  EXPECT_TRUE(views_differ("buffer sint", format, {1, 0}, {1, 0x80000000}, wide));
  EXPECT_TRUE(views_differ("buffer sint", format, {1000, 0}, {1001, 0}, wide));
}

TEST(ComparingViews, FloatsHaveTolerance) {
  const std::string format = R"({"elements": 2, "format": "r32_float"})";
  EXPECT_FALSE(views_differ("buffer float", format, {0, 0x7fffffff}, {0x80000000, 0xffffffff}));
  EXPECT_TRUE(views_differ("buffer float", format, {0, 0}, {0, 1}));
  EXPECT_FALSE(views_differ("buffer float", format, {0, 0}, {0, 1}, {1, 0}));
}

// Opaque texels that are bright in blue have the bits of NaNs.
TEST(ComparingViews, TexelsAreComparedByComponent) {
  const std::string format = R"({"elements": 2, "format": "r8g8b8a8_unorm"})";
  const auto differ = [&](uint32_t a, uint32_t b, const Tolerance& tolerance) {
    return views_differ("buffer unorm", format, {0, a}, {0, b}, tolerance);
  };
  EXPECT_TRUE(differ(0xffffffff, 0xff8000ff, {}));
  EXPECT_TRUE(differ(0xffffffff, 0xff8000ff, {4096, 1.0 / 256}));
  EXPECT_TRUE(differ(0xff808080, 0xff808081, {}));
  EXPECT_FALSE(differ(0xff808080, 0xfe817f81, {1, 0})) << "one step in each component";
  EXPECT_TRUE(differ(0xff808080, 0xff808082, {1, 0}));
  EXPECT_FALSE(differ(0xff808080, 0xff808082, {0, 0.01}));
  const std::string halves = R"({"elements": 1, "format": "r16g16b16a16_float"})";
  EXPECT_FALSE(views_differ("buffer float", halves, {0x7e007e00, 0}, {0x7fff7e01, 0x80000000}));
  EXPECT_TRUE(views_differ("buffer float", halves, {0x3c003c00, 0}, {0x3c013c00, 0}));
  EXPECT_FALSE(views_differ("buffer float", halves, {0x3c003c00, 0}, {0x3c013c00, 0}, {1, 0}));
  EXPECT_TRUE(views_differ("buffer float", halves, {0x7c003c00, 0}, {0x7bff3c00, 0}, {1, 0})) << "infinity";
}

TEST_F(Comparing, UndefinedElementsAreLeftOutWithAllViews) {
  b_.outputs[2] = 7;
  b_.uavs[1] = 6;
  a_.undefined[2] = a_.any_undefined = 1;
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.equal());
  EXPECT_EQ(comparison.masked, 3u) << "a pixel and two words";
  EXPECT_EQ(comparison.elements, 3u);
}

// A route that does not know the masks gets them from one that does.
TEST_F(Comparing, MasksAreShared) {
  b_.undefined.clear();  // vertices and pixels of a driver
  b_.undefined.resize(4);
  b_.outputs[2] = 7;
  a_.undefined[2] = a_.any_undefined = 1;
  a_.assigned.assign(16, 1);
  a_.assigned[1] = 0;
  b_.outputs[1] = 7;
  RouteResult third = b_;
  third.outputs[1] = 8;
  RouteResult results[] = {b_, a_, third};
  constexpr Route kRoutes[] = {Route::ptx, Route::ir, Route::vulkan};
  share_masks(shader_, *scene_, {}, kRoutes, results);
  EXPECT_TRUE(compare_outputs(shader_, *scene_, results[0], results[1]).equal());
  const Comparison comparison = compare_outputs(shader_, *scene_, results[0], results[2]);
  EXPECT_TRUE(comparison.equal()) << comparison.first;
  EXPECT_EQ(comparison.unassigned, 1u);
  EXPECT_EQ(comparison.masked, 3u);
}

TEST(ComparingRaces, AreMaskedWithoutTheInterpreterAmongTheRoutes) {
  Shader shader;
  Diagnostics diagnostics;
  constexpr Route kRoutes[] = {Route::ptx, Route::maxwell};
  // Each pixel gets the number of pixels that came before it.
  ASSERT_TRUE(
      load_shader("ps_5_0\ndcl_uav_raw u1\ndcl_output o0.xyzw\ndcl_temps 1\n"
                  "imm_atomic_iadd r0.x, u1, l(0), l(1)\nutof o0.xyzw, r0.xxxx\nret\n",
                  shader, kRoutes, diagnostics));
  const auto scene = sim::Scene::make(R"({"viewport": [4, 4]})", ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr);
  RouteResult results[2];
  for (size_t i = 0; i < 2; ++i)
    ASSERT_TRUE(run_route(kRoutes[i], shader, *scene, {}, results[i], diagnostics));
  std::reverse(results[1].outputs.begin(), results[1].outputs.end());  // another order
  EXPECT_NE(compare_outputs(shader, *scene, results[0], results[1]).different, 0u);
  share_masks(shader, *scene, {}, kRoutes, results);
  const Comparison comparison = compare_outputs(shader, *scene, results[0], results[1]);
  EXPECT_EQ(comparison.different, 0u);
  EXPECT_EQ(comparison.elements, 0u) << "every pixel depends on the order";
}

TEST(ComparingOutputs, NamesThoseThatAreNotColors) {
  Shader shader;
  ir::parse_or_fail(
      "module pixel 5.0 \"main\"\noutput o0.x\noutput depth.x sv(depth)\noutput coverage_out.x "
      "sv(coverage_out)\ncode {\n}\n",
      shader.contract);
  Diagnostics diagnostics;
  const auto scene = sim::Scene::make(R"({"viewport": [2, 2]})", ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr);
  RouteResult a;
  a.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * 4, 0);
  a.written.assign(4, 1);
  a.undefined.assign(4, 0);
  for (const auto& [output, name] : {std::pair(0u, "o0.x of"), {1u, "oDepth of"}, {2u, "oMask of"}}) {
    RouteResult b = a;
    b.outputs[size_t{sim::output_plane_register(shader.contract, shader.contract.outputs[output])} * 16] = 9;
    const Comparison comparison = compare_outputs(shader, *scene, a, b);
    EXPECT_EQ(comparison.first.substr(0, std::string_view(name).size()), name);
  }
}

TEST(ComparingDrivers, HasATolerance) {
  EXPECT_EQ(default_tolerance(Route::ir, Route::ptx).absolute, 0);
  EXPECT_EQ(default_tolerance(Route::ir, Route::vulkan).absolute, 2e-6);
  EXPECT_EQ(default_tolerance(Route::cuda, Route::ir).absolute, 2e-6);
}

TEST_F(Comparing, ComplaintsAreExcusedWhereNothingIsDefined) {
  b_.trouble = "poison";
  EXPECT_FALSE(is_excused(shader_, a_, b_)) << "about the whole run";
  b_.troubled = {2, 2};
  EXPECT_FALSE(is_excused(shader_, a_, b_));
  a_.undefined[2] = 1;
  EXPECT_TRUE(is_excused(shader_, a_, b_));
  b_.troubled.push_back(1);
  EXPECT_FALSE(is_excused(shader_, a_, b_));
}

TEST_F(Comparing, NothingComparedIsNotEqual) {
  a_.undefined.assign(4, 1);
  a_.any_undefined = 1;
  const Comparison comparison = compare();
  EXPECT_EQ(comparison.elements, 0u);
  EXPECT_EQ(comparison.different, 0u);
  EXPECT_FALSE(comparison.equal());
}

TEST(ComparingStencil, HasEightBits) {
  Shader shader;
  ir::parse_or_fail("module pixel 5.0 \"main\"\noutput stencil_ref.x sv(stencil_ref)\ncode {\n}\n",
                    shader.contract);
  shader.contract.outputs[0].component_type = 1;  // uint
  Diagnostics diagnostics;
  const auto scene = sim::Scene::make(R"({"viewport": [2, 2]})", ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr);
  RouteResult a;
  a.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * 4, 0x133);
  a.written.assign(4, 1);
  a.undefined.assign(4, 0);
  RouteResult b = a;
  b.outputs.assign(b.outputs.size(), 0x33);
  EXPECT_TRUE(compare_outputs(shader, *scene, a, b).equal());
  b.outputs.assign(b.outputs.size(), 0x32);
  EXPECT_EQ(compare_outputs(shader, *scene, a, b).different, 4u);
}

// Kernels leave the limit of conservative depth to the host, other routes have applied it.
TEST(ComparingDepth, IsOfWhatIsMerged) {
  Shader shader;
  ir::parse_or_fail(
      "module pixel 5.0 \"main\"\noutput depth_greater_equal.x sv(depth_greater_equal)\ncode {\n}\n",
      shader.contract);
  shader.contract.outputs[0].component_type = 3;  // float
  Diagnostics diagnostics;
  const auto scene = sim::Scene::make(R"({"viewport": [2, 2]})", ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr);
  RouteResult a;
  a.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * 4, bits(0.25f));
  a.written.assign(4, 1);
  a.undefined.assign(4, 0);
  RouteResult b = a;
  b.outputs.assign(b.outputs.size(), bits(kSceneDepth));
  EXPECT_TRUE(compare_outputs(shader, *scene, a, b).equal());
  b.outputs.assign(b.outputs.size(), bits(0.75f));
  EXPECT_EQ(compare_outputs(shader, *scene, a, b).different, 4u);
}

// A depth is merged within 0 and 1, and a NaN is 0.
TEST(ComparingDepth, IsOfTheViewportsRange) {
  Shader shader;
  ir::parse_or_fail("module pixel 5.0 \"main\"\noutput depth.x sv(depth)\ncode {\n}\n", shader.contract);
  shader.contract.outputs[0].component_type = 3;  // float
  Diagnostics diagnostics;
  const auto scene = sim::Scene::make(R"({"viewport": [2, 2]})", ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr);
  const auto route = [&](float depth) {
    RouteResult made;
    made.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * 4, bits(depth));
    made.written.assign(4, 1);
    made.undefined.assign(4, 0);
    return made;
  };
  const auto differ = [&](float a, float b) {
    return compare_outputs(shader, *scene, route(a), route(b)).different;
  };
  EXPECT_EQ(differ(2.0f, 1.0f), 0u);
  EXPECT_EQ(differ(-INFINITY, 0.0f), 0u);
  EXPECT_EQ(differ(NAN, 0.0f), 0u);
  EXPECT_EQ(differ(NAN, 1.0f), 4u);
  EXPECT_EQ(differ(0.25f, 0.5f), 4u);
}

TEST(ComparingMasks, PixelsWhoseMaskNamesNoSampleAreNotDrawn) {
  Shader shader;
  ir::parse_or_fail(
      "module pixel 5.0 \"main\"\noutput o0.x\noutput coverage_out.x sv(coverage_out)\ncode {\n}\n",
      shader.contract);
  shader.contract.outputs[1].component_type = 1;  // uint
  Diagnostics diagnostics;
  const auto scene = sim::Scene::make(R"({"viewport": [2, 2]})", ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr);
  const uint32_t mask = sim::output_plane_register(shader.contract, shader.contract.outputs[1]);
  RouteResult a;
  a.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * 4, bits(1.0f));
  a.written.assign(4, 1);
  a.undefined.assign(4, 0);
  RouteResult drawn = a;
  drawn.unknown = {mask};
  // Sample 0 is the only one: the masks of pixels 1 and 2 do not contain it.
  const uint32_t masks[] = {1, 2, 16, 0xffffffff};
  std::copy_n(masks, 4, &a.outputs[size_t{mask} * 4 * 4]);
  drawn.written = {1, 0, 0, 1};
  drawn.outputs[1] = drawn.outputs[2] = 0;
  EXPECT_TRUE(compare_outputs(shader, *scene, a, drawn).equal());
  EXPECT_TRUE(compare_outputs(shader, *scene, drawn, a).equal());
  drawn.written = {1, 1, 0, 0};
  EXPECT_EQ(compare_outputs(shader, *scene, a, drawn).different, 2u) << "drawn against it, not drawn";
  drawn.unknown.clear();
  EXPECT_EQ(compare_outputs(shader, *scene, a, drawn).different, 4u) << "the masks themselves";
}

}  // namespace
}  // namespace texlate::executor
