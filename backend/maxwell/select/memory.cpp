// Memory of the shader itself: constant buffers (global memory at the record's address), constant tables
// (bank 3), x# (local memory), g# (shared memory). Guards are predicates of the accesses: if one is false, a
// load gives zeros.

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Value;

constexpr uint32_t kRowBytes = 16;
/// An index times a power of two, shared by the components of a row (Assembler::remember).
constexpr uint64_t kScaledKey = uint64_t{1} << 62 | uint64_t{1} << 60;

}  // namespace

/// The guard of a memory operation; constant true if it has none.
Predicate Selector::memory_guard(const ir::Instruction& instruction) {
  const Value guard = module.guard_of(instruction);
  return guard == ir::kNoValue ? Predicate::constant(true) : predicate(guard);
}

// Two instructions: the low word with its carry, the high word.
Pair Selector::scaled_address(const Source& low, const Source& high, MachineValue index, unsigned shift,
                              const Source& index_high) {
  Pair result;
  const Arg by = Arg::word(static_cast<int32_t>(shift));
  Draft sum{Opcode::lea, {Arg(), Arg(), Source::of(index), low, by}};
  sum.args[1].flags = kWriteCC;
  result.low = assembler.emit_word(sum, 1);
  result.high = assembler.emit_word({Opcode::lea_hi,
                                     {Arg(), Arg(), Source::of(index), high, index_high, by},
                                     {{Modifier::x, ExtendedCarry::on}}},
                                    1);
  return result;
}

/// Sets the results of a load whose guard is false to separate zeros. Called after the load was appended.
void Selector::leave_zeros(std::span<const MachineValue> zeros) {
  if (!zeros.empty()) assembler.builder().merge(zeros);
}

Selector::LoadedWords Selector::define_loaded(const ir::Instruction& instruction, uint32_t first,
                                              uint32_t count, Predicate guard) {
  LoadedWords words;
  const bool has_fallbacks = ir::info(instruction.op).family != ir::Family::memory;
  for (uint32_t i = 0; i < count; ++i) {
    const Value value = instruction.first_result + first + i;
    if (!is_used(value)) continue;
    if (guard.value != kNone) {
      const Value fallback =
          has_fallbacks ? slot(instruction, ir::Slot::fallback0 + first + i) : ir::kNoValue;
      words.otherwise[i] = fallback == ir::kNoValue ? assembler.fresh_immediate(0) : reg(fallback);
    }
    words.results[i] = assembler.general();
    define(value, words.results[i]);
  }
  return words;
}

/// One bit for each of the first `count` results that is used.
uint32_t Selector::used_words(const ir::Instruction& instruction, uint32_t count) const {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; ++i) used |= (is_used(instruction.first_result + i) ? 1u : 0u) << i;
  return used;
}

// One load for the components that are used: one component, an aligned pair, or all four.
void Selector::load_row(const ir::Instruction& instruction, Pair base, int32_t offset, Predicate guard) {
  const Value first = instruction.first_result;
  const uint32_t used = used_words(instruction, 4);
  if (used == 0) return;
  uint32_t begin = 0;
  uint32_t count = 4;
  if ((used & (used - 1)) == 0) {
    count = 1;
    while (((used >> begin) & 1) == 0) ++begin;
  } else if ((used & 0xc) == 0 || (used & 3) == 0) {
    count = 2;
    begin = (used & 3) == 0 ? 2 : 0;
  }
  if (guard.is_false()) {
    for (uint32_t c = 0; c < 4; ++c) define(first + c, Source::immediate(0));
    return;
  }
  const LoadedWords words = define_loaded(instruction, begin, count, guard);
  const LoadSize size = count == 1 ? LoadSize::b32 : count == 2 ? LoadSize::b64 : LoadSize::u_b128;
  Draft load{
      Opcode::ldg,
      {Arg::regs(std::span(words.results.data(), count)),
       Arg::address(std::array{base.low, base.high}, offset + static_cast<int32_t>(4 * begin))},
      {{Modifier::e, Extended::on}, {Modifier::load_cache, LoadCache::ci}, {Modifier::load_size, size}}};
  emit(load.under(guard));  // constant for the whole launch: nothing that other effects could change
  if (guard.value != kNone) leave_zeros(std::span(words.otherwise.data(), count));
}

