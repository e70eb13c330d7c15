// What an entry point declares about its stage.
#pragma once

#include "backend/spirv/writer.h"

namespace texlate::spirv {

spv::ExecutionModel execution_model(ir::Stage stage);

class ExecutionModes : private Writer {
 public:
  ExecutionModes(Core& core, Id entry) : Writer(core), entry_(entry) {}

  /// Returns false, with an error, if Vulkan has no such primitive, or a hull shader lacks a phase.
  bool set_stage();
  /// Run it once it is known whether the module computes with doubles.
  void set_float_controls();

 private:
  bool set_geometry();
  bool set_tessellation();
  bool has_floats(uint32_t width) const;
  void set_output(ir::SystemValue value);

  const Id entry_;
};

}  // namespace texlate::spirv
