#include "sim/texture_unit/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/texture_unit/address.h"
#include "sim/texture_unit/cube.h"
#include "sim/texture_unit/filter.h"
#include "sim/texture_unit/texel_codec.h"

namespace texlate::sim {

namespace {

constexpr int kLodIntegerBits = 16;

bool is_legal(const TextureView& view, const Sampler& sampler, bool compares, Access& access) {
  if (dimension_info(view.dimension).multisampled) access.flag(Undefined::wrong_dimension);
  if ((sampler.reduction == Reduction::comparison) != compares) access.flag(Undefined::wrong_sampler);
  const FormatInfo& format = format_info(view.format);
  const bool filters = sampler.anisotropic || sampler.min_filter == Filter::linear ||
                       sampler.mag_filter == Filter::linear || sampler.mip_filter == Filter::linear;
  if (format.is_integer() && (filters || compares)) access.flag(Undefined::wrong_format);
  return !access.has(Undefined::wrong_dimension) && !access.has(Undefined::wrong_sampler) &&
         !access.has(Undefined::wrong_format);
}

// One of the two mips that the LOD selects, and its weight.
struct MipShare {
  uint32_t mip;
  double weight;
};
struct MipPair {
  MipShare share[2];
  int count;
};

MipPair choose_mips(float lod, Filter filter, uint32_t first, uint32_t count, const UnitOptions& options) {
  const int bits = options.lod_bits;
  const int64_t one = int64_t{1} << bits;
  const int64_t fixed = to_fixed(lod, kLodIntegerBits, bits);
  auto clamp_mip = [=](int64_t mip) {
    return static_cast<uint32_t>(std::clamp<int64_t>(mip, first, count - 1));
  };
  if (filter == Filter::point) return {{{clamp_mip((fixed + one / 2) >> bits), 1.0}, {}}, 1};
  const uint32_t low = clamp_mip(fixed >> bits);
  const uint32_t high = clamp_mip((fixed >> bits) + 1);
  const double fraction = std::ldexp(static_cast<double>(fixed & (one - 1)), -bits);
  if (low == high || fraction == 0) return {{{low, 1.0}, {}}, 1};
  return {{{low, 1 - fraction}, {high, fraction}}, 2};
}

// An empty set of mips reads as out of bounds. A comparison compares the resulting red 0.
Word4 empty_result(const TapSource& source) {
  const Word4 value = out_of_bounds_value(source.view.format);
  if (!source.compare) return value;
  const uint32_t passed =
      compare(source.sampler.comparison, source.reference, std::bit_cast<float>(value[0])) ? 0x3f800000u : 0u;
  return {passed, passed, passed, passed};
}

Footprint choose_footprint(const TextureView& view, const Sampler& sampler, const SampleOperands& operands) {
  Footprint result;
  switch (operands.lod_source) {
    case LodSource::zero: break;
    case LodSource::level: result.lod = operands.lod; break;
    case LodSource::derivatives:
    case LodSource::bias:
    case LodSource::gradients: return footprint(view, sampler, operands.coordinate, operands.derivatives);
  }
  return result;
}

}  // namespace

Word4 sample(const TextureView& view, const Sampler& sampler, const SampleOperands& operands,
             const UnitOptions& options, Access& access) {
  if (!view.bound()) return kUnbound;
  if (!is_legal(view, sampler, operands.reference.has_value(), access)) return kUnbound;
  for (int axis = 0; axis < dimension_info(view.dimension).axes; ++axis) {
    if (operands.offset[axis] < -8 || operands.offset[axis] > 7) access.flag(Undefined::offset_range);
  }
  const float bias = operands.lod_source == LodSource::bias ? operands.lod : 0;
  if (!(bias >= -16.0f && bias <= 15.99f)) access.flag(Undefined::bias_range);

  const TapSource source = make_tap_source(view, sampler, options, operands.offset,
                                           operands.reference ? &*operands.reference : nullptr, access);
  const Footprint area = choose_footprint(view, sampler, operands);
  const ClampedLod level = clamp_lod(view, sampler, area.lod, bias, operands.lod_clamp.value_or(0));
  if (level.empty) return empty_result(source);

  const bool magnify = level.clamped <= 0;
  const Filter filter = sampler.anisotropic ? Filter::linear
                        : magnify           ? sampler.mag_filter
                                            : sampler.min_filter;
  const Filter mip_filter = sampler.anisotropic ? Filter::linear : sampler.mip_filter;
  const MipPair mips =
      choose_mips(level.clamped, mip_filter, std::min(view.first_accessible_mip(), view.mip_count - 1),
                  view.mip_count, options);
  TapList taps;
  const SamplePoint center = locate_sample(view, operands.coordinate, access);
  for (int probe = 0; probe < area.probes; ++probe) {
    SamplePoint at = center;
    const double along = (probe + 0.5) / area.probes - 0.5;
    for (int axis = 0; axis < 2 && area.probes > 1; ++axis) at.coordinate[axis] += area.major[axis] * along;
    for (int i = 0; i < mips.count; ++i) {
      add_mip_taps(source, at, mips.share[i].mip, filter, mips.share[i].weight / area.probes, taps);
    }
  }
  return taps.reduce(sampler.reduction);
}

Word4 lod(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
          const Derivatives& derivatives, Access& access) {
  if (!view.bound()) return kUnbound;
  if (dimension_info(view.dimension).multisampled) {
    access.flag(Undefined::wrong_dimension);
    return kUnbound;
  }
  if (sampler.mip_filter == Filter::point && !sampler.anisotropic) access.flag(Undefined::lod_point);
  if (dimension_info(view.dimension).cube && !has_face({coordinate[0], coordinate[1], coordinate[2]}))
    access.flag(Undefined::cube_direction);
  const Footprint area = footprint(view, sampler, coordinate, derivatives);
  const ClampedLod level = clamp_lod(view, sampler, area.lod, 0, 0);
  const float last = static_cast<float>(view.mip_count - 1);
  const float clamped = level.empty ? 0.0f : std::clamp(level.clamped, 0.0f, last);
  return {std::bit_cast<uint32_t>(clamped), std::bit_cast<uint32_t>(level.unclamped), 0, 0};
}

}  // namespace texlate::sim
