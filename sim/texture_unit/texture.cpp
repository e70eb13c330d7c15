#include "sim/texture_unit/texture.h"

#include <algorithm>
#include <bit>

#include "ir/base/diagnostics.h"
#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim {

namespace {

constexpr DimensionInfo kDimensions[] = {
    {"texture1d", 1, -1},
    {"texture1darray", 1, 1},
    {"texture2d", 2, -1},
    {"texture2darray", 2, 2},
    {"texture2dms", 2, -1, false, true},
    {"texture2dmsarray", 2, 2, false, true},
    {"texture3d", 3, -1},
    {"texturecube", 2, -1, true},
    {"texturecubearray", 2, 3, true},
};

// D3D11_REQ_*: limits of texture sizes and of the array size. The executors reject what Direct3D rejects.
constexpr uint32_t kMaxSize2d = 16384;
constexpr uint32_t kMaxSize3d = 2048;
constexpr uint32_t kMaxArray = 2048;
constexpr size_t kMaxBytes = size_t{1} << 31;

bool check_sizes(const TextureDesc& desc, Diagnostics& diagnostics) {
  const DimensionInfo& info = dimension_info(desc.dimension);
  const uint32_t limit = !desc.limited ? UINT32_MAX : info.axes == 3 ? kMaxSize3d : kMaxSize2d;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t size = desc.size[axis];
    if (size == 0 || size > (axis < info.axes ? limit : 1)) {
      diagnostics.error({}, "{} of size {}x{}x{} is not possible", info.name, desc.size.width,
                        desc.size.height, desc.size.depth);
      return false;
    }
  }
  if (info.cube && desc.size.width != desc.size.height) {
    diagnostics.error({}, "the faces of a {} must be square", info.name);
    return false;
  }
  return true;
}

bool check_counts(const TextureDesc& desc, uint32_t full_chain, Diagnostics& diagnostics) {
  const DimensionInfo& info = dimension_info(desc.dimension);
  if (desc.mips > full_chain || (info.multisampled && desc.mips != 1)) {
    diagnostics.error({}, "a {} of this size cannot have {} mips", info.name, desc.mips);
    return false;
  }
  const bool single = info.slice < 0 && !info.cube;
  const bool bad_cube = info.cube && (desc.array_size % 6 != 0 || (info.slice < 0 && desc.array_size != 6));
  if (desc.array_size == 0 || (desc.limited && desc.array_size > kMaxArray) ||
      (single && desc.array_size != 1) || bad_cube) {
    diagnostics.error({}, "a {} cannot have {} slices", info.name, desc.array_size);
    return false;
  }
  if (desc.samples == 0 || desc.samples > 32 || (!info.multisampled && desc.samples != 1)) {
    diagnostics.error({}, "a {} cannot have {} samples", info.name, desc.samples);
    return false;
  }
  return true;
}

}  // namespace

const DimensionInfo& dimension_info(Dimension dimension) {
  return kDimensions[static_cast<size_t>(dimension)];
}

std::optional<Texture> Texture::create(TextureDesc desc, Diagnostics& diagnostics) {
  const FormatInfo& format = format_info(desc.format);
  if (format.layout.block_compressed) {
    diagnostics.error({}, "block-compressed format {} is not supported by the texture unit", format.name);
    return std::nullopt;
  }
  if (format.bytes == 0) {
    diagnostics.error({}, "a texture needs a format");
    return std::nullopt;
  }
  if (!check_sizes(desc, diagnostics)) return std::nullopt;
  const uint32_t largest = std::max({desc.size.width, desc.size.height, desc.size.depth});
  const bool multisampled = dimension_info(desc.dimension).multisampled;
  const auto full_chain = static_cast<uint32_t>(std::bit_width(largest));
  if (desc.mips == 0) desc.mips = multisampled ? 1 : full_chain;
  if (!check_counts(desc, full_chain, diagnostics)) return std::nullopt;

  Texture texture;
  texture.desc_ = desc;
  texture.texel_bytes_ = format.bytes;
  for (uint32_t mip = 0; mip < desc.mips; ++mip) {
    const Extent size{std::max(desc.size.width >> mip, 1u), std::max(desc.size.height >> mip, 1u),
                      std::max(desc.size.depth >> mip, 1u)};
    texture.subresources_.push_back({size, texture.slice_bytes_});
    texture.slice_bytes_ +=
        static_cast<size_t>(size.width) * size.height * size.depth * desc.samples * format.bytes;
  }
  const size_t bytes = texture.slice_bytes_ * desc.array_size;
  if (bytes > kMaxBytes) {
    diagnostics.error({}, "a texture of {} bytes is too large", bytes);
    return std::nullopt;
  }
  texture.memory_.resize(bytes);
  return texture;
}

