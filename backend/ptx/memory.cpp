// Constant buffers, tables, indexable temporaries, group-shared memory, inputs, outputs, system values,
// bindings.

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

Record Emitter::find_record(uint32_t base, uint32_t record_size, uint32_t count, Value index) {
  if (index == ir::kNoValue) return {base};
  if (module_.is_constant(index))
    return {base + record_size * std::min(module_.constant_bits(index), count - 1)};
  // An index outside of the range is undefined in Direct3D; reading another record would be memory that is
  // not there.
  Record record{0, true, temp64()};
  const Temp safe = temp();
  const Temp64 offset = temp64();
  line("min.u32 ", safe, ", ", Int{index}, ", ", count - 1);
  line("mul.wide.u32 ", offset, ", ", safe, ", ", record_size);
  line("mov.u64 ", record.pointer, ", texlate_params");
  line("add.u64 ", record.pointer, ", ", record.pointer, ", ", offset);
  record.base = base;
  return record;
}

void Emitter::put(const Record& record) {
  if (record.dynamic) {
    put(record.pointer);
  } else {
    put("texlate_params");
  }
}

void Emitter::load_field(std::string_view type, Temp destination, const Record& record, uint32_t field) {
  line("ld.param.", type, ' ', destination, ", [", record, "+", record.base + field, "]");
}

void Emitter::load_field(Temp64 destination, const Record& record, uint32_t field) {
  line("ld.param.u64 ", destination, ", [", record, "+", record.base + field, "]");
}

Record Emitter::resource_record(const Instruction& instruction) {
  const uint16_t resource = access(instruction).resource;
  return find_record(layout_.resources[resource], record::kSize, range_size(module_.resources[resource]),
                     slot(instruction, ir::Slot::resource_index));
}

void Emitter::emit_memory(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::cb_load: return emit_constant_buffer(instruction);
    case Op::table_load: return emit_table_load(instruction);
    case Op::local_load:
    case Op::local_store: return emit_local(instruction);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return emit_shared(instruction);
    case Op::input: return emit_input(instruction);
    case Op::output: return emit_output(instruction);
    case Op::eval_centroid: return emit_input(instruction);  // the centre is covered where the pixel is
    case Op::eval_snapped: return emit_evaluation(instruction);
    case Op::mapped:
      return line("setp.ne.u32 ", Pred{instruction.first_result}, ", ", Int{operand(instruction, 0)}, ", 0");
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
    case Op::discard: {
      const TempPred stays = temp_pred();
      line("not.pred ", stays, ", ", Pred{operand(instruction, 0)});
      return line("and.pred %live, %live, ", stays);
    }
    case Op::raster_samples:
      if (!is_stream_) return refuse(instruction, "the render target of a compute shader");
      return line("ld.param.u32 ", Int{instruction.first_result}, ", [texlate_params+", stream_head::kSamples,
                  "]");
    default: return refuse(instruction, "this operation");
  }
}

// A row is there when its number is less than the rows that are bound (not: declared); 0 otherwise.
void Emitter::emit_constant_buffer(const Instruction& instruction) {
  const ir::ConstantBuffer& buffer = module_.constant_buffers[instruction.payload];
  const Value row = operand(instruction, 0);
  const Value index = instruction.operand_count > 1 ? operand(instruction, 1) : ir::kNoValue;
  const Record record = find_record(layout_.constant_buffers[instruction.payload],
                                    constant_buffer_record::kSize, range_size(buffer), index);
  const Temp rows = temp();
  const Temp64 address = temp64();
  const TempPred inside = temp_pred();
  load_field("u32", rows, record, constant_buffer_record::kRows);
  load_field(address, record, constant_buffer_record::kAddress);
  line("setp.lt.u32 ", inside, ", ", Int{row}, ", ", rows);
  uint32_t displacement = 0;
  if (module_.is_constant(row) && module_.constant_bits(row) < (1u << 26)) {
    displacement = module_.constant_bits(row) * 16;
  } else {
    const Temp64 offset = temp64();
    line("mul.wide.u32 ", offset, ", ", Int{row}, ", 16");
    line("add.u64 ", address, ", ", address, ", ", offset);
  }
  uint32_t used = 0;
  uint32_t only = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!is_used(instruction.first_result + c)) continue;
    ++used;
    only = c;
    line("mov.b32 ", Int{instruction.first_result + c}, ", 0");
  }
  put("\t@");
  put(inside);
  if (used == 1) {
    return line(" ld.global.nc.b32 ", Int{instruction.first_result + only}, ", [", address, "+",
                displacement + 4 * only, "]");
  }
  const Value first = instruction.first_result;
  line(" ld.global.nc.v4.b32 {", Int{first}, ", ", Int{first + 1}, ", ", Int{first + 2}, ", ", Int{first + 3},
       "}, [", address, "+", displacement, "]");
}

