// Random shaders of every stage on random scenes: kernels of both targets and deko3d programs, and compute
// shaders on a Vulkan driver, must leave what the interpreter leaves. Geometry, domain and hull shaders are
// random vertex programs whose inputs are those of several vertices, with emissions and cuts anywhere, or as
// phases.
//   TEXLATE_RANDOM_PROGRAMS=10000 random_stages_test      this many of each stage
//   TEXLATE_RANDOM_SEED=77                                from this seed on

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <tuple>
#include <vector>

#include "frontend/asm/parser.h"
#include "frontend/lower/lower.h"
#include "sim/scene/random_scene.h"
#include "tests/support/environment.h"
#include "tests/support/ir_text.h"
#include "tests/support/random_assembly.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

using executor::Route;

/// Routes that run the same scenes; the interpreter is the first.
struct Group {
  const char* name;
  std::vector<Route> routes;
  sim::RandomSceneLimits limits;
  std::string_view without;  // what vertex and pixel programs do not have
  bool on_device = false;
};
constexpr uint32_t kVertices = 3;

/// The next random program of a stage that does not have `without` in its text.
std::string program_of(sm4::Stage stage, uint64_t& seed, std::string_view without) {
  test::RandomAssembly made;
  do {
    made = test::make_random_assembly(seed++);
  } while (made.stage != stage || (!without.empty() && made.text.find(without) != std::string::npos));
  return made.text;
}

/// A random vertex program in parts.
struct Source {
  std::string flags;         // dcl_globalFlags
  std::string declarations;  // of what all phases share
  std::vector<std::string> own, code;
};

Source vertex_program(uint64_t& seed) {
  Source source;
  std::istringstream lines(program_of(sm4::Stage::vertex, seed, "\nlabel "));
  std::string line;
  std::getline(lines, line);  // vs_5_0
  for (bool declares = true; std::getline(lines, line);) {
    declares = declares && (line.starts_with("dcl_") || line.starts_with("{"));
    const bool is_own = line.starts_with("dcl_input") || line.starts_with("dcl_output") ||
                        line.starts_with("dcl_index") || line.starts_with("dcl_temps");
    if (line.starts_with("dcl_globalFlags")) {
      source.flags = line + "\n";
    } else if (!declares) {
      source.code.push_back(line);
    } else if (is_own) {
      source.own.push_back(line);
    } else {
      source.declarations += line + "\n";
    }
  }
  return source;
}

/// The line with inputs v# as `file`[index][#], and with outputs from o<first> on.
std::string moved(std::string_view line, std::string_view file, std::string_view index, uint32_t first) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool starts = i == 0 || line[i - 1] == ' ' || line[i - 1] == '-' || line[i - 1] == '|';
    const char next = i + 1 < line.size() ? line[i + 1] : ' ';
    if (starts && line[i] == 'v' && next >= '0' && next <= '9') {
      out += fmt::format("{}[{}][{}]", file, index, next);
      ++i;
    } else if (starts && line[i] == 'v' && next == '[') {
      out += fmt::format("{}[{}]", file, index);
    } else if (starts && line[i] == 'o' && next >= '0' && next <= '9') {
      out += fmt::format("o{}", next - '0' + first);
      ++i;
    } else {
      out += line[i];
    }
  }
  return out + "\n";
}

class Programs {
 public:
  /// `without`: what vertex and pixel programs must not have in their text; empty: they may have anything.
  Programs(uint64_t seed, std::string_view without) : random_(seed), seed_(seed * 1000), without_(without) {}

