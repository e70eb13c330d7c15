#include "sim/pipeline/rasterizer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "sim/pipeline/line_coverage.h"
#include "sim/texture_unit/query.h"

namespace texlate::sim {

TriangleSetup::TriangleSetup(const ScreenTriangle& triangle) : triangle_(triangle) {
  const auto& v = triangle.vertices;
  area_ = static_cast<double>((v[1].x - v[0].x) * (v[2].y - v[0].y) - (v[2].x - v[0].x) * (v[1].y - v[0].y));
}

/// Edge functions of the edges opposite each vertex; positive inside.
std::array<int64_t, 3> TriangleSetup::edges(RasterPoint point) const {
  std::array<int64_t, 3> made{};
  for (size_t i = 0; i < 3; ++i) {
    const ScreenVertex &a = triangle_.vertices[(i + 1) % 3], &b = triangle_.vertices[(i + 2) % 3];
    made[i] = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
  }
  return made;
}

// A point on an edge belongs to the triangle if the edge is a left one, or a horizontal one at the top.
bool TriangleSetup::covers(RasterPoint point) const {
  const std::array<int64_t, 3> edge = edges(point);
  for (size_t i = 0; i < 3; ++i) {
    const ScreenVertex &a = triangle_.vertices[(i + 1) % 3], &b = triangle_.vertices[(i + 2) % 3];
    const bool top_left = (b.y == a.y && b.x > a.x) || b.y < a.y;
    if (edge[i] < 0 || (edge[i] == 0 && !top_left)) return false;
  }
  return true;
}

std::array<double, 3> TriangleSetup::shares(RasterPoint point) const {
  const std::array<int64_t, 3> edge = edges(point);
  return {static_cast<double>(edge[0]) / area_, static_cast<double>(edge[1]) / area_,
          static_cast<double>(edge[2]) / area_};
}

std::array<double, 3> TriangleSetup::weights(RasterPoint point) const {
  const std::array<double, 3> share = shares(point);
  std::array<double, 3> made{};
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    const ScreenVertex& vertex = triangle_.vertices[i];
    const double part = share[i] * vertex.inverse_w;
    for (size_t k = 0; k < 3; ++k) made[k] += part * vertex.weights[k];
    sum += part;
  }
  for (double& weight : made) weight /= sum;
  return made;
}

std::array<double, 3> TriangleSetup::screen_weights(RasterPoint point) const {
  const std::array<double, 3> share = shares(point);
  std::array<double, 3> made{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) made[k] += share[i] * triangle_.vertices[i].screen_weights[k];
  }
  return made;
}

double TriangleSetup::depth(RasterPoint point) const {
  const std::array<double, 3> share = shares(point);
  const auto& v = triangle_.vertices;
  return share[0] * v[0].z + share[1] * v[1].z + share[2] * v[2].z + triangle_.depth_bias;
}

double TriangleSetup::w(RasterPoint point) const {
  const std::array<double, 3> share = shares(point);
  const auto& v = triangle_.vertices;
  return 1.0 / (share[0] * v[0].inverse_w + share[1] * v[1].inverse_w + share[2] * v[2].inverse_w);
}

PixelRectangle drawn_pixels(const Viewport& viewport, const RasterState& state, uint32_t width,
                            uint32_t height) {
  const auto floored = [](float v) {
    return static_cast<int32_t>(std::floor(std::clamp(v, -65536.0f, 65536.0f)));
  };
  PixelRectangle made{std::max(0, floored(viewport.left)), std::max(0, floored(viewport.top)),
                      std::min(static_cast<int32_t>(width), floored(viewport.left + viewport.width)),
                      std::min(static_cast<int32_t>(height), floored(viewport.top + viewport.height))};
  if (!state.scissor_enabled) return made;
  return {std::max(made.left, state.scissor.left), std::max(made.top, state.scissor.top),
          std::min(made.right, state.scissor.right), std::min(made.bottom, state.scissor.bottom)};
}

RasterPoint center_point(uint32_t x, uint32_t y) {
  return {int64_t{x} * 256 + 128, int64_t{y} * 256 + 128};
}

RasterPoint sample_point(uint32_t x, uint32_t y, uint32_t samples, uint32_t sample) {
  RasterPoint point = center_point(x, y);
  if (samples <= 1) return point;
  const Word4 offset = samplepos(samples, sample);  // in pixels, multiples of 1/16
  point.x += static_cast<int64_t>(std::bit_cast<float>(offset[0]) * 256.0f);
  point.y += static_cast<int64_t>(std::bit_cast<float>(offset[1]) * 256.0f);
  return point;
}

