// Runs hull, domain and geometry shaders on the interpreter.
#pragma once

#include "tools/executor/shader.h"

namespace texlate::executor {

constexpr bool reads_primitives(ir::Stage stage) {
  return stage == ir::Stage::hull || stage == ir::Stage::domain || stage == ir::Stage::geometry;
}

sim::RunReport run_primitives(const Shader& shader, const sim::Scene& scene, sim::Interpreter& interpreter,
                              const sim::InterpreterOptions& options, RouteResult& result);

}  // namespace texlate::executor
