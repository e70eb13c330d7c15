// Triangles between the rings of points of a tessellated patch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/pipeline/tessellator_placement.h"

namespace texlate::sim {

/// Collects triangles of one winding.
class TriangleList {
 public:
  TriangleList(std::vector<uint32_t>& indices, bool clockwise) : indices_(indices), clockwise_(clockwise) {}
  /// Clockwise with U to the right and V down.
  void add(uint32_t a, uint32_t b, uint32_t c) {
    indices_.insert(indices_.end(), {a, clockwise_ ? b : c, clockwise_ ? c : b});
  }

 private:
  std::vector<uint32_t>& indices_;
  bool clockwise_;
};

/// The points of one side of a ring, from corner to corner.
using Side = std::span<const uint32_t>;

/// Fills the strip between a side of the outermost ring, which has a subdivision of its own, and the ring
/// inside it.
void stitch_edge(TriangleList& triangles, Side outer, const Subdivision& edge, Side inner,
                 const Subdivision& inside);
/// Fills the strip between two rings of the inside: `outer` has two points more than `inner`.
void stitch_rings(TriangleList& triangles, Side outer, Side inner);

/// The diagonals of a row of quads.
enum class Diagonals : uint8_t { same, mirrored };
/// Fills the middle between two sides of the innermost ring that have equally many points.
void fill_middle(TriangleList& triangles, Side outer, Side inner, Diagonals diagonals);

}  // namespace texlate::sim
