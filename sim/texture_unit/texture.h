// Textures and their views. All bounds in Direct3D are the bounds of the view (functional specification 5.2,
// 22.4.14).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/texture_unit/access.h"
#include "sim/texture_unit/format.h"

namespace texlate {
class Diagnostics;
}

namespace texlate::sim {

enum class Dimension : uint8_t {
  texture1d,
  texture1d_array,
  texture2d,
  texture2d_array,
  texture2dms,
  texture2dms_array,
  texture3d,
  texture_cube,
  texture_cube_array,
};

struct DimensionInfo {
  std::string_view name;
  uint8_t axes;  // texel axes: 1, 2 or 3 (cubes: 2, inside a face)
  int8_t slice;  // the address component that is the array slice; -1: not an array
  bool cube = false;
  bool multisampled = false;
};
const DimensionInfo& dimension_info(Dimension dimension);

struct Extent {
  uint32_t width = 0, height = 0, depth = 0;
  uint32_t operator[](int axis) const { return axis == 0 ? width : axis == 1 ? height : depth; }
};

struct TextureDesc {
  Dimension dimension = Dimension::texture2d;
  Format format = Format::unknown;
  Extent size{1, 1, 1};
  uint32_t mips = 1;        // 0: the full chain
  uint32_t array_size = 1;  // 2D layers: a cube has 6, an array of n cubes has 6n
  uint32_t samples = 1;
  /// Direct3D 11's limits of sizes and slices apply. False for an executor's copy of another kind of
  /// resource: a buffer, or samples as slices.
  bool limited = true;
};

/// A resource with its memory: texels are tightly packed, x fastest, samples of a texel are adjacent.
class Texture {
 public:
  /// Checks the description (sizes against Direct3D 11's limits, format, mips) and allocates zeroed memory.
  static std::optional<Texture> create(TextureDesc desc, Diagnostics& diagnostics);

  const TextureDesc& desc() const { return desc_; }
  Extent mip_size(uint32_t mip) const { return subresources_[mip].size; }

  /// The texel's address. Every argument must be in range (z is the depth slice of a 3D texture, otherwise
  /// 0).
  std::byte* texel(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z, uint32_t sample = 0) {
    return memory_.data() + texel_offset(mip, slice, x, y, z, sample);
  }
  const std::byte* texel(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z,
                         uint32_t sample = 0) const {
    return memory_.data() + texel_offset(mip, slice, x, y, z, sample);
  }
  std::span<std::byte> subresource(uint32_t mip, uint32_t slice);
  std::span<std::byte> memory() { return memory_; }
  std::span<const std::byte> memory() const { return memory_; }

  /// Encodes or decodes with the resource's own format.
  void write(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z, const Word4& value,
             uint32_t sample = 0);
  Word4 read(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z, uint32_t sample = 0) const;

  /// Unmaps a box of texels, like a tile of a tiled resource.
  void unmap(uint32_t mip, uint32_t slice, Extent first, Extent size);
  bool is_mapped(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z) const {
    return unmapped_.empty() || !in_unmapped(mip, slice, x, y, z);
  }

 private:
  struct Subresource {
    Extent size;
    size_t offset;  // from the start of the slice
  };
  struct UnmappedBox {
    uint32_t mip, slice;
    Extent first, size;
  };
  size_t texel_offset(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z,
                      uint32_t sample) const {
    const Subresource& sub = subresources_[mip];
    const size_t index =
        ((static_cast<size_t>(z) * sub.size.height + y) * sub.size.width + x) * desc_.samples + sample;
    return slice * slice_bytes_ + sub.offset + index * texel_bytes_;
  }
  bool in_unmapped(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z) const;

  TextureDesc desc_;
  uint32_t texel_bytes_ = 0;
  size_t slice_bytes_ = 0;
  std::vector<Subresource> subresources_;  // by mip
  std::vector<std::byte> memory_;
  std::vector<UnmappedBox> unmapped_;
};

/// What is bound to a t# or a typed u# texture slot. A default-constructed view is an empty slot.
struct TextureView {
  Texture* texture = nullptr;
  Dimension dimension =
      Dimension::texture2d;  // may differ from the resource's: one resource can have 2D array and cube views
  Format format = Format::unknown;
  uint32_t first_mip = 0;
  uint32_t mip_count = 1;
  uint32_t first_slice = 0;  // 2D layers; for an unordered access view of a 3D texture: W slices
  uint32_t slice_count = 1;
  float min_lod_clamp = 0;  // ID3D11DeviceContext::SetResourceMinLOD: in mips of the *resource*

  /// All mips and slices, in the resource's own format and dimension.
  static TextureView whole(Texture& texture);

  bool bound() const { return texture != nullptr; }
  /// Size of a mip of the view; `mip` must exist.
  Extent size(uint32_t mip) const { return texture->mip_size(first_mip + mip); }
  /// Size as an unordered access view: that of mip 0, of which a view of a 3D texture shows some W slices.
  Extent unordered_size() const {
    Extent extent = size(0);
    if (dimension == Dimension::texture3d) extent.depth = slice_count;
    return extent;
  }
  /// Number of elements along the array axis: slices, or cubes.
  uint32_t array_size() const {
    return dimension == Dimension::texture_cube_array ? slice_count / 6 : slice_count;
  }
  /// The per-resource clamp in mips of the view; 0 or less has no effect.
  float view_lod_clamp() const { return min_lod_clamp - static_cast<float>(first_mip); }
  /// The first mip of the view that the per-resource clamp leaves accessible: the clamp's floor, but none for
  /// a clamp past the least detailed mip (D3D11.3 5.8.5).
  uint32_t first_accessible_mip() const {
    const float clamp = view_lod_clamp();
    if (clamp > static_cast<float>(mip_count - 1)) return 0xffffffffu;
    return clamp < 1.0f ? 0u : clamp >= 4294967040.0f ? 0xffffffffu : static_cast<uint32_t>(clamp);
  }
};

/// Checks a view against its resource: ranges, texel size of the format, dimension. Reports each error.
bool check_view(const TextureView& view, Diagnostics& diagnostics);

/// Decodes one texel of the view. Mip, slice and coordinates must be in range. Unmapped texels give the
/// out-of-bounds value.
Word4 load_texel(const TextureView& view, uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t sample, Access& access);

}  // namespace texlate::sim