void Emitter::emit_table_load(const Instruction& instruction) {
  const ir::ConstantTable& table = module_.tables[instruction.payload];
  const Value row = operand(instruction, 0);
  const Value first = instruction.first_result;
  for (uint32_t c = 0; c < 4; ++c) {
    if (is_used(first + c)) line("mov.b32 ", Int{first + c}, ", 0");
  }
  if (table.rows == 0) return;
  const TempPred inside = temp_pred();
  const Temp64 address = temp64();
  const Temp64 offset = temp64();
  line("setp.lt.u32 ", inside, ", ", Int{row}, ", ", table.rows);
  line("mov.u64 ", address, ", texlate_table", static_cast<uint32_t>(instruction.payload));
  line("mul.wide.u32 ", offset, ", ", Int{row}, ", 16");
  line("add.u64 ", address, ", ", address, ", ", offset);
  put("\t@");
  put(inside);
  line(" ld.global.nc.v4.b32 {", Int{first}, ", ", Int{first + 1}, ", ", Int{first + 2}, ", ", Int{first + 3},
       "}, [", address, "]");
}

// x#: an index outside is undefined in Direct3D, and games do it: reads 0, writes nothing.
void Emitter::emit_local(const Instruction& instruction) {
  const uint32_t array = instruction.payload / 4;
  const uint32_t component = instruction.payload % 4;
  const uint32_t rows = module_.locals[array].rows;
  const Value row = operand(instruction, 0);
  const bool load = instruction.op == Op::local_load;
  if (module_.is_constant(row)) {
    const uint32_t at = module_.constant_bits(row);
    if (at >= rows) {
      if (load) line("mov.b32 ", Int{instruction.first_result}, ", 0");
      return;
    }
    const uint32_t offset = at * 16 + component * 4;
    if (load)
      return line("ld.local.b32 ", Int{instruction.first_result}, ", [texlate_x", array, "+", offset, "]");
    return line("st.local.b32 [texlate_x", array, "+", offset, "], ", Int{operand(instruction, 1)});
  }
  const TempPred inside = temp_pred();
  const Temp64 address = temp64();
  const Temp64 offset = temp64();
  line("setp.lt.u32 ", inside, ", ", Int{row}, ", ", rows);
  line("mov.u64 ", address, ", texlate_x", array);
  line("mul.wide.u32 ", offset, ", ", Int{row}, ", 16");
  line("add.u64 ", address, ", ", address, ", ", offset);
  if (load) line("mov.b32 ", Int{instruction.first_result}, ", 0");
  put("\t@");
  put(inside);
  if (load)
    return line(" ld.local.b32 ", Int{instruction.first_result}, ", [", address, "+", component * 4, "]");
  line(" st.local.b32 [", address, "+", component * 4, "], ", Int{operand(instruction, 1)});
}

// Is the value certainly a multiple of 4? Looks a few definitions back.
bool Emitter::is_aligned4(Value value, uint32_t depth) const {
  if (module_.is_constant(value)) return module_.constant_bits(value) % 4 == 0;
  if (depth > 4 || definition_[value] == 0xffffffffu) return false;
  const Instruction& definer = module_.code[definition_[value]];
  auto aligned = [&](uint32_t i) { return is_aligned4(operand(definer, i), depth + 1); };
  switch (definer.op) {
    case Op::iadd:
    case Op::or_: return aligned(0) && aligned(1);
    case Op::and_:
    case Op::imul: return aligned(0) || aligned(1);
    case Op::imad: return (aligned(0) || aligned(1)) && aligned(2);
    case Op::shl: {
      const Value count = operand(definer, 1);
      return module_.is_constant(count) && (module_.constant_bits(count) & 31) >= 2;
    }
    default: return false;
  }
}

