#include "backend/spirv/interface.h"

#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>

#include "ir/distances.h"

namespace texlate::spirv {

using ir::Interpolation;

namespace {

/// Semantics are the same whatever their case.
bool is_equal_semantic(std::string_view name, std::string_view capitals) {
  return std::ranges::equal(name, capitals, [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

}  // namespace

bool runs_for_each_sample(const ir::Module& module, const Options& options) {
  if (!options.device.has(Feature::sample_rate) && is_single_sampled(options)) return false;
  return module.stage == Stage::pixel && ir::runs_per_sample(module);
}

bool is_single_sampled(const Options& options) {
  return std::ranges::any_of(options.facts, [](const FactSource& source) {
    return source.fact == Fact::raster_samples && source.is_constant && source.value == 1;
  });
}

void Interface::declare() {
  for (Element& element : elements_.inputs) {
    if (element.system_value == SystemValue::none) declare(element, true);
  }
  if (per_sample_) declare_sample_frequency();
  for (Element& element : elements_.outputs) {
    if (element.capture != Element::kNoCapture) {
      declare_capture(element);
    } else if (element.system_value == SystemValue::none && !element.is_point_size) {
      declare(element, false);
    }
  }
}

// A variable of the interface with either decoration, Sample or BuiltIn SampleId, makes Vulkan run the shader
// for each sample (Vulkan, "Sample Shading").
void Interface::declare_sample_frequency() {
  builder_.require(spv::CapabilitySampleRateShading);
  const bool is_decorated = std::ranges::any_of(module_.inputs, [](const Parameter& parameter) {
    return parameter.system_value == SystemValue::none && ir::is_at_sample(parameter.interpolation);
  });
  if (!is_decorated) builtin(spv::BuiltInSampleId, builder_.uint_type(), spv::StorageClassInput);
}

void Interface::declare(Element& element, bool is_input) {
  const spv::StorageClass storage = is_input ? spv::StorageClassInput : spv::StorageClassOutput;
  // Attributes and targets with signed formats are signed in the interface
  // (VUID-VkGraphicsPipelineCreateInfo-Input-08733); the code reads their bits as unsigned.
  Id type = builder_.vector_type(component_type(element), element.count);
  if (element.array_size != 0) type = builder_.array_type(type, element.array_size);
  element.variable = builder_.variable(storage, type);
  decorate_location(element);
  if (element.first != 0) builder_.decorate(element.variable, spv::DecorationComponent, element.first);
  if (is_input && module_.stage == Stage::pixel) declare_interpolation(element);
  if (options_.names) name_element(element, is_input ? "v" : "o");
}

void Interface::decorate_location(const Element& element) {
  const bool is_target = module_.stage == Stage::pixel && element.is_output;
  if (is_target && options_.dual_source_blending) {
    if (element.reg > 1) {
      diagnostics_.error(
          {}, "o{} cannot be written in addition to o0 and o1, the two blend sources of one target",
          element.reg);
      return;
    }
    builder_.decorate(element.variable, spv::DecorationLocation, 0);
    builder_.decorate(element.variable, spv::DecorationIndex, element.reg);
    return;
  }
  builder_.decorate(element.variable, spv::DecorationLocation, element.location);
  decorate_stream(element);
}

void Interface::decorate_stream(const Element& element) {
  if (element.stream == 0) return;
  builder_.require(spv::CapabilityGeometryStreams);
  builder_.decorate(element.variable, spv::DecorationStream, element.stream);
}

/// A copy of an output that goes into a transform feedback buffer.
void Interface::declare_capture(Element& element) {
  const Capture& capture = options_.captures[element.capture];
  element.variable =
      builder_.variable(spv::StorageClassOutput, builder_.vector_type(builder_.float_type(), element.count));
  builder_.require(spv::CapabilityTransformFeedback);
  builder_.decorate(element.variable, spv::DecorationLocation, element.location);
  builder_.decorate(element.variable, spv::DecorationXfbBuffer, capture.buffer);
  builder_.decorate(element.variable, spv::DecorationXfbStride, capture.stride);
  builder_.decorate(element.variable, spv::DecorationOffset, capture.offset);
  decorate_stream(element);
}

/// With perspective, at the center: without a decoration.
void Interface::declare_interpolation(const Element& element) {
  const Interpolation how = element.interpolation;
  const auto decorate = [&](spv::Decoration decoration) { builder_.decorate(element.variable, decoration); };
  if (how == Interpolation::constant) decorate(spv::DecorationFlat);
  if (ir::is_noperspective(how)) decorate(spv::DecorationNoPerspective);
  if (ir::is_at_centroid(how)) decorate(spv::DecorationCentroid);
  if (per_sample_ && ir::is_at_sample(how)) decorate(spv::DecorationSample);
}

void Interface::name_element(const Element& element, std::string_view prefix) {
  const std::string_view semantic = module_.name_at(element.semantic);
  if (semantic.empty()) return builder_.name(element.variable, fmt::format("{}{}", prefix, element.reg));
  builder_.name(element.variable, fmt::format("{}{}", semantic.substr(0, 48), element.semantic_index));
}

// ---- built-ins ----

// Integers of a pixel shader are flat (VUID-StandaloneSpirv-Flat-04744), and levels are those of a patch.
Interface::Builtin& Interface::find_builtin(spv::BuiltIn which, Id type, spv::StorageClass storage) {
  const uint32_t key = static_cast<uint32_t>(which) | static_cast<uint32_t>(storage) << 16;
  for (Builtin& known : builtins_) {
    if (known.key == key) return known;
  }
  const Id variable = builder_.variable(storage, type);
  builder_.decorate(variable, spv::DecorationBuiltIn, static_cast<uint32_t>(which));
  if (module_.stage == Stage::pixel && storage == spv::StorageClassInput &&
      (which == spv::BuiltInSampleMask || type == builder_.uint_type()))
    builder_.decorate(variable, spv::DecorationFlat);
  if (which == spv::BuiltInTessLevelOuter || which == spv::BuiltInTessLevelInner)
    builder_.decorate(variable, spv::DecorationPatch);
  return builtins_.emplace_back({key, variable, Id::none, kNoIndex});
}

Interface::Builtin& Interface::loaded_builtin(spv::BuiltIn which, Id type) {
  Builtin& known = find_builtin(which, type, spv::StorageClassInput);
  if (known.value == Id::none)
    known.value = at_entry([&] { return emit(spv::OpLoad, type, {known.variable}); });
  return known;
}

uint32_t Interface::builtin_vector(spv::BuiltIn which, uint32_t size, As as) {
  Builtin& known = loaded_builtin(which, builder_.vector_type(body_.type_of(as), size));
  if (known.vector == kNoIndex)
    known.vector = at_entry([&] { return values_.add_vector(known.value, size, as); });
  return known.vector;
}

// At sample frequency FragCoord is at the sample (Vulkan, FragCoord); Direct3D's position is so only if it is
// declared `sample` (D3D11.3 functional specification 16.3).
uint32_t Interface::pixel_position(const Element& element) {
  if (!per_sample_ || ir::is_at_sample(element.interpolation))
    return builtin_vector(spv::BuiltInFragCoord, 4, As::float_);
  if (center_ == kNoIndex)
    center_ =
        center_of_pixel(load_builtin(spv::BuiltInFragCoord, builder_.vector_type(builder_.float_type(), 4)));
  return center_;
}

/// A FragCoord with x and y of the pixel's center.
uint32_t Interface::center_of_pixel(Id position) {
  const Id type = builder_.vector_type(builder_.float_type(), 4);
  const Id half = real(0.5f);
  const Id halves = builder_.composite(type, std::array{half, half, half, half});
  return at_entry([&] {
    const Id corner = extended(GLSLstd450Floor, type, {position});
    const Id center = emit(spv::OpFAdd, type, {corner, halves});
    const Id whole =
        emit(spv::OpVectorShuffle, type, {center, position, literal(0), literal(1), literal(6), literal(7)});
    return values_.add_vector(whole, 4, As::float_);
  });
}

void Interface::require_or_index_layer(bool is_enough, spv::Capability capability) {
  if (is_enough) return builder_.require(capability);
  builder_.require(spv::CapabilityShaderViewportIndexLayerEXT);
  builder_.require_extension("SPV_EXT_shader_viewport_index_layer");
}

// Clip and cull distances of all registers are one array, in the order of registers and components; for
// several vertices, an array of such arrays.
Id Interface::distances(bool is_input, SystemValue which) {
  const uint32_t count = ir::distance_count(is_input ? module_.inputs : module_.outputs, which, 0);
  if (count == 0) return Id::none;
  uint32_t vertices = 0;
  for (const Parameter& parameter : module_.inputs) {
    if (is_input && parameter.system_value == which) vertices = std::max(vertices, parameter.array_size);
  }
  const bool clip = which == SystemValue::clip_distance;
  builder_.require(clip ? spv::CapabilityClipDistance : spv::CapabilityCullDistance);
  Id type = builder_.array_type(builder_.float_type(), count);
  if (vertices != 0) type = builder_.array_type(type, vertices);
  return builtin(clip ? spv::BuiltInClipDistance : spv::BuiltInCullDistance, type,
                 is_input ? spv::StorageClassInput : spv::StorageClassOutput);
}

Id Interface::tessellation_levels(bool inner, spv::StorageClass storage) {
  return builtin(inner ? spv::BuiltInTessLevelInner : spv::BuiltInTessLevelOuter,
                 builder_.array_type(builder_.float_type(), inner ? 2 : 4), storage);
}

// ---- inputs ----

/// At sample frequency Vulkan may evaluate any input at the sample ("Sample Shading"), Direct3D only those
/// that are declared so (D3D11.3 functional specification 16.4).
Id Interface::load_at_center(const Element& element, Id type) {
  builder_.require(spv::CapabilityInterpolationFunction);
  const Id no_offset = builder_.null(builder_.vector_type(builder_.float_type(), 2));
  return extended(GLSLstd450InterpolateAtOffset, type, {element.variable, no_offset});
}

/// Components of TEXCOORD are the first ones of (x, y, 0, 0), counted from where the semantic's mask begins.
Id Interface::with_point_sprite(const Element& element, Id loaded) {
  std::array<Id, 4> parts{};
  bool is_changed = false;
  for (uint32_t i = 0; i < element.count; ++i) {
    const uint32_t component = element.first + i;
    for (const Parameter& parameter : module_.inputs) {
      if (parameter.reg != element.reg || !parameter.has(component) ||
          !is_equal_semantic(module_.name_at(parameter.semantic), "TEXCOORD"))
        continue;
      const uint32_t position = component - static_cast<uint32_t>(std::countr_zero(parameter.mask));
      const Id point = load_builtin(spv::BuiltInPointCoord, builder_.vector_type(builder_.float_type(), 2));
      parts[i] =
          position < 2 ? emit(spv::OpCompositeExtract, As::float_, {point, literal(position)}) : real(0);
      is_changed = true;
    }
    if (parts[i] != Id::none) continue;
    parts[i] = element.count == 1 ? loaded : emit(spv::OpCompositeExtract, As::float_, {loaded, literal(i)});
  }
  if (!is_changed || element.count == 1) return parts[0];
  return emit(spv::OpCompositeConstruct, builder_.vector_type(builder_.float_type(), element.count),
              std::span<const Id>(parts).first(element.count));
}

void Interface::load_input(Element& element) {
  if (element.whole != Id::none) return;
  at_entry([&] {
    const Id loaded = builder_.vector_type(component_type(element), element.count);
    const Interpolation how = element.interpolation;
    const bool is_at_center =
        how != Interpolation::constant && !ir::is_at_sample(how) && !ir::is_at_centroid(how);
    element.whole = per_sample_ && is_at_center ? load_at_center(element, loaded)
                                                : emit(spv::OpLoad, loaded, {element.variable});
    if (options_.point_sprite && module_.stage == Stage::pixel)
      element.whole = with_point_sprite(element, element.whole);
    if (element.is_signed)
      element.whole = bitcast(builder_.vector_type(type_of(element.kind), element.count), element.whole);
    if (element.count > 1)
      element.vector = values_.add_vector(element.whole, element.count, as_of(element.kind));
    return element.whole;
  });
}

Id Interface::input_component(Element& element, uint32_t component) {
  load_input(element);
  return element.count == 1
             ? element.whole
             : values_.component(element.vector, component - element.first, as_of(element.kind));
}

Id Interface::vertex_pointer(Element& element, Id index, uint32_t component) {
  const Id type = builder_.float_type();
  if (is_clip_or_cull(element.system_value))
    return access_chain(
        spv::StorageClassInput, type,
        {distances(true, element.system_value), index, constant(element.clip_base[component])});
  if (element.system_value == SystemValue::position && element.variable == Id::none)
    element.variable =
        builtin(spv::BuiltInPosition, builder_.array_type(builder_.vector_type(type, 4), element.array_size),
                spv::StorageClassInput);
  if (element.variable == Id::none) return Id::none;
  return point_pointer(spv::StorageClassInput, element, index, component);
}

Id Interface::point_pointer(spv::StorageClass storage, const Element& element, Id index, uint32_t component) {
  const Id type = builder_.float_type();
  if (component == kWhole || element.count == 1)
    return access_chain(storage, builder_.vector_type(type, element.count), {element.variable, index});
  return access_chain(storage, type, {element.variable, index, constant(component - element.first)});
}

// ---- outputs ----

Id Interface::output_vector(Element& element) {
  if (element.system_value == SystemValue::position && element.variable == Id::none) {
    element.variable = builtin(spv::BuiltInPosition, builder_.vector_type(builder_.float_type(), 4),
                               spv::StorageClassOutput);
  }
  if (module_.stage != Stage::hull) return element.variable;
  if (element.whole == Id::none) {
    const Id id = invocation();
    const Id vector = builder_.vector_type(type_of(element.kind), element.count);
    element.whole = at_entry([&] {
      return access_chain(spv::StorageClassOutput, vector, {element.variable, id});
    });
  }
  return element.whole;
}

Id Interface::output_pointer(Element& element, uint32_t component) {
  if (element.is_point_size) return Id::none;
  const spv::StorageClass storage = spv::StorageClassOutput;
  const Id type = component_type(element);
  Id& pointer = element.component[component];
  if (pointer != Id::none) return pointer;
  Id object = element.variable;
  uint32_t part = component - element.first;
  if (is_clip_or_cull(element.system_value)) {
    object = distances(false, element.system_value);
    part = element.clip_base[component];
  } else if (element.system_value == SystemValue::position) {
    object = output_vector(element);
  } else if (element.system_value != SystemValue::none) {
    return Id::none;
  } else if (module_.stage != Stage::hull && element.count == 1) {
    return object;
  }
  const Id pointer_type = builder_.pointer_type(storage, type);
  std::array<Id, 3> chain{object};
  uint32_t length = 1;
  if (module_.stage == Stage::hull) chain[length++] = invocation();
  if (element.count != 1) chain[length++] = constant(part);
  return pointer = at_entry([&] {
           return emit(spv::OpAccessChain, pointer_type, std::span<const Id>(chain).first(length));
         });
}

Id Interface::output_builtin(Element& element) {
  const spv::StorageClass storage = spv::StorageClassOutput;
  const Id uint = builder_.uint_type();
  if (element.is_point_size) {
    // The stages after the vertex shader need a device that lets them write it.
    if (module_.stage == Stage::geometry) builder_.require(spv::CapabilityGeometryPointSize);
    if (module_.stage == Stage::domain) builder_.require(spv::CapabilityTessellationPointSize);
    return builtin(spv::BuiltInPointSize, builder_.float_type(), storage);
  }
  switch (element.system_value) {
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index: {
      const bool viewport = element.system_value == SystemValue::viewport_array_index;
      require_or_index_layer(module_.stage == Stage::geometry,
                             viewport ? spv::CapabilityMultiViewport : spv::CapabilityGeometry);
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
      if (element.whole == Id::none) {
        const Id array = builtin(spv::BuiltInSampleMask, builder_.array_type(uint, 1), storage);
        element.whole = at_entry([&] { return access_chain(storage, uint, {array, constant(0)}); });
      }
      return element.whole;
    }
    default: return Id::none;
  }
}

// ---- patch constants ----

// Both stages agree on the locations, whatever each declares.
Id Interface::patch_vector(Element& element) {
  if (element.variable != Id::none || element.reg > last_patch_location(options_)) return element.variable;
  element.variable = builder_.variable(patch_storage(), builder_.vector_type(builder_.float_type(), 4));
  builder_.decorate(element.variable, spv::DecorationLocation,
                    location_of_patch_constant(element.reg, options_));
  builder_.decorate(element.variable, spv::DecorationPatch);
  if (options_.names) name_element(element, "vpc");
  return element.variable;
}

Id Interface::patch_pointer(Element& element, uint32_t component) {
  Id& pointer = element.component[component];
  if (pointer != Id::none) return pointer;
  uint32_t part = component;
  Id object;
  if (element.system_value != SystemValue::none) {
    const ir::TessellationFactor factor = factor_place(element.system_value);
    part = factor.index;
    object = tessellation_levels(factor.inner, patch_storage());
  } else {
    object = patch_vector(element);
    if (object == Id::none) return object;
  }
  const Id type = builder_.float_type();
  pointer = at_entry([&] { return access_chain(patch_storage(), type, {object, constant(part)}); });
  return pointer;
}

void Interface::forget_entry_values() {
  for (Builtin& known : builtins_) {
    known.value = Id::none;
    known.vector = kNoIndex;
  }
  for (auto* elements : {&elements_.inputs, &elements_.outputs, &elements_.patch_constants}) {
    for (Element& element : *elements) {
      element.whole = Id::none;
      std::ranges::fill(element.component, Id::none);
    }
  }
}

}  // namespace texlate::spirv
