#include "sim/pipeline/clipper.h"

#include <algorithm>
#include <cmath>

namespace texlate::sim {

namespace {

// Direct3D clips to -w and w, or to any wider band, because pixels outside the viewport are not drawn. Within
// this band, coordinates in 1/256 of a pixel stay below 2^30.
constexpr double kGuardBand = 128;

struct ClipVertex {
  std::array<double, 4> position{};
  std::array<double, 3> weights{};
};
using Polygon = std::vector<ClipVertex>;

/// The vertex between a and b at fraction t.
ClipVertex between(const ClipVertex& a, const ClipVertex& b, double t) {
  ClipVertex made;
  for (size_t c = 0; c < 4; ++c) made.position[c] = a.position[c] + t * (b.position[c] - a.position[c]);
  for (size_t k = 0; k < 3; ++k) made.weights[k] = a.weights[k] + t * (b.weights[k] - a.weights[k]);
  return made;
}

/// The part where distance(vertex) >= 0 of a polygon or, with two vertices, of a line.
template <typename Distance>
Polygon clipped(const Polygon& polygon, Distance distance) {
  Polygon inside;
  const size_t edges = polygon.size() == 2 ? 1 : polygon.size();
  for (size_t i = 0; i < edges; ++i) {
    const ClipVertex &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double from = distance(a), to = distance(b);
    if (from >= 0) inside.push_back(a);
    if ((from >= 0) != (to >= 0)) inside.push_back(between(a, b, from / (from - to)));
    if (edges == 1 && to >= 0) inside.push_back(b);
  }
  return inside;
}

/// w > 0 holds for what is left: where w is 0, x and y are too, which no perspective shows.
Polygon clipped_to_volume(Polygon polygon, bool depth_clip) {
  constexpr double kLeastW = 0x1p-126;  // the least float that is no denormal
  polygon = clipped(polygon, [](const ClipVertex& v) { return v.position[3] - kLeastW; });
  for (ClipVertex& vertex : polygon) vertex.position[3] = std::max(vertex.position[3], kLeastW);
  if (depth_clip) {
    polygon = clipped(polygon, [](const ClipVertex& v) { return v.position[2]; });
    polygon = clipped(polygon, [](const ClipVertex& v) { return v.position[3] - v.position[2]; });
  }
  for (size_t axis = 0; axis < 2; ++axis) {
    polygon =
        clipped(polygon, [&](const ClipVertex& v) { return kGuardBand * v.position[3] - v.position[axis]; });
    polygon =
        clipped(polygon, [&](const ClipVertex& v) { return kGuardBand * v.position[3] + v.position[axis]; });
  }
  return polygon;
}

Polygon polygon_of(std::span<const ClipPosition> positions) {
  Polygon polygon(positions.size());
  for (size_t i = 0; i < polygon.size(); ++i) {
    for (size_t c = 0; c < 4; ++c) polygon[i].position[c] = positions[i][c];
    polygon[i].weights[i] = 1;
  }
  return polygon;
}

/// Eight fraction bits, rounded to nearest even (3.2.4.1, 15.16).
int64_t snapped(double coordinate) {
  return std::llrint(coordinate * 256.0);
}

/// `w`: of the primitive's vertices.
ScreenVertex on_screen(const ClipVertex& vertex, const std::array<double, 3>& w, const Viewport& viewport) {
  const double inverse_w = 1.0 / vertex.position[3];
  const auto ndc = [&](size_t c) { return static_cast<float>(vertex.position[c] * inverse_w); };
  ScreenVertex made;
  made.x = snapped((ndc(0) + 1.0f) * (viewport.width * 0.5f) + viewport.left);
  made.y = snapped((1.0f - ndc(1)) * (viewport.height * 0.5f) + viewport.top);
  made.z = viewport.min_depth + ndc(2) * (viewport.max_depth - viewport.min_depth);
  made.inverse_w = inverse_w;
  made.weights = vertex.weights;
  for (size_t k = 0; k < 3; ++k) made.screen_weights[k] = vertex.weights[k] * w[k] * inverse_w;
  return made;
}

int64_t doubled_area(const std::array<ScreenVertex, 3>& v) {
  return (v[1].x - v[0].x) * (v[2].y - v[0].y) - (v[2].x - v[0].x) * (v[1].y - v[0].y);
}

/// r of the bias formula (15.10): the smallest step of the depth format. `largest`: of the depths of the
/// primitive, so that all pieces of a clipped triangle have one bias.
double bias_unit(double largest, DepthFormat format) {
  if (format == DepthFormat::d16) return 1.0 / 65535;
  if (format != DepthFormat::d32 && format != DepthFormat::d32s8) return 1.0 / 16777215;
  if (largest == 0) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, exponent - 1 - 23);
}

double depth_bias(const std::array<ScreenVertex, 3>& v, double area, double largest,
                  const ClipSettings& settings) {
  const RasterState& state = settings.raster;
  if (state.depth_bias == 0 && state.slope_scaled_bias == 0) return 0;
  double bias = state.depth_bias * bias_unit(largest, settings.depth_format);
  if (state.slope_scaled_bias != 0 && area != 0) {
    const auto x = [&](size_t i) { return static_cast<double>(v[i].x) / 256; };
    const auto y = [&](size_t i) { return static_cast<double>(v[i].y) / 256; };
    const double twice = area / 65536;
    const double dx = ((v[1].z - v[0].z) * (y(2) - y(0)) - (v[2].z - v[0].z) * (y(1) - y(0))) / twice;
    const double dy = ((v[2].z - v[0].z) * (x(1) - x(0)) - (v[1].z - v[0].z) * (x(2) - x(0))) / twice;
    bias += state.slope_scaled_bias * std::max(std::fabs(dx), std::fabs(dy));
  }
  if (state.depth_bias_clamp > 0) return std::min<double>(state.depth_bias_clamp, bias);
  if (state.depth_bias_clamp < 0) return std::max<double>(state.depth_bias_clamp, bias);
  return bias;
}

bool has_nan(std::span<const ClipPosition> positions) {
  for (const ClipPosition& position : positions) {
    if (std::ranges::any_of(position, [](float c) { return std::isnan(c) || std::isinf(c); })) return true;
  }
  return false;
}

}  // namespace

