// Legalised IR -> a program of deko3d: code with the graphics interface, its header, the container, and what
// a host must know of it (docs/dksh.md).
#pragma once

#include "backend/maxwell/graphics/layout.h"
#include "backend/maxwell/isa/dksh.h"
#include "backend/maxwell/kernel.h"
#include "backend/target.h"

namespace texlate::maxwell::graphics {

/// What a host needs in addition to the file.
struct Program {
  explicit Program(std::pmr::memory_resource* memory) : layout(memory), dksh(memory) {}
  Layout layout;
  DkshProgram dksh;
  uint32_t instructions = 0;  // without the end of the code that nothing runs into
  uint32_t spilled_values = 0;
};
inline const Program& program_of(const backend::Host& host) {
  return *static_cast<const Program*>(host.get());
}

/// GM20B, the chip of the one machine that has deko3d.
inline constexpr uint32_t kSm = 53;
/// Where an SM holds all the warps that it can: constants are operands here, nothing waits for them.
inline constexpr uint32_t kRegisterGoal = 28;
/// Nine fetches of four components under way, and their coordinates.
inline constexpr uint32_t kFetchRegisterGoal = 48;

/// Translates a module in SSA form that was legalised with graphics_guarantees(). False with located errors.
bool make_program(const ir::Module& module, const KernelOptions& options, Program& program,
                  Diagnostics& diagnostics);

/// Appends the JSON that docs/dksh.md describes.
void reflect(const ir::Module& module, const Program& program, std::pmr::string& json);

}  // namespace texlate::maxwell::graphics
