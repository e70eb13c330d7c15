// State and helpers that the parts of the SPIR-V emitter share.
//
// A 32-bit value of the IR is bits; here it is a float or an unsigned integer, or both (one OpBitcast after
// its definition), as infer_types decides. Signed operations take unsigned operands in SPIR-V, so there is no
// third kind.
#pragma once

#include "backend/spirv/emit.h"
#include "backend/spirv/kinds.h"
#include "backend/spirv/module_builder.h"
#include "ir/structure.h"

namespace texlate::spirv {

using ir::Instruction;
using ir::Op;
using ir::Slot;
using ir::Value;

constexpr uint32_t kNoIndex = 0xffffffffu;

class Emitter {
 public:
  Emitter(const ir::Module& source, const Options& choices, Diagnostics& sink, HostInterface* host);
  bool run(std::pmr::vector<uint32_t>& out);

 private:
  // Instructions of the function. `emit` has a result, `effect` has none.
  Id emit(spv::Op op, Id type, std::initializer_list<uint32_t> operands);
  Id emit(spv::Op op, Id type, std::span<const uint32_t> operands);
  void effect(spv::Op op, std::initializer_list<uint32_t> operands) { append(*code_, op, operands); }
  Id extended(uint32_t instruction, Id type, std::initializer_list<Id> operands);
  /// Types that are declared after the operands: nothing puts the arguments of a call in order but braces,
  /// and a module shall not hang on the compiler of its translator.
  enum class Scalar : uint8_t { boolean, uint, int_, float_ };
  static constexpr Scalar scalar_of(Kind kind) {
    return kind == Kind::float_ ? Scalar::float_ : Scalar::uint;
  }
  Id type_of(Scalar scalar);
  Id emit(spv::Op op, Scalar type, std::initializer_list<uint32_t> operands) {
    return emit(op, type_of(type), operands);
  }
  Id extended(uint32_t instruction, Scalar type, std::initializer_list<Id> operands) {
    return extended(instruction, type_of(type), operands);
  }
  /// Of the second and the third, by the first.
  template <typename Type>
  Id select(Type type, std::initializer_list<Id> operands) {
    return emit(spv::OpSelect, type, operands);
  }
  Id access_chain(spv::StorageClass storage, Id type, std::initializer_list<Id> operands) {
    return emit(spv::OpAccessChain, builder_.pointer_type(storage, type), operands);
  }
  /// What `make` emits goes to the start of the function.
  template <typename Make>
  auto at_entry(Make make) {
    Words* const here = code_;
    code_ = &prologue_;
    const auto result = make();
    code_ = here;
    return result;
  }

  // Values
  Id as_float(Value value) { return use(value, Kind::float_); }
  Id as_uint(Value value) { return use(value, Kind::uint); }
  Id as_bool(Value value);
  Id as_double(Value value);
  Id use(Value value, Kind kind);
  Id type_of(Kind kind) { return kind == Kind::float_ ? builder_.float_type() : builder_.uint_type(); }
  void define(Value value, Kind kind, Id id);
  void define_bool(Value value, Id id) { ids_[value].uint = id; }
  void define_double(Value value, Id id) { ids_[value].float_ = id; }
  /// Bits as another type of the same size.
  Id bitcast(Id type, Id id) { return emit(spv::OpBitcast, type, {id}); }
  Id convert(Id id, Kind from, Kind to) { return from == to ? id : bitcast(type_of(to), id); }
  /// What an fadd adds, or subtracts from the first.
  struct Addends {
    std::array<Value, 2> values;
    bool subtracts;
  };
  Addends addends(const Instruction& fadd) const {
    const Value a = operand(fadd, 0), b = operand(fadd, 1);
    if (negated_[b] != 0) return {{a, negated_[b] - 1}, true};
    if (negated_[a] != 0) return {{b, negated_[a] - 1}, true};
    return {{a, b}, false};
  }
  /// Of a minimum with a constant: the instruction that makes its operand the maximum with another, smaller
  /// constant. NClamp is both, and gives the smaller one for a NaN as they do. Null: there is none.
  const Instruction* clamped_maximum(const Instruction& minimum) const;
  bool is_used(Value value) const { return (need_[value] & kUsed) != 0; }
  Id constant(uint32_t bits) { return builder_.constant(bits); }
  Id real(float value) { return builder_.constant_float(value); }
  /// a + b, a >> b and a * b on unsigned integers, with constants folded.
  Id add(Id a, uint32_t b) { return b == 0 ? a : emit(spv::OpIAdd, Scalar::uint, {a, constant(b)}); }
  void refuse(const Instruction& instruction, std::string_view what);
  void refuse_system_value(const Instruction& instruction, ir::SystemValue which, std::string_view as);

