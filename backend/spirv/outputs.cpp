// Outputs. What the components of a register become is held back to the end of the block: there the last
// values go out together, as one vector where all are there.

#include <bit>
#include <utility>

#include "backend/spirv/emitter.h"
#include "backend/spirv/system_values.h"

namespace texlate::spirv {

using ir::SystemValue;

/// Pointer to the whole vector of an output that is one.
Id Emitter::output_vector(Element& element) {
  if (element.system_value == SystemValue::position && element.variable == 0) {
    element.variable = builtin(spv::BuiltInPosition, builder_.vector_type(builder_.float_type(), 4),
                               spv::StorageClassOutput);
  }
  if (module_.stage != ir::Stage::hull) return element.variable;
  if (element.whole == 0) {
    const Id id = invocation();
    const Id vector = builder_.vector_type(type_of(element.kind), element.count);
    element.whole = at_entry([&] {
      return access_chain(spv::StorageClassOutput, vector, {element.variable, id});
    });
  }
  return element.whole;
}

/// Pointer to one component of an output that is a float vector, a position or a distance; 0: it is none of
/// these.
Id Emitter::output_pointer(Element& element, uint32_t component) {
  const spv::StorageClass storage = spv::StorageClassOutput;
  const Id type = component_type(element);
  Id& pointer = element.component[component];
  if (pointer != 0) return pointer;
  Id object = element.variable;
  uint32_t part = component - element.first;
  switch (element.system_value) {
    case SystemValue::none:
      if (module_.stage != ir::Stage::hull && element.count == 1) return object;
      break;
    case SystemValue::position: object = output_vector(element); break;
    case SystemValue::clip_distance:
    case SystemValue::cull_distance:
      object = declare_clip_cull(module_.outputs, false, element.system_value);
      part = element.clip_base[component];
      break;
    default: return 0;
  }
  const Id pointer_type = builder_.pointer_type(storage, type);
  if (module_.stage == ir::Stage::hull) {
    const Id id = invocation();
    pointer = at_entry([&] {
      return element.count == 1 ? emit(spv::OpAccessChain, pointer_type, {object, id})
                                : emit(spv::OpAccessChain, pointer_type, {object, id, constant(part)});
    });
  } else {
    pointer = at_entry([&] { return emit(spv::OpAccessChain, pointer_type, {object, constant(part)}); });
  }
  return pointer;
}

/// Outputs that are a built-in of their own, of one component. 0: it is none of these.
Id Emitter::output_builtin(Element& element) {
  const spv::StorageClass storage = spv::StorageClassOutput;
  const Id uint = builder_.uint_type();
  switch (element.system_value) {
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index: {
      const bool viewport = element.system_value == SystemValue::viewport_array_index;
      if (module_.stage == ir::Stage::vertex || module_.stage == ir::Stage::domain) {
        builder_.require(spv::CapabilityShaderViewportIndexLayerEXT);
        builder_.require_extension("SPV_EXT_shader_viewport_index_layer");
      } else {
        builder_.require(viewport ? spv::CapabilityMultiViewport : spv::CapabilityGeometry);
      }
      return builtin(viewport ? spv::BuiltInViewportIndex : spv::BuiltInLayer, uint, storage);
    }
    case SystemValue::depth:
    case SystemValue::depth_greater_equal:
    case SystemValue::depth_less_equal: return builtin(spv::BuiltInFragDepth, builder_.float_type(), storage);
    case SystemValue::primitive_id: return builtin(spv::BuiltInPrimitiveId, uint, storage);
    case SystemValue::stencil_ref:
      builder_.require(spv::CapabilityStencilExportEXT);
      builder_.require_extension("SPV_EXT_shader_stencil_export");
      return builtin(spv::BuiltInFragStencilRefEXT, uint, storage);
    case SystemValue::coverage_out: {
      if (element.whole == 0) {
        const Id array = builtin(spv::BuiltInSampleMask, builder_.array_type(uint, 1), storage);
        element.whole = at_entry([&] { return access_chain(storage, uint, {array, constant(0)}); });
      }
      return element.whole;
    }
    default: return 0;
  }
}

void Emitter::hold_output(Element& element, uint32_t component, Value value) {
  element.held[component] = value;
  holds_outputs_ = true;
}

/// Writes what is held.
void Emitter::store_outputs() {
  if (!holds_outputs_) return;
  holds_outputs_ = false;
  for (Element& element : outputs_) store_output(element, &Emitter::output_vector, &Emitter::output_pointer);
  for (Element& element : patch_) store_output(element, &Emitter::patch_vector, &Emitter::patch_pointer);
}

void Emitter::store_output(Element& element, Id (Emitter::*vector_of)(Element&),
                           Id (Emitter::*pointer_to)(Element&, uint32_t)) {
  const Kind kind = output_kind(element);
  std::array<Id, 4> values{};
  uint32_t held = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    if (element.held[c] == kNoIndex) continue;
    held |= 1u << c;
    values[c] = use(std::exchange(element.held[c], kNoIndex), kind);
  }
  if (held == 0) return;
  // One component is not worth the vector where each is behind a chain of its own anyway.
  const uint32_t worth = module_.stage == ir::Stage::hull ? 2 : 1;
  if (element.is_vector() && element.count > 1 && held == element.mask &&
      static_cast<uint32_t>(std::popcount(held)) >= worth) {
    // What is not declared is nobody's: any value will do there.
    const Id type = type_of(element.kind);
    const Id any = values[static_cast<uint32_t>(std::countr_zero(held))];
    for (Id& id : values) {
      if (id == 0) id = any;
    }
    Id vector = emit(spv::OpCompositeConstruct, builder_.vector_type(type, element.count),
                     std::span<const Id>(values).subspan(element.first, element.count));
    if (element.is_signed) vector = bitcast(builder_.vector_type(builder_.int_type(), element.count), vector);
    return effect(spv::OpStore, {(this->*vector_of)(element), vector});
  }
  for (uint32_t c = 0; c < 4; ++c) {
    if (values[c] == 0) continue;
    Id pointer = (this->*pointer_to)(element, c);
    if (pointer == 0) pointer = output_builtin(element);
    if (element.is_signed) values[c] = bitcast(builder_.int_type(), values[c]);
    effect(spv::OpStore, {pointer, values[c]});
  }
}

