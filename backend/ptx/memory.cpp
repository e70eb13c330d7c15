// Constant buffers, tables, indexable temporaries, group-shared memory, inputs, outputs, system values,
// bindings.

#include <algorithm>
#include <utility>

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

Record Emitter::find_record(uint32_t base, uint32_t record_size, Value index) {
  if (index == ir::kNoValue) return {base};
  if (module_.is_constant(index)) return {base + record_size * module_.constant_bits(index)};
  Record record{0, true, temp64()};
  const Temp64 offset = temp64();
  line("mul.wide.u32 ", offset, ", ", Int{index}, ", ", record_size);
  line("mov.u64 ", record.pointer, ", ", block());
  line("add.u64 ", record.pointer, ", ", record.pointer, ", ", offset);
  record.base = base;
  return record;
}

template <typename Binding>
Record Emitter::find_record(const Binding& binding, uint32_t base, uint32_t record_size, Value index) {
  return is_table(binding) ? find_table_record(base, record_size, index)
                           : find_record(base, record_size, index);
}

template Record Emitter::find_record(const ir::Sampler&, uint32_t, uint32_t, Value);  // compare_call.cpp

// If the table is too short, or was not given: a record of zeros, that is, an unbound slot.
Record Emitter::find_table_record(uint32_t base, uint32_t record_size, Value index) {
  const Record place{base};
  Record record{0, true, temp64(), true};
  const Temp64 offset = temp64();
  const Temp64 unbound = temp64();
  const Temp count = temp();
  const TempPred inside = temp_pred();
  load_field(record.pointer, place, table_record::kAddress);
  load_field("u32", count, place, table_record::kCount);
  line("mul.wide.u32 ", offset, ", ", Int{index}, ", ", record_size);
  line("setp.lt.u32 ", inside, ", ", Int{index}, ", ", count);
  line("add.u64 ", record.pointer, ", ", record.pointer, ", ", offset);
  line("mov.u64 ", unbound, ", texlate_unbound");
  line("selp.b64 ", record.pointer, ", ", record.pointer, ", ", unbound, ", ", inside);
  needs_unbound_ = true;
  return record;
}

/// "ld.param.", or a load from memory if the block or a table is there.
std::string_view Emitter::load_of(const Record& record) const {
  return record.in_table || layout_.in_memory ? "ld.global.nc." : "ld.param.";
}

void Emitter::load_field(std::string_view type, Temp destination, const Record& record, uint32_t field) {
  line(load_of(record), type, ' ', destination, ", [", record, "+", record.base + field, "]");
}

void Emitter::load_field(Temp64 destination, const Record& record, uint32_t field) {
  line(load_of(record), "u64 ", destination, ", [", record, "+", record.base + field, "]");
}

/// Where the register number of a field at a known place is stored; null: the place is not known.
uint32_t* Emitter::known_field(const Record& record, uint32_t field, bool is_64) {
  if (record.dynamic || function_ != nullptr) return nullptr;
  const uint32_t place = (record.base + field) / 2 + (is_64 ? 1 : 0);  // fields are 4 bytes apart at least
  if (place >= fields_.size()) fields_.resize(std::max<size_t>(place + 1, layout_.size / 2), 0);
  if (fields_[place] == 0) known_fields_.push_back(place);
  return &fields_[place];
}

Temp Emitter::field32(const Record& record, uint32_t field) {
  uint32_t* const known = known_field(record, field, false);
  if (known != nullptr && *known != 0) return {*known - 1};
  const Temp result = temp();
  load_field("u32", result, record, field);
  if (known != nullptr) *known = result.n + 1;
  return result;
}

Temp64 Emitter::field64(const Record& record, uint32_t field) {
  uint32_t* const known = known_field(record, field, true);
  if (known != nullptr && *known != 0) return {*known - 1};
  const Temp64 result = temp64();
  load_field(result, record, field);
  if (known != nullptr) *known = result.n + 1;
  return result;
}

