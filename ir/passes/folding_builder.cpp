#include "ir/passes/folding_builder.h"

namespace texlate::ir {

FoldingBuilder::FoldingBuilder(Module& module, size_t expected)
    : Folder(module),
      scratch_(module.memory()),
      available_(module, expected, &scratch_),
      definitions_(&scratch_) {
  definitions_.reserve(2 * expected);
}

Value FoldingBuilder::emit(Op op, std::span<const Value> operands, uint32_t payload, uint8_t flags) {
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  for (const Value operand : operands) module_.operands.push_back(operand);
  Instruction instruction{op,
                          static_cast<uint8_t>(flags_ | flags),
                          result_types_of(op).count,
                          static_cast<uint32_t>(operands.size()),
                          first_operand,
                          kNoValue,
                          payload,
                          location_};
  const folding::Rules rules = folding::rules_of(op);
  if (may_simplify(instruction, rules) && simplify_fully(instruction, rules)) {
    module_.operands.resize(first_operand);
    return replacement_[0];
  }
  return share_or_append(instruction, first_operand);
}

Value FoldingBuilder::emit_access(Op op, const ResourceAccess& access, std::span<const Value> operands) {
  const auto index = static_cast<uint32_t>(module_.accesses.size());
  module_.accesses.push_back(access);
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  for (const Value operand : operands) module_.operands.push_back(operand);
  const uint32_t results = result_types_of(op).count + (access.feedback ? 1u : 0u);
  Instruction instruction{op,
                          flags_,
                          static_cast<uint16_t>(results),
                          static_cast<uint32_t>(operands.size()),
                          first_operand,
                          kNoValue,
                          index,
                          location_};
  const size_t before = module_.code.size();
  const Value first = share_or_append(instruction, first_operand);
  if (module_.code.size() == before) module_.accesses.pop_back();
  return first;
}

/// The instruction is made only if its results are not known already.
Value FoldingBuilder::share_or_append(Instruction& instruction, uint32_t first_operand) {
  const OpInfo& operation = info(instruction.op);
  if (operation.has(kControl)) available_.cross_region(instruction.op);
  if (Instruction* const earlier = available_.find_or_add(instruction, operation, module_.code.size())) {
    earlier->flags |= instruction.flags & (kPrecise | kNonUniform);
    module_.operands.resize(first_operand);
    return earlier->first_result;
  }
  if (instruction.result_count != 0) {
    const ResultTypes& types = result_types_of(instruction.op);
    instruction.first_result = static_cast<Value>(module_.values.size());
    // Residency feedback comes after the results of the table, and is a word, too.
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      module_.values.push_back({0, i < types.count ? types.types[i] : Type::b32, false});
    if (folding::rules_of(instruction.op) != folding::Rules::none) define(instruction);
  }
  module_.code.push_back(instruction);
  return instruction.first_result;
}

void FoldingBuilder::define(const Instruction& instruction) {
  const size_t end = size_t{instruction.first_result} + instruction.result_count;
  if (end > definitions_.size()) {
    definitions_.extend_zeroed(end - definitions_.size() + definitions_.size() / 2 + 64);
    definition_ = {definitions_.data(), definitions_.size()};
  }
  for (uint32_t i = 0; i < instruction.result_count; ++i)
    definitions_[instruction.first_result + i] = static_cast<uint32_t>(module_.code.size() + 1);
}

std::array<Value, 2> FoldingBuilder::unpack(Value value) {
  const auto first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.push_back(value);
  Instruction instruction{Op::unpack64, flags_, 2, 1, first_operand, kNoValue, 0, location_};
  if (simplify_fully(instruction, folding::Rules::unpacking)) {
    module_.operands.resize(first_operand);
    return replacement_;
  }
  const Value low = share_or_append(instruction, first_operand);
  return {low, low + 1};
}

}  // namespace texlate::ir
