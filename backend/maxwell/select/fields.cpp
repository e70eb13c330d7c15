#include <bit>

#include "backend/maxwell/select/accesses.h"

namespace texlate::maxwell::select {

Field Accesses::field_at(uint32_t base, uint32_t record_size, ir::Value index) {
  if (index == ir::kNoValue) return {base};
  if (module_.is_constant(index)) return {base + record_size * module_.constant_bits(index)};
  if (!std::has_single_bit(record_size)) {  // slots of a texture range with several samplers
    const Source scaled = emit_source(
        {Opcode::xmad, {Arg(), word(index), Source::immediate(record_size), Source::immediate(0)}});
    return {base, scaled.value};
  }
  const unsigned shift = static_cast<unsigned>(std::countr_zero(record_size));
  return {base, emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(shift)}})};
}

Field Accesses::add_index(Field field, uint32_t element_size, ir::Value index) {
  const Field within = field_at(0, element_size, index);
  field.offset += within.offset;
  if (within.index == kNone) return field;
  if (field.is_in_memory()) {
    field.base = scaled_address(field.base, within.index, 0);
  } else {
    field.index = field.index != kNone ? emit_integer_sum(Source::of(field.index), Source::of(within.index))
                                       : within.index;
  }
  return field;
}

/// LDC; `registers`: one or two results, then the index in bytes.
void Accesses::load_constant(uint8_t bank, uint32_t offset, std::span<const MachineValue> registers,
                             Predicate guard) {
  maxwell::Instruction code = make_instruction(Opcode::ldc, Shape::cbuf);
  set(code, Modifier::constant_size, registers.size() == 3 ? ConstantSize::b64 : ConstantSize::b32);
  code.operands[0].reg = machine::kVirtual;
  code.operands[1] = Operand::c(bank, constant_offset(static_cast<int32_t>(offset)), 0, machine::kVirtual);
  assembler_.append(code, registers, guard);
}

/// A word in memory, which no launch changes: read once per region.
Source Accesses::load_memory_word(const Field& field, uint32_t offset) {
  const uint32_t bytes = field.offset + offset;
  return Source::of(assembler_.once({Shared::memory_word, field.base.low.number(), bytes / 4}, [&] {
    const Predicate guard = field.inside;
    const MachineValue zero = guard.value != kNone ? assembler_.fresh_immediate(0) : kNone;
    const MachineValue result = assembler_.general();
    const Arg at = global_address(field.base, bytes);
    emit(Draft{Opcode::ldg,
               {Arg::reg(result), at},
               {kExtended, {Modifier::load_cache, LoadCache::ci}, {Modifier::load_size, LoadSize::b32}}}
             .under(guard));
    if (guard.value != kNone) leave_zeros(std::array{zero});
    return result;
  }));
}

Source Accesses::load_word(const Field& field, uint32_t offset) {
  if (field.is_in_memory()) return load_memory_word(field, offset);
  if (field.is_constant()) return Source::constant(0, field.offset + offset);
  const MachineValue result = assembler_.general();
  load_constant(0, field.offset + offset, std::array{result, field.index});
  return Source::of(result);
}

Words Accesses::words_at(const Field& field, uint32_t offset) {
  if (field.is_in_memory() || field.is_constant())
    return {load_word(field, offset), load_word(field, offset + 4)};
  const Pair result{assembler_.general(), assembler_.general()};
  load_constant(0, field.offset + offset, std::array{result.low, result.high, field.index});
  return result;
}

}  // namespace texlate::maxwell::select
