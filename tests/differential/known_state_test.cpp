// Known state must not change what a shader draws: random pixel programs on random scenes, translated for any
// host and for this one, by each route. What is known is everything, or a random part of it; on Vulkan some
// of it is specialization constants.
//
//   known_state_test                                      a fixed seed
//   TEXLATE_RANDOM_PROGRAMS=10000 known_state_test        as many as asked for
//   TEXLATE_RANDOM_SEED=123 TEXLATE_RANDOM_PROGRAMS=1 ... one again
//   known_state_test --gtest_filter=*Vulkan*              one group of routes
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <random>

#include "library/known_state.h"
#include "sim/scene/random_scene.h"
#include "tests/support/environment.h"
#include "tests/support/ir_text.h"
#include "tests/support/random_pixels.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/known_scene.h"
#include "tools/executor/shader.h"

namespace texlate::test {
namespace {

using executor::Route;
using executor::RouteResult;

/// Equal bits, or two NaNs: which NaN an operation gives is open (D3D11.3 functional specification 3.1.3.2).
bool same(uint32_t a, uint32_t b) {
  const auto is_nan = [](uint32_t w) { return (w & 0x7fffffffu) > 0x7f800000u; };
  return a == b || (is_nan(a) && is_nan(b));
}

/// Leaves out entries and members at random.
void forget(executor::KnownLists& known, std::mt19937& random) {
  const auto drops = [&](const auto&) { return random() % 3 == 0; };
  std::erase_if(known.resources, drops);
  std::erase_if(known.samplers, drops);
  std::erase_if(known.constants, drops);
  for (texlate_known_resource& resource : known.resources) {
    if (resource.bound != 0) resource.known &= TEXLATE_KNOWN_BOUND | static_cast<uint32_t>(random());
  }
  for (texlate_known_constants& constants : known.constants) {
    if (random() % 2 == 0) constants.row_count = 0;
    if (random() % 2 == 0) constants.rows = 0;
  }
}

/// On Vulkan: words and sizes become defaults of specialization constants. The scene gives the values.
void specialize(executor::KnownLists& known, std::mt19937& random) {
  constexpr uint32_t kPlain = TEXLATE_KNOWN_BOUND | TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_HEIGHT |
                              TEXLATE_KNOWN_DEPTH | TEXLATE_KNOWN_SLICES | TEXLATE_KNOWN_MIPS |
                              TEXLATE_KNOWN_SAMPLES;
  for (texlate_known_resource& resource : known.resources) {
    if (resource.bound == 0 || random() % 2 == 0) continue;
    resource.known &= kPlain;
    resource.specialize = 1;
    // Other values than the scene's, but possible ones.
    resource.width = resource.width > 1 ? resource.width - 1 : 2;
    resource.mips = resource.mips > 1 ? resource.mips - 1 : 2;
  }
  for (std::vector<uint32_t>& words : known.words) {
    for (uint32_t& word : words) word ^= 1;
  }
  for (texlate_known_constants& constants : known.constants) constants.specialize = 1;
}

struct Group {
  std::string name;
  std::vector<Route> routes;
  sim::RandomSceneLimits scene;
  bool has_device = false;
};

class Case {
 public:
  Case(uint64_t seed, const Group& group)
      : seed_(seed), group_(group), text_(make_random_pixels(seed).text) {}

