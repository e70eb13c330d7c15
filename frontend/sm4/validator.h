// The state of validate(), with one file per subject: validate.cpp (order and stages), validate_flow.cpp,
// validate_declarations.cpp, validate_interface.cpp (inputs and outputs), validate_operands.cpp,
// validate_registers.cpp, validate_results.cpp, validate_resources.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <span>
#include <string>
#include <vector>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/operand_rules.h"
#include "frontend/sm4/program.h"
#include "frontend/sm4/spelling.h"
#include "frontend/sm4/validate_flow.h"
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

/// A range of registers of model 5.1.
struct RegisterRange {
  RegisterFile file;
  uint32_t space;
  uint32_t first;
  uint32_t last;
  const Instruction* declaration;
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

/// How many indices a register of that file takes.
struct IndexCount {
  uint32_t least;
  uint32_t most;
};

/// True for the register files that hold values.
bool is_readable(RegisterFile file);

/// True for the dimensions that an unordered access view can have.
bool is_typed_uav_dimension(ResourceDimension dimension);

class Validator {
 public:
  Validator(const Program& program, Diagnostics& diagnostics)
      : program_(program),
        report_(program, diagnostics),
        // Not the program's memory: several threads may translate one program.
        scratch_(4 << 10, diagnostics.list().get_allocator().resource()),
        flow_(program, report_, &scratch_),
        views_(&scratch_),
        unordered_views_(&scratch_),
        samplers_(&scratch_),
        constant_buffers_(&scratch_),
        indexable_temps_(&scratch_),
        shared_memory_(&scratch_),
        interfaces_(&scratch_),
        function_tables_(&scratch_),
        ranges_(&scratch_),
        counters_(&scratch_),
        pixel_ranges_(&scratch_),
        all_phases_(&scratch_) {}

  void run();

 private:
  // validate_declarations.cpp
  void declare(const Instruction& dcl);
  void check_repetition(const Instruction& dcl);
  void declare_temporaries(const Instruction& dcl);
  void declare_shared_memory(const Instruction& dcl);
  void declare_constant_buffer(const Instruction& dcl);
  void declare_sampler(const Instruction& dcl);
  void declare_functions(const Instruction& dcl);
  void declare_immediate_constants(const Instruction& dcl);
  void note_range(const Instruction& dcl);
  void start_phase(const Instruction& dcl);
  void keep_phase();
  void start_bodies();
  bool check_declared_file(const Instruction& dcl);
  bool is_within_limit(const Instruction& dcl, const Operand& operand);
  bool is_register_number(const Instruction& dcl, uint32_t number, std::string_view file);
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
  void count_distances(const Instruction& dcl, const Operand& operand);
  void check_io(const Instruction& instruction, const Operand& operand, const PositionRule& position);

  // validate.cpp
  void refuse_stage_or_model(const Instruction& instruction);
  void check_phase(const Instruction& marker);
  void check_place_of_declaration(const Instruction& dcl);
  void check_required();
  void check_tessellator();
  void check_inside_factors(uint32_t domain);
  void check_end();

  // validate_operands.cpp
  void check_controls(const Instruction& instruction);
  void check_operands(const Instruction& instruction);
  bool needs_no_check(const Operand& operand, const PositionRule& position) const;
  void check_operand(const Instruction& instruction, uint32_t i, const Operand& operand);
  void check_shape(const Instruction& instruction, uint32_t i, const Operand& operand);
  void check_modifier(const Instruction& instruction, uint32_t i, const Operand& operand);
  void check_component_count(const Instruction& instruction, uint32_t i, const Operand& operand);
  IndexCount index_count_of(RegisterFile file) const;
  bool has_index_count(const Instruction& instruction, const Operand& operand);
  void check_store_mask(const Instruction& instruction, const Operand& operand);

  // validate_registers.cpp
  void check_register(const Instruction& instruction, const Operand& operand, const PositionRule& position);
  void check_indices(const Instruction& instruction, const Operand& operand);
  void check_temporary(const Instruction& instruction, const Operand& operand);
  void check_row(const Instruction& instruction, const Operand& operand, const DeclaredSize& declared,
                 uint32_t element_index, std::string_view declaration);
  void check_constant_buffer(const Instruction& instruction, const Operand& operand);
  void check_indexable_temp(const Instruction& instruction, const Operand& operand,
                            const PositionRule& position);
  void check_named(const Instruction& instruction, const Operand& operand, const PositionRule& position);
  const DeclaredFunctions* find_interface(uint32_t number) const;
  void check_interface(const Instruction& instruction, const Operand& operand);
  void check_stream(const Instruction& instruction, const Operand& operand);
  void check_components(const Instruction& instruction, const Operand& operand, const PositionRule& position,
                        uint32_t declared);
  uint32_t lanes_read(const Instruction& instruction, Lanes lanes) const;
  uint32_t result_lanes(const Instruction& instruction) const;
  ResourceDimension dimension_of_view(const Instruction& instruction) const;

  // validate_results.cpp
  void check_results(const Instruction& instruction);
  void check_doubles(const Instruction& instruction);

