// How the addresses of raw and structured buffers are aligned (docs/launch_abi.md).
#pragma once

#include <algorithm>
#include <bit>

#include "ir/resource.h"

namespace texlate::launch {

/// In bytes. Direct3D's raw views start at multiples of 16 bytes of their buffer, structured ones at a
/// structure, so that the greatest power of two in the stride, of at most 16, is what a view keeps of an
/// allocation's alignment.
constexpr uint32_t buffer_alignment(const ir::Resource& resource) {
  if (resource.dimension == ir::Dimension::raw_buffer || resource.stride == 0) return 16;
  return 1u << std::min(4, std::countr_zero(resource.stride));
}

}  // namespace texlate::launch