  std::string make(ir::Stage stage) {
    switch (stage) {
      case ir::Stage::geometry: return geometry();
      case ir::Stage::domain: return domain();
      case ir::Stage::hull: return hull();
      case ir::Stage::vertex: return program_of(sm4::Stage::vertex, seed_, without_);
      case ir::Stage::pixel: return program_of(sm4::Stage::pixel, seed_, without_);
      case ir::Stage::compute: return program_of(sm4::Stage::compute, seed_, {});
    }
    return {};
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  std::string own(const Source& source, std::string_view file, uint32_t first) {
    std::string text;
    for (const std::string& line : source.own) text += moved(line, file, std::to_string(kVertices), first);
    return text;
  }
  std::string code(const Source& source, std::string_view file, uint32_t first) {
    std::string text;
    for (const std::string& line : source.code)
      text += moved(line, file, std::to_string(below(kVertices)), first);
    return text;
  }

  std::string geometry() {
    const Source source = vertex_program(seed_);
    std::string text = fmt::format(
        "gs_5_0\n{}{}dcl_gs_instance_count {}\ndcl_inputprimitive triangle\ndcl_stream m0\n"
        "dcl_outputtopology {}\n",
        source.flags, source.declarations, 1 + below(4), below(2) != 0 ? "trianglestrip" : "linestrip");
    text += own(source, "v", 0) + fmt::format("dcl_maxout {}\n", 1 + below(9));
    for (const std::string& line : source.code) {
      text += moved(line, "v", std::to_string(below(kVertices)), 0);
      if (line.starts_with("switch") || line.starts_with("case") || line.starts_with("default") ||
          line.starts_with("break ") || line.starts_with("continue ") || line.starts_with("ret "))
        continue;
      const uint32_t roll = below(12);
      if (roll == 0) text += "emit_stream m0\n";
      if (roll == 1) text += "cut_stream m0\n";
      if (roll == 2) text += "emit_then_cut_stream m0\n";
    }
    return text;
  }

  std::string domain() {
    const Source source = vertex_program(seed_);
    return fmt::format(
        "ds_5_0\n{}dcl_input_control_point_count {}\ndcl_tessellator_domain domain_tri\n{}{}{}", source.flags,
        kVertices, source.declarations, own(source, "vcp", 0), code(source, "vcp", 0));
  }

  std::string hull() {
    const Source points = vertex_program(seed_), fork = vertex_program(seed_), join = vertex_program(seed_);
    std::string flags = points.flags;
    for (const Source* other : {&fork, &join}) {
      if (other->flags.size() > flags.size()) flags = other->flags;
    }
    return "hs_5_0\nhs_decls\n" + flags +
           fmt::format(
               "dcl_input_control_point_count {0}\ndcl_output_control_point_count {0}\n"
               "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
               "dcl_tessellator_output_primitive output_triangle_cw\n",
               kVertices) +
           points.declarations + "hs_control_point_phase\n" + own(points, "v", 0) + code(points, "v", 0) +
           "hs_fork_phase\n" + own(fork, "vicp", 0) + code(fork, "vicp", 0) + "hs_join_phase\n" +
           own(join, "vocp", 4) + code(join, "vocp", 4);
  }

  std::mt19937_64 random_;
  uint64_t seed_;
  std::string_view without_;
};

class RandomStages : public testing::TestWithParam<std::tuple<ir::Stage, Group>> {
 protected:
  const Group& group() const { return std::get<Group>(GetParam()); }

  void run(const std::string& text, uint64_t seed) {
    Diagnostics diagnostics;
    executor::Shader shader;
    if (group().on_device) shader.robustness = robustness_here();
    ASSERT_TRUE(executor::load_shader(text, shader, group().routes, diagnostics))
        << ir::to_text(diagnostics, text) << text;
    // The contract has found some uses dead that a target keeps; the scene must suit those, too.
    sm4::Program program;
    ir::Module lowered;
    ASSERT_TRUE(assembly::parse(text, program, diagnostics) && lower::lower(program, lowered, diagnostics))
        << ir::to_text(diagnostics, text) << text;
    const std::string json = sim::random_scene(lowered, seed, group().limits);
    const auto scene = sim::Scene::make(json, ".", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics, json);
    executor::RunLimits limits;
    limits.max_lane_instructions = uint64_t{1} << 24;
    if (group().on_device) limits.device = vulkan_device(shader.robustness);
    executor::RouteResult expected;
    ASSERT_TRUE(executor::run_route(Route::ir, shader, *scene, limits, expected, diagnostics)) << text;
    for (const Route route : group().routes) {
      if (route == Route::ir) continue;
      executor::RouteResult result;
      const bool ran = executor::run_route(route, shader, *scene, limits, result, diagnostics);
      const std::string message = ir::to_text(diagnostics);
      if (!ran && group().on_device && is_beyond_device(message)) {
        ++beyond_;
        continue;
      }
      ASSERT_TRUE(ran) << message << text;
      if (expected.cut_off || result.cut_off) {
        ++cut_off_;
        continue;
      }
      if (group().on_device) take_nans(expected, result);
      const auto comparison =
          executor::compare_outputs(shader, *scene, expected, result, tolerance(route, text));
      elements_ += comparison.elements;
      masked_ += comparison.masked;
      const bool is_excused = result.trouble.empty() || executor::is_excused(shader, expected, result);
      ASSERT_TRUE(comparison.different == 0 && is_excused)
          << "seed " << seed << ", " << executor::route_name(route) << ": " << comparison.worst << ' '
          << result.trouble << '\n'
          << text << json;
    }
  }

