// resinfo, bufinfo, sampleinfo, samplepos (docs/reference/direct3d.md 1.1, 1.3, 1.4).
#pragma once

#include "sim/texture_unit/buffer.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim {

enum class ResinfoType : uint8_t { float_, uint, rcp_float };

/// `resinfo` on a t# texture, or on a u# (`unordered`: mip count 1). For a mip that does not exist the sizes
/// are 0, but the mip count is still returned. Everything is 0 for an unbound slot. The reciprocal of a size
/// of 0 is INF in both cases.
Word4 resinfo(const TextureView& view, uint32_t mip, ResinfoType type, bool unordered = false);

/// `bufinfo`: elements, structures or bytes, the same number in every component.
Word4 bufinfo(const BufferView& view);

/// `sampleinfo`: (count, 0, 0, 0), as float bits or integers.
Word4 sampleinfo(const TextureView& view, bool as_uint);
Word4 sampleinfo(uint32_t samples, bool as_uint);  // of the rasterizer

/// `samplepos`: (x, y, 0, 0) relative to the pixel's center, for the standard patterns; 0 for an index out of
/// range.
Word4 samplepos(uint32_t samples, uint32_t index);

}  // namespace texlate::sim
