// DXGI formats as Vulkan formats.
#pragma once

#include "sim/texture_unit/format.h"
#include "sim/vulkan/loader.h"

namespace texlate::sim::vulkan {

struct FormatMapping {
  VkFormat color = VK_FORMAT_UNDEFINED;
  VkFormat depth = VK_FORMAT_UNDEFINED;  // the same bits, for comparison
  VkComponentMapping swizzle{};          // identity if the components are in order
};

/// Both are undefined if Vulkan has no format with these bits.
FormatMapping vulkan_format(Format format);

}  // namespace texlate::sim::vulkan