/// Before a marker of control flow. Outputs go on being held over a construct that neither writes outputs nor
/// leaves for a place outside of it: everything held before dominates what follows.
void Emitter::store_outputs_of_block() {
  if (!holds_outputs_ || current_ < held_until_) return;
  if (holds_over_.empty() || holds_over_[current_] == 0) return store_outputs();
  const uint32_t end = end_of_[current_];
  held_until_ = (module_.code[current_].op == Op::if_ ? end_of_[end] : end) + 1;
}

void Emitter::emit_output(const Instruction& instruction) {
  const uint32_t reg = instruction.payload / 4;
  const uint32_t component = instruction.payload % 4;
  if (instruction.has(ir::kIndexOperand)) {
    store_outputs();
    const Id at = add(as_uint(operand(instruction, 0)), reg);
    return store_indexed(outputs_, component, at, as_float(operand(instruction, 1)),
                         &Emitter::output_pointer);
  }
  bool found = false;
  for (Element& element : outputs_) {
    // A register that several streams declare goes to all of them: which is meant, tells the emit.
    if (element.reg != reg || ((element.mask >> component) & 1) == 0) continue;
    found = true;
    const bool writable = element.system_value == SystemValue::none ||
                          holds(stages_that_write(element.system_value), module_.stage);
    if (!writable ||
        (!element.is_vector() && output_pointer(element, component) == 0 && output_builtin(element) == 0)) {
      return refuse_system_value(instruction, element.system_value, "an output");
    }
    hold_output(element, component, operand(instruction, 0));
  }
  if (!found) refuse(instruction, "an undeclared output");
}

/// Points of Direct3D have the size of a pixel.
void Emitter::store_point_size() {
  if (!options_.point_size) return;
  if (module_.stage == ir::Stage::geometry) builder_.require(spv::CapabilityGeometryPointSize);
  if (module_.stage == ir::Stage::domain) builder_.require(spv::CapabilityTessellationPointSize);
  effect(spv::OpStore,
         {builtin(spv::BuiltInPointSize, builder_.float_type(), spv::StorageClassOutput), real(1)});
}

// Direct3D numbers streams from 0; a shader with one stream needs no capability for it.
void Emitter::emit_vertex(const Instruction& instruction) {
  const bool emits = instruction.op == Op::emit;
  if (emits) store_outputs();
  constexpr uint32_t kPointList = 1;
  if (emits && module_.output_topology == kPointList) store_point_size();
  if (!has_streams_ && instruction.payload == 0)
    return effect(emits ? spv::OpEmitVertex : spv::OpEndPrimitive, {});
  builder_.require(spv::CapabilityGeometryStreams);
  effect(emits ? spv::OpEmitStreamVertex : spv::OpEndStreamPrimitive, {constant(instruction.payload)});
}

}  // namespace texlate::spirv
