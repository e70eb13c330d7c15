#include "tools/executor/shader.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "library/pipeline.h"
#include "sim/maxwell/instruction.h"
#include "tools/executor/cuda_route.h"
#include "tools/executor/dksh_primitives.h"
#include "tools/executor/dksh_route.h"
#include "tools/executor/primitive_kernel.h"
#include "tools/executor/primitive_run.h"
#include "tools/executor/ptx_run.h"
#include "tools/executor/sass_route.h"
#include "tools/executor/vulkan_primitives.h"

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
  launch.covered = scene.covered();
  return launch;
}

bool run_interpreter(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                     Diagnostics& diagnostics) {
  const ir::Stage stage = shader.contract.stage;
  const auto interpreter = sim::Interpreter::create(shader.contract, diagnostics);
  if (!interpreter) return false;
  sim::InterpreterOptions options;
  options.max_lane_instructions = limits.max_lane_instructions;
  options.progress = limits.progress;
  options.derivatives = limits.derivatives;
  options.texture_unit = limits.texture_unit;
  sim::RunReport report;
  if (stage == ir::Stage::compute) {
    report = interpreter->run(scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else if (reads_primitives(stage)) {
    report = run_primitives(shader, scene, *interpreter, options, result);
  } else {
    sim::StreamLaunch launch = stream_launch(shader, scene, result);
    launch.undefined = result.undefined;
    result.assigned.assign(result.outputs.size(), 0);
    launch.assigned = result.assigned;
    report = interpreter->run(scene.bindings(), launch, options);
  }
  result.lane_instructions = report.lane_instructions;
  result.any_undefined = report.undefined;
  result.cut_off = report.cut_off;
  if (report.cut_off) result.trouble = "cut off: the budget of lane instructions (--budget) is used up";
  return true;
}

bool ends_a_launch(sim::maxwell::FaultKind kind) {
  using enum sim::maxwell::FaultKind;
  switch (kind) {
    case early_read:
    case unwaited_read:
    case unwaited_write:
    case overwritten_source:
    case pair:
    case early_wait:
    case barrier_order:
    case unfenced:
    case uninitialized:
    case range_reduction:
    case texture:
    case undefined:
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

sim::ptx::Report launch_once(const Shader& shader, sim::Scene& scene, const PtxKernel& kernel,
                             const sim::ptx::MachineOptions& options, RouteResult& result) {
  if (shader.legal.stage == ir::Stage::compute)
    return run_ptx(kernel, shader.legal, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  if (reads_primitives(shader.legal.stage)) {
    PrimitiveKernelRun run(shader, scene, result);
    sim::ptx::Report report = run_ptx(kernel, shader.legal, scene.bindings(), run.launch(), options);
    run.finish();
    return report;
  }
  return run_ptx(kernel, shader.legal, scene.bindings(), stream_launch(shader, scene, result), options);
}

bool run_ptx_machine(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                     Diagnostics& diagnostics) {
  PtxKernel kernel;
  if (!make_kernel(shader.legal, scene.bindings(), kernel, diagnostics)) return false;
  const PtxText text{kernel.text(), kernel.lines(), launch::has_free_blocks(shader.legal.stage)};
  run_under_schedules(
      text, scene, limits,
      [&](const sim::ptx::MachineOptions& options, RouteResult& into) {
        return launch_once(shader, scene, kernel, options, into);
      },
      result);
  return true;
}

/// Without the padding at the end, and without the branch to itself that ptxas puts there.
uint32_t count_instructions(const sim::maxwell::Program& program) {
  uint32_t count = 0;
  for (const sim::maxwell::Instruction& instruction : sim::maxwell::decode_program(program.words)) {
    const bool to_itself =
        instruction.opcode == sim::maxwell::Opcode::bra && instruction.signed_field(20, 24) == -8;
    count += instruction.opcode == sim::maxwell::Opcode::nop || to_itself ? 0 : 1;
  }
  return count;
}

/// What the machine reports, whatever the program was.
void take_report(sim::maxwell::Report& report, RouteResult& result) {
  result.lane_instructions = report.lane_instructions;
  result.issue_cycles = report.issue_cycles;
  for (const sim::maxwell::Fault& fault : report.faults) {
    result.cut_off |= fault.kind == sim::maxwell::FaultKind::limit;
    result.failed |= ends_a_launch(fault.kind);
  }
  if (!report.ok()) result.trouble = report.describe();
  if (report.only_undefined()) result.troubled = std::move(report.undefined_threads);
}

bool run_maxwell_machine(Route route, const Shader& shader, sim::Scene& scene, const RunLimits& limits,
                         RouteResult& result, Diagnostics& diagnostics) {
  const bool own = route == Route::maxwell;
  const ir::Module& module = own ? shader.legal_maxwell : shader.legal;
  SassKernel kernel;
  if (!(own ? make_maxwell : make_sass)(module, scene.bindings(), kernel, diagnostics)) return false;
  if (route == shader.binary_route && !shader.binary.empty() &&
      !replace_code(shader.binary, kernel, diagnostics))
    return false;
  sim::maxwell::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;
  options.progress = limits.progress;
  options.trust_fetch_bounds = false;  // every fetch is guarded
  sim::maxwell::Report report;
  if (module.stage == ir::Stage::compute) {
    report = run_sass(kernel, module, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else if (reads_primitives(module.stage)) {
    PrimitiveKernelRun run(shader, scene, result);
    report = run_sass(kernel, module, scene.bindings(), run.launch(), options);
    run.finish();
  } else {
    const sim::StreamLaunch launch = stream_launch(shader, scene, result);
    report = run_sass(kernel, module, scene.bindings(), launch, options);
  }
  take_report(report, result);
  result.code_instructions = count_instructions(kernel.cubin.program);
  result.registers = kernel.cubin.program.registers;
  return true;
}

bool run_dksh_program(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                      Diagnostics& diagnostics) {
  const ir::Module& module = shader.legal_dksh;
  DkshShader program;
  const maxwell::graphics::HullFacts hull =
      shader.hull != nullptr ? maxwell::graphics::facts_of(shader.hull->legal_dksh) : hull_of(module, scene);
  if (!has_exact_points(module, scene, diagnostics) || !make_dksh(module, program, diagnostics, &hull))
    return false;
  if (shader.binary_route == Route::dksh && !shader.binary.empty() &&
      !replace_code(shader.binary, program, diagnostics))
    return false;
  sim::maxwell::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;
  options.progress = limits.progress;
  sim::maxwell::Report report;
  if (module.stage == ir::Stage::compute) {
    report = run_dksh(program, module, scene.bindings(), sim::GroupLaunch{scene.groups()}, options);
  } else if (reads_primitives(module.stage)) {
    report = run_dksh_primitives(program, module, scene, options, result);
  } else {
    const sim::StreamLaunch launch = stream_launch(shader, scene, result);
    report = run_dksh(program, module, scene.bindings(), launch, options);
  }
  take_report(report, result);
  return true;
}

bool run_vulkan_device(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
                       Diagnostics& diagnostics) {
  const ir::Module& module = shader.legal_spirv;
  VulkanShader words;
  words.options.emit.device = shader.device;
  if (limits.device == nullptr) return false;
  if (!make_vulkan_shader(module, shader.robustness, *limits.device, scene.bindings(), scene.samples(), words,
                          diagnostics)) {
    return false;
  }
  if (module.stage == ir::Stage::compute) {
    return limits.device->dispatch(words.shader, scene.groups(), diagnostics);
  }
  if (reads_primitives(module.stage))
    return run_vulkan_primitives(*limits.device, module, words, scene, result, diagnostics);
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

bool run_gpu(const Shader& shader, sim::Scene& scene, const RunLimits& limits, RouteResult& result,
             Diagnostics& diagnostics) {
  if (limits.gpu == nullptr) return false;
  const ir::Module& module = shader.legal;
  EmittedKernel kernel;
  if (!make_cuda(module, scene.bindings(), *limits.gpu, kernel, diagnostics)) return false;
  CudaOutcome outcome;
  if (module.stage == ir::Stage::compute) {
    outcome = run_cuda(kernel, module, scene.bindings(), sim::GroupLaunch{scene.groups()}, *limits.gpu);
  } else if (reads_primitives(module.stage)) {
    PrimitiveKernelRun run(shader, scene, result);
    outcome = run_cuda(kernel, module, scene.bindings(), run.launch(), *limits.gpu);
    run.finish();
  } else {
    outcome = run_cuda(kernel, module, scene.bindings(), stream_launch(shader, scene, result), *limits.gpu);
  }
  result.trouble = outcome.failed;
  result.failed = !outcome.failed.empty();
  if (outcome.refused.empty()) return true;
  diagnostics.error({}, "cuda: {}", outcome.refused);
  return false;
}

/// Neither texture objects nor Vulkan 1.1 nor deko3d have ID3D11DeviceContext::SetResourceMinLOD.
bool has_views_of(Route route, const ir::Module& module, const sim::Bindings& bindings,
                  Diagnostics& diagnostics) {
  if (route == Route::ir) return true;
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    const auto is_clamped = [](const sim::BoundResource& bound) { return bound.texture.min_lod_clamp > 0; };
    if (std::ranges::none_of(bindings.resources(i), is_clamped)) continue;
    diagnostics.error({}, "{} has no 'min_lod' of a texture, which t{} has: only route ir does",
                      route_name(route), module.resources[i].id);
    return false;
  }
  return true;
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
    case Route::cuda: return "cuda";
  }
  return {};
}

std::optional<Route> route_of_binary(std::string_view bytes) {
  if (bytes.starts_with("\x7f"
                        "ELF"))
    return Route::maxwell;
  if (bytes.starts_with("DKSH")) return Route::dksh;
  return std::nullopt;
}

bool load_shader(std::string_view bytes, Shader& shader, std::span<const Route> routes,
                 Diagnostics& diagnostics) {
  sm4::Program program(&shader.arena);
  program.lenient = shader.lenient;
  dxbc::Container container(&shader.arena);
  if (!library::read_program(bytes, dxbc::DigestCheck::warn, program, container, diagnostics)) return false;
  const auto is_interface = [](const sm4::Instruction& one) {
    return one.opcode == sm4::Opcode::dcl_interface;
  };
  if (!shader.classes.empty() && std::ranges::none_of(program.instructions, is_interface)) {
    diagnostics.error({}, "there is a class instance for slot fp{}, but the shader declares no interface",
                      shader.classes[0].slot);
    return false;
  }
  library::TranslateOptions options;
  options.classes = shader.classes;
  options.backend.known = shader.known;
  if (!library::prepare(program, nullptr, options, shader.contract, diagnostics)) return false;
  for (Route route : routes) {
    options.backend.own = nullptr;
    if (runs_ptx(route) && shader.legal.code.empty() &&
        !library::prepare(program, &ptx_target(), options, shader.legal, diagnostics))
      return false;
    if (route == Route::maxwell &&
        !library::prepare(program, &cubin_target(), options, shader.legal_maxwell, diagnostics))
      return false;
    if (route == Route::dksh &&
        !library::prepare(program, &dksh_target(), options, shader.legal_dksh, diagnostics))
      return false;
    if (route != Route::vulkan) continue;
    spirv::TargetOptions own;
    own.emit.robustness = shader.robustness;
    own.emit.device = shader.device;
    options.backend.own = &own;
    if (!library::prepare(program, &spirv_target(), options, shader.legal_spirv, diagnostics)) return false;
  }
  return true;
}

bool run_route(Route route, const Shader& shader, sim::Scene& scene, const RunLimits& limits,
               RouteResult& result, Diagnostics& diagnostics) {
  if (!has_views_of(route, shader.contract, scene.bindings(), diagnostics)) return false;
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
    case Route::cuda: good = run_gpu(shader, scene, limits, result, diagnostics); break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (good) result.uavs = scene.uav_words();
  return good;
}

}  // namespace texlate::executor
