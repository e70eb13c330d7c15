// Parameters of a request: what Direct3D's pipeline state says, and the shader must do itself in Vulkan.

#include <cmath>

#include "library/vkd3d/translation.h"

namespace texlate::vkd3d {

namespace {

/// The parameters of structure PARAMETER_INFO, or else those of SPIRV_TARGET_INFO in the same form.
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

/// The last parameter with this name; null if the client does not give it.
const Parameter1* find(const std::vector<Parameter1>& all, ParameterName name) {
  const Parameter1* found = nullptr;
  for (const Parameter1& parameter : all) {
    if (parameter.name == name) found = &parameter;
  }
  return found;
}

/// Whether the parameter is absent or the constant `value`, with which it has no effect.
bool is_neutral(const Parameter1* parameter, uint32_t value) {
  return parameter == nullptr || (parameter->type == ParameterType::immediate && parameter->u32 == value);
}

constexpr uint32_t kAlways = 8;        // comparison function
constexpr uint32_t kOne = 0x3f800000;  // 1.0

/// Why the parameters do more than nothing to a shader of this stage; empty if they do not.
std::string effect_of(const std::vector<Parameter1>& all, texlate_stage stage) {
  using enum ParameterName;
  const bool is_rasterized = stage == TEXLATE_STAGE_VERTEX || stage == TEXLATE_STAGE_HULL ||
                             stage == TEXLATE_STAGE_DOMAIN || stage == TEXLATE_STAGE_GEOMETRY;
  if (stage == TEXLATE_STAGE_PIXEL) {
    if (find(all, alpha_test_ref) != nullptr && !is_neutral(find(all, alpha_test_func), kAlways))
      return "ALPHA_TEST_FUNC";
    if (!is_neutral(find(all, point_sprite), 0)) return "POINT_SPRITE";
    if (!is_neutral(find(all, fog_fragment_mode), 0)) return "FOG_FRAGMENT_MODE";
  }
  if (stage == TEXLATE_STAGE_VERTEX && !is_neutral(find(all, clip_plane_mask), 0)) return "CLIP_PLANE_MASK";
  if (is_rasterized) {
    if (!is_neutral(find(all, point_size), kOne)) return "POINT_SIZE";
    if (!is_neutral(find(all, fog_source), 0)) return "FOG_SOURCE";
  }
  return "";
}

}  // namespace

void Translation::take_parameters() {
  const std::vector<Parameter1> all = parameters_of(request_);
  uint32_t next_id = 0;
  for (const Parameter1& parameter : all) {
    if (parameter.type == ParameterType::specialization_constant)
      next_id = std::max(next_id, parameter.specialization_id + 1);
    if (request_.parameters == nullptr && parameter.type != ParameterType::immediate &&
        parameter.type != ParameterType::specialization_constant)
      return refuse(kInvalidArgument, MessageCode::parameter_type,
                    "parameter " + std::to_string(static_cast<uint32_t>(parameter.name)) + " has type " +
                        std::to_string(static_cast<uint32_t>(parameter.type)));
    if (parameter.name < ParameterName::rasterizer_sample_count || parameter.name > ParameterName::fog_source)
      refuse(kNotImplemented, MessageCode::parameter_type,
             "parameter " + std::to_string(static_cast<uint32_t>(parameter.name)) +
                 " is unknown: it is newer than vkd3d-shader 1.17");
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
  if (const std::string effect = effect_of(all, info_.stage); !effect.empty())
    refuse(kNotImplemented, MessageCode::parameter_type, "parameter " + effect + " is not served");
}

}  // namespace texlate::vkd3d