  /// Which NaN an operation gives is open (D3D11.3 functional specification 3.1.3.2), also where it is stored
  /// as an integer.
  static void take_nans(const executor::RouteResult& expected, executor::RouteResult& result) {
    const auto is_nan = [](uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u; };
    for (size_t i = 0; i < result.uavs.size(); ++i) {
      if (is_nan(expected.uavs[i]) && is_nan(result.uavs[i])) result.uavs[i] = expected.uavs[i];
    }
  }

  /// Where a program may be refactored, quotients on Maxwell may be a unit in the last place off
  /// (docs/maxwell.md, `div`).
  static executor::Tolerance tolerance(Route route, const std::string& text) {
    const bool on_maxwell = route == Route::maxwell || route == Route::dksh;
    const bool divides = text.find("refactoringAllowed") != text.npos && text.find("\ndiv") != text.npos;
    return {on_maxwell && divides ? 1u : 0u, 0};
  }

  uint64_t elements_ = 0, masked_ = 0, cut_off_ = 0, beyond_ = 0;
};

TEST_P(RandomStages, LeaveWhatTheInterpreterLeaves) {
  if (group().on_device) TEXLATE_NEEDS_VULKAN(robustness_here());
  const uint64_t first = test::from_environment("TEXLATE_RANDOM_SEED", 1);
  const uint64_t count = test::from_environment("TEXLATE_RANDOM_PROGRAMS", 60);
  for (uint64_t seed = first; seed < first + count && !HasFatalFailure(); ++seed)
    run(Programs(seed, group().without).make(std::get<ir::Stage>(GetParam())), seed);
  fmt::print(
      "{} programs: {} elements compared, {} undefined, {} runs cut off, {} programs beyond the device\n",
      count, elements_, masked_, cut_off_, beyond_);
  EXPECT_GT(elements_, 0u);
}

std::string name_of(const testing::TestParamInfo<std::tuple<ir::Stage, Group>>& one) {
  return fmt::format("{}_{}", ir::spelling(std::get<0>(one.param)), std::get<1>(one.param).name);
}

INSTANTIATE_TEST_SUITE_P(
    Stages, RandomStages,
    testing::Combine(
        testing::Values(ir::Stage::vertex, ir::Stage::pixel, ir::Stage::compute, ir::Stage::geometry,
                        ir::Stage::domain, ir::Stage::hull),
        testing::Values(
            // A bias by scaled derivatives rounds the level (docs/launch_abi.md, "Texture objects").
            Group{"kernels",
                  {Route::ir, Route::ptx, Route::maxwell},
                  {.texture_objects = true, .one_group = true},
                  "sample_b"},
            // The hardware's inputs have no number at run time (docs/dksh.md).
            Group{"dksh", {Route::ir, Route::dksh}, {.all_bound = true, .one_group = true}, "v[r"})),
    name_of);
// A driver may round what other stages read and write; compute programs leave the same bits.
INSTANTIATE_TEST_SUITE_P(OnDevices, RandomStages,
                         testing::Combine(testing::Values(ir::Stage::compute),
                                          testing::Values(Group{"vulkan",
                                                                {Route::ir, Route::vulkan},
                                                                {.vulkan = true, .one_group = true},
                                                                {},
                                                                true})),
                         name_of);

}  // namespace
}  // namespace texlate
