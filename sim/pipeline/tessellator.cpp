#include "sim/pipeline/tessellator.h"

#include <algorithm>

#include "sim/pipeline/tessellator_connectivity.h"

namespace texlate::sim {

namespace {

/// Points around the patch, side by side; each side ends with the point with which the next one begins.
struct Ring {
  std::array<std::vector<uint32_t>, 4> sides;
};

class Tessellator {
 public:
  Tessellator(const Tessellation& tessellation, const PatchSubdivisions& subdivisions)
      : tessellation_(tessellation),
        subdivisions_(subdivisions),
        triangles_(patch_.indices, tessellation.output != TessellatorOutput::triangle_ccw) {}

  TessellatedPatch run() {
    switch (tessellation_.domain) {
      case TessellatorDomain::isoline: make_isolines(); break;
      case TessellatorDomain::tri: make_tri(); break;
      case TessellatorDomain::quad: make_quad(); break;
    }
    if (tessellation_.output == TessellatorOutput::point) {
      patch_.indices.resize(patch_.points.size());
      for (uint32_t i = 0; i < patch_.indices.size(); ++i) patch_.indices[i] = i;
    }
    return std::move(patch_);
  }

 private:
  uint32_t add(uint32_t u, uint32_t v) {
    patch_.points.push_back({u, v});
    return static_cast<uint32_t>(patch_.points.size()) - 1;
  }

  /// The line at V = 1 is not drawn.
  void make_isolines() {
    const Subdivision& density = subdivisions_.edge[0];
    const Subdivision& detail = subdivisions_.edge[1];
    for (uint32_t line = 0; line + 1 < density.points(); ++line) {
      for (uint32_t i = 0; i < detail.points(); ++i) {
        const uint32_t index = add(detail.place(i), density.place(line));
        if (i != 0) patch_.indices.insert(patch_.indices.end(), {index - 1, index});
      }
    }
  }

  // ---- tri ----

  void make_tri() {
    if (subdivisions_.minimal) {
      add(0, kOne);
      add(0, 0);
      add(kOne, 0);
      return triangles_.add(0, 1, 2);
    }
    const Subdivision& inside = subdivisions_.inside[0];
    points_[0] = std::max(inside.points(), inside.is_odd() ? 4u : 3u);
    add_tri_edges();
    for (uint32_t r = 1; r < points_[0] / 2; ++r) add_tri_ring(r);
    constexpr uint32_t kThird = 0x5555;
    if (!inside.is_odd()) {
      const uint32_t center = add(kThird, kThird);
      Ring& ring = rings_.emplace_back();
      for (uint32_t s = 0; s < 3; ++s) ring.sides[s] = {center};
    }
    stitch(3);
    const Ring& last = rings_.back();
    if (inside.is_odd()) triangles_.add(last.sides[0][0], last.sides[1][0], last.sides[2][0]);
  }

  void add_tri_edges() {
    Ring& ring = rings_.emplace_back();
    for (uint32_t s = 0; s < 3; ++s) {
      const Subdivision& edge = subdivisions_.edge[s];
      const uint32_t last = edge.points() - 1;
      for (uint32_t i = 0; i < last; ++i) {
        const uint32_t at = edge.place(s == 1 ? i : last - i);
        ring.sides[s].push_back(s == 0 ? add(0, at) : s == 1 ? add(at, 0) : add(at, kOne - at));
      }
    }
    close(ring, 3);
  }

  void add_tri_ring(uint32_t r) {
    constexpr uint32_t kTwoThirds = 0xaaaa;
    const Subdivision& inside = subdivisions_.inside[0];
    const uint32_t last = points_[0] - 1 - r;
    const uint32_t distance = (inside.place(r) * kTwoThirds + kHalf) >> 16;  // from the side, on its own axis
    Ring& ring = rings_.emplace_back();
    for (uint32_t s = 0; s < 3; ++s) {
      for (uint32_t i = r; i < last; ++i) {
        const uint32_t along = inside.place(s == 1 ? i : last + r - i) - (distance + 1) / 2;
        ring.sides[s].push_back(s == 0   ? add(distance, along)
                                : s == 1 ? add(along, distance)
                                         : add(along, kOne - along - distance));
      }
    }
    close(ring, 3);
  }

  // ---- quad ----

  void make_quad() {
    if (subdivisions_.minimal) {
      add(0, 0);
      add(kOne, 0);
      add(kOne, kOne);
      add(0, kOne);
      triangles_.add(0, 1, 3);
      return triangles_.add(1, 2, 3);
    }
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const Subdivision& inside = subdivisions_.inside[axis];
      points_[axis] = std::max(inside.points(), inside.is_odd() ? 4u : 3u);
    }
    add_quad_ring(0);
    const uint32_t rings = std::min(points_[0], points_[1]) / 2;
    for (uint32_t r = 1; r < rings; ++r) add_quad_ring(r);
    const bool row_along_u = points_[0] > points_[1];
    const bool has_row = !subdivisions_.inside[row_along_u ? 1 : 0].is_odd();
    if (has_row) add_quad_row(rings, row_along_u);
    stitch(4);
    if (!has_row) fill_quad(row_along_u);
  }

