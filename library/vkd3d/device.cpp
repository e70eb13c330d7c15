// What the client's device has, as far as a request says it.

#include "library/vkd3d/translation.h"

namespace texlate::vkd3d {

namespace {

/// A property of the device that only some have, and how a client says that its device has it. All others are
/// Vulkan 1.1's, or features that vkd3d enables.
struct Row {
  const char* name;
  Extension extension;
  /// Clients of vkd3d-shader 1.n before this cannot name the extension, and are not asked for it.
  uint32_t since;
};

constexpr uint32_t kAlwaysSupported = 0;

constexpr Row kRows[] = {
    {"shaderDemoteToHelperInvocation", Extension::demote_to_helper_invocation, kAlwaysSupported},
    {"VK_EXT_shader_stencil_export", Extension::stencil_export, 3},
    {"VK_EXT_shader_viewport_index_layer", Extension::viewport_index_layer, 11},
    {"fragmentShaderPixelInterlock", Extension::fragment_shader_interlock, kAlwaysSupported},
    {"fragmentShaderSampleInterlock", Extension::fragment_shader_interlock, kAlwaysSupported},
    {"runtimeDescriptorArray", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderUniformTexelBufferArrayDynamicIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderStorageTexelBufferArrayDynamicIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderUniformBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderSampledImageArrayNonUniformIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderStorageBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderStorageImageArrayNonUniformIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderUniformTexelBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlwaysSupported},
    {"shaderStorageTexelBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlwaysSupported},
};

/// No client can say that its device has these.
constexpr const char* kNever[] = {"fullyCoveredFragmentShaderInputVariable", "shaderSubgroupClock",
                                  "shaderImageFloat32Atomics"};

}  // namespace

void Translation::take_device() {
  for (const Row& row : kRows) {
    if (!request_.allows(row.extension) && request_.api_version() >= row.since)
      device_.push_back({row.name, 0});
  }
  for (const char* const name : kNever) device_.push_back({name, 0});
  constexpr uint32_t kFirstApiWithFeatures = 11, kFeatureFloat64 = 2;
  const bool says_nothing = request_.api_version() < kFirstApiWithFeatures;
  if (!says_nothing && (request_.option(OptionName::feature) & kFeatureFloat64) == 0)
    device_.push_back({"shaderFloat64", 0});
  spirv_.device = device_.data();
  spirv_.device_count = device_.size();
}

bool Translation::lacks_feature(const api::Output& output) const {
  if (output.status() != TEXLATE_ERROR_INPUT || translate_.spirv == nullptr) return false;
  texlate_spirv_options spirv = spirv_;
  spirv.device_count = 0;
  texlate_translate_options options = translate_;
  options.spirv = &spirv;
  return program_.translate(options).ok();
}

}  // namespace texlate::vkd3d
