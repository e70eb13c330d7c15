#include "ir/passes/fold.h"

#include <optional>

#include "ir/passes/available_values.h"
#include "ir/passes/constant_evaluation.h"
#include "ir/passes/folder.h"

namespace texlate::ir {

namespace folding {

namespace {

bool never_denormal(Op op) {
  return info(op).has(kNeverDenormal);
}

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

constexpr std::array<Rules, kOpCount> kRules = [] {
  std::array<Rules, kOpCount> rules{};
  for (uint32_t op = 0; op < kOpCount; ++op) rules[op] = rules_of(static_cast<Op>(op));
  return rules;
}();

}  // namespace

template <bool shares, bool is_partial>
bool Folder::run(Value first_new) {
  std::optional<AvailableValues> available;
  if constexpr (shares) available.emplace(module_, module_.code.size(), &scratch_);
  if constexpr (is_partial) find_new_ops(first_new);
  size_t kept = 0;
  const size_t count = module_.code.size();
  Instruction* const code = module_.code.data();
  for (size_t i = 0; i < count; ++i) {
    Instruction& instruction = code[i];
    replacements_.apply(module_, instruction);
    if (instruction.has(kGuarded) && settle_guard(instruction)) continue;
    const Rules rules = kRules[static_cast<uint32_t>(instruction.op)];
    const bool is_looked_at = !is_partial || is_new(instruction, first_new);
    if (is_looked_at && may_simplify(instruction, rules) && simplify_fully(instruction, rules)) continue;
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
    if (kept != i) code[kept] = instruction;
    ++kept;
  }
  module_.code.resize(kept);
  return changed_;
}

[[gnu::noinline]] bool Folder::simplify_again(Instruction& instruction) {
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

/// Removes a guard that is known. True: nothing is accessed, so the instruction is removed, too.
bool Folder::settle_guard(Instruction& instruction) {
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

bool Folder::is_flushed(Value value) const {
  if (module_.is_constant(value)) {
    const uint32_t bits = module_.constant_bits(value);
    return flush_denormal(bits) == bits;
  }
  const Instruction* found = definition(value);
  return found != nullptr && never_denormal(found->op);
}

/// Changes the operation in place; if there are more operands than before, the pool grows.
void Folder::rewrite(Instruction& instruction, Op op, std::initializer_list<Value> operands) {
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

void Folder::simplify(Instruction& instruction, Rules rules) {
  if (rules == Rules::unpacking) return simplify_unpack(instruction);
  const uint32_t count = instruction.operand_count;
  const uint32_t constants = count_constants(instruction);
  if (constants == count && evaluate_constants(instruction)) return;
  if (constants != 0 && info(instruction.op).has(kCommutative)) constant_last(instruction);
  switch (rules) {
    case Rules::float32:
    case Rules::float32_constants: simplify_float(instruction); break;
    case Rules::integer: simplify_integer(instruction); break;
    case Rules::predicate: simplify_predicate(instruction); break;
    case Rules::float64: simplify_double(instruction); break;
    case Rules::values:
    case Rules::unpacking:
    case Rules::none: break;  // no rules
  }
  // One operand that is a selection, and all others constant.
  if (outcome_ != Outcome::none || count > 2 || constants + 1 < count) return;
  for (uint32_t i = 0; i < count && outcome_ == Outcome::none; ++i) {
    if (count == 1 || module_.is_constant(operand(instruction, 1 - i))) fold_selection(instruction, i);
  }
}

bool Folder::evaluate_constants(Instruction& instruction) {
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

// unpack(pack(low, high)) -> low, high
void Folder::simplify_unpack(Instruction& instruction) {
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

}  // namespace folding

bool fold(Module& module) {
  return folding::Folder(module).run<false>();
}

bool fold_and_share(Module& module) {
  return folding::Folder(module).run<true>();
}

bool fold_and_share_new(Module& module, Value first_new) {
  return folding::Folder(module).run<true, true>(first_new);
}

}  // namespace texlate::ir
