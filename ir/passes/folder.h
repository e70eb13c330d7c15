// The rules of folding, by family: functions of an operation and its operands. fold.cpp applies them to a
// whole module, FoldingBuilder to operations as they are made.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <span>

#include "ir/builder.h"

namespace texlate::ir::folding {

inline constexpr uint32_t kOne = 0x3f800000u;
inline constexpr uint32_t kMinusOne = 0xbf800000u;
inline constexpr uint32_t kMinusZero = 0x80000000u;
inline constexpr uint32_t kAllOnes = 0xffffffffu;
inline constexpr uint32_t kMostOperands = 4;

/// Which rules an operation has; `float32_constants`: only rules that require a constant operand.
enum class Rules : uint8_t {
  none,
  unpacking,
  values,
  float32,
  float32_constants,
  integer,
  predicate,
  float64
};

constexpr Rules rules_of_row(Op op) {
  const OpInfo& operation = info(op);
  if (!operation.has(kPure)) return Rules::none;
  if (op == Op::unpack64) return Rules::unpacking;
  const size_t operands = operation.operands.size();
  if (operation.results.size() != 1 || operation.passes_results() || operands == 0 ||
      operands > kMostOperands || operation.payload != Payload::none) {
    return Rules::none;
  }
  switch (operation.family) {
    case Family::float32: return operands == 1 ? Rules::float32 : Rules::float32_constants;
    case Family::conversion: return Rules::float32;
    case Family::integer: return Rules::integer;
    case Family::predicate: return Rules::predicate;
    case Family::float64: return Rules::float64;
    case Family::derivative: return Rules::values;
    case Family::source_register:
    case Family::interface:
    case Family::memory:
    case Family::texture:
    case Family::surface:
    case Family::buffer:
    case Family::binding:
    case Family::control:
    case Family::effect: return Rules::values;
  }
  return Rules::none;
}

inline constexpr std::array<Rules, kOpCount> kRules = [] {
  std::array<Rules, kOpCount> rules{};
  for (uint32_t op = 0; op < kOpCount; ++op) rules[op] = rules_of_row(static_cast<Op>(op));
  return rules;
}();
constexpr Rules rules_of(Op op) {
  return kRules[static_cast<uint32_t>(op)];
}

/// Kinds of operations of which some rule asks whether they give an operand.
enum Maker : uint8_t {
  kMakesNegation = 1,
  kMakesAbsolute = 2,  // or saturated
  kMakesRounded = 4,
  kMakesSelection = 8,
  kMakesMask = 16,
  kMakesDifference = 32,
  kMakesTest = 64,  // one that has an opposite
  kMakesHalves = 128,
};
constexpr uint8_t maker_of(Op op) {
  switch (op) {
    case Op::fneg:
    case Op::dneg:
    case Op::ineg:
    case Op::pnot:
    case Op::not_: return kMakesNegation;
    case Op::fabs:
    case Op::dabs:
    case Op::fsat: return kMakesAbsolute;
    case Op::frint:
    case Op::ffloor:
    case Op::fceil:
    case Op::ftrunc:
    case Op::itof:
    case Op::utof: return kMakesRounded;
    case Op::select:
    case Op::select64: return kMakesSelection;
    case Op::mask: return kMakesMask;
    case Op::isub: return kMakesDifference;
    case Op::ieq:
    case Op::ine:
    case Op::ilt:
    case Op::ige:
    case Op::ult:
    case Op::uge:
    case Op::feq:
    case Op::fne:
    case Op::deq:
    case Op::dne: return kMakesTest;
    case Op::unpack64: return kMakesHalves;
    default: return 0;  // no rule asks for it
  }
}

class Folder {
 protected:
  explicit Folder(Module& module) : module_(module) {}

  uint32_t count_constants(const Instruction& instruction) const {
    const ValueInfo* const values = module_.values.data();
    uint32_t count = 0;
    for (const Value operand : module_.operands_of(instruction)) count += values[operand].is_constant ? 1 : 0;
    return count;
  }
  /// Most arithmetic has no constant operand, so most rules of floats need not be tried.
  bool may_simplify(const Instruction& instruction, Rules rules) const {
    return rules != Rules::none && (rules != Rules::float32_constants || count_constants(instruction) != 0);
  }

