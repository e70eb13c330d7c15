// Runs hull, domain and geometry shaders on a Vulkan device.
#pragma once

#include "tools/executor/shader.h"

namespace texlate::executor {

/// What the device does not show stays unassigned: control points and constants of culled patches.
bool run_vulkan_primitives(sim::vulkan::Device& device, const ir::Module& module, const VulkanShader& shader,
                           const sim::Scene& scene, RouteResult& result, Diagnostics& diagnostics);

}  // namespace texlate::executor
