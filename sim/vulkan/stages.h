// Our own shader stages that run before and after the tested one, written as SPIR-V words.
#pragma once

#include "sim/vulkan/module_interface.h"

namespace texlate::sim::vulkan {

/// A vertex shader that copies records of a storage buffer (descriptor `set`, binding 0). Record 3 * instance
/// + vertex is position.xyzw, then the components of each of the pixel shader's `inputs` in order.
std::vector<uint32_t> make_vertex_stage(std::span<const InterfaceVariable> inputs, uint32_t set);

/// A pixel shader that fills one sample after the other from a storage buffer (set 0, binding 0). Words 0 and
/// 1 are the width and the number of samples; from word 4 on, each sample has four words of `kind`.
std::vector<uint32_t> make_sample_stage(ScalarKind kind);

}  // namespace texlate::sim::vulkan