/// Forgets all but the first `known` fields: at the end of a region, or before another arm.
void Emitter::forget_fields(uint32_t known) {
  for (; known_fields_.size() > known; known_fields_.pop_back()) fields_[known_fields_.back()] = 0;
}

Record Emitter::resource_record(const Instruction& instruction) {
  const uint16_t resource = access(instruction).resource;
  return find_record(module_.resources[resource], layout_.resources[resource], record::kSize,
                     slot(instruction, ir::Slot::resource_index));
}

void Emitter::emit_memory(const Instruction& instruction) {
  if (function_ != nullptr) return emit_function_fact(instruction);
  switch (instruction.op) {
    case Op::cb_load: return emit_constant_buffer(instruction);
    case Op::cb_rows: {
      const Record record = constant_buffer_record_of(instruction, 0);
      return line(load_of(record), "u32 ", Int{instruction.first_result}, ", [", record, "+",
                  record.base + constant_buffer_record::kRows, "]");
    }
    case Op::table_load: return emit_table_load(instruction);
    case Op::local_load:
    case Op::local_store: return emit_local(instruction);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return emit_shared(instruction);
    case Op::input: return emit_input(instruction);
    case Op::output: return emit_output(instruction);
    case Op::cycle_counter: {
      const Temp64 clock = temp64();
      line("mov.u64 ", clock, ", ", std::string_view("%clock64"));
      return line("mov.b64 {", Int{instruction.first_result}, ", ", Int{instruction.first_result + 1}, "}, ",
                  clock);
    }
    case Op::system_value: return emit_system_value(instruction);
    case Op::binding:
    case Op::bound: return emit_binding(instruction);
    case Op::barrier: return emit_barrier(instruction);
    case Op::message: return;  // for a host's log, which there is none of
    case Op::discard: {
      const TempPred stays = temp_pred();
      line("not.pred ", stays, ", ", Pred{operand(instruction, 0)});
      return line("and.pred %live, %live, ", stays);
    }
    case Op::raster_samples:
      if (!is_stream_) return refuse(instruction, "the render target of a compute shader");
      return line(load_of({}), "u32 ", Int{instruction.first_result}, ", [", Record{}, "+",
                  stream_head::kSamples, "]");
    case Op::patch_input:
    case Op::output_control_point:
    case Op::patch_output:
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid:
    case Op::raster_position:
    case Op::specialized:
    case Op::emit:
    case Op::cut:
#define IR_COVERED_interface
#define IR_COVERED_memory
#define IR_COVERED_binding
#define IR_COVERED_effect
#include "ir/op_cases.inc"
      return refuse(instruction, "this operation");
  }
}

/// Sets the used results to 0, then puts the guard's predicate in front of the next line. Without a guard:
/// only a tab.
void Emitter::begin_guarded(const Instruction& instruction) {
  const Value guard = module_.guard_of(instruction);
  for (uint32_t r = 0; r < instruction.result_count && guard != ir::kNoValue; ++r) {
    if (is_used(instruction.first_result + r)) line("mov.b32 ", Int{instruction.first_result + r}, ", 0");
  }
  put('\t');
  if (guard == ir::kNoValue) return;
  put('@');
  put(Pred{guard});
  put(' ');
}

/// `array` + row * 16, computed once for neighboring accesses to one row.
Temp64 Emitter::row_address(std::string_view array, uint32_t number, Value row) {
  RowAddress& known = array == "texlate_x" ? local_address_ : table_address_;
  if (known.region == region_ && known.array == number && known.row == row) return known.address;
  known = {region_, number, row, temp64()};
  const Temp64 offset = temp64();
  line("mov.u64 ", known.address, ", ", array, number);
  line("mul.wide.u32 ", offset, ", ", Int{row}, ", 16");
  line("add.u64 ", known.address, ", ", known.address, ", ", offset);
  return known.address;
}

