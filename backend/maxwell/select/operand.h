// What instruction selection specifies of an operand before the form of the instruction is known: a register,
// a constant of a bank, or an immediate, with the modifiers that the operand should carry. `Assembler` picks
// the form that holds most of it and puts the rest into registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "backend/maxwell/isa/modifiers.h"
#include "backend/maxwell/machine/function.h"
#include "ir/module.h"

namespace texlate::maxwell::select {

using MachineValue = machine::Value;
inline constexpr MachineValue kNone = machine::kNoValue;

/// An offset in a constant bank, 0 to 0xffff, as instructions spell it: signed, modulo 64 KiB
/// (docs/reference/maxwell.md 1).
constexpr int32_t constant_offset(int32_t bytes) {
  return static_cast<int16_t>(bytes);
}

/// A predicate operand: a value or, without one, PT; negated or not.
struct Predicate {
  MachineValue value = kNone;
  bool negated = false;

  static constexpr Predicate constant(bool truth) { return {kNone, !truth}; }
  bool is_true() const { return value == kNone && !negated; }
  bool is_false() const { return value == kNone && negated; }
  Predicate operator!() const { return {value, !negated}; }
};

inline constexpr Predicate kAlways = Predicate::constant(true);

/// A 32-bit operand, or a condition. There is one for each value of the program: 16 bytes.
struct Source {
  enum class Kind : uint8_t { value, constant, immediate };
  Kind kind = Kind::immediate;
  uint8_t flags = 0;  // OperandFlag: kNegate, kAbsolute, kInvert
  uint8_t part = 0;   // half or byte, numbered as the form's field does
  uint8_t bank = 0;
  uint32_t bits = 0;           // of an immediate, modifiers folded into them; the offset of a constant, bytes
  MachineValue value = kNone;  // the register without modifiers
  MachineValue plain = kNone;  // a register to which the modifiers have been applied; kNone if there is none

  static Source of(MachineValue register_value) {
    Source source;
    source.kind = Kind::value;
    source.value = register_value;
    return source;
  }
  static Source immediate(uint32_t bits) {
    Source source;
    source.bits = bits;
    return source;
  }
  /// `offset` is in bytes, less than 64 KiB.
  static Source constant(uint8_t bank, uint32_t offset) {
    Source source;
    source.kind = Kind::constant;
    source.bank = bank;
    source.bits = offset;
    return source;
  }
  static Source of(Predicate condition) {
    Source source = of(condition.value);
    if (condition.negated) source.flags = kInvert;
    return source;
  }
  Predicate condition() const { return {value, (flags & kInvert) != 0}; }
  int32_t offset() const { return static_cast<int32_t>(bits); }
  bool is_immediate() const { return kind == Kind::immediate; }
  bool is_immediate(uint32_t number) const { return kind == Kind::immediate && bits == number; }
  bool is_value() const { return kind == Kind::value; }
  Source half(uint8_t which) const {
    Source source = *this;
    source.part = which;
    return source;
  }
};

/// 64 bits, the lower word first.
using Words = std::array<Source, 2>;
/// The same in registers.
struct Pair {
  MachineValue low = kNone;
  MachineValue high = kNone;
  operator Words() const { return {Source::of(low), Source::of(high)}; }
};

/// The contents of one operand slot, in the order of the instruction's text.
struct Arg {
  enum class Kind : uint8_t {
    none,       // RZ, PT or an operand that the form implies
    source,     // 32 bits
    registers,  // results, or sources of several registers
    address,    // [registers + number]
    predicate,
    number,   // an immediate field or a word
    double_,  // an f64 immediate: its upper 32 bits
  };
  Kind kind = Kind::none;
  uint8_t flags = 0;
  uint8_t count = 0;
  int32_t number = 0;
  union {                    // by kind; a draft has eight of these
    MachineValue values[4];  // not std::array, whose lifetime an element's assignment would not begin
    Source source;
    Predicate condition;
  };

  Arg() {}
  Arg(const Source& operand) : kind(Kind::source), source(operand) {}
  Arg(Predicate operand) : kind(Kind::predicate), condition(operand) {}

