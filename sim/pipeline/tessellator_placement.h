// Where the points of one edge, or of one axis of the inside, are.
#pragma once

#include <cstdint>

#include "sim/pipeline/tessellator.h"

namespace texlate::sim {

constexpr uint32_t kOne = 0x10000;  // 1.0 in the tessellator's fixed point
constexpr uint32_t kHalf = 0x8000;

/// A tessellation factor after clamping, in fixed point, and the positions that it makes. The halves of an
/// axis are mirror images. On each half, the uniform subdivisions for the next smaller and the next larger
/// number of points are blended, so that a new point comes out of an old one, its split point.
class Subdivision {
 public:
  Subdivision() = default;
  Subdivision(uint32_t factor, bool odd);

  bool is_odd() const { return odd_; }
  uint32_t factor() const { return factor_; }
  uint32_t points() const { return 2 * upper_ + (odd_ ? 0 : 1); }
  /// Points of a half that a stitch counts: those before the middle, without the middle segment of an odd
  /// subdivision.
  uint32_t half_points() const { return upper_ - (odd_ ? 1 : 0); }
  /// Position of point i, 0 to points() - 1.
  uint32_t place(uint32_t i) const;

 private:
  static constexpr uint32_t kNoSplit = 0xffffffffu;
  uint32_t factor_ = kOne;
  bool odd_ = true;
  uint32_t lower_ = 1, upper_ = 1;  // points of a half in the coarser and in the finer subdivision
  uint32_t fraction_ = 0;           // between the two, in 1/65536
  uint32_t split_ = kNoSplit;       // the point of the finer subdivision after which its new point comes
};

/// The subdivisions of a patch. Isoline: edge[0] is the density, edge[1] the detail.
struct PatchSubdivisions {
  bool culled = false;
  bool minimal = false;  // every factor is 1 and the patch is one triangle, or one quad
  std::array<Subdivision, 4> edge;
  std::array<Subdivision, 2> inside;
};
PatchSubdivisions subdivide(const Tessellation& tessellation, const TessellationFactors& factors);

}  // namespace texlate::sim
