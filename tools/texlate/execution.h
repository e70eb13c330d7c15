// What run and diff share: a shader and its scene from files, messages, the progress bar.
#pragma once

#include "tools/executor/shader.h"
#include "tools/texlate/run.h"

namespace texlate::cli {

struct Execution {
  executor::Shader shader;
  std::unique_ptr<sim::Scene> scene;
  Diagnostics diagnostics;
  std::string source;
};

/// Reads both files and prints what is wrong with them.
bool prepare(const RunArguments& arguments, bool legalise, Execution& execution);
/// Runs one route with a progress bar on a terminal. Prints errors.
bool execute(const RunArguments& arguments, executor::Route route, Execution& execution,
             executor::RouteResult& result);
void print_diagnostics(const RunArguments& arguments, const Execution& execution);

}  // namespace texlate::cli
