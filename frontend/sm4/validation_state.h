// What all checks of validate() share: the program, the report, and what is declared so far, which
// instructions are checked against. One file per subject: validate.cpp (order, stages, phases),
// validate_flow.cpp, validate_declarations.cpp, validate_interface.cpp (declarations of inputs and outputs);
// of instructions (validate_uses.h), validate_operands.cpp, validate_registers.cpp, validate_results.cpp,
// validate_resources.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/program.h"
#include "frontend/sm4/spelling.h"
#include "frontend/sm4/validation_report.h"
#include "ir/base/buffer.h"

namespace texlate::sm4 {

/// Declarations of one register file by the number that operands use. The time to find one does not depend on
/// how many a hostile program has: open addressing, at most half full.
template <typename Declaration>
class DeclarationTable {
 public:
  explicit DeclarationTable(std::pmr::monotonic_buffer_resource* memory)
      : declarations_(memory), slots_(memory) {}

  /// Returns false if a declaration with that number exists; it is kept.
  bool add(const Declaration& declaration) {
    if (find(declaration.id) != nullptr) return false;
    declarations_.push_back(declaration);
    if (declarations_.size() * 2 > slots_.size()) {
      grow();
    } else {
      slots_[slot_of(declaration.id)] = static_cast<uint32_t>(declarations_.size());
    }
    return true;
  }
  const Declaration* find(uint32_t id) const {
    if (slots_.empty()) return nullptr;
    const uint32_t place = slots_[slot_of(id)];
    return place == 0 ? nullptr : &declarations_[place - 1];
  }
  Declaration* find_for_change(uint32_t id) { return const_cast<Declaration*>(find(id)); }
  std::span<const Declaration> all() const { return {declarations_.data(), declarations_.size()}; }
  /// The first declaration, or null.
  const Declaration* first() const { return declarations_.empty() ? nullptr : &declarations_[0]; }
  void clear() {
    declarations_.clear();
    slots_.clear();
  }

 private:
  static constexpr size_t kFirstSlots = 16;

  /// The slot of `id`, or the empty slot for it.
  size_t slot_of(uint32_t id) const {
    const size_t mask = slots_.size() - 1;
    size_t at = (id * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (slots_[at] != 0 && declarations_[slots_[at] - 1].id != id) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::max(kFirstSlots, slots_.size() * 2), 0);
    for (uint32_t place = 1; place <= declarations_.size(); ++place)
      slots_[slot_of(declarations_[place - 1].id)] = place;
  }

  ArenaBuffer<Declaration> declarations_;
  ArenaBuffer<uint32_t> slots_;  // index in declarations_ plus 1; 0: empty
};

/// The declaration of a view.
struct DeclaredView {
  uint32_t id = 0;
  ResourceDimension dimension = ResourceDimension::unknown;  // raw and structured are separate dimensions
  uint16_t return_types = 0;                                 // packed; typed views only
  DeclaredRange range{};
  uint32_t stride = 0;  // structured views
};

struct DeclaredSize {
  uint32_t id = 0;
  uint32_t size = 0;  // registers, rows or bytes
  DeclaredRange range{};
  SamplerMode mode = SamplerMode::default_;
  bool structured = false;
  uint8_t components = kFullMask;  // of x#
};

/// A dcl_interface (fp#) or a dcl_function_table (ft#).
struct DeclaredFunctions {
  uint32_t id = 0;
  uint32_t length = 0;      // of the array of interfaces; 0 for a table
  uint32_t call_sites = 0;  // of the interface; bodies of the table
};

inline constexpr uint32_t kMaxIo = 64;  // v# and o# have 32 registers; the phases of a hull shader have more

/// Inputs or outputs of one register file.
struct DeclaredRegisters {
  std::array<uint8_t, kMaxIo> components{};     // masks
  std::array<uint8_t, kMaxIo> system_values{};  // masks of system values, except the tessellator's
  std::array<uint8_t, kMaxIo> ranged{};         // masks of the components in a dcl_indexrange
  uint32_t vertices = 0;                        // of v[vertices][#]; 0: not an array of vertices
  bool has_range = false;                       // has a dcl_indexrange
};

/// D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT
inline constexpr uint32_t kMaxBufferRows = 4096;

/// What all checks of one program share.
struct ValidationState {
  ValidationState(const Program& checked, Diagnostics& diagnostics)
      : program(checked),
        report(checked, diagnostics),
        // Not the program's memory: several threads may translate one program.
        scratch(4 << 10, diagnostics.list().get_allocator().resource()) {}

  template <typename... Args>
  [[gnu::cold]] void error(const Instruction& at, fmt::format_string<Args...> format, Args&&... args) {
    report.error(at, format, std::forward<Args>(args)...);
  }
  std::string_view stage_name() const {
    return spell(kStageNames, static_cast<uint32_t>(program.version.stage));
  }
  bool sm51() const { return program.version.model() >= 51; }

  /// Those of v#, o#, vpc#, vicp or vocp; null: another file.
  DeclaredRegisters* registers(RegisterFile file) {
    switch (file) {
      case RegisterFile::input: return &inputs;
      case RegisterFile::output: return &outputs;
      case RegisterFile::input_patch_constant: return &patch_constants;
      case RegisterFile::input_control_point: return &control_point_inputs;
      case RegisterFile::output_control_point: return &control_point_outputs;
      default: return nullptr;
    }
  }

  const Program& program;
  ValidationReport report;
  std::pmr::monotonic_buffer_resource scratch;

  uint32_t temps = 0;
  bool temps_declared = false;
  bool in_hull_phase = false;
  bool is_patch_phase = false;  // a fork or join phase
  bool has_interfaces = false;
  uint16_t global_flags = 0;
  uint32_t streams = 0;  // a bit mask
  uint32_t constant_rows = 0;
  /// Rows of cb0 to cb15 that are declared (before 5.1): literal indices below need no more checks.
  static constexpr uint32_t kQuickBuffers = 16;
  std::array<uint32_t, kQuickBuffers> quick_rows{};
  DeclarationTable<DeclaredView> views{&scratch};
  DeclarationTable<DeclaredView> unordered_views{&scratch};
  DeclarationTable<DeclaredSize> samplers{&scratch};
  DeclarationTable<DeclaredSize> constant_buffers{&scratch};
  DeclarationTable<DeclaredSize> indexable_temps{&scratch};
  DeclarationTable<DeclaredSize> shared_memory{&scratch};
  DeclarationTable<DeclaredFunctions> interfaces{&scratch};
  DeclarationTable<DeclaredSize> counters{&scratch};  // u# with imm_atomic_alloc (size 0) or _consume (1)
  DeclaredRegisters inputs;
  DeclaredRegisters outputs;
  DeclaredRegisters patch_constants;
  DeclaredRegisters control_point_inputs;
  DeclaredRegisters control_point_outputs;
  std::array<uint8_t, kRegisterFileLimit> scalars{};  // vThreadID, oDepth ...: masks
  bool warned_of_temporaries = false;                 // lenient: one warning of a kind
};

inline std::string_view name_of(const Instruction& instruction) {
  return info(instruction.opcode).mnemonic;
}

}  // namespace texlate::sm4
