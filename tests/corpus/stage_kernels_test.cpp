// Every hull, domain and geometry shader of the corpus as a kernel of PTX and of Maxwell machine code, on
// random scenes: the machines must leave what the interpreter leaves. Prints the counts by stage and route.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

#include "sim/scene/random_scene.h"
#include "tests/corpus/corpus.h"
#include "tests/support/environment.h"
#include "tests/support/ir_text.h"
#include "tools/executor/comparison.h"
#include "tools/executor/primitive_run.h"

namespace texlate {
namespace {

using executor::Route;

constexpr std::array kRoutes = {Route::ir, Route::ptx, Route::maxwell};

struct Counts {
  uint32_t shaders = 0, scenes = 0, cut_off = 0;
  uint64_t elements = 0, different = 0, masked = 0, unassigned = 0;
};

uint64_t scenes_of_each() {
  return test::from_environment("TEXLATE_RANDOM_SCENES", 2);
}

class StageKernels : public testing::Test {
 protected:
  void judge(const std::string& name, const std::string& source) {
    Diagnostics diagnostics;
    executor::Shader shader;
    if (!executor::load_shader(source, shader, std::span(kRoutes).first(1), diagnostics) ||
        !executor::reads_primitives(shader.contract.stage))
      return;
    ASSERT_TRUE(executor::load_shader(source, kernels_.emplace(), kRoutes, diagnostics))
        << name << ir::to_text(diagnostics);
    for (size_t r = 1; r < kRoutes.size(); ++r) ++counts_of(r).shaders;
    for (uint64_t seed = 1; seed <= scenes_of_each(); ++seed) run(name, seed);
  }

  void run(const std::string& name, uint64_t seed) {
    const executor::Shader& shader = *kernels_;
    Diagnostics diagnostics;
    const std::string json = sim::random_scene(shader.contract, seed, {.texture_objects = true});
    const auto scene = sim::Scene::make(json, ".", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr) << name << ir::to_text(diagnostics);
    executor::RunLimits limits;
    limits.max_lane_instructions = uint64_t{1} << 24;
    executor::RouteResult expected;
    ASSERT_TRUE(executor::run_route(Route::ir, shader, *scene, limits, expected, diagnostics)) << name;
    for (size_t r = 1; r < kRoutes.size(); ++r) {
      Counts& counts = counts_of(r);
      ++counts.scenes;
      executor::RouteResult result;
      ASSERT_TRUE(executor::run_route(kRoutes[r], shader, *scene, limits, result, diagnostics))
          << name << ir::to_text(diagnostics);
      if (expected.cut_off || result.cut_off) {
        ++counts.cut_off;
        continue;
      }
      const auto comparison = executor::compare_outputs(shader, *scene, expected, result);
      counts.elements += comparison.elements;
      counts.different += comparison.different;
      counts.masked += comparison.masked;
      counts.unassigned += comparison.unassigned;
      const std::string where =
          fmt::format("{} on {}, seed {}", name, executor::route_name(kRoutes[r]), seed);
      EXPECT_EQ(comparison.different, 0u) << where << ": " << comparison.worst;
      const bool is_excused = executor::is_excused(shader, expected, result);
      EXPECT_TRUE(result.trouble.empty() || is_excused) << where << ": " << result.trouble;
    }
  }

  Counts& counts_of(size_t route) { return table_[{kernels_->contract.stage, route}]; }

  void TearDown() override {
    fmt::print("{:>9} {:>8} {:>8} {:>7} {:>10} {:>7} {:>10} {:>11} {:>8}\n", "stage", "route", "shaders",
               "scenes", "elements", "differ", "undefined", "unassigned", "cut off");
    constexpr const char* kStages[] = {"pixel", "vertex", "geometry", "hull", "domain", "compute"};
    for (const auto& [key, counts] : table_) {
      fmt::print("{:>9} {:>8} {:>8} {:>7} {:>10} {:>7} {:>10} {:>11} {:>8}\n",
                 kStages[static_cast<size_t>(key.first)], executor::route_name(kRoutes[key.second]),
                 counts.shaders, counts.scenes, counts.elements, counts.different, counts.masked,
                 counts.unassigned, counts.cut_off);
    }
  }

  std::optional<executor::Shader> kernels_;
  std::map<std::pair<ir::Stage, size_t>, Counts> table_;
};

TEST_F(StageKernels, LeaveWhatTheInterpreterLeaves) {
  TEXLATE_NEEDS_CORPUS();
  const char* only = std::getenv("TEXLATE_CORPUS_ONLY");
  for (const auto& path : corpus::shaders()) {
    const std::string name = path.filename().string();
    if (only == nullptr || name.find(only) != name.npos) judge(name, corpus::read(path));
  }
  EXPECT_TRUE(only != nullptr || table_.size() == 6);
}

}  // namespace
}  // namespace texlate
