// State shared by the parts of instruction selection: where each IR value is on the machine, its users, the
// current position. The parts are functions over it, one file per family of operations.
#pragma once

#include <memory_resource>
#include <optional>
#include <string_view>
#include <vector>

#include "backend/launch/launch_abi.h"
#include "backend/maxwell/graphics/layout.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/texture_packing.h"
#include "backend/maxwell/select/assembler.h"
#include "ir/module.h"
#include "ir/passes/known_values.h"
#include "ir/passes/uniformity.h"

namespace texlate::maxwell {
class CompareRoutines;
}

namespace texlate::maxwell::select {

struct Options {
  uint32_t sm = 52;
  std::span<const launch::SurfaceFormat> surface_formats = {};
  /// For programs of deko3d: where their data is. Null: a kernel of the launch ABI.
  const graphics::Layout* graphics = nullptr;
  /// Routines for the comparisons that legalization left. Null: there are none.
  CompareRoutines* routines = nullptr;
  /// For a routine (machine::Function::is_routine): inputs are its arguments, output 0 is what it returns.
  uint32_t argument_count = 0;
};

/// Kernel parameters begin here in bank 0: what ptxas uses for sm_50 to sm_62 (docs/maxwell.md, "Interface").
inline constexpr uint32_t kParameterBase = 0x140;
/// Memory that different accesses never share (machine::Instruction::space).
inline constexpr uint8_t kSharedSpace = machine::kFirstFreeSpace;
inline constexpr uint8_t kPlaneSpace = kSharedSpace + 1;
inline constexpr uint8_t kAttributeSpace = kPlaneSpace + 1;
/// Keys of Assembler::remember.
inline constexpr uint64_t kSpecialKey = uint64_t{1} << 62;
inline constexpr uint64_t kPlaneKey = uint64_t{1} << 62 | uint64_t{1} << 40;
inline constexpr uint64_t kRecordKey = uint64_t{1} << 62 | uint64_t{1} << 61;
/// The bank of constant tables.
inline constexpr uint8_t kTableBank = 3;
/// The first target whose texture unit reports residency (docs/maxwell.md, "Residency").
inline constexpr uint32_t kLeastTargetOfResidency = 52;
/// The result with the status, after four components; and the status if nothing is missing.
inline constexpr uint32_t kStatusResult = 4, kAllMapped = 0xffffffff;

/// Words that one ALD or AST may access from `address` on: two need 8-byte alignment, three and four 16-byte
/// alignment (docs/reference/maxwell-graphics.md 1).
constexpr uint32_t widest_attribute(uint32_t address) {
  return address % 8 != 0 ? 1 : address % 16 != 0 ? 2 : 4;
}

/// The machine's operation for a Direct3D atomic; compare_exchange is a separate instruction.
struct AtomicForm {
  Atomic operation;
  bool is_signed;
};
AtomicForm atomic_form(ir::AtomicOp op);

class Selector {
 public:
  Selector(const ir::Module& source, const launch::Layout& abi, const Options& choices,
           machine::Function& function, Diagnostics& sink);
  /// Returns false, with errors, for what Maxwell or its kernels cannot express.
  bool run();

  const ir::Module& module;
  const launch::Layout& layout;
  const Options& options;
  Diagnostics& diagnostics;
  Assembler assembler;

  // ---- the original program
  ir::Value operand(const ir::Instruction& instruction, uint32_t i) const {
    return module.operands[instruction.first_operand + i];
  }
  const ir::ResourceAccess& access(const ir::Instruction& instruction) const {
    return module.access_of(instruction);
  }
  ir::Value slot(const ir::Instruction& instruction, ir::Slot which) const {
    return module.operand(instruction, which);
  }
  bool is_used(ir::Value value) const { return uses_[value] != 0; }
  bool has_one_use(ir::Value value) const { return uses_[value] == 1; }
  uint32_t use_count(ir::Value value) const { return uses_[value]; }
  /// The instruction that defines the value, null for constants.
  const ir::Instruction* definition(ir::Value value) const {
    return definition_[value] == kNoInstruction ? nullptr : &module.code[definition_[value]];
  }
  /// The same, if no other operation reads the value and no marker is in between: the current instruction may
  /// include its work.
  const ir::Instruction* absorbable(ir::Value value, ir::Op op) const;
  const ir::Instruction* only_user(ir::Value value) const;
  bool is_stream() const { return module.stage != ir::Stage::compute; }