/// The record of the buffer; the index into a 5.1 range is operand `position`.
Selector::Field Selector::constant_buffer_record(const ir::Instruction& instruction, uint32_t position) {
  const uint32_t operands = instruction.operand_count - (instruction.has(ir::kGuarded) ? 1 : 0);
  return range_field(module.constant_buffers[instruction.payload],
                     layout.constant_buffers[instruction.payload], launch::constant_buffer_record::kSize,
                     operands > position ? operand(instruction, position) : ir::kNoValue);
}

void Selector::select_constant_buffer(const ir::Instruction& instruction) {
  if (is_graphics()) return select_uniform(instruction);
  const Value row = operand(instruction, 0);
  const Field record = constant_buffer_record(instruction, 1);
  const Predicate guard = memory_guard(instruction);
  if (module.is_constant(row) && module.constant_bits(row) < (1u << 18)) {
    const Pair base = load_pair(record, launch::constant_buffer_record::kAddress);
    return load_row(instruction, base, static_cast<int32_t>(module.constant_bits(row) * kRowBytes), guard);
  }
  const Source low = load_word(record, launch::constant_buffer_record::kAddress);
  const Source high = load_word(record, launch::constant_buffer_record::kAddress + 4);
  load_row(instruction, scaled_address(low, high, reg(row), 4), 0, guard);
}

void Selector::select_table(const ir::Instruction& instruction) {
  const ir::ConstantTable& table = module.tables[instruction.payload];
  const uint32_t base = 4 * table.first_word;
  if (base + table.rows * kRowBytes > 0x10000) return refuse(instruction, "constants of more than 64 KiB");
  load_constants(instruction, is_graphics() ? graphics::kConstantBank : kTableBank, base,
                 memory_guard(instruction));
}

/// A row of a bank, indexed at run time by the first operand.
void Selector::load_constants(const ir::Instruction& instruction, uint8_t bank, uint32_t base,
                              Predicate guard) {
  const Value first = instruction.first_result;
  if (guard.is_false()) {
    for (uint32_t c = 0; c < 4; ++c) define(first + c, Source::immediate(0));
    return;
  }
  const MachineValue offset =
      assembler.emit_word({Opcode::shl, {Arg(), word(operand(instruction, 0)), Source::immediate(4)}});
  for (uint32_t c = 0; c < 4; c += 2) {
    const bool both = is_used(first + c) && is_used(first + c + 1);
    for (uint32_t k = 0; k < 2; ++k) {
      if (!is_used(first + c + k) || (both && k == 1)) continue;
      maxwell::Instruction code = make_instruction(Opcode::ldc, Shape::cbuf);
      set(code, Modifier::constant_size, both ? ConstantSize::b64 : ConstantSize::b32);
      code.operands[0].reg = machine::kVirtual;
      code.operands[1] =
          Operand::c(bank, constant_offset(static_cast<int32_t>(base + 4 * (c + k))), 0, machine::kVirtual);
      std::array<MachineValue, 2> zeros{kNone, kNone};
      std::array<MachineValue, 3> values{assembler.general(), offset, kNone};
      if (guard.value != kNone) zeros[0] = assembler.fresh_immediate(0);
      define(first + c + k, values[0]);
      if (both) {
        values = {values[0], assembler.general(), offset};
        if (guard.value != kNone) zeros[1] = assembler.fresh_immediate(0);
        define(first + c + 1, values[1]);
      }
      assembler.append(code, std::span(values.data(), both ? 3 : 2), guard);
      if (guard.value != kNone) leave_zeros(std::span(zeros.data(), both ? 2 : 1));
    }
  }
}

/// [register + bytes] within a window of 24 bits: a constant offset needs no register.
Arg Selector::window_address(Value index, unsigned shift, uint32_t bytes) {
  if (module.is_constant(index)) {
    const uint32_t offset = (module.constant_bits(index) << shift) + bytes;
    if (offset < (1u << 23)) return Arg::address(std::array{kNone}, static_cast<int32_t>(offset));
  }
  if (shift == 0) return Arg::address(std::array{reg(index)}, static_cast<int32_t>(bytes));
  const uint64_t key = kScaledKey | uint64_t{shift} << 40 | index;
  MachineValue base = assembler.recall(key);
  if (base == kNone) {
    base = assembler.emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(shift)}});
    assembler.remember(key, base);
  }
  return Arg::address(std::array{base}, static_cast<int32_t>(bytes));
}

