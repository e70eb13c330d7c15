// Memory of the shader itself: constant tables (a bank), x# (local memory), g# (shared memory).

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Value;

/// An index times a power of two, shared by the components of a row (Assembler::remember).
constexpr uint64_t kScaledKey = uint64_t{1} << 62 | uint64_t{1} << 60;

}  // namespace

void Memory::select_table(const ir::Instruction& instruction) {
  const ir::ConstantTable& table = module_.tables[instruction.payload];
  const uint32_t base = 4 * table.first_word;
  if (base + table.rows * kRowBytes > 0x10000) return refuse(instruction, "constants of more than 64 KiB");
  load_constants(instruction, host_.table_bank(), base, guard_of(instruction));
}

/// [register + bytes] within a window of 24 bits: a constant offset needs no register.
Arg Memory::window_address(Value index, unsigned shift, uint32_t bytes) {
  if (module_.is_constant(index)) {
    const uint32_t offset = (module_.constant_bits(index) << shift) + bytes;
    if (offset < (1u << 23)) return Arg::address(std::array{kNone}, static_cast<int32_t>(offset));
  }
  if (shift == 0) return Arg::address(std::array{reg(index)}, static_cast<int32_t>(bytes));
  const uint64_t key = kScaledKey | uint64_t{shift} << 40 | index;
  MachineValue base = assembler_.recall(key);
  if (base == kNone) {
    base = emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(shift)}});
    assembler_.remember(key, base);
  }
  return Arg::address(std::array{base}, static_cast<int32_t>(bytes));
}

void Memory::select_local(const ir::Instruction& instruction) {
  const uint32_t array = instruction.payload / 4;
  uint32_t base = 0;
  for (uint32_t i = 0; i < array; ++i) base += module_.locals[i].rows * kRowBytes;
  const Predicate guard = guard_of(instruction);
  const bool load = instruction.op == Op::local_load;
  if (guard.is_false()) {
    if (load) define(instruction.first_result, Source::immediate(0));
    return;
  }
  const Arg at = window_address(operand(instruction, 0), 4, base + 4 * (instruction.payload % 4));
  if (load) {
    const MachineValue zero = guard.value != kNone ? assembler_.fresh_immediate(0) : kNone;
    const MachineValue result = assembler_.general();
    machine::Instruction& code = emit(
        Draft{Opcode::ldl, {Arg::reg(result), at}, {{Modifier::memory_size, MemorySize::b32}}}.under(guard));
    code.effect = machine::Effect::read;
    code.space = machine::kLocalSpace;
    if (guard.value != kNone) leave_zeros(std::array{zero});
    return define(instruction.first_result, result);
  }
  machine::Instruction& code = emit(Draft{
      Opcode::stl, {at, Arg::reg(reg(operand(instruction, 1)))}, {{Modifier::memory_size, MemorySize::b32}}}
                                        .under(guard));
  code.effect = machine::Effect::write;
  code.space = machine::kLocalSpace;
}

void Memory::select_shared(const ir::Instruction& instruction) {
  const bool atomic = instruction.op == Op::shared_atomic;
  const uint32_t array = atomic ? instruction.payload / 16 : instruction.payload;
  uint32_t base = 0;
  for (uint32_t i = 0; i < array; ++i) base += (module_.shared[i].bytes + 15) / 16 * 16;
  const Predicate guard = guard_of(instruction);
  const bool has_result = instruction.result_count != 0;
  if (guard.is_false()) {
    if (has_result) define(instruction.first_result, Source::immediate(0));
    return;
  }
  const Arg at = window_address(operand(instruction, 0), 0, base);
  const auto effect = [](machine::Instruction& code, machine::Effect kind) {
    code.effect = kind;
    code.space = kSharedSpace;
  };
  if (instruction.op == Op::shared_store) {
    return effect(emit(Draft{Opcode::sts,
                             {at, Arg::reg(reg(operand(instruction, 1)))},
                             {{Modifier::memory_size, MemorySize::b32}}}
                           .under(guard)),
                  machine::Effect::write);
  }
  const bool used = is_used(instruction.first_result);
  const MachineValue zero = used && guard.value != kNone ? assembler_.fresh_immediate(0) : kNone;
  const MachineValue result = used ? assembler_.general() : kNone;
  if (!atomic) {
    effect(emit(Draft{Opcode::lds, {Arg::reg(result), at}, {{Modifier::memory_size, MemorySize::b32}}}.under(
               guard)),
           machine::Effect::read);
  } else {
    const auto op = static_cast<ir::AtomicOp>(instruction.payload % 16);
    const AtomicForm form = atomic_form(op);
    if (op == ir::AtomicOp::compare_exchange) {
      effect(emit(Draft{Opcode::atoms_cas,
                        {Arg::reg(result), at,
                         Arg::regs({reg(operand(instruction, 1)), reg(operand(instruction, 2))}), Arg()}}
                      .under(guard)),
             machine::Effect::write);
    } else {
      effect(emit(Draft{Opcode::atoms,
                        {Arg::reg(result), at, Arg::reg(reg(operand(instruction, 1)))},
                        {{Modifier::atomic, form.operation},
                         {Modifier::shared_type, form.is_signed ? SharedType::s32 : SharedType::u32}}}
                      .under(guard)),
             machine::Effect::write);
    }
  }
  if (!used) return;
  if (guard.value != kNone) leave_zeros(std::array{zero});
  define(instruction.first_result, result);
}

void Memory::select(const ir::Instruction& instruction) {
  switch (instruction.op) {
    case Op::cb_load:
    case Op::cb_rows: return host_.select_constant_buffer(instruction);
    case Op::table_load: return select_table(instruction);
    case Op::local_load:
    case Op::local_store: return select_local(instruction);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return select_shared(instruction);
#define IR_COVERED_memory
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

}  // namespace texlate::maxwell::select
