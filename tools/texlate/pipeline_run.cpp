#include "tools/texlate/pipeline_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/executor/child_process.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

executor::RunLimits limits_of(const RunArguments& arguments) {
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  limits.schedules = arguments.schedules;
  if (arguments.derivatives == "shared") limits.derivatives = sim::QuadDerivatives::shared;
  return limits;
}

/// Draws once in a child process, because drivers may crash.
bool driver_survives(const RunArguments& arguments, PipelineExecution& execution) {
  std::string death;
  const auto run = [&] {
    Diagnostics diagnostics;
    const auto device = open_device(arguments, diagnostics);
    if (device == nullptr) return;
    executor::RunLimits limits = limits_of(arguments);
    limits.device = device.get();
    executor::PipelineResult result;
    executor::run_pipeline(executor::Route::vulkan, execution.pipeline, limits, result, diagnostics);
  };
  if (executor::survives(run, death)) return true;
  execution.diagnostics.error({}, "vulkan: the driver crashed on this draw with {}", death);
  return false;
}

bool open_devices(const RunArguments& arguments, PipelineExecution& execution) {
  const auto runs = [&](executor::Route route) { return std::ranges::count(execution.routes, route) != 0; };
  if (runs(executor::Route::cuda)) {
    std::string why;
    execution.gpu = executor::cuda::Gpu::open(why);
    if (execution.gpu == nullptr) {
      execution.diagnostics.error({}, "cuda: {}; nothing was run", why);
      return false;
    }
  }
  if (!runs(executor::Route::vulkan)) return true;
  if (!driver_survives(arguments, execution)) return false;
  execution.device = open_device(arguments, execution.diagnostics);
  return execution.device != nullptr;
}

}  // namespace

Option pipeline_option(std::string& file) {
  return {
      .names = "--pipeline",
      .to = &file,
      .help = "Instead of SHADER: a whole draw with its shaders, state and vertices (JSON, docs/scene.md)",
      .value = "FILE",
      .completion = Completion::file};
}

bool prepare_pipeline(const RunArguments& arguments, PipelineExecution& execution) {
  for (const std::string& name : arguments.via) {
    for (const executor::Route route : executor::kRoutes) {
      if (executor::route_name(route) == name) execution.routes.push_back(route);
    }
  }
  std::string why;
  auto text = read_file(arguments.pipeline, why);
  if (!text) {
    execution.diagnostics.error({}, "cannot be read: {}", why);
    return false;
  }
  execution.text = std::move(*text);
  const auto parent = std::filesystem::path(arguments.pipeline).parent_path();
  if (arguments.robustness != "driver") execution.pipeline.robustness = spirv::Robustness::shader;
  return executor::read_pipeline(execution.text, parent.empty() ? "." : parent.string(), execution.routes,
                                 execution.pipeline, execution.files, execution.diagnostics) &&
         open_devices(arguments, execution);
}

bool execute_pipelines(const RunArguments& arguments, PipelineExecution& execution,
                       std::vector<executor::PipelineResult>& results) {
  executor::RunLimits limits = limits_of(arguments);
  limits.device = execution.device.get();
  limits.gpu = execution.gpu.get();
  for (const executor::Route route : execution.routes) {
    if (!executor::run_pipeline(route, execution.pipeline, limits, results.emplace_back(),
                                execution.diagnostics))
      return false;
  }
  return true;
}

std::string messages_of(const RunArguments& arguments, const PipelineExecution& execution) {
  std::string text;
  for (const Diagnostic& diagnostic : execution.diagnostics.list())
    text += rendered(diagnostic, arguments.pipeline, execution.text);
  return text;
}

std::string effort_of(const PipelineExecution& execution, executor::Route route,
                      const executor::PipelineResult& result) {
  if (route == executor::Route::vulkan)
    return fmt::format("{} vertices on {} in {:.3f} s", result.vertices, execution.device->name(),
                       result.seconds);
  return fmt::format("{} vertices, {} primitives, {} pixels, {} lane instructions in {:.3f} s",
                     result.vertices, result.primitives, result.pixels, result.lane_instructions,
                     result.seconds);
}

}  // namespace texlate::cli
