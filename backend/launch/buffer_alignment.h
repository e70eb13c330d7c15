// How the addresses of raw and structured buffers are aligned (docs/launch_abi.md), and how many of their
// words one access can therefore take.
#pragma once

#include <algorithm>
#include <bit>

#include "ir/resource.h"

namespace texlate::launch {

/// In bytes. Direct3D's raw views start at multiples of 16 bytes of their buffer, structured ones at a
/// structure. A view thus keeps as much of an allocation's alignment as the greatest power of two in the
/// stride, at most 16.
constexpr uint32_t buffer_alignment(const ir::Resource& resource) {
  if (resource.dimension == ir::Dimension::raw_buffer || resource.stride == 0) return 16;
  return 1u << std::min(4, std::countr_zero(resource.stride));
}

/// How many of `count` words from the byte offset `at` on one store can write: 4, 2 or 1. The address that
/// `at` is added to is a multiple of `alignment` bytes.
constexpr uint32_t stored_words(uint32_t alignment, uint32_t at, uint32_t count) {
  for (const uint32_t words : {4u, 2u}) {
    if (count >= words && alignment >= 4 * words && at % (4 * words) == 0) return words;
  }
  return 1;
}

/// The same for a load. Bit i of `used` says whether word i is read; a half that is not read is left out. The
/// result is also 1 if the first word is not read: the caller then skips that word.
constexpr uint32_t loaded_words(uint32_t alignment, uint32_t at, uint32_t count, uint32_t used) {
  uint32_t words = stored_words(alignment, at, count);
  if (words == 4 && ((used & 0xc) == 0 || (used & 0x3) == 0)) words = 2;
  if (words == 2 && (used & 0x3) != 0x3) words = 1;
  return words;
}

}  // namespace texlate::launch
