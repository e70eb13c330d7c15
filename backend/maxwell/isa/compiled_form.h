// The table's forms compiled for speed: the decoder and the encoder run over short lists of bit moves instead
// of examining slot kinds. Private to this folder, and to what makes words directly (word_writer.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell {

/// Where the word has the register or predicate of an operand.
enum class NumberAt : uint8_t {
  none,
  rz,    // nowhere: it is always RZ
  own,   // in the slot
  base,  // where addresses and indexed constants have their base
};
enum class Extension : uint8_t { none, unsigned_, signed_ };  // none: no value

struct SlotInfo {
  OperandKind operand;
  NumberAt number;
  Extension extension;
  uint8_t shift;
  Rule rule;
  std::string_view text;
};
inline constexpr SlotInfo kSlotInfos[] = {
#define SLOT(name, operand, number, extension, shift, rule, text) \
  {OperandKind::operand, NumberAt::number, Extension::extension, shift, Rule::rule, text},
#include "backend/maxwell/isa/slot_kinds.inc"
#undef SLOT
};
constexpr const SlotInfo& slot_info(SlotKind kind) {
  return kSlotInfos[static_cast<size_t>(kind)];
}

/// The special numbers of an immediate that is a float, in its bits: of a double, the upper 32. `quiet` is
/// the NaN that nvdisasm spells; 0: the kind of immediate is no float.
struct FloatBits {
  uint32_t sign = 0, infinity = 0, quiet = 0;
};
constexpr FloatBits float_bits(SlotKind kind) {
  switch (kind) {
    case SlotKind::float20: return {0x80000000, 0x7f800000, 0x7ffff000};
    case SlotKind::float32: return {0x80000000, 0x7f800000, 0x7fffffff};
    case SlotKind::double20: return {0x80000000, 0x7ff00000, 0x7ffff000};
    case SlotKind::half10: return {0x8000, 0x7c00, 0x7fc0};
    case SlotKind::half16: return {0x8000, 0x7c00, 0x7fff};
    default: return {};
  }
}
/// The number of such bits.
double float_value(SlotKind kind, uint32_t bits);

/// word bits [at, at+width) <-> byte `byte` of the Instruction, bits `shift` up, exclusive-or `flip`.
struct ByteMove {
  uint8_t at;
  uint8_t mask;
  uint8_t byte;
  uint8_t shift;
  uint8_t flip;
};

/// word bits -> a 32-bit operand value: the field, a bit `high` above it (if has_high), sign-extended by
/// `sign` (the weight of the sign bit, 0 = unsigned), times 1 << shift.
struct ValueMove {
  uint8_t at = 0;
  uint8_t width = 0;
  uint8_t high = 0;
  uint8_t has_high = 0;
  uint8_t shift = 0;
  uint64_t sign = 0;

  int32_t read(uint64_t word) const {
    uint64_t value = word >> at & ~(~uint64_t{0} << width);
    value |= (word >> high & has_high) << width;
    value = (value ^ sign) - sign;
    return static_cast<int32_t>(value << shift);
  }
  uint64_t write(int32_t value) const {
    // Arithmetic shift, so that a negative multiple keeps its sign bits; the field's mask cuts off excess
    // bits.
    const uint64_t bits = static_cast<uint64_t>(static_cast<int64_t>(value) >> shift);
    return (bits & ~(~uint64_t{0} << width)) << at | (bits >> width & has_high) << high;
  }
  bool holds(int32_t value) const { return read(write(value)) == value; }
  /// Its bits of the word.
  uint64_t field() const { return ~(~uint64_t{0} << width) << at | uint64_t{has_high} << high; }
};

struct CompiledForm {
  Instruction prototype;  // operand kinds and everything that has no field
  std::array<ByteMove, 32> bytes;
  std::array<ValueMove, kMaxOperands> values;  // by operand
  uint8_t byte_count = 0;
  uint8_t valued = 0;    // a bit for each operand that has a value
  bool special = false;  // some operand or modifier needs a special check
  // For the printer: a bit for each operand that is a register, and for each that the text may leave out; and
  // the fields that are neutral where the former has no modifiers, and where the latter is left out.
  uint8_t registers = 0, omissible = 0;
  // By Control::reuse: a bit for each operand whose text then has ".reuse".
  std::array<uint8_t, 8> reused{};
  uint8_t shown_reuse = 0;  // the bits of Control::reuse that some operand's text shows
  std::array<uint64_t, kMaxOperands> plain_fields{};
  uint64_t modifier_fields = 0;
  std::array<uint32_t, kMaxModifiers> valid{};
  uint8_t modifier_count = 0;
  uint64_t neutral = 0;  // the word with every operand and modifier at its neutral value
  uint64_t fixed_mask = 0;
  uint64_t value = 0;
  uint64_t forbidden = 0;
};

struct CompiledTable {
  std::vector<Form> forms;
  std::vector<CompiledForm> compiled;
  std::vector<ModifierIndex> modifier_index;
  std::vector<FormFacts> facts;
  std::vector<Instruction> neutral;  // every operand and modifier at its neutral value
  std::vector<FormId> variants;
  std::array<uint16_t, 4 * static_cast<size_t>(Opcode::count_) + 1> first_variant;
};

const CompiledTable& compiled_table();
/// The word of an instruction of this form.
uint64_t encode_as(const CompiledForm& form, const Instruction& instruction);
inline const CompiledForm& compiled_form(FormId id) {
  return tables.compiled[id];
}

/// The forms that a word may have, by its top 13 bits: candidates[first[bits]] .. candidates[first[bits + 1]
/// - 1].
struct DecoderIndex {
  std::vector<uint16_t> candidates;
  std::array<uint16_t, (1u << 13) + 1> first;
};
const DecoderIndex& decoder_index();

}  // namespace texlate::maxwell