  /// Repeats, because one rewrite may make another possible. True: the results are earlier values, which are
  /// in replacements_.
  bool simplify_fully(Instruction& instruction, Rules rules) {
    outcome_ = Outcome::none;
    simplify(instruction, rules);
    if (outcome_ == Outcome::none) return false;
    return simplify_again(instruction);
  }
  bool simplify_again(Instruction& instruction);

  // ---- what a rule sees and does ----

  enum class Outcome : uint8_t { none, rewritten, replaced };

  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  const Instruction* definition(Value value) const {
    if (value >= definition_.size() || definition_[value] == 0) return nullptr;
    return &module_.code[definition_[value] - 1];
  }
  /// The instruction that gives `value` if it is an `op`.
  const Instruction* made_by(Value value, Op op) const {
    const Instruction* found = definition(value);
    return found != nullptr && found->op == op ? found : nullptr;
  }
  bool is(Value value, uint32_t bits) const { return module_.is_constant(value, bits); }
  bool is_flushed(Value value) const;

  void become(Value value) {
    replacement_[0] = value;
    outcome_ = Outcome::replaced;
  }
  void become_word(uint32_t bits) { become(module_.constant(bits)); }
  void become_predicate(bool value) { become(module_.constant_b1(value)); }

  void rewrite(Instruction& instruction, Op op, std::initializer_list<Value> operands);
  /// Of an operation with one result.
  static Type result_type(Op op) { return result_types_of(op).types[0]; }
  static std::array<Value, kMostOperands> copied(std::initializer_list<Value> operands) {
    std::array<Value, kMostOperands> copy{};
    std::copy(operands.begin(), operands.end(), copy.begin());
    return copy;
  }
  Value word(uint32_t bits) { return module_.constant(bits); }

  // ---- rules ----

  void simplify(Instruction& instruction, Rules rules);
  bool evaluate_constants(Instruction& instruction);

  /// Puts the constant of a commutative operation second, so that rules only look there.
  void constant_last(Instruction& instruction) {
    Value& first = module_.operands[instruction.first_operand];
    Value& second = module_.operands[instruction.first_operand + 1];
    if (module_.is_constant(first) && !module_.is_constant(second)) std::swap(first, second);
  }

  bool is_selection(Value value) const {
    const Instruction* const found = definition(value);
    return found != nullptr && (found->op == Op::select || found->op == Op::mask);
  }
  /// For the operand `which`, which is a selection.
  void fold_selection(Instruction& instruction, uint32_t which);
  void simplify_float(Instruction& instruction);
  void simplify_ffma(Instruction& instruction);
  void simplify_fdiv(Instruction& instruction, Value a, Value b);
  void simplify_integer(Instruction& instruction);
  void simplify_arithmetic(Instruction& instruction);

  void add_constant(Instruction& instruction, Value a, uint32_t bits) {
    const Instruction* inner = made_by(a, Op::iadd);
    if (inner == nullptr || !module_.is_constant(operand(*inner, 1))) return;
    const Value base = operand(*inner, 0);
    const uint32_t sum = module_.constant_bits(operand(*inner, 1)) + bits;
    rewrite(instruction, Op::iadd, {base, word(sum)});
  }

  void shift_left(Instruction& instruction, Value a, uint32_t power) {
    rewrite(instruction, Op::shl, {a, word(static_cast<uint32_t>(std::countr_zero(power)))});
  }

  void simplify_imad(Instruction& instruction);
  void simplify_bits(Instruction& instruction);
  void simplify_shift(Instruction& instruction);
  void simplify_extreme(Instruction& instruction);
  void simplify_integer_compare(Instruction& instruction);
  void simplify_test(Instruction& instruction, Value a);
  void simplify_predicate(Instruction& instruction);

  /// Is one the negation of the other?
  bool excludes(Value a, Value b) const {
    const Instruction* not_a = made_by(a, Op::pnot);
    const Instruction* not_b = made_by(b, Op::pnot);
    return (not_a != nullptr && operand(*not_a, 0) == b) || (not_b != nullptr && operand(*not_b, 0) == a);
  }

  void simplify_not(Instruction& instruction, Value a);
  void simplify_select(Instruction& instruction);
  void simplify_double(Instruction& instruction);
  void simplify_unpack(Instruction& instruction);

  Module& module_;
  std::span<uint32_t> definition_;  // by value: index of its instruction in module_.code, plus 1
  std::array<Value, 2> replacement_{};
  Outcome outcome_ = Outcome::none;
  bool changed_ = false;
};

}  // namespace texlate::ir::folding