namespace {

using TakeQuad = std::function<void(const RasterQuad&)>;

/// Takes the quad at x, y if coverage(x, y) of one of its drawn pixels is not 0.
template <typename Coverage>
void visit_quad(int32_t x, int32_t y, const PixelRectangle& pixels, const Coverage& coverage,
                const TakeQuad& take) {
  RasterQuad quad{static_cast<uint32_t>(x), static_cast<uint32_t>(y), {}};
  bool any = false;
  for (uint32_t i = 0; i < 4; ++i) {
    const int32_t px = x + static_cast<int32_t>(i % 2), py = y + static_cast<int32_t>(i / 2);
    if (px < pixels.left || px >= pixels.right || py < pixels.top || py >= pixels.bottom) continue;
    quad.coverage[i] = coverage(static_cast<uint32_t>(px), static_cast<uint32_t>(py));
    any |= quad.coverage[i] != 0;
  }
  if (any) take(quad);
}

/// The pixels of `pixels` that touch the box around vertices.
PixelRectangle touched(std::span<const ScreenVertex> vertices, const PixelRectangle& pixels) {
  const auto by_x = [](const ScreenVertex& a, const ScreenVertex& b) { return a.x < b.x; };
  const auto by_y = [](const ScreenVertex& a, const ScreenVertex& b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(vertices.begin(), vertices.end(), by_x);
  const auto [top, bottom] = std::minmax_element(vertices.begin(), vertices.end(), by_y);
  const auto pixel_of = [](int64_t coordinate) { return static_cast<int32_t>(coordinate >> 8); };
  return {std::max(pixels.left, pixel_of(left->x)), std::max(pixels.top, pixel_of(top->y)),
          std::min(pixels.right, pixel_of(right->x) + 1), std::min(pixels.bottom, pixel_of(bottom->y) + 1)};
}

/// Columns that the line from `first` to `last` touches between two rows, and one more on both sides.
std::array<int32_t, 2> columns_between(const ScreenVertex& first, const ScreenVertex& last, int32_t top,
                                       int32_t bottom, const PixelRectangle& box) {
  if (first.y == last.y) return {box.left, box.right};
  const double slope = static_cast<double>(last.x - first.x) / static_cast<double>(last.y - first.y);
  const auto column_at = [&](int32_t row) {
    const double x = static_cast<double>(first.x) + (row * 256.0 - static_cast<double>(first.y)) * slope;
    return static_cast<int32_t>(std::clamp(std::floor(x / 256), box.left - 2.0, box.right + 2.0));
  };
  const int32_t from = column_at(top), to = column_at(bottom);
  return {std::max(box.left, std::min(from, to) - 1), std::min(box.right, std::max(from, to) + 2)};
}

void rasterize_line(const ScreenTriangle& line, const PixelRectangle& pixels, uint32_t samples,
                    const TakeQuad& take) {
  const ScreenVertex &first = line.vertices[0], &last = line.vertices[1];
  const LineCoverage covered(first, last);
  const auto all = static_cast<uint32_t>((uint64_t{1} << samples) - 1);
  const auto coverage = [&](uint32_t x, uint32_t y) { return covered.leaves(x, y) ? all : 0; };
  // The lower and the right border of a pixel may belong to its diamond, too.
  PixelRectangle box =
      touched({line.vertices.data(), 2}, {pixels.left, pixels.top, pixels.right + 1, pixels.bottom + 1});
  box = {std::max(box.left - 1, pixels.left), std::max(box.top - 1, pixels.top),
         std::min(box.right, pixels.right), std::min(box.bottom, pixels.bottom)};
  for (int32_t y = box.top & ~1; y < box.bottom; y += 2) {
    const auto [left, right] = columns_between(first, last, y - 1, y + 3, box);
    for (int32_t x = left & ~1; x < right; x += 2) visit_quad(x, y, pixels, coverage, take);
  }
}

/// The square of a point. By the top-left rule, its upper and left edges belong to it.
bool is_in_square(const ScreenTriangle& point, RasterPoint at) {
  const auto& [below, first, beside] = point.vertices;
  return at.x >= first.x && at.x < beside.x && at.y >= first.y && at.y < below.y;
}

}  // namespace

void rasterize(const ScreenTriangle& triangle, const PixelRectangle& pixels, uint32_t samples,
               const std::function<void(const RasterQuad&)>& take) {
  if (triangle.shape == ScreenShape::line) return rasterize_line(triangle, pixels, samples, take);
  const TriangleSetup setup(triangle);
  const bool is_point = triangle.shape == ScreenShape::point;
  const auto coverage = [&](uint32_t x, uint32_t y) {
    uint32_t covered = 0;
    for (uint32_t s = 0; s < samples; ++s) {
      const RasterPoint at = sample_point(x, y, samples, s);
      if (is_point ? is_in_square(triangle, at) : setup.covers(at)) covered |= 1u << s;
    }
    return covered;
  };
  const PixelRectangle box = touched(triangle.vertices, pixels);
  for (int32_t y = box.top & ~1; y < box.bottom; y += 2) {
    for (int32_t x = box.left & ~1; x < box.right; x += 2) visit_quad(x, y, pixels, coverage, take);
  }
}

}  // namespace texlate::sim
