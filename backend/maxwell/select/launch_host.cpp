#include "backend/maxwell/select/launch_host.h"

#include "backend/maxwell/compare_routines.h"

namespace texlate::maxwell::select {

void LaunchHost::select_binding(const ir::Instruction& instruction) {
  if (instruction.op == Op::specialized) return refuse(instruction, "a specialization constant");
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  const Field record =
      query.is_sampler_fact() ? sampler(query.resource, index) : resource(query.resource, index);
  const uint32_t field = launch::fact_offset(query.fact);
  if (instruction.op == Op::binding) return define(instruction.first_result, load_word(record, field));
  const Words address = words_at(record, field);
  if (instruction.op == Op::address) return define(instruction.first_result, address);
  define(instruction.first_result, is_not_zero(address[0], address[1]));
}

/// A call of a routine, which tests whether a texture is bound and returns all four components.
bool LaunchHost::select_comparison(const ir::Instruction& instruction) {
  if (options_.routines == nullptr) {
    refuse(instruction, "an access that is not legalized");
    return true;
  }
  const std::optional<CompareRoutines::Call> call = options_.routines->find(instruction);
  if (!call) return true;
  std::pmr::vector<MachineValue> arguments(module_.memory());
  for (const Value argument : call->arguments) arguments.push_back(reg(argument));
  const MachineValue result = assembler_.general();
  assembler_.builder().call(call->routine, call->clobbers, arguments, std::array{result});
  for (uint32_t c = 0; c < 4; ++c) define(instruction.first_result + c, result);
  return true;
}

void RoutineHost::begin() {
  for (uint32_t i = 0; i < options_.argument_count; ++i) arguments_.push_back(assembler_.general());
  assembler_.builder().begin(assembler_.builder().block(), arguments_);
}

void RoutineHost::leave() {
  assembler_.builder().exit(std::array{assembler_.reg(result_)});
}

void RoutineHost::select_interface(const ir::Instruction& instruction) {
  if (instruction.op == Op::input) return define(instruction.first_result, arguments_[instruction.payload]);
  result_ = word(operand(instruction, 0));
}

}  // namespace texlate::maxwell::select
