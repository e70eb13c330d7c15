#include <bit>

#include "backend/maxwell/select/launch_host.h"

namespace texlate::maxwell::select {

Field LaunchHost::in_block(uint32_t base, uint32_t record_size, Value index) {
  if (!layout_.in_memory) return field_at(kParameterBase + base, record_size, index);
  // The kernel's only parameter is the block's address.
  Field field{.offset = base,
              .base = {assembler_.constant(0, kParameterBase), assembler_.constant(0, kParameterBase + 4)}};
  if (index == ir::kNoValue) return field;
  if (module_.is_constant(index)) {
    field.offset += record_size * module_.constant_bits(index);
    return field;
  }
  field.base = add_product(field.base, word(index), Source::immediate(record_size));
  return field;
}

/// The record in memory at `number` << `shift` of a table.
Field LaunchHost::table_place(const Field& table, MachineValue number, unsigned shift, Predicate inside) {
  return {.base = scaled_address(words_at(table, launch::table_record::kAddress), number, shift),
          .inside = inside};
}

// If the table is too short, or was not given: a record of zeros, that is, an unbound slot.
Field LaunchHost::in_table(uint32_t base, uint32_t record_size, Value index) {
  const auto key = [&](Shared part) { return SharedKey(part, index.number(), base / 16); };
  const MachineValue there = assembler_.recall(key(Shared::record_base_low));
  if (there != kNone) {
    return {.base = {there, assembler_.recall(key(Shared::record_base_high))},
            .inside = {assembler_.recall(key(Shared::record_inside)), false}};
  }
  const Field table = in_block(base, launch::table_record::kSize, ir::kNoValue);
  const MachineValue number = reg(index);
  const Source count = load_word(table, launch::table_record::kCount);
  const Predicate inside = compare_words(Source::of(number), IntegerCompare::lt, count);
  const Field field =
      table_place(table, number, static_cast<unsigned>(std::countr_zero(record_size)), inside);
  assembler_.remember(key(Shared::record_base_low), field.base.low);
  assembler_.remember(key(Shared::record_base_high), field.base.high);
  assembler_.remember(key(Shared::record_inside), inside.value);
  return field;
}

// Texture objects by textures and samplers; the host gives their numbers. A sampler index out of range
// selects the last one: it is undefined in Direct3D.
Field LaunchHost::pair_in_table(uint32_t base, Value resource_index, Value sampler_index) {
  const Field table = in_block(base, launch::table_record::kSize, ir::kNoValue);
  const auto number = [&](Value index) {
    return index == ir::kNoValue ? Source::immediate(0) : Source::of(reg(index));
  };
  const Predicate minimum = kAlways;
  const Source samplers = Source::of(assembler_.reg(load_word(table, launch::table_record::kSamplers)));
  const Source least =
      emit_source({Opcode::imnmx, {Arg(), samplers, Source::immediate(1), !minimum}, {kUnsigned}});
  const Source last = Source::of(emit_integer_sum(least, Source::immediate(0xffffffff)));
  const Source sampler =
      emit_source({Opcode::imnmx, {Arg(), last, number(sampler_index), minimum}, {kUnsigned}});
  const Source texture = Source::of(assembler_.reg(number(resource_index)));
  const Source count = load_word(table, launch::table_record::kCount);
  const Predicate inside = compare_words(texture, IntegerCompare::lt, count);
  const Source row = Source::of(multiply_words(texture, samplers));
  return table_place(table, emit_integer_sum(row, sampler), 3, inside);
}

Field LaunchHost::pair_record(const ir::Instruction& instruction) {
  const Value resource_index = slot(instruction, Slot::resource_index);
  const Value sampler_index = slot(instruction, Slot::sampler_index);
  const launch::SampledPair* const pair = launch::find_pair(layout_.pairs, access(instruction));
  if (pair == nullptr) {
    refuse(instruction, "a texture and sampler pair that has no handle");
    return {};
  }
  if (pair->is_table) return pair_in_table(pair->offset, resource_index, sampler_index);
  const uint32_t samplers = launch::range_size(module_.samplers[pair->sampler]);
  return add_index(in_block(pair->offset, 8 * samplers, resource_index), 8, sampler_index);
}

}  // namespace texlate::maxwell::select