  /// Marks an instruction as done as part of another one.
  void skip(const ir::Instruction& instruction) { done_[index_of(instruction)] = 1; }

  // ---- values
  /// The operand for bits, floats (including changes of sign), integers (including negation), logic
  /// (including inversion).
  Source word(ir::Value value);
  Source float_source(ir::Value value);
  Source integer_source(ir::Value value);
  Source logic_source(ir::Value value);
  MachineValue reg(ir::Value value) { return assembler.reg(word(value)); }
  Predicate predicate(ir::Value value);
  Pair pair(ir::Value value);

  void define(ir::Value value, MachineValue word) { sources_[value] = Source::of(word); }
  void define(ir::Value value, const Source& source) { sources_[value] = source; }
  void define(ir::Value value, Predicate condition) { predicates_[value] = condition; }
  void define(ir::Value value, Pair words) {
    sources_[value] = Source::of(words.low);
    high_[value] = words.high;
  }
  /// Appends a draft whose first operand is a new register for the value.
  void emit_to(ir::Value result, Draft draft) { define(result, assembler.emit_word(draft)); }
  machine::Instruction& emit(const Draft& draft) { return assembler.emit(draft); }

  /// As an unsigned integer, the value is certainly no greater.
  uint32_t greatest(ir::Value value) { return known_.greatest(value); }

  // ---- control flow
  /// Is the current position inside a loop, an if, a switch?
  bool in_construct() const { return !open_.empty(); }
  /// True for pixels that may write, false for helpers. Constant true in compute shaders.
  Predicate live() const;
  void set_live(Predicate condition);
  /// A guard combined with the pixel's liveness.
  Predicate effective(Predicate guard);
  Predicate both(Predicate first, Predicate second);

  void refuse(const ir::Instruction& instruction, std::string_view what);

  // ---- the families, one file each
  void select_float(const ir::Instruction& instruction);
  void select_integer(const ir::Instruction& instruction);
  void select_conversion(const ir::Instruction& instruction);
  void select_predicate(const ir::Instruction& instruction);
  void select_double(const ir::Instruction& instruction);
  void select_derivative(const ir::Instruction& instruction);
  void select_memory(const ir::Instruction& instruction);
  void select_interface(const ir::Instruction& instruction);
  void select_binding(const ir::Instruction& instruction);
  void select_texture(const ir::Instruction& instruction);
  void select_surface(const ir::Instruction& instruction);
  void select_buffer(const ir::Instruction& instruction);
  void select_control(const ir::Instruction& instruction);

  // interface.cpp
  void begin_stream();
  void exit_stream();
  void set_output(uint32_t payload, const Source& value);

  // binding.cpp
  /// A place of the parameter block: in bank 0, or in memory if the block or a table is there.
  struct Field {
    bool dynamic = false;
    bool in_memory = false;
    uint32_t offset = 0;
    MachineValue index = kNone;  // in bank 0, dynamic: bytes, added to the offset
    Pair base;                   // in memory: the address that the offset counts from
    Predicate inside;            // in memory, dynamic: if false, reads give 0
    static Field in_bank(uint32_t offset, MachineValue index = kNone) {
      Field field;
      field.dynamic = index != kNone;
      field.offset = offset;
      field.index = index;
      return field;
    }
    /// Can the place be an instruction's operand?
    bool is_constant() const { return !dynamic && !in_memory; }
  };
  /// `base`: an offset in bank 0. `index`: number of records to add, kNoValue: none.
  Field field_at(uint32_t base, uint32_t record_size, ir::Value index);
  /// The same, within the parameter block.
  Field record_field(uint32_t base, uint32_t record_size, ir::Value index);
  /// A record of a range. A long range is a table.
  template <typename Binding>
  Field range_field(const Binding& binding, uint32_t base, uint32_t record_size, ir::Value index) {
    return launch::is_table(binding) ? table_field(base, record_size, index)
                                     : record_field(base, record_size, index);
  }
  Field table_field(uint32_t base, uint32_t record_size, ir::Value index);
  Field pair_in_table(uint32_t base, ir::Value resource_index, ir::Value sampler_index);
  Field table_place(const Field& table, MachineValue number, unsigned shift, Predicate inside);
  Field resource_record(const ir::Instruction& instruction);
  Source load_word(const Field& field, uint32_t offset);
  Pair load_pair(const Field& field, uint32_t offset);
  Source load_memory_word(const Field& field, uint32_t offset);
  /// A word of the parameter block at a fixed place.
  Source parameter(uint32_t offset) { return load_word(record_field(offset, 1, ir::kNoValue), 0); }
  Predicate is_not_zero(const Source& low, const Source& high);

