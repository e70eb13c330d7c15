// Whole draws (--pipeline): reading the file, running it by routes, comparing pictures.
#pragma once

#include "tools/executor/pipeline_file.h"
#include "tools/texlate/execution.h"

namespace texlate::cli {

struct PipelineExecution {
  std::vector<executor::Route> routes;
  executor::Pipeline pipeline;
  std::string text;
  std::vector<std::string> files;  // that were read
  std::unique_ptr<sim::vulkan::Device> device;
  std::unique_ptr<executor::cuda::Gpu> gpu;
  Diagnostics diagnostics;
};

/// --pipeline
Option pipeline_option(std::string& file);

/// Reads arguments.pipeline for the routes in arguments.via. Returns false with messages in `execution`.
bool prepare_pipeline(const RunArguments& arguments, PipelineExecution& execution);
/// The results of all routes. Returns false with messages in `execution`.
bool execute_pipelines(const RunArguments& arguments, PipelineExecution& execution,
                       std::vector<executor::PipelineResult>& results);
std::string messages_of(const RunArguments& arguments, const PipelineExecution& execution);
/// "36 vertices, 12 primitives, 800 pixels, 5 lane instructions in 0.1 s", or the name of the device.
std::string effort_of(const PipelineExecution& execution, executor::Route route,
                      const executor::PipelineResult& result);

}  // namespace texlate::cli
