#include "tools/executor/cuda_texture.h"

#include <algorithm>

namespace texlate::executor::cuda {

namespace {

struct FormatRow {
  sim::Kind kind;
  uint8_t bits;
  ArrayFormat array;
  uint32_t view;  // CUresourceViewFormat with one channel; the formats with two and four follow it
  bool integer;   // 8 and 16 bits become fractions unless they are read as integers
};
constexpr FormatRow kFormats[] = {
    {sim::Kind::unorm, 8, kUnsigned8, 0x01, false},   {sim::Kind::uint, 8, kUnsigned8, 0x01, true},
    {sim::Kind::snorm, 8, kSigned8, 0x04, false},     {sim::Kind::sint, 8, kSigned8, 0x04, true},
    {sim::Kind::unorm, 16, kUnsigned16, 0x07, false}, {sim::Kind::uint, 16, kUnsigned16, 0x07, true},
    {sim::Kind::snorm, 16, kSigned16, 0x0a, false},   {sim::Kind::sint, 16, kSigned16, 0x0a, true},
    {sim::Kind::uint, 32, kUnsigned32, 0x0d, true},   {sim::Kind::sint, 32, kSigned32, 0x10, true},
    {sim::Kind::float_, 16, kHalf, 0x13, false},      {sim::Kind::float_, 32, kFloat, 0x16, false},
};

bool is_array(const sim::TextureView& view) {
  return sim::dimension_info(view.dimension).slice >= 0;
}

uint32_t address_of(sim::AddressMode mode) {
  switch (mode) {
    case sim::AddressMode::wrap: return kWrap;
    case sim::AddressMode::mirror: return kMirror;
    case sim::AddressMode::clamp: return kClamp;
    case sim::AddressMode::border: return kBorder;
    case sim::AddressMode::mirror_once: break;  // refused before (beyond_texture_objects)
  }
  return kClamp;
}

uint32_t filter_of(sim::Filter filter) {
  return filter == sim::Filter::linear ? kLinear : kPoint;
}

}  // namespace

std::optional<Format> format_of(sim::Format format) {
  const sim::FormatInfo& info = sim::format_info(format);
  uint32_t channels = 0, bits = 0;
  for (const sim::ComponentLayout& component : info.layout.component) {
    if (component.kind == sim::Kind::none) continue;
    if (channels == 0) bits = component.bits;
    if (component.bits != bits || component.offset != channels * bits) return std::nullopt;
    ++channels;
  }
  if (channels == 3 && info.bytes * 8u == 4 * bits) channels = 4;  // kernels replace what the format lacks
  if ((channels != 1 && channels != 2 && channels != 4) || !info.has(0) || info.bytes * 8u != channels * bits)
    return std::nullopt;
  for (const FormatRow& row : kFormats) {
    if (row.kind != info.kind || row.bits != bits) continue;
    return Format{row.array, channels, row.view + (channels == 4 ? 2 : channels - 1),
                  (row.integer ? uint32_t{kReadAsInteger} : 0) | (info.layout.srgb ? uint32_t{kSrgb} : 0)};
  }
  return std::nullopt;
}

ArrayDescriptor array_of(const sim::TextureView& view, const Format& format, bool surface) {
  const sim::TextureDesc& desc = view.texture->desc();
  const sim::DimensionInfo& info = sim::dimension_info(view.dimension);
  ArrayDescriptor array{desc.size.width, desc.size.height, 0, format.array, format.channels, 0};
  if (info.axes == 3) array.depth = desc.size.depth;
  if (is_array(view)) array.flags |= kLayered;
  if (info.cube) array.flags |= kCubemap;
  if (info.cube || is_array(view)) array.depth = desc.array_size;
  if (surface) array.flags |= kSurface;
  // Gathers and the flag are only for 2D textures without layers.
  if (!surface && view.dimension == sim::Dimension::texture2d) array.flags |= kGather;
  return array;
}

std::optional<ViewDescriptor> view_of(const sim::TextureView& view, const Format& format) {
  const sim::TextureDesc& desc = view.texture->desc();
  const bool whole = view.first_mip == 0 && view.mip_count == desc.mips && view.first_slice == 0 &&
                     (!is_array(view) || view.slice_count == desc.array_size);
  if (whole) return std::nullopt;
  ViewDescriptor descriptor{};
  descriptor.format = format.view;
  descriptor.width = desc.size.width;
  descriptor.height = desc.size.height;
  descriptor.depth = array_of(view, format, false).depth;
  descriptor.first_level = view.first_mip;
  descriptor.last_level = view.first_mip + view.mip_count - 1;
  if (is_array(view)) {
    descriptor.first_layer = view.first_slice;
    descriptor.last_layer = view.first_slice + view.slice_count - 1;
  }
  return descriptor;
}

TextureDescriptor descriptor_of(const sim::ptx::TextureObject& object, const Format& format) {
  TextureDescriptor descriptor{};
  for (int axis = 0; axis < 3; ++axis) descriptor.address[axis] = address_of(object.address[axis]);
  descriptor.filter = filter_of(object.filter);
  descriptor.mip_filter = filter_of(object.mip_filter);
  descriptor.flags = format.flags | kNormalizedCoordinates;
  if (object.mip_filter == sim::Filter::linear) descriptor.flags |= kExactTrilinear;
  if (sim::dimension_info(object.view.dimension).cube) descriptor.flags |= kSeamlessCube;
  descriptor.max_anisotropy = object.max_anisotropy;
  descriptor.mip_bias = object.mip_bias;
  descriptor.min_level = object.min_lod;
  descriptor.max_level = object.max_lod;
  std::copy(object.border.begin(), object.border.end(), descriptor.border);
  return descriptor;
}

std::string beyond_views(const sim::TextureView& view, bool surface) {
  const sim::TextureDesc& desc = view.texture->desc();
  const bool some = view.first_slice != 0 || (is_array(view) && view.slice_count != desc.array_size);
  if (surface && some) return "a surface object always covers all slices";
  if (some && (!is_array(view) || sim::dimension_info(view.dimension).cube))
    return "CUDA only supports views of some slices for arrays of 1D and 2D textures";
  return {};
}

}  // namespace texlate::executor::cuda
