#include "sim/texture_unit/fetch.h"

namespace texlate::sim {

namespace {

struct Location {
  std::array<uint32_t, 3> texel{};
  uint32_t slice = 0;
};

// Steps 4 and 5 of the rule: coordinates wrap modulo 2^32 and are then compared unsigned. The offset does not
// apply to the slice.
bool locate(const TextureView& view, const Word4& address, const TexelOffset& offset, uint32_t mip,
            Location& at, Access& access) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const Extent size = view.size(mip);
  for (int axis = 0; axis < info.axes; ++axis) {
    if (offset[axis] < -8 || offset[axis] > 7) access.flag(Undefined::offset_range);
    at.texel[axis] = address[axis] + static_cast<uint32_t>(offset[axis]);
    if (at.texel[axis] >= size[axis]) return false;
  }
  if (info.slice >= 0) {
    at.slice = address[info.slice];
    if (at.slice >= view.slice_count) return false;
  }
  return true;
}

}  // namespace

Word4 ld(const TextureView& view, const Word4& address, const TexelOffset& offset, Access& access) {
  if (!view.bound()) return kUnbound;
  const DimensionInfo& info = dimension_info(view.dimension);
  if (info.cube || info.multisampled) {
    access.flag(Undefined::wrong_dimension);
    return kUnbound;
  }
  const uint32_t mip = address[3];
  Location at;
  if (mip >= view.mip_count || mip < view.first_accessible_mip() ||
      !locate(view, address, offset, mip, at, access)) {
    return out_of_bounds_value(view.format);
  }
  return load_texel(view, mip, at.slice, at.texel[0], at.texel[1], at.texel[2], 0, access);
}

Word4 ld2dms(const TextureView& view, const Word4& address, uint32_t sample, const TexelOffset& offset,
             Access& access) {
  if (!view.bound()) return kUnbound;
  if (!dimension_info(view.dimension).multisampled) {
    access.flag(Undefined::wrong_dimension);
    return kUnbound;
  }
  Location at;
  if (!locate(view, address, offset, 0, at, access)) return out_of_bounds_value(view.format);
  // Undefined, but never memory of another resource (docs/reference/direct3d.md 1.3). Here it reads the same
  // as other addresses out of range.
  if (sample >= view.texture->desc().samples) {
    access.flag(Undefined::sample_index);
    return out_of_bounds_value(view.format);
  }
  return load_texel(view, 0, at.slice, at.texel[0], at.texel[1], 0, sample, access);
}

}  // namespace texlate::sim
