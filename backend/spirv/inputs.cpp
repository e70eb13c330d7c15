// Registers that a shader reads: inputs, inputs of several vertices (geometry, hull, domain), control points
// that a hull shader reads back, patch constants.

#include <algorithm>

#include "backend/spirv/families.h"
#include "backend/spirv/system_values.h"

namespace texlate::spirv {

// ---- registers ----

/// v[r0.x + n] of an input that is not an array: the inputs as an array, filled at entry.
Id Inputs::input_file(uint32_t registers) {
  if (input_file_ != Id::none) return input_file_;
  const Id type = builder_.float_type();
  input_file_ = builder_.variable(spv::StorageClassPrivate,
                                  builder_.array_type(builder_.vector_type(type, 4), registers));
  for (Element& element : interface_.elements().inputs) {
    if (element.system_value != SystemValue::none || element.array_size != 0) continue;
    for (uint32_t c = 0; c < 4; ++c) {
      if (!element.has(c)) continue;
      const Id value = interface_.input_component(element, c);
      at_entry([&] {
        const Id pointer =
            access_chain(spv::StorageClassPrivate, type, {input_file_, constant(element.reg), constant(c)});
        effect(spv::OpStore, {pointer, convert(value, element.kind, Kind::float_)});
        return 0;
      });
    }
  }
  return input_file_;
}

void Inputs::emit_indexed_input(const Instruction& instruction) {
  uint32_t registers = 0;
  for (const Element& element : interface_.elements().inputs)
    registers = std::max(registers, element.reg + 1);
  const Id type = builder_.float_type();
  const Id file = input_file(registers);
  const Id index = add(as_uint(operand(instruction, 0)), instruction.payload / 4);
  const Id pointer =
      access_chain(spv::StorageClassPrivate, type, {file, index, constant(instruction.payload % 4)});
  define(instruction.first_result, Kind::float_, emit(spv::OpLoad, type, {pointer}));
}

void Inputs::emit_input(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  if (instruction.has(ir::kVertexOperand)) return emit_vertex_input(instruction);
  const Id type = builder_.float_type();
  builder_.vector_type(type, 4);
  if (instruction.has(ir::kIndexOperand)) return emit_indexed_input(instruction);
  Element* const element = find_element(interface_.elements().inputs, instruction.payload / 4, component);
  if (element == nullptr) return refuse(instruction, "an undeclared input");
  if (element->array_size != 0)
    return refuse(instruction, "an array of vertices read without a vertex index");
  if (element->system_value == SystemValue::none) {
    if (element->count == 1)
      return define(instruction.first_result, element->kind, interface_.input_component(*element, component));
    return values_.define_lane(instruction.first_result, interface_.whole_input(*element),
                               component - element->first);
  }
  if (!holds(stages_that_read(element->system_value), module_.stage))
    return refuse_system_value(instruction, element->system_value, "an input");
  if (is_clip_or_cull(element->system_value)) {
    const Id array = interface_.distances(true, element->system_value);
    const Id distance = at_entry([&] {
      const Id pointer =
          access_chain(spv::StorageClassInput, type, {array, constant(element->clip_base[component])});
      return emit(spv::OpLoad, type, {pointer});
    });
    return define(instruction.first_result, Kind::float_, distance);
  }
  if (element->system_value == SystemValue::position && module_.stage == Stage::pixel && component != 3)
    return values_.define_lane(instruction.first_result, interface_.pixel_position(*element), component);
  Kind kind = element->kind;
  const Id id = input_system_value(element->system_value, component, kind);
  if (id == Id::none) return refuse_system_value(instruction, element->system_value, "an input");
  define(instruction.first_result, kind, id);
}

// ---- rows: several components of one register ----

/// How many instructions, from the current one on, read components of the same element at the same place:
/// they become one load.
uint32_t Inputs::row_length(const Element& element) const {
  const Instruction& first = code_[current_];
  uint32_t length = 1;
  for (; current_ + length < code_.size(); ++length) {
    const Instruction& next = code_[current_ + length];
    if (next.op != first.op || next.flags != first.flags || next.payload / 4 != first.payload / 4 ||
        ((element.mask >> next.payload % 4) & 1) == 0 ||
        !std::ranges::equal(module_.operands_of(next), module_.operands_of(first)))
      break;
  }
  return length;
}

/// The results of that many instructions are components of a vector.
void Inputs::define_row(const Element& element, Id row, uint32_t length) {
  const uint32_t number = values_.add_vector(row, element.count, As::float_);
  for (uint32_t i = 0; i < length; ++i) {
    const Instruction& instruction = code_[current_ + i];
    values_.define_lane(instruction.first_result, number, instruction.payload % 4 - element.first);
  }
  current_ += length - 1;
}

/// Loads what `pointer_to` points at for the register `base` + a run-time number, among the elements that
/// have the component. Outside dcl_indexrange the result is undefined in Direct3D: the first register is
/// read.
template <typename Pointer>
Id Inputs::load_indexed(Elements& elements, uint32_t component, Id reg, Pointer pointer_to) {
  const Id type = builder_.float_type();
  Id chosen = Id::none;
  for (Element& element : elements) {
    if (!element.has(component)) continue;
    const Id pointer = pointer_to(element);
    if (pointer == Id::none) continue;
    const Id value = emit(spv::OpLoad, type, {pointer});
    if (chosen == Id::none) {
      chosen = value;
      continue;
    }
    const Id is_it = emit(spv::OpIEqual, As::boolean, {reg, constant(element.reg)});
    chosen = select(type, {is_it, value, chosen});
  }
  return chosen;
}

// ---- vertices, control points, patch constants ----

// v[vertex][register], vicp[point][register].
void Inputs::emit_vertex_input(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  const Id vertex = as_uint(operand(instruction, 0));
  const Id type = builder_.float_type();
  if (instruction.has(ir::kIndexOperand)) {
    const Id at = add(as_uint(operand(instruction, 1)), reg);
    const Id value = load_indexed(interface_.elements().inputs, component, at, [&](Element& element) {
      return element.array_size == 0 ? Id::none : interface_.vertex_pointer(element, vertex, component);
    });
    if (value == Id::none) return refuse(instruction, "an undeclared input");
    return define(instruction.first_result, Kind::float_, value);
  }
  Element* element = find_element(interface_.elements().inputs, reg, component);
  if (element == nullptr || element->array_size == 0) return refuse(instruction, "an undeclared input");
  const uint32_t length = element->is_vector() && element->count > 1 ? row_length(*element) : 1;
  const Id pointer = interface_.vertex_pointer(*element, vertex, length > 1 ? Interface::kWhole : component);
  if (pointer == Id::none)
    return refuse_system_value(instruction, element->system_value, "an input of several vertices");
  if (length > 1) {
    const Id vector = emit(spv::OpLoad, builder_.vector_type(type, element->count), {pointer});
    return define_row(*element, vector, length);
  }
  define(instruction.first_result, Kind::float_, emit(spv::OpLoad, type, {pointer}));
}

// vocp[point][register]: what the control-point phase wrote.
void Inputs::emit_output_control_point(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  const Id type = builder_.float_type();
  outputs_.store();
  const Id index = as_uint(operand(instruction, 0));
  auto pointer_to = [&](Element& element) {
    return interface_.point_pointer(spv::StorageClassOutput, element, index, component);
  };
  Id value = Id::none;
  if (instruction.has(ir::kIndexOperand)) {
    value = load_indexed(interface_.elements().outputs, component, add(as_uint(operand(instruction, 1)), reg),
                         pointer_to);
  } else if (Element* element = find_element(interface_.elements().outputs, reg, component)) {
    if (const uint32_t length = row_length(*element); length > 1 && element->count > 1) {
      const Id pointer =
          interface_.point_pointer(spv::StorageClassOutput, *element, index, Interface::kWhole);
      const Id vector = emit(spv::OpLoad, builder_.vector_type(type, element->count), {pointer});
      return define_row(*element, vector, length);
    }
    value = emit(spv::OpLoad, type, {pointer_to(*element)});
  }
  if (value == Id::none) return refuse(instruction, "an undeclared output");
  define(instruction.first_result, Kind::float_, value);
}

void Inputs::emit_patch_input(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  outputs_.store();  // in a hull shader, which may read what it wrote
  Id value = Id::none;
  if (instruction.has(ir::kIndexOperand)) {
    value = load_indexed(interface_.elements().patch_constants, component,
                         add(as_uint(operand(instruction, 0)), reg),
                         [&](Element& element) { return interface_.patch_pointer(element, component); });
  } else if (Element* element = find_element(interface_.elements().patch_constants, reg, component)) {
    if (element->system_value == SystemValue::none && interface_.patch_vector(*element) != Id::none) {
      const Id vector =
          emit(spv::OpLoad, builder_.vector_type(builder_.float_type(), 4), {element->variable});
      return define_row(*element, vector, row_length(*element));
    }
    const Id pointer = interface_.patch_pointer(*element, component);
    if (pointer != Id::none) value = emit(spv::OpLoad, As::float_, {pointer});
  }
  if (value == Id::none)
    return refuse(instruction, "an undeclared patch constant, or one beyond the last location of these");
  define(instruction.first_result, Kind::float_, value);
}

}  // namespace texlate::spirv
