#include "sim/ptx/texture_object.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/texture_unit/address.h"
#include "sim/texture_unit/filter.h"

namespace texlate::sim::ptx {

namespace {

constexpr TextureResult kUndefined{{0, 0, 0, 0}, kAllPoison};

// PTX ISA 9.7.10.3: always four components; the value of a missing one is not specified.
TextureResult with_missing(const FormatInfo& info, const Word4& value, const Access& access) {
  TextureResult result{value, 0, access.mapped};
  for (int c = 0; c < 4; ++c) {
    if (!info.has(c)) result.poison |= 1u << c;
  }
  return result;
}

// The object as a sampler state of the texture unit. Unnormalized coordinates support only clamp and border.
Sampler sampler_of(const TextureObject& object) {
  Sampler sampler;
  sampler.min_filter = sampler.mag_filter = object.filter;
  sampler.mip_filter = object.mip_filter;
  sampler.address = object.address;
  if (!object.normalized) {
    for (AddressMode& mode : sampler.address) {
      if (mode != AddressMode::border) mode = AddressMode::clamp;
    }
  }
  sampler.anisotropic = object.max_anisotropy > 1;
  sampler.max_anisotropy = object.max_anisotropy;
  sampler.mip_lod_bias = object.mip_bias;
  sampler.min_lod = object.min_lod;
  sampler.max_lod = object.max_lod;
  sampler.border = object.border;
  sampler.border_is_bits = true;  // CUDA driver API, CUDA_TEXTURE_DESC
  if (object.comparison) {
    sampler.reduction = Reduction::comparison;
    sampler.comparison = *object.comparison;
  }
  return sampler;
}

bool offsets_defined(const TextureRequest& request) {
  return std::all_of(request.offset.begin(), request.offset.end(),
                     [](int32_t v) { return v >= -8 && v <= 7; });
}

// Integer coordinates are texels of the level. Texels outside are undefined, with or without an offset.
TextureResult fetch(const TextureObject& object, const TextureRequest& request) {
  const TextureView& view = object.view;
  const DimensionInfo& info = dimension_info(view.dimension);
  const int64_t level = request.level_source == TextureRequest::Level::level ? request.integer_level : 0;
  if (level < 0 || level >= view.mip_count) return kUndefined;
  const Extent size = view.size(static_cast<uint32_t>(level));
  std::array<uint32_t, 3> texel{};
  for (int axis = 0; axis < info.axes; ++axis) {
    const int64_t t = int64_t{request.texel[axis]} + request.offset[axis];
    if (request.texel[axis] < 0 || int64_t{request.texel[axis]} >= size[axis] || t < 0 || t >= size[axis])
      return kUndefined;
    texel[axis] = static_cast<uint32_t>(t);
  }
  if (info.multisampled && request.sample >= view.texture->desc().samples) return kUndefined;
  Access access;
  return with_missing(format_info(view.format),
                      load_texel(view, static_cast<uint32_t>(level), request.layer, texel[0], texel[1],
                                 texel[2], request.sample, access),
                      access);
}

// Normalized coordinates, with the layer in the component that the texture unit expects.
std::array<float, 4> unit_coordinate(const TextureObject& object, const TextureRequest& request) {
  std::array<float, 4> coordinate = request.coordinate;
  const DimensionInfo& info = dimension_info(object.view.dimension);
  if (!object.normalized && !info.cube) {
    // Sizes are at most 2^14: the error of the division is below the resolution of the 8-bit snapping that
    // follows.
    const Extent size = object.view.size(0);
    for (int axis = 0; axis < info.axes; ++axis) coordinate[axis] /= static_cast<float>(size[axis]);
  }
  if (info.slice >= 0) coordinate[info.slice] = static_cast<float>(request.layer);
  return coordinate;
}

TextureResult filtered(const TextureObject& object, const TextureRequest& request,
                       const UnitOptions& options) {
  SampleOperands operands;
  operands.coordinate = unit_coordinate(object, request);
  operands.offset = {request.offset[0], request.offset[1], request.offset[2]};
  operands.reference = request.reference;
  operands.derivatives = request.derivatives;
  operands.lod_source =
      request.level_source == TextureRequest::Level::gradient ? LodSource::gradients : LodSource::level;
  operands.lod = request.level_source == TextureRequest::Level::level ? request.level : 0;
  Access access;
  const Word4 value = sample(object.view, sampler_of(object), operands, options, access);
  if (access.undefined_on_device()) return kUndefined;
  if (request.reference) return {value, 0, access.mapped};
  return with_missing(format_info(object.view.format), value, access);
}

// PTX ISA 9.7.10.4: the bilinear footprint counter-clockwise from the lower left. This is the order of
// Direct3D's gather4.
TextureResult gather(const TextureObject& object, const TextureRequest& request, const UnitOptions& options) {
  const FormatInfo& info = format_info(object.view.format);
  if (!request.reference && !info.has(request.gather_component)) return kUndefined;
  const std::array<float, 4> coordinate = unit_coordinate(object, request);
  const TexelOffset offset{request.offset[0], request.offset[1], 0};
  Access access;
  Sampler sampler = sampler_of(object);
  if (!request.reference) sampler.reduction = Reduction::standard;
  const Word4 value =
      request.reference
          ? gather4_c(object.view, sampler, coordinate, offset, *request.reference, options, access)
          : gather4(object.view, sampler, coordinate, offset, request.gather_component, options, access);
  if (access.undefined_on_device()) return kUndefined;
  return {value, 0, access.mapped};
}

}  // namespace

TextureResult read_texture(const TextureObject& object, const TextureRequest& request,
                           const UnitOptions& options) {
  const TextureView& view = object.view;
  if (!view.bound() || !offsets_defined(request)) return kUndefined;
  const DimensionInfo& info = dimension_info(view.dimension);
  // CUaddress_mode has no mirror_once. Seamless cubes do not use address modes.
  for (int axis = 0; axis < info.axes && !info.cube; ++axis) {
    if (object.address[axis] == AddressMode::mirror_once) return kUndefined;
  }
  if (info.slice >= 0 && request.layer >= view.array_size()) return kUndefined;
  // Only fetches may read a comparison object without a reference, and only a comparison object has a
  // comparison function.
  if (request.reference && !object.comparison) return kUndefined;
  // No document says which level derivatives of texel numbers select.
  if (request.integer && request.level_source == TextureRequest::Level::gradient) return kUndefined;
  if (request.integer || info.multisampled) return fetch(object, request);
  if (request.gather_component >= 0) return gather(object, request, options);
  if (object.comparison && !request.reference) {
    TextureObject plain = object;
    plain.comparison.reset();
    return filtered(plain, request, options);
  }
  return filtered(object, request, options);
}

}  // namespace texlate::sim::ptx
