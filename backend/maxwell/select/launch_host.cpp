#include "backend/maxwell/select/launch_host.h"

#include "backend/launch/buffer_alignment.h"
#include "backend/maxwell/compare_routines.h"

namespace texlate::maxwell::select {

using ir::Op;
using ir::Value;

void LaunchHost::begin() {
  Host::begin();
  if (is_stream()) planes_.begin();
}

void LaunchHost::leave() {
  is_stream() ? planes_.exit() : assembler_.builder().exit();
}

Field LaunchHost::counter_record(const ir::Instruction& instruction) {
  Field field = records_.resource_of(instruction);
  field.offset += launch::record::kCounter;
  return field;
}

uint32_t LaunchHost::structure_alignment(const ir::Resource& resource) const {
  return launch::buffer_alignment(resource);
}

void LaunchHost::select_binding(const ir::Instruction& instruction) {
  if (instruction.op == Op::specialized) return refuse(instruction, "a specialization constant");
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  const bool of_sampler = query.is_sampler_fact();
  const bool raw = !of_sampler && module_.resources[query.resource].dimension == ir::Dimension::raw_buffer;
  const Field record =
      of_sampler ? records_.sampler(query.resource, index) : records_.resource(query.resource, index);
  const uint32_t field = launch::fact_offset(query.fact, raw);
  const Source low = load_word(record, field);
  if (instruction.op == Op::binding) return define(instruction.first_result, low);
  // Tests whether the 64-bit handle is not zero.
  define(instruction.first_result, is_not_zero(low, load_word(record, field + 4)));
}

void LaunchHost::select_constant_buffer(const ir::Instruction& instruction) {
  if (instruction.op == Op::cb_rows)
    return define(instruction.first_result,
                  load_word(records_.constant_buffer(instruction, 0), launch::constant_buffer_record::kRows));
  const Value row = operand(instruction, 0);
  const Field record = records_.constant_buffer(instruction, 1);
  const Predicate guard = guard_of(instruction);
  if (module_.is_constant(row) && module_.constant_bits(row) < (1u << 18)) {
    const Pair base = load_pair(record, launch::constant_buffer_record::kAddress);
    return load_row(instruction, base, static_cast<int32_t>(module_.constant_bits(row) * kRowBytes), guard);
  }
  const Source low = load_word(record, launch::constant_buffer_record::kAddress);
  const Source high = load_word(record, launch::constant_buffer_record::kAddress + 4);
  load_row(instruction, scaled_address(low, high, reg(row), 4), 0, guard);
}

void LaunchHost::select_query(const ir::Instruction& instruction) {
  refuse(instruction, "a query that is not legalized");
}

/// A call of a routine, which tests whether a texture is bound and returns all four components.
bool LaunchHost::select_comparison(const ir::Instruction& instruction) {
  if (options_.routines == nullptr) {
    refuse(instruction, "an access that is not legalized");
    return true;
  }
  const CompareRoutines::Call call = options_.routines->find(instruction);
  if (!call.good) return true;
  std::pmr::vector<MachineValue> arguments(module_.memory());
  for (const Value argument : call.arguments) arguments.push_back(reg(argument));
  const MachineValue result = assembler_.general();
  assembler_.builder().call(call.routine, call.clobbers, arguments, std::array{result});
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