  /// A register that is written, or a plain one that is read.
  static Arg reg(MachineValue value, uint8_t flags = 0) { return regs({value}, flags); }
  static Arg regs(std::initializer_list<MachineValue> list, uint8_t flags = 0) {
    return regs(std::span(list.begin(), list.size()), flags);
  }
  static Arg regs(std::span<const MachineValue> list, uint8_t flags = 0) {
    Arg arg;
    arg.kind = Kind::registers;
    arg.flags = flags;
    for (const MachineValue value : list) arg.values[arg.count++] = value;
    return arg;
  }
  static Arg pair(Pair value, uint8_t flags = 0) { return regs({value.low, value.high}, flags); }
  static Arg address(std::span<const MachineValue> base, int32_t offset) {
    Arg arg = regs(base);
    arg.kind = Kind::address;
    arg.number = offset;
    return arg;
  }
  static Arg address(MachineValue base, int32_t offset) { return address(std::span(&base, 1), offset); }
  static Arg address(Pair base, int32_t offset) { return address(std::array{base.low, base.high}, offset); }
  /// Is it registers without modifiers?
  bool is_plain_register() const {
    if (kind == Kind::registers) return flags == 0;
    return kind == Kind::source && source.is_value() && source.flags == 0 && source.part == 0;
  }
  /// Is any of the registers not RZ?
  bool has_register() const {
    return std::any_of(values, values + count, [](MachineValue v) { return v != kNone; });
  }
  static Arg word(int32_t value) {
    Arg arg;
    arg.kind = Kind::number;
    arg.number = value;
    return arg;
  }
  static Arg upper_double(uint32_t upper_word) {
    Arg arg;
    arg.kind = Kind::double_;
    arg.number = static_cast<int32_t>(upper_word);
    return arg;
  }
};

struct ModifierSetting {
  Modifier modifier = Modifier::literal;
  uint8_t value = 0;

  constexpr ModifierSetting() = default;
  template <typename Enum>
  constexpr ModifierSetting(Modifier kind, Enum setting)
      : modifier(kind), value(static_cast<uint8_t>(setting)) {}
};

/// The cost of what no form can hold.
inline constexpr unsigned kImpossible = 1000;
/// The cheapest form of a draft, the number of registers to fill for it, and its modifiers in the word.
struct Fit {
  FormId form = kNoForm;
  unsigned cost = kImpossible;
  uint64_t modifiers = 0;
};

/// The operands of a draft, which has few of the eight. The others are not constructed, which costs nothing.
class DraftArgs {
 public:
  Arg& operator[](size_t i) { return slots_[i].arg; }
  const Arg& operator[](size_t i) const { return slots_[i].arg; }
  void construct(size_t i, const Arg& arg) { std::construct_at(&slots_[i].arg, arg); }

 private:
  union Slot {
    Arg arg;
    Slot() {}
  };
  Slot slots_[kMaxOperands];
};

/// An instruction without its form.
struct Draft {
  Opcode opcode = Opcode::nop;
  DraftArgs args;  // not set from `arg_count` on
  uint8_t arg_count = 0;
  std::array<ModifierSetting, 6> modifiers;
  uint8_t modifier_count = 0;
  Predicate guard;
  // What distinguishes the forms of conversions: the fixed words of their texts.
  std::array<std::string_view, 2> literals;
  // The only shapes to try, one bit each, for instructions whose shapes have different operands.
  uint8_t shapes = 0xf;
  mutable std::optional<Fit> fit;  // once it has been looked for

  Draft(Opcode op, std::initializer_list<Arg> operands, std::initializer_list<ModifierSetting> settings = {})
      : opcode(op) {
    for (const Arg& arg : operands) add(arg);
    for (const ModifierSetting& setting : settings) modifiers[modifier_count++] = setting;
  }
  void add(const Arg& arg) { args.construct(arg_count++, arg); }
  Draft& with(const ModifierSetting& setting) {
    modifiers[modifier_count++] = setting;
    return changed();
  }
  Draft& under(Predicate condition) {
    guard = condition;
    return changed();
  }
  Draft& only(Shape shape) {
    shapes = static_cast<uint8_t>(1u << static_cast<unsigned>(shape));
    return changed();
  }
  Draft& spelled(std::string_view first, std::string_view second = {}) {
    literals = {first, second};
    return changed();
  }

 private:
  Draft& changed() {
    fit.reset();
    return *this;
  }
};

}  // namespace texlate::maxwell::select
