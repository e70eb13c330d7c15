// Judges the whole sampler state: random pixel programs on random scenes, by all routes. Those that differ in
// what they can express are judged separately, each with all that it can.
//
//   random_pixels_test                                     a fixed seed
//   TEXLATE_RANDOM_PROGRAMS=100000 random_pixels_test      as many as asked for
//   TEXLATE_RANDOM_SEED=123 TEXLATE_RANDOM_PROGRAMS=1 random_pixels_test --gtest_filter=*Kernels   one again
//   TEXLATE_RANDOM_SHOW=1                                  prints each before it runs: a driver may crash
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "sim/scene/random_scene.h"
#include "tests/support/environment.h"
#include "tests/support/ir_text.h"
#include "tests/support/random_pixels.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"
#include "tools/executor/shader.h"

namespace texlate::test {
namespace {

using executor::Route;
using executor::RouteResult;

// Where Direct3D allows fixed-point rounding to differ by a step, it does so in the weights of both axes and
// of the two mips, each in 1/256 (D3D11.3 functional specification 7.18.8, 7.18.10): three steps between
// texels of at most this contrast, border colors included.
constexpr float kContrast = 4;
constexpr float kStep = 3 * kContrast / 256;
constexpr float kSum = 1e-5f;                           // sums of products in another order
constexpr float kInterpolated = 4e-5f, kSrgb = 0.002f;  // Vulkan
constexpr float kAttribute = 1.0f / (1 << 18);  // Vulkan: how far interpolation may be off, for each 1
constexpr float kShift = 1.0f / (1 << 20);      // how far a coordinate may be off
constexpr float kSmallestLevel = -12;  // Vulkan: the level of a footprint that has no extent but by rounding

bool same(uint32_t a, uint32_t b) {
  const auto is_nan = [](uint32_t w) { return (w & 0x7fffffffu) > 0x7f800000u; };
  return a == b || (is_nan(a) && is_nan(b)) || ((a | b) << 1) == 0;
}

bool near(uint32_t a, uint32_t b, float tolerance) {
  return same(a, b) || std::fabs(double{std::bit_cast<float>(a)} - std::bit_cast<float>(b)) <= tolerance;
}

/// What the programs so far gave.
struct Tally {
  uint64_t programs = 0, words = 0, masked = 0, equal = 0, summed = 0, rounded = 0, moved = 0, chosen = 0,
           beyond = 0;
};

/// Routes that are judged together, and what they can express.
struct Group {
  const char* name;
  std::vector<Route> routes;
  sim::RandomSceneLimits scene;
  bool lod_clamps;
  std::optional<spirv::Robustness> robustness = {};  // of route vulkan
  uint64_t programs = 2000;                          // unless the environment says otherwise
};

class Case {
 public:
  Case(uint64_t seed, const Group& group)
      : seed_(seed),
        group_(group),
        routes_(group.routes),
        options_{.lod_clamps = group.lod_clamps, .sample_offsets = !(group.robustness && is_swiftshader())},
        pixels_(make_random_pixels(seed, options_)) {}

  /// Returns the first difference; empty if there is none.
  std::string run(Tally& tally) {
    executor::Shader shader;
    shader.robustness = group_.robustness.value_or(shader.robustness);
    Diagnostics diagnostics;
    if (!executor::load_shader(pixels_.text, shader, routes_, diagnostics))
      return ir::to_text(diagnostics, "");
    json_ = sim::random_scene(shader.contract, seed_, group_.scene);
    scene_ = sim::Scene::make(json_, ".", shader.contract, diagnostics);
    if (scene_ == nullptr) return ir::to_text(diagnostics, "");
    change_samplers(shader, *scene_, 0);
    if (std::getenv("TEXLATE_RANDOM_SHOW") != nullptr) fmt::print(stderr, "{}", describe());
    if (group_.robustness && is_swiftshader() && is_wrong_on_swiftshader()) return {};
    ++tally.programs;
    std::vector<RouteResult> results(routes_.size());
    for (size_t i = 0; i < routes_.size(); ++i) {
      Diagnostics trouble;
      if (!executor::run_route(routes_[i], shader, *scene_, limits(), results[i], trouble)) {
        if (is_beyond_device(ir::to_text(trouble, ""))) {
          ++tally.beyond;
          return {};
        }
        return fmt::format("{}: {}", executor::route_name(routes_[i]), ir::to_text(trouble, ""));
      }
      if (!results[i].trouble.empty() && !executor::is_excused(shader, results[0], results[i]))
        return fmt::format("{}: {}", executor::route_name(routes_[i]), results[i].trouble);
    }
    for (size_t i = 1; i < routes_.size(); ++i) {
      const std::string difference = compare(results[0], results[i], routes_[i], tally);
      if (!difference.empty()) return difference;
    }
    return {};
  }

