// The families of operations. Each class selects the instructions of one family.
#pragma once

#include <optional>

#include "backend/maxwell/isa/texture_packing.h"
#include "backend/maxwell/select/host.h"

namespace texlate::maxwell::select {

/// Arithmetic of all types, comparisons, selections, conversions, derivatives.
class Arithmetic : private Writer {
 public:
  explicit Arithmetic(Core& core) : Writer(core) {}

  void select_float(const ir::Instruction& instruction);
  void select_derivative(const ir::Instruction& instruction);
  void select_double(const ir::Instruction& instruction);
  void select_integer(const ir::Instruction& instruction);
  void select_conversion(const ir::Instruction& instruction);
  void select_predicate(const ir::Instruction& instruction);

 private:
  // predicate.cpp, compare.cpp
  void select_compare(const ir::Instruction& instruction);
  void select_logic(const ir::Instruction& instruction, Boolean how);
  const ir::Instruction* own_comparison(ir::Value condition) const;
  void select_one_or_less(const ir::Instruction& instruction, const ir::Instruction& compared);
  MachineValue emit_compare_mask(const ir::Instruction& instruction, BoolFloat form);
  bool is_one_or_less(const ir::Instruction& selection) const;
  /// A comparison of one word with 0, for FCMP and ICMP. Returns false if it is another comparison.
  bool select_by_zero(const ir::Instruction& instruction);
  std::optional<uint32_t> compared_with_zero(const ir::Instruction& instruction) const;

  // integer.cpp
  Source integer_source(ir::Value value) const { return values_.integer_source(value); }
  MachineValue multiply(ir::Value a, ir::Value b, const Source& addend);
  void select_sum(const ir::Instruction& instruction);
  void select_wide_sum(const ir::Instruction& instruction);
  void select_bit_logic(const ir::Instruction& instruction, Logic how);
  bool select_three_way_logic(const ir::Instruction& instruction, Logic outer);
  bool select_field(const ir::Instruction& instruction);
  bool select_joined_fields(const ir::Instruction& instruction);
  void select_shift(const ir::Instruction& instruction);
  void select_bit_field(const ir::Instruction& instruction);
  Source bit_field(ir::Value width, ir::Value offset);

  // conversion.cpp
  /// A byte or half of a register, which conversions read in place.
  struct Part {
    Source source;
    uint32_t bits = 32;  // 8, 16 or 32
    uint32_t first_byte = 0;
    bool is_signed = false;
  };
  Part find_part(ir::Value value) const;
  void select_to_float(const ir::Instruction& instruction, bool is_signed);
  Source half_source(ir::Value value) const;
};

/// The program's own memory: constant tables, x#, g#.
class Memory : private Accesses {
 public:
  Memory(Core& core, Host& host) : Accesses(core), host_(host) {}
  void select(const ir::Instruction& instruction);

 private:
  Arg window_address(ir::Value index, unsigned shift, uint32_t bytes);
  void select_table(const ir::Instruction& instruction);
  void select_local(const ir::Instruction& instruction);
  void select_shared(const ir::Instruction& instruction);

  Host& host_;
};

/// Buffers and typed views, in memory or through a surface.
class Views : private Accesses {
 public:
  Views(Core& core, Host& host) : Accesses(core), host_(host) {}
  void select(const ir::Instruction& instruction);

 private:
  Arg coordinates(const ir::Instruction& instruction, uint32_t bytes);
  Arg place(const ir::Instruction& instruction);
  Arg handle(const ir::Instruction& instruction);
  void load_texel(const ir::Instruction& instruction, Predicate guard);
  void store_texel(const ir::Instruction& instruction, Predicate guard);
  void emit_texel_atomic(const ir::Instruction& instruction, Predicate guard);

  Host& host_;
};

/// Fetches, samples and gathers.
class Textures : private Accesses {
 public:
  Textures(Core& core, Host& host) : Accesses(core), host_(host) {}
  void select(const ir::Instruction& instruction);

 private:
  /// The offsets of fetches from one pair of coordinates: those on each axis, one bit each from -8 on, and
  /// those that are consecutive.
  struct OffsetUses {
    ir::Value x, y;
    uint32_t along_x = 0, along_y = 0;
    std::array<uint32_t, 8> pairs{};  // one bit each: (x + 8) + 16 * (y + 8)
  };
  bool make_request(const ir::Instruction& instruction, TextureRequest& request) const;
  void select_texel_access(const ir::Instruction& instruction);
  MachineValue texture_operand(const ir::Instruction& instruction, const TextureRequest& request,
                               TextureValue value, const std::array<MachineValue, 3>& coordinates,
                               MachineValue handle);
  bool prefers_sums(const ir::Instruction& instruction);
  void find_offset_uses();
  MachineValue layer_operand(const ir::Instruction& instruction);
  MachineValue float_level(const ir::Instruction& instruction);
  MachineValue run_time_offset(const ir::Instruction& instruction);
  MachineValue layer_and_offset(const ir::Instruction& instruction);
  void emit_texel_access(const ir::Instruction& instruction, const TextureRequest& request,
                         const TexturePacking& packing, const Field& handle, Predicate guard);

  Host& host_;
  std::pmr::vector<OffsetUses> offset_uses_{module_.memory()};
  bool knows_offset_uses_ = false;
};

}  // namespace texlate::maxwell::select
