#include "tools/executor/shader.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "library/pipeline.h"
#include "tools/executor/dksh_route.h"
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
  result.cut_off = report.cut_off;
  if (report.cut_off) result.trouble = "cut off: too many instructions";
  return true;
}

bool ends_a_launch(sim::ptx::FaultKind kind) {
  using enum sim::ptx::FaultKind;
  switch (kind) {
    case poison_store:
    case poison_address:
    case poison_branch:
    case poison_texture:
    case limit: return false;
    case out_of_range:
    case misaligned:
    case surface_trap:
    case divergent_barrier:
    case deadlock:
    case warp_mask:
    case recursion:
    case trap:
    case launch: return true;
  }
  return true;
}

bool ends_a_launch(sim::maxwell::FaultKind kind) {
  using enum sim::maxwell::FaultKind;
  switch (kind) {
    case early_read:
    case unwaited_read:
    case unwaited_write:
    case overwritten_source:
    case early_wait:
    case barrier_order:
    case uninitialised:
    case range_reduction:
    case texture:
    case limit: return false;
    case bad_operand:
    case out_of_range:
    case misaligned:
    case surface_trap:
    case branch_stack:
    case divergent_barrier:
    case deadlock:
    case unknown_word:
    case trap:
    case launch: return true;
  }
  return true;
}

/// The instruction on that line of PTX, from 1.
std::string_view instruction_on(std::string_view text, uint32_t line) {
  for (; line > 1 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find(';'));
}

/// The text names the first faults only; `troubled` has every element, or none where some fault is not an
/// element's own.
void keep_faults(sim::ptx::Report report, const PtxKernel& kernel, bool compute, RouteResult& result) {
  if (report.ok()) return;
  constexpr size_t kShownFaults = 8;
  const bool own = report.faults.size() == report.fault_count &&
                   std::all_of(report.faults.begin(), report.faults.end(), [](const sim::ptx::Fault& fault) {
                     return fault.kind <= sim::ptx::FaultKind::poison_texture;
                   });
  for (const sim::ptx::Fault& fault : report.faults) {
    result.cut_off |= fault.kind == sim::ptx::FaultKind::limit;
    if (own) result.troubled.push_back(compute ? 0 : fault.block.x * kStreamBlock + fault.thread.x);
    result.failed |= ends_a_launch(fault.kind);
  }
  if (report.faults.size() > kShownFaults) report.faults.resize(kShownFaults);
  for (sim::ptx::Fault& fault : report.faults) {
    if (fault.line == 0 || fault.line > kernel.lines().size()) continue;
    const SourceLocation at = kernel.lines()[fault.line - 1];
    fault.message += fmt::format(": {}", instruction_on(kernel.text(), fault.line));
    if (at.line != 0) fault.message += fmt::format(" (line {} of the shader)", at.line);
    if (at.offset != SourceLocation::kNoOffset)
      fault.message += fmt::format(" (offset {:#x} of the shader)", at.offset);
  }
  result.trouble = report.describe();
}

sim::ptx::Report launch_once(const Shader& shader, sim::Scene& scene, const PtxKernel& kernel,
                             const sim::ptx::MachineOptions& options, RouteResult& result) {
  if (shader.legal.stage == ir::Stage::compute)
    return run_ptx(kernel, shader.legal, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  return run_ptx(kernel, shader.legal, scene.bindings(), stream_launch(shader, scene, result), options);
}

bool run_ptx_machine(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                     Diagnostics& diagnostics) {
  PtxKernel kernel;
  if (!make_kernel(shader.legal, scene.bindings(), kernel, diagnostics)) return false;
  const bool compute = shader.legal.stage == ir::Stage::compute;
  sim::ptx::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;  // PTX needs more of them
  options.max_faults = 1u << 16;
  // The others first, so that what stays is the plain one.
  std::vector<RouteResult> others(std::max(limits.schedules, 1u) - 1);
  for (uint32_t n = 1; n < limits.schedules; ++n) {
    RouteResult& other = others[n - 1];
    options.schedule = sim::ptx::nth_schedule(n);
    keep_faults(launch_once(shader, scene, kernel, options, other), kernel, compute, other);
    other.uavs = scene.uav_words();
    scene.reset_uavs();
  }
  options.schedule = {};
  options.progress = limits.progress;
  sim::ptx::Report report = launch_once(shader, scene, kernel, options, result);
  result.lane_instructions = report.lane_instructions;
  keep_faults(std::move(report), kernel, compute, result);
  result.uavs = scene.uav_words();
  for (uint32_t n = 1; n < limits.schedules && result.trouble.empty(); ++n) {
    const RouteResult& other = others[n - 1];
    result.failed = other.failed;
    result.troubled = other.troubled;
    if (!other.trouble.empty()) result.trouble = fmt::format("under schedule {}: {}", n, other.trouble);
    if (other.trouble.empty() && (other.outputs != result.outputs || other.uavs != result.uavs))
      result.trouble = fmt::format("schedule {} gives another result", n);
  }
  return true;
}

bool run_maxwell_machine(Route route, const Shader& shader, sim::Scene& scene, const RunLimits& limits,
                         RouteResult& result, Diagnostics& diagnostics) {
  const bool own = route == Route::maxwell;
  const ir::Module& module = own ? shader.legal_maxwell : shader.legal;
  SassKernel kernel;
  if (!(own ? make_maxwell : make_sass)(module, scene.bindings(), kernel, diagnostics)) return false;
  sim::maxwell::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;
  options.progress = limits.progress;
  options.trust_fetch_bounds = false;  // every fetch is guarded
  sim::maxwell::Report report;
  if (module.stage == ir::Stage::compute) {
    report = run_sass(kernel, module, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else {
    const sim::StreamLaunch launch = stream_launch(shader, scene, result);
    report = run_sass(kernel, module, scene.bindings(), launch, options);
  }
  result.lane_instructions = report.lane_instructions;
  result.issue_cycles = report.issue_cycles;
  for (const sim::maxwell::Fault& fault : report.faults) {
    result.cut_off |= fault.kind == sim::maxwell::FaultKind::limit;
    result.failed |= ends_a_launch(fault.kind);
  }
  if (!report.ok()) result.trouble = report.describe();
  if (report.only_uninitialised()) result.troubled = std::move(report.uninitialised_threads);
  return true;
}

bool run_dksh_program(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                      Diagnostics& diagnostics) {
  const ir::Module& module = shader.legal_dksh;
  DkshShader program;
  if (!make_dksh(module, program, diagnostics)) return false;
  sim::maxwell::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;
  options.progress = limits.progress;
  sim::maxwell::Report report;
  if (module.stage == ir::Stage::compute) {
    report = run_dksh(program, module, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else {
    const sim::StreamLaunch launch = stream_launch(shader, scene, result);
    report = run_dksh(program, module, scene.bindings(), launch, options);
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
    case Route::maxwell: return "maxwell";
    case Route::dksh: return "dksh";
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
    if (route == Route::maxwell &&
        !library::prepare(program, &cubin_target(), {}, shader.legal_maxwell, diagnostics))
      return false;
    if (route == Route::dksh &&
        !library::prepare(program, &dksh_target(), {}, shader.legal_dksh, diagnostics))
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
    case Route::sass:
    case Route::maxwell: good = run_maxwell_machine(route, shader, scene, limits, result, diagnostics); break;
    case Route::dksh: good = run_dksh_program(shader, scene, limits, result, diagnostics); break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (good) result.uavs = scene.uav_words();
  return good;
}

}  // namespace texlate::executor