  // infer_types.cpp
  void find_structure();
  void find_what_holds(const ir::Structure& structure);
  void infer_types();
  void survey();
  void decide_memory();
  void fix_kinds();
  void vote(bool count_sources);
  void note_needs();
  bool vote_for_memory(const Instruction& instruction);
  void choose_kind(const Instruction& instruction, Value value, bool count_sources);
  Kind varying_operand_kind(const Instruction& instruction, uint32_t position) const;
  Kind varying_result_kind(const Instruction& instruction, uint32_t result) const;
  Kind access_operand_kind(const Instruction& instruction, uint32_t position) const;
  Kind access_result_kind(const Instruction& instruction, uint32_t result) const;
  Kind flow_kind(const Instruction& instruction, uint32_t index, uint32_t position) const;
  template <typename Visit>
  void for_each_operand(uint32_t index, Visit visit) const;

  // emit.cpp
  bool is_within_limits(const Instruction& instruction);
  void emit_instruction(const Instruction& instruction);
  void emit_line(const Instruction& instruction);
  void set_execution_modes(Id entry);
  void set_float_controls(Id entry);
  bool set_geometry_modes(Id entry);

  // arithmetic.cpp, integer.cpp, double_precision.cpp
  void emit_arithmetic(const Instruction& instruction);
  bool emit_table_row(const Instruction& instruction);
  bool emit_clamp(const Instruction& instruction);
  void emit_sum(const Instruction& instruction);
  bool forbids_contraction(const Instruction& instruction);
  void forbid_contraction(const Instruction& instruction, Id id);
  void emit_integer(const Instruction& instruction);
  void emit_double(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);

  // matrix_products.cpp
  class ProductFinder;
  struct Product;
  void find_products();
  void emit_product(const Product& product);
  Id emit_columns(const Product& product, Id column_type);
  Id emit_first_products(const Product& product, Id type);

  // control_flow.cpp
  void emit_control(const Instruction& instruction);
  void start_block(Id label);
  void branch(Id label);
  void branch_with_values(uint32_t construct, bool to_continue, const Instruction& instruction);
  bool emit_conditional_jump(const Instruction& instruction);
  void emit_phis(const Instruction& results_of, uint32_t first_edge, uint32_t edge_count);
  void close_construct(const Instruction& instruction);
  void emit_loop(const Instruction& instruction);
  void emit_endloop(const Instruction& instruction);
  void emit_switch(const Instruction& instruction);
  uint32_t innermost(bool loops_only) const;
  Id minimum(Id a, uint32_t b);
  void begin_guard(Id holds);
  void guard_begin(Value guard);
  Id guard_end(Id type, Id value, Id fallback);
  Id phi_operand(Value value, Value result);

