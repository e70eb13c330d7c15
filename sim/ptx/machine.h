// A machine that executes PTX text according to the PTX ISA document and poisons whatever that document
// leaves undefined.
//
//   auto module = ptx::parse(text, diagnostics);
//   ptx::Machine machine(*module);
//   uint64_t out = machine.map_memory(bytes);
//   uint64_t tex = machine.add_texture(object);
//   ptx::Report report = machine.launch("kernel", {grid}, {block}, parameter_bytes);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ptx/coherence.h"
#include "sim/ptx/module.h"
#include "sim/ptx/schedule.h"
#include "sim/ptx/texture_object.h"

namespace texlate::sim::ptx {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// Why a lane was reported. In the first group, poison reached a place where it is an error. The others are
/// errors that hardware traps on, or whose whole behavior the ISA leaves undefined.
enum class FaultKind : uint8_t {
  poison_store,    // poison stored to global memory (or used by an atomic or a surface store)
  poison_address,  // a poisoned address
  poison_branch,   // a poisoned predicate of a branch, a store, an exit ...
  poison_texture,  // a poisoned operand of a texture or surface instruction
  out_of_range,    // memory outside every mapped range, or a write to constant memory
  misaligned,
  surface_trap,       // .trap surface access out of range
  divergent_barrier,  // a bar.sync that not all lanes of the warp reach together
  deadlock,           // lanes wait for lanes that never arrive
  warp_mask,          // a lane executes a .sync instruction whose mask does not contain it
  recursion,
  trap,    // the trap instruction
  limit,   // the instruction budget is used up, or a loop never ends
  launch,  // the launch itself is impossible; `message` says why
};
std::string_view fault_name(FaultKind kind);

struct Fault {
  FaultKind kind;
  uint32_t line = 0;  // of the PTX text
  uint32_t lane = 0;
  Dim3 block, thread;
  std::string message;
};

struct Report {
  uint64_t fault_count = 0;
  std::vector<Fault> faults;       // the first MachineOptions::max_faults
  uint64_t lane_instructions = 0;  // executed
  bool ok() const { return fault_count == 0; }
  /// "line 12, lane 3: poison_store: ..." for each recorded fault.
  std::string describe() const;
};

struct MachineOptions {
  bool check_uninitialized = true;  // registers, shared and local memory start as poison
  bool report_poison = true;        // false: poison in memory, an address or a branch is treated as its bits
  uint32_t max_faults = 16;
  uint64_t max_lane_instructions = uint64_t{1} << 33;  // per launch
  Schedule schedule;
  /// How texture objects filter. CUDA's filter has 8 fraction bits, and its point sampling floors.
  UnitOptions texture_unit{.snap_point = false};
  /// Called after each block with the progress, 0 to 1.
  std::function<void(double)> progress;
};

class Machine {
 public:
  /// Places the module's .global and .const variables in memory. `module` must outlive the machine.
  explicit Machine(const Module& module, const MachineOptions& options = {});

  /// Makes host memory visible to the program. Returns its device address, which is 256-byte aligned and
  /// surrounded by unmapped memory.
  uint64_t map_memory(std::span<std::byte> memory, bool writable = true);
  /// The memory of a .global or .const variable; empty if there is none of that name.
  std::span<std::byte> global(std::string_view name);

  /// Handles are never 0.
  uint64_t add_texture(const TextureObject& object);
  uint64_t add_surface(const SurfaceObject& object);
  uint64_t add_sampler(const SamplerObject& object);
  /// Binds the module's opaque variable number `opaque` to a handle of add_texture, add_sampler or
  /// add_surface. An unbound variable reads as poison; a .samplerref with an initializer needs no binding.
  void bind(uint32_t opaque, uint64_t handle);

  /// Runs every thread of the grid. `parameters` is the entry's parameter block and must have exactly the
  /// size that the entry declares.
  Report launch(std::string_view entry, Dim3 grid, Dim3 block, std::span<const std::byte> parameters,
                uint32_t dynamic_shared_bytes = 0);

  // Used by the executing warps.
  struct Range {
    uint64_t address = 0;
    std::byte* memory = nullptr;
    uint64_t size = 0;
    bool writable = true;
    std::vector<bool> written;  // by byte, in this launch, if the module has loads that must not see it

    void note_write(uint64_t offset, uint64_t count) {
      written.resize(size);
      std::fill_n(written.begin() + static_cast<ptrdiff_t>(offset), count, true);
    }
    bool was_written(uint64_t offset, uint64_t count) const {
      if (written.empty()) return false;
      const auto first = written.begin() + static_cast<ptrdiff_t>(offset);
      return std::find(first, first + static_cast<ptrdiff_t>(count), true) !=
             first + static_cast<ptrdiff_t>(count);
    }
  };
  /// The range that has all these bytes; null if there is none.
  Range* find_range(uint64_t address, uint64_t size);
  const TextureObject* find_texture(uint64_t handle) const;
  const SurfaceObject* find_surface(uint64_t handle) const;
  const SamplerObject* find_sampler(uint64_t handle) const;
  Coherence& coherence() { return coherence_; }
  const Module& module() const { return module_; }
  const MachineOptions& options() const { return options_; }
  const std::vector<Constant>& constants() const { return constants_; }

 private:
  const Module& module_;
  MachineOptions options_;
  std::vector<Range> ranges_;  // by address
  uint64_t next_address_ = 0x100000000;
  std::vector<std::vector<std::byte>> globals_;
  std::vector<uint64_t> global_addresses_;
  std::vector<Constant> constants_;  // the module's constants, plus the variables' addresses
  std::vector<TextureObject> textures_;
  std::vector<SurfaceObject> surfaces_;
  std::vector<SamplerObject> samplers_;
  Coherence coherence_;
};

}  // namespace texlate::sim::ptx
