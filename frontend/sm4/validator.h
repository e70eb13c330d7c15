// The state of validate(), with one file per subject: validate.cpp (structure), validate_declarations.cpp,
// validate_interface.cpp (inputs and outputs), validate_operands.cpp, validate_resources.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/program.h"
#include "frontend/sm4/spelling.h"
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

/// Operand shapes are capital letters. This numbers them from 0 on, for tables and sets.
constexpr uint32_t place_of(OperandShape shape) {
  return static_cast<uint32_t>(shape) - 'A';
}
inline constexpr uint32_t kShapeLimit = 26;

/// The declaration of a view.
struct DeclaredView {
  uint32_t id = 0;
  ResourceDimension dimension = ResourceDimension::unknown;  // raw and structured are separate dimensions
  uint16_t return_types = 0;                                 // packed; typed views only
  DeclaredRange range{};
};

struct DeclaredSize {
  uint32_t id = 0;
  uint32_t size = 0;  // registers, rows or bytes
  DeclaredRange range{};
  SamplerMode mode = SamplerMode::default_;
  bool structured = false;
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

/// How many indices a register of that file takes.
struct IndexCount {
  uint32_t least;
  uint32_t most;
};

/// True for the dimensions that an unordered access view can have.
bool is_typed_uav_dimension(ResourceDimension dimension);

class Validator {
 public:
  Validator(const Program& program, Diagnostics& diagnostics)
      : program_(program),
        diagnostics_(diagnostics),
        // Not the program's memory: several threads may translate one program.
        scratch_(diagnostics.list().get_allocator().resource()),
        views_(&scratch_),
        unordered_views_(&scratch_),
        samplers_(&scratch_),
        constant_buffers_(&scratch_),
        indexable_temps_(&scratch_),
        shared_memory_(&scratch_),
        labels_(&scratch_),
        pixel_ranges_(&scratch_),
        blocks_(&scratch_) {}

  void run();

 private:
  // validate_declarations.cpp
  void declare(const Instruction& dcl);
  bool check_declared_file(const Instruction& dcl);
  bool is_within_limit(const Instruction& dcl, const Operand& operand);
  bool check_temporaries(const Instruction& dcl, uint64_t registers);
  void declare_indexable_temp(const Instruction& dcl);
  void check_declared_dimension(const Instruction& dcl);
  void declare_view(const Instruction& dcl, DeclarationTable<DeclaredView>& views,
                    ResourceDimension dimension);
  void check_size(const Instruction& dcl, std::string_view what, uint32_t most = UINT32_MAX);
  void check_thread_group(const Instruction& dcl);
  void check_control_points(const Instruction& dcl, uint32_t least);
  void declare_stream(const Instruction& dcl);
  void declare_maxout(const Instruction& dcl);
  void declare_gs_instances(const Instruction& dcl);
  void check_gs_vertices(const Instruction& dcl);

  // validate_interface.cpp
  DeclaredRegisters* declared_registers(RegisterFile file);
  void declare_io(const Instruction& dcl);
  bool start_next_stream();
  void declare_by_name(const Instruction& dcl, const Operand& operand);
  bool has_declared_form(const Instruction& dcl, const Operand& operand);
  void check_system_value(const Instruction& dcl, const Operand& operand);
  void declare_index_range(const Instruction& dcl);
  void check_index_range(const Instruction& dcl, const Operand& operand, uint32_t first, uint32_t count);
  void check_vertices(const Instruction& dcl, uint32_t expected, RegisterFile file);
  void note_interpolation(uint32_t id, uint32_t mask, Interpolation interpolation);
  void check_range_interpolation(const Instruction& dcl);
  void check_io(const Instruction& instruction, const Operand& operand);

  // validate.cpp
  void refuse_stage_or_model(const Instruction& instruction);
  /// A switch that has had no label yet.
  bool is_in_bare_switch() const {
    return !blocks_.empty() && blocks_.back().opener->opcode == Opcode::switch_ && !blocks_.back().has_case;
  }
  void check_structure(const Instruction& instruction);
  void open_block(const Instruction& instruction);
  void close_block(const Instruction& instruction, Opcode opener);
  void collect_labels();
  void check_required();
  void check_end();

  // validate_operands.cpp
  void check_controls(const Instruction& instruction);
  void check_operands(const Instruction& instruction);
  bool is_declared_temp(const Operand& operand) const;
  void check_shape(const Instruction& instruction, uint32_t i, const Operand& operand);
  void check_component_count(const Instruction& instruction, uint32_t i, const Operand& operand);
  IndexCount index_count_of(RegisterFile file) const;
  bool has_index_count(const Instruction& instruction, const Operand& operand);
  void check_store_mask(const Instruction& instruction, const Operand& operand);
  void check_register(const Instruction& instruction, const Operand& operand);
  void check_indices(const Instruction& instruction, const Operand& operand);
  void check_sized(const Instruction& instruction, const Operand& operand,
                   const DeclarationTable<DeclaredSize>& declared, uint32_t element_index,
                   std::string_view declaration);

