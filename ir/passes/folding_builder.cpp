#include "ir/passes/folding_builder.h"

#include <bit>

namespace texlate::ir {

FoldingBuilder::FoldingBuilder(Module& module, size_t expected)
    : Folder(module),
      scratch_(module.memory()),
      available_(module, expected, &scratch_),
      definitions_(&scratch_) {
  definitions_.reserve(2 * expected);
}

/// Not defined: a call of it is no constant expression.
void results_of_one_operation_have_different_types();

namespace {

/// What emit() has to know about an operation, together.
struct alignas(8) Recipe {
  folding::Rules rules;
  uint8_t results;
  Type type;  // of all results
  bool is_shared, is_control;
  bool is_only_shared;  // and nothing else can be known about it before it is made
  bool is_value;        // its operands decide about its one result
  bool asks_region;     // whether an earlier one can be used depends on where it is
  bool asks_any_constant;
  uint8_t asks;   // folding::Maker: operands that some rule asks for
  uint8_t maker;  // folding::Maker
};

/// Of which operands do the rules of an operation ask for if none is constant? That two are the same is
/// another question.
constexpr uint8_t asked_makers(Op op, folding::Rules rules) {
  using folding::Rules;
  // A selection of constants that is the only operand is tried with each of them.
  const uint8_t if_alone = info(op).operands.size() == 1 ? folding::kMakesSelection | folding::kMakesMask : 0;
  switch (rules) {
    case Rules::none:
    case Rules::values: return 0;
    case Rules::float32_constants: return if_alone;
    case Rules::unpacking:
    case Rules::float32:
    case Rules::integer:
    case Rules::predicate:
    case Rules::float64: return op == Op::pnot ? 0xff : 0xff & ~folding::kMakesTest;
  }
  return 0xff;
}

/// The only constants of which the rules of float32_constants ask; fdiv asks of others, too.
constexpr bool is_asked_number(uint32_t bits) {
  return (bits & ~folding::kMinusZero) == folding::kOne || bits == folding::kMinusZero;
}

constexpr std::array<Recipe, kOpCount> kRecipes = [] {
  std::array<Recipe, kOpCount> recipes{};
  for (uint32_t i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    const ResultTypes& types = result_types_of(op);
    recipes[i] = {folding::rules_of(op),
                  types.count,
                  types.types[0],
                  kGivesTheSame[i] || op == Op::buf_load,
                  info(op).has(kControl),
                  false,
                  false,
                  false,
                  false,
                  0,
                  0};
    recipes[i].is_only_shared = kGivesTheSame[i] && recipes[i].rules == folding::Rules::none &&
                                info(op).payload != Payload::access && !info(op).has(kConvergent) &&
                                !info(op).has(kCommutative);
    recipes[i].is_value = kGivesTheSame[i] && recipes[i].rules != folding::Rules::none && types.count == 1;
    recipes[i].asks_region = info(op).has(kConvergent) || info(op).has(kNearby);
    recipes[i].asks_any_constant = recipes[i].rules != folding::Rules::float32_constants || op == Op::fdiv;
    recipes[i].asks = asked_makers(op, recipes[i].rules);
    recipes[i].maker = folding::maker_of(op);
    for (uint32_t r = 1; r < types.count; ++r) {
      if (types.types[r] != types.types[0]) results_of_one_operation_have_different_types();
    }
  }
  return recipes;
}();

}  // namespace

// What runs for each operation of a module is flattened: appending to a list would be a call otherwise.

/// May some rule say more about an operation than that it was computed already? No for most of them.
template <uint32_t kCount>
[[gnu::always_inline]] inline bool FoldingBuilder::may_fold(Op op,
                                                            const std::array<Value, kCount>& operands) const {
  const Recipe& recipe = kRecipes[static_cast<uint32_t>(op)];
  const ValueInfo* const values = module_.values.data();
  uint32_t constants = 0, makers = 0;
  bool is_number = false;
  for (const Value operand : operands) {
    const ValueInfo& value = values[operand];
    makers |= value.maker;
    if (!value.is_constant) continue;
    ++constants;
    is_number |= is_asked_number(static_cast<uint32_t>(value.bits));
  }
  if (constants != 0) {
    return recipe.asks_any_constant || is_number || constants == kCount ||
           (makers & (folding::kMakesSelection | folding::kMakesMask)) != 0;
  }
  if ((makers & recipe.asks) != 0) return true;
  if constexpr (kCount == 1) return false;
  // The operands of a commutative or comparing operation, or the arms of a selection.
  return recipe.rules != folding::Rules::float32_constants && operands[kCount - 2] == operands[kCount - 1];
}

/// An operation whose operands decide about its one result. In line where it runs for lane after lane.
template <uint32_t kCount>
[[gnu::always_inline]] inline Value FoldingBuilder::make_value(Op op, std::array<Value, kCount> operands,
                                                               uint8_t flags) {
  if (kRecipes[static_cast<uint32_t>(op)].asks_region || may_fold<kCount>(op, operands))
    return emit_with_rules(op, operands, flags);
  if (kCount > 1 && info(op).has(kCommutative)) {
    const bool first = module_.values[operands[0]].is_constant;
    const bool second = module_.values[operands[1]].is_constant;
    if (first != second ? first : operands[0] > operands[1]) std::swap(operands[0], operands[1]);
  }
  const uint32_t hash = AvailableValues::hash_of(op, operands, 0);
  if (Instruction* const earlier = available_.find(op, flags, operands, 0, hash)) [[unlikely]] {
    earlier->flags |= flags & (kPrecise | kNonUniform);
    return earlier->first_result;
  }
  available_.add(hash, module_.code.size());
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.append(operands.data(), operands.size());
  return append_value({op, flags, 1, kCount, first_operand, kNoValue, 0, location_});
}

template <uint32_t kCount>
[[gnu::flatten, gnu::noinline]] Value FoldingBuilder::fold_or_share(Op op,
                                                                    const std::array<Value, kCount>& operands,
                                                                    uint8_t flags) {
  return make_value<kCount>(op, operands, flags);
}

Value FoldingBuilder::emit(Op op, std::span<const Value> operands, uint32_t payload, uint8_t flags) {
  const Recipe& recipe = kRecipes[static_cast<uint32_t>(op)];
  flags |= flags_;
  if (recipe.is_value) {
    switch (operands.size()) {
      case 1: return fold_or_share<1>(op, {operands[0]}, flags);
      case 2: return fold_or_share<2>(op, {operands[0], operands[1]}, flags);
      case 3: return fold_or_share<3>(op, {operands[0], operands[1], operands[2]}, flags);
      default: return emit_with_rules(op, operands, flags);
    }
  }
  return recipe.is_only_shared ? emit_shared(op, operands, payload, flags)
                               : emit_other(op, operands, payload, flags);
}

[[gnu::flatten]] Value FoldingBuilder::emit_other(Op op, std::span<const Value> operands, uint32_t payload,
                                                  uint8_t flags) {
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.append(operands.data(), operands.size());
  Instruction& instruction = module_.code.emplace_back(
      Instruction{op, flags, kRecipes[static_cast<uint32_t>(op)].results,
                  static_cast<uint32_t>(operands.size()), first_operand, kNoValue, payload, location_});
  return share_or_keep(instruction);
}

/// Appends an operation that has one result.
inline Value FoldingBuilder::append_value(Instruction instruction) {
  const Value result = module_.next_value();
  const Recipe& recipe = kRecipes[static_cast<uint32_t>(instruction.op)];
  instruction.first_result = result;
  *module_.code.extend(1) = instruction;
  *module_.values.extend(1) = {0, recipe.type, false, recipe.maker};
  if (result >= definitions_.size()) [[unlikely]]
    grow_definitions();
  definitions_[result] = static_cast<uint32_t>(module_.code.size());
  return result;
}

[[gnu::noinline]] Value FoldingBuilder::emit_with_rules(Op op, std::span<const Value> operands,
                                                        uint8_t flags) {
  const folding::Rules rules = kRecipes[static_cast<uint32_t>(op)].rules;
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.append(operands.data(), operands.size());
  Instruction instruction{op,       flags, 1,        static_cast<uint32_t>(operands.size()), first_operand,
                          kNoValue, 0,     location_};
  if (simplify_fully(instruction, rules)) [[unlikely]] {
    module_.operands.shrink(module_.operands.size() - first_operand);
    return replacement_[0];
  }
  if (Instruction* const earlier =
          available_.find_or_add(instruction, info(instruction.op), module_.code.size())) [[unlikely]] {
    earlier->flags |= flags & (kPrecise | kNonUniform);
    module_.operands.shrink(module_.operands.size() - first_operand);
    return earlier->first_result;
  }
  return append_value(instruction);
}

/// Reads of inputs and constant buffers, most of which are repeated.
[[gnu::flatten]] Value FoldingBuilder::emit_shared(Op op, std::span<const Value> operands, uint32_t payload,
                                                   uint8_t flags) {
  const uint32_t hash = AvailableValues::hash_of(op, operands, payload);
  if (Instruction* const earlier = available_.find(op, flags, operands, payload, hash)) {
    earlier->flags |= flags & (kPrecise | kNonUniform);
    return earlier->first_result;
  }
  const Recipe& recipe = kRecipes[static_cast<uint32_t>(op)];
  const Value first = module_.next_value();
  available_.add(hash, module_.code.size());
  module_.code.push_back({op, flags, recipe.results, static_cast<uint32_t>(operands.size()),
                          static_cast<uint32_t>(module_.operands.size()), first, payload, location_});
  module_.operands.append(operands.data(), operands.size());
  for (uint32_t r = 0; r < recipe.results; ++r) module_.values.push_back({0, recipe.type, false, 0});
  return first;
}

template <uint32_t kCount>
[[gnu::flatten]] void FoldingBuilder::emit_each(Op op, const std::array<Value, 4>* operands, uint32_t mask,
                                                uint32_t precise, std::array<Value, 4>& results) {
  for (uint32_t rest = mask & 0xf; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    std::array<Value, kCount> of_lane;
    for (uint32_t o = 0; o < kCount; ++o) of_lane[o] = operands[o][lane];
    const auto flags = static_cast<uint8_t>((precise >> lane & 1) * kPrecise | flags_);
    results[lane] = make_value<kCount>(op, of_lane, flags);
  }
}

std::array<Value, 4> FoldingBuilder::emit_lanes(Op op, std::span<const std::array<Value, 4>> operands,
                                                uint32_t mask, uint32_t precise) {
  std::array<Value, 4> results{kNoValue, kNoValue, kNoValue, kNoValue};
  switch (operands.size()) {
    case 1: emit_each<1>(op, operands.data(), mask, precise, results); break;
    case 2: emit_each<2>(op, operands.data(), mask, precise, results); break;
    case 3: emit_each<3>(op, operands.data(), mask, precise, results); break;
    default: emit_each<4>(op, operands.data(), mask, precise, results); break;
  }
  return results;
}

Value FoldingBuilder::emit_access(Op op, const ResourceAccess& access, std::span<const Value> operands) {
  const auto index = static_cast<uint32_t>(module_.accesses.size());
  module_.accesses.push_back(access);
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.append(operands.data(), operands.size());
  // Residency feedback comes after the results of the table, and is a word, too.
  const uint32_t results = result_types_of(op).count + (access.feedback ? 1u : 0u);
  const size_t before = module_.code.size();
  const Value first = share_or_keep(module_.code.emplace_back(
      Instruction{op, flags_, static_cast<uint16_t>(results), static_cast<uint32_t>(operands.size()),
                  first_operand, kNoValue, index, location_}));
  if (module_.code.size() == before) module_.accesses.pop_back();
  return first;
}

/// The last instruction is not needed.
void FoldingBuilder::withdraw(const Instruction& instruction) {
  module_.operands.shrink(module_.operands.size() - instruction.first_operand);
  module_.code.pop_back();
}

/// Returns the results of the last instruction, or withdraws it if its results are known already.
[[gnu::always_inline]] inline Value FoldingBuilder::share_or_keep(Instruction& instruction) {
  const Recipe& recipe = kRecipes[static_cast<uint32_t>(instruction.op)];
  const size_t at = module_.code.size() - 1;
  if (recipe.is_control) available_.cross_region(instruction.op);
  if (recipe.is_shared) {
    if (Instruction* const earlier = available_.find_or_add(instruction, info(instruction.op), at))
        [[unlikely]] {
      earlier->flags |= instruction.flags & (kPrecise | kNonUniform);
      withdraw(instruction);
      return earlier->first_result;
    }
  }
  if (instruction.result_count == 0) return kNoValue;
  const Value first = module_.next_value();
  instruction.first_result = first;
  module_.values.push_back({0, recipe.type, false, recipe.maker});
  if (instruction.result_count != 1) module_.new_values(recipe.type, instruction.result_count - 1u);
  if (recipe.rules != folding::Rules::none) {
    if (module_.values.size() > definitions_.size()) [[unlikely]]
      grow_definitions();
    for (Value value = first; value < module_.values.size(); ++value)
      definitions_[value] = static_cast<uint32_t>(at + 1);
  }
  return first;
}

void FoldingBuilder::grow_definitions() {
  definitions_.extend_zeroed(module_.values.size() + 64 - definitions_.size() / 2);
  definition_ = {definitions_.data(), definitions_.size()};
}

std::array<Value, 2> FoldingBuilder::unpack(Value value) {
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.push_back(value);
  Instruction& instruction = module_.code.emplace_back(
      Instruction{Op::unpack64, flags_, 2, 1, first_operand, kNoValue, 0, location_});
  if (simplify_fully(instruction, folding::Rules::unpacking)) {
    withdraw(instruction);
    return replacement_;
  }
  const Value low = share_or_keep(instruction);
  return {low, low + 1};
}

}  // namespace texlate::ir
