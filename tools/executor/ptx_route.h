// The second route: emitted PTX on the PTX machine, launched according to the launch ABI.
#pragma once

#include <memory>
#include <string>

#include "backend/launch/launch.h"
#include "library/pipeline.h"
#include "sim/ir/interpreter.h"
#include "sim/ptx/machine.h"
#include "tools/executor/parameter_block.h"

namespace texlate::executor {

const backend::Target& ptx_target();

/// A kernel with the launch ABI, as `translate` writes it for these formats.
struct EmittedKernel {
  library::Emitted emitted;
  std::vector<backend::ViewFormat> view_formats;

  const std::pmr::string& text() const { return emitted.data; }
  const launch::Layout& layout() const { return launch::launch_of(emitted.host).layout; }
  /// The source locations of the text's lines in the shader.
  const std::pmr::vector<launch::LineMark>& lines() const { return launch::launch_of(emitted.host).lines; }
};
struct PtxKernel : EmittedKernel {
  std::unique_ptr<sim::ptx::Module> program;
};

/// Emits for `target` with sm_<sm>; 0: the target's default. `module` must have been prepared for the target.
/// Typed UAVs are packed for the formats of their views in `bindings`.
bool emit_kernel(const backend::Target& target, const ir::Module& module, const sim::Bindings& bindings,
                 uint32_t sm, EmittedKernel& kernel, Diagnostics& diagnostics);
/// Emits PTX and parses it.
bool make_kernel(const ir::Module& module, const sim::Bindings& bindings, PtxKernel& kernel,
                 Diagnostics& diagnostics);

/// Runs a pixel or vertex kernel. `inputs`, `outputs`, `covered`, `written` are as in sim::StreamLaunch;
/// `undefined` is not written.
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::StreamLaunch& launch, const sim::ptx::MachineOptions& options = {});
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::GroupLaunch& launch, const sim::ptx::MachineOptions& options = {});
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const PrimitiveLaunch& launch, const sim::ptx::MachineOptions& options = {});

}  // namespace texlate::executor