void Selector::select_local(const ir::Instruction& instruction) {
  const uint32_t array = instruction.payload / 4;
  uint32_t base = 0;
  for (uint32_t i = 0; i < array; ++i) base += module.locals[i].rows * kRowBytes;
  const Predicate guard = memory_guard(instruction);
  const bool load = instruction.op == Op::local_load;
  if (guard.is_false()) {
    if (load) define(instruction.first_result, Source::immediate(0));
    return;
  }
  const Arg at = window_address(operand(instruction, 0), 4, base + 4 * (instruction.payload % 4));
  if (load) {
    const MachineValue zero = guard.value != kNone ? assembler.fresh_immediate(0) : kNone;
    const MachineValue result = assembler.general();
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

AtomicForm atomic_form(ir::AtomicOp op) {
  switch (op) {
    case ir::AtomicOp::add: return {Atomic::add, false};
    case ir::AtomicOp::and_: return {Atomic::and_, false};
    case ir::AtomicOp::or_: return {Atomic::or_, false};
    case ir::AtomicOp::xor_: return {Atomic::xor_, false};
    case ir::AtomicOp::imin: return {Atomic::min, true};
    case ir::AtomicOp::imax: return {Atomic::max, true};
    case ir::AtomicOp::umin: return {Atomic::min, false};
    case ir::AtomicOp::umax: return {Atomic::max, false};
    case ir::AtomicOp::exchange: return {Atomic::exch, false};
    case ir::AtomicOp::compare_exchange: break;  // a separate instruction
  }
  return {Atomic::add, false};
}

void Selector::select_shared(const ir::Instruction& instruction) {
  const bool atomic = instruction.op == Op::shared_atomic;
  const uint32_t array = atomic ? instruction.payload / 16 : instruction.payload;
  uint32_t base = 0;
  for (uint32_t i = 0; i < array; ++i) base += (module.shared[i].bytes + 15) / 16 * 16;
  const Predicate guard = memory_guard(instruction);
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
  const MachineValue zero = used && guard.value != kNone ? assembler.fresh_immediate(0) : kNone;
  const MachineValue result = used ? assembler.general() : kNone;
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

void Selector::select_memory(const ir::Instruction& instruction) {
  switch (instruction.op) {
    case Op::cb_load: return select_constant_buffer(instruction);
    case Op::cb_rows:
      return define(instruction.first_result,
                    load_word(constant_buffer_record(instruction, 0), launch::constant_buffer_record::kRows));
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

// ---- global memory

/// An atomic at a 64-bit address; RED if the old value is not used and RED has the operation.
void Selector::emit_global_atomic(const ir::Instruction& instruction, const Arg& at, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Value wanted = instruction.first_result;
  const bool used = is_used(wanted);
  if (guard.is_false()) return define(wanted, Source::immediate(0));
  const AtomicForm form = atomic_form(contract.atomic);
  const MachineValue value = reg(slot(instruction, ir::Slot::value0));
  const bool reduces =
      contract.atomic != ir::AtomicOp::exchange && contract.atomic != ir::AtomicOp::compare_exchange;
  if (!used && reduces) {
    emit(Draft{Opcode::red,
               {at, Arg::reg(value)},
               {{Modifier::e, Extended::on},
                {Modifier::reduction, form.operation},
                {Modifier::reduction_type, form.is_signed ? ReductionType::s32 : ReductionType::u32}}}
             .under(guard))
        .effect = machine::Effect::write;
    return;
  }
  const MachineValue zero = used && guard.value != kNone ? assembler.fresh_immediate(0) : kNone;
  const MachineValue result = used ? assembler.general() : kNone;
  if (contract.atomic == ir::AtomicOp::compare_exchange) {
    emit(Draft{Opcode::atom_cas,
               {Arg::reg(result), at, Arg::regs({reg(slot(instruction, ir::Slot::compare)), value}), Arg()},
               {{Modifier::e, Extended::on}}}
             .under(guard))
        .effect = machine::Effect::write;
  } else {
    emit(Draft{Opcode::atom,
               {Arg::reg(result), at, Arg::reg(value)},
               {{Modifier::e, Extended::on},
                {Modifier::global_atomic, form.operation},
                {Modifier::atomic_type, form.is_signed ? AtomicType::s32 : AtomicType::u32}}}
             .under(guard))
        .effect = machine::Effect::write;
  }
  if (!used) return;
  if (guard.value != kNone) leave_zeros(std::array{zero});
  define(wanted, result);
}

}  // namespace texlate::maxwell::select
