// Inputs and outputs. Registers are locations: a register is one vector of four, whatever its elements, so
// that the two sides of an interface match however much of it each declares. Between stages all are floats
// (bits pass unchanged); vertex attributes and render targets have the type that their signature says.

#include <bit>
#include <charconv>

#include "backend/spirv/emitter.h"
#include "backend/spirv/system_values.h"

namespace texlate::spirv {

namespace {

using ir::Interpolation;
using ir::Parameter;
using ir::Stage;
using ir::SystemValue;

/// D3D_REGISTER_COMPONENT_TYPE in Parameter::component_type.
constexpr uint8_t kUnsigned = 1, kSigned = 2;

bool is_clip_or_cull(SystemValue value) {
  return value == SystemValue::clip_distance || value == SystemValue::cull_distance;
}

/// Only what stream 0 puts out is rasterized: system values of other streams are plain outputs.
bool is_system_value(const Parameter& parameter) {
  return parameter.system_value != SystemValue::none && parameter.stream == 0;
}

/// Place of a clip or cull distance among those of its kind, which go by register and component.
uint8_t distance_index(std::span<const Parameter> parameters, const Parameter& parameter,
                       uint32_t component) {
  uint32_t before = 0;
  for (const Parameter& other : parameters) {
    if (other.system_value != parameter.system_value || other.stream != 0 || other.reg > parameter.reg)
      continue;
    const uint32_t mask = other.reg < parameter.reg ? 0xfu : (1u << component) - 1;
    before += static_cast<uint32_t>(std::popcount(other.mask & mask));
  }
  return static_cast<uint8_t>(before);
}

}  // namespace

/// Every stream of a geometry shader counts its registers from 0; their locations follow each other.
uint32_t Emitter::first_location(uint32_t stream) const {
  uint32_t first = 0;
  for (uint32_t s = 0; s < stream; ++s) {
    uint32_t registers = 0;
    for (const Parameter& parameter : module_.outputs) {
      if (parameter.stream == s && parameter.reg < kFirstCapture)
        registers = std::max(registers, parameter.reg + 1);
    }
    first += registers;
  }
  return first;
}

/// The semantic of its signature, or a register's name.
void Emitter::name_element(const Element& element, std::string_view prefix) {
  const std::string_view semantic = module_.name_at(element.semantic);
  char text[64];
  size_t length = (semantic.empty() ? prefix : semantic).copy(text, 48);
  const uint32_t number = semantic.empty() ? element.reg : element.semantic_index;
  length = static_cast<size_t>(std::to_chars(text + length, text + sizeof text, number).ptr - text);
  builder_.name(element.variable, std::string_view(text, length));
}

/// Vertex attributes and render targets.
bool Emitter::is_outer(bool is_input) const {
  return is_input ? module_.stage == Stage::vertex : module_.stage == Stage::pixel;
}

Kind Emitter::signature_kind(const Parameter& parameter, bool is_input) const {
  const bool integer = parameter.component_type == kUnsigned || parameter.component_type == kSigned;
  return is_outer(is_input) && integer ? Kind::uint : Kind::float_;
}

/// Of the variable: attributes and targets of signed formats are signed there
/// (VUID-VkGraphicsPipelineCreateInfo-Input-08733), and their bits unsigned in the code.
Id Emitter::component_type(const Element& element) {
  return element.is_signed ? builder_.int_type() : type_of(element.kind);
}

void Emitter::decorate_location(const Element& element) {
  const bool is_target = module_.stage == Stage::pixel && element.is_output;
  if (is_target && options_.dual_source) {
    if (element.reg > 1) {
      diagnostics_.error({}, "o{} beside the two sources of one target (o0 and o1)", element.reg);
      return;
    }
    builder_.decorate(element.variable, spv::DecorationLocation, 0);
    builder_.decorate(element.variable, spv::DecorationIndex, element.reg);
    return;
  }
  builder_.decorate(element.variable, spv::DecorationLocation, element.reg + first_location(element.stream));
  if (element.stream != 0) {
    builder_.require(spv::CapabilityGeometryStreams);
    builder_.decorate(element.variable, spv::DecorationStream, element.stream);
  }
}

/// A copy of an output that goes into a transform feedback buffer, behind the locations of all outputs.
void Emitter::declare_capture(const Parameter& parameter) {
  const uint32_t index = parameter.reg - kFirstCapture;
  const Capture& capture = options_.captures[index];
  constexpr uint32_t kStreams = 4;
  Element element;
  element.reg = parameter.reg;
  element.mask = parameter.mask;
  element.count = capture.count;
  element.stream = capture.stream;
  element.is_output = true;
  element.variable =
      builder_.variable(spv::StorageClassOutput, builder_.vector_type(builder_.float_type(), element.count));
  builder_.require(spv::CapabilityTransformFeedback);
  builder_.decorate(element.variable, spv::DecorationLocation, first_location(kStreams) + index);
  builder_.decorate(element.variable, spv::DecorationXfbBuffer, capture.buffer);
  builder_.decorate(element.variable, spv::DecorationXfbStride, capture.stride);
  builder_.decorate(element.variable, spv::DecorationOffset, capture.offset);
  if (element.stream != 0) {
    builder_.require(spv::CapabilityGeometryStreams);
    builder_.decorate(element.variable, spv::DecorationStream, element.stream);
  }
  outputs_.push_back(element);
}

Emitter::Element* Emitter::find_element(Elements& elements, uint32_t reg, uint32_t component) {
  for (Element& element : elements) {
    if (element.reg == reg && ((element.mask >> component) & 1) != 0) return &element;
  }
  return nullptr;
}

const Emitter::Element* Emitter::find_element(const Elements& elements, uint32_t reg,
                                              uint32_t component) const {
  for (const Element& element : elements) {
    if (element.reg == reg && ((element.mask >> component) & 1) != 0) return &element;
  }
  return nullptr;
}

Id Emitter::builtin(spv::BuiltIn which, Id type, spv::StorageClass storage) {
  const uint32_t key = static_cast<uint32_t>(which) | static_cast<uint32_t>(storage) << 16;
  for (const Builtin& known : builtins_) {
    if (known.key == key) return known.variable;
  }
  const Id variable = builder_.variable(storage, type);
  builder_.decorate(variable, spv::DecorationBuiltIn, static_cast<uint32_t>(which));
  builtins_.push_back({key, variable, 0});
  return variable;
}

/// The value of an input built-in, loaded at entry. Integers of a pixel shader are flat
/// (VUID-StandaloneSpirv-Flat-04744).
Id Emitter::load_builtin(spv::BuiltIn which, Id type) {
  const Id variable = builtin(which, type, spv::StorageClassInput);
  for (Builtin& known : builtins_) {
    if (known.variable != variable) continue;
    if (known.value == 0) {
      if (module_.stage == Stage::pixel && type == builder_.uint_type())
        builder_.decorate(variable, spv::DecorationFlat);
      known.value = at_entry([&] { return emit(spv::OpLoad, type, {variable}); });
    }
    return known.value;
  }
  return 0;
}

// Clip and cull distances of all registers are one array, in the order of registers and components; of
// several vertices, an array of these.
Id Emitter::declare_clip_cull(std::span<const Parameter> parameters, bool is_input, SystemValue which) {
  uint32_t count = 0, vertices = 0;
  for (const Parameter& parameter : parameters) {
    if (parameter.system_value != which || parameter.stream != 0) continue;
    count += static_cast<uint32_t>(std::popcount(parameter.mask));
    if (is_input) vertices = std::max(vertices, parameter.array_size);
  }
  if (count == 0) return 0;
  const bool clip = which == SystemValue::clip_distance;
  builder_.require(clip ? spv::CapabilityClipDistance : spv::CapabilityCullDistance);
  Id type = builder_.array_type(builder_.float_type(), count);
  if (vertices != 0) type = builder_.array_type(type, vertices);
  return builtin(clip ? spv::BuiltInClipDistance : spv::BuiltInCullDistance, type,
                 is_input ? spv::StorageClassInput : spv::StorageClassOutput);
}

void Emitter::declare_parameters(std::span<const Parameter> parameters, bool is_input) {
  auto& elements = is_input ? inputs_ : outputs_;
  for (const Parameter& parameter : parameters) {
    if (!is_input && parameter.reg >= kFirstCapture && parameter.reg < ir::kSpecialRegister) {
      declare_capture(parameter);
      continue;
    }
    if (is_system_value(parameter)) {
      Element element;
      element.reg = parameter.reg;
      element.mask = parameter.mask;
      element.array_size = is_input ? parameter.array_size : 0;
      element.system_value = parameter.system_value;
      if (is_clip_or_cull(parameter.system_value)) {
        for (uint32_t c = 0; c < 4; ++c) element.clip_base[c] = distance_index(parameters, parameter, c);
      }
      elements.push_back(element);
      continue;
    }
    const Kind kind = signature_kind(parameter, is_input);
    Element* same = nullptr;
    bool alone = true;
    uint8_t mask = parameter.mask;
    for (const Parameter& other : parameters) {
      if (&other == &parameter || other.reg != parameter.reg || other.stream != parameter.stream ||
          is_system_value(other))
        continue;
      alone &= other.interpolation == parameter.interpolation && signature_kind(other, is_input) == kind;
      mask |= other.mask;
    }
    for (Element& element : elements) {
      if (alone && element.reg == parameter.reg && element.stream == parameter.stream &&
          element.system_value == SystemValue::none)
        same = &element;
    }
    if (same != nullptr) {
      same->mask |= parameter.mask;
      continue;
    }
    Element element;
    element.reg = parameter.reg;
    element.mask = parameter.mask;
    element.kind = kind;
    element.is_signed = kind == Kind::uint && parameter.component_type == kSigned;
    element.is_output = !is_input;
    element.stream = parameter.stream;
    element.semantic = parameter.semantic;
    element.semantic_index = parameter.semantic_index;
    element.array_size = is_input ? parameter.array_size : 0;
    if (!is_input && module_.stage == Stage::hull)
      element.array_size = std::max(1u, module_.output_control_points);
    if (!alone && parameter.mask != 0) {
      element.first = static_cast<uint8_t>(std::countr_zero(parameter.mask));
      element.count = static_cast<uint8_t>(std::bit_width(parameter.mask) - element.first);
    } else if (!is_input && module_.stage == Stage::pixel && mask != 0) {
      // A render target is no side of an interface that would have to match.
      element.count = static_cast<uint8_t>(std::bit_width(mask));
    }
    const spv::StorageClass storage = is_input ? spv::StorageClassInput : spv::StorageClassOutput;
    Id type = builder_.vector_type(component_type(element), element.count);
    if (element.array_size != 0) type = builder_.array_type(type, element.array_size);
    element.variable = builder_.variable(storage, type);
    decorate_location(element);
    if (element.first != 0) builder_.decorate(element.variable, spv::DecorationComponent, element.first);
    if (is_input && module_.stage == Stage::pixel) {
      switch (parameter.interpolation) {
        case Interpolation::constant: builder_.decorate(element.variable, spv::DecorationFlat); break;
        case Interpolation::linear_centroid:
          builder_.decorate(element.variable, spv::DecorationCentroid);
          break;
        case Interpolation::linear_noperspective:
          builder_.decorate(element.variable, spv::DecorationNoPerspective);
          break;
        case Interpolation::linear_noperspective_centroid:
          builder_.decorate(element.variable, spv::DecorationNoPerspective);
          builder_.decorate(element.variable, spv::DecorationCentroid);
          break;
        case Interpolation::linear_sample:
        case Interpolation::linear_noperspective_sample:
          builder_.require(spv::CapabilitySampleRateShading);
          if (parameter.interpolation == Interpolation::linear_noperspective_sample) {
            builder_.decorate(element.variable, spv::DecorationNoPerspective);
          }
          builder_.decorate(element.variable, spv::DecorationSample);
          break;
        default: break;
      }
    }
    if (options_.names) name_element(element, is_input ? "v" : "o");
    elements.push_back(element);
  }
}

void Emitter::declare_interface() {
  declare_parameters(module_.inputs, true);
  declare_parameters(module_.outputs, false);
  declare_patch_constants();
  for (const Element& element : outputs_) has_streams_ |= element.stream != 0;
}

Kind Emitter::input_kind(const Instruction& instruction) const {
  if (instruction.has(ir::kIndexOperand) || instruction.op == Op::patch_input) return Kind::float_;
  const Element* element = find_element(inputs_, instruction.payload / 4, instruction.payload % 4);
  if (element == nullptr) return Kind::float_;
  if (element->system_value == SystemValue::none) return element->kind;
  return element->system_value == SystemValue::position || is_clip_or_cull(element->system_value)
             ? Kind::float_
             : Kind::uint;
}

Kind Emitter::output_kind(const Instruction& instruction) const {
  if (instruction.has(ir::kIndexOperand)) return Kind::float_;
  const Element* element = find_element(outputs_, instruction.payload / 4, instruction.payload % 4);
  return element != nullptr ? output_kind(*element) : Kind::float_;
}

Kind Emitter::output_kind(const Element& element) const {
  switch (element.system_value) {
    case SystemValue::none: return element.kind;
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
    case SystemValue::primitive_id:
    case SystemValue::coverage_out:
    case SystemValue::stencil_ref: return Kind::uint;
    default: return Kind::float_;
  }
}

void Emitter::emit_input(const Instruction& instruction) {
  const uint32_t reg = instruction.payload / 4;
  const uint32_t component = instruction.payload % 4;
  if (instruction.has(ir::kVertexOperand)) return emit_vertex_input(instruction);
  const Id type = builder_.float_type();
  const Id four = builder_.vector_type(type, 4);
  auto component_of = [&](Element& element, uint32_t c) {
    if (element.component[c] != 0) return element.component[c];
    const Id vector = builder_.vector_type(type_of(element.kind), element.count);
    element.component[c] = at_entry([&] {
      if (element.whole == 0) {
        const Id loaded = builder_.vector_type(component_type(element), element.count);
        element.whole = emit(spv::OpLoad, loaded, {element.variable});
        if (element.is_signed) element.whole = bitcast(vector, element.whole);
      }
      if (element.count == 1) return element.whole;
      return emit(spv::OpCompositeExtract, type_of(element.kind), {element.whole, c - element.first});
    });
    return element.component[c];
  };
  if (instruction.has(ir::kIndexOperand)) {
    // v[r0.x + n]: the inputs as an array, filled at entry.
    uint32_t registers = 0;
    for (const Element& element : inputs_) registers = std::max(registers, element.reg + 1);
    if (input_file_ == 0) {
      input_file_ = builder_.variable(spv::StorageClassPrivate, builder_.array_type(four, registers));
      for (Element& element : inputs_) {
        if (element.system_value != SystemValue::none || element.array_size != 0) continue;
        for (uint32_t c = 0; c < 4; ++c) {
          if (((element.mask >> c) & 1) == 0) continue;
          const Id value = component_of(element, c);
          at_entry([&] {
            const Id pointer = access_chain(spv::StorageClassPrivate, type,
                                            {input_file_, constant(element.reg), constant(c)});
            effect(spv::OpStore, {pointer, convert(value, element.kind, Kind::float_)});
            return 0;
          });
        }
      }
    }
    // Outside of dcl_indexrange is undefined; it must not reach outside of the array.
    const Id index = minimum(add(as_uint(operand(instruction, 0)), reg), registers - 1);
    const Id pointer =
        access_chain(spv::StorageClassPrivate, type, {input_file_, index, constant(component)});
    return define(instruction.first_result, Kind::float_, emit(spv::OpLoad, type, {pointer}));
  }
  Element* element = find_element(inputs_, reg, component);
  if (element == nullptr) return refuse(instruction, "an undeclared input");
  if (element->array_size != 0) return refuse(instruction, "an input of several vertices, of none of them,");
  if (element->system_value != SystemValue::none &&
      !holds(stages_that_read(element->system_value), module_.stage)) {
    return refuse_system_value(instruction, element->system_value, "an input");
  }
  Kind kind = element->kind;
  Id id;
  if (element->system_value == SystemValue::none) {
    id = component_of(*element, component);
  } else {
    if (is_clip_or_cull(element->system_value)) {
      kind = Kind::float_;
      const Id array = declare_clip_cull(module_.inputs, true, element->system_value);
      id = at_entry([&] {
        const Id pointer =
            access_chain(spv::StorageClassInput, type, {array, constant(element->clip_base[component])});
        return emit(spv::OpLoad, type, {pointer});
      });
    } else {
      id = input_system_value(instruction, element->system_value, component, kind);
    }
    if (id == 0) return refuse_system_value(instruction, element->system_value, "an input");
  }
  define(instruction.first_result, kind, id);
}

}  // namespace texlate::spirv
