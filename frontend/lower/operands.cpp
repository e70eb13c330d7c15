// Reads and writes registers: all register files that an instruction can use, with their indices, swizzles
// and modifiers.

#include <bit>

#include "frontend/lower/families.h"

namespace texlate::lower {

namespace {

using sm4::Operand;
using sm4::RegisterFile;

/// The index of cb, icb and x# operands that addresses the row.
uint32_t row_index(const Operand& operand) {
  return operand.index_count - 1u;
}

}  // namespace

ir::SystemValue special_register(RegisterFile file) {
  switch (file) {
    case RegisterFile::input_thread_id: return ir::SystemValue::thread_id;
    case RegisterFile::input_thread_group_id: return ir::SystemValue::thread_group_id;
    case RegisterFile::input_thread_id_in_group: return ir::SystemValue::thread_id_in_group;
    case RegisterFile::input_thread_id_in_group_flattened:
      return ir::SystemValue::thread_id_in_group_flattened;
    case RegisterFile::input_coverage_mask: return ir::SystemValue::coverage;
    case RegisterFile::inner_coverage: return ir::SystemValue::inner_coverage;
    case RegisterFile::input_primitive_id: return ir::SystemValue::primitive_register;
    case RegisterFile::input_gs_instance_id: return ir::SystemValue::gs_instance_id;
    case RegisterFile::input_fork_instance_id: return ir::SystemValue::fork_instance_id;
    case RegisterFile::input_join_instance_id: return ir::SystemValue::join_instance_id;
    case RegisterFile::output_control_point_id: return ir::SystemValue::output_control_point_id;
    case RegisterFile::input_domain_point: return ir::SystemValue::domain_point;
    case RegisterFile::output_depth: return ir::SystemValue::depth;
    case RegisterFile::output_depth_greater_equal: return ir::SystemValue::depth_greater_equal;
    case RegisterFile::output_depth_less_equal: return ir::SystemValue::depth_less_equal;
    case RegisterFile::output_coverage_mask: return ir::SystemValue::coverage_out;
    case RegisterFile::output_stencil_ref: return ir::SystemValue::stencil_ref;
    default: return ir::SystemValue::none;
  }
}

void Lowering::emit_control(Op op, std::initializer_list<Value> operands, uint32_t payload) {
  emit(op, operands, payload);
  // After an error nothing uses the module, and constructs need not match.
  if (diagnostics.error_count() == errors_before) registers.cross(current, reachable);
}

Value Lowering::load_index(const sm4::OperandIndex& index) {
  if (index.relative == sm4::kNoOperand) return constant(index.immediate);
  const Value base = load_scalar(program.operands[index.relative], Reading::integer);
  return index.immediate == 0 ? base : emit(Op::iadd, {base, constant(index.immediate)});
}

Lanes Lowering::load_memory_row(const Operand& operand, uint8_t mask) {
  Value row;
  if (operand.file == RegisterFile::constant_buffer) {
    uint32_t id = 0;
    register_number(operand.index[0], id);  // validity was checked by is_declared
    const Value index = load_index(operand.index[row_index(operand)]);
    const uint32_t buffer = constant_buffers[id];
    // 5.1: CB1[register][row]. The register is relative to the register space, the IR's to the
    // range.
    const ir::ConstantBuffer& range = module.constant_buffers[buffer];
    if (operand.index_count == 3 && range.is_range()) {
      const Value relative = emit(Op::isub, {load_index(operand.index[1]), constant(range.lower_bound)});
      row = builder.emit(Op::cb_load, {index, relative}, buffer, operand.non_uniform ? ir::kNonUniform : 0);
    } else {
      row = emit(Op::cb_load, {index}, buffer);
    }
  } else {
    row = emit(Op::table_load, {load_index(operand.index[row_index(operand)])}, icb_table);
  }
  Lanes lanes = kNoLanes;
  const uint8_t swizzle = operand.source_swizzle();
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if ((mask >> lane) & 1) lanes[lane] = row + sm4::swizzle_component(swizzle, lane);
  }
  return lanes;
}

// The sum of index and number is what has to be in the range, so r0.x of v[r0.x + 3] may be negative: counted
// from the range's first register it never is.
uint32_t Lowering::first_indexed(const Operand& operand) const {
  const IndexRange* range = index_range(operand.file, operand.index[row_index(operand)].immediate);
  return range != nullptr ? range->first : 0;
}