  /// The record with the address of a structured view's counter.
  Field counter_record(const ir::Instruction& instruction);

  // graphics_interface.cpp: attributes, results in registers, discarded pixels
  bool is_graphics() const { return options.graphics != nullptr; }
  void begin_graphics();
  void exit_graphics();
  void exit_pixel();
  void store_attributes() { store_attributes(module.outputs, options.graphics->outputs, 0, {}); }
  /// How AST reaches attributes: of this thread's vertex, of the patch, or of the vertex with that handle.
  struct AttributeTarget {
    bool patch = false;
    MachineValue vertex = kNone;
  };
  /// Stores those of `parameters` that belong to the stream. `file`: see variable_of.
  void store_attributes(std::span<const ir::Parameter> parameters,
                        std::span<const graphics::Attribute> places, uint32_t stream,
                        const AttributeTarget& target, uint32_t file = 0);
  void select_attribute(const ir::Instruction& instruction);
  void select_pixel_input(const ir::Instruction& instruction, const ir::Parameter& parameter,
                          uint32_t address);
  void select_vertex_input(const ir::Instruction& instruction, const ir::Parameter& parameter,
                           const graphics::Attribute& attribute);
  MachineValue interpolate(uint32_t address, Interpolation mode, InterpolationSample where);
  MachineValue emit_pixel_state(Pixel what);

  // graphics_primitives.cpp: attributes of other vertices and of patches, emitted vertices
  /// Where an operation of hull, domain and geometry programs reads.
  enum class AttributeFile : uint8_t { input, control_point, patch };
  struct AttributeSource {
    AttributeFile file = AttributeFile::input;
    std::span<const ir::Parameter> parameters;
    std::span<const graphics::Attribute> places;
    MachineValue vertex = kNone;     // a handle, or a lane of the warp
    uint64_t vertex_key = 0;         // what distinguishes it among the values that are remembered
    uint32_t vertex_slot = 0;        // in used_components_
    ir::Value index = ir::kNoValue;  // added to the register number
  };
  static uint32_t component_slot(AttributeFile file, uint32_t vertex_slot, uint32_t reg);
  uint32_t vertex_slot(const ir::Instruction& instruction) const;
  void find_used_components();
  void select_vertex_attribute(const ir::Instruction& instruction);
  void select_patch_input(const ir::Instruction& instruction);
  void load_attributes(const ir::Instruction& instruction, const AttributeSource& source);
  MachineValue load_component(const ir::Instruction& instruction, const AttributeSource& source,
                              const ir::Parameter& parameter, const graphics::Attribute& place);
  MachineValue load_indexed(const ir::Instruction& instruction, const AttributeSource& source);
  void emit_load(Draft& load, const AttributeSource& source);
  MachineValue load_word_at(const AttributeSource& source, const Arg& address, bool physical);
  MachineValue first_vertex();
  MachineValue vertex_handle(ir::Value vertex);
  MachineValue control_point_lane(ir::Value point);
  void select_primitive_value(const ir::Instruction& instruction, ir::SystemValue value);
  Source domain_point(uint32_t component);
  void select_emission(const ir::Instruction& instruction);
  void exit_geometry();