// g#: out of range or misaligned is undefined in Direct3D; it must not fault: reads 0, writes nothing, low
// bits cut.
void Emitter::emit_shared(const Instruction& instruction) {
  const bool atomic = instruction.op == Op::shared_atomic;
  const uint32_t array = atomic ? instruction.payload / 16 : instruction.payload;
  const uint32_t words = (module_.shared[array].bytes + 3) / 4;
  const Value offset = operand(instruction, 0);
  const TempPred inside = temp_pred();
  const Temp address = temp();
  line("setp.lt.u32 ", inside, ", ", Int{offset}, ", ", words * 4);
  line("mov.u32 ", address, ", texlate_g", array);
  if (is_aligned4(offset)) {
    line("add.u32 ", address, ", ", address, ", ", Int{offset});
  } else {
    const Temp aligned = temp();
    line("and.b32 ", aligned, ", ", Int{offset}, ", -4");
    line("add.u32 ", address, ", ", address, ", ", aligned);
  }
  if (instruction.op == Op::shared_load) {
    line("mov.b32 ", Int{instruction.first_result}, ", 0");
    put("\t@");
    put(inside);
    return line(" ld.shared.b32 ", Int{instruction.first_result}, ", [", address, "]");
  }
  if (instruction.op == Op::shared_store) {
    put("\t@");
    put(inside);
    return line(" st.shared.b32 [", address, "], ", Int{operand(instruction, 1)});
  }
  static constexpr std::string_view kNames[] = {"add.u32", "and.b32", "or.b32",  "xor.b32",  "min.s32",
                                                "max.s32", "min.u32", "max.u32", "exch.b32", "cas.b32"};
  line("mov.b32 ", Int{instruction.first_result}, ", 0");
  put("\t@");
  put(inside);
  put(" atom.shared.");
  put(kNames[instruction.payload % 16]);
  put(' ');
  put(Int{instruction.first_result});
  put(", [");
  put(address);
  put("], ");
  for (uint32_t i = 1; i < instruction.operand_count; ++i) {
    if (i != 1) put(", ");
    put(Int{operand(instruction, i)});
  }
  put(";\n");
}

