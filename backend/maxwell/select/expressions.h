// What takes more than one instruction: sums, products, functions, comparisons, addresses. Nothing here knows
// the program: operands are given as they are on the machine.
#pragma once

#include <array>
#include <span>

#include "backend/maxwell/select/assembler.h"

namespace texlate::maxwell::select {

/// Memory that different accesses never share (machine::Instruction::space).
inline constexpr uint8_t kSharedSpace = machine::kFirstFreeSpace;
inline constexpr uint8_t kAttributeSpace = kSharedSpace + 1;

inline constexpr uint8_t kUpperHalf = 1;  // .H1
inline constexpr uint32_t kRowBytes = 16;
inline constexpr uint32_t kReach = 1u << 23;  // displacements of LDG, STG, LDL and LDS are less
/// Numbers that S2R takes (docs/reference/maxwell.md 6). Of the first two, .X; .Y and .Z follow.
inline constexpr int32_t kThreadId = 0x21, kGroupId = 0x25, kClockLow = 0x50, kLaneId = 0x00,
                         kInvocationId = 0x11, kInvocationInfo = 0x1d;
/// Not 0 for helpers and for pixels that were killed.
inline constexpr int32_t kThreadKill = 0x13;

inline constexpr ModifierSetting kUnsigned{Modifier::is_signed, IsSigned::u32};
inline constexpr ModifierSetting kSigned{Modifier::is_signed, IsSigned::s32};
inline constexpr ModifierSetting kFtz{Modifier::ftz, Ftz::on};
inline constexpr ModifierSetting kShiftLeft{Modifier::psl, ProductShiftLeft::on};
inline constexpr ModifierSetting kCarried{Modifier::x, ExtendedCarry::on};
inline constexpr ModifierSetting kExtended{Modifier::e, Extended::on};  // an address of 64 bits
inline constexpr ModifierSetting kOneWord{Modifier::memory_size, MemorySize::b32};
inline constexpr ModifierSetting kInBytes{Modifier::ba, ByteAddressed::on};
inline constexpr ModifierSetting kIgnored{Modifier::surface_clamp, SurfaceClamp::ign};

/// Base of everything that appends instructions.
class Expressions {
 protected:
  explicit Expressions(Assembler& assembler) : assembler_(assembler) {}

  machine::Instruction& emit(const Draft& draft) { return assembler_.emit(draft); }
  MachineValue emit_word(const Draft& draft, unsigned at = 0) { return assembler_.emit_word(draft, at); }

  Source emit_source(const Draft& draft, unsigned at = 0) { return Source::of(emit_word(draft, at)); }
  /// An access that other accesses to the same space must not pass.
  void emit_access(Draft draft, Predicate guard, machine::Effect effect, uint8_t space = machine::kAllSpaces);

  // ---- conditions
  Predicate both(Predicate first, Predicate second);
  MachineValue emit_select(Predicate condition, const Source& yes, const Source& no);
  Predicate is_not_zero(const Source& low, const Source& high);
  /// Compares words, unsigned if it matters; true only where `also` is.
  Predicate compare_words(const Source& a, IntegerCompare relation, const Source& b,
                          Predicate also = kAlways);

  MachineValue emit_commuting(const Draft& draft, Opcode wide);

  // ---- floats
  static Source minus_zero();
  MachineValue emit_sum(Source a, Source b, uint8_t sat);
  MachineValue emit_product(Source a, Source b, uint8_t sat);
  MachineValue emit_fused(Source a, Source b, Source c, uint8_t sat, Fmz flush = Fmz::ftz,
                          bool addend_ends = false);
  MachineValue emit_function(Function function, const Source& x);
  MachineValue emit_reduced(Function function, RangeReduction reduction, const Source& x);
  MachineValue emit_rounding(IntegerRounding rounding, const Source& x);
  MachineValue emit_square_root(const Source& x);
  std::array<MachineValue, 3> cube_coordinates(const std::array<Source, 3>& direction);

  // ---- integers
  MachineValue emit_integer_sum(Source a, Source b);
  MachineValue finish_product(const Source& a, const Source& b, const Source& t);
  MachineValue multiply_words(const Source& a, const Source& b);
  MachineValue multiply_high(const Source& a, const Source& b, bool is_signed);
  /// One that does not change is read once per region.
  MachineValue special_register(int32_t number, bool is_constant = true);

  // ---- addresses
  /// base + (index << shift) in 64 bits; the index is unsigned unless its high word is given.
  Pair scaled_address(const Words& base, MachineValue index, unsigned shift,
                      const Source& index_high = Source::immediate(0));
  Pair add_product(const Words& base, const Source& a, const Source& b);
  Pair add_words(const Words& a, const Words& b);
  Arg global_address(Pair base, uint32_t offset);
  void leave_zeros(std::span<const MachineValue> zeros);

  Assembler& assembler_;
};

}  // namespace texlate::maxwell::select