void Emitter::emit_constant_buffer(const Instruction& instruction) {
  const Value row = operand(instruction, 0);
  const Record record = constant_buffer_record_of(instruction, 1);
  Temp64 address = field64(record, constant_buffer_record::kAddress);
  uint32_t displacement = 0;
  if (module_.is_constant(row) && module_.constant_bits(row) < (1u << 26)) {
    displacement = module_.constant_bits(row) * 16;
  } else {
    const Temp64 offset = temp64();
    const Temp64 buffer = std::exchange(address, temp64());
    line("mul.wide.u32 ", offset, ", ", Int{row}, ", 16");
    line("add.u64 ", address, ", ", buffer, ", ", offset);
  }
  uint32_t used = 0;
  uint32_t only = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!is_used(instruction.first_result + c)) continue;
    ++used;
    only = c;
  }
  begin_guarded(instruction);
  const Value first = instruction.first_result;
  if (used == 1) {
    return end_line("ld.global.nc.b32 ", Int{first + only}, ", [", address, "+", displacement + 4 * only,
                    "]");
  }
  end_line("ld.global.nc.v4.b32 {", Int{first}, ", ", Int{first + 1}, ", ", Int{first + 2}, ", ",
           Int{first + 3}, "}, [", address, "+", displacement, "]");
}

/// The buffer's record for a cb.load or cb.rows; the index into a 5.1 range is operand `position`.
Record Emitter::constant_buffer_record_of(const Instruction& instruction, uint32_t position) {
  const uint32_t operands = instruction.operand_count - (instruction.has(ir::kGuarded) ? 1 : 0);
  return find_record(module_.constant_buffers[instruction.payload],
                     layout_.constant_buffers[instruction.payload], constant_buffer_record::kSize,
                     operands > position ? operand(instruction, position) : ir::kNoValue);
}

void Emitter::emit_table_load(const Instruction& instruction) {
  const Value first = instruction.first_result;
  const Temp64 address = row_address("texlate_table", instruction.payload, operand(instruction, 0));
  begin_guarded(instruction);
  end_line("ld.global.nc.v4.b32 {", Int{first}, ", ", Int{first + 1}, ", ", Int{first + 2}, ", ",
           Int{first + 3}, "}, [", address, "]");
}

void Emitter::emit_local(const Instruction& instruction) {
  const uint32_t array = instruction.payload / 4;
  uint32_t displacement = instruction.payload % 4 * 4;
  const Value row = operand(instruction, 0);
  const bool known = module_.is_constant(row);
  const Temp64 address = known ? Temp64{} : row_address("texlate_x", array, row);
  if (known) displacement += module_.constant_bits(row) * 16;
  const bool load = instruction.op == Op::local_load;
  begin_guarded(instruction);
  if (load) {
    put("ld.local.b32 ");
    put(Int{instruction.first_result});
    put(", [");
  } else {
    put("st.local.b32 [");
  }
  if (known) {
    put("texlate_x");
    put(array);
  } else {
    put(address);
  }
  put('+');
  put(displacement);
  if (load) return end_line("]");
  end_line("], ", Int{operand(instruction, 1)});
}

void Emitter::emit_shared(const Instruction& instruction) {
  const bool atomic = instruction.op == Op::shared_atomic;
  const uint32_t array = atomic ? instruction.payload / 16 : instruction.payload;
  const Temp address = temp();
  line("mov.u32 ", address, ", texlate_g", array);
  line("add.u32 ", address, ", ", address, ", ", Int{operand(instruction, 0)});
  begin_guarded(instruction);
  if (instruction.op == Op::shared_load)
    return end_line("ld.shared.b32 ", Int{instruction.first_result}, ", [", address, "]");
  if (instruction.op == Op::shared_store)
    return end_line("st.shared.b32 [", address, "], ", Int{operand(instruction, 1)});
  static constexpr std::string_view kNames[] = {"add.u32", "and.b32", "or.b32",  "xor.b32",  "min.s32",
                                                "max.s32", "min.u32", "max.u32", "exch.b32", "cas.b32"};
  put("atom.shared.");
  put(kNames[instruction.payload % 16]);
  put(' ');
  put(Int{instruction.first_result});
  put(", [");
  put(address);
  put(']');
  const uint32_t operands = instruction.operand_count - (instruction.has(ir::kGuarded) ? 1 : 0);
  for (uint32_t i = 1; i < operands; ++i) {
    put(", ");
    put(Int{operand(instruction, i)});
  }
  put(";\n");
}