  /// Returns the first difference; empty if there is none.
  std::string run(uint64_t& relied) {
    Diagnostics diagnostics;
    executor::Shader any;
    if (group_.has_device) any.robustness = robustness_here();
    if (!executor::load_shader(text_, any, group_.routes, diagnostics)) return ir::to_text(diagnostics, "");
    json_ = sim::random_scene(any.contract, seed_, group_.scene);
    const auto scene = sim::Scene::make(json_, ".", any.contract, diagnostics);
    if (scene == nullptr) return ir::to_text(diagnostics, "");

    executor::KnownLists lists = executor::known_of(any.contract, *scene);
    std::mt19937 random(static_cast<uint32_t>(seed_));
    if (seed_ % 2 == 0) forget(lists, random);
    if (group_.has_device && seed_ % 3 == 0) specialize(lists, random);
    library::KnownSettings settings(std::pmr::get_default_resource());
    library::take_known_state(lists.state(), settings);
    executor::Shader one;
    one.robustness = any.robustness;
    one.known = &settings.state;
    if (!executor::load_shader(text_, one, group_.routes, diagnostics)) return ir::to_text(diagnostics, "");
    for (const ir::Module* module : {&one.legal, &one.legal_maxwell, &one.legal_spirv, &one.legal_dksh}) {
      relied += module->relied.facts.size() + module->relied.rows.size() + module->specialized.size();
      if (!executor::keeps_promises(*module, any.contract, *scene, diagnostics))
        return ir::to_text(diagnostics, "");
    }

    RouteResult model;
    if (!executor::run_route(Route::ir, any, *scene, {}, model, diagnostics))
      return ir::to_text(diagnostics, "");
    executor::RunLimits limits;
    if (group_.has_device) limits.device = vulkan_device(robustness_here());
    for (const Route route : group_.routes) {
      RouteResult a, b;
      if (!executor::run_route(route, any, *scene, limits, a, diagnostics) ||
          !executor::run_route(route, one, *scene, limits, b, diagnostics)) {
        const std::string message = ir::to_text(diagnostics, "");
        return group_.has_device && is_beyond_device(message) ? std::string() : message;
      }
      if (a.trouble.empty() && !b.trouble.empty())
        return fmt::format("{}: {}\n", executor::route_name(route), b.trouble);
      const std::string difference = compare(*scene, model, a, b, route);
      if (!difference.empty()) return difference;
    }
    return {};
  }

  std::string describe() const { return text_ + json_; }

 private:
  static std::string compare(const sim::Scene& scene, const RouteResult& model, const RouteResult& a,
                             const RouteResult& b, Route route) {
    const uint32_t count = scene.element_count();
    for (size_t at = 0; at < a.outputs.size(); ++at) {
      const auto element = static_cast<uint32_t>(at % count);
      const auto [x, y] = scene.pixel_of(element);
      if (x >= scene.width() || y >= scene.height() || model.undefined[element] != 0) continue;
      if (a.written[element] != b.written[element])
        return fmt::format("{}: pixel ({}, {}): written {}, and {} with known state\n",
                           executor::route_name(route), x, y, a.written[element], b.written[element]);
      if (same(a.outputs[at], b.outputs[at])) continue;
      // A driver may be wrong where the shader asks it: lavapipe's sizes of a null descriptor are not always
      // 0.
      if (route == Route::vulkan && same(model.outputs[at], b.outputs[at])) continue;
      return fmt::format("{}: plane {} of pixel ({}, {}): {} ({:08x}), and {} ({:08x}) with known state\n",
                         executor::route_name(route), at / count, x, y, std::bit_cast<float>(a.outputs[at]),
                         a.outputs[at], std::bit_cast<float>(b.outputs[at]), b.outputs[at]);
    }
    return {};
  }

  uint64_t seed_;
  const Group& group_;
  std::string text_, json_;
};

class KnownState : public testing::TestWithParam<Group> {};

TEST_P(KnownState, DrawsTheSame) {
  if (GetParam().has_device) TEXLATE_NEEDS_VULKAN(robustness_here());
  const uint64_t count = from_environment("TEXLATE_RANDOM_PROGRAMS", 150);
  const uint64_t first = from_environment("TEXLATE_RANDOM_SEED", 1);
  uint64_t relied = 0;
  int reported = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Case one(seed, GetParam());
    const std::string difference = one.run(relied);
    if (difference.empty()) continue;
    ADD_FAILURE() << "seed " << seed << ": " << difference << (reported < 2 ? one.describe() : "");
    if (++reported == 10) break;
  }
  std::printf("%llu programs relied on %llu facts\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(relied));
  if (count >= 100) {
    EXPECT_GT(relied, count);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Groups, KnownState,
    testing::Values(Group{"Kernels", {Route::ptx, Route::maxwell}, {.texture_objects = true}},
                    Group{"Vulkan", {Route::vulkan}, {.vulkan = true}, true},
                    Group{"Dksh", {Route::dksh}, {.all_bound = true}}),
    [](const auto& group) { return group.param.name; });

}  // namespace
}  // namespace texlate::test
