// A Vulkan device that has every feature that it can have, for compiling pipelines.
#pragma once

#include <vulkan/vulkan_core.h>

#include <stdexcept>
#include <string>

namespace texlate::bench {

/// Throws with the name of the call.
inline void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(call) + ": VkResult " + std::to_string(result));
}

/// The first device of the first driver (VK_ICD_FILENAMES chooses it). Throws if there is none, or if it does
/// not tell statistics of pipelines.
VkDevice open_device();

}  // namespace texlate::bench
