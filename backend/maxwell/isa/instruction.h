// One Maxwell instruction as data: the decoder produces it, the encoder takes it, and a code generator fills
// it in.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "backend/maxwell/isa/control.h"
#include "backend/maxwell/isa/latency.h"
#include "backend/maxwell/isa/modifiers.h"

namespace texlate::maxwell {

enum class Opcode : uint8_t {
#define OPCODE(name, text, latency_class) name,
#include "backend/maxwell/isa/opcodes.inc"
#undef OPCODE
  count_
};

struct OpcodeInfo {
  std::string_view text;  // the fixed part of the mnemonic
  ShortText mnemonic;     // the same
  LatencyClass latency_class;
};

extern const std::array<OpcodeInfo, static_cast<size_t>(Opcode::count_)> kOpcodes;
inline const OpcodeInfo& opcode_info(Opcode opcode) {
  return kOpcodes[static_cast<size_t>(opcode)];
}

constexpr uint8_t kRZ = 255;  // reads as zero, writes are discarded
constexpr uint8_t kPT = 7;    // the true predicate

enum class OperandKind : uint8_t {
  none,
  reg,        // reg
  predicate,  // reg = 0..7; flags: invert
  constant,   // c[bank][value], or c[bank][reg + value] where the form has an index register
  immediate,  // value, as the bits of the number: f32 bits; the upper 32 bits of an f64; else an integer
  address,    // [reg + value]; also a[reg + value] and the "register offset" of BRX
  target,     // value = byte offset from the following word (signed) or, for JCAL, an absolute address
  word,       // value = an enumerated word: dimension, mask, special register, condition, query, swizzle ...
};

/// Bits of Operand::flags. The form determines which of them exist for an operand.
enum OperandFlag : uint8_t {
  kNegate = 1,
  kAbsolute = 2,
  kInvert = 4,   // ~ of a register, ! of a predicate, .INV of an immediate
  kWriteCC = 8,  // of a destination: also write the condition code
};

struct Operand {
  OperandKind kind = OperandKind::none;
  uint8_t flags = 0;
  uint8_t reg = 0;
  uint8_t part = 0;  // half or byte of a register, numbered as the form's field does
  uint8_t bank = 0;
  uint8_t reserved_[3] = {};
  int32_t value = 0;

  static constexpr Operand r(uint8_t index, uint8_t flags = 0) {
    return make(OperandKind::reg, index, 0, flags);
  }
  static constexpr Operand p(uint8_t index, bool inverted = false) {
    return make(OperandKind::predicate, index, 0, inverted ? kInvert : 0);
  }
  static constexpr Operand imm(int32_t value, uint8_t flags = 0) {
    return make(OperandKind::immediate, 0, value, flags);
  }
  static constexpr Operand word(int32_t value) { return make(OperandKind::word, 0, value, 0); }
  static constexpr Operand address(uint8_t base, int32_t offset = 0) {
    return make(OperandKind::address, base, offset, 0);
  }
  static constexpr Operand c(uint8_t bank, int32_t byte_offset, uint8_t flags = 0, uint8_t index = kRZ) {
    Operand operand = make(OperandKind::constant, index, byte_offset, flags);
    operand.bank = bank;
    return operand;
  }
  static constexpr Operand make(OperandKind kind, uint8_t reg, int32_t value, uint8_t flags) {
    Operand operand;
    operand.kind = kind;
    operand.reg = reg;
    operand.value = value;
    operand.flags = flags;
    return operand;
  }
  bool operator==(const Operand&) const = default;
};

/// Which of an opcode's encodings it is: where its B (and C) operand comes from.
enum class Shape : uint8_t {
  reg,       // B in a register, or no B at all
  cbuf,      // B = c[bank][offset]
  imm,       // B = an immediate
  reg_cbuf,  // three sources: B in a register, C = c[bank][offset]
};

using FormId = uint16_t;  // index into the table, table.h
constexpr FormId kNoForm = 0xffff;

constexpr unsigned kMaxOperands = 8;
constexpr unsigned kMaxModifiers = 8;

/// Plain data, no allocation. Operands and modifiers are in the order of the form's text; absent ones are
/// `none` and 0.
struct Instruction {
  FormId form = kNoForm;
  uint8_t guard = kPT;  // predicate in bits 0..2, negated by bit 3: exactly the word's bits 16..19
  uint8_t reserved_ = 0;
  Control control;
  std::array<uint8_t, kMaxModifiers> modifiers{};  // field values in the order of Form::modifiers
  uint8_t padding_[2] = {};
  std::array<Operand, kMaxOperands> operands{};

  bool operator==(const Instruction&) const = default;
};
static_assert(std::is_trivially_copyable_v<Instruction>);

constexpr uint8_t make_guard(uint8_t predicate, bool negated = false) {
  return static_cast<uint8_t>((predicate & 7) | (negated ? 8 : 0));
}

}  // namespace texlate::maxwell