  void add_quad_ring(uint32_t r) {
    Ring& ring = rings_.emplace_back();
    for (uint32_t s = 0; s < 4; ++s) {
      const bool along_u = s % 2 == 1;
      const bool ascending = s == 1 || s == 2;
      const bool far = s >= 2;  // at U = 1 or V = 1
      const Subdivision& across = subdivisions_.inside[along_u ? 1 : 0];
      const Subdivision& along = r == 0 ? subdivisions_.edge[s] : subdivisions_.inside[along_u ? 0 : 1];
      const uint32_t fixed =
          r == 0 ? (far ? kOne : 0) : across.place(far ? points_[along_u ? 1 : 0] - 1 - r : r);
      const uint32_t last = (r == 0 ? along.points() : points_[along_u ? 0 : 1]) - 1 - r;
      for (uint32_t i = r; i < last; ++i) {
        const uint32_t at = along.place(ascending ? i : last + r - i);
        ring.sides[s].push_back(along_u ? add(at, fixed) : add(fixed, at));
      }
    }
    close(ring, 4);
  }

  /// The row of points in the middle, as a ring without area.
  void add_quad_row(uint32_t first, bool along_u) {
    std::vector<uint32_t> row;
    const uint32_t axis = along_u ? 0 : 1;
    const uint32_t last = points_[axis] - 1 - first;
    for (uint32_t i = first; i <= last; ++i) {
      const uint32_t at = subdivisions_.inside[axis].place(along_u ? i : last + first - i);
      row.push_back(along_u ? add(at, kHalf) : add(kHalf, at));
    }
    const std::vector<uint32_t> back(row.rbegin(), row.rend());
    Ring& ring = rings_.emplace_back();
    if (along_u) {
      ring.sides = {std::vector{row.front()}, row, std::vector{row.back()}, back};
    } else {
      ring.sides = {row, std::vector{row.back()}, back, std::vector{row.front()}};
    }
  }

  void fill_quad(bool along_u) {
    const Ring& last = rings_.back();
    const std::vector<uint32_t>& outer = last.sides[along_u ? 1 : 0];
    const std::vector<uint32_t>& opposite = last.sides[along_u ? 3 : 2];
    const std::vector<uint32_t> inner(opposite.rbegin(), opposite.rend());
    const bool mirrored = !along_u && subdivisions_.inside[1].is_odd();
    fill_middle(triangles_, outer, inner, mirrored ? Diagonals::mirrored : Diagonals::same);
  }

  // ---- rings ----

  static void close(Ring& ring, uint32_t sides) {
    for (uint32_t s = 0; s < sides; ++s) ring.sides[s].push_back(ring.sides[(s + 1) % sides].front());
  }

  void stitch(uint32_t sides) {
    for (uint32_t r = 0; r + 1 < rings_.size(); ++r) {
      for (uint32_t s = 0; s < sides; ++s) {
        const Side outer = rings_[r].sides[s], inner = rings_[r + 1].sides[s];
        const Subdivision& inside = subdivisions_.inside[sides == 4 && s % 2 == 0 ? 1 : 0];
        if (r == 0) {
          stitch_edge(triangles_, outer, subdivisions_.edge[s], inner, inside);
        } else {
          stitch_rings(triangles_, outer, inner);
        }
      }
    }
  }

  const Tessellation tessellation_;
  const PatchSubdivisions subdivisions_;
  TessellatedPatch patch_;
  TriangleList triangles_;
  std::vector<Ring> rings_;           // from the outside in; the last may be a row, or a point
  std::array<uint32_t, 2> points_{};  // of the inside along U and V; tri: [0]
};

}  // namespace

TessellatedPatch tessellate(const Tessellation& tessellation, const TessellationFactors& factors) {
  const PatchSubdivisions subdivisions = subdivide(tessellation, factors);
  if (subdivisions.culled) return {};
  return Tessellator(tessellation, subdivisions).run();
}

std::array<float, 3> domain_location(TessellatorDomain domain, DomainPoint point) {
  const float u = static_cast<float>(point.u) / kOne;
  const float v = static_cast<float>(point.v) / kOne;
  return {u, v, domain == TessellatorDomain::tri ? 1.0f - u - v : 0.0f};
}

uint32_t indices_per_primitive(const Tessellation& tessellation) {
  switch (tessellation.output) {
    case TessellatorOutput::point: return 1;
    case TessellatorOutput::line: return 2;
    case TessellatorOutput::triangle_cw:
    case TessellatorOutput::triangle_ccw: return 3;
  }
  return 3;
}

}  // namespace texlate::sim
