#include "sim/texture_unit/address.h"

#include <algorithm>
#include <cmath>

namespace texlate::sim {

namespace {

// Direct3D requires at least 16.8. Sixteen integer bits would saturate 40 * 16384, the largest reduced
// coordinate.
constexpr int kTexelIntegerBits = 21;
// The specification's limit of 10 leaves room for immediate offsets, so that the reduction does not change
// the texel (7.18.6). gather4_po adds -32 to 31 (docs/reference/direct3d.md 1.4), which led back into small
// textures.
constexpr double kReducedLimit = 40;

}  // namespace

int64_t to_fixed(double value, int integer_bits, int fraction_bits) {
  if (std::isnan(value)) return 0;
  const double limit = std::ldexp(1.0, integer_bits - 1 + fraction_bits);
  // nearbyint: round to nearest even, the default rounding mode.
  return static_cast<int64_t>(
      std::clamp(std::nearbyint(std::ldexp(value, fraction_bits)), -limit, limit - 1));
}

AxisTaps axis_taps(double coordinate, Filter filter, const UnitOptions& options) {
  AxisTaps taps;
  const int bits = options.subtexel_bits;
  if (filter == Filter::point) {
    taps.texel[0] = options.snap_point ? to_fixed(coordinate, kTexelIntegerBits, bits) >> bits
                                       : to_fixed(std::floor(coordinate), kTexelIntegerBits, 0);
    return taps;
  }
  const int64_t fixed = to_fixed(coordinate - 0.5, kTexelIntegerBits, bits);
  taps.texel[0] = fixed >> bits;
  taps.texel[1] = taps.texel[0] + 1;
  taps.weight[1] = std::ldexp(static_cast<double>(fixed & ((int64_t{1} << bits) - 1)), -bits);
  taps.weight[0] = 1 - taps.weight[1];
  taps.count = 2;
  return taps;
}

double reduce_range(AddressMode mode, double u) {
  switch (mode) {
    case AddressMode::wrap: return u - std::floor(u);
    case AddressMode::mirror: return 2 * (u / 2 - std::trunc(u / 2));
    case AddressMode::clamp:
    case AddressMode::border:
    case AddressMode::mirror_once: break;
  }
  return std::isnan(u) ? u : std::clamp(u, -kReducedLimit, kReducedLimit);
}

int64_t apply_address_mode(AddressMode mode, int64_t texel, int64_t size) {
  switch (mode) {
    case AddressMode::wrap: return (texel % size + size) % size;
    case AddressMode::mirror: {
      if (texel < 0) texel = -texel - 1;
      const bool odd = ((texel / size) & 1) != 0;
      texel %= size;
      return odd ? size - 1 - texel : texel;
    }
    case AddressMode::mirror_once: return std::min(texel < 0 ? -texel - 1 : texel, size - 1);
    case AddressMode::border: return texel < 0 || texel >= size ? kBorderTexel : texel;
    case AddressMode::clamp: break;
  }
  return std::clamp<int64_t>(texel, 0, size - 1);
}

}  // namespace texlate::sim
