// The second route: emitted PTX on the PTX machine, launched as the launch ABI says.
#pragma once

#include <memory>
#include <string>

#include "backend/ptx/emit.h"
#include "sim/ir/interpreter.h"
#include "sim/ptx/machine.h"
#include "tools/executor/parameter_block.h"

namespace texlate::executor {

struct PtxKernel {
  explicit PtxKernel(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : text(memory), layout(memory) {}
  std::pmr::string text;
  ptx::Layout layout;
  std::unique_ptr<sim::ptx::Module> program;
};

/// Lays out and emits for .target sm_<sm>. Typed UAVs are packed for the formats of their views in
/// `bindings`. `module` must have been legalised for PTX.
bool emit_kernel(const ir::Module& module, const sim::Bindings& bindings, uint32_t sm, ptx::Layout& layout,
                 std::pmr::string& text, Diagnostics& diagnostics);

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
