#include "library/vkd3d/parameters.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "library/vkd3d/signatures.h"
#include "library/vkd3d/translation.h"

namespace texlate::vkd3d {

std::vector<Parameter1> parameters_of(const Request& request) {
  std::vector<Parameter1> all;
  if (request.parameters != nullptr) {
    all.assign(request.parameters->parameters,
               request.parameters->parameters + request.parameters->parameter_count);
  } else if (request.target != nullptr) {
    for (uint32_t i = 0; i < request.target->parameter_count; ++i) {
      const Parameter& given = request.target->parameters[i];
      Parameter1& made = all.emplace_back();
      made.name = given.name;
      made.type = given.type;
      made.data_type = given.data_type;
      made.u32 = given.value.u32;
    }
  }
  return all;
}

const Parameter1* find(const std::vector<Parameter1>& all, ParameterName name) {
  const auto found = std::ranges::find(all, name, &Parameter1::name);
  return found != all.end() ? &*found : nullptr;
}

namespace {

/// Whether the parameter is absent or the constant `value`, with which it has no effect.
bool is_neutral(const Parameter1* parameter, uint32_t value) {
  return parameter == nullptr || (parameter->type == ParameterType::immediate && parameter->u32 == value);
}

bool is_rasterized(texlate_stage stage) {
  return stage == TEXLATE_STAGE_VERTEX || stage == TEXLATE_STAGE_HULL || stage == TEXLATE_STAGE_DOMAIN ||
         stage == TEXLATE_STAGE_GEOMETRY;
}

/// What `signature` lacks if the fog of vertices is to be `source`: 1 the fog that the shader writes, or else
/// COLOR1.w; 2, 3: z and w of the position.
bool needs_fog(uint32_t source, const Signature& signature) {
  constexpr uint32_t kFogOrSpecular = 1, kW = 3, kMaskW = 8;
  const SignatureElement* const specular = find_element(signature, "COLOR", 1, 0);
  if (source == kFogOrSpecular) return specular != nullptr && (specular->mask & kMaskW) != 0;
  return source != 0 && source <= kW;
}

std::string name_of(const Parameter1& parameter) {
  return "parameter " + std::to_string(static_cast<uint32_t>(parameter.name));
}

/// The parameters that texlate does not serve, and that do more than nothing to a shader of this stage; empty
/// if there are none.
std::string unserved(const std::vector<Parameter1>& all, texlate_stage stage) {
  using enum ParameterName;
  if (!is_rasterized(stage)) return "";
  const bool may_move = stage == TEXLATE_STAGE_HULL || stage == TEXLATE_STAGE_GEOMETRY;
  return may_move && !is_neutral(find(all, fog_source), 0) ? "FOG_SOURCE" : "";
}

constexpr uint32_t kPosition = 1, kClipDistance = 2;  // D3D_NAME

}  // namespace

std::optional<SignatureElement> added_fog(const Request& request, texlate_stage stage,
                                          const Signature& signature) {
  using enum ParameterName;
  const std::vector<Parameter1> all = parameters_of(request);
  if (stage == TEXLATE_STAGE_PIXEL) {
    if (find(all, fog_fragment_mode) == nullptr) return std::nullopt;
  } else if (stage == TEXLATE_STAGE_VERTEX || stage == TEXLATE_STAGE_DOMAIN) {
    const Parameter1* const source = find(all, fog_source);
    if (source == nullptr || source->type != ParameterType::immediate || !needs_fog(source->u32, signature))
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  if (find_element(signature, "FOG", 0, 0) != nullptr) return std::nullopt;
  constexpr uint32_t kFloat = 3, kNoRegister = 0xffffffff;
  SignatureElement made = {"FOG", 0, 0, 0, kFloat, 0, 1, 1, 0};
  for (const SignatureElement& element : std::span(signature.elements, signature.element_count)) {
    if (element.register_index != kNoRegister)
      made.register_index = std::max(made.register_index, element.register_index + 1);
  }
  return made;
}

void Translation::take_parameters() {
  const std::vector<Parameter1> all = parameters_of(request_);
  uint32_t next_id = 0;
  for (const Parameter1& parameter : all) {
    if (parameter.type == ParameterType::specialization_constant)
      next_id = std::max(next_id, parameter.specialization_id + 1);
    const ParameterType last =
        request_.parameters != nullptr ? ParameterType::buffer : ParameterType::specialization_constant;
    if (parameter.type < ParameterType::immediate || parameter.type > last)
      return refuse(
          kInvalidArgument, MessageCode::parameter_type,
          name_of(parameter) + " has type " + std::to_string(static_cast<uint32_t>(parameter.type)));
    if (parameter.name < ParameterName::rasterizer_sample_count || parameter.name > ParameterName::fog_source)
      refuse(kNotImplemented, MessageCode::parameter_type,
             name_of(parameter) + " is unknown: it is newer than vkd3d-shader 1.17");
  }
  texlate_spirv_parameter samples{};
  samples.fact = TEXLATE_FACT_RASTER_SAMPLES;
  samples.value = next_id;  // of a specialization constant, if the client does not say where the number is
  if (const Parameter1* const given = find(all, ParameterName::rasterizer_sample_count); given != nullptr) {
    if (given->data_type != ParameterData::uint)
      return refuse(kInvalidArgument, MessageCode::parameter_data,
                    "parameter RASTERIZER_SAMPLE_COUNT is not of type UINT32");
    if (given->type == ParameterType::buffer)
      return refuse(kNotImplemented, MessageCode::parameter_type,
                    "parameter RASTERIZER_SAMPLE_COUNT is in a buffer");
    samples.is_constant = given->type == ParameterType::immediate ? 1 : 0;
    samples.value = given->u32;
  }
  parameters_.push_back(samples);
  if (const std::string name = unserved(all, info_.stage); !name.empty())
    refuse(kNotImplemented, MessageCode::parameter_type, "parameter " + name + " is not served");
  take_point_size_parameter(all);
  take_fixed_function(all);
}

/// A number, or four, that shaders read. `otherwise` is the number if the client does not give one.
texlate_state_value Translation::value_of(const Parameter1* parameter, float otherwise, uint32_t count) {
  texlate_state_value made{};
  for (uint32_t& bits : made.bits) bits = std::bit_cast<uint32_t>(otherwise);
  if (parameter == nullptr) return made;
  const bool may_be_uint = parameter->name == ParameterName::alpha_test_ref;
  const ParameterData right = count == 1 ? ParameterData::float_ : ParameterData::vec4;
  if (parameter->data_type != right && !(may_be_uint && parameter->data_type == ParameterData::uint)) {
    refuse(kInvalidArgument, MessageCode::parameter_data,
           name_of(*parameter) + " is not of type " + (count == 1 ? "FLOAT32" : "FLOAT32_VEC4"));
    return made;
  }
  switch (parameter->type) {
    case ParameterType::immediate:
      for (uint32_t i = 0; i < count; ++i)
        made.bits[i] = count == 1 ? parameter->u32 : std::bit_cast<uint32_t>(parameter->vec4[i]);
      return made;
    case ParameterType::buffer:
    case ParameterType::specialization_constant: break;
  }
  const bool is_special = parameter->type == ParameterType::specialization_constant;
  const texlate_passing passing = is_special ? TEXLATE_PASSING_SPECIALIZATION : TEXLATE_PASSING_DESCRIPTOR;
  // A constant buffer for each place, in a register that no shader before 5.1 has.
  constexpr uint32_t kFirstRegister = 0x100;
  const ParameterBuffer from =
      is_special ? ParameterBuffer{0, parameter->specialization_id, 0} : parameter->buffer;
  uint32_t number = kFirstRegister;
  for (const texlate_spirv_binding& known : bindings_) {
    if (known.register_class != TEXLATE_REGISTER_CONSTANT_BUFFER || known.first < kFirstRegister) continue;
    if (known.passing == passing && known.set == from.set && known.binding == from.binding) {
      made.in_buffer = 1;
      made.buffer = known.first;
    }
    number = std::max(number, known.first + 1);
  }
  made.offset = from.offset;
  if (made.in_buffer != 0) return made;
  made.in_buffer = 1;
  made.buffer = number;
  texlate_spirv_binding binding{};
  binding.register_class = TEXLATE_REGISTER_CONSTANT_BUFFER;
  binding.first = number;
  binding.count = 1;
  binding.passing = passing;
  binding.set = from.set;
  binding.binding = from.binding;
  bindings_.push_back(binding);
  return made;
}

/// What must be known when the shader is compiled: `most` is its greatest value.
uint32_t Translation::immediate(const std::vector<Parameter1>& all, ParameterName name, uint32_t most) {
  const Parameter1* const given = find(all, name);
  if (given == nullptr) return 0;
  if (given->type != ParameterType::immediate) {
    refuse(kNotImplemented, MessageCode::parameter_type, name_of(*given) + " must be an immediate constant");
    return 0;
  }
  if (given->data_type != ParameterData::uint || given->u32 > most) {
    refuse(kInvalidArgument, MessageCode::parameter_data,
           name_of(*given) + " is not an unsigned integer up to " + std::to_string(most));
    return 0;
  }
  return given->u32;
}

/// The size of points, limited to the range that the client gives; of the two limits the upper one wins. What
/// is known now becomes one constant.
void Translation::take_point_size_parameter(const std::vector<Parameter1>& all) {
  const Parameter1* const given = find(all, ParameterName::point_size);
  if (given == nullptr || !is_rasterized(info_.stage)) return;
  const Parameter1* const least = find(all, ParameterName::point_size_min);
  const Parameter1* const most = find(all, ParameterName::point_size_max);
  bool is_known = true;
  for (const Parameter1* const each : {given, least, most}) {
    if (each == nullptr) continue;
    if (each->data_type != ParameterData::float_)
      return refuse(kInvalidArgument, MessageCode::parameter_data,
                    name_of(*each) + ", of the size of points, is not of type FLOAT32");
    is_known &= each->type == ParameterType::immediate;
  }
  if (!is_known) {
    point_size_.size = value_of(given, 1, 1);
    point_size_.least = value_of(least, 0, 1);
    point_size_.most = value_of(most, std::numeric_limits<float>::infinity(), 1);
    spirv_.point_size_state = &point_size_;
    return;
  }
  float size = given->f32;
  if (least != nullptr) size = std::max(size, least->f32);
  if (most != nullptr) size = std::min(size, most->f32);
  if (!(size > 0))
    return refuse(kInvalidArgument, MessageCode::parameter_value, "parameter POINT_SIZE is not a size");
  spirv_.point_size_value = size;
}

void Translation::take_fixed_function(const std::vector<Parameter1>& all) {
  using enum ParameterName;
  constexpr uint32_t kAlways = 8, kLinear = 3, kZ = 2, kW = 3, kPlanes = 8;
  if (info_.stage == TEXLATE_STAGE_PIXEL) {
    spirv_.point_sprite = immediate(all, point_sprite, UINT32_MAX) != 0 ? 1 : 0;
    const Parameter1* const reference = find(all, alpha_test_ref);
    const uint32_t function = immediate(all, alpha_test_func, kAlways);
    if (function != 0 && function != kAlways && reference != nullptr) {
      fixed_.alpha_function = function;
      fixed_.alpha_is_uint = reference->data_type == ParameterData::uint ? 1 : 0;
      fixed_.alpha_reference = value_of(reference, 0, 1);
    }
    fixed_.fog_mode = immediate(all, fog_fragment_mode, kLinear);
    if (fixed_.fog_mode != 0) {
      fixed_.fog_color = value_of(find(all, fog_color), 0, 4);
      fixed_.fog_end = value_of(find(all, fog_end), 1, 1);
      fixed_.fog_scale = value_of(find(all, fog_scale), 1, 1);
    }
  }
  if (info_.stage == TEXLATE_STAGE_VERTEX) {
    fixed_.clip_plane_mask = immediate(all, clip_plane_mask, 0xff);
    if (fixed_.clip_plane_mask != 0 && writes(kClipDistance))
      return refuse(kInvalidArgument, MessageCode::parameter_value,
                    "clip planes for a shader that writes clip distances itself");
    if (fixed_.clip_plane_mask != 0) require_position("clip planes");
    for (uint32_t plane = 0; plane < kPlanes; ++plane) {
      if ((fixed_.clip_plane_mask >> plane & 1) == 0) continue;
      const auto name = static_cast<ParameterName>(static_cast<uint32_t>(clip_plane_0) + plane);
      fixed_.clip_planes[plane] = value_of(find(all, name), 0, 4);
    }
  }
  if (info_.stage == TEXLATE_STAGE_VERTEX || info_.stage == TEXLATE_STAGE_DOMAIN) {
    fixed_.fog_source = immediate(all, fog_source, kW);
    if (fixed_.fog_source == kZ || fixed_.fog_source == kW) require_position("fog by the position");
  }
}

bool Translation::writes(uint32_t system_value) const {
  return std::ranges::any_of(
      program_.signature(TEXLATE_SIGNATURE_OUTPUT),
      [=](const texlate_signature_element& output) { return output.system_value == system_value; });
}

void Translation::require_position(const std::string& what) {
  if (!writes(kPosition))
    refuse(kInvalidShader, MessageCode::missing_semantic, what + " for a shader without SV_Position");
}

}  // namespace texlate::vkd3d