std::span<std::byte> Texture::subresource(uint32_t mip, uint32_t slice) {
  const size_t end = mip + 1 < subresources_.size() ? subresources_[mip + 1].offset : slice_bytes_;
  return {texel(mip, slice, 0, 0, 0), end - subresources_[mip].offset};
}

void Texture::write(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z, const Word4& value,
                    uint32_t sample) {
  encode_texel(format_info(desc_.format), value, texel(mip, slice, x, y, z, sample));
}

Word4 Texture::read(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z, uint32_t sample) const {
  return decode_texel(format_info(desc_.format), texel(mip, slice, x, y, z, sample));
}

void Texture::unmap(uint32_t mip, uint32_t slice, Extent first, Extent size) {
  unmapped_.push_back({mip, slice, first, size});
}

bool Texture::in_unmapped(uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z) const {
  return std::any_of(unmapped_.begin(), unmapped_.end(), [=](const UnmappedBox& box) {
    return box.mip == mip && box.slice == slice && x - box.first.width < box.size.width &&
           y - box.first.height < box.size.height && z - box.first.depth < box.size.depth;
  });
}

TextureView TextureView::whole(Texture& texture) {
  TextureView view;
  view.texture = &texture;
  view.dimension = texture.desc().dimension;
  view.format = texture.desc().format;
  view.mip_count = texture.desc().mips;
  view.slice_count =
      view.dimension == Dimension::texture3d ? texture.desc().size.depth : texture.desc().array_size;
  return view;
}

bool check_view(const TextureView& view, Diagnostics& diagnostics) {
  if (!view.bound()) return true;
  const TextureDesc& desc = view.texture->desc();
  const DimensionInfo& info = dimension_info(view.dimension);
  const DimensionInfo& resource = dimension_info(desc.dimension);
  const uint32_t before = diagnostics.error_count();
  if (info.axes != resource.axes || info.multisampled != resource.multisampled) {
    diagnostics.error({}, "a {} cannot be viewed as {}", resource.name, info.name);
  }
  if (format_info(view.format).bytes != format_info(desc.format).bytes) {
    diagnostics.error({}, "a {} texture cannot be viewed as {}", format_info(desc.format).name,
                      format_info(view.format).name);
  }
  if (view.mip_count == 0 || view.first_mip >= desc.mips || view.mip_count > desc.mips - view.first_mip) {
    diagnostics.error({}, "view mips {}..{} of a texture with {}", view.first_mip,
                      uint64_t{view.first_mip} + view.mip_count, desc.mips);
  } else {
    const uint32_t slices = info.axes == 3 ? view.size(0).depth : desc.array_size;
    if (view.slice_count == 0 || view.first_slice >= slices || view.slice_count > slices - view.first_slice) {
      diagnostics.error({}, "view slices {}..{} of a texture with {}", view.first_slice,
                        uint64_t{view.first_slice} + view.slice_count, slices);
    }
  }
  if (info.cube && (view.slice_count % 6 != 0 || (info.slice < 0 && view.slice_count != 6))) {
    diagnostics.error({}, "a {} view cannot have {} slices", info.name, view.slice_count);
  }
  return diagnostics.error_count() == before;
}

Word4 load_texel(const TextureView& view, uint32_t mip, uint32_t slice, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t sample, Access& access) {
  const uint32_t real_mip = view.first_mip + mip;
  const uint32_t real_slice = view.dimension == Dimension::texture3d ? 0 : view.first_slice + slice;
  if (!view.texture->is_mapped(real_mip, real_slice, x, y, z)) {
    access.mapped = false;
    return out_of_bounds_value(view.format);
  }
  const Word4 value =
      decode_texel(format_info(view.format), view.texture->texel(real_mip, real_slice, x, y, z, sample));
  if (access.texels != nullptr) access.texels->push_back({mip, slice, x, y, z, sample, value});
  return value;
}

}  // namespace texlate::sim
