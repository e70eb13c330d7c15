// Inputs of several vertices (geometry, hull, domain), control points that a hull shader reads back, and
// patch constants.

#include <algorithm>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

using ir::SystemValue;

namespace {

struct TessellationFactor {
  bool inner;
  uint32_t index;
};

/// Where a tessellation factor stands in TessLevelOuter or TessLevelInner; the edges have the same order in
/// both. Of isolines, Vulkan counts lines first (density), then segments (detail).
constexpr TessellationFactor tessellation_factor(SystemValue value) {
  switch (value) {
    case SystemValue::quad_edge_v0:
    case SystemValue::tri_edge_v:
    case SystemValue::line_detail: return {false, 1};
    case SystemValue::quad_edge_u1:
    case SystemValue::tri_edge_w: return {false, 2};
    case SystemValue::quad_edge_v1: return {false, 3};
    case SystemValue::quad_inside_u:
    case SystemValue::tri_inside: return {true, 0};
    case SystemValue::quad_inside_v: return {true, 1};
    default: return {false, 0};
  }
}

}  // namespace

/// Pointer to one component of an element of inputs, of vertex `index`, or to the whole vector. 0: there is
/// no such input.
Id Emitter::vertex_pointer(Element& element, Id index, uint32_t component) {
  const Id type = builder_.float_type();
  switch (element.system_value) {
    case SystemValue::none: break;
    case SystemValue::position:
      if (element.variable == 0) {
        element.variable = builtin(spv::BuiltInPosition,
                                   builder_.array_type(builder_.vector_type(type, 4), element.array_size),
                                   spv::StorageClassInput);
      }
      break;
    case SystemValue::clip_distance:
    case SystemValue::cull_distance:
      return access_chain(spv::StorageClassInput, type,
                          {declare_clip_cull(module_.inputs, true, element.system_value), index,
                           constant(element.clip_base[component])});
    default: return 0;
  }
  return point_pointer(spv::StorageClassInput, element, index, component);
}

/// Of a vertex or control point: pointer to a component of an element that is a vector, or to the whole.
Id Emitter::point_pointer(spv::StorageClass storage, const Element& element, Id index, uint32_t component) {
  const Id type = builder_.float_type();
  if (component == kWhole || element.count == 1)
    return access_chain(storage, builder_.vector_type(type, element.count), {element.variable, index});
  return access_chain(storage, type, {element.variable, index, constant(component - element.first)});
}

/// How many instructions, from the current one on, read components of one element at one place: they make one
/// load.
uint32_t Emitter::row_length(const Element& element) const {
  const Instruction& first = module_.code[current_];
  uint32_t length = 1;
  for (; current_ + length < module_.code.size(); ++length) {
    const Instruction& next = module_.code[current_ + length];
    if (next.op != first.op || next.flags != first.flags || next.payload / 4 != first.payload / 4 ||
        ((element.mask >> next.payload % 4) & 1) == 0 ||
        !std::ranges::equal(module_.operands_of(next), module_.operands_of(first)))
      break;
  }
  return length;
}

/// The results of so many instructions are components of a vector.
void Emitter::define_row(const Element& element, Id vector, uint32_t length) {
  for (uint32_t i = 0; i < length; ++i) {
    const Instruction& instruction = module_.code[current_ + i];
    define(instruction.first_result, Kind::float_,
           emit(spv::OpCompositeExtract, Scalar::float_, {vector, instruction.payload % 4 - element.first}));
  }
  current_ += length - 1;
}

/// Loads what `pointer_to` points at for the register `base` + a run-time number, of the elements that have
/// the component. Outside of dcl_indexrange Direct3D defines nothing: the first register answers.
template <typename Pointer>
Id Emitter::load_indexed(Elements& elements, uint32_t component, Id reg, Pointer pointer_to) {
  const Id type = builder_.float_type();
  Id chosen = 0;
  for (Element& element : elements) {
    if (((element.mask >> component) & 1) == 0) continue;
    const Id pointer = pointer_to(element);
    if (pointer == 0) continue;
    const Id value = emit(spv::OpLoad, type, {pointer});
    if (chosen == 0) {
      chosen = value;
      continue;
    }
    const Id is_it = emit(spv::OpIEqual, Scalar::boolean, {reg, constant(element.reg)});
    chosen = select(type, {is_it, value, chosen});
  }
  return chosen;
}