  // interface.cpp, builtins.cpp
  struct Element;
  using Elements = ArenaBuffer<Element>;
  void declare_interface();
  void declare_parameters(std::span<const ir::Parameter> parameters, bool is_input);
  bool is_outer(bool is_input) const;
  Id component_type(const Element& element);
  void decorate_location(const Element& element);
  void declare_capture(const ir::Parameter& parameter);
  Id declare_clip_cull(std::span<const ir::Parameter> parameters, bool is_input, ir::SystemValue which);
  Id builtin(spv::BuiltIn which, Id type, spv::StorageClass storage);
  Id load_builtin(spv::BuiltIn which, Id type);
  Kind signature_kind(const ir::Parameter& parameter, bool is_input) const;
  void emit_input(const Instruction& instruction);
  Id input_system_value(const Instruction& instruction, ir::SystemValue which, uint32_t component,
                        Kind& kind);
  void emit_system_value(const Instruction& instruction);
  void emit_vertex_input(const Instruction& instruction);
  void emit_patch_input(const Instruction& instruction);
  void emit_patch_output(const Instruction& instruction);
  void emit_output_control_point(const Instruction& instruction);
  void declare_patch_constants();
  void name_element(const Element& element, std::string_view prefix);
  Id tessellation_levels(bool inner, spv::StorageClass storage);
  static constexpr uint32_t kWhole = 4;  // all components
  Id vertex_pointer(Element& element, Id index, uint32_t component);
  Id point_pointer(spv::StorageClass storage, const Element& element, Id index, uint32_t component);
  uint32_t row_length(const Element& element) const;
  void define_row(const Element& element, Id vector, uint32_t length);
  Id patch_vector(Element& element);
  Id patch_pointer(Element& element, uint32_t component);
  uint32_t first_location(uint32_t stream) const;
  template <typename Pointer>
  Id load_indexed(Elements& elements, uint32_t component, Id reg, Pointer pointer_to);
  void store_indexed(Elements& elements, uint32_t component, Id reg, Id value,
                     Id (Emitter::*pointer_to)(Element&, uint32_t));

  // outputs.cpp
  void emit_output(const Instruction& instruction);
  void emit_vertex(const Instruction& instruction);
  Id output_pointer(Element& element, uint32_t component);
  Id output_vector(Element& element);
  Id output_builtin(Element& element);
  void hold_output(Element& element, uint32_t component, Value value);
  void store_outputs();
  void store_outputs_of_block();
  void store_point_size();
  void store_output(Element& element, Id (Emitter::*vector_of)(Element&),
                    Id (Emitter::*pointer_to)(Element&, uint32_t));

  // interlock.cpp
  void find_ordered_section();
  bool runs_for_each_sample() const;
  void set_interlock_mode(Id entry);
  void begin_ordered_section();
  void end_ordered_section();

  // hull.cpp
  void start_phase(uint32_t phase);
  void finish_phase();
  void forget_entry_values();
  void emit_hull_entry();
  bool set_tessellation_modes(Id entry);
  Id invocation();
  Id phase_instance();
  void emit_evaluation(const Instruction& instruction);
  Element* find_element(Elements& elements, uint32_t reg, uint32_t component);
  const Element* find_element(const Elements& elements, uint32_t reg, uint32_t component) const;
  Kind input_kind(const Instruction& instruction) const;
  Kind output_kind(const Instruction& instruction) const;
  Kind output_kind(const Element& element) const;

  // resources.cpp
  struct Binding;
  void declare_bindings();
  void describe(Id variable, DescriptorKind kind, RegisterClass register_class, uint32_t index);
  void describe(Id variable, const Descriptor& descriptor, std::string_view name);
  void report(const Descriptor& descriptor);
  Id specialize(Fact fact, uint32_t resource);
  bool is_multisampled(const ir::Resource& resource) const;

  // descriptor_arrays.cpp
  Place place_of(RegisterClass register_class, uint32_t space, uint32_t reg);
  template <typename Declared>
  static bool is_element(const Place& place, const Declared& declared) {
    return declared.is_range() || place.array_size != 0;
  }
  bool is_indexed(const Place& place, Value at) const {
    return place.offset_at != kNoOffset || (at != ir::kNoValue && !module_.is_constant(at));
  }
  Id descriptor_index(const Place& place, Value at);
  std::string register_name(const Descriptor& descriptor) const;
  void refuse_default_place(const Descriptor& descriptor);
  void check_places();
  DescriptorKind resource_kind(uint32_t resource) const;
  /// Raw and structured buffers: is it a storage buffer? Otherwise it is a texel buffer.
  bool is_block(uint32_t resource) const;
  bool may_alias(uint32_t index) const;
  void declare_resource(uint32_t index);
  Id image_type(uint32_t resource);
  Id array_of(Id element, uint32_t lower_bound, uint32_t upper_bound, const Place& place, Id& pointee);
  Id buffer_block(Kind kind);
  /// Pointer to the descriptor (a range's element) and the object loaded from it.
  Id image(const Instruction& instruction);
  Id image_of(uint32_t resource, Value index, bool non_uniform);
  Id sampler(const ir::ResourceAccess& access, const Instruction& instruction);
  Id sampled_image(const Instruction& instruction);
  const CombinedEntry* combined_entry(uint32_t resource, uint32_t sampler) const;
  const CombinedEntry* only_combined(uint32_t resource) const;
  Id combined_object(uint32_t resource, const CombinedEntry& entry);
  void require_indexing(uint32_t resource, bool non_uniform);
  bool is_non_uniform(const Instruction& instruction, Slot index) const;
  void emit_binding(const Instruction& instruction);
  Id bound(uint32_t resource);
  Id buffer_size(const ir::Resource& resource, Id words, ir::BindingFact fact);
  Id query(uint32_t resource, Value index, ir::BindingFact fact);

