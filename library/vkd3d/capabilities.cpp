// What a module may require of the client's device.

#include <cstring>

#include "library/vkd3d/translation.h"

namespace texlate::vkd3d {

namespace {

/// A capability that only some devices have, and how a client says that its device has it.
struct Row {
  uint32_t capability;
  const char* name;
  Extension extension;
  uint32_t
      since;  // clients of vkd3d-shader 1.n before this cannot name the extension, and are not asked for it
};

constexpr uint32_t kAlways = 0;

constexpr Row kRows[] = {
    {5013, "StencilExportEXT", Extension::stencil_export, 3},
    {5254, "ShaderViewportIndexLayerEXT", Extension::viewport_index_layer, 11},
    {5379, "DemoteToHelperInvocation", Extension::demote_to_helper_invocation, kAlways},
    {5363, "FragmentShaderSampleInterlockEXT", Extension::fragment_shader_interlock, kAlways},
    {5378, "FragmentShaderPixelInterlockEXT", Extension::fragment_shader_interlock, kAlways},
    {5301, "ShaderNonUniform", Extension::descriptor_indexing, kAlways},
    {5302, "RuntimeDescriptorArray", Extension::descriptor_indexing, kAlways},
    {5304, "UniformTexelBufferArrayDynamicIndexing", Extension::descriptor_indexing, kAlways},
    {5305, "StorageTexelBufferArrayDynamicIndexing", Extension::descriptor_indexing, kAlways},
    {5306, "UniformBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlways},
    {5307, "SampledImageArrayNonUniformIndexing", Extension::descriptor_indexing, kAlways},
    {5308, "StorageBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlways},
    {5309, "StorageImageArrayNonUniformIndexing", Extension::descriptor_indexing, kAlways},
    {5311, "UniformTexelBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlways},
    {5312, "StorageTexelBufferArrayNonUniformIndexing", Extension::descriptor_indexing, kAlways},
};

constexpr uint32_t kFloat64 = 10;
constexpr uint32_t kFirstOfExtensions = 4437;  // those below are Vulkan 1.1's or features that vkd3d enables

const Row* find(uint32_t capability) {
  for (const Row& row : kRows) {
    if (row.capability == capability) return &row;
  }
  return nullptr;
}

/// Why the device may lack it; empty if it has it.
std::string reason_against(const Request& request, uint32_t capability) {
  constexpr uint32_t kFirstApiWithFeatures = 11, kFeatureFloat64 = 2;
  if (capability == kFloat64)
    return request.api_version() < kFirstApiWithFeatures ||
                   (request.option(OptionName::feature) & kFeatureFloat64) != 0
               ? ""
               : "double precision, but option FEATURE does not include FLOAT64";
  if (capability < kFirstOfExtensions) return "";
  const Row* const row = find(capability);
  if (row == nullptr) return "capability " + std::to_string(capability);
  if (request.allows(row->extension) || request.api_version() < row->since) return "";
  return std::string("capability ") + row->name + ", but the request does not allow its extension";
}

}  // namespace

int check_capabilities(const Request& request, std::string_view module, Messages& messages) {
  constexpr size_t kHeaderBytes = 20;
  constexpr uint32_t kOpCapability = 17, kOpcodeMask = 0xffff;
  for (size_t at = kHeaderBytes; at + 8 <= module.size(); at += 8) {
    uint32_t words[2];
    std::memcpy(words, module.data() + at, sizeof words);
    if ((words[0] & kOpcodeMask) != kOpCapability) return kOk;
    const std::string reason = reason_against(request, words[1]);
    if (reason.empty()) continue;
    messages.error(MessageCode::no_feature, "the shader needs " + reason);
    return kInvalidShader;
  }
  return kOk;
}

}  // namespace texlate::vkd3d