  // graphics_phases.cpp: the phases of hull programs
  void open_phase(const ir::Instruction& instruction);
  void open_instances(uint32_t count);
  void leave_phase();
  void close_phase();
  void finish_phases();
  bool returns_early(uint32_t marker) const;
  void open_patch_phases();
  void make_variables(uint32_t marker, std::pmr::vector<MachineValue>& list);

  // graphics_resources.cpp: deko3d slots instead of binding records
  Field slot_field(uint16_t resource, ir::Value index);
  Field pair_field(const ir::Instruction& instruction);
  void select_slot_fact(const ir::Instruction& instruction);
  void select_uniform(const ir::Instruction& instruction);
  void select_image(const ir::Instruction& instruction);
  void select_image_load(const ir::Instruction& instruction, Predicate guard);
  void select_image_store(const ir::Instruction& instruction, Predicate guard);
  void select_image_atomic(const ir::Instruction& instruction, Predicate guard);
  void select_texture_query(const ir::Instruction& instruction);
  void select_size(const ir::Instruction& instruction);
  void select_lod(const ir::Instruction& instruction);
  std::array<MachineValue, 4> query_texture(const Field& handle, TextureQuery what, const Source& level);
  std::array<MachineValue, 4> query_header(uint16_t resource, ir::Value index, TextureQuery what);
  Source divide(const Source& number, uint32_t divisor);
  Arg image_coordinates(const ir::Instruction& instruction, bool in_bytes);

  // select.cpp
  MachineValue emit_select(Predicate condition, const Source& yes, const Source& no);

  // predicate.cpp
  const ir::Instruction* own_comparison(ir::Value condition) const;
  void select_one_or_less(const ir::Instruction& instruction, const ir::Instruction& compared);

  // compare.cpp
  void select_compare(const ir::Instruction& instruction);
  void select_logic(const ir::Instruction& instruction, Boolean how);
  /// An instruction that compares, optionally combined with another condition.
  Predicate emit_compare(const ir::Instruction& instruction, Predicate combined, Boolean how);
  MachineValue emit_compare_mask(const ir::Instruction& instruction, BoolFloat form);
  bool is_one_or_less(const ir::Instruction& selection) const;
  bool is_compare(ir::Op op) const;
  /// A comparison of one word with 0, for FCMP and ICMP. Returns false if it is another comparison.
  bool select_by_zero(const ir::Instruction& instruction);
  std::optional<uint32_t> compared_with_zero(const ir::Instruction& instruction) const;

  // float.cpp
  static Source minus_zero();
  MachineValue emit_sum(Source a, Source b, uint8_t sat);
  MachineValue emit_product(Source a, Source b, uint8_t sat);
  MachineValue emit_fused(Source a, Source b, Source c, uint8_t sat, Fmz flush = Fmz::ftz,
                          bool addend_ends = false);
  MachineValue emit_function(Function function, const Source& x);
  MachineValue emit_reduced(Function function, RangeReduction reduction, const Source& x);
  MachineValue emit_rounding(IntegerRounding rounding, const Source& x);
  MachineValue emit_square_root(const Source& x);

  // double.cpp: an immediate if the upper 20 bits suffice, otherwise the register pair
  Arg double_arg(ir::Value value);
  Arg first_double(ir::Value first, ir::Value second);

  // integer.cpp
  MachineValue multiply(ir::Value a, ir::Value b, const Source& addend);
  MachineValue finish_product(const Source& a, const Source& b, const Source& t);
  MachineValue multiply_words(const Source& a, const Source& b);
  MachineValue multiply_high(const Source& a, const Source& b, bool is_signed);
  MachineValue emit_integer_sum(Source a, Source b);
  void select_sum(const ir::Instruction& instruction);
  void select_bit_logic(const ir::Instruction& instruction, Logic how);
  bool select_three_way_logic(const ir::Instruction& instruction, Logic outer);
  bool select_field(const ir::Instruction& instruction);
  bool select_joined_fields(const ir::Instruction& instruction);
  void select_shift(const ir::Instruction& instruction);
  void select_bit_field(const ir::Instruction& instruction);
  Source bit_field(ir::Value width, ir::Value offset);
  Source assembler_register(const Source& source);

