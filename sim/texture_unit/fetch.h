// ld and ld2dms (docs/reference/direct3d.md 1.3, "precise reference rule for ld").
#pragma once

#include <array>

#include "sim/texture_unit/texture.h"

namespace texlate::sim {

/// The immediate texel offset of an instruction (`_aoffimmi(u,v,w)`), -8..7 each; gather4_po: -32..31.
using TexelOffset = std::array<int, 3>;

/// `ld` on a texture. `address` is the operand after its swizzle, unsigned: mip in w, slice in y (1D arrays)
/// or z (2D arrays). The result is the whole 4-vector before the resource operand's swizzle.
Word4 ld(const TextureView& view, const Word4& address, const TexelOffset& offset, Access& access);

/// `ld2dms`: x, y, and the slice in z for arrays; w is ignored.
Word4 ld2dms(const TextureView& view, const Word4& address, uint32_t sample, const TexelOffset& offset,
             Access& access);

}  // namespace texlate::sim
