#include "ir/passes/fold.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <optional>

#include "ir/base/zeroed.h"
#include "ir/passes/available_values.h"
#include "ir/passes/constant_evaluation.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

constexpr uint32_t kOne = 0x3f800000u;
constexpr uint32_t kMinusOne = 0xbf800000u;
constexpr uint32_t kMinusZero = 0x80000000u;
constexpr uint32_t kAllOnes = 0xffffffffu;
constexpr uint32_t kMostOperands = 4;

bool never_denormal(Op op) {
  return info(op).has(kNeverDenormal);
}

bool rounds_to_integer(Op op) {
  return op == Op::frint || op == Op::ffloor || op == Op::fceil || op == Op::ftrunc;
}

/// Which rules there are for an operation.
enum class Rules : uint8_t { none, unpacking, values, float32, integer, predicate, float64 };

constexpr Rules rules_of(Op op) {
  const OpInfo& operation = info(op);
  if (!operation.has(kPure)) return Rules::none;
  if (op == Op::unpack64) return Rules::unpacking;
  const size_t operands = operation.operands.size();
  if (operation.results.size() != 1 || operation.passes_results() || operands == 0 ||
      operands > kMostOperands || operation.payload != Payload::none) {
    return Rules::none;
  }
  switch (operation.family) {
    case Family::float32:
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

constexpr std::array<Rules, kOpCount> kRules = [] {
  std::array<Rules, kOpCount> rules{};
  for (uint32_t op = 0; op < kOpCount; ++op) rules[op] = rules_of(static_cast<Op>(op));
  return rules;
}();

class Folder {
 public:
  explicit Folder(Module& module)
      : module_(module),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        definition_(zeroed<uint32_t>(scratch_, module.values.size())) {}

  /// `shares`: what was computed already goes, too. `is_partial`: see fold_and_share_new().
  template <bool shares, bool is_partial = false>
  bool run(Value first_new = 0) {
    std::optional<AvailableValues> available;
    if constexpr (shares) available.emplace(module_, module_.code.size(), &scratch_);
    if constexpr (is_partial) find_new_ops(first_new);
    size_t kept = 0;
    const size_t count = module_.code.size();
    for (size_t i = 0; i < count; ++i) {
      Instruction& instruction = module_.code[i];
      replacements_.apply(module_, instruction);
      if (instruction.has(kGuarded) && settle_guard(instruction)) continue;
      const Rules rules = kRules[static_cast<uint32_t>(instruction.op)];
      const bool is_looked_at = !is_partial || is_new(instruction, first_new);
      if (is_looked_at && rules != Rules::none && simplify_fully(instruction, rules)) continue;
      if constexpr (shares) {
        const OpInfo& operation = info(instruction.op);
        if (operation.has(kControl)) available->cross_region(instruction.op);
        const bool may_be_equal = is_looked_at || new_ops_[static_cast<uint32_t>(instruction.op)];
        Instruction* const earlier =
            may_be_equal ? available->find_or_add(instruction, operation, kept) : nullptr;
        if (earlier != nullptr) {
          stand_in(*earlier, instruction, replacements_);
          changed_ = true;
          continue;
        }
      }
      if (rules != Rules::none) define(instruction, kept);
      if (kept != i) module_.code[kept] = instruction;
      ++kept;
    }
    module_.code.resize(kept);
    return changed_;
  }

 private:
  bool is_new(const Instruction& instruction, Value first_new) const {
    if (instruction.result_count != 0 && instruction.first_result >= first_new) return true;
    return std::ranges::any_of(module_.operands_of(instruction),
                               [first_new](Value operand) { return operand >= first_new; });
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

  /// A guard that is known goes. True: nothing is accessed, the instruction goes too.
  bool settle_guard(Instruction& instruction) {
    const Value guard = module_.guard_of(instruction);
    if (!module_.is_constant(guard)) return false;
    changed_ = true;
    if (is(guard, 1)) {
      instruction.flags &= static_cast<uint8_t>(~kGuarded);
      --instruction.operand_count;
      return false;
    }
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      replacements_.replace(instruction.first_result + i, word(0));
    return true;
  }

  /// A rewrite may make another one possible. True: the result is an earlier value, the instruction goes.
  bool simplify_fully(Instruction& instruction, Rules rules) {
    outcome_ = Outcome::none;
    simplify(instruction, rules);
    if (outcome_ == Outcome::none) return false;
    return simplify_again(instruction);
  }
  [[gnu::noinline]] bool simplify_again(Instruction& instruction) {
    constexpr int kMostRounds = 4;
    for (int round = 1;; ++round) {
      changed_ = true;
      if (outcome_ == Outcome::replaced) return true;
      if (round == kMostRounds) return false;
      outcome_ = Outcome::none;
      simplify(instruction, kRules[static_cast<uint32_t>(instruction.op)]);
      if (outcome_ == Outcome::none) return false;
    }
  }

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
  bool is_flushed(Value value) const {
    if (module_.is_constant(value)) {
      const uint32_t bits = module_.constant_bits(value);
      return flush_denormal(bits) == bits;
    }
    const Instruction* found = definition(value);
    return found != nullptr && never_denormal(found->op);
  }

  void become(Instruction& instruction, Value value) {
    replacements_.replace(instruction.first_result, value);
    outcome_ = Outcome::replaced;
  }
  void become_word(Instruction& instruction, uint32_t bits) { become(instruction, module_.constant(bits)); }
  void become_predicate(Instruction& instruction, bool value) {
    become(instruction, module_.constant_b1(value));
  }

  /// Changes the operation in place; there are never more operands than there were, or the pool grows.
  void rewrite(Instruction& instruction, Op op, std::initializer_list<Value> operands) {
    const std::array<Value, kMostOperands> copy = copied(operands);
    const uint32_t count = static_cast<uint32_t>(operands.size());
    if (count > instruction.operand_count) {
      instruction.first_operand = static_cast<uint32_t>(module_.operands.size());
      module_.operands.resize(module_.operands.size() + count);
    }
    instruction.op = op;
    instruction.operand_count = count;
    std::copy_n(copy.begin(), count, module_.operands.begin() + instruction.first_operand);
    outcome_ = Outcome::rewritten;
  }
  static std::array<Value, kMostOperands> copied(std::initializer_list<Value> operands) {
    std::array<Value, kMostOperands> copy{};
    std::copy(operands.begin(), operands.end(), copy.begin());
    return copy;
  }
  Value word(uint32_t bits) { return module_.constant(bits); }

  // ---- rules ----

  void simplify(Instruction& instruction, Rules rules) {
    if (rules == Rules::unpacking) return simplify_unpack(instruction);
    const Value* const operands = module_.operands.data() + instruction.first_operand;
    const uint32_t count = instruction.operand_count;
    uint32_t constants = 0;
    for (uint32_t i = 0; i < count; ++i) constants += module_.values[operands[i]].is_constant ? 1 : 0;
    if (constants == count && evaluate_constants(instruction)) return;
    if (constants != 0 && info(instruction.op).has(kCommutative)) constant_last(instruction);
    switch (rules) {
      case Rules::float32: simplify_float(instruction); break;
      case Rules::integer: simplify_integer(instruction); break;
      case Rules::predicate: simplify_predicate(instruction); break;
      case Rules::float64: simplify_double(instruction); break;
      case Rules::values:
      case Rules::unpacking:
      case Rules::none: break;  // no rules
    }
    // One operand that is a selection, and nothing else that is not constant.
    if (outcome_ != Outcome::none || count > 2 || constants + 1 < count) return;
    for (uint32_t i = 0; i < count && outcome_ == Outcome::none; ++i) {
      if (count == 1 || module_.is_constant(operand(instruction, 1 - i))) fold_selection(instruction, i);
    }
  }

  bool evaluate_constants(Instruction& instruction) {
    std::array<uint64_t, kMostOperands> bits;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const Value value = operand(instruction, i);
      if (!module_.is_constant(value)) return false;
      bits[i] = module_.values[value].bits;
    }
    const auto result = evaluate(instruction.op, std::span(bits.data(), instruction.operand_count));
    if (!result) return false;
    become(instruction, module_.constant(module_.values[instruction.first_result].type, *result));
    return true;
  }

  /// Where both are alike to the operation, constants stand second; so rules look there only.
  void constant_last(Instruction& instruction) {
    Value& first = module_.operands[instruction.first_operand];
    Value& second = module_.operands[instruction.first_operand + 1];
    if (module_.is_constant(first) && !module_.is_constant(second)) std::swap(first, second);
  }

  /// op(select(p, a, b), c) -> select(p, op(a, c), op(b, c)) where both can be evaluated: the masks and 0/1
  /// that shaders make of comparisons turn into predicates again. `which` operand is the selection, another
  /// one a constant.
  void fold_selection(Instruction& instruction, uint32_t which) {
    const Instruction* const chosen = definition(operand(instruction, which));
    if (chosen == nullptr || (chosen->op != Op::select && chosen->op != Op::mask)) return;
    const Type type = module_.values[instruction.first_result].type;
    if (type == Type::b64) return;
    const bool is_mask = chosen->op == Op::mask;
    const Value predicate = operand(*chosen, 0);
    const Value arms[2] = {is_mask ? word(kAllOnes) : operand(*chosen, 1),
                           is_mask ? word(0) : operand(*chosen, 2)};
    uint64_t results[2];
    for (uint32_t arm = 0; arm < 2; ++arm) {
      if (!module_.is_constant(arms[arm])) return;
      std::array<uint64_t, 2> bits{};
      for (uint32_t i = 0; i < instruction.operand_count; ++i)
        bits[i] = module_.values[i == which ? arms[arm] : operand(instruction, i)].bits;
      const auto result = evaluate(instruction.op, std::span(bits.data(), instruction.operand_count));
      if (!result) return;
      results[arm] = *result;
    }
    if (type == Type::b32) {
      rewrite(instruction, Op::select,
              {predicate, word(static_cast<uint32_t>(results[0])), word(static_cast<uint32_t>(results[1]))});
    } else if (results[0] == results[1]) {
      become_predicate(instruction, results[0] != 0);
    } else if (results[0] != 0) {
      become(instruction, predicate);
    } else {
      rewrite(instruction, Op::pnot, {predicate});
    }
  }

  // Adding a zero and multiplying by one flush a denormal operand, so they are no-ops only on values that are
  // flushed already; and x + 0 turns -0 into +0, so that only x + -0 is one at all. NaNs: any pattern is
  // legal, so handing one through is. Sign operations only touch the sign bit.
  void simplify_float(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
    switch (instruction.op) {
      case Op::fadd:
        if (is(b, kMinusZero) && is_flushed(a)) become(instruction, a);
        break;
      case Op::fmul:
        if (is(b, kOne) && is_flushed(a)) become(instruction, a);
        if (is(b, kMinusOne) && is_flushed(a)) rewrite(instruction, Op::fneg, {a});
        break;
      case Op::ffma: simplify_ffma(instruction); break;
      case Op::fdiv: simplify_fdiv(instruction, a, b); break;
      case Op::fneg:
        if (const Instruction* inner = made_by(a, Op::fneg)) become(instruction, operand(*inner, 0));
        break;
      case Op::fabs:
        if (made_by(a, Op::fabs)) {
          become(instruction, a);
        } else if (const Instruction* inner = made_by(a, Op::fneg)) {
          rewrite(instruction, Op::fabs, {operand(*inner, 0)});
        }
        break;
      case Op::fsat:
        if (made_by(a, Op::fsat)) become(instruction, a);
        break;
      case Op::frint:
      case Op::ffloor:
      case Op::fceil:
      case Op::ftrunc: {
        const Instruction* inner = definition(a);
        if (inner != nullptr &&
            (rounds_to_integer(inner->op) || inner->op == Op::itof || inner->op == Op::utof)) {
          become(instruction, a);
        }
        break;
      }
      default: break;
    }
  }

  // The product by 1 is exact, and so is the sum with -0; the flush of the other operand stays with fadd or
  // fmul.
  void simplify_ffma(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = operand(instruction, 1);
    const Value c = operand(instruction, 2);
    if (is(c, kMinusZero)) return rewrite(instruction, Op::fmul, {a, b});
    if (is(b, kOne)) return rewrite(instruction, Op::fadd, {a, c});
    if (is(a, kOne)) return rewrite(instruction, Op::fadd, {b, c});
  }

  // The reciprocal of a power of two is exact where it is no denormal: both round the same real number.
  void simplify_fdiv(Instruction& instruction, Value a, Value b) {
    if (!module_.is_constant(b)) return;
    const uint32_t bits = module_.constant_bits(b);
    const uint32_t exponent = (bits >> 23) & 0xffu;
    if (bits == kOne && is_flushed(a)) return become(instruction, a);
    if ((bits & 0x7fffffu) != 0 || exponent < 2 || exponent > 252) return;
    rewrite(instruction, Op::fmul, {a, word((bits & 0x80000000u) | ((254 - exponent) << 23))});
  }

  void simplify_integer(Instruction& instruction) {
    switch (instruction.op) {
      case Op::iadd:
      case Op::isub:
      case Op::ineg:
      case Op::imul:
      case Op::imad:
      case Op::udiv:
      case Op::urem: return simplify_arithmetic(instruction);
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::not_: return simplify_bits(instruction);
      case Op::shl:
      case Op::ishr:
      case Op::ushr:
      case Op::ubfe:
      case Op::ibfe:
      case Op::bfi: return simplify_shift(instruction);
      case Op::imin:
      case Op::imax:
      case Op::umin:
      case Op::umax: return simplify_extreme(instruction);
      default: return simplify_integer_compare(instruction);
    }
  }

  void simplify_arithmetic(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
    const bool constant = module_.is_constant(b);
    const uint32_t bits = constant ? module_.constant_bits(b) : 0;
    switch (instruction.op) {
      case Op::iadd:
        if (is(b, 0)) return become(instruction, a);
        if (constant) return add_constant(instruction, a, bits);
        if (const Instruction* negated = made_by(b, Op::ineg)) {
          return rewrite(instruction, Op::isub, {a, operand(*negated, 0)});
        }
        if (const Instruction* negated = made_by(a, Op::ineg)) {
          return rewrite(instruction, Op::isub, {b, operand(*negated, 0)});
        }
        return;
      case Op::isub:
        if (a == b) return become_word(instruction, 0);
        if (constant) return rewrite(instruction, Op::iadd, {a, word(0u - bits)});
        if (is(a, 0)) return rewrite(instruction, Op::ineg, {b});
        return;
      case Op::ineg:
        if (const Instruction* inner = made_by(a, Op::ineg)) return become(instruction, operand(*inner, 0));
        if (const Instruction* inner = made_by(a, Op::isub)) {
          return rewrite(instruction, Op::isub, {operand(*inner, 1), operand(*inner, 0)});
        }
        return;
      case Op::imul:
        if (is(b, 0)) return become(instruction, b);
        if (is(b, 1)) return become(instruction, a);
        if (is(b, kAllOnes)) return rewrite(instruction, Op::ineg, {a});
        if (constant && std::has_single_bit(bits)) return shift_left(instruction, a, bits);
        return;
      case Op::imad: return simplify_imad(instruction);
      case Op::udiv:
        if (is(b, 1)) return become(instruction, a);
        if (is(b, 0)) return become_word(instruction, kAllOnes);
        if (constant && std::has_single_bit(bits)) {
          return rewrite(instruction, Op::ushr, {a, word(static_cast<uint32_t>(std::countr_zero(bits)))});
        }
        return;
      case Op::urem:
        if (is(b, 0)) return become_word(instruction, kAllOnes);
        if (constant && std::has_single_bit(bits)) return rewrite(instruction, Op::and_, {a, word(bits - 1)});
        return;
      default: return;
    }
  }

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

  void simplify_imad(Instruction& instruction) {
    Value a = operand(instruction, 0);
    Value b = operand(instruction, 1);
    const Value c = operand(instruction, 2);
    if (module_.is_constant(a)) std::swap(a, b);
    if (is(b, 0)) return become(instruction, c);
    if (is(b, 1)) return rewrite(instruction, Op::iadd, {a, c});
    if (is(c, 0)) return rewrite(instruction, Op::imul, {a, b});
    if (module_.is_constant(a) && module_.is_constant(b)) {
      rewrite(instruction, Op::iadd, {c, word(module_.constant_bits(a) * module_.constant_bits(b))});
    }
  }

  void simplify_bits(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
    switch (instruction.op) {
      case Op::and_:
        if (is(b, 0)) return become(instruction, b);
        if (is(b, kAllOnes) || a == b) return become(instruction, a);
        // and(mask(p), x) -> select(p, x, 0), whatever x is
        if (const Instruction* mask = made_by(a, Op::mask)) {
          return rewrite(instruction, Op::select, {operand(*mask, 0), b, word(0)});
        }
        if (const Instruction* mask = made_by(b, Op::mask)) {
          return rewrite(instruction, Op::select, {operand(*mask, 0), a, word(0)});
        }
        return;
      case Op::or_:
        if (is(b, kAllOnes)) return become(instruction, b);
        if (is(b, 0) || a == b) return become(instruction, a);
        if (const Instruction* mask = made_by(a, Op::mask)) {
          return rewrite(instruction, Op::select, {operand(*mask, 0), word(kAllOnes), b});
        }
        if (const Instruction* mask = made_by(b, Op::mask)) {
          return rewrite(instruction, Op::select, {operand(*mask, 0), word(kAllOnes), a});
        }
        return;
      case Op::xor_:
        if (a == b) return become_word(instruction, 0);
        if (is(b, 0)) return become(instruction, a);
        if (is(b, kAllOnes)) return rewrite(instruction, Op::not_, {a});
        return;
      default:
        if (const Instruction* inner = made_by(a, Op::not_)) become(instruction, operand(*inner, 0));
        return;
    }
  }

  void simplify_shift(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = operand(instruction, 1);
    switch (instruction.op) {
      case Op::ubfe:
      case Op::ibfe:
        if (module_.is_constant(a) && (module_.constant_bits(a) & 31) == 0) become_word(instruction, 0);
        return;
      case Op::bfi:
        if (module_.is_constant(a) && (module_.constant_bits(a) & 31) == 0)
          become(instruction, operand(instruction, 3));
        return;
      default:
        // The count is taken modulo 32 (D3D11.3 22.12).
        if (module_.is_constant(b) && (module_.constant_bits(b) & 31) == 0) return become(instruction, a);
        if (is(a, 0)) return become(instruction, a);
        return;
    }
  }

  void simplify_extreme(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = operand(instruction, 1);
    if (a == b) return become(instruction, a);
    const Op op = instruction.op;
    const uint32_t least = op == Op::umin || op == Op::umax ? 0 : 0x80000000u;
    const uint32_t greatest = ~least;
    const bool minimum = op == Op::umin || op == Op::imin;
    if (is(b, minimum ? least : greatest)) return become(instruction, b);
    if (is(b, minimum ? greatest : least)) return become(instruction, a);
  }

  void simplify_integer_compare(Instruction& instruction) {
    if (module_.values[instruction.first_result].type != Type::b1) return;
    const Value a = operand(instruction, 0);
    const Value b = operand(instruction, 1);
    const Op op = instruction.op;
    if (a == b) return become_predicate(instruction, op == Op::ieq || op == Op::ige || op == Op::uge);
    // Nothing is below 0, nothing above the greatest.
    if ((op == Op::ult || op == Op::uge) && (is(b, 0) || is(a, kAllOnes))) {
      return become_predicate(instruction, op == Op::uge);
    }
    if ((op == Op::ult && is(a, 0)) || (op == Op::uge && is(b, 1))) {
      return rewrite(instruction, Op::ine, {op == Op::ult ? b : a, word(0)});
    }
    if ((op == Op::ult && is(b, 1)) || (op == Op::uge && is(a, 0))) {
      return rewrite(instruction, Op::ieq, {op == Op::ult ? a : b, word(0)});
    }
  }

  void simplify_predicate(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
    switch (instruction.op) {
      case Op::pand:
        if (is(b, 0)) return become(instruction, b);
        if (is(b, 1) || a == b) return become(instruction, a);
        if (excludes(a, b)) return become_predicate(instruction, false);
        return;
      case Op::por:
        if (is(b, 1)) return become(instruction, b);
        if (is(b, 0) || a == b) return become(instruction, a);
        if (excludes(a, b)) return become_predicate(instruction, true);
        return;
      case Op::pxor:
        if (a == b) return become_predicate(instruction, false);
        if (is(b, 0)) return become(instruction, a);
        if (is(b, 1)) return rewrite(instruction, Op::pnot, {a});
        return;
      case Op::pnot: return simplify_not(instruction, a);
      case Op::select:
      case Op::select64: return simplify_select(instruction);
      default: return;
    }
  }

  /// Is one the negation of the other?
  bool excludes(Value a, Value b) const {
    const Instruction* not_a = made_by(a, Op::pnot);
    const Instruction* not_b = made_by(b, Op::pnot);
    return (not_a != nullptr && operand(*not_a, 0) == b) || (not_b != nullptr && operand(*not_b, 0) == a);
  }

  // Integer comparisons and (in)equality of floats have an exact opposite. `a < b` of floats does not: with a
  // NaN neither `a < b` nor `a >= b` holds.
  void simplify_not(Instruction& instruction, Value a) {
    const Instruction* inner = definition(a);
    if (inner == nullptr) return;
    if (inner->op == Op::pnot) return become(instruction, operand(*inner, 0));
    Op opposite;
    switch (inner->op) {
      case Op::ieq: opposite = Op::ine; break;
      case Op::ine: opposite = Op::ieq; break;
      case Op::ilt: opposite = Op::ige; break;
      case Op::ige: opposite = Op::ilt; break;
      case Op::ult: opposite = Op::uge; break;
      case Op::uge: opposite = Op::ult; break;
      case Op::feq: opposite = Op::fne; break;
      case Op::fne: opposite = Op::feq; break;
      case Op::deq: opposite = Op::dne; break;
      case Op::dne: opposite = Op::deq; break;
      default: return;
    }
    rewrite(instruction, opposite, {operand(*inner, 0), operand(*inner, 1)});
  }

  void simplify_select(Instruction& instruction) {
    const Op op = instruction.op;
    const Value condition = operand(instruction, 0);
    const Value yes = operand(instruction, 1);
    const Value no = operand(instruction, 2);
    if (module_.is_constant(condition)) return become(instruction, is(condition, 1) ? yes : no);
    if (yes == no) return become(instruction, yes);
    if (op == Op::select && is(yes, kAllOnes) && is(no, 0))
      return rewrite(instruction, Op::mask, {condition});
    if (const Instruction* negated = made_by(condition, Op::pnot)) {
      return rewrite(instruction, op, {operand(*negated, 0), no, yes});
    }
    // An arm that asks the same question again.
    const Instruction* inner = made_by(yes, op);
    if (inner != nullptr && operand(*inner, 0) == condition) {
      return rewrite(instruction, op, {condition, operand(*inner, 1), no});
    }
    inner = made_by(no, op);
    if (inner != nullptr && operand(*inner, 0) == condition) {
      return rewrite(instruction, op, {condition, yes, operand(*inner, 2)});
    }
  }

  void simplify_double(Instruction& instruction) {
    const Value a = operand(instruction, 0);
    switch (instruction.op) {
      case Op::dneg:
        if (const Instruction* inner = made_by(a, Op::dneg)) become(instruction, operand(*inner, 0));
        break;
      case Op::dabs:
        if (made_by(a, Op::dabs)) {
          become(instruction, a);
        } else if (const Instruction* inner = made_by(a, Op::dneg)) {
          rewrite(instruction, Op::dabs, {operand(*inner, 0)});
        }
        break;
      case Op::pack64: {
        // pack(unpack(x)) -> x
        const Instruction* inner = made_by(a, Op::unpack64);
        if (inner != nullptr && inner->first_result == a && operand(instruction, 1) == a + 1) {
          become(instruction, operand(*inner, 0));
        }
        break;
      }
      default: break;
    }
  }

  // unpack(pack(low, high)) -> low, high
  void simplify_unpack(Instruction& instruction) {
    const Value packed = operand(instruction, 0);
    Value halves[2];
    if (module_.is_constant(packed)) {
      const uint64_t bits = module_.values[packed].bits;
      halves[0] = word(static_cast<uint32_t>(bits));
      halves[1] = word(static_cast<uint32_t>(bits >> 32));
    } else if (const Instruction* inner = made_by(packed, Op::pack64)) {
      halves[0] = operand(*inner, 0);
      halves[1] = operand(*inner, 1);
    } else {
      return;
    }
    for (uint32_t i = 0; i < 2; ++i) replacements_.replace(instruction.first_result + i, halves[i]);
    outcome_ = Outcome::replaced;
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  std::span<uint32_t> definition_;  // by value: index of its instruction in the rewritten list, plus 1
  std::bitset<kOpCount> new_ops_;
  Outcome outcome_ = Outcome::none;
  bool changed_ = false;
};

}  // namespace

bool fold(Module& module) {
  return Folder(module).run<false>();
}

bool fold_and_share(Module& module) {
  return Folder(module).run<true>();
}

bool fold_and_share_new(Module& module, Value first_new) {
  return Folder(module).run<true, true>(first_new);
}

}  // namespace texlate::ir