  // memory.cpp
  /// base + (index << shift) in 64 bits; the index is unsigned unless its high word is given.
  Pair scaled_address(const Source& low, const Source& high, MachineValue index, unsigned shift,
                      const Source& index_high = Source::immediate(0));
  Predicate memory_guard(const ir::Instruction& instruction);
  void leave_zeros(std::span<const MachineValue> zeros);
  /// Registers for those results from `first` on that are read, and what they hold if a guard is false.
  struct LoadedWords {
    std::array<MachineValue, 4> results{kNone, kNone, kNone, kNone};
    std::array<MachineValue, 4> otherwise{kNone, kNone, kNone, kNone};
  };
  LoadedWords define_loaded(const ir::Instruction& instruction, uint32_t first, uint32_t count,
                            Predicate guard);
  uint32_t used_words(const ir::Instruction& instruction, uint32_t count) const;
  void load_row(const ir::Instruction& instruction, Pair base, int32_t offset, Predicate guard);
  Arg window_address(ir::Value index, unsigned shift, uint32_t bytes);
  Field constant_buffer_record(const ir::Instruction& instruction, uint32_t position);
  void select_constant_buffer(const ir::Instruction& instruction);
  void select_table(const ir::Instruction& instruction);
  void load_constants(const ir::Instruction& instruction, uint8_t bank, uint32_t base, Predicate guard);
  void select_local(const ir::Instruction& instruction);
  void select_shared(const ir::Instruction& instruction);
  void emit_global_atomic(const ir::Instruction& instruction, const Arg& at, Predicate guard);

  // conversion.cpp: a byte or half of a register, which conversions read in place
  struct Part {
    Source source;
    uint32_t bits = 32;  // 8, 16 or 32
    uint32_t first_byte = 0;
    bool is_signed = false;
  };
  Part find_part(ir::Value value);
  void select_to_float(const ir::Instruction& instruction, bool is_signed);
  Source half_source(ir::Value value);

  // compare_call.cpp
  bool is_routine() { return assembler.function().is_routine; }
  void begin_routine();
  void select_argument(const ir::Instruction& instruction);
  void exit_routine();
  void select_compare_call(const ir::Instruction& instruction);

  // texture.cpp
  bool texture_request(const ir::Instruction& instruction, TextureRequest& request);
  Field texture_handle(const ir::Instruction& instruction, bool sampled);
  std::array<MachineValue, 3> cube_coordinates(const ir::Instruction& instruction);
  void select_texel_access(const ir::Instruction& instruction);
  static TexturePackingResult pack_widest_short(TextureRequest& request);
  void define_fallbacks(const ir::Instruction& instruction);
  bool wants_status(const ir::Instruction& instruction) const;
  void define_status(const ir::Instruction& instruction);
  MachineValue texture_operand(const ir::Instruction& instruction, const TextureRequest& request,
                               TextureValue value, const std::array<MachineValue, 3>& coordinates,
                               MachineValue handle);
  bool prefers_sums(const ir::Instruction& instruction);
  void find_offset_uses();
  MachineValue offset_coordinate(ir::Value coordinate, int8_t offset);
  MachineValue layer_operand(const ir::Instruction& instruction);
  MachineValue float_level(const ir::Instruction& instruction);
  MachineValue run_time_offset(const ir::Instruction& instruction);
  MachineValue layer_and_offset(const ir::Instruction& instruction);
  void emit_texel_access(const ir::Instruction& instruction, const TextureRequest& request,
                         const TexturePacking& packing, const Field& handle, Predicate guard);

