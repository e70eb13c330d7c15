#include "sim/pipeline/tessellator_placement.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace texlate::sim {

namespace {

uint32_t clear_highest_bit(uint32_t number) {
  return number == 0 ? 0 : number & ~std::bit_floor(number);
}

/// 1/k in 1/65536, rounded to nearest.
uint32_t reciprocal(uint32_t k) {
  return (2 * kOne + k) / (2 * k);
}

struct Range {
  float least, greatest;
};

// D3D11.3 functional specification 10.13, 11.7.10 and 11.7.11.
Range range_of(Partitioning partitioning) {
  switch (partitioning) {
    case Partitioning::integer:
    case Partitioning::pow2: return {1, 64};  // the hull shader itself rounds to powers of two
    case Partitioning::fractional_odd: return {1, 63};
    case Partitioning::fractional_even: return {2, 64};
  }
  return {1, 64};
}

// Direct3D's min and max return the other operand for a NaN: it becomes the least factor.
float clamp(float factor, Range range) {
  return std::fmin(range.greatest, std::fmax(range.least, factor));
}

bool is_fractional(Partitioning partitioning) {
  return partitioning == Partitioning::fractional_odd || partitioning == Partitioning::fractional_even;
}

// D3D11.3 functional specification 3.2.4.1: conversion to fixed point rounds to nearest even. The product is
// exact, and the default rounding mode of nearbyint is not relied upon.
uint32_t to_fixed(float factor) {
  const double scaled = static_cast<double>(factor) * kOne;
  const double below = std::floor(scaled);
  const double rest = scaled - below;
  auto fixed = static_cast<uint32_t>(below);
  if (rest > 0.5 || (rest == 0.5 && fixed % 2 != 0)) ++fixed;
  return fixed;
}

/// An inside factor of 1 in whole numbers counts as even, and then makes two segments.
Subdivision make_subdivision(float clamped, Partitioning partitioning, bool inside) {
  if (is_fractional(partitioning)) return {to_fixed(clamped), partitioning == Partitioning::fractional_odd};
  const float whole = std::ceil(clamped);
  const bool odd = static_cast<uint32_t>(whole) % 2 != 0 && !(inside && whole == 1.0f);
  return {to_fixed(whole), odd};
}

bool culls(const TessellationFactors& factors, uint32_t edges) {
  for (uint32_t i = 0; i < edges; ++i) {
    if (!(factors.edge[i] > 0)) return true;  // also NaN
  }
  return false;
}

PatchSubdivisions subdivide_isoline(Partitioning partitioning, const TessellationFactors& factors) {
  PatchSubdivisions result;
  const float density = clamp(factors.edge[0], range_of(Partitioning::integer));
  const float detail = clamp(factors.edge[1], range_of(partitioning));
  result.edge[0] = make_subdivision(density, Partitioning::integer, false);
  result.edge[1] = make_subdivision(detail, partitioning, false);
  return result;
}

}  // namespace

Subdivision::Subdivision(uint32_t factor, bool odd) : factor_(factor), odd_(odd) {
  uint32_t half = (factor + 1) / 2;
  if (odd || half == kHalf) half += kHalf;
  lower_ = half / kOne;
  upper_ = (half + kOne - 1) / kOne;
  fraction_ = half % kOne;
  if (lower_ == upper_) return;
  // New points split old ones from the outside to the inside, in epochs that end at powers of two.
  if (odd) {
    split_ = lower_ == 1 ? 0 : 2 * clear_highest_bit(lower_ - 1) + 1;
  } else {
    split_ = 2 * clear_highest_bit(lower_) + 1;
  }
}

uint32_t Subdivision::place(uint32_t i) const {
  const uint32_t odd = odd_ ? 1 : 0;
  const bool mirrored = i >= upper_;
  if (mirrored) i = 2 * upper_ - i - odd;
  if (i == upper_) return kHalf;  // only if even
  const bool behind_split = split_ != kNoSplit && i > split_;
  const uint32_t coarse = (i - (behind_split ? 1 : 0)) * reciprocal(2 * lower_ - odd);
  const uint32_t fine = i * reciprocal(2 * upper_ - odd);
  // Both are at most a half, and the weights add up to 1: the sum has 32 bits.
  const uint32_t place = (coarse * (kOne - fraction_) + fine * fraction_ + kHalf) >> 16;
  return mirrored ? kOne - place : place;
}

PatchSubdivisions subdivide(const Tessellation& tessellation, const TessellationFactors& factors) {
  const Partitioning partitioning = tessellation.partitioning;
  const bool isoline = tessellation.domain == TessellatorDomain::isoline;
  const bool quad = tessellation.domain == TessellatorDomain::quad;
  const uint32_t edges = isoline ? 2 : quad ? 4 : 3;
  PatchSubdivisions result;
  result.culled = culls(factors, edges);
  if (result.culled) return result;
  if (isoline) return subdivide_isoline(partitioning, factors);

  const Range range = range_of(partitioning);
  const uint32_t insides = quad ? 2 : 1;
  std::array<float, 4> edge{};
  std::array<float, 2> inside{};
  for (uint32_t i = 0; i < edges; ++i) edge[i] = clamp(factors.edge[i], range);
  for (uint32_t i = 0; i < insides; ++i) inside[i] = clamp(factors.inside[i], range);
  if (partitioning == Partitioning::fractional_odd) {
    // An edge with more than one segment cannot be stitched to an inside with one: the inside gets a frame.
    constexpr float kMoreThanOne = 1.0f + 1.0f / (2 * kOne);
    const auto is_more = [](float factor) { return factor > kMoreThanOne; };
    if (std::any_of(edge.begin(), edge.begin() + edges, is_more) ||
        (quad && std::any_of(inside.begin(), inside.end(), is_more))) {
      for (float& factor : inside) factor = std::fmax(factor, 1.0f + 1.0f / kOne);
    }
  }
  result.minimal = partitioning != Partitioning::fractional_even;
  for (uint32_t i = 0; i < edges; ++i) {
    result.edge[i] = make_subdivision(edge[i], partitioning, false);
    result.minimal = result.minimal && result.edge[i].factor() == kOne;
  }
  for (uint32_t i = 0; i < insides; ++i) {
    result.inside[i] = make_subdivision(inside[i], partitioning, true);
    result.minimal = result.minimal && result.inside[i].factor() == kOne;
  }
  return result;
}

}  // namespace texlate::sim
