#include "sim/vulkan/loader.h"

#include "ir/base/platform/dynamic_library.h"

namespace texlate::sim::vulkan {

PFN_vkGetInstanceProcAddr load_vulkan(std::string& why) {
  static void* const library = platform::open_library(platform::kVulkanLibrary);
  if (library == nullptr) {
    why = std::string("no Vulkan loader: ") + platform::kVulkanLibrary + " is not installed";
    return nullptr;
  }
  auto* const get =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(platform::find_symbol(library, "vkGetInstanceProcAddr"));
  if (get == nullptr) why = std::string(platform::kVulkanLibrary) + " has no vkGetInstanceProcAddr";
  return get;
}

bool load_global(PFN_vkGetInstanceProcAddr get, Functions& functions) {
  bool all = true;
#define TEXLATE_LOAD(name) \
  all &= (functions.name = reinterpret_cast<PFN_vk##name>(get(nullptr, "vk" #name))) != nullptr;
  TEXLATE_VULKAN_GLOBAL(TEXLATE_LOAD)
#undef TEXLATE_LOAD
  return all;
}

bool load_instance(PFN_vkGetInstanceProcAddr get, VkInstance instance, Functions& functions) {
  bool all = true;
#define TEXLATE_LOAD(name) \
  all &= (functions.name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name))) != nullptr;
  TEXLATE_VULKAN_INSTANCE(TEXLATE_LOAD)
#undef TEXLATE_LOAD
  return all;
}

bool load_device(VkDevice device, Functions& functions) {
  bool all = true;
#define TEXLATE_LOAD(name) \
  all &= (functions.name = \
              reinterpret_cast<PFN_vk##name>(functions.GetDeviceProcAddr(device, "vk" #name))) != nullptr;
  TEXLATE_VULKAN_DEVICE(TEXLATE_LOAD)
#undef TEXLATE_LOAD
#define TEXLATE_LOAD(name) \
  functions.name = reinterpret_cast<PFN_vk##name>(functions.GetDeviceProcAddr(device, "vk" #name));
  TEXLATE_VULKAN_TRANSFORM_FEEDBACK(TEXLATE_LOAD)
#undef TEXLATE_LOAD
  return all;
}

}  // namespace texlate::sim::vulkan
