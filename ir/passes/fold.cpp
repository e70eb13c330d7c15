#include "ir/passes/fold.h"

#include <optional>

#include "ir/base/zeroed.h"
#include "ir/passes/available_values.h"
#include "ir/passes/constant_evaluation.h"
#include "ir/passes/folder.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace folding {

namespace {

bool never_denormal(Op op) {
  return info(op).has(kNeverDenormal);
}

}  // namespace

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
  // One operand that is a selection, and all others constant. Other lanes, which derivatives read, may select
  // something else.
  if (outcome_ != Outcome::none || count > 2 || constants + 1 < count ||
      info(instruction.op).has(kConvergent))
    return;
  for (uint32_t i = 0; i < count && outcome_ == Outcome::none; ++i) {
    if (is_selection(operand(instruction, i)) &&
        (count == 1 || module_.is_constant(operand(instruction, 1 - i))))
      fold_selection(instruction, i);
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
  become(module_.constant(result_type(instruction.op), *result));
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
  replacement_ = {halves[0], halves[1]};
  outcome_ = Outcome::replaced;
}

namespace {

/// Applies the rules to a module.
class Walk : private Folder {
 public:
  explicit Walk(Module& module)
      : Folder(module), scratch_(module.memory()), replacements_(module, &scratch_) {
    definition_ = zeroed<uint32_t>(scratch_, module.values.size());
  }

  /// `shares`: also removes operations that were already computed. `is_partial`: see fold_and_share_new().
  template <bool shares, bool is_partial = false>
  bool run(Value first_new = kFirstValue);

 private:
  bool is_new(const Instruction& instruction, Value first_new) const {
    if (instruction.result_count != 0 && instruction.first_result >= first_new) return true;
    for (const Value operand : module_.operands_of(instruction)) {
      if (operand >= first_new) return true;
    }
    return false;
  }
  void define(const Instruction& instruction, size_t at) {
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      definition_[instruction.first_result + i] = static_cast<uint32_t>(at + 1);
  }
  bool settle_guard(Instruction& instruction);
  size_t keep_old(Value first_new, size_t i, size_t& kept);

  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  bool replaces_old_ = false;  // a value below first_new, so that any operand may have to be replaced
};

template <bool shares, bool is_partial>
bool Walk::run(Value first_new) {
  std::optional<AvailableValues> available;
  if constexpr (shares) available.emplace(module_, module_.code.size(), &scratch_);
  const size_t count = module_.code.size();
  Instruction* const code = module_.code.data();
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if constexpr (is_partial) {
      i = keep_old(first_new, i, kept);
      if (i == count) break;
    }
    Instruction& instruction = code[i];
    replacements_.apply(module_, instruction);
    const bool is_old = is_partial && instruction.first_result < first_new;
    if (instruction.has(kGuarded) && settle_guard(instruction)) {
      replaces_old_ |= is_old;
      continue;
    }
    const Rules rules = rules_of(instruction.op);
    const bool is_looked_at = !is_partial || is_new(instruction, first_new);
    if (is_looked_at && may_simplify(instruction, rules) && simplify_fully(instruction, rules)) {
      for (uint32_t r = 0; r < instruction.result_count; ++r)
        replacements_.replace(instruction.first_result + r, replacement_[r]);
      replaces_old_ |= is_old;
      continue;
    }
    if constexpr (shares) {
      const OpInfo& operation = info(instruction.op);
      if (operation.has(kControl)) available->cross_region(instruction.op);
      Instruction* const earlier =
          is_looked_at ? available->find_or_add(instruction, operation, kept) : nullptr;
      if (earlier != nullptr) {
        stand_in(*earlier, instruction, replacements_);
        replaces_old_ |= is_old;
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

/// What keep_old() does with an operation.
enum class Treatment : uint8_t { keep, keep_and_define, stop };
constexpr std::array<Treatment, kOpCount> kTreatments = [] {
  std::array<Treatment, kOpCount> treatments{};
  for (uint32_t i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    treatments[i] = info(op).has(kControl)        ? Treatment::stop
                    : rules_of(op) != Rules::none ? Treatment::keep_and_define
                                                  : Treatment::keep;
  }
  return treatments;
}();

/// Keeps the instructions from `i` on up to the first one that is new, guarded, or a marker. Returns that
/// one.
size_t Walk::keep_old(Value first_new, size_t i, size_t& kept) {
  Instruction* const code = module_.code.data();
  uint32_t* const definition = definition_.data();
  const size_t count = module_.code.size();
  size_t place = kept;
  for (; i < count; ++i) {
    const Instruction& instruction = code[i];
    const Treatment treatment = kTreatments[static_cast<uint32_t>(instruction.op)];
    if (treatment == Treatment::stop || instruction.has(kGuarded)) break;
    if (replaces_old_) replacements_.apply(module_, instruction);
    if (is_new(instruction, first_new)) break;
    const uint32_t results = treatment == Treatment::keep ? 0 : instruction.result_count;
    if (place != i) code[place] = instruction;
    ++place;
    for (uint32_t r = 0; r < results; ++r)
      definition[code[i].first_result + r] = static_cast<uint32_t>(place);
  }
  kept = place;
  return i;
}

/// Removes a guard that is known. True: nothing is accessed, so the instruction is removed, too.
bool Walk::settle_guard(Instruction& instruction) {
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

}  // namespace

}  // namespace folding

bool fold(Module& module) {
  return folding::Walk(module).run<false>();
}

bool fold_and_share(Module& module) {
  return folding::Walk(module).run<true>();
}

bool fold_and_share_new(Module& module, Value first_new) {
  return folding::Walk(module).run<true, true>(first_new);
}

}  // namespace texlate::ir
