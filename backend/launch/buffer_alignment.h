// How the addresses of raw and structured buffers are aligned (docs/launch_abi.md), and which of their words
// one access takes therefore.
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

/// How many of `count` words from the byte `at` on one store takes: 4, 2 or 1. `alignment`: bytes that the
/// address which `at` is added to is a multiple of.
constexpr uint32_t stored_words(uint32_t alignment, uint32_t at, uint32_t count) {
  for (const uint32_t words : {4u, 2u}) {
    if (count >= words && alignment >= 4 * words && at % (4 * words) == 0) return words;
  }
  return 1;
}

/// The same of one load of the words of which bits 0 to `count` - 1 of `used` say whether somebody reads
/// them: a half that nobody reads is left out. Without the first word nothing may be left to load.
constexpr uint32_t loaded_words(uint32_t alignment, uint32_t at, uint32_t count, uint32_t used) {
  uint32_t words = stored_words(alignment, at, count);
  if (words == 4 && ((used & 0xc) == 0 || (used & 0x3) == 0)) words = 2;
  if (words == 2 && (used & 0x3) != 0x3) words = 1;
  return words;
}

}  // namespace texlate::launch
