// A form is one encoding of an opcode: its fixed bits, its modifier fields and its operand slots, in the
// order of the assembly text. Encoder, decoder, printer, parser and the constraint checks read only
// this.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell {

/// A word as fields of one bit are read from it, whose number is 0 where there is none: no field has bit 0.
constexpr uint64_t flag_bits(uint64_t word) {
  return word & ~uint64_t{1};
}

/// A modifier's field: `width` bits at `at`; if a field is split, bit `high` is its top bit. A
/// literal has no bits, only text.
struct ModifierField {
  Modifier kind = Modifier::literal;
  uint8_t at = 0;
  uint8_t width = 0;
  uint8_t high = 0;  // bit number, 0 = none
  std::string_view text;

  uint8_t read(uint64_t word) const {
    const uint64_t low = word >> at & ((1u << width) - 1);
    return static_cast<uint8_t>(high == 0 ? low : low | (word >> high & 1) << width);
  }
};

/// What an operand slot may hold.
enum class SlotKind : uint8_t {
#define SLOT(name, operand, number, extension, shift, rule, text) name,
#include "backend/maxwell/isa/slot_kinds.inc"
#undef SLOT
};

/// Parts of a register operand: .H1, .B2 ...
enum class PartKind : uint8_t {
  none,
  h1,         // 1 bit: whole or low half, .H1
  half,       // 2 bits: whole, .H0, .H1
  byte_,      // 2 bits: .B0 (not printed), .B1, .B2, .B3
  half_byte,  // 2 bits counting bytes: 0, .H1 = 2
  pair_,      // 2 bits, of packed halves: both, .F32, .H0_H0, .H1_H1
};

/// By kind and number of the part; empty for 0, the whole, and for parts that do not exist.
inline constexpr std::string_view kPartTexts[][4] = {
    {"", "", "", ""},                  // none
    {"", ".H1", "", ""},               // h1
    {"", ".H0", ".H1", ""},            // half
    {"", ".B1", ".B2", ".B3"},         // byte_
    {"", "", ".H1", ""},               // half_byte
    {"", ".F32", ".H0_H0", ".H1_H1"},  // pair_
};
constexpr std::string_view part_text(PartKind kind, uint8_t part) {
  return part < 4 ? kPartTexts[static_cast<size_t>(kind)][part] : std::string_view();
}

enum class Role : uint8_t { source, destination, both };

/// How many consecutive registers an operand covers; constraints.cpp converts it to a number.
enum class Span : uint8_t {
  one,
  two,                  // a 64-bit value
  by_memory_size,       // 1, 2 or 4 by the size modifier
  by_address,           // 2 when .E
  by_result_type,       // the first type modifier of a conversion
  by_atomic_type,       // 1 or 2 by the type modifier
  cas_pair,             // compare and new value: twice the type
  by_attribute_size,    // 1..4
  texture_coordinates,  // Ra of the long forms
  texture_extra,        // Rb of the long forms
  texture_result,       // Rd: the bits of the mask
  scalar_first,         // Ra of TEXS, TLDS, TLD4S
  scalar_second,        // Rb of TEXS, TLDS, TLD4S
  scalar_result_low,    // Rd0
  scalar_result_high,   // Rd1
  surface_coordinates,  // by the dimension
  surface_data,         // by the size or the mask
};

/// The operand value that the text may omit. The printer omits it as nvdisasm does, except for masks of
/// components, which it always writes.
enum class Omit : uint8_t {
  never,
  rz,
  pt,
  zero,
  all_lanes,
  always_true,
  empty_set,
  low_16_bits,
  all_components,  // TMML's mask 0xf
  rgba,            // TEXS' mask RGBA, if Rd1 is a register
};

/// Is it a mask of components? Its default is never left out where text is printed.
constexpr bool is_mask(Omit omit) {
  return omit == Omit::all_components || omit == Omit::rgba;
}
/// Is the default left out where text is printed?
constexpr bool is_omissible(Omit omit) {
  return omit != Omit::never && !is_mask(omit);
}
/// The value of an operand that the text omits; of a register or predicate, which is RZ or PT then, 0.
constexpr int32_t omitted_value(Omit omit) {
  switch (omit) {
    case Omit::never:
    case Omit::rz:
    case Omit::pt:
    case Omit::zero:
    case Omit::empty_set: return 0;
    case Omit::all_lanes:
    case Omit::always_true:
    case Omit::all_components: return 15;
    case Omit::low_16_bits: return 0xffff;
    case Omit::rgba: return 4;  // the code of the mask (words.h)
  }
  return 0;
}

struct Slot {
  SlotKind kind = SlotKind::none;
  uint8_t at = 0;
  uint8_t width = 0;
  uint8_t high = 0;  // bit number of the value's highest bit, above those at `at`; 0 = none
  uint8_t scale = 0;
  // Bit numbers of the flags; 0 = the operand has none (bit 0 of a word is never a flag).
  uint8_t negate = 0;
  uint8_t absolute = 0;
  uint8_t invert = 0;
  uint8_t cc = 0;
  uint8_t flags = 0;  // OperandFlag: those that have a bit, as compiled (table.cpp)
  PartKind part = PartKind::none;
  uint8_t part_at = 0;
  uint8_t reuse = 0;  // 1..3: the bit of the control slot's reuse field, 0 = none
  Role role = Role::source;
  Span span = Span::one;
  Omit omit = Omit::never;
  bool spaced = false;  // nvdisasm writes "c[0x0] [0x8]" here
  // The text must have a texture header's number here, but the word has no field for it.
  bool ignored = false;
  std::string_view text;

  // For writing the table's rows.
  constexpr Slot neg(uint8_t bit) const { return with(&Slot::negate, bit); }
  constexpr Slot abs(uint8_t bit) const { return with(&Slot::absolute, bit); }
  constexpr Slot inv(uint8_t bit) const { return with(&Slot::invert, bit); }
  constexpr Slot write_cc(uint8_t bit) const { return with(&Slot::cc, bit); }
  constexpr Slot half(PartKind part_kind, uint8_t bit) const {
    Slot slot = with(&Slot::part, part_kind);
    slot.part_at = bit;
    return slot;
  }
  constexpr Slot as(Role value) const { return with(&Slot::role, value); }
  constexpr Slot spans(Span value) const { return with(&Slot::span, value); }
  constexpr Slot omit_if(Omit value) const { return with(&Slot::omit, value); }
  constexpr Slot with_space() const { return with(&Slot::spaced, true); }
  constexpr Slot ignores_number() const { return with(&Slot::ignored, true); }
  constexpr Slot no_reuse() const { return with(&Slot::reuse, uint8_t{0}); }

 private:
  template <typename T>
  constexpr Slot with(T Slot::*member, T value) const {
    Slot slot = *this;
    slot.*member = value;
    return slot;
  }
};

/// Slot::scale of an attribute operand that cannot have an index register.
constexpr uint8_t kNoIndexRegister = 1;
/// The same, but an offset of 0 is printed: IPA.
constexpr uint8_t kOffsetOnly = 2;

struct Form {
  Opcode opcode = Opcode::nop;
  Shape shape = Shape::reg;
  uint8_t variant = 0;  // counts the forms of one opcode and shape
  bool guarded = true;  // has a guard predicate
  uint8_t modifier_count = 0;
  uint8_t operand_count = 0;
  uint64_t value = 0;      // the fixed bits
  uint64_t forbidden = 0;  // all of these bits set make it another instruction (.PO)
  std::array<ModifierField, kMaxModifiers> modifiers{};
  std::array<Slot, kMaxOperands> operands{};
};

}  // namespace texlate::maxwell
