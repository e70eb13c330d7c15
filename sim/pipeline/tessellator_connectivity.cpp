#include "sim/pipeline/tessellator_connectivity.h"

#include <array>
#include <bit>

namespace texlate::sim {

namespace {

constexpr uint32_t kHalfPlaces = 32;  // half of the largest factor

/// When the k-th place of a half edge gets its point, as the factor grows: places are filled in the order of
/// a ruler, from the outside in. Place k exists if its number is less than Subdivision::half_points().
constexpr std::array<uint32_t, kHalfPlaces + 1> kFillOrder = [] {
  std::array<uint32_t, kHalfPlaces + 1> order{};
  order[1] = kHalfPlaces;
  for (uint32_t k = 2; k <= kHalfPlaces; ++k) {
    const int level = std::countr_zero(k - 1);
    order[k] = (kHalfPlaces / 2 >> level) + ((k - 1) >> (level + 1));
  }
  return order;
}();

/// Walks along both sides of a strip and adds the triangle of each step.
class Stitch {
 public:
  Stitch(TriangleList& triangles, Side outer, Side inner)
      : triangles_(triangles), outer_(outer), inner_(inner) {}
  void step_outer() {
    triangles_.add(outer_[o_], outer_[o_ + 1], inner_[i_]);
    ++o_;
  }
  void step_inner() {
    triangles_.add(inner_[i_], outer_[o_], inner_[i_ + 1]);
    ++i_;
  }
  /// As step_outer(), with the vertices of the triangle in another order.
  void step_middle() {
    triangles_.add(inner_[i_], outer_[o_], outer_[o_ + 1]);
    ++o_;
  }
  void step_both(bool from_outer) {
    if (from_outer) {
      triangles_.add(outer_[o_], inner_[i_ + 1], inner_[i_]);
      triangles_.add(outer_[o_], outer_[o_ + 1], inner_[i_ + 1]);
    } else {
      triangles_.add(inner_[i_], outer_[o_], outer_[o_ + 1]);
      triangles_.add(inner_[i_], outer_[o_ + 1], inner_[i_ + 1]);
    }
    ++i_;
    ++o_;
  }

 private:
  TriangleList& triangles_;
  Side outer_, inner_;
  uint32_t o_ = 0, i_ = 0;
};

}  // namespace

void stitch_edge(TriangleList& triangles, Side outer, const Subdivision& edge, Side inner,
                 const Subdivision& inside) {
  Stitch stitch(triangles, outer, inner);
  const uint32_t outer_half = edge.half_points(), inner_half = inside.half_points();
  if (outer_half > 0) stitch.step_outer();
  for (uint32_t k = 1; k <= kHalfPlaces; ++k) {
    if (kFillOrder[k] < inner_half) stitch.step_inner();
    if (kFillOrder[k] < outer_half) stitch.step_outer();
  }
  if (inside.is_odd()) stitch.step_inner();
  if (edge.is_odd()) stitch.step_middle();
  for (uint32_t k = kHalfPlaces; k >= 1; --k) {
    if (kFillOrder[k] < outer_half) stitch.step_outer();
    if (kFillOrder[k] < inner_half) stitch.step_inner();
  }
  if (outer_half > 0) stitch.step_outer();
}

void stitch_rings(TriangleList& triangles, Side outer, Side inner) {
  Stitch stitch(triangles, outer, inner);
  stitch.step_outer();
  for (uint32_t p = 0; p + 1 < inner.size(); ++p) stitch.step_both(p < inner.size() / 2);
  stitch.step_outer();
}

void fill_middle(TriangleList& triangles, Side outer, Side inner, Diagonals diagonals) {
  if (diagonals == Diagonals::same) {
    Stitch stitch(triangles, outer, inner);
    for (uint32_t p = 0; p + 1 < inner.size(); ++p) stitch.step_both(false);
    return;
  }
  const uint32_t middle = static_cast<uint32_t>(inner.size()) / 2 - 1;
  for (uint32_t p = 0; p + 1 < inner.size(); ++p) {
    if (p == middle) {
      triangles.add(outer[p], inner[p + 1], inner[p]);
      triangles.add(outer[p], outer[p + 1], inner[p + 1]);
    } else {
      triangles.add(outer[p], outer[p + 1], inner[p]);
      triangles.add(inner[p], outer[p + 1], inner[p + 1]);
    }
  }
}

}  // namespace texlate::sim
