// Facts of bindings: words of the parameter block. The block is in constant bank 0, so a word can directly be
// an operand, unless the block is too large for parameters. Such a block, and long ranges, are in memory.

#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {
using ir::Op;
using ir::Value;
}  // namespace

Selector::Field Selector::field_at(uint32_t base, uint32_t record_size, Value index) {
  if (index == ir::kNoValue) return Field::in_bank(base);
  if (module.is_constant(index)) return Field::in_bank(base + record_size * module.constant_bits(index));
  if (!std::has_single_bit(record_size)) {  // slots of a texture range with several samplers
    const Source scaled = Source::of(assembler.emit_word(
        {Opcode::xmad, {Arg(), word(index), Source::immediate(record_size), Source::immediate(0)}}));
    return Field::in_bank(base, scaled.value);
  }
  const unsigned shift = static_cast<unsigned>(std::countr_zero(record_size));
  return Field::in_bank(base,
                        assembler.emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(shift)}}));
}

Selector::Field Selector::record_field(uint32_t base, uint32_t record_size, Value index) {
  if (!layout.in_memory) return field_at(kParameterBase + base, record_size, index);
  // The kernel's only parameter is the block's address.
  Field field;
  field.in_memory = true;
  field.offset = base;
  field.base = assembler.constant_pair(0, kParameterBase);
  if (index == ir::kNoValue) return field;
  if (module.is_constant(index)) {
    field.offset += record_size * module.constant_bits(index);
    return field;
  }
  field.base = add_product(field.base, word(index), Source::immediate(record_size));
  return field;
}

namespace {

/// Keys of a table's record: place of the table, index value, part of the field.
constexpr uint64_t table_key(uint32_t base, Value index, uint64_t part) {
  return kRecordKey | part << 59 | uint64_t{base / 16} << 32 | index;
}
/// Keys of words in memory: register with the address, offset.
constexpr uint64_t word_key(MachineValue base, uint32_t offset) {
  return kRecordKey | uint64_t{3} << 59 | uint64_t{offset / 4} << 32 | base;
}

}  // namespace

/// The record in memory at `number` << `shift` of a table.
Selector::Field Selector::table_place(const Field& table, MachineValue number, unsigned shift,
                                      Predicate inside) {
  const Pair start = load_pair(table, launch::table_record::kAddress);
  Field field;
  field.in_memory = true;
  field.dynamic = true;
  field.base = scaled_address(Source::of(start.low), Source::of(start.high), number, shift);
  field.inside = inside;
  return field;
}

// If the table is too short, or was not given: a record of zeros, that is, an unbound slot.
Selector::Field Selector::table_field(uint32_t base, uint32_t record_size, Value index) {
  const MachineValue there = assembler.recall(table_key(base, index, 0));
  if (there != kNone) {
    Field known;
    known.in_memory = true;
    known.dynamic = true;
    known.base = {there, assembler.recall(table_key(base, index, 1))};
    known.inside = {assembler.recall(table_key(base, index, 2)), false};
    return known;
  }
  const Field table = record_field(base, launch::table_record::kSize, ir::kNoValue);
  const MachineValue number = reg(index);
  const MachineValue inside = assembler.predicate();
  emit({Opcode::isetp,
        {Predicate{inside, false}, Arg(), Source::of(number), load_word(table, launch::table_record::kCount),
         Predicate::constant(true)},
        {{Modifier::integer_compare, IntegerCompare::lt}, {Modifier::is_signed, IsSigned::u32}}});
  const Field field =
      table_place(table, number, static_cast<unsigned>(std::countr_zero(record_size)), {inside, false});
  assembler.remember(table_key(base, index, 0), field.base.low);
  assembler.remember(table_key(base, index, 1), field.base.high);
  assembler.remember(table_key(base, index, 2), inside);
  return field;
}

// Texture objects by textures and samplers; the host gives their numbers. A sampler index out of range
// selects the last one: it is undefined in Direct3D.
Selector::Field Selector::pair_in_table(uint32_t base, Value resource_index, Value sampler_index) {
  const Field table = record_field(base, launch::table_record::kSize, ir::kNoValue);
  const auto number = [&](Value index) {
    return index == ir::kNoValue ? Source::immediate(0) : Source::of(reg(index));
  };
  const Predicate minimum = Predicate::constant(true);
  const ModifierSetting plain{Modifier::is_signed, IsSigned::u32};
  const Source samplers = Source::of(assembler.reg(load_word(table, launch::table_record::kSamplers)));
  const Source least = Source::of(
      assembler.emit_word({Opcode::imnmx, {Arg(), samplers, Source::immediate(1), !minimum}, {plain}}));
  const Source last = Source::of(emit_integer_sum(least, Source::immediate(0xffffffff)));
  const Source sampler = Source::of(
      assembler.emit_word({Opcode::imnmx, {Arg(), last, number(sampler_index), minimum}, {plain}}));
  const Source texture = Source::of(assembler.reg(number(resource_index)));
  const MachineValue inside = assembler.predicate();
  emit({Opcode::isetp,
        {Predicate{inside, false}, Arg(), texture, load_word(table, launch::table_record::kCount),
         Predicate::constant(true)},
        {{Modifier::integer_compare, IntegerCompare::lt}, plain}});
  const Source row = Source::of(multiply_words(texture, samplers));
  return table_place(table, emit_integer_sum(row, sampler), 3, {inside, false});
}

