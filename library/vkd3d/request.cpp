#include "library/vkd3d/request.h"

#include <algorithm>
#include <array>

namespace texlate::vkd3d {

namespace {

/// The common beginning of all structures of a chain.
struct Chained {
  vkd3d_shader_structure_type type;
  const void* next;
};

// D3D10_SB_RESOURCE_DIMENSION, in texlate_binding::dimension.
constexpr uint32_t kBuffer = 1, kRawBuffer = 11, kStructuredBuffer = 12;
// D3D10_RESOURCE_RETURN_TYPE, in texlate_binding::component_type.
constexpr uint32_t kSint = 3, kUint = 4;

bool is_buffer(uint32_t dimension) {
  return dimension == kBuffer || dimension == kRawBuffer || dimension == kStructuredBuffer;
}
bool has_words(uint32_t dimension) {
  return dimension == kRawBuffer || dimension == kStructuredBuffer;
}

vkd3d_shader_visibility visibility_of(texlate_stage stage) {
  switch (stage) {
    case TEXLATE_STAGE_PIXEL: return VKD3D_SHADER_VISIBILITY_PIXEL;
    case TEXLATE_STAGE_VERTEX: return VKD3D_SHADER_VISIBILITY_VERTEX;
    case TEXLATE_STAGE_GEOMETRY: return VKD3D_SHADER_VISIBILITY_GEOMETRY;
    case TEXLATE_STAGE_HULL: return VKD3D_SHADER_VISIBILITY_HULL;
    case TEXLATE_STAGE_DOMAIN: return VKD3D_SHADER_VISIBILITY_DOMAIN;
    case TEXLATE_STAGE_COMPUTE: return VKD3D_SHADER_VISIBILITY_COMPUTE;
  }
  return VKD3D_SHADER_VISIBILITY_ALL;
}

texlate_register_class class_of(texlate_binding_kind kind) {
  switch (kind) {
    case TEXLATE_BINDING_CONSTANT_BUFFER: return TEXLATE_REGISTER_CONSTANT_BUFFER;
    case TEXLATE_BINDING_SAMPLER: return TEXLATE_REGISTER_SAMPLER;
    case TEXLATE_BINDING_RESOURCE: return TEXLATE_REGISTER_RESOURCE;
    case TEXLATE_BINDING_UAV: return TEXLATE_REGISTER_UAV;
  }
  return TEXLATE_REGISTER_RESOURCE;
}

vkd3d_shader_descriptor_type type_of(texlate_binding_kind kind) {
  switch (kind) {
    case TEXLATE_BINDING_CONSTANT_BUFFER: return VKD3D_SHADER_DESCRIPTOR_TYPE_CBV;
    case TEXLATE_BINDING_SAMPLER: return VKD3D_SHADER_DESCRIPTOR_TYPE_SAMPLER;
    case TEXLATE_BINDING_RESOURCE: return VKD3D_SHADER_DESCRIPTOR_TYPE_SRV;
    case TEXLATE_BINDING_UAV: return VKD3D_SHADER_DESCRIPTOR_TYPE_UAV;
  }
  return VKD3D_SHADER_DESCRIPTOR_TYPE_SRV;
}

bool is_same_pair(const texlate_spirv_combined& a, const texlate_spirv_combined& b) {
  return a.texture_space == b.texture_space && a.texture == b.texture && a.sampler_space == b.sampler_space &&
         a.sampler == b.sampler;
}

}  // namespace

Request::Request(const vkd3d_shader_compile_info* info) : compile(info) {
  for (const void* next = info->next; next != nullptr; next = static_cast<const Chained*>(next)->next) {
    switch (static_cast<uint32_t>(static_cast<const Chained*>(next)->type)) {
      case VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO:
        interface = static_cast<const vkd3d_shader_interface_info*>(next);
        break;
      case VKD3D_SHADER_STRUCTURE_TYPE_TRANSFORM_FEEDBACK_INFO:
        transform_feedback = static_cast<const vkd3d_shader_transform_feedback_info*>(next);
        break;
      case VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO:
        target = static_cast<const vkd3d_shader_spirv_target_info*>(next);
        break;
      // Properties of the hull shader. texlate puts them into the hull shader itself, which Vulkan allows.
      case VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_DOMAIN_SHADER_TARGET_INFO:
      // Only for vkd3d_shader_scan().
      case VKD3D_SHADER_STRUCTURE_TYPE_SCAN_DESCRIPTOR_INFO: break;
      default: is_known = false; break;
    }
  }
}

uint32_t Request::option(vkd3d_shader_compile_option_name name) const {
  uint32_t value = 0;
  for (unsigned int i = 0; i < compile->option_count; ++i) {
    if (compile->options[i].name == name) value = compile->options[i].value;
  }
  return value;
}

bool Request::allows(vkd3d_shader_spirv_extension extension) const {
  return target != nullptr && std::find(target->extensions, target->extensions + target->extension_count,
                                        extension) != target->extensions + target->extension_count;
}

std::string reason_to_pass_on(const Request& request) {
  const vkd3d_shader_compile_info& compile = *request.compile;
  if (compile.source_type != VKD3D_SHADER_SOURCE_DXBC_TPF) return "the source is not DXBC";
  if (compile.target_type != VKD3D_SHADER_TARGET_SPIRV_BINARY) return "the target is not SPIR-V words";
  if (!request.is_known) return "the request has a structure from a newer vkd3d";
  if (request.interface == nullptr) return "there is no interface, so vkd3d chooses the bindings";
  if (request.target == nullptr) return {};
  if (request.target->environment == VKD3D_SHADER_SPIRV_ENVIRONMENT_OPENGL_4_5) return "the host is OpenGL";
  for (unsigned int i = 0; i < request.target->parameter_count; ++i) {
    const vkd3d_shader_parameter& parameter = request.target->parameters[i];
    if (parameter.name != VKD3D_SHADER_PARAMETER_NAME_RASTERIZER_SAMPLE_COUNT ||
        parameter.data_type != VKD3D_SHADER_PARAMETER_DATA_TYPE_UINT32 ||
        (parameter.type != VKD3D_SHADER_PARAMETER_TYPE_IMMEDIATE_CONSTANT &&
         parameter.type != VKD3D_SHADER_PARAMETER_TYPE_SPECIALIZATION_CONSTANT))
      return "the request has a parameter from a newer vkd3d";
  }
  return {};
}

Options::Options(const Request& request, const texlate_program* program, texlate_stage stage)
    : request_(request), program_(program), stage_(stage) {
  take_combined();
  take_bindings();
  take_push_constants();
  take_stream_output();
  take_target();
  spirv_.bindings = bindings_.data();
  spirv_.binding_count = bindings_.size();
  spirv_.combined = combined_.data();
  spirv_.combined_count = combined_.size();
  spirv_.strict_bindings = 1;
  spirv_.single_sample_images = 1;
  // Vulkan requires shaders that draw points to write their size. For triangles it is harmless.
  spirv_.point_size = stage == TEXLATE_STAGE_VERTEX || stage == TEXLATE_STAGE_GEOMETRY ? 1 : 0;
  // vkd3d creates its devices without VK_EXT_robustness2.
  spirv_.robustness = TEXLATE_ROBUSTNESS_SHADER;
  spirv_.debug = request.option(VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG) == 0 ? 1 : 0;
  translate_.target = "spirv";
  translate_.spirv = &spirv_;
  translate_.uav_formats = formats_.data();
  translate_.uav_format_count = formats_.size();
}

bool Options::is_visible(vkd3d_shader_visibility visibility) const {
  return visibility == VKD3D_SHADER_VISIBILITY_ALL || visibility == visibility_of(stage_);
}

/// A texture that is only fetched from, not sampled, has the "dummy" sampler. These pairs come first, because
/// texlate uses the first pair for fetches.
void Options::take_combined() {
  const vkd3d_shader_interface_info& interface = *request_.interface;
  for (const bool dummies : {true, false}) {
    for (unsigned int i = 0; i < interface.combined_sampler_count; ++i) {
      const vkd3d_shader_combined_resource_sampler& pair = interface.combined_samplers[i];
      const bool is_dummy = pair.sampler_index == VKD3D_SHADER_DUMMY_SAMPLER_INDEX;
      if (is_dummy != dummies || !is_visible(pair.shader_visibility) ||
          (pair.flags & VKD3D_SHADER_BINDING_FLAG_IMAGE) == 0)
        continue;
      if (pair.binding.count != 1) obstacle_ = "a combined sampler in an array";
      const texlate_spirv_combined made = {pair.resource_space, pair.resource_index, pair.sampler_space,
                                           pair.sampler_index,  pair.binding.set,    pair.binding.binding};
      // If a client lists a pair twice, the first entry counts.
      if (std::ranges::none_of(combined_, [&](const auto& before) { return is_same_pair(before, made); }))
        combined_.push_back(made);
    }
  }
}

void Options::take_bindings() {
  texlate_binding declared{};
  declared.struct_size = sizeof declared;
  for (uint32_t i = 0; texlate_program_get_binding(program_, i, &declared) == TEXLATE_OK; ++i) {
    if (declared.lower_bound != declared.upper_bound) {
      obstacle_ = "a range of registers";
      return;
    }
    take_register(declared);
    if ((declared.flags & TEXLATE_BINDING_COUNTER) != 0) take_counter(declared);
  }
}

void Options::take_register(const texlate_binding& declared) {
  const vkd3d_shader_interface_info& interface = *request_.interface;
  const bool is_view = declared.kind == TEXLATE_BINDING_RESOURCE || declared.kind == TEXLATE_BINDING_UAV;
  const bool is_uav = declared.kind == TEXLATE_BINDING_UAV;
  const bool in_storage = is_uav && request_.option(VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV) ==
                                        VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV_STORAGE_BUFFER;
  if (in_storage && declared.dimension == kBuffer) obstacle_ = "a typed buffer as a storage buffer";
  const unsigned int flag =
      is_buffer(declared.dimension) ? VKD3D_SHADER_BINDING_FLAG_BUFFER : VKD3D_SHADER_BINDING_FLAG_IMAGE;
  for (unsigned int i = 0; i < interface.binding_count; ++i) {
    const vkd3d_shader_resource_binding& given = interface.bindings[i];
    if (given.type != type_of(declared.kind) || given.register_space != declared.space ||
        given.register_index != declared.lower_bound || !is_visible(given.shader_visibility) ||
        (is_view && (given.flags & flag) == 0))
      continue;
    if (given.binding.count != 1) obstacle_ = "a register in an array";
    texlate_spirv_binding binding{};
    binding.register_class = class_of(declared.kind);
    binding.space = declared.space;
    binding.first = declared.lower_bound;
    binding.count = 1;
    binding.set = given.binding.set;
    binding.binding = given.binding.binding;
    if (is_view && has_words(declared.dimension) && !in_storage)
      binding.passing = TEXLATE_PASSING_TEXEL_BUFFER;
    bindings_.push_back(binding);
    break;
  }
  // The typed views that Direct3D 11.0 can read: one component of 32 bits.
  const bool is_typed = is_uav && !has_words(declared.dimension);
  if (!is_typed || (declared.flags & TEXLATE_BINDING_READ) == 0) return;
  const texlate_texel_kind kind = declared.component_type == kSint   ? TEXLATE_TEXEL_SINT
                                  : declared.component_type == kUint ? TEXLATE_TEXEL_UINT
                                                                     : TEXLATE_TEXEL_FLOAT;
  formats_.push_back({declared.id, 1, 32, kind});
}

void Options::take_counter(const texlate_binding& declared) {
  const vkd3d_shader_interface_info& interface = *request_.interface;
  for (unsigned int i = 0; i < interface.uav_counter_count; ++i) {
    const vkd3d_shader_uav_counter_binding& given = interface.uav_counters[i];
    if (given.register_space != declared.space || given.register_index != declared.lower_bound ||
        !is_visible(given.shader_visibility))
      continue;
    if (given.binding.count != 1 || given.offset != 0)
      obstacle_ = "a counter in an array, or behind an offset";
    texlate_spirv_binding binding{};
    binding.register_class = TEXLATE_REGISTER_COUNTER;
    binding.space = declared.space;
    binding.first = declared.lower_bound;
    binding.count = 1;
    binding.set = given.binding.set;
    binding.binding = given.binding.binding;
    if (request_.option(VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV) !=
        VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV_STORAGE_BUFFER)
      binding.passing = TEXLATE_PASSING_TEXEL_BUFFER;
    bindings_.push_back(binding);
    return;
  }
}

void Options::take_push_constants() {
  const vkd3d_shader_interface_info& interface = *request_.interface;
  for (unsigned int i = 0; i < interface.push_constant_buffer_count; ++i) {
    const vkd3d_shader_push_constant_buffer& given = interface.push_constant_buffers[i];
    if (!is_visible(given.shader_visibility)) continue;
    texlate_spirv_binding binding{};
    binding.register_class = TEXLATE_REGISTER_CONSTANT_BUFFER;
    binding.space = given.register_space;
    binding.first = given.register_index;
    binding.count = 1;
    binding.binding = given.offset;
    binding.size = given.size;
    binding.passing = TEXLATE_PASSING_PUSH_CONSTANTS;
    bindings_.push_back(binding);
  }
}

void Options::take_stream_output() {
  const vkd3d_shader_transform_feedback_info* const info = request_.transform_feedback;
  if (info == nullptr || stage_ == TEXLATE_STAGE_PIXEL || stage_ == TEXLATE_STAGE_HULL ||
      stage_ == TEXLATE_STAGE_COMPUTE)
    return;
  for (unsigned int i = 0; i < info->element_count; ++i) {
    const vkd3d_shader_transform_feedback_element& element = info->elements[i];
    stream_output_.push_back({element.stream_index, element.semantic_name, element.semantic_index,
                              element.component_index, element.component_count, element.output_slot});
  }
  spirv_.stream_output = stream_output_.data();
  spirv_.stream_output_count = stream_output_.size();
  spirv_.buffer_strides = info->buffer_strides;
  spirv_.buffer_stride_count = info->buffer_stride_count;
}

void Options::take_target() {
  const vkd3d_shader_spirv_target_info* const target = request_.target;
  if (target == nullptr) return;
  translate_.entry = target->entry_point;
  spirv_.dual_source_blending = target->dual_source_blending && stage_ == TEXLATE_STAGE_PIXEL ? 1 : 0;
  for (unsigned int i = 0; i < target->parameter_count; ++i) {
    const vkd3d_shader_parameter& given = target->parameters[i];
    texlate_spirv_parameter parameter{};
    parameter.fact = TEXLATE_FACT_RASTER_SAMPLES;
    parameter.is_constant = given.type == VKD3D_SHADER_PARAMETER_TYPE_IMMEDIATE_CONSTANT ? 1 : 0;
    parameter.value =
        parameter.is_constant != 0 ? given.u.immediate_constant.u.u32 : given.u.specialization_constant.id;
    parameters_.push_back(parameter);
  }
  spirv_.parameters = parameters_.data();
  spirv_.parameter_count = parameters_.size();
  for (unsigned int i = 0; i < target->output_swizzle_count; ++i) {
    std::array<uint8_t, 4>& swizzle = swizzles_.emplace_back();
    for (uint32_t c = 0; c < 4; ++c)
      swizzle[c] = target->output_swizzles[i] >> VKD3D_SHADER_SWIZZLE_SHIFT(c) & VKD3D_SHADER_SWIZZLE_MASK;
  }
  static_assert(sizeof(std::array<uint8_t, 4>) == sizeof(uint8_t[4]));
  spirv_.output_swizzles = reinterpret_cast<const uint8_t(*)[4]>(swizzles_.data());
  spirv_.output_swizzle_count = swizzles_.size();
}

}  // namespace texlate::vkd3d
