// Every hull, domain and geometry shader of the corpus as SPIR-V on a Vulkan driver, on random scenes: what
// transform feedback captures must be what the interpreter leaves. Prints the counts by stage.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "sim/scene/random_scene.h"
#include "tests/corpus/corpus.h"
#include "tests/support/environment.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"
#include "tools/executor/primitive_run.h"

namespace texlate {
namespace {

using executor::Route;

constexpr std::array kRoutes = {Route::ir, Route::vulkan};
// As in vulkan_corpus_test.cpp: what two correct devices may differ by.
constexpr executor::Tolerance kTolerance = {4096, 1.0 / 256};

struct Counts {
  uint32_t shaders = 0, refused = 0, scenes = 0, cut_off = 0;
  uint64_t elements = 0, near = 0, different = 0, masked = 0, unassigned = 0;
};

class StageModules : public testing::TestWithParam<spirv::Robustness> {
 protected:
  void judge(const std::string& name, const std::string& source) {
    Diagnostics diagnostics;
    executor::Shader shader;
    if (!executor::load_shader(source, shader, std::span(kRoutes).first(1), diagnostics) ||
        !executor::reads_primitives(shader.contract.stage))
      return;
    Counts& counts = table_[shader.contract.stage];
    executor::Shader& module = module_.emplace();
    module.robustness = GetParam();
    module.device.remove(spirv::Feature::sampled_image_index);  // llvmpipe lacks it
    ASSERT_TRUE(executor::load_shader(source, module, kRoutes, diagnostics))
        << name << ir::to_text(diagnostics);
    // Vulkan has no place for it.
    if (writes_front_face(module.contract)) {
      ++counts.refused;
      return;
    }
    ++counts.shaders;
    const uint64_t scenes = test::from_environment("TEXLATE_RANDOM_SCENES", 2);
    for (uint64_t seed = 1; seed <= scenes; ++seed) run(fmt::format("{}, seed {}", name, seed), seed, counts);
  }
  static bool writes_front_face(const ir::Module& module) {
    return std::ranges::any_of(module.outputs, [](const ir::Parameter& output) {
      return output.system_value == ir::SystemValue::is_front_face;
    });
  }

  void run(const std::string& where, uint64_t seed, Counts& counts) {
    const executor::Shader& shader = *module_;
    Diagnostics diagnostics;
    const std::string json = sim::random_scene(shader.contract, seed, {.vulkan = true});
    const auto scene = sim::Scene::make(json, ".", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr) << where << ir::to_text(diagnostics);
    executor::RunLimits limits;
    limits.max_lane_instructions = uint64_t{1} << 24;
    limits.device = vulkan_device(GetParam());
    executor::RouteResult expected, result;
    ASSERT_TRUE(executor::run_route(Route::ir, shader, *scene, limits, expected, diagnostics)) << where;
    ++counts.scenes;
    if (expected.cut_off) {
      ++counts.cut_off;
      return;
    }
    const bool ran = executor::run_route(Route::vulkan, shader, *scene, limits, result, diagnostics);
    // A range of 5.1 that the scene binds in part (docs/spirv.md).
    if (!ran && ir::to_text(diagnostics).find("with --robustness shader") != std::string::npos) return;
    ASSERT_TRUE(ran) << where << ir::to_text(diagnostics) << json;
    const auto exact = executor::compare_outputs(shader, *scene, expected, result);
    const auto near = executor::compare_outputs(shader, *scene, expected, result, kTolerance);
    counts.elements += exact.elements;
    counts.near += exact.different - near.different;
    counts.different += near.different;
    counts.masked += exact.masked;
    counts.unassigned += exact.unassigned;
    EXPECT_EQ(near.different, 0u) << where << ": " << near.worst;
  }

  void TearDown() override {
    fmt::print("{:>9} {:>8} {:>8} {:>7} {:>9} {:>6} {:>7} {:>10} {:>11} {:>8}\n", "stage", "shaders",
               "refused", "scenes", "elements", "near", "differ", "undefined", "unassigned", "cut off");
    for (const auto& [stage, counts] : table_) {
      fmt::print("{:>9} {:>8} {:>8} {:>7} {:>9} {:>6} {:>7} {:>10} {:>11} {:>8}\n", ir::spelling(stage),
                 counts.shaders, counts.refused, counts.scenes, counts.elements, counts.near,
                 counts.different, counts.masked, counts.unassigned, counts.cut_off);
    }
  }

  std::optional<executor::Shader> module_;
  std::map<ir::Stage, Counts> table_;
};

TEST_P(StageModules, LeaveWhatTheInterpreterLeaves) {
  TEXLATE_NEEDS_CORPUS();
  TEXLATE_NEEDS_VULKAN(GetParam());
  const char* only = std::getenv("TEXLATE_CORPUS_ONLY");
  for (const auto& path : corpus::shaders()) {
    const std::string name = path.filename().string();
    if (only == nullptr || name.find(only) != name.npos) judge(name, corpus::read(path));
  }
  if (only != nullptr) return;
  EXPECT_EQ(table_.size(), 3u);
  for (const auto& [stage, counts] : table_)
    EXPECT_EQ(counts.refused, stage == ir::Stage::geometry ? 1u : 0u) << ir::spelling(stage);
}

INSTANTIATE_TEST_SUITE_P(Robustness, StageModules, testing::ValuesIn(kBothRobustness),
                         [](const auto& one) { return robustness_name(one.param); });

}  // namespace
}  // namespace texlate
