// Converts float coordinates to integer texels and weights, and applies the address modes
// (docs/reference/direct3d.md 2.3, 2.4).
#pragma once

#include <cstdint>

#include "sim/texture_unit/sampler.h"

namespace texlate::sim {

/// FLOAT to fixed point: NaN gives 0, out of range clamps, otherwise rounds to nearest even. The result is in
/// units of 2^-fraction_bits.
int64_t to_fixed(double value, int integer_bits, int fraction_bits);

/// One axis of a footprint: one texel (point) or two neighbors with their weights (linear). Texel numbers
/// include offsets, but the address mode is not yet applied: they may be negative or past the size.
struct AxisTaps {
  int64_t texel[2] = {0, 0};
  double weight[2] = {1, 0};
  int count = 1;
};
/// `coordinate` is a real number in texels of the mip (U * size after range reduction).
AxisTaps axis_taps(double coordinate, Filter filter, const UnitOptions& options);

/// Range reduction of a normalized coordinate. It improves precision and never changes the selected texel.
double reduce_range(AddressMode mode, double u);

constexpr int64_t kBorderTexel = -1;
/// The texel that the address mode selects for `texel` on an axis of `size` texels. kBorderTexel means the
/// border color.
int64_t apply_address_mode(AddressMode mode, int64_t texel, int64_t size);

}  // namespace texlate::sim