  std::string describe() const { return pixels_.text + json_; }

 private:
  std::string compare(const RouteResult& a, const RouteResult& b, Route route, Tally& tally) {
    const uint32_t count = scene_->element_count();
    for (uint32_t e = 0; e < count; ++e) {
      const auto [x, y] = scene_->pixel_of(e);
      if (x >= scene_->width() || y >= scene_->height()) continue;
      if (a.undefined[e] != 0) {
        ++tally.masked;
        continue;
      }
      if (a.written[e] != b.written[e] && !writes_if_moved(e, b.written[e], route))
        return fmt::format("ir and {}: pixel ({}, {}): written {} and {}\n", executor::route_name(route), x,
                           y, a.written[e], b.written[e]);
      for (uint32_t plane = 0; plane < pixels_.kinds.size() * 4; ++plane) {
        const size_t at = size_t{plane} * count + e;
        ++tally.words;
        const RandomPixels::Kind kind = pixels_.kinds[plane / 4];
        const uint32_t first = expected(a, kind, route).outputs[at], other = b.outputs[at];
        const bool driver = route == Route::vulkan;
        const bool exact =
            kind == RandomPixels::Kind::exact || (kind == RandomPixels::Kind::sampled && !driver);
        if (same(first, other)) {
          ++tally.equal;
        } else if (near(first, other, exactness(route, first))) {
          ++tally.summed;
        } else if (!exact && near(first, other, kStep)) {
          ++tally.rounded;
        } else if (may_choose(kind, route, first, other) || is_wrong(kind, route, plane % 4)) {
          ++tally.chosen;
        } else if ((driver || !exact) &&
                   moves_to(at, other, kind == RandomPixels::Kind::exact ? exactness(route, first) : kStep,
                            route)) {
          ++tally.moved;
        } else {
          return fmt::format("ir and {}: o{}.{} of pixel ({}, {}): {} ({:08x}) and {} ({:08x})\n",
                             executor::route_name(route), plane / 4, "xyzw"[plane % 4], x, y,
                             std::bit_cast<float>(a.outputs[at]), a.outputs[at],
                             std::bit_cast<float>(b.outputs[at]), b.outputs[at]);
        }
      }
    }
    return {};
  }

  /// What may lie between two results that are not rounded. A driver also interpolates, and decodes sRGB to
  /// within half a step of the code (docs/spirv.md, "Two correct executors").
  float exactness(Route route, uint32_t word) const {
    if (route != Route::vulkan) return kSum;
    const float size = std::max(1.0f, std::fabs(std::bit_cast<float>(word)));
    return kInterpolated * size + (json_.find("_srgb") != std::string::npos ? kSrgb : 0);
  }

  /// A driver may share derivatives in a quad.
  executor::RunLimits limits() const {
    executor::RunLimits limits;
    if (!group_.robustness) return limits;
    limits.device = vulkan_device(*group_.robustness);
    limits.derivatives = sim::QuadDerivatives::shared;
    return limits;
  }

  /// What Direct3D leaves open: the fourth texel of a gather at a corner of a cube is derived before or after
  /// the comparison (docs/reference/direct3d.md 1.4), and levels have 8.8 bits (docs/dksh.md, TMML). A
  /// footprint without extent has the logarithm of 0 as its level; in Vulkan, interpolation may leave a small
  /// extent, and llvmpipe's `lod` of cubes is wrong (docs/spirv.md).
  static bool may_choose(RandomPixels::Kind kind, Route route, uint32_t a, uint32_t b) {
    const float left = std::bit_cast<float>(a), right = std::bit_cast<float>(b);
    switch (kind) {
      case RandomPixels::Kind::cube_gather:
        return near(a, std::bit_cast<uint32_t>(std::round(left * 3) / 3), kSum) && (right == 0 || right == 1);
      case RandomPixels::Kind::level:
      case RandomPixels::Kind::cube_level:
        if (route == Route::vulkan)
          return kind == RandomPixels::Kind::cube_level ||
                 (left <= kSmallestLevel && right <= kSmallestLevel);
        return left <= -128 && right == -128;
      default: return false;
    }
  }

  /// The 15th mip, gathers that mirror once, and levels of cubes from given derivatives (docs/spirv.md).
  bool is_wrong_on_swiftshader() const {
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
    return has(json_, "16384") || (has(json_, "mirror_once") && has(pixels_.text, "gather4")) ||
           has(pixels_.text, "sample_d_indexable(texturecube");
  }

