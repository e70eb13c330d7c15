// What a host must know to launch a kernel: the parameter block and what the code needs. It is the same for
// kernels of all targets that share the launch ABI.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "backend/launch/launch_abi.h"
#include "backend/target.h"

namespace texlate::launch {

/// What machine code needs from the device. For PTX the driver finds that out.
struct CodeFacts {
  uint32_t registers = 0;  // per thread
  uint32_t local_bytes = 0;
  uint32_t shared_bytes = 0;  // per block
  uint32_t instructions = 0;
  /// Words of constant bank 3; a file of raw words has no place for them.
  std::vector<uint32_t> constants;
};

/// The registers of a thread block of `threads`, 1 to 1024, divided among them: up to 255 for each. Warps are
/// allocated in fours, one for each scheduler, and each thread's registers in eights (CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability", registers per block; CUDA Occupancy Calculator,
/// allocation granularity). `sm` from 50 on.
constexpr uint32_t most_registers(uint32_t sm, uint32_t threads) {
  const uint32_t of_block = sm == 53 || sm == 62 ? 32 * 1024 : 64 * 1024;
  const uint32_t allotted = (threads + 127) / 128 * 128;
  return std::min(of_block / allotted / 8 * 8, 255u);
}

/// Is the caller's limit for the registers of a thread possible? 0: there is none.
inline bool is_possible_limit(uint32_t registers, std::string_view target, Diagnostics& diagnostics) {
  if (registers == 0 || (registers >= 16 && registers <= 255)) return true;
  diagnostics.error({}, "{} registers per thread: {} allows 16 to 255", registers, target);
  return false;
}

/// The lines of a text from this one on, counted from 1, come from one place of the shader.
struct LineMark {
  uint32_t line;
  SourceLocation location;
};
/// Where a line comes from: the location of the last mark up to it; none for lines before the first mark.
inline SourceLocation location_of_line(std::span<const LineMark> marks, uint32_t line) {
  const auto next = std::ranges::upper_bound(marks, line, {}, &LineMark::line);
  return next == marks.begin() ? SourceLocation{} : std::prev(next)->location;
}

struct Launch {
  explicit Launch(std::pmr::memory_resource* memory)
      : layout(memory), surface_formats(memory), lines(memory), entry(memory), target(memory) {}
  Layout layout;
  std::pmr::vector<SurfaceFormat> surface_formats;  // by index in Module::resources
  std::pmr::vector<LineMark> lines;                 // of a text, in ascending order
  uint32_t sm = 0;
  uint32_t max_threads = 0;  // per block, for pixels and vertices; 0: as many as the code's registers allow
  bool is_function = false;  // a function to be linked, not a kernel
  std::pmr::string entry;
  std::pmr::string target;
  std::optional<CodeFacts> code;
};
inline const Launch& launch_of(const backend::Host& host) {
  return *static_cast<const Launch*>(host.get());
}

/// Fills in the layout (`comparing_objects` as there) and the formats of typed views. Returns false, with
/// errors, for formats that the shader's accesses do not allow.
bool prepare_launch(const ir::Module& module, const backend::Options& options, std::string_view target,
                    bool comparing_objects, Launch& launch, Diagnostics& diagnostics);

/// What an emitter receives: a legalized module, in which typed loads and stores are those of stored words,
/// in the formats that `launch` has by then (ir/passes/pack_texels.h), hull, domain and geometry shaders are
/// kernels (lower_primitives.h), linear memory has addresses (lower_addresses.h), and so have inputs and
/// outputs (lower_streams.h).
struct KernelForm {
  explicit KernelForm(std::pmr::memory_resource* memory) : module(memory), layout(memory) {}
  ir::Module module;
  Layout layout;
};
/// The name of this lowering for observers of passes.
inline constexpr std::string_view kLowerLaunch = "lower_launch";
/// `spent`: the same module, if its code may be taken in place of a copy; or null. `assembler_shares`:
/// computes nothing twice itself, so that only what is inserted is shared here. Returns false, with located
/// errors, for a program beyond docs/limits.md.
bool make_kernel_form(const ir::Module& module, ir::Module* spent, const Launch& launch, KernelForm& form,
                      Diagnostics& diagnostics, bool assembler_shares, const PassText* observer = nullptr);

/// Shows what a lowering of that name has left, if there is an observer.
void show_lowered(const ir::Module& module, std::string_view name, const PassText* observer);

/// Appends the JSON that docs/launch_abi.md describes. `host` holds a Launch.
void reflect(const ir::Module& module, const backend::Host& host, std::pmr::string& json);

}  // namespace texlate::launch
