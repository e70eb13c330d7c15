// The second route: emitted PTX on the PTX machine, launched as the launch ABI says.
#pragma once

#include <memory>
#include <string>

#include "backend/ptx/target.h"
#include "library/pipeline.h"
#include "sim/ir/interpreter.h"
#include "sim/ptx/machine.h"

namespace texlate::executor {

/// Threads of a block that runs pixels or vertices; whole quads.
constexpr uint32_t kStreamBlock = 32;

const backend::Target& ptx_target();

struct PtxKernel {
  library::Emitted emitted;  // what `translate --to ptx` writes with these formats
  std::vector<backend::ViewFormat> view_formats;
  std::unique_ptr<sim::ptx::Module> program;

  const std::pmr::string& text() const { return emitted.data; }
  const ptx::Layout& layout() const { return ptx::launch_of(emitted.host).layout; }
  /// For each line of the text where in the shader it comes from.
  const std::pmr::vector<SourceLocation>& lines() const { return ptx::launch_of(emitted.host).lines; }
};

/// Emits and parses. `module` must have been prepared for PTX. Typed UAVs are packed for the formats of their
/// views in `bindings`.
bool make_kernel(const ir::Module& module, const sim::Bindings& bindings, PtxKernel& kernel,
                 Diagnostics& diagnostics);

/// Runs a pixel or vertex kernel. `inputs`, `outputs`, `covered`, `written` as in sim::StreamLaunch;
/// `undefined` stays.
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::StreamLaunch& launch, const sim::ptx::MachineOptions& options = {});
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::GroupLaunch& launch, const sim::ptx::MachineOptions& options = {});

}  // namespace texlate::executor