  // texture.cpp
  void emit_texture(const Instruction& instruction);
  void emit_fetch(const Instruction& instruction);
  void emit_sample(const Instruction& instruction);
  void emit_gather(const Instruction& instruction);
  void emit_lod(const Instruction& instruction);
  void emit_size(const Instruction& instruction);
  void emit_surface(const Instruction& instruction);
  void emit_surface_atomic(const Instruction& instruction);
  Id texel_pointer(const Instruction& instruction, Id type, Id where);
  Id coordinate(const Instruction& instruction, bool is_float);
  Id constant_offset(const ir::ResourceAccess& access);
  Id gather_offset(const Instruction& instruction);
  Id texel_fallback(const Instruction& instruction, Kind kind);
  void define_texel(const Instruction& instruction, Id texel, Kind kind, Id status);
  Id split_sparse(const ir::ResourceAccess& access, Id result, Id texel_type, Id& status);
  Kind texel_kind(const ir::ResourceAccess& access) const;
  Id texel_component(const ir::ResourceAccess& access);

  // constant_buffers.cpp, push_constants.cpp
  struct ConstantLayout;
  void plan_constant_buffers();
  void note_constant_components();
  Id row_block(const ConstantLayout& layout);
  Id array_block(const ConstantLayout& layout, const ir::ConstantBuffer& buffer, Kind kind);
  Id constant_buffer_variable(uint32_t index, Kind kind);
  Id range_index(const Instruction& load, bool& non_uniform);
  void emit_constant_buffer(const Instruction& instruction);
  struct PushRange;
  void collect_push_ranges(ArenaBuffer<PushRange>& ranges) const;
  void refuse_overlaps(const ArenaBuffer<PushRange>& ranges);
  void declare_push_constants();
  Id push_constant_word(uint32_t offset);
  void emit_push_constant(const Instruction& instruction);

  // memory.cpp, buffer.cpp
  void emit_memory(const Instruction& instruction);
  void emit_table_load(const Instruction& instruction);
  void emit_local(const Instruction& instruction);
  void emit_shared(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);
  void emit_buffer(const Instruction& instruction);
  void emit_buffer_size(const Instruction& instruction);
  Id counter_pointer(const Instruction& instruction);
  void emit_counter(const Instruction& instruction);
  Id word_index(const Instruction& instruction);
  Id buffer_element(const Instruction& instruction, Id index, Kind kind);
  Id load_word(const Instruction& instruction, Id index, Kind kind);
  void store_word(const Instruction& instruction, Id index, Id value, Kind kind);
  Id atomic(ir::AtomicOp op, Id type, Id pointer, spv::Scope scope, Id value, Id compare);

  const ir::ResourceAccess& access(const Instruction& instruction) const {
    return module_.access_of(instruction);
  }
  Value slot(const Instruction& instruction, Slot which) const { return module_.operand(instruction, which); }
  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  uint32_t operand_bits(const Instruction& instruction, uint32_t i) const {
    return module_.constant_bits(operand(instruction, i));
  }
  bool guarded() const { return options_.robustness == Robustness::shader; }

  const ir::Module& module_;
  std::pmr::monotonic_buffer_resource arena_;
  const Options& options_;
  Diagnostics& diagnostics_;
  HostInterface* host_;
  ModuleBuilder builder_;
  Words body_, prologue_;
  Words functions_;  // hull shaders: their phases
  Words* code_ = &body_;
  uint32_t errors_before_;
  uint32_t current_ = 0;  // index of the instruction being emitted
  Id block_ = 0;          // label of the block being emitted
  bool reached_ = true;   // is the end of that block reached?
  Id source_name_ = 0;
  uint32_t line_ = 0;