  // validate_resources.cpp
  void check_texture(const Instruction& instruction);
  void check_view_use(const Instruction& instruction, const Operand& operand, OperandShape shape);
  void check_dimension(const Instruction& instruction, const Operand& operand, ResourceDimension dimension);
  void check_return_type(const Instruction& instruction, const Operand& operand, const DeclaredView& view);
  void check_sampler(const Instruction& instruction, const Operand& operand);
  void check_shared_memory_use(const Instruction& instruction, const Operand& operand);
  const DeclaredView* find_view(const Operand& operand) const;

  // Cold: code that only errors need is kept away from the rest.
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void error(const Instruction& at, fmt::format_string<Args...> format,
                                          Args&&... args) {
    std::string message = fmt::format(format, std::forward<Args>(args)...);
    // For text, the line is shown. For a container, only the name identifies the instruction.
    const bool in_container = at.location.offset != SourceLocation::kNoOffset;
    if (in_container && message.find(name_of(at)) == std::string::npos) {
      message += ", in ";
      message += name_of(at);
    }
    const SourceLocation place = error_place(at);
    const auto& list = diagnostics_.list();
    for (auto other = list.rbegin(); other != list.rend(); ++other) {
      if (other->severity == Severity::note) continue;
      if (!is_same_instruction(other->location, place)) break;
      if (other->message == std::string_view(message)) return;  // two operands may have the same error
    }
    diagnostics_.add(Severity::error, place, message);
  }
  static bool is_same_instruction(const SourceLocation& a, const SourceLocation& b) {
    return a.line == b.line && a.offset == b.offset;
  }
  /// The location of the operand that is being checked if the text's reader has recorded it; otherwise the
  /// instruction's.
  SourceLocation error_place(const Instruction& at) const;
  /// After an error: adds a note with the location of the register's declaration.
  void note_declaration(const Operand& operand);
  std::string_view name_of(const Instruction& instruction) const { return info(instruction.opcode).mnemonic; }
  /// For messages: `r3`, `cb0`, `vThreadID`.
  std::string spelled(const Operand& operand) const;
  bool sm51() const { return program_.version.model() >= 51; }

  const Program& program_;
  Diagnostics& diagnostics_;
  const Operand* operand_ = nullptr;  // the operand being checked; errors refer to it
  std::pmr::monotonic_buffer_resource scratch_;
  DeclarationTable<DeclaredView> views_;
  DeclarationTable<DeclaredView> unordered_views_;
  DeclarationTable<DeclaredSize> samplers_;
  DeclarationTable<DeclaredSize> constant_buffers_;
  DeclarationTable<DeclaredSize> indexable_temps_;
  DeclarationTable<DeclaredSize> shared_memory_;
  std::pmr::unordered_set<uint32_t> labels_;
  DeclaredRegisters inputs_;
  DeclaredRegisters outputs_;
  DeclaredRegisters patch_constants_;
  DeclaredRegisters control_point_inputs_;
  DeclaredRegisters control_point_outputs_;
  std::array<std::array<Interpolation, 4>, kMaxIo> interpolations_{};  // of a pixel shader's inputs
  std::pmr::vector<const Instruction*> pixel_ranges_;                  // dcl_indexrange of those
  std::array<uint8_t, kMaxIo> stream_outputs_{};  // of the stream or hull phase being declared
  std::bitset<32> declared_values_;               // system values of its outputs
  std::bitset<kRegisterFileLimit> scalars_;       // vThreadID, oDepth ...
  uint32_t temps_ = 0;
  bool temps_declared_ = false;
  uint32_t indexable_registers_ = 0;  // total of all x#; of a hull shader's phase
  uint32_t constant_rows_ = 0;
  uint32_t shared_bytes_ = 0;
  std::bitset<kOpcodeLimit> declarations_;      // opcodes of the declarations so far
  const Instruction* primitive_ = nullptr;      // dcl_inputprimitive
  const Instruction* input_points_ = nullptr;   // dcl_input_control_point_count
  const Instruction* output_points_ = nullptr;  // dcl_output_control_point_count
  bool has_interfaces_ = false;
  bool ended_ = false;  // the last instruction was a ret at the outermost level
  bool in_hull_phase_ = false;
  bool is_patch_phase_ = false;           // a fork or join phase
  uint32_t streams_ = 0;                  // a bit mask
  uint32_t streams_without_outputs_ = 0;  // among those declared last
  uint32_t max_vertices_ = 0;             // of one invocation of a geometry shader; 0: not declared yet
  uint32_t gs_instances_ = 1;

  struct Block {
    const Instruction* opener;
    bool has_else = false;
    bool has_default = false;
    bool has_case = false;
  };
  ArenaBuffer<Block> blocks_;
  uint32_t open_loops_ = 0;
  uint32_t open_switches_ = 0;
};

}  // namespace texlate::sm4