Value Lowering::load_input(const Operand& operand, Op op, uint32_t component) {
  // v3, v[r0.x + 3]; with vertices or control points: v[vertex][3].
  sm4::OperandIndex reg = operand.index[row_index(operand)];
  uint32_t first = reg.immediate;
  uint8_t flags = 0;
  std::array<Value, 2> operands;
  uint32_t count = 0;
  if (operand.index_count == 2) {
    flags |= ir::kVertexOperand;
    operands[count++] = load_index(operand.index[0]);
  }
  if (reg.relative != sm4::kNoOperand) {
    flags |= ir::kIndexOperand;
    first = first_indexed(operand);
    reg.immediate -= first;
    operands[count++] = load_index(reg);
  }
  return builder.emit(op, std::span<const Value>(operands.data(), count), first * 4 + component, flags);
}

Value Lowering::load_component(const Operand& operand, uint32_t component) {
  switch (operand.file) {
    case RegisterFile::immediate64: return constant(operand.immediate[component]);  // words, in mov and movc
    case RegisterFile::indexable_temp:
      return emit(Op::local_load, {load_index(operand.index[1])},
                  locals[operand.index[0].immediate] * 4u + component);
    case RegisterFile::input:
    case RegisterFile::input_control_point: return load_input(operand, Op::input, component);
    case RegisterFile::output_control_point: return load_input(operand, Op::output_control_point, component);
    case RegisterFile::input_patch_constant: return load_input(operand, Op::patch_input, component);
    default: {
      const ir::SystemValue value = special_register(operand.file);
      return emit(Op::system_value, {}, static_cast<uint32_t>(value) * 4 + component);
    }
  }
}

// vCycleCounter: every instruction that uses it reads the clock once (D3D11.3 22.3.29).
Lanes Lowering::load_cycle_counter(const Operand& operand, uint8_t mask) {
  const Value clock = emit(Op::cycle_counter);
  Lanes lanes = kNoLanes;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const uint32_t component = operand.source_component(lane);
    lanes[lane] = component < 2 ? clock + component : constant(0);
  }
  return lanes;
}

inline Lanes Lowering::load_temp(const Operand& operand, uint8_t mask) {
  Lanes lanes = kNoLanes;
  const Value* const row = registers.row(operand.index[0].immediate);
  const uint8_t swizzle = operand.source_swizzle();
  bool is_written = true;
  for (uint32_t rest = mask & sm4::kFullMask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    lanes[lane] = row[sm4::swizzle_component(swizzle, lane)];
    is_written &= lanes[lane] != ir::kNoValue;
  }
  return is_written ? lanes : zero_unwritten(lanes, mask);
}

[[gnu::noinline]] Lanes Lowering::zero_unwritten(Lanes lanes, uint8_t mask) {
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if ((mask >> lane & 1) != 0 && lanes[lane] == ir::kNoValue) lanes[lane] = constant(0);
  }
  return lanes;
}

/// Components that are neighbors are often the same.
Lanes Lowering::load_literal(const Operand& operand, uint8_t mask) {
  Lanes lanes = kNoLanes;
  const bool has_four = operand.component_count == sm4::ComponentCount::four;
  Value known = ir::kNoValue;
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const uint32_t wanted = operand.immediate[has_four ? lane : 0];
    if (known == ir::kNoValue || wanted != bits) known = constant(wanted);
    bits = wanted;
    lanes[lane] = known;
  }
  return lanes;
}

Lanes Lowering::load_raw(const Operand& operand, uint8_t mask) {
  if (operand.file == RegisterFile::temp) return load_temp(operand, mask);
  if (operand.file == RegisterFile::constant_buffer ||
      operand.file == RegisterFile::immediate_constant_buffer) {
    return load_memory_row(operand, mask);
  }
  if (operand.file == RegisterFile::this_pointer) {
    Lanes data = kNoLanes;
    load_this(*this, operand, mask, data);  // validity was checked by is_declared
    return data;
  }
  if (operand.file == RegisterFile::cycle_counter) return load_cycle_counter(operand, mask);
  if (operand.file == RegisterFile::immediate32) return load_literal(operand, mask);
  Lanes lanes = kNoLanes;
  Lanes by_component = kNoLanes;  // a component that several lanes read is loaded only once
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const uint32_t component = operand.source_component(lane);
    if (by_component[component] == ir::kNoValue) by_component[component] = load_component(operand, component);
    lanes[lane] = by_component[component];
  }
  return lanes;
}

