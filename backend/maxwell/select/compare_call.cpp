// Comparisons as calls, and the routines that they call.

#include "backend/maxwell/compare_routines.h"
#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

void Selector::begin_routine() {
  for (uint32_t i = 0; i < options.argument_count; ++i) arguments_.push_back(assembler.general());
  assembler.builder().begin(assembler.builder().block(), arguments_);
}

void Selector::select_argument(const ir::Instruction& instruction) {
  if (instruction.op == ir::Op::input)
    return define(instruction.first_result, arguments_[instruction.payload]);
  result_ = word(operand(instruction, 0));
}

void Selector::exit_routine() {
  assembler.builder().exit(std::array{assembler.reg(result_)});
}

/// The routine tests whether a texture is bound. It returns all four components.
void Selector::select_compare_call(const ir::Instruction& instruction) {
  if (options.routines == nullptr) return refuse(instruction, "an access that is not legalized");
  const CompareRoutines::Call call = options.routines->find(instruction);
  if (!call.good) return;
  scratch_.clear();
  for (const ir::Value argument : call.arguments) scratch_.push_back(reg(argument));
  const MachineValue result = assembler.general();
  assembler.builder().call(call.routine, call.clobbers, scratch_, std::array{result});
  for (uint32_t c = 0; c < 4; ++c) define(instruction.first_result + c, result);
}

}  // namespace texlate::maxwell::select
