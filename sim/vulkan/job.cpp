#include "sim/vulkan/context.h"

namespace texlate::sim::vulkan {

void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  if (result == VK_TIMEOUT) fail("{}: the device did not finish in time", what);
  if (result == VK_ERROR_DEVICE_LOST) fail("{}: the device was lost", what);
  fail("{} failed (VkResult {})", what, static_cast<int>(result));
}

Job::Job(const Context& on) : context(on), vk(on.vk) {
  auto info = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  info.commandPool = context.commands;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  check(vk.AllocateCommandBuffers(context.device, &info, &commands), "vkAllocateCommandBuffers");
  defer([this] { vk.FreeCommandBuffers(context.device, context.commands, 1, &commands); });
  auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vk.BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
}

Job::~Job() {
  for (auto destroy = deferred_.rbegin(); destroy != deferred_.rend(); ++destroy) (*destroy)();
}

VkDeviceMemory Job::allocate(const VkMemoryRequirements& requirements, VkMemoryPropertyFlags wanted) {
  for (uint32_t type = 0; type < context.memory.memoryTypeCount; ++type) {
    const VkMemoryPropertyFlags flags = context.memory.memoryTypes[type].propertyFlags;
    if (((requirements.memoryTypeBits >> type) & 1) == 0 || (flags & wanted) != wanted) continue;
    auto info = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = requirements.size;
    info.memoryTypeIndex = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(vk.AllocateMemory(context.device, &info, nullptr, &memory), "vkAllocateMemory");
    defer([this, memory] { vk.FreeMemory(context.device, memory, nullptr); });
    return memory;
  }
  fail("the device has no memory of the kind that is needed");
}

Buffer Job::buffer(size_t size, VkBufferUsageFlags usage) {
  Buffer result;
  result.size = size;
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = std::max<size_t>(size, 16);
  info.usage = usage;
  check(vk.CreateBuffer(context.device, &info, nullptr, &result.buffer), "vkCreateBuffer");
  defer([this, buffer = result.buffer] { vk.DestroyBuffer(context.device, buffer, nullptr); });
  VkMemoryRequirements requirements;
  vk.GetBufferMemoryRequirements(context.device, result.buffer, &requirements);
  VkDeviceMemory memory =
      allocate(requirements, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  check(vk.BindBufferMemory(context.device, result.buffer, memory, 0), "vkBindBufferMemory");
  void* data = nullptr;
  check(vk.MapMemory(context.device, memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  result.data = static_cast<std::byte*>(data);
  std::fill_n(result.data, info.size, std::byte{0});
  return result;
}

Image Job::image(const VkImageCreateInfo& info, VkImageAspectFlags aspect) {
  Image result;
  result.format = info.format;
  result.aspect = aspect;
  check(vk.CreateImage(context.device, &info, nullptr, &result.image), "vkCreateImage");
  defer([this, image = result.image] { vk.DestroyImage(context.device, image, nullptr); });
  VkMemoryRequirements requirements;
  vk.GetImageMemoryRequirements(context.device, result.image, &requirements);
  VkDeviceMemory memory = allocate(requirements, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  check(vk.BindImageMemory(context.device, result.image, memory, 0), "vkBindImageMemory");
  auto barrier = structure<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = result.image;
  barrier.subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                        nullptr, 0, nullptr, 1, &barrier);
  return result;
}

VkImageView Job::view(const VkImageViewCreateInfo& info) {
  VkImageView view = VK_NULL_HANDLE;
  check(vk.CreateImageView(context.device, &info, nullptr, &view), "vkCreateImageView");
  defer([this, view] { vk.DestroyImageView(context.device, view, nullptr); });
  return view;
}

VkShaderModule Job::module(std::span<const uint32_t> words) {
  auto info = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check(vk.CreateShaderModule(context.device, &info, nullptr, &module), "vkCreateShaderModule");
  defer([this, module] { vk.DestroyShaderModule(context.device, module, nullptr); });
  return module;
}

void Job::barrier() {
  auto barrier = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  constexpr VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
  vk.CmdPipelineBarrier(commands, kAll, kAll, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Job::run() {
  barrier();
  check(vk.EndCommandBuffer(commands), "vkEndCommandBuffer");
  auto fence_info = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence fence = VK_NULL_HANDLE;
  check(vk.CreateFence(context.device, &fence_info, nullptr, &fence), "vkCreateFence");
  defer([this, fence] { vk.DestroyFence(context.device, fence, nullptr); });
  auto submit = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  check(vk.QueueSubmit(context.queue, 1, &submit, fence), "vkQueueSubmit");
  const VkResult result = vk.WaitForFences(context.device, 1, &fence, VK_TRUE, context.timeout);
  // Objects must not be destroyed while commands still run.
  if (result == VK_TIMEOUT) deferred_.clear();
  check(result, "vkWaitForFences");
}

}  // namespace texlate::sim::vulkan
