// A machine that executes Maxwell machine code (sm_50, sm_52, sm_53). It follows the documents and what
// NVIDIA's tools show, and reports hazards that hardware does not check (docs/maxwell-machine.md).
//
//   maxwell::Program program;
//   program.words = ...;            // whole groups: a control word, three instructions
//   program.registers = 32;
//   maxwell::Machine machine(program);
//   uint64_t out = machine.map_memory(bytes);
//   uint32_t handle = machine.add_texture({view}) | machine.add_sampler({state}) << 20;
//   maxwell::Report report = machine.launch({groups}, {threads}, parameters);  // parameters: c[0][0x140] on
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/maxwell/instruction.h"
#include "sim/texture_unit/sampler.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim::maxwell {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// Registers that a GPU has for a block, and those of Tegra X1 (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability": 5.0 and 5.2, 5.3).
constexpr uint32_t kBlockRegisters = 64 * 1024, kBlockRegistersOfTegra = 32 * 1024;

/// A kernel: its words and the properties that a launch needs.
struct Program {
  std::vector<uint64_t> words;                 // from address 0, whole groups of four
  uint32_t entry = 8;                          // address of the first instruction
  uint32_t registers = 255;                    // registers of a thread: R0 .. R(registers - 1)
  uint32_t block_registers = kBlockRegisters;  // those that the GPU has for a block
  uint32_t shared_bytes = 0;
  uint32_t local_bytes = 0;  // per thread; c[0x0][0x20] holds its end, the initial stack pointer
  /// Constant banks. launch() fills bank 0, unless it is set here before.
  std::array<std::vector<std::byte>, 18> banks;
  uint32_t result_registers = 0;  // number of registers from R0 on that EXIT reads as results (graphics)
  /// Variables in global memory, and the constants that hold their addresses.
  std::vector<std::vector<std::byte>> globals;
  struct AddressConstant {
    uint32_t bank, offset;  // of a 64-bit word
    uint32_t global;        // index in `globals`
    uint64_t addend;
  };
  std::vector<AddressConstant> addresses;
};

/// c[0x0]: the constants of the launch, then the kernel's parameters.
constexpr uint32_t kParameterBase = 0x140;

struct TextureHeader {
  TextureView view;
  bool normalized = true;  // coordinates of float instructions are normalized
};

/// Attributes of a graphics program: kAttributeWords words per thread; word n is a[4n].
constexpr uint32_t kAttributeWords = 256;
class PrimitiveStage;
struct Attributes {
  uint32_t elements = 0xffffffffu;   // threads from this one on do not run: the vertices of a draw
  std::span<const uint32_t> inputs;  // interpolated at the pixel, perspective applied; a[0x7c] holds 1/w
  std::span<uint32_t> outputs;       // AST
  std::array<bool, kAttributeWords> in_perspective{};
  /// `inputs` has it at the pixel's center: IPA.CENTROID moves it, by the differences over the quad.
  std::array<bool, kAttributeWords> at_center{};
  uint32_t target_samples = 1;  // of each pixel of the render target
  // What the program's header declares: attributes, and whether it accesses global memory and images. An
  // access that it does not declare is a fault.
  bool has_header = false;
  bool loads_or_stores = false, stores = false;
  std::array<bool, kAttributeWords> readable{}, writable{}, is_constant{};
  std::span<const uint32_t> samples;  // by thread: the sample number (PIXLD.MY_INDEX); empty: 0
  /// By thread: z of the position at the sample (IPA.CENTROID at sample frequency); empty: that of `inputs`.
  std::span<const uint32_t> sample_depths;
  std::span<const uint32_t> coverage;  // by thread: samples covered (PIXLD.COVMASK); empty: from `helpers`
  std::span<const uint32_t> helpers;   // by thread: nonzero for a helper pixel
  /// Registers from R0 on of every thread when it ends, `result_registers` per thread: a pixel's colors.
  std::span<uint32_t> results;
  uint32_t result_registers = 0;
  std::span<uint32_t> alive;  // by thread: 1 where the pixel was not killed
  /// Hull, domain and geometry programs: everything but the accesses to memory that the header declares.
  PrimitiveStage* primitives = nullptr;
};

enum class FaultKind : uint8_t {
  // Hazards that the code does not prevent; all but the last are a matter of control words.
  early_read,          // a register, predicate or CC is read before its fixed latency has elapsed
  unwaited_read,       // ... before the wait for the barrier of a variable-latency result
  unwaited_write,      // a register is written although an operation in flight still has to write it
  overwritten_source,  // a register is written although an operation in flight still has to read it
  pair,                // two operations of one unit are issued together
  early_wait,          // a barrier is waited for before it is counted
  barrier_order,       // DEPBAR counts operations that may finish in any order
  unfenced,            // memory is accessed after BAR, or read after a fence, without what orders the two
  // Faults unrelated to control words.
  bad_operand,      // a misaligned vector, RZ for a parameter, a register that the thread does not have
  uninitialized,    // a read of a register, predicate, CC, shared or local memory that was never written
  range_reduction,  // MUFU of a value that RRO did not prepare
  out_of_range,     // memory outside every mapped range, or a write to constant memory
  misaligned,       // a misaligned address
  texture,          // no such header or sampler, or a fetch whose result no document defines
  undefined,        // a sample of which Direct3D leaves the result undefined
  surface_trap,
  branch_stack,       // SYNC, BRK, CONT, RET without the token they need, or a nonempty stack at the end
  divergent_barrier,  // a BAR that not all lanes of the warp reach together
  deadlock,
  unknown_word,  // not an instruction, or one that the machine does not execute
  trap,          // BPT
  limit,         // the instruction budget is used up
  launch,        // the launch itself is impossible
};
std::string_view fault_name(FaultKind kind);
/// True if the machine has a result, but hardware may compute a different one.
constexpr bool is_hazard(FaultKind kind) {
  return kind <= FaultKind::unfenced;
}