void Emitter::emit_input(const Instruction& instruction) {
  if (!is_stream_) return refuse(instruction, "an input register of a compute shader");
  if (instruction.has(ir::kVertexOperand)) return refuse(instruction, "an input of several vertices");
  const Temp64 address = temp64();
  if (instruction.has(ir::kIndexOperand)) {
    const Temp plane = temp();
    uint32_t registers = 0;
    for (const ir::Parameter& parameter : module_.inputs) registers = std::max(registers, parameter.reg + 1);
    line("add.u32 ", plane, ", ", Int{operand(instruction, 0)}, ", ", instruction.payload / 4);
    line("min.u32 ", plane, ", ", plane, ", ", registers == 0 ? 0u : registers - 1);
    line("mad.lo.u32 ", plane, ", ", plane, ", 4, ", instruction.payload % 4);
    line("mul.lo.u32 ", plane, ", ", plane, ", %count");
    line("mul.wide.u32 ", address, ", ", plane, ", 4");
  } else if (instruction.payload == 0) {
    return line("ld.global.nc.b32 ", Int{instruction.first_result}, ", [%inputs]");
  } else {
    line("mul.wide.u32 ", address, ", %count, ", instruction.payload * 4);
  }
  line("add.u64 ", address, ", %inputs, ", address);
  line("ld.global.nc.b32 ", Int{instruction.first_result}, ", [", address, "]");
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

// o[r#]: whichever of the declared registers it is.
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

// An input somewhere else in the pixel, by its differences over the quad. The planes hold those of all four
// pixels, so that no lane is waited for.
void Emitter::emit_evaluation(const Instruction& instruction) {
  if (module_.stage != ir::Stage::pixel)
    return refuse(instruction, "an evaluation outside of a pixel shader");
  const Value result = instruction.first_result;
  const Temp64 address = temp64();
  line("mul.wide.u32 ", address, ", %count, ", instruction.payload * 4);
  line("add.u64 ", address, ", %inputs, ", address);
  line("ld.global.nc.b32 ", Int{result}, ", [", address, "]");
  const Temp there = temp();
  const Temp anywhere = temp();
  line("mov.b32 ", there, ", ", Int{result});
  line("or.b32 ", anywhere, ", ", Int{operand(instruction, 0)}, ", ", Int{operand(instruction, 1)});
  line("and.b32 ", anywhere, ", ", anywhere, ", 15");
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const std::string_view sign = axis == 0 ? "%xsign" : "%ysign";  // set in left and upper pixels
    const Temp step = temp();
    const Temp64 distance = temp64();
    const Temp64 mate = temp64();
    const Temp mine = temp();
    const Temp other = temp();
    const Temp where = temp();
    line("shr.s32 ", step, ", ", sign, ", 31");
    line("and.b32 ", step, ", ", step, ", ", axis == 0 ? 8u : 16u);
    line("sub.s32 ", step, ", ", step, ", ", axis == 0 ? 4u : 8u);  // bytes to the other pixel
    line("cvt.s64.s32 ", distance, ", ", step);
    line("add.s64 ", mate, ", ", address, ", ", distance);
    line("ld.global.nc.b32 ", other, ", [", mate, "]");
    // As emit_derivative: both terms with the sign they have in the difference.
    line("xor.b32 ", mine, ", ", Int{result}, ", ", sign);
    line("xor.b32 ", other, ", ", other, ", ", sign);
    line("xor.b32 ", other, ", ", other, ", 0x80000000");
    line("add.rn.ftz.f32 ", other, ", ", mine, ", ", other);
    line("bfe.s32 ", where, ", ", Int{operand(instruction, axis)}, ", 0, 4");
    line("cvt.rn.f32.s32 ", where, ", ", where);
    line("mul.rn.ftz.f32 ", where, ", ", where, ", 0f3D800000");  // sixteenths of a pixel
    line("mul.rn.ftz.f32 ", where, ", ", where, ", ", other);
    line("add.rn.ftz.f32 ", there, ", ", there, ", ", where);
  }
  const TempPred moved = temp_pred();
  line("setp.ne.u32 ", moved, ", ", anywhere, ", 0");
  line("selp.b32 ", Int{result}, ", ", there, ", ", Int{result}, ", ", moved);
}

// What the host says of each pixel (stream_head::kCovered): bits 0 to 30 vCoverage, bit 31 vInnerCoverage.
void Emitter::emit_stream_value(const Instruction& instruction) {
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const bool pixel = module_.stage == ir::Stage::pixel;
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
    record = find_record(layout_.samplers[query.resource], sampler_record::kSize,
                         range_size(module_.samplers[query.resource]), index);
  } else {
    record = find_record(layout_.resources[query.resource], record::kSize,
                         range_size(module_.resources[query.resource]), index);
  }
  const bool raw =
      !query.is_sampler_fact() && module_.resources[query.resource].dimension == ir::Dimension::raw_buffer;
  const uint32_t field = fact_offset(query.fact, raw);
  if (instruction.op == Op::bound) {
    const Temp64 handle = temp64();
    load_field(handle, record, field);
    return line("setp.ne.u64 ", Pred{instruction.first_result}, ", ", handle, ", 0");
  }
  line("ld.param.u32 ", Int{instruction.first_result}, ", [", record, "+", record.base + field, "]");
}

// sync_g and sync_ugroup fence the group, sync_uglobal the device; _t is the barrier itself, which fences the
// group too.
void Emitter::emit_barrier(const Instruction& instruction) {
  if ((instruction.payload & ir::kBarrierUavGlobal) != 0) {
    line("membar.gl");
  } else if ((instruction.payload & (ir::kBarrierShared | ir::kBarrierUavGroup)) != 0) {
    line("membar.cta");
  }
  if ((instruction.payload & ir::kBarrierThreads) != 0) line("bar.sync 0");
}

}  // namespace texlate::ptx