  // surface.cpp
  launch::SurfaceFormat surface_format(uint16_t resource) const;
  bool is_linear(const ir::Instruction& instruction) const;
  Pair add_product(Pair base, const Source& a, const Source& b);
  Arg linear_address(const ir::Instruction& instruction, const launch::SurfaceFormat& format);
  Arg surface_coordinates(const ir::Instruction& instruction, const launch::SurfaceFormat& format);
  Arg surface_handle(const ir::Instruction& instruction);
  void select_surface_load(const ir::Instruction& instruction, const launch::SurfaceFormat& format,
                           Predicate guard);
  void select_surface_store(const ir::Instruction& instruction, const launch::SurfaceFormat& format,
                            Predicate guard);

  // buffer.cpp
  Arg buffer_address(const ir::Instruction& instruction);
  Arg global_address(const Source& low, const Source& high, const Source& offset, int32_t more,
                     uint32_t reach = kLoadReach);
  Arg structure_address(const Source& low, const Source& high, ir::Value index, uint32_t stride,
                        const Source& within, uint32_t reach);
  void select_counter(const ir::Instruction& instruction, Predicate guard);
  uint32_t buffer_alignment(const ir::Instruction& instruction) const;
  void load_words(const ir::Instruction& instruction, const Arg& at, uint32_t alignment, Predicate guard);
  void store_words(const ir::Instruction& instruction, const Arg& at, uint32_t alignment, Predicate guard);

  // interface.cpp
  MachineValue special_register(int32_t number);
  Predicate has_pointer(uint32_t offset);
  Predicate load_coverage(Predicate lives);
  Pair element_address(uint32_t offset);
  void remember_plane(uint32_t plane, Pair address);
  Pair plane_address(uint32_t plane);
  Pair indexed_plane_address(const ir::Instruction& instruction);
  void select_input(const ir::Instruction& instruction);
  void select_output(const ir::Instruction& instruction);
  void select_system_value(const ir::Instruction& instruction);
  void select_coverage(const ir::Instruction& instruction, ir::SystemValue value);
  MachineValue load_plane(Pair at, uint32_t displacement = 0);
  void select_indexed_output(const ir::Instruction& instruction);
  void select_barrier(const ir::Instruction& instruction);

 private:
  static constexpr uint32_t kNoInstruction = 0xffffffffu;
  /// Do all lanes that reach the `if` or `switch` take the same arm?
  bool is_uniform(uint32_t marker) const {
    return !parts_.empty() && (parts_[marker] & ir::Uniformity::kBySelection) == 0;
  }
  uint32_t index_of(const ir::Instruction& instruction) const {
    return static_cast<uint32_t>(&instruction - module.code.data());
  }
  void scan();
  void select(const ir::Instruction& instruction);
  void finish_entry();

  // control_flow.cpp
  struct Open {
    uint32_t marker = 0;  // index of if, loop, switch
    machine::BlockId merge = machine::kNoBlock;
    machine::BlockId next = machine::kNoBlock;    // if: the second arm; loop: the continue block
    machine::BlockId header = machine::kNoBlock;  // loop
    uint32_t saved = 0;                           // variables at the start: first in saved_
    uint32_t arm_count = 0, next_arm = 0;         // switch: the last arm_count of arms_
  };
  struct Variable {
    uint32_t payload = 0;  // of op `output`
    bool is_predicate = false;
    MachineValue value = kNone;
  };
  void find_variables();
  bool assigns(uint32_t marker, uint32_t variable) const;
  bool may_assign(const ir::Instruction& instruction, uint32_t variable) const;
  void pass(ir::Value value, std::pmr::vector<MachineValue>& list);
  void pass_variables(uint32_t marker, std::pmr::vector<MachineValue>& list);
  void make_parameters(const ir::Instruction& results, uint32_t marker, std::pmr::vector<MachineValue>& list);
  void jump(machine::BlockId target, std::span<const ir::Value> values, uint32_t marker);
  void begin_merge(const ir::Instruction& end, const Open& construct);
  void restore_variables(const Open& construct);
  void open_if(const ir::Instruction& instruction);
  void open_loop(const ir::Instruction& instruction);
  void close_loop(const ir::Instruction& instruction);
  struct Arm {
    uint32_t label;  // instruction: its first
    bool is_default;
  };
  std::pmr::vector<Arm> arms_of(uint32_t marker);
  Predicate test_labels(const Source& selector, uint32_t label);
  void open_switch(const ir::Instruction& instruction);
  void open_arm();
  void leave_program();
  Open* innermost(bool loops_only);
  /// Variables of patch constants and the handle of emitted vertices have payloads of their own.
  static constexpr uint32_t kPatchFile = 0x1000, kHandlePayload = 0x2000;
  bool is_assignment(ir::Op op) const;
  uint32_t assigned_payload(const ir::Instruction& instruction) const;
  void add_variables(std::span<const ir::Parameter> parameters, uint32_t file);
  uint32_t variable_of(uint32_t payload) const;

