#include "backend/launch/stage_lowering.h"

#include <algorithm>

namespace texlate::launch {

uint32_t plane_count(std::span<const ir::Parameter> parameters) {
  uint32_t registers = 0;
  for (const ir::Parameter& parameter : parameters) {
    if (parameter.reg < ir::kSpecialRegister) registers = std::max(registers, parameter.reg + 1);
  }
  return registers * 4;
}

void StageLowering::lower_all() {
  for (const Instruction& instruction : module_.code) {
    replacements_.apply(module_, instruction);
    builder_.set_location(instruction);
    lower(instruction);
  }
}

StageLowering::Place StageLowering::add_place(uint32_t offset, bool is_written) {
  ir::Resource words;
  words.dimension = ir::Dimension::structured_buffer;
  words.stride = 4;
  words.is_uav = is_written;
  return add_memory(module_, *layout_, words, offset);
}

ir::AccessBuilder StageLowering::access_to(Place place) {
  ir::AccessBuilder access;
  access.contract.resource = place;
  access.contract.dimension = ir::Dimension::structured_buffer;
  access.contract.component_mask = 1;
  return access;
}

StageLowering::Value StageLowering::load(Place place, Value index, uint32_t more, Value guard,
                                         Value otherwise) {
  ir::AccessBuilder access = access_to(place);
  access.set(ir::Slot::guard, guard);
  access.set(ir::Slot::fallback0, otherwise);
  access.set(ir::Slot::coordinate0, index);
  access.set(ir::Slot::byte_offset, word(4 * more));
  return access.emit(builder_, Op::buf_load);
}

void StageLowering::store(Place place, Value index, Value value, Value guard) {
  ir::AccessBuilder access = access_to(place);
  access.set(ir::Slot::guard, guard);
  access.set(ir::Slot::coordinate0, index);
  access.set(ir::Slot::byte_offset, word(0));
  access.set(ir::Slot::value0, value);
  access.emit(builder_, Op::buf_store);
}

StageLowering::Value StageLowering::plane_of(const Instruction& instruction, uint32_t index) {
  if (!instruction.has(ir::kIndexOperand)) return word(instruction.payload);
  const Value registers = emit(Op::shl, {operand(instruction, index), word(2)});
  return emit(Op::iadd, {registers, word(instruction.payload)});
}

StageLowering::Value StageLowering::plane_inside(const Instruction& instruction, uint32_t index,
                                                 uint32_t planes) {
  const Value plane = plane_of(instruction, index);
  const uint32_t last = std::max(planes, 1u) - 1;
  if (module_.is_constant(plane)) return word(std::min(module_.constant_bits(plane), last));
  return emit(Op::umin, {plane, word(last)});
}

StageLowering::Value StageLowering::word_of(Value plane, Value step, Value first) {
  return module_.is_constant(plane, 0) ? first : emit(Op::imad, {step, plane, first});
}

StageLowering::VertexPlanes StageLowering::vertex_planes(Place place, uint32_t planes, uint32_t vertices,
                                                         Value primitives, Value primitive) {
  return {place, planes, vertices, emit(Op::imul, {primitives, word(vertices)}),
          emit(Op::imul, {primitive, word(vertices)})};
}

// Legalization has clamped the number of a vertex.
StageLowering::Value StageLowering::load_vertex(const VertexPlanes& from, const Instruction& instruction) {
  const Value vertex = operand(instruction, 0);
  const Value first = word_of(plane_inside(instruction, 1, from.planes), from.step, from.first);
  if (module_.is_constant(vertex)) {
    const uint32_t last = std::max(from.vertices, 1u) - 1;
    return load(from.place, first, std::min(module_.constant_bits(vertex), last));
  }
  return load(from.place, emit(Op::iadd, {first, vertex}));
}

void StageLowering::keep(const Instruction& instruction, std::span<const ir::Parameter> parameters,
                         uint32_t file) {
  const Value value = last_operand(instruction);
  if (!instruction.has(ir::kIndexOperand)) {
    emit(Op::reg_store, {value}, file + instruction.payload);
    return;
  }
  for_components(parameters, [&](const ir::Parameter& parameter, uint32_t, uint32_t c) {
    const uint32_t reg = parameter.reg * 4 + c;
    if (parameter.reg >= ir::kSpecialRegister || reg < instruction.payload ||
        (reg - instruction.payload) % 4 != 0)
      return;
    const Value is_this = emit(Op::ieq, {operand(instruction, 0), word((reg - instruction.payload) / 4)});
    const Value before = emit(Op::reg_load, {}, file + reg);
    emit(Op::reg_store, {emit(Op::select, {is_this, value, before})}, file + reg);
  });
}

}  // namespace texlate::launch
