// Which pixels an aliased line covers (D3D11.3 functional specification 3.4.3; docs/reference/pipeline.md 5).
#pragma once

#include "sim/pipeline/clipper.h"

namespace texlate::sim {

/// A line covers the pixels whose diamonds it leaves on its way: |x| + |y| < 1/2 about the center, the two
/// lower edges and the corner between them, and for a line that is more steep than flat the right corner.
/// Exact in 64-bit integers for coordinates below 2^30.
class LineCoverage {
 public:
  LineCoverage(const ScreenVertex& first, const ScreenVertex& last);
  bool leaves(uint32_t x, uint32_t y) const;

 private:
  bool contains(int64_t u, int64_t v) const;
  bool meets(int64_t u, int64_t v) const;
  bool passes_right_corner(int64_t u, int64_t v) const;

  // With u = x + y and v = x - y a diamond is a square.
  int64_t u_, v_, du_, dv_;
  bool is_flat_;
};

}  // namespace texlate::sim
