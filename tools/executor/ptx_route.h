// The second route: emitted PTX on the PTX machine, launched as the launch ABI says.
#pragma once

#include <memory>
#include <string>

#include "backend/ptx/emit.h"
#include "sim/ir/interpreter.h"
#include "sim/ptx/machine.h"

namespace texlate::executor {

/// Threads of a block that runs pixels or vertices; whole quads.
constexpr uint32_t kStreamBlock = 32;

struct PtxKernel {
  explicit PtxKernel(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : text(memory), lines(memory), layout(memory) {}
  std::pmr::string text;
  std::pmr::vector<SourceLocation> lines;  // of the text: where in the shader they come from
  ptx::Layout layout;
  std::unique_ptr<sim::ptx::Module> program;
};

/// Lays out, emits and parses. `module` must have been legalised for PTX. Typed UAVs are packed for the
/// formats of their views in `bindings`.
bool make_kernel(const ir::Module& module, const sim::Bindings& bindings, PtxKernel& kernel,
                 Diagnostics& diagnostics);

/// Runs a pixel or vertex kernel. `inputs`, `outputs`, `covered`, `written` as in sim::StreamLaunch;
/// `undefined` stays.
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::StreamLaunch& launch, const sim::ptx::MachineOptions& options = {});
sim::ptx::Report run_ptx(const PtxKernel& kernel, const ir::Module& module, const sim::Bindings& bindings,
                         const sim::GroupLaunch& launch, const sim::ptx::MachineOptions& options = {});

}  // namespace texlate::executor
