// Shaders of the corpus, on the interpreter and as SPIR-V on a Vulkan driver, over a small default scene,
// with inputs between -1 and 2 for hull, domain and geometry shaders; prints the table and, with
// TEXLATE_CORPUS_REPORT=FILE, the result of each. A third of them for each kind of robustness, or every n-th
// (TEXLATE_CORPUS_EVERY=n); TEXLATE_EXHAUSTIVE=1: all of them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>

#include "tests/corpus/corpus.h"
#include "tests/support/environment.h"
#include "tools/executor/child_process.h"
#include "tools/executor/comparison.h"
#include "tools/executor/primitive_run.h"

namespace texlate {
namespace {

// Possible differences of two correct devices: transcendental functions of a few ULP, 8 bits of filter
// weights, UNORM decoded one ULP off; all amplified by what the shader does next (Vulkan,
// Precision and Operation of SPIR-V Instructions).
constexpr executor::Tolerance kTolerance = {4096, 1.0 / 256};
// A pixel whose value jumps (a comparison, a rounding, a texel's edge) may be on the other side: this
// fraction of a picture.
constexpr double kJumps = 0.01;

/// Shaders whose pipeline crashes inside lavapipe although SPIRV-Tools finds them valid. Mesa 22.3 compiles
/// constants into shaders whose branches depend on them. Here it takes slot 0, the push constants, for one of
/// them and reads its buffer table at -1 (lvp_execute.c, update_inline_shader_state).
constexpr std::string_view kCrashesInLavapipe[] = {"patched__Subnautica__1172_ps_4_0.asm"};

/// Shaders that compute noise: the fraction of a sine times 43758.5, which depends on the last bit of the
/// sine. Direct3D and Vulkan leave much more of it undefined.
constexpr std::string_view kHashesOfSines[] = {"patched__Team_Sonic_Racing__21_vs_5_0.asm"};

bool uses(const ir::Module& module, std::initializer_list<ir::Op> ops) {
  return std::any_of(module.code.begin(), module.code.end(), [&](const ir::Instruction& instruction) {
    return std::find(ops.begin(), ops.end(), instruction.op) != ops.end();
  });
}

/// Smooth float textures, sampled at points: the result then does not depend on how
/// precisely a device filters or decodes UNORM. Flat inputs are the same everywhere, so
/// that one triangle is drawn: llvmpipe's helper invocations read 0 from buffers, which
/// makes levels from derivatives wrong along every edge. Integers that a shader reads as
/// doubles are the halves of 1.5 and 2.5: Vulkan promises nothing about denormal
/// doubles.
std::string scene_of(const ir::Module& module) {
  const char* integers = uses(module, {ir::Op::pack64}) ? "[0, 1073217536, 0, 1074003968]" : "[1, 2, 3, 0]";
  std::vector<bool> compared(module.resources.size(), false);
  for (const ir::Instruction& instruction : module.code) {
    if (ir::info(instruction.op).has(ir::kResource) && module.access_of(instruction).compare)
      compared[module.access_of(instruction).resource] = true;
  }
  std::string textures, samplers, inputs;
  for (size_t i = 0; i < module.resources.size(); ++i) {
    const ir::Resource& resource = module.resources[i];
    const ir::ComponentType type = resource.component_types[0];
    const bool floats = type == ir::ComponentType::float_ || type == ir::ComponentType::unorm;
    if (resource.is_uav || resource.is_range() || ir::is_buffer(resource.dimension) || !floats) continue;
    textures += fmt::format(R"({}"t{}": {{"generate": "gradient"{}}})", textures.empty() ? "" : ", ",
                            resource.id, compared[i] ? "" : R"(, "format": "r32g32b32a32_float")");
  }
  for (const ir::Parameter& input : module.inputs) {
    const bool flat =
        input.interpolation == ir::Interpolation::constant && input.system_value == ir::SystemValue::none;
    if (module.stage != ir::Stage::pixel || !flat) continue;
    const bool integer = input.component_type == 1 || input.component_type == 2;
    inputs += fmt::format(R"({}"v{}": {{"constant": {}}})", inputs.empty() ? "" : ", ", input.reg,
                          integer ? integers : "[0.5, 0.25, 0.75, 1.0]");
  }
  for (const ir::Sampler& sampler : module.samplers) {
    samplers += fmt::format(R"({}"s{}": {{"filter": "point"}})", samplers.empty() ? "" : ", ", sampler.id);
  }
  return fmt::format(
      R"({{"viewport": [16, 16], "dispatch": [1, 1, 1], "vertices": 32, "scatter": {}, "textures": {{{}}}, "samplers": {{{}}}, "inputs": {{{}}}}})",
      executor::reads_primitives(module.stage), textures, samplers, inputs);
}

enum class Verdict : uint8_t { equal, near, jumps, differs, undefined, refused, device, crash, endless };
constexpr const char* kVerdicts[] = {"equal",   "near",   "some jump", "differ", "undefined",
                                     "refused", "device", "crash",     "endless"};

struct Outcome {
  Verdict verdict = Verdict::refused;
  std::string why;
};

Outcome judge(const std::string& source, spirv::Robustness robustness, std::string& stage) {
  Diagnostics diagnostics;
  const auto first_error = [&] {
    for (const Diagnostic& diagnostic : diagnostics.list()) {
      if (diagnostic.severity == Severity::error) return std::string(diagnostic.message);
    }
    return std::string("no error");
  };
  executor::Shader shader;
  shader.robustness = robustness;
  const executor::Route routes[] = {executor::Route::ir, executor::Route::vulkan};
  if (!executor::load_shader(source, shader, routes, diagnostics)) return {Verdict::refused, first_error()};
  static constexpr const char* kStages[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
  stage = kStages[static_cast<uint32_t>(shader.contract.stage)];
  const auto scene = sim::Scene::make(scene_of(shader.contract), ".", shader.contract, diagnostics);
  if (scene == nullptr) return {Verdict::refused, first_error()};
  sim::vulkan::DeviceOptions options;
  options.robust = robustness == spirv::Robustness::driver;
  const auto device = sim::vulkan::Device::open(options, diagnostics);
  if (device == nullptr) return {Verdict::device, first_error()};
  executor::RunLimits limits;
  limits.max_lane_instructions = uint64_t{1} << 24;
  limits.device = device.get();
  executor::RouteResult expected, result;
  if (!executor::run_route(routes[0], shader, *scene, limits, expected, diagnostics))
    return {Verdict::refused, first_error()};
  if (!expected.trouble.empty()) return {Verdict::endless, expected.trouble};
  if (!executor::run_route(routes[1], shader, *scene, limits, result, diagnostics))
    return {Verdict::device, first_error()};
  const auto exact = executor::compare_outputs(shader, *scene, expected, result);
  if (exact.equal() && exact.elements != 0) return {Verdict::equal, {}};
  if (exact.elements == 0 && exact.masked == 0) return {Verdict::equal, "nothing is written"};
  if (exact.elements == 0) return {Verdict::undefined, "every element met something undefined"};
  auto near = executor::compare_outputs(shader, *scene, expected, result, kTolerance);
  if (near.equal()) return {Verdict::near, exact.worst};
  if (shader.contract.stage == ir::Stage::pixel) {
    // The device chooses whether a quad shares its derivatives.
    limits.derivatives = sim::QuadDerivatives::shared;
    executor::RouteResult shared;
    if (!executor::run_route(routes[0], shader, *scene, limits, shared, diagnostics))
      return {Verdict::refused, first_error()};
    const auto other = executor::compare_outputs(shader, *scene, shared, result, kTolerance);
    if (other.equal()) return {Verdict::near, "with derivatives that a quad shares"};
    if (other.different < near.different) near = other;
  }
  const std::string why = fmt::format("{} of {}: {}", near.different, near.elements, near.worst);
  if (static_cast<double>(near.different) <= kJumps * static_cast<double>(near.elements))
    return {Verdict::jumps, why};
  // After something undefined, the memory that a group leaves is undefined.
  if (expected.any_undefined != 0) return {Verdict::undefined, why};
  // The order of invocations is undefined: which one gets which count, or is first at an atomic.
  if (uses(shader.contract, {ir::Op::counter, ir::Op::surf_atomic, ir::Op::buf_atomic}))
    return {Verdict::undefined, "in the order of invocations: " + why};
  return {Verdict::differs, why};
}

/// What `work` returns in a process of its own, because drivers crash. This process itself never opens a
/// device: in its children, the driver would lack its threads.
std::string in_child(const std::function<std::string()>& work, std::string& death) {
  executor::Child child;
  if (!executor::start_child([&](int to) { platform::write_to_parent(to, work()); }, child)) {
    death = "no process";
    return {};
  }
  std::string text;
  while (platform::read_some(child.from, text)) {
  }
  if (executor::wait_for_child(child, death)) death.clear();
  return text;
}

Outcome judge_apart(const std::string& source, spirv::Robustness robustness, std::string& stage) {
  const auto work = [&] {
    const Outcome outcome = judge(source, robustness, stage);
    return fmt::format("{} {} {}", static_cast<int>(outcome.verdict), stage, outcome.why);
  };
  std::string death;
  const std::string text = in_child(work, death);
  if (!death.empty() || text.empty()) return {Verdict::crash, death};
  const size_t first = text.find(' '), second = text.find(' ', first + 1);
  stage = text.substr(first + 1, second - first - 1);
  return {static_cast<Verdict>(std::stoi(text)), text.substr(second + 1)};
}

/// Empty if there is a device.
std::string why_no_device(bool robust) {
  const auto work = [&] {
    Diagnostics diagnostics;
    sim::vulkan::DeviceOptions options;
    options.robust = robust;
    const auto device = sim::vulkan::Device::open(options, diagnostics);
    return device == nullptr ? std::string(diagnostics.list()[0].message) : std::string();
  };
  std::string death;
  const std::string why = in_child(work, death);
  return death.empty() ? why : "the driver crashed: " + death;
}

/// From its name, NAME_hs_5_1_HASH.dxbc.
bool reads_primitives(std::string_view name) {
  return name.find("_hs_") != name.npos || name.find("_ds_") != name.npos || name.find("_gs_") != name.npos;
}

class VulkanCorpus : public testing::TestWithParam<spirv::Robustness> {};

TEST_P(VulkanCorpus, AgreesWithTheInterpreter) {
  TEXLATE_NEEDS_CORPUS();
  const bool robust = GetParam() == spirv::Robustness::driver;
  if (const std::string why = why_no_device(robust); !why.empty()) GTEST_SKIP() << why;
  const char* report_path = std::getenv("TEXLATE_CORPUS_REPORT");
  std::ofstream report;
  if (report_path != nullptr) report.open(report_path, std::ios::app);
  std::map<std::string, std::array<uint32_t, std::size(kVerdicts)>> table;
  std::map<std::string, uint32_t> reasons;
  std::vector<std::string> unexplained;
  struct Folder {
    const char *name, *extension;
  };
  const char* only = std::getenv("TEXLATE_CORPUS_ONLY");
  const bool all = only != nullptr || std::getenv("TEXLATE_EXHAUSTIVE") != nullptr;
  const uint64_t every = all ? 1 : test::from_environment("TEXLATE_CORPUS_EVERY", 3);
  const uint64_t first = robust || all ? 0 : 1;  // different shaders
  uint64_t files = 0;
  for (const auto& [folder, extension] :
       {Folder{"games", ".asm"}, Folder{"hlsl_suite", ".dxbc"}, Folder{"fxc_suite", ".dxbc"},
        Folder{"dxbc_suite", ".dxbc"}, Folder{"pairs", ".dxbc"}}) {
    for (const auto& path : corpus::files(folder, extension)) {
      if (std::string_view(folder) == "pairs" && !reads_primitives(path.filename().string())) continue;
      if (only != nullptr && path.filename().string().find(only) == std::string::npos) continue;
      if (files++ % every != first) continue;
      std::string stage = "?";
      const auto start = std::chrono::steady_clock::now();
      const std::string source = corpus::read(path);
      const Outcome outcome = judge_apart(source, GetParam(), stage);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (outcome.verdict == Verdict::refused && stage == "?") continue;  // no shader
      ++table[stage][static_cast<size_t>(outcome.verdict)];
      if (outcome.verdict == Verdict::device) ++reasons[outcome.why];
      const std::string name = path.filename().string();
      const bool known_crash = std::find(std::begin(kCrashesInLavapipe), std::end(kCrashesInLavapipe),
                                         name) != std::end(kCrashesInLavapipe);
      const bool is_hash =
          std::find(std::begin(kHashesOfSines), std::end(kHashesOfSines), name) != std::end(kHashesOfSines);
      if ((outcome.verdict == Verdict::differs && !is_hash) ||
          (outcome.verdict == Verdict::crash && !known_crash))
        unexplained.push_back(fmt::format("{}: {}", name, outcome.why));
      if (report.is_open()) {
        report << fmt::format("{} {} {} {} ({:.2f} s) {}\n", robust ? "driver" : "shader",
                              kVerdicts[static_cast<size_t>(outcome.verdict)], stage, name, seconds,
                              outcome.why)
               << std::flush;
      }
    }
  }
  fmt::print("robustness {}\nstage", robust ? "driver" : "shader");
  for (const char* verdict : kVerdicts) fmt::print("{:>11}", verdict);
  fmt::print("\n");
  uint32_t ran = 0, agree = 0;
  for (const auto& [stage, row] : table) {
    fmt::print("{:>5}", stage);
    for (uint32_t count : row) fmt::print("{:>11}", count);
    fmt::print("\n");
    for (Verdict verdict : {Verdict::equal, Verdict::near, Verdict::jumps, Verdict::differs})
      ran += row[static_cast<size_t>(verdict)];
    for (Verdict verdict : {Verdict::equal, Verdict::near, Verdict::jumps})
      agree += row[static_cast<size_t>(verdict)];
  }
  for (const auto& [reason, count] : reasons) fmt::print("{:>6}  {}\n", count, reason);
  fmt::print("{} of {} agree\n", agree, ran);
  EXPECT_EQ(unexplained, std::vector<std::string>{});
  EXPECT_TRUE(ran != 0 || only != nullptr);
}

INSTANTIATE_TEST_SUITE_P(Robustness, VulkanCorpus,
                         testing::Values(spirv::Robustness::driver, spirv::Robustness::shader),
                         [](const auto& one) {
                           return std::string(one.param == spirv::Robustness::driver ? "driver" : "shader");
                         });

}  // namespace
}  // namespace texlate