  // By value
  // kCombinable: it comes from arithmetic that an addition or multiplication could be combined with.
  // kShared: it has several uses. kStartsRow, kHeldSum: see ProductFinder.
  static constexpr uint8_t kNeedsFloat = 1, kNeedsUint = 2, kUsed = 4, kCombinable = 8, kShared = 16,
                           kStartsRow = 32, kHeldSum = 64;
  struct Ids {
    Id float_ = 0;  // of a b64: the double
    Id uint = 0;    // of a b1: the boolean
  };
  // By value.
  std::span<Ids> ids_;
  std::span<Kind> kind_;
  std::span<uint8_t> need_;
  std::span<Value> negated_;     // of an fneg: what it negates, plus 1
  std::span<uint32_t> maximum_;  // of an fmax or dmax with a constant: its instruction, plus 1
  std::span<int32_t> score_;
  // What the first round of votes leaves to the second.
  bool undecided_ = false, memory_is_typed_ = false;
  // By instruction
  std::span<uint32_t> end_of_;     // if: else; else: endif; loop, switch: end marker
  std::span<uint32_t> flows_to_;   // markers: whose results the operands become
  std::span<uint8_t> holds_over_;  // markers: outputs can be held over what they open; empty: there are none
  // By array or buffer: the kind of its elements
  std::span<Kind> local_kind_, shared_kind_, buffer_kind_, table_kind_;
  std::span<int32_t> local_score_, shared_score_, buffer_score_, table_score_;
  std::span<uint8_t> shared_atomics_;                      // by shared array
  std::span<uint8_t> has_atomics_, is_read_, is_written_;  // by resource

  /// Rows times one vector, each a chain of an fmul and ffma that follow each other.
  struct Product {
    uint32_t count = 0, length = 0;    // of chains, of instructions in each
    uint32_t width = 0;                // of the vectors that the rows are
    std::array<uint32_t, 4> chains{};  // where they start
    std::array<Value, 4> rows{};       // the first component
    std::array<Value, 4> factors{};    // what all are multiplied by, by step
  };
  ArenaBuffer<uint32_t> product_at_{&arena_};  // by instruction; empty: there are none
  ArenaBuffer<Product> products_{&arena_};

  // Control flow. What is emitted for a construct lives as long as it is open, so this is a stack.
  struct Open {
    uint32_t marker, end;
    Id merge = 0, other = 0;  // other: else, or the continue target
    uint32_t first_edge = kNoIndex, first_continue = kNoIndex;
    uint32_t edge_count = 0, continue_count = 0;
    uint32_t phi_patch = 0;  // loop: where in body_ the header's phis start
    uint32_t next_arm = 0, first_arm = 0;
  };
  struct Edge {
    Id block;
    uint32_t first_operand;  // in Module::operands
    uint32_t next;
  };
  ArenaBuffer<Open> open_{&arena_};
  ArenaBuffer<Edge> edges_{&arena_};
  Id guard_merge_ = 0, guard_from_ = 0;

  // Rasterizer-ordered views: instructions from the first to the last are in the section.
  uint32_t ordered_first_ = kNoIndex, ordered_last_ = 0;
  bool in_ordered_section_ = false;

  // Hull phases
  ArenaBuffer<Id> phase_functions_{&arena_};
  uint32_t phase_ = 0;
  Id phase_label_ = 0;
  Id instance_ = 0;  // parameter of the phase's function; 0: it has one instance

