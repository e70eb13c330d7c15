// Facts of bindings: words of the parameter block, which is in constant bank 0 and so can be an operand as it
// is.

#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {
using ir::Op;
using ir::Value;
}  // namespace

Selector::Field Selector::field_at(uint32_t base, uint32_t record_size, Value index) {
  if (index == ir::kNoValue) return {false, base, kNone};
  if (module.is_constant(index)) return {false, base + record_size * module.constant_bits(index), kNone};
  if (!std::has_single_bit(record_size)) {  // slots of a texture range with several samplers
    const Source scaled = Source::of(assembler.emit_word(
        {Opcode::xmad, {Arg(), word(index), Source::immediate(record_size), Source::immediate(0)}}));
    return {true, base, scaled.value};
  }
  const unsigned shift = static_cast<unsigned>(std::countr_zero(record_size));
  return {true, base, assembler.emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(shift)}})};
}

Selector::Field Selector::record_field(uint32_t base, uint32_t record_size, Value index) {
  return field_at(kParameterBase + base, record_size, index);
}

Selector::Field Selector::resource_record(const ir::Instruction& instruction) {
  const uint16_t resource = access(instruction).resource;
  if (is_graphics()) return slot_field(resource, slot(instruction, ir::Slot::resource_index));
  return record_field(layout.resources[resource], launch::record::kSize,
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

Source Selector::load_word(const Field& field, uint32_t offset) {
  if (!field.dynamic) return Source::constant(0, field.offset + offset);
  const MachineValue result = assembler.general();
  assembler.append(constant_load(field.offset + offset, ConstantSize::b32), std::array{result, field.index});
  return Source::of(result);
}

Pair Selector::load_pair(const Field& field, uint32_t offset) {
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
  if (is_graphics()) return select_slot_fact(instruction);
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  Field record;
  bool raw = false;
  if (query.is_sampler_fact()) {
    record = record_field(layout.samplers[query.resource], launch::sampler_record::kSize, index);
  } else {
    const ir::Resource& resource = module.resources[query.resource];
    record = record_field(layout.resources[query.resource], launch::record::kSize, index);
    raw = resource.dimension == ir::Dimension::raw_buffer;
  }
  const uint32_t field = launch::fact_offset(query.fact, raw);
  if (instruction.op == Op::binding) return define(instruction.first_result, load_word(record, field));
  // A handle of 64 bits that is not zero.
  const Source low = load_word(record, field);
  const Source high = load_word(record, field + 4);
  const MachineValue result = assembler.predicate();
  emit({Opcode::lop,
        {Predicate{result, false}, Arg(), Source::of(assembler.reg(low)), high},
        {{Modifier::logic, Logic::or_}, {Modifier::logic_test, LogicTest::nz}}});
  define(instruction.first_result, Predicate{result, false});
}

}  // namespace texlate::maxwell::select
