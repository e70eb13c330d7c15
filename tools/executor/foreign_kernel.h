// Runs PTX kernels that texlate did not write on the PTX machine: binds the slots of a scene to their names
// (docs/ptx.md, "Other people's PTX").
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/executor/foreign_uses.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

/// The value of one parameter or opaque variable.
struct ForeignBinding {
  std::string name;
  ForeignUse use = ForeignUse::none;  // none: a number
  bool is_uav = false;                // u#, else t#
  uint32_t slot = 0;                  // of t#, u# or s#
  uint32_t opaque = sim::ptx::kNone;  // the variable; kNone: a parameter
  uint32_t offset = 0;                // in the parameter block
  std::vector<std::byte> value;       // for a number
};

struct ForeignKernel {
  std::string_view text;
  std::unique_ptr<sim::ptx::Module> program;
  const sim::ptx::Function* entry = nullptr;
  std::vector<ForeignBinding> bindings;
  std::array<uint32_t, 3> block{64, 1, 1};
  uint32_t shared_bytes = 0;  // dynamic shared memory
};

/// True if the text begins like PTX, with `.version`.
bool is_ptx(std::string_view text);

/// Parses PTX and finds the value of each name, using the scene's "kernel" object. `declarations` gets the
/// slots as a compute shader would declare them, so that a scene can be made. `text` must outlive the kernel.
/// Returns false if the PTX or the scene had errors.
bool load_foreign(std::string_view text, std::string_view scene_text, ForeignKernel& kernel,
                  ir::Module& declarations, Diagnostics& diagnostics, Diagnostics& scene_diagnostics);

/// Runs the scene's dispatch, starting with its initial contents.
bool run_foreign(const ForeignKernel& kernel, const ir::Module& declarations, sim::Scene& scene,
                 const RunLimits& limits, RouteResult& result, Diagnostics& diagnostics);

}  // namespace texlate::executor