  /// SwiftShader does not clamp `lod` to the mips, and levels of cubes are wrong (docs/spirv.md).
  static bool is_wrong(RandomPixels::Kind kind, Route route, uint32_t component) {
    const bool of_cube = kind == RandomPixels::Kind::cube;
    const bool clamped = kind == RandomPixels::Kind::level && component == 0;
    return route == Route::vulkan && (of_cube || clamped) && is_swiftshader();
  }

  /// The levels of cubes in dksh come from differences of directions that have been divided by their greatest
  /// component (docs/dksh.md).
  const RouteResult& expected(const RouteResult& reference, RandomPixels::Kind kind, Route route) {
    const bool cube = kind == RandomPixels::Kind::cube || kind == RandomPixels::Kind::cube_level;
    if (route != Route::dksh || !cube) return reference;
    if (divided_.outputs.empty()) run_changed({{}, 0, limits().derivatives}, true, divided_);
    return divided_;
  }

  /// Is `word` the result for a coordinate, an LOD ... that rounding may give? Then a point filter may take
  /// another texel, and a comparison may have another result.
  bool moves_to(size_t at, uint32_t word, float tolerance, Route route) {
    return is_moved(route,
                    [&](const RouteResult& result) { return near(result.outputs[at], word, tolerance); });
  }
  bool writes_if_moved(uint32_t element, uint32_t written, Route route) {
    return route == Route::vulkan &&
           is_moved(route, [&](const RouteResult& result) { return result.written[element] == written; });
  }

  /// Does a result of a changed program have the property? They run when they are needed for the first time.
  template <typename Property>
  bool is_moved(Route route, Property property) {
    if (changes_.empty()) changes_ = route == Route::vulkan ? driver_changes() : kernel_changes();
    std::vector<RouteResult>& moved = moved_[route == Route::dksh ? 1 : 0];
    for (size_t i = 0; i < changes_.size(); ++i) {
      if (i == moved.size()) run_changed(changes_[i], route == Route::dksh, moved.emplace_back());
      if (property(moved[i])) return true;
    }
    return false;
  }

  struct Change {
    RandomPixelsOptions program;
    float bias = 0;  // of the LOD
    sim::QuadDerivatives derivatives = sim::QuadDerivatives::each;
    int subtexel_bits = 8;
  };

  static float third(int step, int n) { return static_cast<float>(step / n % 3 - 1); }

  static RandomPixelsOptions shifted(int step, float distance = kShift) {
    RandomPixelsOptions program;
    for (size_t axis = 0; axis < 3; ++axis)
      program.shift[axis] = third(step, std::array{1, 3, 9}[axis]) * distance;
    return program;
  }

  std::vector<Change> kernel_changes() const {
    std::vector<Change> changes;
    for (int step = 0; step < 81; ++step)
      changes.push_back({shifted(step), third(step, 27) * 0.75f / 256, limits().derivatives});
    return changes;
  }

  /// What a driver may do in addition (docs/spirv.md, "Two correct executors"): interpolate attributes with
  /// other rounding, which decides conditions and slices at a tie; leave border colors as they are and so
  /// decide a comparison with one; share derivatives in a quad or not; round texel coordinates to more than 8
  /// bits; take the greatest component of a footprint for its length, and a logarithm that is linear between
  /// powers of 2.
  static std::vector<Change> driver_changes() {
    std::vector<Change> changes;
    constexpr std::array kModes = {sim::QuadDerivatives::shared, sim::QuadDerivatives::each};
    for (const auto derivatives : kModes) {
      for (int step = 0; step < 27; ++step) {
        Change change{{}, 0, derivatives};
        change.program.condition = third(step, 1) * kAttribute;
        change.program.slice = third(step, 3) * kAttribute;
        change.program.reference = third(step, 9) / (1 << 16);
        changes.push_back(change);
      }
    }
    constexpr float kLeastBias = -0.84f;  // of log2(1 / sqrt(3)) and of the logarithm
    for (float bias = 0.02f; bias > kLeastBias; bias -= 0.02f)
      for (const auto derivatives : kModes) changes.push_back({{}, bias, derivatives});
    for (const auto derivatives : kModes) {
      for (const int bits : {24, 8})
        for (const float bias : {0.0f, -0.022f, -0.044f})
          for (int step = 0; step < 27; ++step) changes.push_back({shifted(step), bias, derivatives, bits});
      // A condition and what it lets run.
      for (const float condition : {-kAttribute, kAttribute})
        for (int step = 0; step < 27; ++step) {
          Change& change = changes.emplace_back(Change{shifted(step), 0, derivatives, 24});
          change.program.condition = condition;
        }
      // Interpolation is off by that part of an attribute, which is up to 8: sixteenths of a texel, if there
      // are 16,384 of them. From 16 on, kShift is less than a coordinate's last place.
      for (int parts = 1; parts <= 6; ++parts)
        for (const int bits : {24, 8})
          for (int step = 1; step < 27; ++step)
            changes.push_back({shifted(step, kAttribute * static_cast<float>(parts)), 0, derivatives, bits});
    }
    return changes;
  }

