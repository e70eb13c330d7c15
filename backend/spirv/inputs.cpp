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
    interface_.load_input(*element);
    return values_.define_lane(instruction.first_result, element->vector, component - element->first);
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
  if (element->system_value == SystemValue::position && module_.stage == Stage::pixel) {
    if (component == 3) return define(instruction.first_result, Kind::float_, inverse_w());
    return values_.define_lane(instruction.first_result, interface_.pixel_position(*element), component);
  }
  const Id id = input_system_value(element->system_value);
  if (id == Id::none) return refuse_system_value(instruction, element->system_value, "an input");
  define(instruction.first_result, Kind::uint, id);
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
        !element.has(next.payload % 4) ||
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
    const Id pointer = pointer_to(element, component);
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

/// Loads what an instruction reads of the elements of one side. `pointer_to(element, component)`: where a
/// component is, or, for Interface::kWhole, all of a vector, which is loaded for `least_row` components or
/// more; none: nowhere. Returns false if there is nothing to load.
template <typename Pointer>
bool Inputs::load(const Instruction& instruction, Elements& elements, uint32_t least_row,
                  Pointer pointer_to) {
  const uint32_t reg = instruction.payload / 4, component = instruction.payload % 4;
  Id value = Id::none;
  if (instruction.has(ir::kIndexOperand)) {
    const Id at = add(as_uint(operand(instruction, instruction.operand_count - 1)), reg);
    value = load_indexed(elements, component, at, pointer_to);
  } else if (Element* const element = find_element(elements, reg, component)) {
    const uint32_t length = element->is_vector() && element->count > 1 ? row_length(*element) : 0;
    const bool is_row = length >= least_row;
    const Id pointer = pointer_to(*element, is_row ? Interface::kWhole : component);
    if (pointer != Id::none) {
      const Id type = builder_.vector_type(builder_.float_type(), is_row ? element->count : 1);
      value = emit(spv::OpLoad, type, {pointer});
    }
    if (is_row && value != Id::none) {
      define_row(*element, value, length);
      return true;
    }
  }
  if (value != Id::none) define(instruction.first_result, Kind::float_, value);
  return value != Id::none;
}

// v[vertex][register], vicp[point][register].
void Inputs::emit_vertex_input(const Instruction& instruction) {
  const Id vertex = as_uint(operand(instruction, 0));
  Elements& inputs = interface_.elements().inputs;
  const auto pointer_to = [&](Element& element, uint32_t component) {
    return element.array_size == 0 ? Id::none : interface_.vertex_pointer(element, vertex, component);
  };
  if (load(instruction, inputs, 2, pointer_to)) return;
  const Element* const element = find_element(inputs, instruction.payload / 4, instruction.payload % 4);
  if (instruction.has(ir::kIndexOperand) || element == nullptr || element->array_size == 0)
    return refuse(instruction, "an undeclared input");
  refuse_system_value(instruction, element->system_value, "an input of several vertices");
}

// vocp[point][register]: what the control-point phase wrote.
void Inputs::emit_output_control_point(const Instruction& instruction) {
  outputs_.store();
  const Id point = as_uint(operand(instruction, 0));
  const auto pointer_to = [&](Element& element, uint32_t component) {
    return interface_.point_pointer(spv::StorageClassOutput, element, point, component);
  };
  if (!load(instruction, interface_.elements().outputs, 2, pointer_to))
    refuse(instruction, "an undeclared output");
}

void Inputs::emit_patch_input(const Instruction& instruction) {
  outputs_.store();  // in a hull shader, which may read what it wrote
  const auto pointer_to = [&](Element& element, uint32_t component) {
    return component == Interface::kWhole ? interface_.patch_vector(element)
                                          : interface_.patch_pointer(element, component);
  };
  if (!load(instruction, interface_.elements().patch_constants, 1, pointer_to))
    refuse(instruction, "an undeclared patch constant, or one beyond the last location of these");
}

}  // namespace texlate::spirv
