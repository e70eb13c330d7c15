// What run and diff share: a shader and its scene from files, messages, the progress bar.
#pragma once

#include "tools/executor/shader.h"
#include "tools/texlate/run.h"

namespace texlate::cli {

struct Execution {
  std::vector<executor::Route> routes;
  executor::Shader shader;
  std::unique_ptr<sim::Scene> scene;
  Diagnostics diagnostics;
  std::string source;
  std::unique_ptr<sim::vulkan::Device> device;
};

/// --via, --device, --robustness
void add_route_options(CLI::App& command, RunArguments& arguments);
/// Reads both files and opens the device if a route needs it. Prints what is wrong with them.
bool prepare(const RunArguments& arguments, Execution& execution);
/// Runs one route with a progress bar on a terminal. Prints errors.
bool execute(const RunArguments& arguments, executor::Route route, Execution& execution,
             executor::RouteResult& result);
/// "5 lane instructions in 0.1 s", or on which device.
std::string effort_of(const Execution& execution, const executor::RouteResult& result);
void print_diagnostics(const RunArguments& arguments, const Execution& execution);

}  // namespace texlate::cli
