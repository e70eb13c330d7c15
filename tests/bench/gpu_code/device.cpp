#include "tests/bench/gpu_code/device.h"

#include <array>
#include <cstring>
#include <vector>

namespace texlate::bench {

namespace {

// What modules may use beyond Vulkan 1.3's features.
constexpr std::array kExtensions = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                                    VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
                                    VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME,
                                    VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
                                    VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                                    VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME,
                                    VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME,
                                    VK_KHR_SHADER_CLOCK_EXTENSION_NAME};

VkPhysicalDevice find_device() {
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  VkInstance instance = nullptr;
  check(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
  uint32_t count = 1;
  VkPhysicalDevice device = nullptr;
  vkEnumeratePhysicalDevices(instance, &count, &device);
  if (count == 0) throw std::runtime_error("there is no Vulkan device");
  return device;
}

std::vector<const char*> extensions_of(VkPhysicalDevice device) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
  std::vector<const char*> found;
  for (const char* const name : kExtensions) {
    for (const VkExtensionProperties& each : all) {
      if (std::strcmp(each.extensionName, name) == 0) found.push_back(name);
    }
  }
  return found;
}

template <typename Structure>
Structure structure(VkStructureType type, void* next) {
  Structure result = {};
  result.sType = type;
  result.pNext = next;
  return result;
}

}  // namespace

VkDevice open_device() {
  const VkPhysicalDevice physical = find_device();
  auto robustness = structure<VkPhysicalDeviceRobustness2FeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, nullptr);
  auto executables = structure<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, &robustness);
  auto of13 = structure<VkPhysicalDeviceVulkan13Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &executables);
  auto of12 = structure<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &of13);
  auto of11 = structure<VkPhysicalDeviceVulkan11Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &of12);
  auto features = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &of11);
  vkGetPhysicalDeviceFeatures2(physical, &features);
  if (executables.pipelineExecutableInfo == VK_FALSE)
    throw std::runtime_error("the driver does not tell statistics of pipelines");
  const std::vector<const char*> extensions = extensions_of(physical);
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkDevice device = nullptr;
  check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  return device;
}

}  // namespace texlate::bench
