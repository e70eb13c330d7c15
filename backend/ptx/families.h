// The families of operations. Each class emits the instructions of one family.
#pragma once

#include "backend/ptx/compare_functions.h"
#include "backend/ptx/control_flow.h"
#include "backend/ptx/records.h"

namespace texlate::ptx {

struct PlainForm;
std::string_view atomic_name(ir::AtomicOp op);

/// Float, integer and double arithmetic, comparisons, conversions, predicates, derivatives.
class Arithmetic : private Writer {
 public:
  Arithmetic(Core& core, const ControlFlow& control_flow) : Writer(core), control_flow_(control_flow) {}
  void emit(const Instruction& instruction);

 private:
  void emit_plain(const Instruction& instruction, const PlainForm& plain);
  bool emit_fused(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);
  void emit_half_conversion(const Instruction& instruction);
  void emit_derivative(const Instruction& instruction);
  void emit_compare(const Instruction& instruction, Value result, Value combined_with);

  const ControlFlow& control_flow_;
};

/// Constant buffers, tables, indexable temporaries, group-shared memory.
class Memory : private Writer {
 public:
  Memory(Core& core, Records& records) : Writer(core), records_(records) {}
  void emit(const Instruction& instruction);

 private:
  Guard preset(const Instruction& instruction);
  Temp64 row_address(std::string_view array, uint32_t number, Value row);
  void emit_constant_buffer(const Instruction& instruction);
  void emit_table_load(const Instruction& instruction);
  void emit_local(const Instruction& instruction);
  void emit_shared(const Instruction& instruction);

  Records& records_;
  /// The address of the last accessed row, in the region that computed it.
  struct RowAddress {
    uint32_t region = 0, array = 0;
    Value row = ir::kNoValue;
    Temp64 address = {0};
  };
  RowAddress local_address_, table_address_;
};

/// Base of the families that access resources.
class Accesses : protected Writer {
 protected:
  Accesses(Core& core, Records& records) : Writer(core), records_(records) {}

  /// Sets the used ones of the first `count` results to what they are if the guard is false.
  void preset_results(const Instruction& instruction, uint32_t count);
  Guard guard_of(const Instruction& instruction) const { return {slot(instruction, ir::Slot::guard)}; }
  /// When a store or an atomic takes effect.
  Effect effect_of(const Instruction& instruction);
  /// Starts a line.
  void put_condition(const Effect& effect);
  void emit_global_atomic(const Instruction& instruction, Temp64 address);

  Records& records_;
};

/// tex and tld4 (PTX ISA 9.7.10): bindless handles from the parameter block, guards as predicates over preset
/// results, so that the hardware never gets a request that the ISA leaves undefined.
class Textures : private Accesses {
 public:
  Textures(Core& core, Records& records, CompareFunctions& functions)
      : Accesses(core, records), functions_(functions) {}
  void emit(const Instruction& instruction);

 private:
  void emit_texel_access(const Instruction& instruction);
  void put_coordinates(const Instruction& instruction, bool is_float);
  void put_level(const Instruction& instruction, bool is_float);
  void put_offset(const ir::ResourceAccess& contract);

  CompareFunctions& functions_;
};

/// Raw and structured buffers: guarded global memory. Counters of structured buffers.
class Buffers : private Accesses {
 public:
  Buffers(Core& core, Records& records) : Accesses(core, records) {}
  void emit(const Instruction& instruction);

 private:
  /// Words of a buffer.
  struct Place {
    Temp64 address = {0};
    uint32_t displacement = 0;
    uint32_t alignment = 4;  // of the address, in bytes: 4, 8 or 16
  };
  Place place_of(const Instruction& instruction);
  void emit_load(const Instruction& instruction, const Place& place);
  void emit_atomic(const Instruction& instruction, const Place& place);
  void emit_store(const Instruction& instruction, const Place& place);
  void emit_counter(const Instruction& instruction);

  /// The address of the last accessed element of a structured buffer, in the region that computed it.
  struct ElementAddress {
    uint32_t region = 0;
    Temp64 buffer = {0}, address = {0};
    Value index = ir::kNoValue;
  };
  ElementAddress element_address_;
};

/// Typed unordered access. Views that are only read or only written are CUDA surfaces (suld, sust); other
/// views are linear memory with pitches (launch_abi.cpp gives the reason). Texels are accessed as they are
/// stored; pack_texels (ir/passes) converts them.
class Surfaces : private Accesses {
 public:
  Surfaces(Core& core, Records& records) : Accesses(core, records) {}
  void emit(const Instruction& instruction);

 private:
  /// How the texels of a view are accessed: their size in bytes, and linear memory or a surface.
  struct Texels {
    uint32_t bytes = 0;
    bool linear = false, coherent = false;
    Temp64 place = {0};  // address or surface
    Temp x = {0};        // of a surface, in bytes
  };
  uint32_t texel_bytes(uint16_t resource) const;
  Texels find_texels(const Instruction& instruction);
  void emit_load(const Instruction& instruction);
  void emit_store(const Instruction& instruction);
  Temp64 linear_address(const Instruction& instruction, uint32_t bytes);
  void put_place(const Instruction& instruction, const Texels& texels);
};

}  // namespace texlate::ptx
