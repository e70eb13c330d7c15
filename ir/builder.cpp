#include "ir/builder.h"

namespace texlate::ir {

// In line: most instructions that a frontend emits come through here.
[[gnu::always_inline]] inline void Builder::add(Op op, std::span<const Value> operands, uint32_t results,
                                                Value first_result, uint32_t payload) {
  const uint32_t first_operand = static_cast<uint32_t>(module_.operands.size());
  module_.operands.append(operands.data(), operands.size());
  *code_.extend(1) = {op,
                      flags_,
                      static_cast<uint16_t>(results),
                      static_cast<uint32_t>(operands.size()),
                      first_operand,
                      first_result,
                      payload,
                      location_};
}

Value Builder::emit(Op op, std::span<const Value> operands, uint32_t payload) {
  const ResultTypes& results = result_types_of(op);
  // Markers get theirs from emit_variadic.
  const Value first = results.count != 0 ? module_.next_value() : kNoValue;
  for (uint32_t i = 0; i < results.count; ++i) module_.values.push_back({0, results.types[i], false, 0});
  add(op, operands, results.count, first, payload);
  return first;
}

Value Builder::emit_variadic(Op op, std::span<const Value> operands, uint32_t results, uint32_t payload) {
  const Value first = results != 0 ? module_.new_values(Type::b32, results) : kNoValue;
  add(op, operands, results, first, payload);
  return first;
}

Value Builder::emit_access(Op op, const ResourceAccess& access, std::span<const Value> operands) {
  const uint32_t index = static_cast<uint32_t>(module_.accesses.size());
  module_.accesses.push_back(access);
  if (!access.feedback) return emit(op, operands, index);
  return emit_variadic(op, operands, static_cast<uint32_t>(info(op).results.size()) + 1, index);
}

uint32_t AccessBuilder::pack(std::array<Value, kSlotCount>& packed) {
  uint32_t count = 0;
  contract.slots = present_;
  for (uint32_t slots = present_; slots != 0; slots &= slots - 1)
    packed[count++] = operands_[std::countr_zero(slots)];
  return count;
}

bool AccessBuilder::is(const Module& module, const Instruction& instruction) const {
  if (contract != module.access_of(instruction) || contract.slots != present_) return false;
  const Value* next = module.operands_of(instruction).data();
  for (uint32_t slots = present_; slots != 0; slots &= slots - 1) {
    if (operands_[std::countr_zero(slots)] != *next++) return false;
  }
  return true;
}

void AccessBuilder::replace(Module& module, Instruction& instruction) {
  std::array<Value, kSlotCount> packed;
  const uint32_t count = pack(packed);
  instruction.payload = static_cast<uint32_t>(module.accesses.size());
  module.accesses.push_back(contract);
  instruction.first_operand = static_cast<uint32_t>(module.operands.size());
  instruction.operand_count = count;
  module.operands.append(packed.data(), count);
}

}  // namespace texlate::ir
