// Direct3D's state of rasterizer and output merger as Vulkan's.
#pragma once

#include "sim/vulkan/draw_job.h"
#include "sim/vulkan/graphics.h"

namespace texlate::sim::vulkan {

/// Throws Failure if the device lacks a feature that the state needs.
FixedFunctions fixed_functions_of(const Context& context, const DrawJob& draw);

/// VK_FORMAT_UNDEFINED without a depth buffer.
VkFormat vulkan_format(DepthFormat format);
bool has_stencil(DepthFormat format);

}  // namespace texlate::sim::vulkan
