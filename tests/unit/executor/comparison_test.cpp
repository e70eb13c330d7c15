// Comparisons of routes: distances, masks, and which complaints count.
#include "tools/executor/comparison.h"

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

TEST_F(Comparing, UndefinedElementsAreLeftOutWithAllViews) {
  b_.outputs[2] = 7;
  b_.uavs[1] = 6;
  a_.undefined[2] = a_.any_undefined = 1;
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.equal());
  EXPECT_EQ(comparison.masked, 3u) << "a pixel and two words";
  EXPECT_EQ(comparison.elements, 3u);
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
