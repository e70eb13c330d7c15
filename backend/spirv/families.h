// The families of instructions. Each class emits the instructions of one family. State that outlives an
// instruction is in the objects that the constructors take.
#pragma once

#include "backend/spirv/hull.h"
#include "backend/spirv/packs.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

/// Float, integer and double arithmetic, comparisons, conversions, predicates, derivatives.
class Arithmetic : private Writer {
 public:
  Arithmetic(Core& core, const Products& products)
      : Writer(core), products_(products), packs_(module_, code_, products, values_, options_.vectors) {}
  /// The current instruction, unless it has been written with an earlier one, and what becomes one with it.
  void emit(const Instruction& instruction);

 private:
  using Writer::emit;

  void emit_vector(const Pack& pack, const OperationRow& row);
  void emit_member(const Pack& pack, const OperationRow& row, uint32_t lane);
  void emit_joined(const Pack& pack, const OperationRow& row);
  Id emit_row(const Pack& pack, const OperationRow& row, Id type,
              const std::array<Id, kMostOperands>& operands);
  Id emit_scaling(const Pack& pack, const OperationRow& row, Id type);
  bool emit_dot();
  void emit_other(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);
  void emit_product(const Product& product);
  Id emit_columns(const Product& product, Id column_type);

  const Products& products_;
  PackFormer packs_;
};

/// tex.* and surf.*: fetches, sampling, gathers, queries, unordered access (SPIR-V 3.42.10;
/// docs/reference/direct3d.md 6.1).
class Textures : private Writer {
 public:
  Textures(Core& core, Bindings& bindings) : Writer(core), bindings_(bindings) {}
  void emit_fetch(const Instruction& instruction);
  void emit_sample(const Instruction& instruction);
  void emit_gather(const Instruction& instruction);
  void emit_lod(const Instruction& instruction);
  void emit_size(const Instruction& instruction);
  void emit_mapped(const Instruction& instruction);
  void emit_store(const Instruction& instruction);
  void emit_atomic(const Instruction& instruction);

 private:
  Id coordinate(const Instruction& instruction, bool is_float);
  Id constant_offset(const ir::ResourceAccess& contract);
  bool asks_residency(const ir::ResourceAccess& contract) const;
  struct Offset {
    spv::ImageOperandsMask kind;
    Id id;
  };
  Offset gather_offset(const Instruction& instruction);
  Id axes(const Instruction& instruction, Slot first);
  Lanes texel_lanes(const Instruction& instruction, Slot first) const;
  Id texel_fallback(const Instruction& instruction, Kind kind);
  void define_texel(const Instruction& instruction, Id texel, Kind kind, Id status);
  struct Texel {
    Id value, status;
  };
  Id result_type(const ir::ResourceAccess& contract, Id texel_type);
  Texel emit_access(const ir::ResourceAccess& contract, spv::Op op, Id result_type, Id texel_type,
                    std::span<const Operand> operands);
  Id guarded(const Instruction& instruction, Id type, Id texel, Kind kind);
  bool has_signed_texels(const ir::ResourceAccess& contract) const;

  Bindings& bindings_;
};

/// buf.* and counter: raw and structured buffers are storage buffers of words, or texel buffers if the
/// binding map says so.
class Buffers : private Writer {
 public:
  Buffers(Core& core, Bindings& bindings) : Writer(core), bindings_(bindings) {}
  void emit_load(const Instruction& instruction);
  void emit_store(const Instruction& instruction);
  void emit_atomic(const Instruction& instruction);
  void emit_counter(const Instruction& instruction);

 private:
  Id word_index(const Instruction& instruction);
  Id load_word(const Instruction& instruction, Id index, Kind kind);
  void store_word(const Instruction& instruction, Id index, Id value, Kind kind);

  Bindings& bindings_;
};

/// The shader's own memory: constant tables, x#, g#; barriers.
class Memory : private Writer {
 public:
  explicit Memory(Core& core) : Writer(core) {}
  void emit_table_load(const Instruction& instruction);
  void emit_local(const Instruction& instruction);
  void emit_shared(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);

 private:
  // Variables; none: not declared.
  const std::span<Id> locals_ = zeroed<Id>(arena_, module_.locals.size());
  const std::span<Id> shared_ = zeroed<Id>(arena_, module_.shared.size());
  const std::span<Id> tables_ = zeroed<Id>(arena_, module_.tables.size());
};

/// Inputs and system values, outputs that a shader reads back, evaluation at other places.
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
  Id input_system_value(ir::SystemValue which);
  Id inverse_w();
  uint32_t row_length(const Element& element) const;
  void define_row(const Element& element, Id row, uint32_t length);
  template <typename Pointer>
  bool load(const Instruction& instruction, Elements& elements, uint32_t least_row, Pointer pointer_to);
  template <typename Pointer>
  Id load_indexed(Elements& elements, uint32_t component, Id reg, Pointer pointer_to);

  Interface& interface_;
  Outputs& outputs_;
  const HullPhases& hull_;
  Id input_file_ = Id::none;
  Id inverse_w_ = Id::none;  // of a pixel's position
};

/// Messages and clocks.
class Effects : private Writer {
 public:
  explicit Effects(Core& core) : Writer(core) {}
  void emit_cycle_counter(const Instruction& instruction);
  void emit_message(const Instruction& instruction);
};

/// An atomic operation; `compare`: the value that compare_exchange compares with.
Id emit_atomic(FunctionBody& body, ModuleBuilder& builder, ir::AtomicOp op, Id type, Id pointer,
               spv::Scope scope, Id value, Id compare);

}  // namespace texlate::spirv