std::vector<ScreenTriangle> clip_triangle(const std::array<ClipPosition, 3>& positions,
                                          const ClipSettings& settings) {
  std::vector<ScreenTriangle> made;
  if (has_nan(positions)) return made;
  const std::array<double, 3> w = {positions[0][3], positions[1][3], positions[2][3]};
  const Polygon polygon = clipped_to_volume(polygon_of(positions), settings.raster.depth_clip);
  double largest = 0;
  for (const ClipVertex& vertex : polygon)
    largest = std::max(largest, std::fabs(on_screen(vertex, w, settings.viewport).z));
  for (size_t i = 2; i < polygon.size(); ++i) {
    ScreenTriangle triangle;
    triangle.vertices = {on_screen(polygon[0], w, settings.viewport),
                         on_screen(polygon[i - 1], w, settings.viewport),
                         on_screen(polygon[i], w, settings.viewport)};
    const int64_t area = doubled_area(triangle.vertices);
    triangle.is_front = (area > 0) != settings.raster.front_counter_clockwise && area != 0;
    const CullMode culled = triangle.is_front ? CullMode::front : CullMode::back;
    if (area == 0 || settings.raster.cull == culled) continue;
    triangle.depth_bias = depth_bias(triangle.vertices, static_cast<double>(area), largest, settings);
    if (area < 0) std::swap(triangle.vertices[1], triangle.vertices[2]);
    made.push_back(triangle);
  }
  return made;
}

std::vector<ScreenTriangle> clip_line(const std::array<ClipPosition, 2>& positions,
                                      const ClipSettings& settings) {
  if (has_nan(positions)) return {};
  const Polygon line = clipped_to_volume(polygon_of(positions), settings.raster.depth_clip);
  if (line.size() != 2) return {};
  const std::array<double, 3> w = {positions[0][3], positions[1][3], 0};
  ScreenTriangle made;
  made.shape = ScreenShape::line;
  auto& [first, last, beside] = made.vertices;
  first = beside = on_screen(line[0], w, settings.viewport);
  last = on_screen(line[1], w, settings.viewport);
  beside.x -= last.y - first.y;
  beside.y += last.x - first.x;
  if (doubled_area(made.vertices) == 0) return {};
  return {made};
}

std::vector<ScreenTriangle> clip_point(const ClipPosition& position, const ClipSettings& settings) {
  if (has_nan({&position, 1})) return {};
  ClipVertex vertex;
  for (size_t c = 0; c < 4; ++c) vertex.position[c] = position[c];
  vertex.weights[0] = 1;
  const double w = vertex.position[3];
  const bool in_band =
      std::fabs(vertex.position[0]) <= kGuardBand * w && std::fabs(vertex.position[1]) <= kGuardBand * w;
  const bool in_depth = !settings.raster.depth_clip || (vertex.position[2] >= 0 && vertex.position[2] <= w);
  if (!(w > 0) || !in_band || !in_depth) return {};
  const ScreenVertex center = on_screen(vertex, {w, w, w}, settings.viewport);
  const auto corner = [&](int64_t x, int64_t y) {
    ScreenVertex moved = center;
    moved.x += x * 128;
    moved.y += y * 128;
    return moved;
  };
  ScreenTriangle made;
  made.vertices = {corner(-1, 1), corner(-1, -1), corner(1, -1)};
  made.shape = ScreenShape::point;
  return {made};
}

}  // namespace texlate::sim
