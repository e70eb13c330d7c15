// Route `dksh`: reads the file that `translate --to dksh` writes, and runs it on the Maxwell machine as the
// hardware of a graphics pipeline would. Attributes are interpolated and results are taken as the header
// specifies; resources are in deko3d's slots (docs/dksh.md).
#pragma once

#include <string>

#include "backend/maxwell/graphics/program.h"
#include "library/pipeline.h"
#include "sim/ir/interpreter.h"
#include "sim/maxwell/dksh.h"

namespace texlate::executor {

const backend::Target& dksh_target();

struct DkshShader {
  library::Emitted emitted;
  sim::maxwell::Dksh dksh;
  const maxwell::graphics::Layout& layout() const {
    return maxwell::graphics::program_of(emitted.host).layout;
  }
};

/// Emits the file and reads it back. `module` must have been prepared for dksh_target(). `hull`: for domain
/// shaders.
bool make_dksh(const ir::Module& module, DkshShader& shader, Diagnostics& diagnostics,
               const maxwell::graphics::HullFacts* hull = nullptr);

/// Puts another program into one that make_dksh() made: one that was translated from the same shader, so that
/// its slots are the same.
bool replace_code(std::string_view dksh, DkshShader& shader, Diagnostics& diagnostics);

/// Runs pixels or vertices, as in sim::StreamLaunch; `undefined` is not written. Sets the constant banks of
/// the shader's program.
sim::maxwell::Report run_dksh(DkshShader& shader, const ir::Module& module, const sim::Bindings& bindings,
                              const sim::StreamLaunch& launch,
                              const sim::maxwell::MachineOptions& options = {});
sim::maxwell::Report run_dksh(DkshShader& shader, const ir::Module& module, const sim::Bindings& bindings,
                              const sim::GroupLaunch& launch,
                              const sim::maxwell::MachineOptions& options = {});

}  // namespace texlate::executor