Selector::Field Selector::resource_record(const ir::Instruction& instruction) {
  const uint16_t resource = access(instruction).resource;
  if (is_graphics()) return slot_field(resource, slot(instruction, ir::Slot::resource_index));
  return range_field(module.resources[resource], layout.resources[resource], launch::record::kSize,
                     slot(instruction, ir::Slot::resource_index));
}

namespace {

maxwell::Instruction constant_load(uint32_t offset, ConstantSize size) {
  maxwell::Instruction code = make_instruction(Opcode::ldc, Shape::cbuf);
  set(code, Modifier::constant_size, size);
  code.operands[0].reg = machine::kVirtual;
  code.operands[1] = Operand::c(0, static_cast<int32_t>(offset), 0, machine::kVirtual);
  return code;
}

}  // namespace

/// A word in memory, which no launch changes: read once per region.
Source Selector::load_memory_word(const Field& field, uint32_t offset) {
  const uint64_t key = word_key(field.base.low, field.offset + offset);
  const MachineValue there = assembler.recall(key);
  if (there != kNone) return Source::of(there);
  const Predicate guard = field.inside;
  const MachineValue zero = guard.value != kNone ? assembler.fresh_immediate(0) : kNone;
  const MachineValue result = assembler.general();
  const Arg at = global_address(Source::of(field.base.low), Source::of(field.base.high),
                                Source::immediate(field.offset + offset), 0);
  emit(Draft{Opcode::ldg,
             {Arg::reg(result), at},
             {{Modifier::e, Extended::on},
              {Modifier::load_cache, LoadCache::ci},
              {Modifier::load_size, LoadSize::b32}}}
           .under(guard));
  if (guard.value != kNone) leave_zeros(std::array{zero});
  assembler.remember(key, result);
  return Source::of(result);
}

Source Selector::load_word(const Field& field, uint32_t offset) {
  if (field.in_memory) return load_memory_word(field, offset);
  if (!field.dynamic) return Source::constant(0, field.offset + offset);
  const MachineValue result = assembler.general();
  assembler.append(constant_load(field.offset + offset, ConstantSize::b32), std::array{result, field.index});
  return Source::of(result);
}

Pair Selector::load_pair(const Field& field, uint32_t offset) {
  if (field.in_memory) {
    const MachineValue low = load_memory_word(field, offset).value;
    return {low, load_memory_word(field, offset + 4).value};
  }
  if (!field.dynamic) return assembler.constant_pair(0, static_cast<int32_t>(field.offset + offset));
  const Pair result{assembler.general(), assembler.general()};
  assembler.append(constant_load(field.offset + offset, ConstantSize::b64),
                   std::array{result.low, result.high, field.index});
  return result;
}

Selector::Field Selector::counter_record(const ir::Instruction& instruction) {
  if (is_graphics()) {
    const uint32_t first = options.graphics->counters[access(instruction).resource];
    return field_at(options.graphics->offset(graphics::SlotKind::buffer, first), graphics::kBufferRecord,
                    slot(instruction, ir::Slot::resource_index));
  }
  Field field = resource_record(instruction);
  field.offset += launch::record::kCounter;
  return field;
}

void Selector::select_binding(const ir::Instruction& instruction) {
  if (instruction.op == ir::Op::specialized) return refuse(instruction, "a specialization constant");
  if (is_graphics()) return select_slot_fact(instruction);
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  Field record;
  bool raw = false;
  if (query.is_sampler_fact()) {
    record = range_field(module.samplers[query.resource], layout.samplers[query.resource],
                         launch::sampler_record::kSize, index);
  } else {
    const ir::Resource& resource = module.resources[query.resource];
    record = range_field(resource, layout.resources[query.resource], launch::record::kSize, index);
    raw = resource.dimension == ir::Dimension::raw_buffer;
  }
  const uint32_t field = launch::fact_offset(query.fact, raw);
  if (instruction.op == Op::binding) return define(instruction.first_result, load_word(record, field));
  // Tests whether the 64-bit handle is not zero.
  const Source low = load_word(record, field);
  define(instruction.first_result, is_not_zero(low, load_word(record, field + 4)));
}

Predicate Selector::is_not_zero(const Source& low, const Source& high) {
  const MachineValue result = assembler.predicate();
  emit({Opcode::lop,
        {Predicate{result, false}, Arg(), Source::of(assembler.reg(low)), high},
        {{Modifier::logic, Logic::or_}, {Modifier::logic_test, LogicTest::nz}}});
  return {result, false};
}

}  // namespace texlate::maxwell::select
