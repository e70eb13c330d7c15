#include "sim/texture_unit/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/texture_unit/address.h"
#include "sim/texture_unit/cube.h"
#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim {

namespace {

constexpr uint32_t kOne = 0x3f800000u;

float as_float(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
uint32_t as_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

// Only components that the format has are used, clamped to its range. The others get their defaults
// (docs/reference/direct3d.md 2.4).
Word4 border_color(const FormatInfo& info, const Sampler& sampler) {
  Word4 color{};
  for (int i = 0; i < 4; ++i) {
    const float value = sampler.border[i];
    if (sampler.border_is_bits && info.has(i) && info.is_integer()) {
      color[i] = as_bits(value);
      continue;
    }
    switch (info.layout.component[i].kind) {
      case Kind::none: color[i] = missing_component(info, i); break;
      case Kind::unorm: color[i] = as_bits(value > 0 ? std::min(value, 1.0f) : 0.0f); break;
      case Kind::snorm: color[i] = as_bits(std::isnan(value) ? 0.0f : std::clamp(value, -1.0f, 1.0f)); break;
      case Kind::uint:
        color[i] = static_cast<uint32_t>(std::clamp<double>(std::isnan(value) ? 0 : value, 0, 4294967295.0));
        break;
      case Kind::sint:
        color[i] = static_cast<uint32_t>(static_cast<int32_t>(
            std::clamp<double>(std::isnan(value) ? 0 : value, -2147483648.0, 2147483647.0)));
        break;
      case Kind::float_:
      case Kind::shared_exponent: color[i] = as_bits(value); break;
    }
  }
  return color;
}

Word4 compare_texel(const TapSource& source, const Word4& texel) {
  const uint32_t passed =
      compare(source.sampler.comparison, source.reference, as_float(texel[0])) ? kOne : 0u;
  return {passed, passed, passed, passed};
}

// Cube footprint: a corner has three texels, and the weight of the missing fourth is split evenly among them
// (docs/reference/direct3d.md 2.6).
void add_cube_taps(const TapSource& source, const SamplePoint& at, uint32_t mip, const AxisTaps& x,
                   const AxisTaps& y, double weight, TapList& taps) {
  const uint32_t side = source.view.size(mip).width;
  struct FaceTap {
    int64_t x, y;
    double weight;
  };
  std::array<FaceTap, 4> present{};
  int count = 0;
  double missing = 0;
  for (int j = 0; j < y.count; ++j) {
    for (int i = 0; i < x.count; ++i) {
      const double w = weight * x.weight[i] * y.weight[j];
      if (resolve_face_texel(at.face, x.texel[i], y.texel[j], side)) {
        present[count++] = {x.texel[i], y.texel[j], w};
      } else {
        missing += w;
      }
    }
  }
  for (int i = 0; i < count; ++i) {
    const double w = present[i].weight + missing / count;
    if (w != 0) taps.add(read_tap(source, at, mip, {present[i].x, present[i].y, 0}), w);
  }
}

}  // namespace

TapSource make_tap_source(const TextureView& view, const Sampler& sampler, const UnitOptions& options,
                          const TexelOffset& offset, const float* reference, Access& access) {
  const FormatInfo& info = format_info(view.format);
  TapSource source{view,  sampler, options, offset, reference != nullptr, 0, border_color(info, sampler),
                   access};
  if (reference != nullptr) source.reference = quantise_like(info.layout.component[0], *reference);
  const bool nonzero = offset != TexelOffset{};
  if (nonzero && dimension_info(view.dimension).cube) {
    access.flag(Undefined::cube_offset);
    source.offset = {};
  }
  return source;
}

SamplePoint locate_sample(const TextureView& view, const std::array<float, 4>& coordinate, Access& access) {
  const DimensionInfo& info = dimension_info(view.dimension);
  SamplePoint at;
  if (info.cube) {
    const std::array<float, 3> direction = {coordinate[0], coordinate[1], coordinate[2]};
    if (!has_face(direction)) access.flag(Undefined::cube_direction);
    const FacePoint face = project_to_face(direction);
    at.coordinate = {face.u, face.v, 0};
    at.face = face.face;
  } else {
    for (int axis = 0; axis < info.axes; ++axis) at.coordinate[axis] = coordinate[axis];
  }
  if (info.slice >= 0) {
    const float slice = std::nearbyint(coordinate[info.slice]);
    const uint32_t last = view.array_size() - 1;
    const uint32_t index = slice >= static_cast<float>(last) ? last
                           : slice > 0                       ? static_cast<uint32_t>(slice)
                                                             : 0;
    at.slice = info.cube ? index * 6 : index;
  }
  return at;
}

Word4 read_tap(const TapSource& source, const SamplePoint& at, uint32_t mip,
               const std::array<int64_t, 3>& texel) {
  const TextureView& view = source.view;
  const DimensionInfo& info = dimension_info(view.dimension);
  Word4 value;
  if (info.cube) {
    const auto where = resolve_face_texel(at.face, texel[0], texel[1], view.size(mip).width);
    if (!where) return {};  // corners are handled by the callers
    value = load_texel(view, mip, at.slice + where->face, where->x, where->y, 0, 0, source.access);
  } else {
    const Extent size = view.size(mip);
    std::array<uint32_t, 3> addressed{};
    bool border = false;
    for (int axis = 0; axis < info.axes; ++axis) {
      const int64_t t = apply_address_mode(source.sampler.address[axis], texel[axis], size[axis]);
      border = border || t == kBorderTexel;
      addressed[axis] = static_cast<uint32_t>(t);
    }
    value = border
                ? source.border
                : load_texel(view, mip, at.slice, addressed[0], addressed[1], addressed[2], 0, source.access);
  }
  return source.compare ? compare_texel(source, value) : value;
}

bool compare(Comparison function, float reference, float value) {
  const auto flush = [](float& number) {
    if (std::fabs(number) < std::numeric_limits<float>::min()) number = 0;
  };
  flush(reference);
  flush(value);
  switch (function) {
    case Comparison::never: return false;
    case Comparison::less: return reference < value;
    case Comparison::equal: return reference == value;
    case Comparison::less_equal: return reference <= value;
    case Comparison::greater: return reference > value;
    case Comparison::not_equal: return reference != value;
    case Comparison::greater_equal: return reference >= value;
    case Comparison::always: return true;
  }
  return false;
}

Word4 TapList::reduce(Reduction reduction) const {
  if (count_ == 1) return taps_[0].texel;  // exact: point sampling and exact texel centers
  Word4 result{};
  for (int c = 0; c < 4; ++c) {
    if (reduction == Reduction::minimum || reduction == Reduction::maximum) {
      float value = as_float(taps_[0].texel[c]);
      for (int i = 1; i < count_; ++i) {
        const float tap = as_float(taps_[i].texel[c]);
        value = reduction == Reduction::minimum ? std::fmin(value, tap) : std::fmax(value, tap);
      }
      result[c] = as_bits(value);
    } else {
      // Computed in double and rounded once: a constant texture stays constant, and results stay between
      // their taps.
      double sum = 0;
      for (int i = 0; i < count_; ++i)
        sum += taps_[i].weight * static_cast<double>(as_float(taps_[i].texel[c]));
      result[c] = as_bits(static_cast<float>(sum));
    }
  }
  return result;
}

void add_mip_taps(const TapSource& source, const SamplePoint& at, uint32_t mip, Filter filter, double weight,
                  TapList& taps) {
  const DimensionInfo& info = dimension_info(source.view.dimension);
  const Extent size = source.view.size(mip);
  std::array<AxisTaps, 3> axis;
  for (int i = 0; i < info.axes; ++i) {
    const double u = info.cube ? at.coordinate[i] : reduce_range(source.sampler.address[i], at.coordinate[i]);
    axis[i] = axis_taps(u * size[i], filter, source.options);
    for (int64_t& texel : axis[i].texel) {
      texel += source.offset[i];
      // For a point sample, u = 1.0 still belongs to the same face.
      if (info.cube && filter == Filter::point) texel = std::clamp<int64_t>(texel, 0, int64_t{size[i]} - 1);
      // The division for a degenerate direction can saturate; only one texel beyond the edge exists.
      if (info.cube) texel = std::clamp<int64_t>(texel, -1, size[i]);
    }
  }
  if (info.cube) return add_cube_taps(source, at, mip, axis[0], axis[1], weight, taps);
  for (int k = 0; k < axis[2].count; ++k) {
    for (int j = 0; j < axis[1].count; ++j) {
      for (int i = 0; i < axis[0].count; ++i) {
        const double w = weight * axis[0].weight[i] * axis[1].weight[j] * axis[2].weight[k];
        if (w == 0) continue;
        taps.add(read_tap(source, at, mip, {axis[0].texel[i], axis[1].texel[j], axis[2].texel[k]}), w);
      }
    }
  }
}

}  // namespace texlate::sim
