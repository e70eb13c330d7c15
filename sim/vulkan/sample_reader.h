// Reads the samples of a multisampled image, which no copy does.
#pragma once

#include "sim/vulkan/context.h"

namespace texlate::sim::vulkan {

/// Records a dispatch that reads component 0 of each sample of one aspect of a 2D image (VkImageUsage:
/// sampled, layout GENERAL). Word (y * width + x) * samples + s of the result: float bits of color and
/// depth, integers of stencil.
Buffer read_samples(Job& job, const Image& image, VkImageAspectFlags aspect, uint32_t width, uint32_t height,
                    uint32_t samples);

}  // namespace texlate::sim::vulkan
