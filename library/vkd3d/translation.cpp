#include "library/vkd3d/translation.h"

#include <algorithm>
#include <bit>

#include "library/vkd3d/parameters.h"

namespace texlate::vkd3d {

namespace {

uint32_t swizzle_component(uint32_t swizzle, uint32_t i) {
  return swizzle >> 8 * i & 3;
}

bool is_rasterized_stage(texlate_stage stage) {
  return stage == TEXLATE_STAGE_VERTEX || stage == TEXLATE_STAGE_DOMAIN || stage == TEXLATE_STAGE_GEOMETRY;
}

}  // namespace

Translation::Translation(const Request& request, const api::Program& program, const char* target,
                         Messages& messages)
    : request_(request), program_(program), info_(program.info()), messages_(messages) {
  translate_.target = target;
  take_combined();
  take_bindings();
  take_stream_output();
  take_varyings();
  take_parameters();
  take_target();
  take_point_size();
  take_device();
  spirv_.bindings = bindings_.data();
  spirv_.binding_count = bindings_.size();
  spirv_.combined = combined_.data();
  spirv_.combined_count = combined_.size();
  spirv_.parameters = parameters_.data();
  spirv_.parameter_count = parameters_.size();
  spirv_.strict_bindings = 1;
  spirv_.single_sample_images = 1;
  // vkd3d creates its devices without VK_EXT_robustness2.
  spirv_.robustness = TEXLATE_ROBUSTNESS_SHADER;
  // The module's version is what the host's Vulkan accepts.
  const bool is_newer = request.environment() == Environment::vulkan_1_1;
  spirv_.version = is_newer ? 0x00010300 : 0x00010000;
  spirv_.debug = request.option(OptionName::strip_debug) == 0 ? 1 : 0;
  translate_.spirv = &spirv_;
  known_.resources = known_resources_.data();
  known_.resource_count = known_resources_.size();
  fixed_.struct_size = sizeof fixed_;
  if (request.compile.target_type != TargetType::d3d_asm) {
    translate_.known = &known_;
    translate_.fixed_function = &fixed_;
  }
  translate_.uav_formats = formats_.data();
  translate_.uav_format_count = formats_.size();
}

void Translation::refuse(int status, MessageCode code, const std::string& text) {
  messages_.error(code, text);
  if (status_ == kOk) status_ = status;
}

void Translation::take_stream_output() {
  const TransformFeedbackInfo* const info = request_.transform_feedback;
  if (info == nullptr || !is_rasterized_stage(info_.stage)) return;
  for (uint32_t i = 0; i < info->element_count; ++i) {
    const TransformFeedbackElement& element = info->elements[i];
    stream_output_.push_back({element.stream, element.semantic_name, element.semantic_index,
                              element.component_index, element.component_count, element.output_slot});
  }
  spirv_.stream_output = stream_output_.data();
  spirv_.stream_output_count = stream_output_.size();
  spirv_.buffer_strides = info->buffer_strides;
  spirv_.buffer_stride_count = info->buffer_stride_count;
}

/// What a scan says that the shader writes, with what fog adds.
std::vector<SignatureElement> Translation::outputs_of() const {
  std::vector<SignatureElement> all;
  for (const texlate_signature_element& output : program_.signature(TEXLATE_SIGNATURE_OUTPUT)) {
    SignatureElement& made = all.emplace_back();
    made.semantic_name = output.semantic_name;
    made.semantic_index = output.semantic_index;
    made.stream_index = output.stream;
    made.register_index = output.register_index;
    made.mask = output.mask;
  }
  if (const auto fog = added_fog(request_, info_.stage, {all.data(), static_cast<uint32_t>(all.size())}))
    all.push_back(*fog);
  return all;
}

/// Where the next stage reads the outputs. An entry without an output is an input that is zero.
void Translation::take_varyings() {
  const VaryingMapInfo* const info = request_.varyings;
  if (info == nullptr || info_.stage == TEXLATE_STAGE_PIXEL || info_.stage == TEXLATE_STAGE_COMPUTE) return;
  if (info_.stage == TEXLATE_STAGE_HULL)
    return refuse(kNotImplemented, MessageCode::not_implemented, "a varying map for a hull shader");
  const std::vector<SignatureElement> outputs = outputs_of();
  for (uint32_t i = 0; i < info->varying_count; ++i) {
    const VaryingMap& entry = info->varying_map[i];
    texlate_varying made = {UINT32_MAX, 0, entry.input_register_index, entry.input_mask};
    if (entry.output_signature_index < outputs.size()) {
      const SignatureElement& output = outputs[entry.output_signature_index];
      if ((entry.input_mask & ~output.mask) != 0)
        return refuse(kNotImplemented, MessageCode::parameter_type,
                      "the next stage reads components of " + std::string(output.semantic_name) +
                          std::to_string(output.semantic_index) + " that this one does not write");
      made.output_register = output.register_index;
      made.output_mask = entry.input_mask;
    }
    if (made.input_mask != 0) varyings_.push_back(made);
  }
  // An array that is not null says that there is a map, although it may be empty.
  static constexpr texlate_varying kNone{};
  spirv_.varyings = varyings_.empty() ? &kNone : varyings_.data();
  spirv_.varying_count = varyings_.size();
}

void Translation::take_target() {
  const SpirvTargetInfo* const target = request_.target;
  if (target == nullptr) return;
  translate_.entry = target->entry_point;
  spirv_.dual_source_blending = target->dual_source_blending && info_.stage == TEXLATE_STAGE_PIXEL ? 1 : 0;
  for (uint32_t i = 0; i < target->output_swizzle_count; ++i) {
    std::array<uint8_t, 4>& swizzle = swizzles_.emplace_back();
    for (uint32_t c = 0; c < 4; ++c)
      swizzle[c] = static_cast<uint8_t>(swizzle_component(target->output_swizzles[i], c));
  }
  static_assert(sizeof(std::array<uint8_t, 4>) == sizeof(uint8_t[4]));
  spirv_.output_swizzles = reinterpret_cast<const uint8_t(*)[4]>(swizzles_.data());
  spirv_.output_swizzle_count = swizzles_.size();
}

/// Vulkan requires shaders that draw points to write their size. For triangles it is harmless. In the stages
/// after the vertex shader that needs a device feature, so the client may forbid it.
void Translation::take_point_size() {
  const bool may_write = request_.option(OptionName::write_tess_geom_point_size, 1) != 0;
  switch (info_.stage) {
    case TEXLATE_STAGE_VERTEX: spirv_.point_size = 1; break;
    case TEXLATE_STAGE_GEOMETRY: spirv_.point_size = may_write ? 1 : 0; break;
    case TEXLATE_STAGE_DOMAIN:
      spirv_.point_size = (may_write && !stream_output_.empty()) ||
                                  (spirv_.point_size_value != 0 && spirv_.point_size_value != 1) ||
                                  spirv_.point_size_state != nullptr
                              ? 1
                              : 0;
      break;
    case TEXLATE_STAGE_HULL:
    case TEXLATE_STAGE_PIXEL:
    case TEXLATE_STAGE_COMPUTE: break;
  }
}

}  // namespace texlate::vkd3d
