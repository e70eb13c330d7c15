#include "backend/ptx/records.h"

#include <algorithm>

namespace texlate::ptx {

using ir::Slot;

Record Records::in_block(uint32_t base, uint32_t record_size, Value index) {
  if (index == ir::kNoValue) return {base};
  if (module_.is_constant(index)) return {base + record_size * module_.constant_bits(index)};
  Record record{0, true, temp64()};
  const Temp64 offset = temp64();
  line("mul.wide.u32 ", offset, ", ", Int{index}, ", ", record_size);
  line("mov.u64 ", record.pointer, ", ", Record{});
  line("add.u64 ", record.pointer, ", ", record.pointer, ", ", offset);
  record.base = base;
  return record;
}

/// The record at `offset` from the table's start if it is inside, otherwise one of zeros: an unbound slot.
Record Records::choose(const Record& record, Temp64 offset, Temp64 unbound, TempPred inside) {
  line("add.u64 ", record.pointer, ", ", record.pointer, ", ", offset);
  line("mov.u64 ", unbound, ", texlate_unbound");
  line("selp.b64 ", record.pointer, ", ", record.pointer, ", ", unbound, ", ", inside);
  core_.needs_unbound = true;
  return record;
}

Record Records::in_table(uint32_t base, uint32_t record_size, Value index) {
  const Record place{base};
  Record record{0, true, temp64(), true};
  const Temp64 offset = temp64();
  const Temp64 unbound = temp64();
  const Temp count = temp();
  const TempPred inside = temp_pred();
  load("u64", record.pointer, place, table_record::kAddress);
  load("u32", count, place, table_record::kCount);
  line("mul.wide.u32 ", offset, ", ", Int{index}, ", ", record_size);
  line("setp.lt.u32 ", inside, ", ", Int{index}, ", ", count);
  return choose(record, offset, unbound, inside);
}

/// Where the register number of a field at a known place is stored; null: the place is not known.
uint32_t* Records::known_field(const Record& record, uint32_t field, bool is_64) {
  if (record.dynamic) return nullptr;
  const uint32_t place = (record.base + field) / 2 + (is_64 ? 1 : 0);  // fields are 4 bytes apart at least
  if (place >= fields_.size()) fields_.resize(std::max<size_t>(place + 1, layout_.size / 2), 0);
  if (fields_[place] == 0) known_fields_.push_back(place);
  return &fields_[place];
}

void Records::forget(uint32_t known) {
  for (; known_fields_.size() > known; known_fields_.pop_back()) fields_[known_fields_.back()] = 0;
}

Temp64 Records::handle(const Instruction& instruction, bool sampled) {
  if (core_.is_function) {
    const Temp64 object = temp64();
    line("mov.u64 ", object, ", %object");
    return object;
  }
  if (!sampled) return handle(instruction);
  if (const SampledPair* const found = find_pair(layout_.pairs, access(instruction)))
    return field64(pair(*found, instruction), 0);
  refuse(instruction, "a texture and sampler pair that has no handle");
  return {};
}

Record Records::pair(const SampledPair& pair, const Instruction& instruction) {
  const Value resource_index = slot(instruction, Slot::resource_index);
  const Value sampler_index = slot(instruction, Slot::sampler_index);
  if (pair.is_table) return pair_in_table(pair, resource_index, sampler_index);
  Record record = in_block(pair.offset, 8 * range_size(module_.samplers[pair.sampler]), resource_index);
  if (sampler_index == ir::kNoValue) return record;
  const Record within = in_block(0, 8, sampler_index);
  if (!within.dynamic) {
    record.base += within.base;
  } else if (!record.dynamic) {
    record = {record.base, true, within.pointer};
  } else {
    // pointer + (other pointer - start of the block)
    const Temp64 start = temp64();
    line("mov.u64 ", start, ", ", Record{});
    line("sub.u64 ", start, ", ", within.pointer, ", ", start);
    line("add.u64 ", record.pointer, ", ", record.pointer, ", ", start);
  }
  return record;
}

// Textures by samplers; the host gives their numbers. A sampler index out of range selects the last one: it
// is undefined in Direct3D.
Record Records::pair_in_table(const SampledPair& pair, Value resource_index, Value sampler_index) {
  const Record place{pair.offset};
  const auto put_index = [&](Temp into, Value index) {
    if (index == ir::kNoValue) return line("mov.u32 ", into, ", 0");
    line("mov.u32 ", into, ", ", Int{index});
  };
  const Temp texture = temp(), sampler = temp(), textures = temp(), samplers = temp(), last = temp();
  put_index(texture, resource_index);
  put_index(sampler, sampler_index);
  load("u32", textures, place, table_record::kCount);
  load("u32", samplers, place, table_record::kSamplers);
  line("max.u32 ", last, ", ", samplers, ", 1");
  line("sub.u32 ", last, ", ", last, ", 1");
  line("min.u32 ", sampler, ", ", sampler, ", ", last);
  const TempPred inside = temp_pred();
  line("setp.lt.u32 ", inside, ", ", texture, ", ", textures);
  line("mad.lo.u32 ", texture, ", ", texture, ", ", samplers, ", ", sampler);
  Record record{0, true, temp64(), true};
  const Temp64 offset = temp64();
  const Temp64 unbound = temp64();
  load("u64", record.pointer, place, table_record::kAddress);
  line("mul.wide.u32 ", offset, ", ", texture, ", 8");
  return choose(record, offset, unbound, inside);
}

void Records::emit(const Instruction& instruction) {
  if (instruction.op == Op::specialized) return refuse(instruction, "this operation");
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  const Record record =
      query.is_sampler_fact() ? sampler(query.resource, index) : resource(query.resource, index);
  const uint32_t field = fact_offset(query.fact);
  if (instruction.op == Op::bound) {
    const Temp64 handle = field64(record, field);
    return line("setp.ne.u64 ", Pred{instruction.first_result}, ", ", handle, ", 0");
  }
  if (instruction.op == Op::address) return load("u64", Double{instruction.first_result}, record, field);
  load("u32", Int{instruction.first_result}, record, field);
}

}  // namespace texlate::ptx
