// gather4 and its variants (docs/reference/direct3d.md 1.4).
#include <algorithm>
#include <bit>
#include <optional>

#include "sim/texture_unit/address.h"
#include "sim/texture_unit/cube.h"
#include "sim/texture_unit/filter.h"
#include "sim/texture_unit/sample.h"

namespace texlate::sim {

namespace {

bool can_gather(const TextureView& view, Access& access) {
  const DimensionInfo& info = dimension_info(view.dimension);
  if (info.axes == 2 && !info.multisampled) return true;
  access.flag(Undefined::wrong_dimension);
  return false;
}

// The mean of three texels. Direct3D does not say how that of integers is rounded: here, toward zero.
uint32_t mean(Kind kind, uint32_t a, uint32_t b, uint32_t c) {
  const auto signed_word = [](uint32_t word) { return int64_t{static_cast<int32_t>(word)}; };
  if (kind == Kind::uint) return static_cast<uint32_t>((uint64_t{a} + b + c) / 3);
  if (kind == Kind::sint)
    return static_cast<uint32_t>((signed_word(a) + signed_word(b) + signed_word(c)) / 3);
  const auto number = [](uint32_t word) { return std::bit_cast<float>(word); };
  return std::bit_cast<uint32_t>((number(a) + number(b) + number(c)) / 3);
}

// The four texels in gather4's order. A cube corner's missing texel is the mean of the others.
std::array<Word4, 4> read_footprint(const TapSource& source, const std::array<float, 4>& coordinate) {
  const SamplePoint at = locate_sample(source.view, coordinate, source.access);
  const bool cube = dimension_info(source.view.dimension).cube;
  const Extent size = source.view.size(0);
  std::array<AxisTaps, 2> axis;
  for (int i = 0; i < 2; ++i) {
    const double u = cube ? at.coordinate[i] : reduce_range(source.sampler.address[i], at.coordinate[i]);
    axis[i] = axis_taps(u * size[i], Filter::linear, source.options);
    for (int64_t& texel : axis[i].texel) {
      texel += source.offset[i];
      if (cube) texel = std::clamp<int64_t>(texel, -1, size[i]);
    }
  }
  constexpr int kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  std::array<Word4, 4> texels{};
  std::optional<int> corner;
  for (int i = 0; i < 4; ++i) {
    const int64_t x = axis[0].texel[kOrder[i][0]];
    const int64_t y = axis[1].texel[kOrder[i][1]];
    if (cube && !resolve_face_texel(at.face, x, y, size.width)) {
      corner = i;
    } else {
      texels[i] = read_tap(source, at, 0, {x, y, 0});
    }
  }
  if (corner) {
    const Kind kind = format_info(source.view.format).kind;
    const auto other = [&](int i) -> const Word4& { return texels[(*corner + i) % 4]; };
    for (int c = 0; c < 4; ++c) texels[*corner][c] = mean(kind, other(1)[c], other(2)[c], other(3)[c]);
  }
  return texels;
}

}  // namespace

TexelOffset programmable_offset(uint32_t x, uint32_t y) {
  auto low_six = [](uint32_t v) { return static_cast<int>(v << 26) >> 26; };
  return {low_six(x), low_six(y), 0};
}

Word4 gather4(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
              const TexelOffset& offset, int component, const UnitOptions& options, Access& access) {
  if (!view.bound() || !can_gather(view, access)) return kUnbound;
  if (sampler.reduction == Reduction::comparison) {
    access.flag(Undefined::wrong_sampler);
    return kUnbound;
  }
  const Word4 outside = out_of_bounds_value(view.format);
  // Only a per-resource clamp moves gather4 away from mip 0. There is then nothing to read.
  if (view.first_accessible_mip() > 0)
    return {outside[component], outside[component], outside[component], outside[component]};
  const TapSource source = make_tap_source(view, sampler, options, offset, nullptr, access);
  const std::array<Word4, 4> texels = read_footprint(source, coordinate);
  return {texels[0][component], texels[1][component], texels[2][component], texels[3][component]};
}

Word4 gather4_c(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
                const TexelOffset& offset, float reference, const UnitOptions& options, Access& access) {
  if (!view.bound() || !can_gather(view, access)) return kUnbound;
  if (sampler.reduction != Reduction::comparison || format_info(view.format).is_integer()) {
    access.flag(sampler.reduction != Reduction::comparison ? Undefined::wrong_sampler
                                                           : Undefined::wrong_format);
    return kUnbound;
  }
  const TapSource source = make_tap_source(view, sampler, options, offset, &reference, access);
  if (view.first_accessible_mip() > 0) {
    const uint32_t passed = compare(sampler.comparison, source.reference, 0.0f) ? 0x3f800000u : 0u;
    return {passed, passed, passed, passed};
  }
  const std::array<Word4, 4> texels = read_footprint(source, coordinate);
  return {texels[0][0], texels[1][0], texels[2][0], texels[3][0]};
}

}  // namespace texlate::sim
