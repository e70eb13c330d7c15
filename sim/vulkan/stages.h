// Shader stages of our own around the one that is tested, written as SPIR-V words.
#pragma once

#include "sim/vulkan/module_interface.h"

namespace texlate::sim::vulkan {

/// Vertex shader that copies records of a storage buffer (descriptor `set`, binding 0): record 3 * instance +
/// vertex is position.xyzw, then the components of each of the `inputs` of the pixel shader in order.
std::vector<uint32_t> make_vertex_stage(std::span<const InterfaceVariable> inputs, uint32_t set);

/// Pixel shader that fills one sample after the other from a storage buffer (set 0, binding 0): words 0 and 1
/// are width and samples, from word 4 on four words a sample of `kind`.
std::vector<uint32_t> make_sample_stage(ScalarKind kind);

}  // namespace texlate::sim::vulkan
