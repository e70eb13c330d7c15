#include "sim/texture_unit/lod.h"

#include <algorithm>
#include <cmath>

#include "sim/texture_unit/cube.h"

namespace texlate::sim {

namespace {

using Vector = std::array<double, 3>;

double length(const Vector& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Converts a derivative to texels of mip 0.
Vector in_texels(const TextureView& view, const std::array<float, 4>& coordinate,
                 const std::array<float, 3>& d) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const Extent size = view.size(0);
  Vector result{};
  if (info.cube) {
    const std::array<double, 2> face = project_derivative({coordinate[0], coordinate[1], coordinate[2]}, d);
    return {face[0] * size.width, face[1] * size.width, 0};
  }
  for (int axis = 0; axis < info.axes; ++axis) result[axis] = static_cast<double>(d[axis]) * size[axis];
  return result;
}

bool is_flat_2d(Dimension dimension) {
  return dimension == Dimension::texture2d || dimension == Dimension::texture2d_array;
}

}  // namespace

Footprint footprint(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
                    const Derivatives& derivatives) {
  const Vector dx = in_texels(view, coordinate, derivatives.ddx);
  const Vector dy = in_texels(view, coordinate, derivatives.ddy);
  const double length_x = length(dx), length_y = length(dy);
  const double major = std::fmax(length_x, length_y);
  Footprint result;
  result.lod = std::log2(major);
  // Anisotropic filtering of other dimensions than 2D may be isotropic, and so may degenerate derivatives
  // (D3D11.3 7.18.11).
  if (!sampler.anisotropic || !is_flat_2d(view.dimension) || !std::isfinite(major) || major == 0)
    return result;

  const double area = std::fabs(dx[0] * dy[1] - dx[1] * dy[0]);
  const double limit = std::clamp<double>(sampler.max_anisotropy, 1, 16);
  double ratio = major * major / area;  // area 0: infinite, limited below
  double minor = area / major;
  if (!(ratio <= limit)) {
    ratio = limit;
    minor = major / ratio;
  }
  if (minor < 1) ratio = std::max(1.0, ratio * minor);
  result.lod = std::log2(minor);
  // A ratio that rounding has put above a whole number needs no further probe.
  result.probes = std::max(1, static_cast<int>(std::ceil(ratio - 1.0 / 512)));
  const std::array<float, 3>& axis = length_x == major ? derivatives.ddx : derivatives.ddy;
  result.major = {axis[0], axis[1]};
  return result;
}

ClampedLod clamp_lod(const TextureView& view, const Sampler& sampler, double lod, float bias,
                     float instruction_clamp) {
  ClampedLod result;
  result.unclamped = static_cast<float>(lod) + sampler.mip_lod_bias + bias;
  // fmin ignores a NaN, so a NaN LOD becomes MaxLOD. MinLOD wins over a smaller MaxLOD.
  result.clamped = std::fmax(sampler.min_lod, std::fmin(sampler.max_lod, result.unclamped));
  const float resource_clamp = std::max(view.view_lod_clamp(), instruction_clamp);
  if (resource_clamp > 0) result.clamped = std::max(result.clamped, resource_clamp);
  // Past the least detailed mip, not only from the next whole number on (D3D11.3 5.8.5).
  result.empty = resource_clamp > static_cast<float>(view.mip_count - 1);
  return result;
}

}  // namespace texlate::sim
