// Every geometry, hull and domain shader of the corpus as a deko3d program on the Maxwell machine, compared
// with the interpreter over random scenes; prints the counts of each stage.

#include <gtest/gtest.h>

#include <cstdio>

#include "sim/scene/random_scene.h"
#include "tests/corpus/corpus.h"
#include "tests/support/environment.h"
#include "tools/executor/comparison.h"
#include "tools/executor/primitive_run.h"

namespace texlate::executor {
namespace {

constexpr Route kBoth[] = {Route::ir, Route::dksh};

struct Counts {
  uint32_t shaders = 0, undefined = 0, refused = 0;
  uint64_t elements = 0, masked = 0, different = 0;
};

uint64_t scene_count() {
  return test::from_environment("TEXLATE_RANDOM_SCENES", 2);
}

/// One random scene. False if the routes cannot run the shader.
bool compare_once(Shader& shader, uint64_t seed, const std::string& name, Comparison& comparison) {
  Diagnostics diagnostics;
  const std::string text = sim::random_scene(shader.contract, seed, {.all_bound = true});
  const auto scene = sim::Scene::make(text, ".", shader.contract, diagnostics);
  RouteResult ir, dksh;
  RunLimits limits;
  limits.max_lane_instructions = uint64_t{1} << 24;
  if (scene == nullptr || !run_route(Route::ir, shader, *scene, limits, ir, diagnostics) ||
      !run_route(Route::dksh, shader, *scene, limits, dksh, diagnostics))
    return false;
  EXPECT_TRUE(dksh.trouble.empty() || is_excused(shader, ir, dksh)) << name << "\n" << dksh.trouble;
  comparison = compare_outputs(shader, *scene, ir, dksh);
  EXPECT_EQ(comparison.different, 0u) << name << ", seed " << seed << "\n" << comparison.first;
  return true;
}

void judge(const std::filesystem::path& path, std::array<Counts, 6>& counts) {
  Shader shader;
  Diagnostics diagnostics;
  if (!load_shader(corpus::read(path), shader, std::span(kBoth).first(1), diagnostics)) return;
  if (!reads_primitives(shader.contract.stage)) return;
  Counts& of_stage = counts[static_cast<size_t>(shader.contract.stage)];
  Shader both;
  if (!load_shader(corpus::read(path), both, kBoth, diagnostics)) {
    ++of_stage.refused;
    return;
  }
  uint64_t elements = 0;
  for (uint64_t seed = 1; seed <= scene_count(); ++seed) {
    Comparison comparison;
    if (!compare_once(both, seed, path.filename().string(), comparison)) {
      ++of_stage.refused;
      return;
    }
    elements += comparison.elements;
    of_stage.masked += comparison.masked;
    of_stage.different += comparison.different;
  }
  of_stage.elements += elements;
  ++(elements != 0 ? of_stage.shaders : of_stage.undefined);
}

TEST(DkshCorpus, EveryGeometryHullAndDomainShader) {
  TEXLATE_NEEDS_CORPUS();
  std::array<Counts, 6> counts{};
  for (const std::filesystem::path& path : corpus::shaders()) judge(path, counts);
  const std::pair<ir::Stage, const char*> stages[] = {
      {ir::Stage::domain, "domain"}, {ir::Stage::geometry, "geometry"}, {ir::Stage::hull, "hull"}};
  for (const auto& [stage, name] : stages) {
    const Counts& c = counts[static_cast<size_t>(stage)];
    std::printf("%s: %u shaders, %llu elements, %llu differ; undefined throughout %u, refused %u\n", name,
                c.shaders, static_cast<unsigned long long>(c.elements),
                static_cast<unsigned long long>(c.different), c.undefined, c.refused);
    EXPECT_GT(c.shaders, 10u);
    // A geometry shader writes is_front_face, for which there is no attribute.
    EXPECT_EQ(c.refused, stage == ir::Stage::geometry ? 1u : 0u);
  }
}

}  // namespace
}  // namespace texlate::executor
