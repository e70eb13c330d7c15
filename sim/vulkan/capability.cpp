// Checks whether the device supports what a module requires: SPIR-V's capabilities and the features that
// correspond to them (Vulkan, appendix "Vulkan Environment for SPIR-V").

#include "sim/vulkan/context.h"
#include "sim/vulkan/jobs.h"

namespace texlate::sim::vulkan {

namespace {

using Feature = VkBool32 VkPhysicalDeviceFeatures::*;
using Indexing = VkBool32 VkPhysicalDeviceDescriptorIndexingFeaturesEXT::*;

struct CoreRow {
  spv::Capability capability;
  Feature feature;
  const char* name;
};
#define ROW(capability, feature) \
  { spv::Capability##capability, &VkPhysicalDeviceFeatures::feature, #feature }
constexpr CoreRow kCore[] = {
    ROW(Geometry, geometryShader),
    ROW(Tessellation, tessellationShader),
    ROW(Float64, shaderFloat64),
    ROW(Int64, shaderInt64),
    ROW(Int16, shaderInt16),
    ROW(SampleRateShading, sampleRateShading),
    ROW(ImageGatherExtended, shaderImageGatherExtended),
    ROW(ImageCubeArray, imageCubeArray),
    ROW(SampledCubeArray, imageCubeArray),
    ROW(ClipDistance, shaderClipDistance),
    ROW(CullDistance, shaderCullDistance),
    ROW(MultiViewport, multiViewport),
    ROW(MinLod, shaderResourceMinLod),
    ROW(SparseResidency, shaderResourceResidency),
    ROW(StorageImageExtendedFormats, shaderStorageImageExtendedFormats),
    ROW(StorageImageMultisample, shaderStorageImageMultisample),
    ROW(StorageImageReadWithoutFormat, shaderStorageImageReadWithoutFormat),
    ROW(StorageImageWriteWithoutFormat, shaderStorageImageWriteWithoutFormat),
    ROW(UniformBufferArrayDynamicIndexing, shaderUniformBufferArrayDynamicIndexing),
    ROW(SampledImageArrayDynamicIndexing, shaderSampledImageArrayDynamicIndexing),
    ROW(StorageBufferArrayDynamicIndexing, shaderStorageBufferArrayDynamicIndexing),
    ROW(StorageImageArrayDynamicIndexing, shaderStorageImageArrayDynamicIndexing),
};
#undef ROW

struct IndexingRow {
  spv::Capability capability;
  Indexing feature;
  const char* name;
};
#define ROW(capability, feature) \
  { spv::Capability##capability, &VkPhysicalDeviceDescriptorIndexingFeaturesEXT::feature, #feature }
constexpr IndexingRow kIndexing[] = {
    ROW(RuntimeDescriptorArrayEXT, runtimeDescriptorArray),
    ROW(SampledImageArrayNonUniformIndexingEXT, shaderSampledImageArrayNonUniformIndexing),
    ROW(StorageImageArrayNonUniformIndexingEXT, shaderStorageImageArrayNonUniformIndexing),
    ROW(StorageBufferArrayNonUniformIndexingEXT, shaderStorageBufferArrayNonUniformIndexing),
    ROW(UniformBufferArrayNonUniformIndexingEXT, shaderUniformBufferArrayNonUniformIndexing),
    ROW(UniformTexelBufferArrayDynamicIndexingEXT, shaderUniformTexelBufferArrayDynamicIndexing),
    ROW(StorageTexelBufferArrayDynamicIndexingEXT, shaderStorageTexelBufferArrayDynamicIndexing),
    ROW(UniformTexelBufferArrayNonUniformIndexingEXT, shaderUniformTexelBufferArrayNonUniformIndexing),
    ROW(StorageTexelBufferArrayNonUniformIndexingEXT, shaderStorageTexelBufferArrayNonUniformIndexing),
};
#undef ROW

}  // namespace

void require_capabilities(const Context& context, const ModuleInterface& interface) {
  const auto lacks = [&](bool there, const char* name) {
    if (!there) fail("'{}' lacks {}, which the shader needs", context.name, name);
  };
  // Vulkan has no capability for it (VUID-RuntimeSpirv-None-06284).
  if (interface.exchanges_floats) lacks(context.float_atomics, "shaderImageFloat32Atomics");
  for (spv::Capability capability : interface.capabilities) {
    for (const CoreRow& row : kCore) {
      if (row.capability == capability) lacks(context.features.*row.feature != VK_FALSE, row.name);
    }
    for (const IndexingRow& row : kIndexing) {
      if (row.capability == capability) lacks(context.indexing.*row.feature != VK_FALSE, row.name);
    }
    switch (capability) {
      case spv::CapabilityDrawParameters: lacks(context.draw_parameters, "shaderDrawParameters"); break;
      case spv::CapabilityDemoteToHelperInvocationEXT:
        lacks(context.demote, "shaderDemoteToHelperInvocation");
        break;
      case spv::CapabilityFragmentShaderPixelInterlockEXT:
        lacks(context.interlock, "fragmentShaderPixelInterlock");
        break;
      case spv::CapabilityStencilExportEXT:
        lacks(context.has(VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME), "VK_EXT_shader_stencil_export");
        break;
      case spv::CapabilityShaderViewportIndexLayerEXT:
        lacks(context.has(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME),
              "VK_EXT_shader_viewport_index_layer");
        break;
      case spv::CapabilityFragmentFullyCoveredEXT: lacks(false, "fully covered fragments"); break;
      case spv::CapabilityShaderNonUniformEXT:
        lacks(context.has(VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME), "VK_EXT_descriptor_indexing");
        break;
      default: break;
    }
  }
}

}  // namespace texlate::sim::vulkan
