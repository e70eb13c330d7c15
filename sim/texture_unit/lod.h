// The level of detail, computed from derivatives or given, and the clamps in their order
// (docs/reference/direct3d.md 2.5).
#pragma once

#include <array>

#include "sim/texture_unit/sampler.h"
#include "sim/texture_unit/texture.h"

namespace texlate::sim {

struct Derivatives {
  std::array<float, 3> ddx{}, ddy{};  // of the normalized coordinates (cubes: of the direction)
};

/// The footprint's LOD before bias and clamps, and its anisotropy.
struct Footprint {
  double lod = 0;
  int probes = 1;                     // taps along the major axis, 1..16
  std::array<double, 2> major{0, 0};  // the major axis in normalized coordinates
};
Footprint footprint(const TextureView& view, const Sampler& sampler, const std::array<float, 4>& coordinate,
                    const Derivatives& derivatives);

struct ClampedLod {
  float unclamped = 0;  // includes the bias
  float clamped = 0;
  bool empty = false;  // the clamps exclude every mip of the view: everything reads as out of bounds
};
/// Applies the bias, the sampler's clamp, then the larger of the per-resource clamp and the instruction's
/// (`_cl`).
ClampedLod clamp_lod(const TextureView& view, const Sampler& sampler, double lod, float bias,
                     float instruction_clamp);

}  // namespace texlate::sim