  std::pmr::monotonic_buffer_resource known_arena_;
  ir::KnownValues known_;
  std::pmr::vector<uint32_t> uses_;        // by value
  std::pmr::vector<uint32_t> definition_;  // by value: index of the defining instruction
  std::pmr::vector<uint32_t> user_;        // by value: index of the last user
  std::pmr::vector<uint32_t> region_;      // by instruction: markers before it
  std::pmr::vector<uint8_t> done_;         // by instruction
  std::pmr::vector<Source> sources_;       // by value
  std::pmr::vector<MachineValue> high_;    // by value of 64 bits: the upper word
  std::pmr::vector<Predicate> predicates_;
  std::pmr::vector<uint32_t> end_of_;  // by marker, see ir::find_ends
  std::pmr::vector<uint8_t> leaves_;   // by end marker: is the point after it reached?
  std::pmr::vector<uint8_t> parts_;    // by marker: ir::Uniformity::Parting; empty: not known
  std::pmr::vector<Open> open_;
  std::pmr::vector<Variable> variables_;
  std::pmr::vector<uint64_t> assigned_;     // by marker and variable, a bit each
  std::pmr::vector<uint32_t> assigned_at_;  // by instruction: the marker's row in assigned_
  std::pmr::vector<MachineValue> saved_;
  std::pmr::vector<machine::BlockId> arms_;  // of open switches
  std::pmr::vector<MachineValue> scratch_;
  machine::BlockId exit_block_ = machine::kNoBlock;  // streams whose program returns early
  bool discards_ = false;
  bool selects_ = false;  // has an `if` or a `switch`
  bool returns_early_ = false;
  Predicate entry_live_;

  MachineValue element_ = kNone;   // pixels and vertices: this thread's
  MachineValue coverage_ = kNone;  // pixels: what the host specifies for this one
  /// The offsets of fetches from one pair of coordinates: those on each axis, one bit each from -8 on, and
  /// those that are consecutive.
  struct OffsetUses {
    ir::Value x, y;
    uint32_t along_x = 0, along_y = 0;
    std::array<uint32_t, 8> pairs{};  // one bit each: (x + 8) + 16 * (y + 8)
  };
  std::pmr::vector<OffsetUses> offset_uses_;
  bool knows_offset_uses_ = false;
  std::pmr::vector<MachineValue> arguments_;  // of a routine
  Source result_;                             // what it returns
  std::pmr::vector<uint8_t> input_masks_;     // graphics, by register: components that are read
  std::pmr::vector<uint8_t>
      used_components_;  // the same of hull, domain, geometry programs: component_slot()
  /// The hull phase that is open.
  struct Phase {
    uint32_t marker = kNoInstruction;
    machine::BlockId end = machine::kNoBlock;   // if a loop encloses the phase: where it is left
    machine::BlockId next = machine::kNoBlock;  // with several instances: the next one begins here
    machine::BlockId header = machine::kNoBlock;
    MachineValue instance = kNone;
  };
  Phase phase_;
  /// After the phases that one lane of a patch runs, if there are several lanes.
  machine::BlockId patch_end_ = machine::kNoBlock, other_points_ = machine::kNoBlock;
  bool in_patch_phases_ = false;
  uint32_t errors_before_;
};

}  // namespace texlate::maxwell::select
