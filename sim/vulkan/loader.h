// The Vulkan loader, found at run time. texlate does not link against Vulkan and works without it.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <string>

namespace texlate::sim::vulkan {

// Entry points in the order of the objects that they need.
#define TEXLATE_VULKAN_GLOBAL(X) X(CreateInstance) X(EnumerateInstanceExtensionProperties)
// clang-format off
#define TEXLATE_VULKAN_INSTANCE(X) \
  X(DestroyInstance) X(EnumeratePhysicalDevices) X(GetPhysicalDeviceProperties) \
  X(GetPhysicalDeviceProperties2) X(GetPhysicalDeviceFeatures2) X(GetPhysicalDeviceFormatProperties) \
  X(GetPhysicalDeviceImageFormatProperties) X(GetPhysicalDeviceMemoryProperties) \
  X(GetPhysicalDeviceQueueFamilyProperties) X(EnumerateDeviceExtensionProperties) X(CreateDevice) \
  X(GetDeviceProcAddr)
#define TEXLATE_VULKAN_DEVICE(X) \
  X(DestroyDevice) X(GetDeviceQueue) X(QueueSubmit) X(CreateFence) X(DestroyFence) X(WaitForFences) \
  X(CreateCommandPool) X(DestroyCommandPool) X(AllocateCommandBuffers) X(FreeCommandBuffers) \
  X(BeginCommandBuffer) X(EndCommandBuffer) X(AllocateMemory) X(FreeMemory) X(MapMemory) X(UnmapMemory) \
  X(CreateBuffer) X(DestroyBuffer) X(GetBufferMemoryRequirements) X(BindBufferMemory) X(CreateBufferView) \
  X(DestroyBufferView) X(CreateImage) X(DestroyImage) X(GetImageMemoryRequirements) X(BindImageMemory) \
  X(CreateImageView) X(DestroyImageView) X(CreateSampler) X(DestroySampler) X(CreateShaderModule) \
  X(DestroyShaderModule) X(CreateDescriptorSetLayout) X(DestroyDescriptorSetLayout) \
  X(CreatePipelineLayout) X(DestroyPipelineLayout) X(CreateDescriptorPool) X(DestroyDescriptorPool) \
  X(AllocateDescriptorSets) X(UpdateDescriptorSets) X(CreateComputePipelines) X(DestroyPipeline) \
  X(CreateRenderPass) X(DestroyRenderPass) X(CreateFramebuffer) X(DestroyFramebuffer) X(CmdBindPipeline) \
  X(CmdBindDescriptorSets) X(CmdPushConstants) X(CmdBindVertexBuffers) X(CmdDispatch) X(CmdDraw) X(CmdPipelineBarrier) \
  X(CmdCopyBufferToImage) X(CmdCopyImageToBuffer) X(CmdBeginRenderPass) X(CmdEndRenderPass) \
  X(DeviceWaitIdle) X(CreateGraphicsPipelines) X(CmdBindIndexBuffer) X(CmdDrawIndexed) X(CmdResolveImage)
// clang-format on
#define TEXLATE_VULKAN_TRANSFORM_FEEDBACK(X) \
  X(CmdBindTransformFeedbackBuffersEXT) X(CmdBeginTransformFeedbackEXT) X(CmdEndTransformFeedbackEXT)

struct Functions {
#define TEXLATE_MEMBER(name) PFN_vk##name name = nullptr;
  TEXLATE_VULKAN_GLOBAL(TEXLATE_MEMBER)
  TEXLATE_VULKAN_INSTANCE(TEXLATE_MEMBER)
  TEXLATE_VULKAN_DEVICE(TEXLATE_MEMBER)
  TEXLATE_VULKAN_TRANSFORM_FEEDBACK(TEXLATE_MEMBER)
#undef TEXLATE_MEMBER
};

/// This process's libvulkan, loaded on first use and kept until the process ends. Null with a reason if there
/// is none.
PFN_vkGetInstanceProcAddr load_vulkan(std::string& why);

bool load_global(PFN_vkGetInstanceProcAddr get, Functions& functions);
bool load_instance(PFN_vkGetInstanceProcAddr get, VkInstance instance, Functions& functions);
/// The functions of transform feedback are null if the device was made without it.
bool load_device(VkDevice device, Functions& functions);

}  // namespace texlate::sim::vulkan