void Emitter::emit_input(const Instruction& instruction) {
  if (!is_stream_) return refuse(instruction, "an input register of a compute shader");
  const bool is_indexed = instruction.has(ir::kIndexOperand);
  const bool is_elsewhere = instruction.has(ir::kVertexOperand);  // of another element
  if (is_elsewhere && (is_indexed || module_.stage != ir::Stage::pixel))
    return refuse(instruction, "an input of several vertices");
  const auto displacement = launch::plane_displacement(module_, instruction.payload, kMostDisplacement);
  const auto load = [&](const auto& address, uint32_t bytes) {
    put("\tld.global.nc.b32 ", Int{instruction.first_result}, ", [", address);
    if (displacement && !is_indexed) put('+', bytes);
    end_line(']');
  };
  const auto load_from = [&](const auto& plane, uint32_t bytes) {
    if (!is_elsewhere) return load(plane, bytes);
    const Temp64 there = temp64();
    line("mad.wide.s32 ", there, ", ", Int{operand(instruction, 0)}, ", 4, ", plane);
    load(there, bytes);
  };
  constexpr std::string_view kInputs = "%inputs";
  if (!is_indexed && (displacement || instruction.payload == 0))
    return load_from(kInputs, displacement.value_or(0));
  const Temp64 address = temp64();
  if (is_indexed) {
    const Temp plane = temp();
    line("mad.lo.u32 ", plane, ", ", Int{operand(instruction, 0)}, ", 16, ", instruction.payload * 4);
    line("mad.wide.u32 ", address, ", ", plane, ", %count, %inputs");
  } else {
    line("mad.wide.u32 ", address, ", %count, ", instruction.payload * 4, ", %inputs");
  }
  load_from(address, 0);
}

void Emitter::emit_output(const Instruction& instruction) {
  if (!is_stream_) return refuse(instruction, "an output register of a compute shader");
  if (instruction.has(ir::kIndexOperand)) return emit_indexed_output(instruction);
  const uint32_t reg = instruction.payload / 4;
  for (const ir::Parameter& parameter : module_.outputs) {
    if (parameter.reg != reg || ((parameter.mask >> (instruction.payload % 4)) & 1) == 0) continue;
    return line("mov.b32 %o", static_cast<uint32_t>(instruction.payload), ", ", Int{operand(instruction, 0)});
  }
  refuse(instruction, "an undeclared output");
}

// o[r#]: selects among the declared registers.
void Emitter::emit_indexed_output(const Instruction& instruction) {
  const uint32_t base = instruction.payload / 4, component = instruction.payload % 4;
  for (const ir::Parameter& parameter : module_.outputs) {
    if (parameter.reg < base || parameter.reg >= ir::kSpecialRegister ||
        ((parameter.mask >> component) & 1) == 0)
      continue;
    const TempPred is = temp_pred();
    line("setp.eq.u32 ", is, ", ", Int{operand(instruction, 0)}, ", ", parameter.reg - base);
    put("\t@");
    put(is);
    line(" mov.b32 %o", parameter.reg * 4 + component, ", ", Int{operand(instruction, 1)});
  }
}