struct Fault {
  FaultKind kind;
  uint32_t address = 0;   // of the word
  std::string_view name;  // of the operation
  uint32_t lane = 0;      // the first lane
  Dim3 block;
  uint32_t thread = 0;  // number within the block
  std::string message;
  uint64_t count = 1;  // number of faults of this kind at this address
};

struct Report {
  uint64_t fault_count = 0;
  std::vector<Fault> faults;       // one per kind and address, at most MachineOptions::max_faults
  uint64_t lane_instructions = 0;  // executed, counted per lane
  uint64_t warp_instructions = 0;  // issued, counted per warp
  /// Threads of stream launches (block.x * threads + thread) that read uninitialized data or have an
  /// undefined sample; may contain duplicates.
  std::vector<uint32_t> undefined_threads;
  uint64_t issue_cycles = 0;  // sum over all warps (docs/maxwell-machine.md, "Cycles")
  bool ok() const { return fault_count == 0; }
  /// True if all faults are those of `undefined_threads`.
  bool only_undefined() const;
  /// "0x0128 ISETP, lane 3, thread 3 of block (0,0,0): early_read: ..." for each recorded fault.
  std::string describe() const;
};

struct MachineOptions {
  bool check_hazards = true;
  bool check_uninitialized = true;
  uint32_t max_faults = 64;
  uint64_t max_lane_instructions = uint64_t{1} << 33;  // per launch
  /// If true, a TLD outside the texture gives Direct3D's result. If false, it is reported, because code that
  /// guards every fetch never executes one.
  bool trust_fetch_bounds = true;
  /// The error of MUFU's reciprocals and reciprocal square roots in units in the last place. Hardware may be
  /// off by one in either direction (PTX ISA 9.7.3.13 rcp, 9.7.3.16 rsqrt: relative errors of 2^-23 and
  /// 2^-22.9). Results that no rounding gives, zeros, infinities and NaN are unchanged.
  int32_t reciprocal_error = 0;
  uint32_t texture_bank = 0;  // the constant bank from which bound texture instructions take handles
  UnitOptions texture_unit{.snap_point = false};
  std::function<void(double)> progress;
};

class Machine {
 public:
  /// `program` must outlive the machine.
  explicit Machine(const Program& program, const MachineOptions& options = {});

  /// Makes host memory visible to the program. Returns its address, which is 256-byte aligned and surrounded
  /// by unmapped memory.
  uint64_t map_memory(std::span<std::byte> memory, bool writable = true);
  /// Returns the index in the header pool (bits 19:0 of a handle), never 0. Surfaces use the same headers.
  uint32_t add_texture(const TextureHeader& header);
  /// Returns the index in the sampler pool (bits 31:20 of a handle).
  uint32_t add_sampler(const Sampler& sampler);

  /// Runs every thread of the grid. `parameters` start at c[0x0][0x140].
  Report launch(Dim3 grid, Dim3 block, std::span<const std::byte> parameters,
                uint32_t dynamic_shared_bytes = 0);

  /// Inputs and outputs of a graphics program. They must outlive the launch.
  void set_attributes(const Attributes& attributes) { attributes_ = attributes; }

  // Used by the executing warps.
  const Attributes& attributes() const { return attributes_; }
  struct Range {
    uint64_t address = 0;
    std::byte* memory = nullptr;
    uint64_t size = 0;
    bool writable = true;
  };
  const Range* find_range(uint64_t address, uint64_t size) const;
  const TextureHeader* find_texture(uint32_t handle) const;
  const Sampler* find_sampler(uint32_t handle) const;
  const Program& program() const { return program_; }
  const std::vector<Instruction>& code() const { return code_; }
  const MachineOptions& options() const { return options_; }
  std::span<const std::byte> bank(uint32_t index) const {
    return index < banks_.size() ? std::span<const std::byte>(banks_[index]) : std::span<const std::byte>();
  }

 private:
  void fill_launch_constants(Dim3 grid, Dim3 block, std::span<const std::byte> parameters);

  const Program& program_;
  MachineOptions options_;
  std::vector<Instruction> code_;
  std::vector<Range> ranges_;  // by address
  uint64_t next_address_ = 0x100000000;
  std::vector<TextureHeader> textures_;
  std::vector<Sampler> samplers_;
  std::array<std::vector<std::byte>, 18> banks_;  // 0: filled by launch()
  std::vector<std::vector<std::byte>> globals_;
  Attributes attributes_;
};

}  // namespace texlate::sim::maxwell
