// The families of operations. Each class emits the instructions of one family.
#pragma once

#include "backend/ptx/compare_functions.h"
#include "backend/ptx/control_flow.h"

namespace texlate::ptx {

std::string_view atomic_name(ir::AtomicOp op);
/// Of a texture or a surface.
std::string_view geometry(ir::Dimension dimension);

/// Float, integer and double arithmetic, comparisons, conversions, predicates, derivatives.
class Arithmetic : private Writer {
 public:
  Arithmetic(Core& core, const ControlFlow& control_flow) : Writer(core), control_flow_(control_flow) {}
  void emit(const Instruction& instruction);

 private:
  void emit_plain(const Instruction& instruction, std::string_view name);
  bool emit_fused(const Instruction& instruction);
  void emit_bit_field(const Instruction& instruction);
  void emit_wide_sum(const Instruction& instruction);
  void emit_half_conversion(const Instruction& instruction);
  void emit_derivative(const Instruction& instruction);
  void emit_compare(const Instruction& instruction, Value result, Value combined_with);

  const ControlFlow& control_flow_;
};

/// The pipeline around a shader: elements of vertices and pixels (docs/launch_abi.md), threads of a grid,
/// barriers.
class Interface : private Writer {
 public:
  Interface(Core& core, Records& records) : Writer(core), records_(records) {}

  /// Families interface and effect.
  void emit(const Instruction& instruction);
  /// Before the code of pixels and vertices: the thread's element, and whether it may write. `has_masks`:
  /// with path masks, `has_pending`: and with jumps that pass stops.
  void begin(bool has_masks, bool has_pending);

 private:
  void emit_system_value(const Instruction& instruction);
  void emit_stream_value(const Instruction& instruction);
  void emit_barrier(const Instruction& instruction);
  void emit_element();
  void emit_coverage();

  Records& records_;
};

/// Constant tables, indexable temporaries, group-shared memory.
class Memory : private Writer {
 public:
  explicit Memory(Core& core) : Writer(core) {}
  void emit(const Instruction& instruction);

 private:
  Guard preset(const Instruction& instruction);
  Temp64 row_address(std::string_view array, uint32_t number, Value row);
  void emit_table_load(const Instruction& instruction);
  void emit_local(const Instruction& instruction);
  void emit_shared(const Instruction& instruction);

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

  /// Sets the used ones of the first `count` results to what they are if the guard, or another condition, is
  /// false.
  void preset_results(const Instruction& instruction, uint32_t count, bool is_conditional = false);
  Guard guard_of(const Instruction& instruction) const { return {slot(instruction, ir::Slot::guard)}; }
  /// When a store or an atomic takes effect.
  Effect effect_of(const Instruction& instruction);
  /// Registers with those of the `count` stored words from `first` on that are constants: elements of vectors
  /// must be registers.
  std::array<Temp, 4> load_constants(const Instruction& instruction, uint32_t first, uint32_t count);
  /// Ends a line with the stored words; null: constants are as they are.
  void put_stored(const Instruction& instruction, uint32_t first, uint32_t count,
                  const std::array<Temp, 4>* constants);
  /// Starts a line.
  void put_condition(const Effect& effect);
  /// Where an access to memory begins (backend/launch/lower_addresses.h).
  MemoryPlace place_of(const Instruction& instruction) const;
  void emit_global_atomic(const Instruction& instruction);

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

/// Buffers and typed views, in memory or through a surface.
class Views : private Accesses {
 public:
  Views(Core& core, Records& records) : Accesses(core, records) {}
  void emit(const Instruction& instruction);

 private:
  void emit_load(const Instruction& instruction);
  void emit_store(const Instruction& instruction);

  /// The surface and x in bytes.
  struct Texels {
    uint32_t bytes = 0;
    Temp64 surface = {0};
    Temp x = {0};
  };
  Texels find_texels(const Instruction& instruction);
  void load_texel(const Instruction& instruction);
  void store_texel(const Instruction& instruction);
  void put_place(const Instruction& instruction, const Texels& texels);
};

}  // namespace texlate::ptx
