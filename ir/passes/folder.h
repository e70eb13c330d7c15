// The rules of fold(), by family, and the walk that applies them. Only for fold*.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <initializer_list>
#include <span>

#include "ir/base/zeroed.h"
#include "ir/passes/rewriter.h"

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

class Folder {
 public:
  explicit Folder(Module& module)
      : module_(module),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        definition_(zeroed<uint32_t>(scratch_, module.values.size())) {}

  /// `shares`: also removes operations that were already computed. `is_partial`: see fold_and_share_new().
  template <bool shares, bool is_partial = false>
  bool run(Value first_new = 0);

 private:
  bool is_new(const Instruction& instruction, Value first_new) const {
    if (instruction.result_count != 0 && instruction.first_result >= first_new) return true;
    for (const Value operand : module_.operands_of(instruction)) {
      if (operand >= first_new) return true;
    }
    return false;
  }
  void find_new_ops(Value first_new) {
    for (const Instruction& instruction : module_.code) {
      if (is_new(instruction, first_new)) new_ops_.set(static_cast<size_t>(instruction.op));
    }
  }

  void define(const Instruction& instruction, size_t at) {
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      definition_[instruction.first_result + i] = static_cast<uint32_t>(at + 1);
  }

  bool settle_guard(Instruction& instruction);

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

  /// Repeats, because one rewrite may make another possible. True: the result is an earlier value.
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

  void become(Instruction& instruction, Value value) {
    replacements_.replace(instruction.first_result, value);
    outcome_ = Outcome::replaced;
  }
  void become_word(Instruction& instruction, uint32_t bits) { become(instruction, module_.constant(bits)); }
  void become_predicate(Instruction& instruction, bool value) {
    become(instruction, module_.constant_b1(value));
  }

  void rewrite(Instruction& instruction, Op op, std::initializer_list<Value> operands);
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
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  std::span<uint32_t> definition_;  // by value: index of its instruction in the rewritten list, plus 1
  std::bitset<kOpCount> new_ops_;
  Outcome outcome_ = Outcome::none;
  bool changed_ = false;
};

}  // namespace texlate::ir::folding
