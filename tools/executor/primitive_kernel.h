// Launches of kernels made of hull, domain and geometry shaders (docs/launch_abi.md).
#pragma once

#include "tools/executor/shader.h"

namespace texlate::executor {

/// The memory of one launch over a whole scene. Vertices that a geometry shader emits are strided by thread.
class PrimitiveKernelRun {
 public:
  /// Makes room for the results in `result`, which must live as long.
  PrimitiveKernelRun(const Shader& shader, const sim::Scene& scene, RouteResult& result);
  PrimitiveKernelRun(const PrimitiveKernelRun&) = delete;
  PrimitiveKernelRun& operator=(const PrimitiveKernelRun&) = delete;

  const PrimitiveLaunch& launch() const { return launch_; }
  /// After the launch: the vertices in the order of primitives, instances and emissions.
  void finish();

 private:
  void prepare_hull();
  void prepare_domain();
  void prepare_geometry();

  const ir::Module& module_;
  const sim::Scene& scene_;
  RouteResult& result_;
  PrimitiveLaunch launch_;
  std::vector<uint32_t> points_, ids_, counts_, words_, tags_;
};

}  // namespace texlate::executor
