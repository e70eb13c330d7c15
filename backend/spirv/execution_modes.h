// What an entry point declares of its stage.
#pragma once

#include "backend/spirv/writer.h"

namespace texlate::spirv {

spv::ExecutionModel execution_model(ir::Stage stage);

class ExecutionModes : private Writer {
 public:
  ExecutionModes(Core& core, Id entry) : Writer(core), entry_(entry) {}

  /// Thread groups, depth and stencil outputs.
  void set_outputs_and_groups();
  /// Primitives, vertices. False, with an error: Vulkan has no such primitive.
  bool set_geometry();
  /// Hull and domain shaders. False, with an error: a phase is missing.
  bool set_tessellation();
  /// Once it is known whether the module computes with doubles.
  void set_float_controls();

 private:
  const Id entry_;
};

}  // namespace texlate::spirv