Lanes Lowering::load(const Operand& operand, uint8_t mask, Reading reading) {
  // Most operands. Apart from the others, they need no space on the stack.
  if (operand.file == RegisterFile::temp && operand.modifier == sm4::OperandModifier::none)
    return load_temp(operand, mask);
  return load_other(operand, mask, reading);
}

// load_other() and store_other() stay out of their callers, in which the common registers are inline.
[[gnu::noinline]] Lanes Lowering::load_other(const Operand& operand, uint8_t mask, Reading reading) {
  Lanes lanes = load_raw(operand, mask);
  if (operand.modifier == sm4::OperandModifier::none) return lanes;
  const bool absolute = operand.modifier != sm4::OperandModifier::negate;
  const bool negate = operand.modifier != sm4::OperandModifier::absolute;
  for (Value& lane : lanes) {
    if (lane == ir::kNoValue) continue;
    if (reading == Reading::integer) {
      // The validator refuses an absolute value of an integer.
      if (negate) lane = emit(Op::ineg, {lane});
    } else {
      if (absolute) lane = emit(Op::fabs, {lane});
      if (negate) lane = emit(Op::fneg, {lane});
    }
  }
  return lanes;
}

Value Lowering::load_destination_index(const Operand& destination) {
  if (destination.file == RegisterFile::indexable_temp) return load_index(destination.index[1]);
  if (destination.file != RegisterFile::output) return ir::kNoValue;
  sm4::OperandIndex reg = destination.index[0];
  if (reg.relative == sm4::kNoOperand) return ir::kNoValue;
  reg.immediate -= first_indexed(destination);
  return load_index(reg);
}

void Lowering::store_component(const Operand& destination, Value index, uint32_t component, Value value) {
  switch (destination.file) {
    case RegisterFile::null: return;
    case RegisterFile::temp: registers.write(destination.index[0].immediate * 4 + component, value); return;
    case RegisterFile::indexable_temp:
      emit(Op::local_store, {index, value}, locals[destination.index[0].immediate] * 4u + component);
      return;
    case RegisterFile::output: {
      const Op op = part == Part::patch ? Op::patch_output : Op::output;
      if (index == ir::kNoValue) {
        emit(op, {value}, destination.index[0].immediate * 4 + component);
      } else {
        builder.emit(op, {index, value}, first_indexed(destination) * 4 + component, ir::kIndexOperand);
      }
      return;
    }
    default: {
      const uint32_t special =
          ir::kSpecialRegister + static_cast<uint32_t>(special_register(destination.file));
      emit(Op::output, {value}, special * 4 + component);
      return;
    }
  }
}

void Lowering::store(const sm4::Instruction& instruction, const Operand& destination, Lanes values,
                     Value index) {
  const bool saturate = sm4::info(instruction.opcode).has(sm4::kSaturate) && instruction.saturate();
  if (destination.file != RegisterFile::temp || saturate || log != nullptr)
    return store_other(instruction, destination, values, index, saturate);
  registers.write_row(destination.index[0].immediate, destination.write_mask(), values);
  builder.set_flags(0);
}

[[gnu::noinline]] void Lowering::store_other(const sm4::Instruction& instruction, const Operand& destination,
                                             const Lanes& values, Value index, bool saturate) {
  const uint8_t mask = destination.write_mask();
  // Once, because a component that is written may be the index of the next one: x0[x0[0].x].xy.
  if (index == ir::kNoValue) index = load_destination_index(destination);
  for (uint32_t rest = mask & sm4::kFullMask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (values[lane] == ir::kNoValue) continue;
    begin_lane(instruction, lane);
    const Value value = saturate ? emit(Op::fsat, {values[lane]}) : values[lane];
    store_component(destination, index, lane, value);
    if (log != nullptr) log_store(destination, index, lane, value);
  }
  builder.set_flags(0);
}

void Lowering::log_store(const Operand& destination, Value index, uint32_t component, Value value) {
  Log::Entry entry{.position = 0, .instruction = static_cast<uint32_t>(current)};
  entry.component = static_cast<uint8_t>(component);
  entry.destination = destination;
  entry.value = value;
  for (uint32_t i = 0; i < destination.index_count; ++i) {
    if (destination.index[i].relative == sm4::kNoOperand) continue;
    // An output counts from the first register of its range in the IR, and from 0 here.
    const uint32_t first = destination.file == RegisterFile::output ? first_indexed(destination) : 0;
    entry.index = first == 0 ? index : emit(Op::iadd, {index, constant(first)});
  }
  entry.position = static_cast<uint32_t>(module.code.size());
  log->entries.push_back(entry);
}

}  // namespace texlate::lower