/// Stores to the register of a run-time number: a switch over the elements that have the component. Outside
/// of dcl_indexrange nothing is written. Tessellation factors that follow each other in their array as their
/// registers do are one case.
void Emitter::store_indexed(Elements& elements, uint32_t component, Id reg, Id value,
                            Id (Emitter::*pointer_to)(Element&, uint32_t)) {
  struct Case {
    Element* element;
    Id label;
    uint32_t count;
  };
  const bool levels = &elements == &patch_;
  const auto is_run = [&](const Element& a, const Element& b) {
    if (!levels || a.system_value == SystemValue::none || b.system_value == SystemValue::none) return false;
    const TessellationFactor x = tessellation_factor(a.system_value), y = tessellation_factor(b.system_value);
    return x.inner == y.inner && x.index - a.reg == y.index - b.reg;
  };
  const Id merge = builder_.new_id();
  std::pmr::vector<uint32_t> words({reg, merge}, module_.memory());
  std::pmr::vector<Case> cases(module_.memory());
  for (Element& element : elements) {
    if (((element.mask >> component) & 1) == 0 || element.stream != 0) continue;
    auto known = std::ranges::find_if(cases, [&](const Case& c) { return is_run(*c.element, element); });
    if (known == cases.end()) known = cases.insert(known, {&element, builder_.new_id(), 0});
    ++known->count;
    words.push_back(element.reg);
    words.push_back(known->label);
  }
  effect(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  append(body_, spv::OpSwitch, words);
  for (const Case& one : cases) {
    start_block(one.label);
    Id pointer;
    if (one.count > 1) {
      const TessellationFactor factor = tessellation_factor(one.element->system_value);
      const Id array = tessellation_levels(factor.inner, spv::StorageClassOutput);
      pointer = access_chain(spv::StorageClassOutput, builder_.float_type(),
                             {array, add(reg, factor.index - one.element->reg)});
    } else {
      pointer = (this->*pointer_to)(*one.element, component);
    }
    if (pointer != 0) effect(spv::OpStore, {pointer, convert(value, Kind::float_, one.element->kind)});
    branch(merge);
  }
  start_block(merge);
}

// v[vertex][register], vicp[point][register].
void Emitter::emit_vertex_input(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  const Value vertex = operand(instruction, 0);
  const Id type = builder_.float_type();
  auto index_of = [&](const Element& element) {
    return module_.is_constant(vertex)
               ? constant(std::min(module_.constant_bits(vertex), element.array_size - 1))
               : minimum(as_uint(vertex), element.array_size - 1);
  };
  if (instruction.has(ir::kIndexOperand)) {
    const Id at = add(as_uint(operand(instruction, 1)), reg);
    const Id value = load_indexed(inputs_, component, at, [&](Element& element) {
      return element.array_size == 0 ? 0 : vertex_pointer(element, index_of(element), component);
    });
    if (value == 0) return refuse(instruction, "an undeclared input");
    return define(instruction.first_result, Kind::float_, value);
  }
  Element* element = find_element(inputs_, reg, component);
  if (element == nullptr || element->array_size == 0) return refuse(instruction, "an undeclared input");
  const uint32_t length = element->is_vector() && element->count > 1 ? row_length(*element) : 1;
  const Id pointer = vertex_pointer(*element, index_of(*element), length > 1 ? kWhole : component);
  if (pointer == 0)
    return refuse_system_value(instruction, element->system_value, "an input of several vertices");
  if (length > 1) {
    const Id vector = emit(spv::OpLoad, builder_.vector_type(type, element->count), {pointer});
    return define_row(*element, vector, length);
  }
  define(instruction.first_result, Kind::float_, emit(spv::OpLoad, type, {pointer}));
}

// vocp[point][register]: what the control-point phase wrote.
void Emitter::emit_output_control_point(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  const Id type = builder_.float_type();
  store_outputs();
  const uint32_t last = std::max(1u, module_.output_control_points) - 1;
  const Value point = operand(instruction, 0);
  const Id index = module_.is_constant(point) ? constant(std::min(module_.constant_bits(point), last))
                                              : minimum(as_uint(point), last);
  auto pointer_to = [&](Element& element) {
    return point_pointer(spv::StorageClassOutput, element, index, component);
  };
  Id value = 0;
  if (instruction.has(ir::kIndexOperand)) {
    value = load_indexed(outputs_, component, add(as_uint(operand(instruction, 1)), reg), pointer_to);
  } else if (Element* element = find_element(outputs_, reg, component)) {
    if (const uint32_t length = row_length(*element); length > 1 && element->count > 1) {
      const Id pointer = point_pointer(spv::StorageClassOutput, *element, index, kWhole);
      const Id vector = emit(spv::OpLoad, builder_.vector_type(type, element->count), {pointer});
      return define_row(*element, vector, length);
    }
    value = emit(spv::OpLoad, type, {pointer_to(*element)});
  }
  if (value == 0) return refuse(instruction, "an undeclared output");
  define(instruction.first_result, Kind::float_, value);
}

// Patch constants count down from location 31, control points up from 0: both stages agree whatever each
// declares.
void Emitter::declare_patch_constants() {
  for (const ir::Parameter& parameter : module_.patch_constants) {
    Element* same = nullptr;
    for (Element& element : patch_) {
      const bool plain =
          element.system_value == SystemValue::none && parameter.system_value == SystemValue::none;
      if (plain && element.reg == parameter.reg) same = &element;
    }
    if (same != nullptr) {
      same->mask |= parameter.mask;
      continue;
    }
    Element element;
    element.reg = parameter.reg;
    element.mask = parameter.mask;
    element.semantic = parameter.semantic;
    element.semantic_index = parameter.semantic_index;
    element.system_value = parameter.system_value;
    patch_.push_back(element);
  }
}

/// TessLevelOuter or TessLevelInner.
Id Emitter::tessellation_levels(bool inner, spv::StorageClass storage) {
  Id& variable = tessellation_levels_[inner ? 1 : 0];
  if (variable == 0) {
    variable = builtin(inner ? spv::BuiltInTessLevelInner : spv::BuiltInTessLevelOuter,
                       builder_.array_type(builder_.float_type(), inner ? 2 : 4), storage);
    builder_.decorate(variable, spv::DecorationPatch);
  }
  return variable;
}

/// The variable of a patch constant that is a vector, written by the hull shader, read by the domain shader.
/// 0: it is beyond register 31.
Id Emitter::patch_vector(Element& element) {
  if (element.variable != 0 || element.reg > 31) return element.variable;
  const spv::StorageClass storage =
      module_.stage == ir::Stage::hull ? spv::StorageClassOutput : spv::StorageClassInput;
  element.variable = builder_.variable(storage, builder_.vector_type(builder_.float_type(), 4));
  builder_.decorate(element.variable, spv::DecorationLocation, 31 - element.reg);
  builder_.decorate(element.variable, spv::DecorationPatch);
  if (options_.names) name_element(element, "vpc");
  return element.variable;
}

/// Pointer to one component of a patch constant.
Id Emitter::patch_pointer(Element& element, uint32_t component) {
  const spv::StorageClass storage =
      module_.stage == ir::Stage::hull ? spv::StorageClassOutput : spv::StorageClassInput;
  Id& pointer = element.component[component];
  if (pointer != 0) return pointer;
  uint32_t part = component;
  Id object;
  if (element.system_value != SystemValue::none) {
    const TessellationFactor factor = tessellation_factor(element.system_value);
    part = factor.index;
    object = tessellation_levels(factor.inner, storage);
  } else {
    object = patch_vector(element);
    if (object == 0) return 0;
  }
  const Id type = builder_.float_type();
  pointer = at_entry([&] { return access_chain(storage, type, {object, constant(part)}); });
  return pointer;
}

void Emitter::emit_patch_input(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  store_outputs();  // of a hull shader, which may read what it wrote
  Id value = 0;
  if (instruction.has(ir::kIndexOperand)) {
    value = load_indexed(patch_, component, add(as_uint(operand(instruction, 0)), reg),
                         [&](Element& element) { return patch_pointer(element, component); });
  } else if (Element* element = find_element(patch_, reg, component)) {
    if (element->system_value == SystemValue::none && patch_vector(*element) != 0) {
      const Id vector =
          emit(spv::OpLoad, builder_.vector_type(builder_.float_type(), 4), {element->variable});
      return define_row(*element, vector, row_length(*element));
    }
    const Id pointer = patch_pointer(*element, component);
    if (pointer != 0) value = emit(spv::OpLoad, Scalar::float_, {pointer});
  }
  if (value == 0) return refuse(instruction, "an undeclared patch constant, or one beyond register 31");
  define(instruction.first_result, Kind::float_, value);
}

void Emitter::emit_patch_output(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  const Value value = operand(instruction, instruction.operand_count - 1);
  if (instruction.has(ir::kIndexOperand)) {
    store_outputs();
    const Id at = add(as_uint(operand(instruction, 0)), reg);
    return store_indexed(patch_, component, at, as_float(value), &Emitter::patch_pointer);
  }
  Element* element = find_element(patch_, reg, component);
  const bool known =
      element != nullptr && (element->system_value != SystemValue::none || patch_vector(*element) != 0);
  if (!known) return refuse(instruction, "an undeclared patch constant, or one beyond register 31");
  hold_output(*element, component, value);
}

}  // namespace texlate::spirv
