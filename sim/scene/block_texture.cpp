#include "sim/scene/block_texture.h"

#include <bit>
#include <cstring>

#include "sim/scene/texture_source.h"

namespace texlate::sim {

namespace {

uint32_t blocks_of(uint32_t texels) {
  return (texels + 3) / 4;
}

/// Calls visit(mip, slice, z, column, row) for each block in the order of the bytes.
template <typename F>
void for_each_block(const Texture& texture, F visit) {
  const TextureDesc& desc = texture.desc();
  for (uint32_t slice = 0; slice < desc.array_size; ++slice) {
    for (uint32_t mip = 0; mip < desc.mips; ++mip) {
      const Extent size = texture.mip_size(mip);
      for (uint32_t z = 0; z < size.depth; ++z)
        for (uint32_t row = 0; row < blocks_of(size.height); ++row)
          for (uint32_t column = 0; column < blocks_of(size.width); ++column)
            visit(mip, slice, z, column, row);
    }
  }
}

/// BC7 has fractions of 255 where Texture::write takes floats.
Word4 word_of(Format decoded, Word4 texel) {
  const bool is_bytes = decoded == Format::r8g8b8a8_unorm || decoded == Format::r8g8b8a8_unorm_srgb;
  if (!is_bytes) return texel;
  for (uint32_t& component : texel)
    component = std::bit_cast<uint32_t>(static_cast<float>(component) / 255.0f);
  return texel;
}

}  // namespace

bool may_have_blocks(const ir::Resource& resource) {
  switch (resource.dimension) {
    case ir::Dimension::texture2d:
    case ir::Dimension::texture2d_array:
    case ir::Dimension::texture3d:
    case ir::Dimension::texture_cube:
    case ir::Dimension::texture_cube_array: return !resource.is_uav;
    default: return false;
  }
}

std::vector<std::byte> generated_blocks(const Texture& texture, Format format, uint32_t seed) {
  size_t count = 0;
  for_each_block(texture, [&](uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) { ++count; });
  std::vector<std::byte> blocks(count * block_format(format).bytes);
  for (size_t at = 0; at < blocks.size(); at += 4) {
    // Numbers up to 15 from buffer_word(), so eight of them make a word.
    uint32_t word = 0;
    for (uint32_t i = 0; i < 8; ++i) word = word << 4 | buffer_word(at * 2 + i, seed, true);
    std::memcpy(blocks.data() + at, &word, 4);
  }
  return blocks;
}

void fill_from_blocks(Texture& texture, Format format, std::span<const std::byte> blocks) {
  const BlockFormat info = block_format(format);
  size_t at = 0;
  for_each_block(texture, [&](uint32_t mip, uint32_t slice, uint32_t z, uint32_t column, uint32_t row) {
    const BlockTexels texels = decode_block(format, blocks.subspan(at, info.bytes));
    at += info.bytes;
    const Extent size = texture.mip_size(mip);
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t x = column * 4 + i % 4, y = row * 4 + i / 4;
      if (x >= size.width || y >= size.height) continue;
      if (info.decoded == Format::r8g8b8a8_unorm_srgb) {  // the bytes are what is stored
        for (size_t c = 0; c < 4; ++c)
          texture.texel(mip, slice, x, y, z)[c] = static_cast<std::byte>(texels[i][c]);
      } else {
        texture.write(mip, slice, x, y, z, word_of(info.decoded, texels[i]));
      }
    }
  });
}

}  // namespace texlate::sim
