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
    ROW(GeometryPointSize, shaderTessellationAndGeometryPointSize),
    ROW(TessellationPointSize, shaderTessellationAndGeometryPointSize),
    ROW(SampleRateShading, sampleRateShading),
    ROW(InterpolationFunction, sampleRateShading),
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
    ROW(ImageMSArray, shaderStorageImageMultisample),
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

/// Every device has the capability, or make_vulkan_shader() asks for its extension before it requires it.
bool is_everywhere(spv::Capability capability) {
  switch (capability) {
    case spv::CapabilityMatrix:
    case spv::CapabilityShader:
    case spv::CapabilitySampled1D:
    case spv::CapabilityImage1D:
    case spv::CapabilitySampledBuffer:
    case spv::CapabilityImageBuffer:
    case spv::CapabilityImageQuery:
    case spv::CapabilityDerivativeControl:
    case spv::CapabilityDenormPreserve:
    case spv::CapabilityDenormFlushToZero:
    case spv::CapabilitySignedZeroInfNanPreserve:
    case spv::CapabilityRoundingModeRTE: return true;
    default: return false;
  }
}

class Checker {
 public:
  explicit Checker(const Context& context) : context_(context) {}

  void needs(bool there, const char* name) const {
    if (!there) fail_missing("'{}' lacks {}, which the shader needs", context_.name, name);
  }

  void require(spv::Capability capability) const {
    for (const CoreRow& row : kCore) {
      if (row.capability == capability) return needs(context_.features.*row.feature != VK_FALSE, row.name);
    }
    for (const IndexingRow& row : kIndexing) {
      if (row.capability == capability) return needs(context_.indexing.*row.feature != VK_FALSE, row.name);
    }
    switch (capability) {
      case spv::CapabilityDrawParameters: return needs(context_.draw_parameters, "shaderDrawParameters");
      case spv::CapabilityDemoteToHelperInvocationEXT:
        return needs(context_.demote, "shaderDemoteToHelperInvocation");
      case spv::CapabilityTransformFeedback: return needs(context_.transform_feedback, "transformFeedback");
      case spv::CapabilityGeometryStreams: return needs(context_.geometry_streams, "geometryStreams");
      case spv::CapabilityFragmentShaderPixelInterlockEXT:
        return needs(context_.interlock, "fragmentShaderPixelInterlock");
      case spv::CapabilityFragmentShaderSampleInterlockEXT:
        return needs(context_.sample_interlock, "fragmentShaderSampleInterlock");
      case spv::CapabilityShaderClockKHR: return needs(context_.subgroup_clock, "shaderSubgroupClock");
      case spv::CapabilityStencilExportEXT:
        return needs_extension(VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME);
      case spv::CapabilityShaderViewportIndexLayerEXT:
        return needs_extension(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME);
      case spv::CapabilitySampleMaskPostDepthCoverage:
        return needs_extension(VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME);
      case spv::CapabilityFragmentFullyCoveredEXT: return needs(false, "fully covered fragments");
      case spv::CapabilityShaderNonUniformEXT:
        return needs_extension(VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME);
      default: break;
    }
    if (!is_everywhere(capability))
      fail("nothing is known about SPIR-V's capability {}", static_cast<uint32_t>(capability));
  }

 private:
  void needs_extension(const char* name) const { needs(context_.has(name), name); }

  const Context& context_;
};

}  // namespace

void require_capabilities(const Context& context, const ModuleInterface& interface) {
  const Checker checker(context);
  // Vulkan has no capability for it (VUID-RuntimeSpirv-None-06284).
  if (interface.exchanges_floats) checker.needs(context.float_atomics, "shaderImageFloat32Atomics");
  for (spv::Capability capability : interface.capabilities) checker.require(capability);
}

}  // namespace texlate::sim::vulkan
