#include "sim/maxwell/texture_level.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/texture_unit/cube.h"

namespace texlate::sim::maxwell {

namespace {

using Vector = std::array<double, 3>;

/// A fixed-point number of `bits` bits with `fraction` of them after the point, saturated; NaN is 0.
uint32_t fixed(double value, int fraction, int bits, bool is_signed) {
  const double least = is_signed ? -std::ldexp(1, bits - 1) : 0;
  const double most = std::ldexp(1, is_signed ? bits - 1 : bits) - 1;
  const double scaled = std::isnan(value) ? 0.0 : std::nearbyint(std::ldexp(value, fraction));
  return static_cast<uint32_t>(static_cast<int32_t>(std::clamp(scaled, least, most))) & ((1u << bits) - 1);
}

/// A derivative of the coordinates in texels of the view's first mip.
Vector in_texels(const TextureView& view, const std::array<float, 4>& coordinate,
                 const std::array<float, 3>& derivative) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const Extent size = view.size(0);
  if (info.cube) {
    const auto face = project_derivative({coordinate[0], coordinate[1], coordinate[2]}, derivative);
    return {face[0] * size.width, face[1] * size.width, 0};
  }
  Vector result{};
  for (int axis = 0; axis < info.axes; ++axis)
    result[static_cast<size_t>(axis)] = double{derivative[static_cast<size_t>(axis)]} * size[axis];
  return result;
}

double length(const Vector& v) {
  return std::hypot(v[0], v[1], v[2]);
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Axes {
  uint32_t direction = 0, ratio = 0;
};

/// The axes as in Direct3D's anisotropic filter (D3D11.3 7.18.11): the longer derivative is the major one,
/// and the minor axis has the length that makes the product of both the area of the footprint.
Axes axes_of(const Vector& dx, const Vector& dy) {
  const double length_x = length(dx), length_y = length(dy);
  const Vector& major = length_x >= length_y ? dx : dy;
  const double extent = std::max(length_x, length_y);
  if (!(extent > 0) || !std::isfinite(extent)) return {};  // no footprint, so no direction
  Axes result;
  result.direction = fixed(major[0] / extent, 6, 8, true) | fixed(major[1] / extent, 6, 8, true) << 8;
  result.ratio = fixed(std::log2(length(cross(dx, dy)) / (extent * extent)), 12, 16, true);
  return result;
}

}  // namespace

Word4 texture_level(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
                    const Derivatives& derivatives, sim::Access& access) {
  const Word4 value = lod(view, sampler, coordinate, derivatives, access);
  const Axes axes =
      axes_of(in_texels(view, coordinate, derivatives.ddx), in_texels(view, coordinate, derivatives.ddy));
  return {fixed(double{std::bit_cast<float>(value[1])}, 8, 16, true),
          fixed(double{std::bit_cast<float>(value[0])}, 8, 16, false), axes.direction, axes.ratio};
}

}  // namespace texlate::sim::maxwell
