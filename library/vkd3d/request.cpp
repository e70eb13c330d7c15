#include "library/vkd3d/request.h"

#include <algorithm>

namespace texlate::vkd3d {

namespace {

template <typename Structure>
void take(const void* chained, const Structure*& to) {
  if (to == nullptr) to = static_cast<const Structure*>(chained);
}

/// A structure for results: a client passes a pointer to its own, although the chain is one of const
/// pointers.
template <typename Structure>
void take(const void* chained, Structure*& to) {
  if (to == nullptr) to = static_cast<Structure*>(const_cast<void*>(chained));
}

int refuse(Messages& messages, const std::string& text) {
  messages.error(MessageCode::not_implemented, text);
  return kNotImplemented;
}

bool is_known(OptionName name) {
  return name >= OptionName::strip_debug && name <= OptionName::include_empty_buffers_in_effects;
}

int check_option(const CompileOption& option, const Request& request, Messages& messages) {
  const auto refuse_value = [&](const char* name) {
    return refuse(messages, std::string("option ") + name + " has the value " + std::to_string(option.value) +
                                ", which texlate does not serve");
  };
  constexpr uint32_t kIndent = 2, kHeader = 8, kFeatures = 0xf;
  constexpr uint32_t kSignatures = 0x20;  // 1.12; a listing has them as fxc prints them
  switch (option.name) {
    case OptionName::strip_debug:
    case OptionName::write_tess_geom_point_size:
    case OptionName::api_version:
    // These say how HLSL and effects are compiled. Nothing in DXBC depends on them.
    case OptionName::pack_matrix_order:
    case OptionName::backward_compatibility:
    case OptionName::child_effect:
    case OptionName::warn_implicit_truncation:
    case OptionName::include_empty_buffers_in_effects: return kOk;
    case OptionName::buffer_uav: return option.value <= 1 ? kOk : refuse_value("BUFFER_UAV");
    case OptionName::typed_uav: return option.value <= 1 ? kOk : refuse_value("TYPED_UAV");
    case OptionName::formatting:
      if (request.compile.target_type == TargetType::spirv_binary) return kOk;
      return (option.value & ~(kIndent | kHeader | kSignatures)) == 0 ? kOk : refuse_value("FORMATTING");
    case OptionName::fragment_coordinate_origin:
      // Vulkan has no other origin (Vulkan specification, "Validation Rules within a Module").
      return option.value == 0 ? kOk : refuse_value("FRAGMENT_COORDINATE_ORIGIN");
    case OptionName::feature: return (option.value & ~kFeatures) == 0 ? kOk : refuse_value("FEATURE");
  }
  return refuse(messages, "option " + std::to_string(static_cast<uint32_t>(option.name)) +
                              " is unknown: it is newer than vkd3d-shader 1.17");
}

}  // namespace

Request::Request(const CompileInfo& info) : compile(info) {
  for (const void* next = info.next; next != nullptr; next = static_cast<const Chained*>(next)->next) {
    const StructureType type = static_cast<const Chained*>(next)->type;
    switch (type) {
      case StructureType::interface_info: take(next, interface); continue;
      case StructureType::scan_descriptor_info: take(next, scan_descriptors); continue;
      case StructureType::spirv_domain_shader_target_info: take(next, domain); continue;
      case StructureType::spirv_target_info: take(next, target); continue;
      case StructureType::transform_feedback_info: take(next, transform_feedback); continue;
      // These say how HLSL is compiled. Nothing in DXBC depends on them.
      case StructureType::hlsl_source_info:
      case StructureType::preprocess_info: continue;
      case StructureType::descriptor_offset_info: take(next, offsets); continue;
      case StructureType::scan_signature_info: take(next, scan_signatures); continue;
      case StructureType::varying_map_info: take(next, varyings); continue;
      case StructureType::scan_combined_resource_sampler_info: take(next, scan_pairs); continue;
      case StructureType::parameter_info: take(next, parameters); continue;
      case StructureType::scan_hull_shader_tessellation_info: take(next, scan_hull); continue;
      case StructureType::compile_info: break;  // begins a chain, and is in none
    }
    unknown.push_back(type);
  }
}

uint32_t Request::option(OptionName name, uint32_t absent) const {
  uint32_t value = absent;
  for (uint32_t i = 0; i < compile.option_count; ++i) {
    if (compile.options[i].name == name) value = compile.options[i].value;
  }
  return value;
}

bool Request::has_option(OptionName name) const {
  return std::any_of(compile.options, compile.options + compile.option_count,
                     [&](const CompileOption& option) { return option.name == name; });
}

bool Request::allows(Extension extension) const {
  return target != nullptr && std::find(target->extensions, target->extensions + target->extension_count,
                                        extension) != target->extensions + target->extension_count;
}

void Request::clear_scans() const {
  if (scan_descriptors != nullptr) {
    scan_descriptors->descriptors = nullptr;
    scan_descriptors->descriptor_count = 0;
  }
  if (scan_signatures != nullptr)
    scan_signatures->input = scan_signatures->output = scan_signatures->patch_constant = {};
  if (scan_pairs != nullptr) {
    scan_pairs->combined_samplers = nullptr;
    scan_pairs->combined_sampler_count = 0;
  }
  if (scan_hull != nullptr) scan_hull->output_primitive = scan_hull->partitioning = 0;
}

int check_structures(const Request& request, Messages& messages) {
  if (request.unknown.empty()) return kOk;
  return refuse(messages, "the chain has a structure of type " +
                              std::to_string(static_cast<uint32_t>(request.unknown.front())) +
                              ", which is newer than vkd3d-shader 1.17");
}

int check_options(const Request& request, Purpose purpose, Messages& messages) {
  constexpr uint32_t kNewestApi = 17;
  if (request.api_version() > kNewestApi)
    messages.warning(MessageCode::not_implemented, "the client is written for vkd3d-shader 1." +
                                                       std::to_string(request.api_version()) +
                                                       ", and is served as one for 1.17");
  for (uint32_t i = 0; i < request.compile.option_count; ++i) {
    const CompileOption& option = request.compile.options[i];
    if (purpose == Purpose::scan && is_known(option.name)) continue;
    if (const int result = check_option(option, request, messages); result != kOk) return result;
  }
  return kOk;
}

Visibility visibility_of(texlate_stage stage) {
  switch (stage) {
    case TEXLATE_STAGE_PIXEL: return Visibility::pixel;
    case TEXLATE_STAGE_VERTEX: return Visibility::vertex;
    case TEXLATE_STAGE_GEOMETRY: return Visibility::geometry;
    case TEXLATE_STAGE_HULL: return Visibility::hull;
    case TEXLATE_STAGE_DOMAIN: return Visibility::domain;
    case TEXLATE_STAGE_COMPUTE: return Visibility::compute;
  }
  return Visibility::all;
}

DescriptorType descriptor_type(texlate_register_class kind) {
  switch (kind) {
    case TEXLATE_REGISTER_CONSTANT_BUFFER: return DescriptorType::cbv;
    case TEXLATE_REGISTER_SAMPLER: return DescriptorType::sampler;
    case TEXLATE_REGISTER_RESOURCE: return DescriptorType::srv;
    case TEXLATE_REGISTER_UAV:
    case TEXLATE_REGISTER_COUNTER: return DescriptorType::uav;
  }
  return DescriptorType::srv;
}

}  // namespace texlate::vkd3d