// The thread's element. What the host gives for each pixel (stream_head::kCovered): bits 0 to 30 vCoverage,
// bit 31 vInnerCoverage.
void Emitter::emit_stream_value(const Instruction& instruction) {
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const bool pixel = module_.stage == ir::Stage::pixel;
  if (value == ir::SystemValue::thread_id && instruction.payload % 4 == 0)
    return line("mov.b32 ", Int{instruction.first_result}, ", %element");
  if (pixel && value == ir::SystemValue::coverage)
    return line("and.b32 ", Int{instruction.first_result}, ", %coverage, 0x7fffffff");
  if (pixel && value == ir::SystemValue::inner_coverage)
    return line("shr.u32 ", Int{instruction.first_result}, ", %coverage, 31");
  refuse(instruction, "this system value");
}

void Emitter::emit_system_value(const Instruction& instruction) {
  static constexpr std::string_view kAxes[] = {"x", "y", "z"};
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const uint32_t component = instruction.payload % 4;
  const Value result = instruction.first_result;
  if (is_stream_) return emit_stream_value(instruction);
  if (component > 2) return line("mov.b32 ", Int{result}, ", 0");
  const std::string_view axis = kAxes[component];
  switch (value) {
    case ir::SystemValue::thread_group_id: return line("mov.u32 ", Int{result}, ", %ctaid.", axis);
    case ir::SystemValue::thread_id_in_group: return line("mov.u32 ", Int{result}, ", %tid.", axis);
    case ir::SystemValue::thread_id: {
      const Temp group = temp();
      const Temp thread = temp();
      line("mov.u32 ", group, ", %ctaid.", axis);
      line("mov.u32 ", thread, ", %tid.", axis);
      return line("mad.lo.u32 ", Int{result}, ", ", group, ", ", module_.thread_group[component], ", ",
                  thread);
    }
    case ir::SystemValue::thread_id_in_group_flattened: {
      const Temp x = temp();
      const Temp y = temp();
      const Temp z = temp();
      line("mov.u32 ", x, ", %tid.x");
      line("mov.u32 ", y, ", %tid.y");
      line("mov.u32 ", z, ", %tid.z");
      line("mad.lo.u32 ", y, ", ", z, ", ", module_.thread_group[1], ", ", y);
      return line("mad.lo.u32 ", Int{result}, ", ", y, ", ", module_.thread_group[0], ", ", x);
    }
    default: return refuse(instruction, "this system value");
  }
}

void Emitter::emit_binding(const Instruction& instruction) {
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  Record record;
  if (query.is_sampler_fact()) {
    record = find_record(module_.samplers[query.resource], layout_.samplers[query.resource],
                         sampler_record::kSize, index);
  } else {
    record = find_record(module_.resources[query.resource], layout_.resources[query.resource], record::kSize,
                         index);
  }
  const bool raw =
      !query.is_sampler_fact() && module_.resources[query.resource].dimension == ir::Dimension::raw_buffer;
  const uint32_t field = fact_offset(query.fact, raw);
  if (instruction.op == Op::bound) {
    const Temp64 handle = field64(record, field);
    return line("setp.ne.u64 ", Pred{instruction.first_result}, ", ", handle, ", 0");
  }
  line(load_of(record), "u32 ", Int{instruction.first_result}, ", [", record, "+", record.base + field, "]");
}

// sync_g and sync_ugroup fence the group, sync_uglobal the device; _t is the barrier itself, which also
// fences the group (PTX ISA 9.7.13.1).
void Emitter::emit_barrier(const Instruction& instruction) {
  const bool threads = (instruction.payload & ir::kBarrierThreads) != 0;
  if ((instruction.payload & ir::kBarrierUavGlobal) != 0) {
    line("membar.gl");
  } else if ((instruction.payload & (ir::kBarrierShared | ir::kBarrierUavGroup)) != 0 && !threads) {
    line("membar.cta");
  }
  if (threads) line("bar.sync 0");
}

}  // namespace texlate::ptx
