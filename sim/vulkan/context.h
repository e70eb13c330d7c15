// The implementation of Device, and the objects that live as long as one job on it.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "sim/vulkan/device.h"
#include "sim/vulkan/loader.h"

namespace texlate::sim::vulkan {

/// Thrown only inside this library; Device's functions turn it into an error.
struct Failure {
  std::string message;
  bool is_missing_feature = false;  // the device lacks what the job needs
};

template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure{fmt::format(format, std::forward<Args>(args)...)};
}

template <typename... Args>
[[noreturn]] void fail_missing(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure{fmt::format(format, std::forward<Args>(args)...), true};
}

/// An empty Vulkan structure with its sType set.
template <typename T>
T structure(VkStructureType type) {
  T made{};
  made.sType = type;
  return made;
}

void check(VkResult result, const char* what);

/// The device and its properties.
struct Context {
  Functions vk;
  std::string name;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool commands = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory{};
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceFeatures features{};  // enabled
  VkPhysicalDeviceDescriptorIndexingFeaturesEXT indexing{};
  std::vector<std::string> extensions;  // enabled
  bool null_descriptor = false, custom_border = false, mirror_once = false, min_max = false,
       draw_parameters = false;
  bool preserves_specials = false, float_controls = false;
  bool demote = false, transform_feedback = false, geometry_streams = false, interlock = false,
       sample_interlock = false, depth_clip = false, bresenham_lines = false, subgroup_clock = false,
       float_atomics = false;
  uint64_t timeout = 0;  // nanoseconds

  bool has(std::string_view extension) const;
};

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::byte* data = nullptr;  // mapped
  size_t size = 0;
};

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};

/// One job. Its objects are destroyed in reverse order when it ends; its commands run at run().
class Job {
 public:
  explicit Job(const Context& context);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const Context& context;
  const Functions& vk;
  VkCommandBuffer commands = VK_NULL_HANDLE;

  /// Memory that stays visible to the host.
  Buffer buffer(size_t size, VkBufferUsageFlags usage);
  /// Device memory; the layout is GENERAL from here on.
  Image image(const VkImageCreateInfo& info, VkImageAspectFlags aspect);
  VkImageView view(const VkImageViewCreateInfo& info);
  VkShaderModule module(std::span<const uint32_t> words);
  /// Makes everything recorded before visible to everything recorded after.
  void barrier();
  /// Submits and waits.
  void run();
  /// `destroy` is called when the job ends.
  void defer(std::function<void()> destroy) { deferred_.push_back(std::move(destroy)); }

 private:
  VkDeviceMemory allocate(const VkMemoryRequirements& requirements, VkMemoryPropertyFlags wanted);
  std::vector<std::function<void()>> deferred_;
};

}  // namespace texlate::sim::vulkan
