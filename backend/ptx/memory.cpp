#include "backend/ptx/families.h"

namespace texlate::ptx {

void Memory::emit(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::table_load: return emit_table_load(instruction);
    case Op::local_load:
    case Op::local_store: return emit_local(instruction);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return emit_shared(instruction);
    case Op::cb_load:
    case Op::cb_rows: return refuse(instruction, "a constant buffer that is not memory");
#define IR_COVERED_memory
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

/// Sets the used results to 0. Returns the guard, for the next line.
Guard Memory::preset(const Instruction& instruction) {
  const Value guard = module_.guard_of(instruction);
  for (uint32_t r = 0; r < instruction.result_count && guard != ir::kNoValue; ++r) {
    if (is_used(instruction.first_result + r)) line("mov.b32 ", Int{instruction.first_result + r}, ", 0");
  }
  return {guard};
}

/// `array` + row * 16, computed once for neighboring accesses to one row.
Temp64 Memory::row_address(std::string_view array, uint32_t number, Value row) {
  RowAddress& known = array == "texlate_x" ? local_address_ : table_address_;
  if (known.region == core_.region && known.array == number && known.row == row) return known.address;
  known = {core_.region, number, row, temp64()};
  const Temp64 offset = temp64();
  line("mov.u64 ", known.address, ", ", array, number);
  line("mul.wide.u32 ", offset, ", ", Int{row}, ", 16");
  line("add.u64 ", known.address, ", ", known.address, ", ", offset);
  return known.address;
}

void Memory::emit_table_load(const Instruction& instruction) {
  const Temp64 address = row_address("texlate_table", instruction.payload, operand(instruction, 0));
  const Guard guard = preset(instruction);
  line(guard, "ld.global.nc.v4.b32 ", Words{instruction.first_result, 4}, ", [", address, "]");
}

void Memory::emit_local(const Instruction& instruction) {
  const uint32_t array = instruction.payload / 4;
  uint32_t displacement = instruction.payload % 4 * 4;
  const Value row = operand(instruction, 0);
  const bool known = module_.is_constant(row);
  const Temp64 address = known ? Temp64{} : row_address("texlate_x", array, row);
  if (known) displacement += module_.constant_bits(row) * 16;
  put('\t', preset(instruction));
  const bool load = instruction.op == Op::local_load;
  if (load) put("ld.local.b32 ", Int{instruction.first_result}, ", [");
  if (!load) put("st.local.b32 [");
  known ? put("texlate_x", array) : put(address);
  put('+', displacement);
  if (load) return put("];\n");
  put("], ", Int{operand(instruction, 1)}, ";\n");
}

void Memory::emit_shared(const Instruction& instruction) {
  const bool atomic = instruction.op == Op::shared_atomic;
  const uint32_t array = atomic ? instruction.payload / 16 : instruction.payload;
  const Temp address = temp();
  line("mov.u32 ", address, ", texlate_g", array);
  line("add.u32 ", address, ", ", address, ", ", Int{operand(instruction, 0)});
  const Guard guard = preset(instruction);
  if (instruction.op == Op::shared_load)
    return line(guard, "ld.shared.b32 ", Int{instruction.first_result}, ", [", address, "]");
  if (instruction.op == Op::shared_store)
    return line(guard, "st.shared.b32 [", address, "], ", Int{operand(instruction, 1)});
  put('\t', guard, "atom.shared.", atomic_name(static_cast<ir::AtomicOp>(instruction.payload % 16)), ' ',
      Int{instruction.first_result}, ", [", address, ']');
  const uint32_t operands = instruction.operand_count - (instruction.has(ir::kGuarded) ? 1 : 0);
  for (uint32_t i = 1; i < operands; ++i) put(", ", Int{operand(instruction, i)});
  put(";\n");
}

}  // namespace texlate::ptx
