// Memory of the shader itself: constant tables (a bank), x# (local memory), g# (shared memory).

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

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
    if (offset < kReach) return Arg::address(kNone, static_cast<int32_t>(offset));
  }
  if (shift == 0) return Arg::address(reg(index), static_cast<int32_t>(bytes));
  // The components of a row share it.
  const MachineValue base = assembler_.once({Shared::scaled_index, index.number(), shift}, [&] {
    return emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(shift)}});
  });
  return Arg::address(base, static_cast<int32_t>(bytes));
}

void Memory::select_local(const ir::Instruction& instruction) {
  const uint32_t array = instruction.payload / 4;
  uint32_t base = 0;
  for (uint32_t i = 0; i < array; ++i) base += module_.locals[i].rows * kRowBytes;
  const Predicate guard = guard_of(instruction);
  const auto access = [&](const Draft& draft, machine::Effect effect) {
    emit_access(draft, guard, effect, machine::kLocalSpace);
  };
  if (guard.is_false() && instruction.op == Op::local_store) return;
  const uint32_t displacement = base + 4 * (instruction.payload % 4);
  const Arg at = guard.is_false() ? Arg() : window_address(operand(instruction, 0), 4, displacement);
  if (instruction.op == Op::local_store)
    return access({Opcode::stl, {at, Arg::reg(reg(operand(instruction, 1)))}, {kOneWord}},
                  machine::Effect::write);
  define_guarded(instruction.first_result, guard, [&](MachineValue result) {
    access({Opcode::ldl, {Arg::reg(result), at}, {kOneWord}}, machine::Effect::read);
  });
}

void Memory::select_shared(const ir::Instruction& instruction) {
  const bool atomic = instruction.op == Op::shared_atomic;
  const uint32_t array = atomic ? instruction.payload / 16 : instruction.payload;
  uint32_t base = 0;
  for (uint32_t i = 0; i < array; ++i) base += (module_.shared[i].bytes + 15) / 16 * 16;
  const Predicate guard = guard_of(instruction);
  const auto access = [&](const Draft& draft, machine::Effect effect) {
    emit_access(draft, guard, effect, kSharedSpace);
  };
  const auto in = [&](uint32_t i) { return reg(operand(instruction, i)); };
  if (guard.is_false() && instruction.op == Op::shared_store) return;
  const Arg at = guard.is_false() ? Arg() : window_address(operand(instruction, 0), 0, base);
  if (instruction.op == Op::shared_store)
    return access({Opcode::sts, {at, Arg::reg(in(1))}, {kOneWord}}, machine::Effect::write);
  define_guarded(instruction.first_result, guard, [&](MachineValue result) {
    if (!atomic) return access({Opcode::lds, {Arg::reg(result), at}, {kOneWord}}, machine::Effect::read);
    const auto op = static_cast<ir::AtomicOp>(instruction.payload % 16);
    if (op == ir::AtomicOp::compare_exchange)
      return access({Opcode::atoms_cas, {Arg::reg(result), at, Arg::regs({in(1), in(2)}), Arg()}},
                    machine::Effect::write);
    const AtomicForm form = atomic_form(op);
    const SharedType type = form.is_signed ? SharedType::s32 : SharedType::u32;
    access({Opcode::atoms,
            {Arg::reg(result), at, Arg::reg(in(1))},
            {{Modifier::atomic, form.operation}, {Modifier::shared_type, type}}},
           machine::Effect::write);
  });
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
