#include "ir/passes/folding_builder.h"

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
struct Recipe {
  folding::Rules rules;
  uint8_t results;
  Type type;  // of all results
  bool is_shared, is_control;
};
constexpr std::array<Recipe, kOpCount> kRecipes = [] {
  std::array<Recipe, kOpCount> recipes{};
  for (uint32_t i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    const ResultTypes& types = result_types_of(op);
    recipes[i] = {folding::rules_of(op), types.count, types.types[0], kGivesTheSame[i] || op == Op::buf_load,
                  info(op).has(kControl)};
    for (uint32_t r = 1; r < types.count; ++r) {
      if (types.types[r] != types.types[0]) results_of_one_operation_have_different_types();
    }
  }
  return recipes;
}();

}  // namespace

Value FoldingBuilder::emit(Op op, std::span<const Value> operands, uint32_t payload, uint8_t flags) {
  const Recipe& recipe = kRecipes[static_cast<uint32_t>(op)];
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  for (const Value operand : operands) module_.operands.push_back(operand);
  Instruction& instruction = module_.code.emplace_back(
      Instruction{op, static_cast<uint8_t>(flags_ | flags), recipe.results,
                  static_cast<uint32_t>(operands.size()), first_operand, kNoValue, payload, location_});
  if (may_simplify(instruction, recipe.rules) && simplify_fully(instruction, recipe.rules)) [[unlikely]] {
    withdraw(instruction);
    return replacement_[0];
  }
  return share_or_keep(instruction);
}

Value FoldingBuilder::emit_access(Op op, const ResourceAccess& access, std::span<const Value> operands) {
  const auto index = static_cast<uint32_t>(module_.accesses.size());
  module_.accesses.push_back(access);
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  for (const Value operand : operands) module_.operands.push_back(operand);
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
  module_.operands.resize(instruction.first_operand);
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
  const auto first = static_cast<Value>(module_.values.size());
  instruction.first_result = first;
  module_.values.push_back({0, recipe.type, false});
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