  // validate_resources.cpp
  void check_texture(const Instruction& instruction);
  void check_view(const Instruction& instruction, const Operand& operand);
  void check_view_use(const Instruction& instruction, const Operand& operand);
  void check_dimension(const Instruction& instruction, const Operand& operand, ResourceDimension dimension);
  void check_return_type(const Instruction& instruction, const Operand& operand, const DeclaredView& view);
  void check_counter(const Instruction& instruction, const Operand& operand);
  void check_sampler(const Instruction& instruction, const Operand& operand);
  void check_structured_address(const Instruction& instruction, const Operand& operand);
  void check_shared_memory_use(const Instruction& instruction, const Operand& operand);
  const DeclaredView* find_view(const Operand& operand) const;
  void check_ranges();

  template <typename... Args>
  [[gnu::cold]] void error(const Instruction& at, fmt::format_string<Args...> format, Args&&... args) {
    report_.error(at, format, std::forward<Args>(args)...);
  }
  std::string_view name_of(const Instruction& instruction) const { return info(instruction.opcode).mnemonic; }
  std::string_view stage_name() const {
    return spell(kStageNames, static_cast<uint32_t>(program_.version.stage));
  }
  bool sm51() const { return program_.version.model() >= 51; }

  /// What the phases of a hull shader declare together.
  struct AllPhases {
    explicit AllPhases(std::pmr::monotonic_buffer_resource* memory) : indexable_temps(memory) {}
    DeclarationTable<DeclaredSize> indexable_temps;
    DeclaredRegisters outputs;
    uint32_t temps = 0;
    bool temps_declared = false;
  };

  const Program& program_;
  ValidationReport report_;
  std::pmr::monotonic_buffer_resource scratch_;
  FlowChecker flow_;
  DeclarationTable<DeclaredView> views_;
  DeclarationTable<DeclaredView> unordered_views_;
  DeclarationTable<DeclaredSize> samplers_;
  DeclarationTable<DeclaredSize> constant_buffers_;
  DeclarationTable<DeclaredSize> indexable_temps_;
  DeclarationTable<DeclaredSize> shared_memory_;
  DeclarationTable<DeclaredFunctions> interfaces_;
  DeclarationTable<DeclaredFunctions> function_tables_;
  std::pmr::vector<RegisterRange> ranges_;   // model 5.1
  DeclarationTable<DeclaredSize> counters_;  // u# with imm_atomic_alloc (size 0) or _consume (1)
  DeclaredRegisters inputs_;
  DeclaredRegisters outputs_;
  DeclaredRegisters patch_constants_;
  DeclaredRegisters control_point_inputs_;
  DeclaredRegisters control_point_outputs_;
  std::array<std::array<Interpolation, 4>, kMaxIo> interpolations_{};  // of a pixel shader's inputs
  std::pmr::vector<const Instruction*> pixel_ranges_;                  // dcl_indexrange of those
  AllPhases all_phases_;
  std::array<uint8_t, kMaxIo> stream_outputs_{};       // of the stream or hull phase being declared
  std::bitset<32> declared_values_;                    // system values of its outputs
  uint32_t distances_[2] = {};                         // clip and cull distances: of inputs, of its outputs
  std::array<uint8_t, kRegisterFileLimit> scalars_{};  // vThreadID, oDepth ...: masks
  uint32_t temps_ = 0;
  bool temps_declared_ = false;
  uint32_t indexable_registers_ = 0;  // total of all x#; of a hull shader's phase
  uint32_t constant_rows_ = 0;
  uint32_t shared_bytes_ = 0;
  uint16_t global_flags_ = 0;
  /// Rows of cb0 to cb15 that are declared (before 5.1): literal indices below need no more checks.
  static constexpr uint32_t kQuickBuffers = 16;
  std::array<uint32_t, kQuickBuffers> quick_rows_{};
  std::bitset<kOpcodeLimit> declarations_;        // opcodes of the declarations so far
  std::bitset<kOpcodeLimit> phase_declarations_;  // the same, of a hull shader's phase
  const Instruction* primitive_ = nullptr;        // dcl_inputprimitive
  const Instruction* input_points_ = nullptr;     // dcl_input_control_point_count
  const Instruction* output_points_ = nullptr;    // dcl_output_control_point_count
  const Instruction* tessellator_domain_ = nullptr;
  const Instruction* tessellator_output_ = nullptr;  // dcl_tessellator_output_primitive
  std::bitset<32> declared_factors_;                 // system values: tessellation factors of all phases
  std::array<const Instruction*, kQuadDomain + 1> factors_{};  // by domain: the first that is declared
  bool has_interfaces_ = false;
  bool has_code_ = false;  // an instruction preceded, in this phase of a hull shader
  bool ended_ = false;     // the last instruction was a ret at the outermost level
  bool in_hull_phase_ = false;
  bool in_bodies_ = false;                // of subroutines, after the phases of a hull shader
  bool is_patch_phase_ = false;           // a fork or join phase
  uint32_t streams_ = 0;                  // a bit mask
  uint32_t streams_without_outputs_ = 0;  // among those declared last
  uint32_t max_vertices_ = 0;             // of one invocation of a geometry shader; 0: not declared yet
  uint32_t gs_instances_ = 1;
  bool warned_of_temporaries_ = false;  // lenient: one warning of a kind
  bool warned_of_order_ = false;
};

}  // namespace texlate::sm4
