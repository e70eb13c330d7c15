// Clipping, the viewport transform and face culling (D3D11.3 functional specification 15;
// docs/reference/pipeline.md 4).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/pipeline/draw_state.h"

namespace texlate::sim {

using ClipPosition = std::array<float, 4>;

/// A vertex on the screen. `weights` say how much of each of the primitive's vertices it has in clip space,
/// `screen_weights` the same on the screen.
struct ScreenVertex {
  int64_t x = 0, y = 0;  // in 1/256 of a pixel
  double z = 0;          // window depth
  double inverse_w = 0;
  std::array<double, 3> weights{}, screen_weights{};
};

/// What a ScreenTriangle covers.
enum class ScreenShape : uint8_t {
  triangle,
  /// The edge from vertex 0 to vertex 1. Vertex 2 is beside vertex 0 and has its values, so that nothing
  /// changes across the line.
  line,
  /// A square of one pixel, from vertex 1, its upper left corner, to vertex 2 and vertex 0. All have the same
  /// values. Its two triangles (D3D11.3 3.4.6) are one primitive: a pixel is drawn once.
  point,
};

struct ScreenTriangle {
  std::array<ScreenVertex, 3> vertices;  // clockwise
  bool is_front = true;
  ScreenShape shape = ScreenShape::triangle;
  double depth_bias = 0;
};

struct ClipSettings {
  Viewport viewport;
  const RasterState& raster;
  DepthFormat depth_format;
};

/// The visible triangles of a triangle, in order. None for a primitive with a NaN.
std::vector<ScreenTriangle> clip_triangle(const std::array<ClipPosition, 3>& positions,
                                          const ClipSettings& settings);
/// The visible part of a line, if there is any: one triangle of that shape.
std::vector<ScreenTriangle> clip_line(const std::array<ClipPosition, 2>& positions,
                                      const ClipSettings& settings);
/// A point is a square of width 1. All weights are those of its vertex.
std::vector<ScreenTriangle> clip_point(const ClipPosition& position, const ClipSettings& settings);

}  // namespace texlate::sim
