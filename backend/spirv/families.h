// The families of instructions. Each class emits the instructions of one family; state that outlives an
// instruction is in the parts that they are given.
#pragma once

#include "backend/spirv/bindings.h"
#include "backend/spirv/hull.h"
#include "backend/spirv/matrix_products.h"
#include "backend/spirv/outputs.h"

namespace texlate::spirv {

/// Float, integer and double arithmetic, comparisons, conversions, predicates, derivatives.
class Arithmetic : private Writer {
 public:
  /// The type of an operand or a result in SPIR-V.
  enum class As : uint8_t { float_, uint, boolean, double_ };

  Arithmetic(Core& core, const Products& products) : Writer(core), products_(products) {}
  void emit(const Instruction& instruction);

 private:
  using Writer::emit;

  Id type_as(As as);
  Id use_as(Value value, As as);
  bool emit_table_row(const Instruction& instruction);
  bool emit_clamp(const Instruction& instruction);
  void emit_sum(const Instruction& instruction);
  void emit_integer(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);
  void emit_double(const Instruction& instruction);
  bool forbids_contraction(const Instruction& instruction);
  void forbid_contraction(const Instruction& instruction, Id id);
  void emit_product(const Product& product);
  Id emit_columns(const Product& product, Id column_type);
  Id emit_first_products(const Product& product, Id type);

  const Products& products_;
};

/// tex.* and surf.*: fetches, sampling, gathers, queries, unordered access (SPIR-V 3.42.10;
/// docs/reference/direct3d.md 6.1).
class Textures : private Writer {
 public:
  Textures(Core& core, Bindings& bindings, Interface& interface)
      : Writer(core), bindings_(bindings), interface_(interface) {}
  void emit(const Instruction& instruction);

 private:
  using Writer::emit;

  void emit_fetch(const Instruction& instruction);
  void emit_sample(const Instruction& instruction);
  void emit_gather(const Instruction& instruction);
  void emit_lod(const Instruction& instruction);
  void emit_size(const Instruction& instruction);
  void emit_samples(const Instruction& instruction);
  void emit_store(const Instruction& instruction);
  void emit_atomic(const Instruction& instruction);
  Id coordinate(const Instruction& instruction, bool is_float);
  Id constant_offset(const ir::ResourceAccess& contract);
  Id gather_offset(const Instruction& instruction);
  Id gradient(const Instruction& instruction, Slot first);
  Id texel_fallback(const Instruction& instruction, Kind kind);
  void define_texel(const Instruction& instruction, Id texel, Kind kind, Id status);
  Id split_sparse(const ir::ResourceAccess& contract, Id result, Id texel_type, Id& status);
  /// SPIR-V's type of one component of the image's texels.
  Id texel_component(const ir::ResourceAccess& contract);

  Bindings& bindings_;
  Interface& interface_;
};

/// buf.* and counter: raw and structured buffers are storage buffers of words, or texel buffers where the
/// binding map says so.
class Buffers : private Writer {
 public:
  Buffers(Core& core, Bindings& bindings) : Writer(core), bindings_(bindings) {}
  void emit(const Instruction& instruction);

 private:
  using Writer::emit;

  void emit_load(const Instruction& instruction);
  void emit_store(const Instruction& instruction);
  void emit_atomic(const Instruction& instruction);
  void emit_size(const Instruction& instruction);
  void emit_counter(const Instruction& instruction);
  Id word_index(const Instruction& instruction);
  Id load_word(const Instruction& instruction, Id index, Kind kind);
  void store_word(const Instruction& instruction, Id index, Id value, Kind kind);

  Bindings& bindings_;
};

/// The shader's own memory: constant tables, x#, g#; barriers.
class Memory : private Writer {
 public:
  explicit Memory(Core& core);
  void emit_table_load(const Instruction& instruction);
  void emit_local(const Instruction& instruction);
  void emit_shared(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);

 private:
  ArenaBuffer<Id> locals_{&arena_}, shared_{&arena_}, tables_{&arena_};  // variables; 0: not declared
};

/// Inputs and system values, what a shader reads back of its outputs, evaluation at other places.
class Inputs : private Writer {
 public:
  Inputs(Core& core, Interface& interface, Outputs& outputs, const HullPhases& hull)
      : Writer(core), interface_(interface), outputs_(outputs), hull_(hull) {}
  void emit_input(const Instruction& instruction);
  void emit_patch_input(const Instruction& instruction);
  void emit_output_control_point(const Instruction& instruction);
  void emit_system_value(const Instruction& instruction);
  void emit_evaluation(const Instruction& instruction);

 private:
  void emit_indexed_input(const Instruction& instruction);
  void emit_vertex_input(const Instruction& instruction);
  Id input_file(uint32_t registers);
  Id input_system_value(const Instruction& instruction, ir::SystemValue which, uint32_t component,
                        Kind& kind);
  Id position(const Instruction& instruction, uint32_t component);
  uint32_t row_length(const Element& element) const;
  void define_row(const Element& element, Id vector, uint32_t length);
  template <typename Pointer>
  Id load_indexed(Elements& elements, uint32_t component, Id reg, Pointer pointer_to);

  Interface& interface_;
  Outputs& outputs_;
  const HullPhases& hull_;
  Id input_file_ = 0;
};

/// Everything else: facts, clocks, discards.
class Miscellaneous : private Writer {
 public:
  Miscellaneous(Core& core, DescriptorReport& report) : Writer(core), report_(report) {}
  void emit_raster_samples(const Instruction& instruction);
  void emit_mapped(const Instruction& instruction);
  void emit_cycle_counter(const Instruction& instruction);
  void emit_discard(const Instruction& instruction);

 private:
  DescriptorReport& report_;
  Id raster_samples_ = 0;
};

/// An atomic operation; `compare`: what compare_exchange compares with.
Id emit_atomic(FunctionBody& body, ModuleBuilder& builder, ir::AtomicOp op, Id type, Id pointer,
               spv::Scope scope, Id value, Id compare);

}  // namespace texlate::spirv
