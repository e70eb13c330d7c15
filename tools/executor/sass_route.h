// The two routes of the Maxwell machine. `sass` runs the PTX that users get, compiled by NVIDIA's ptxas for
// sm_52. It validates the machine with code from another compiler, and the PTX with an independent compiler.
// `maxwell` runs the cubin that `translate --to cubin` writes.
#pragma once

#include <string>

#include "sim/ir/interpreter.h"
#include "sim/maxwell/cubin.h"
#include "sim/maxwell/machine.h"
#include "tools/executor/ptx_route.h"

namespace texlate::executor {

/// ptxas of CUDA 12, the last version that supports sm_52: $TEXLATE_PTXAS, or the one that `make judges`
/// installed. Empty if there is none.
std::string find_ptxas();

struct SassKernel : EmittedKernel {
  sim::maxwell::Cubin cubin;
};

const backend::Target& cubin_target();

/// Emits a cubin and loads it. `module` must have been prepared for cubin_target().
bool make_maxwell(const ir::Module& module, const sim::Bindings& bindings, SassKernel& kernel,
                  Diagnostics& diagnostics);
/// Emits PTX and compiles it. `module` must have been prepared for PTX.
bool make_sass(const ir::Module& module, const sim::Bindings& bindings, SassKernel& kernel,
               Diagnostics& diagnostics);
/// Puts the code of another cubin into a kernel that make_maxwell() made: one that was translated from the
/// same shader, so that its parameters are the same.
bool replace_code(std::string_view cubin, SassKernel& kernel, Diagnostics& diagnostics);
/// Compiles PTX text.
bool compile_ptx(std::string_view text, sim::maxwell::Cubin& cubin, Diagnostics& diagnostics);

sim::maxwell::Report run_sass(const SassKernel& kernel, const ir::Module& module,
                              const sim::Bindings& bindings, const sim::StreamLaunch& launch,
                              const sim::maxwell::MachineOptions& options = {});
sim::maxwell::Report run_sass(const SassKernel& kernel, const ir::Module& module,
                              const sim::Bindings& bindings, const sim::GroupLaunch& launch,
                              const sim::maxwell::MachineOptions& options = {});
sim::maxwell::Report run_sass(const SassKernel& kernel, const ir::Module& module,
                              const sim::Bindings& bindings, const PrimitiveLaunch& launch,
                              const sim::maxwell::MachineOptions& options = {});

}  // namespace texlate::executor