  /// The interpreter on the changed program.
  void run_changed(Change change, bool divides, RouteResult& result) {
    change.program.divides_directions = divides;
    change.program.lod_clamps = options_.lod_clamps;
    change.program.sample_offsets = options_.sample_offsets;
    const RandomPixels changed = make_random_pixels(seed_, change.program);
    executor::Shader shader;
    Diagnostics diagnostics;
    static constexpr Route kIr[] = {Route::ir};
    ASSERT_TRUE(executor::load_shader(changed.text, shader, kIr, diagnostics));
    const std::unique_ptr<sim::Scene> scene = sim::Scene::make(json_, ".", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr);
    change_samplers(shader, *scene, change.bias);
    executor::RunLimits changed_limits = limits();
    changed_limits.derivatives = change.derivatives;
    changed_limits.texture_unit.subtexel_bits = change.subtexel_bits;
    ASSERT_TRUE(executor::run_route(Route::ir, shader, *scene, changed_limits, result, diagnostics));
  }

  /// An instruction's LOD clamp takes precedence over the sampler's largest LOD, which a texture object
  /// cannot express (docs/launch_abi.md, "Texture objects").
  void change_samplers(const executor::Shader& shader, const sim::Scene& scene, float bias) const {
    for (uint32_t i = 0; i < shader.contract.samplers.size(); ++i) {
      for (sim::Sampler& sampler : const_cast<sim::Bindings&>(scene.bindings()).samplers(i)) {
        sampler.mip_lod_bias += bias;
        if (group_.lod_clamps) sampler.max_lod = 1000;
      }
    }
  }

  uint64_t seed_;
  const Group& group_;
  std::span<const Route> routes_;
  RandomPixelsOptions options_;
  RandomPixels pixels_;
  std::string json_;
  std::unique_ptr<sim::Scene> scene_;
  RouteResult divided_;
  std::vector<Change> changes_;
  std::array<std::vector<RouteResult>, 2> moved_;  // by change; with divided directions
};

class RandomPixelPrograms : public testing::TestWithParam<Group> {};

TEST_P(RandomPixelPrograms, GiveTheSameByAllRoutes) {
  if (GetParam().robustness) TEXLATE_NEEDS_VULKAN(*GetParam().robustness);
  const uint64_t count = from_environment("TEXLATE_RANDOM_PROGRAMS", GetParam().programs);
  const uint64_t first = from_environment("TEXLATE_RANDOM_SEED", 1);
  const uint64_t reports = from_environment("TEXLATE_RANDOM_REPORTS", 5);
  Tally tally;
  uint64_t reported = 0;
  for (uint64_t seed = first; seed < first + count && reported < reports; ++seed) {
    Case one(seed, GetParam());
    const std::string difference = one.run(tally);
    if (difference.empty()) continue;
    ++reported;
    ADD_FAILURE() << "seed " << seed << ": " << difference << one.describe();
  }
  fmt::print(
      "{}: {} programs, {} words: {} equal, {} summed in another order, {} rounded, {} moved by rounding, {} "
      "left open by Direct3D; {} pixels not compared, because Direct3D leaves them undefined; {} programs "
      "beyond "
      "the device\n",
      GetParam().name, tally.programs, tally.words, tally.equal, tally.summed, tally.rounded, tally.moved,
      tally.chosen, tally.masked, tally.beyond);
}

INSTANTIATE_TEST_SUITE_P(
    Groups, RandomPixelPrograms,
    testing::Values(
        Group{"Kernels", {Route::ir, Route::ptx, Route::maxwell}, {.texture_objects = true}, true},
        Group{"Dksh", {Route::ir, Route::dksh}, {.all_bound = true}, false},
        Group{"Vulkan", {Route::ir, Route::vulkan}, {.vulkan = true}, false, spirv::Robustness::driver, 1000},
        Group{"VulkanGuards",
              {Route::ir, Route::vulkan},
              {.vulkan = true},
              false,
              spirv::Robustness::shader,
              100}),
    [](const auto& group) { return std::string(group.param.name); });

}  // namespace
}  // namespace texlate::test
