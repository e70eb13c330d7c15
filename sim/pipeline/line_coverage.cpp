#include "sim/pipeline/line_coverage.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace texlate::sim {

namespace {

constexpr int64_t kHalfPixel = 128;  // of a pixel

/// A place on the line, as a fraction of its length.
struct Place {
  int64_t numerator, denominator;
  bool is_open = false;  // the place itself is not meant
  bool operator<(const Place& other) const {
    return numerator * other.denominator < other.numerator * denominator;
  }
};
Place later(const Place& a, const Place& b) {
  return a < b || (!(b < a) && b.is_open) ? b : a;
}
Place earlier(const Place& a, const Place& b) {
  return b < a || (!(a < b) && b.is_open) ? b : a;
}

}  // namespace

LineCoverage::LineCoverage(const ScreenVertex& first, const ScreenVertex& last)
    : u_(first.x + first.y),
      v_(first.x - first.y),
      du_(last.x + last.y - u_),
      dv_(last.x - last.y - v_),
      is_flat_(std::abs(last.y - first.y) <= std::abs(last.x - first.x)) {}

bool LineCoverage::leaves(uint32_t x, uint32_t y) const {
  const int64_t center_x = int64_t{x} * 2 * kHalfPixel + kHalfPixel,
                center_y = int64_t{y} * 2 * kHalfPixel + kHalfPixel;
  const int64_t u = u_ - (center_x + center_y), v = v_ - (center_x - center_y);
  return meets(u, v) && !contains(u + du_, v + dv_);
}

bool LineCoverage::contains(int64_t u, int64_t v) const {
  return (u > -kHalfPixel && u <= kHalfPixel && v >= -kHalfPixel && v < kHalfPixel) ||
         (!is_flat_ && u == kHalfPixel && v == kHalfPixel);
}

/// The line from u, v.
bool LineCoverage::meets(int64_t u, int64_t v) const {
  // A side of the square is where `at` + t * `change` is 0; inside it is positive.
  struct Side {
    int64_t at, change;
    bool is_outside;
  };
  const std::array<Side, 4> sides = {Side{u + kHalfPixel, du_, true}, Side{kHalfPixel - u, -du_, false},
                                     Side{v + kHalfPixel, dv_, false}, Side{kHalfPixel - v, -dv_, true}};
  Place from{0, 1}, to{1, 1};
  bool never = false;
  for (const Side& side : sides) {
    if (side.change > 0) from = later(from, {-side.at, side.change, side.is_outside});
    if (side.change < 0) to = earlier(to, {side.at, -side.change, side.is_outside});
    if (side.change == 0) never |= side.at < 0 || (side.at == 0 && side.is_outside);
  }
  if (!never && (from < to || (!(to < from) && !from.is_open && !to.is_open))) return true;
  return !is_flat_ && passes_right_corner(u, v);
}

bool LineCoverage::passes_right_corner(int64_t u, int64_t v) const {
  const auto is_between = [](int64_t from, int64_t change) {
    return std::min(from, from + change) <= kHalfPixel && kHalfPixel <= std::max(from, from + change);
  };
  return is_between(u, du_) && is_between(v, dv_) && (kHalfPixel - u) * dv_ == (kHalfPixel - v) * du_;
}

}  // namespace texlate::sim