  // Interface
  struct Element {
    uint32_t reg = 0;
    uint8_t mask = 0;
    uint8_t first = 0;  // component of the register that component 0 of the variable is
    uint8_t count = 4;  // components of the variable
    Kind kind = Kind::float_;
    bool is_output = false;
    bool is_signed = false;  // of Kind::uint: the variable is one of signed integers
    ir::SystemValue system_value = ir::SystemValue::none;
    Id variable = 0;
    Id whole = 0;          // inputs: loaded at entry
    Id component[4] = {};  // inputs: extracted at entry; outputs: access chains
    std::array<Value, 4> held{kNoIndex, kNoIndex, kNoIndex,
                              kNoIndex};  // outputs: what is to be stored, by component
    uint8_t clip_base[4] = {};
    uint8_t stream = 0;
    uint32_t array_size = 0;                               // vertices or control points
    uint32_t semantic = ir::kNoValue, semantic_index = 0;  // see ir::Parameter
    bool is_vector() const {
      return system_value == ir::SystemValue::none || system_value == ir::SystemValue::position;
    }
  };
  struct Builtin {
    uint32_t key;
    Id variable, value;
  };
  ArenaBuffer<Element> inputs_{&arena_}, outputs_{&arena_}, patch_{&arena_};
  ArenaBuffer<Builtin> builtins_{&arena_};
  Id tessellation_levels_[2] = {};  // outer, inner
  Id raster_samples_ = 0;
  Id input_file_ = 0;
  bool holds_outputs_ = false;
  uint32_t held_until_ = 0;   // instructions before this one leave held outputs as they are
  bool has_streams_ = false;  // geometry streams other than 0

  // Bindings
  struct Binding {
    Id variable = 0;       // images, samplers, buffers
    Id uint_variable = 0;  // constant buffers: the same bytes as unsigned integers
    Id pointee = 0;        // type of one descriptor's object
    Id object = 0;         // loaded at entry
    Id counter = 0;
    Id bound = 0, missing_alpha = 0;
    Place place;
    uint32_t push_member = 0,
             push_words = 0;  // constant buffers in push constants: which member of the block
  };
  ArenaBuffer<Binding> resources_{&arena_}, samplers_{&arena_}, constant_buffers_{&arena_};
  struct Pair {
    Id image, sampler, sampled, block;
  };
  ArenaBuffer<Pair> pairs_{&arena_};
  struct Combined {
    const CombinedEntry* entry;
    Id variable, object;
  };
  ArenaBuffer<Combined> combined_{&arena_};
  ArenaBuffer<Id> locals_{&arena_}, shared_{&arena_}, tables_{&arena_};
  Id block_type_[3] = {};
  /// A row of a constant buffer that is a member of its struct.
  struct RowMember {
    uint32_t row = 0;
    Kind kind = Kind::float_;
    uint8_t used = 0;  // components, of all loads
    bool is_scalar() const { return (used & (used - 1)) == 0; }
    bool operator==(const RowMember& other) const {
      return row == other.row && kind == other.kind && is_scalar() == other.is_scalar() &&
             (!is_scalar() || used == other.used);
    }
  };
  static constexpr uint32_t kMostRowMembers = 4;
  struct ConstantLayout {
    std::array<RowMember, kMostRowMembers> rows{};  // ascending
    uint8_t count = 0;
    bool overflowed = false;  // more rows are read than `rows` holds
    bool indexed = false;     // by a run-time number
    bool is_array = true;
    std::array<uint32_t, 2> loads{};  // as floats, as integers
    uint32_t end = 0;                 // the last row that is read, plus 1
    Id block = 0;
    /// Which member a row is; kNoIndex: none.
    uint32_t member_of(uint32_t row) const {
      for (uint32_t m = 0; m < count; ++m) {
        if (rows[m].row == row) return m;
      }
      return kNoIndex;
    }
    void read_row(uint32_t row, Kind kind);
  };
  ArenaBuffer<ConstantLayout> constant_layouts_{&arena_};
  ArenaBuffer<uint32_t> constant_loads_{&arena_};
  struct Block {
    uint32_t rows;
    Kind kind;
    Id type;
  };
  ArenaBuffer<Block> constant_blocks_{&arena_};
  Id counter_type_[2] = {};  // a storage buffer, a texel buffer
  Id push_constants_ = 0;
  /// Single words of the push constants: offsets into arrays of descriptors.
  struct PushWord {
    uint32_t offset, member;
  };
  ArenaBuffer<PushWord> push_words_{&arena_};
  ArenaBuffer<Descriptor> described_{&arena_};
};

}  // namespace texlate::spirv
