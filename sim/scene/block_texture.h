// Textures of block-compressed formats: a scene has their blocks, the texture their decoded texels.
#pragma once

#include <vector>

#include "ir/resource.h"
#include "sim/scene/blocks/block_decode.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim {

/// Direct3D 11 has them for textures with two or three axes, but not for unordered access or multisampling.
bool may_have_blocks(const ir::Resource& resource);

/// Hashed bytes, as many as the texture's blocks have.
std::vector<std::byte> generated_blocks(const Texture& texture, Format format, uint32_t seed);
/// Decodes all blocks: slice by slice, within a slice mip by mip, within a mip depth slice by depth slice,
/// and there row by row. A mip whose size is no multiple of 4 has blocks of which only some texels exist.
void fill_from_blocks(Texture& texture, Format format, std::span<const std::byte> blocks);

}  // namespace texlate::sim
