// Decodes the block-compressed formats BC1 to BC7 (Khronos Data Format Specification 1.3, chapters 18 to 20;
// D3D11.3 functional specification 19.5). A block has 4 x 4 texels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/texture_unit/format.h"

namespace texlate::sim {

struct BlockFormat {
  uint32_t bytes = 0;  // per block; 0: not block-compressed
  /// The format of decoded texels: one that holds every value, with the same components and the same meaning
  /// of their numbers.
  Format decoded = Format::unknown;
};
BlockFormat block_format(Format format);

/// Texels row by row, as words of Texture::write for the decoded format.
using BlockTexels = std::array<Word4, 16>;
BlockTexels decode_block(Format format, std::span<const std::byte> block);

// Used by decode_block().
BlockTexels decode_bc6h(const std::byte* block, bool is_signed);
/// Components of 0 to 255.
BlockTexels decode_bc7(const std::byte* block);

/// The bits of a block, from the lowest bit of its first byte on.
class BlockBits {
 public:
  explicit BlockBits(const std::byte* block);
  uint32_t take(uint32_t count);

 private:
  uint64_t low_, high_;
};

/// The subset of each texel: BC6H has the first 32 partitions into two subsets, BC7 64 into two and 64 into
/// three.
uint32_t subset_of(uint32_t subsets, uint32_t partition, uint32_t texel);
/// The texel of a subset whose index has one bit less.
uint32_t anchor_of(uint32_t subsets, uint32_t partition, uint32_t subset);
/// The weights of indices of 2, 3 or 4 bits, of 64.
uint32_t block_weight(uint32_t index_bits, uint32_t index);

}  // namespace texlate::sim
