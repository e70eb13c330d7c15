#include "tools/texlate/pipeline_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

/// Pixels of a draw are no picture of their own: routes whose device rasterizes cannot shade them.
bool shades_pixels(executor::Route route) {
  switch (route) {
    case executor::Route::ir:
    case executor::Route::ptx:
    case executor::Route::sass:
    case executor::Route::maxwell:
    case executor::Route::dksh:
    case executor::Route::cuda: return true;
    case executor::Route::vulkan: return false;
  }
  return false;
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
  for (const executor::Route route : execution.routes) {
    if (shades_pixels(route)) continue;
    execution.diagnostics.error({}, "route {} does not run pipelines; ir, ptx, sass, maxwell and dksh do",
                                executor::route_name(route));
    return false;
  }
  std::string why;
  auto text = read_file(arguments.pipeline, why);
  if (!text) {
    execution.diagnostics.error({}, "cannot be read: {}", why);
    return false;
  }
  execution.text = std::move(*text);
  const auto parent = std::filesystem::path(arguments.pipeline).parent_path();
  return executor::read_pipeline(execution.text, parent.empty() ? "." : parent.string(), execution.routes,
                                 execution.pipeline, execution.files, execution.diagnostics);
}

bool execute_pipelines(const RunArguments& arguments, PipelineExecution& execution,
                       std::vector<executor::PipelineResult>& results) {
  executor::RunLimits limits;
  limits.max_lane_instructions = arguments.budget;
  limits.schedules = arguments.schedules;
  if (arguments.derivatives == "shared") limits.derivatives = sim::QuadDerivatives::shared;
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

std::string effort_of(const executor::PipelineResult& result) {
  return fmt::format("{} vertices, {} primitives, {} pixels, {} lane instructions in {:.3f} s",
                     result.vertices, result.primitives, result.pixels, result.lane_instructions,
                     result.seconds);
}

}  // namespace texlate::cli
