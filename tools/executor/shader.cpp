#include "tools/executor/shader.h"

#include <algorithm>
#include <chrono>

#include "library/pipeline.h"
#include "tools/executor/sass_route.h"

namespace texlate::executor {

namespace {

sim::StreamLaunch stream_launch(const Shader& shader, const sim::Scene& scene, RouteResult& result) {
  const uint32_t count = scene.element_count();
  result.outputs.assign(size_t{sim::output_plane_count(shader.contract)} * count, 0);
  result.written.assign(count, 0);
  result.undefined.assign(count, 0);
  sim::StreamLaunch launch;
  launch.count = count;
  launch.inputs = scene.inputs();
  launch.outputs = result.outputs;
  launch.written = result.written;
  launch.samples = scene.samples();
  return launch;
}

bool run_interpreter(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                     Diagnostics& diagnostics) {
  const auto interpreter = sim::Interpreter::create(shader.contract, diagnostics);
  if (!interpreter) return false;
  sim::InterpreterOptions options;
  options.max_lane_instructions = limits.max_lane_instructions;
  options.progress = limits.progress;
  options.derivatives = limits.derivatives;
  sim::RunReport report;
  if (shader.contract.stage == ir::Stage::compute) {
    report = interpreter->run(scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else {
    sim::StreamLaunch launch = stream_launch(shader, scene, result);
    launch.undefined = result.undefined;
    report = interpreter->run(scene.bindings(), launch, options);
  }
  result.lane_instructions = report.lane_instructions;
  result.any_undefined = report.undefined;
  if (report.cut_off) result.trouble = "cut off: too many instructions";
  return true;
}

/// The text names the first faults only; `troubled` has every element, or none where some fault is not an
/// element's own.
void keep_faults(sim::ptx::Report report, bool compute, RouteResult& result) {
  if (report.ok()) return;
  constexpr size_t kShownFaults = 8;
  const bool own = report.faults.size() == report.fault_count &&
                   std::all_of(report.faults.begin(), report.faults.end(), [](const sim::ptx::Fault& fault) {
                     return fault.kind <= sim::ptx::FaultKind::poison_texture;
                   });
  for (const sim::ptx::Fault& fault : report.faults) {
    if (own) result.troubled.push_back(compute ? 0 : fault.block.x * kStreamBlock + fault.thread.x);
  }
  if (report.faults.size() > kShownFaults) report.faults.resize(kShownFaults);
  result.trouble = report.describe();
}

bool run_ptx_machine(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                     Diagnostics& diagnostics) {
  PtxKernel kernel;
  if (!make_kernel(shader.legal, scene.bindings(), kernel, diagnostics)) return false;
  sim::ptx::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;  // PTX needs more of them
  options.max_faults = 1u << 16;
  options.progress = limits.progress;
  sim::ptx::Report report;
  if (shader.legal.stage == ir::Stage::compute) {
    report = run_ptx(kernel, shader.legal, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else {
    const sim::StreamLaunch launch = stream_launch(shader, scene, result);
    report = run_ptx(kernel, shader.legal, scene.bindings(), launch, options);
  }
  result.lane_instructions = report.lane_instructions;
  keep_faults(std::move(report), shader.legal.stage == ir::Stage::compute, result);
  return true;
}

bool run_maxwell_machine(const Shader& shader, sim::Scene& scene, const RunLimits& limits,
                         RouteResult& result, Diagnostics& diagnostics) {
  SassKernel kernel;
  if (!make_sass(shader.legal, scene.bindings(), kernel, diagnostics)) return false;
  sim::maxwell::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;
  options.progress = limits.progress;
  options.trust_fetch_bounds = false;  // the PTX guards every fetch
  sim::maxwell::Report report;
  if (shader.legal.stage == ir::Stage::compute) {
    report = run_sass(kernel, shader.legal, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else {
    const sim::StreamLaunch launch = stream_launch(shader, scene, result);
    report = run_sass(kernel, shader.legal, scene.bindings(), launch, options);
  }
  result.lane_instructions = report.lane_instructions;
  result.issue_cycles = report.issue_cycles;
  if (!report.ok()) result.trouble = report.describe();
  return true;
}

bool run_vulkan_device(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                       Diagnostics& diagnostics) {
  const ir::Module& module = shader.legal_spirv;
  VulkanShader words;
  if (limits.device == nullptr) return false;
  if (!make_vulkan_shader(module, shader.robustness, *limits.device, scene.bindings(), scene.samples(), words,
                          diagnostics)) {
    return false;
  }
  if (module.stage == ir::Stage::compute) {
    return limits.device->dispatch(words.shader, scene.groups(), diagnostics);
  }
  if (module.stage != ir::Stage::pixel && module.stage != ir::Stage::vertex) {
    diagnostics.error({}, "the Vulkan route runs pixel, vertex and compute shaders only");
    return false;
  }
  for (const ir::Parameter& output : module.outputs) {
    if (!vulkan_reads_back(module, output))
      result.unknown.push_back(sim::output_plane_register(module, output));
  }
  const sim::StreamLaunch launch = stream_launch(shader, scene, result);
  if (module.stage == ir::Stage::vertex) {
    return run_vulkan_vertices(*limits.device, module, words, launch, diagnostics);
  }
  return run_vulkan_pixels(*limits.device, module, words, scene.width(), scene.height(), launch, diagnostics);
}

}  // namespace

std::string_view route_name(Route route) {
  switch (route) {
    case Route::ir: return "ir";
    case Route::ptx: return "ptx";
    case Route::vulkan: return "vulkan";
    case Route::sass: return "sass";
  }
  return {};
}

bool load_shader(std::string_view bytes, Shader& shader, std::span<const Route> routes,
                 Diagnostics& diagnostics) {
  sm4::Program program(&shader.arena);
  dxbc::Container container(&shader.arena);
  if (!library::read_program(bytes, dxbc::DigestCheck::warn, program, container, diagnostics)) return false;
  if (!library::prepare(program, nullptr, {}, shader.contract, diagnostics)) return false;
  for (Route route : routes) {
    if (runs_ptx(route) && shader.legal.code.empty() &&
        !library::prepare(program, &ptx_target(), {}, shader.legal, diagnostics))
      return false;
    if (route != Route::vulkan) continue;
    spirv::TargetOptions own;
    own.emit.robustness = shader.robustness;
    library::TranslateOptions options;
    options.backend.own = &own;
    if (!library::prepare(program, &spirv_target(), options, shader.legal_spirv, diagnostics)) return false;
  }
  return true;
}

bool run_route(Route route, const Shader& shader, sim::Scene& scene, const RunLimits& limits,
               RouteResult& result, Diagnostics& diagnostics) {
  scene.reset_uavs();
  const auto start = std::chrono::steady_clock::now();
  bool good = false;
  switch (route) {
    case Route::ir: good = run_interpreter(shader, scene, limits, result, diagnostics); break;
    case Route::ptx: good = run_ptx_machine(shader, scene, limits, result, diagnostics); break;
    case Route::vulkan: good = run_vulkan_device(shader, scene, limits, result, diagnostics); break;
    case Route::sass: good = run_maxwell_machine(shader, scene, limits, result, diagnostics); break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (good) result.uavs = scene.uav_words();
  return good;
}

}  // namespace texlate::executor
