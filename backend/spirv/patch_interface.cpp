// Inputs of several vertices (geometry, hull, domain) and patch constants.

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

// v[vertex][register], vicp[point][register].
void Emitter::emit_vertex_input(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  Element* element = find_element(inputs_, instruction.payload / 4, component);
  if (element == nullptr || element->array_size == 0) return refuse(instruction, "an undeclared input");
  if (instruction.has(ir::kIndexOperand))
    return refuse(instruction, "a run-time register number of several vertices");
  const Id type = builder_.float_type();
  if (element->variable == 0) {
    if (element->system_value != SystemValue::position)
      return refuse(instruction, "this system value of a vertex");
    element->variable =
        builtin(spv::BuiltInPosition, builder_.array_type(builder_.vector_type(type, 4), element->array_size),
                spv::StorageClassInput);
  }
  const Value vertex = operand(instruction, 0);
  const Id index = module_.is_constant(vertex)
                       ? constant(std::min(module_.constant_bits(vertex), element->array_size - 1))
                       : minimum(as_uint(vertex), element->array_size - 1);
  const Id pointer_type = builder_.pointer_type(spv::StorageClassInput, type);
  const Id pointer = element->count == 1
                         ? emit(spv::OpAccessChain, pointer_type, {element->variable, index})
                         : emit(spv::OpAccessChain, pointer_type,
                                {element->variable, index, constant(component - element->first)});
  define(instruction.first_result, Kind::float_, emit(spv::OpLoad, type, {pointer}));
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
    element.system_value = parameter.system_value;
    patch_.push_back(element);
  }
}

void Emitter::emit_patch_input(const Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand))
    return refuse(instruction, "a run-time register number of a patch constant");
  const uint32_t component = instruction.payload % 4;
  Element* element = find_element(patch_, instruction.payload / 4, component);
  if (element == nullptr) return refuse(instruction, "an undeclared patch constant");
  if (element->reg > 31) return refuse(instruction, "a patch constant beyond register 31");
  const Id type = builder_.float_type();
  uint32_t part = component;
  if (element->system_value != SystemValue::none) {
    const TessellationFactor factor = tessellation_factor(element->system_value);
    part = factor.index;
    if (element->variable == 0) {
      element->variable = builtin(factor.inner ? spv::BuiltInTessLevelInner : spv::BuiltInTessLevelOuter,
                                  builder_.array_type(type, factor.inner ? 2 : 4), spv::StorageClassInput);
      bool decorated = false;
      for (Builtin& known : builtins_) {
        if (known.variable != element->variable) continue;
        decorated = known.value != 0;
        known.value = 1;
      }
      if (!decorated) builder_.decorate(element->variable, spv::DecorationPatch);
    }
  } else if (element->variable == 0) {
    element->variable = builder_.variable(spv::StorageClassInput, builder_.vector_type(type, 4));
    builder_.decorate(element->variable, spv::DecorationLocation, 31 - element->reg);
    builder_.decorate(element->variable, spv::DecorationPatch);
  }
  const Id pointer = emit(spv::OpAccessChain, builder_.pointer_type(spv::StorageClassInput, type),
                          {element->variable, constant(part)});
  define(instruction.first_result, Kind::float_, emit(spv::OpLoad, type, {pointer}));
}

}  // namespace texlate::spirv
