// Legalized IR -> a program of deko3d: code with the graphics interface, its header, the container, and what
// a host must know (docs/dksh.md).
#pragma once

#include "backend/maxwell/graphics/layout.h"
#include "backend/maxwell/isa/dksh.h"
#include "backend/maxwell/kernel.h"
#include "backend/target.h"

namespace texlate::maxwell::graphics {

/// What a domain program needs of the hull shader before it: the tessellator's settings, with Direct3D's
/// numbers, and the declared patch constants.
struct HullFacts {
  uint32_t domain = 0, partitioning = 0, output_primitive = 0;
  std::span<const ir::Parameter> patch_constants;
};
inline HullFacts facts_of(const ir::Module& hull) {
  return {hull.tessellator_domain, hull.tessellator_partitioning, hull.tessellator_output,
          hull.patch_constants};
}

/// What a host needs in addition to the file.
struct Program {
  explicit Program(std::pmr::memory_resource* memory) : layout(memory), dksh(memory) {}
  Layout layout;
  DkshProgram dksh;
  uint32_t instructions = 0;  // without those after the end, which are never run
  uint32_t spilled_values = 0;
};
inline const Program& program_of(const backend::Host& host) {
  return *static_cast<const Program*>(host.get());
}

/// GM20B, the chip of the only machine that has deko3d.
inline constexpr uint32_t kSm = 53;
/// With this many an SM holds all its warps: constants are operands here, so nothing waits for them.
inline constexpr uint32_t kRegisterGoal = 28;
/// Room for nine fetches of four components in flight, and their coordinates.
inline constexpr uint32_t kFetchRegisterGoal = 48;

/// Translates a module in SSA form, legalized with graphics_guarantees(). `hull`: for domain shaders. False,
/// with errors, on failure.
bool make_program(const ir::Module& module, const KernelOptions& options, const HullFacts* hull,
                  Program& program, Diagnostics& diagnostics);

/// Appends the JSON that docs/dksh.md describes. `host` holds a Program.
void reflect(const ir::Module& module, const backend::Host& host, std::pmr::string& json);

}  // namespace texlate::maxwell::graphics
