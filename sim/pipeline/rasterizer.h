// Which samples a triangle or a line covers, and the weights of its vertices there (D3D11.3 functional
// specification 3.4, 15.16, 16; docs/reference/pipeline.md 5).
#pragma once

#include <functional>

#include "sim/pipeline/clipper.h"

namespace texlate::sim {

/// A point of a pixel in 1/256 of a pixel from the upper left corner of the target.
struct RasterPoint {
  int64_t x = 0, y = 0;
};

class TriangleSetup {
 public:
  explicit TriangleSetup(const ScreenTriangle& triangle);

  /// By the top-left rule.
  bool covers(RasterPoint point) const;
  /// Shares of the primitive's three vertices, with perspective and without.
  std::array<double, 3> weights(RasterPoint point) const;
  std::array<double, 3> screen_weights(RasterPoint point) const;
  /// Window depth with the bias; neither clamped nor converted.
  double depth(RasterPoint point) const;
  /// Clip-space w.
  double w(RasterPoint point) const;

 private:
  std::array<double, 3> shares(RasterPoint point) const;  // of the triangle's own vertices, on the screen
  std::array<int64_t, 3> edges(RasterPoint point) const;

  const ScreenTriangle& triangle_;
  double area_ = 0;
};

struct PixelRectangle {
  int32_t left = 0, top = 0, right = 0, bottom = 0;  // ends are outside
};
/// Pixels of the viewport, the scissor rectangle and the target.
PixelRectangle drawn_pixels(const Viewport& viewport, const RasterState& state, uint32_t width,
                            uint32_t height);

/// The point of sample `sample` of a pixel in the standard pattern; that of a pixel's center for 1 sample.
RasterPoint sample_point(uint32_t x, uint32_t y, uint32_t samples, uint32_t sample);
RasterPoint center_point(uint32_t x, uint32_t y);

/// Four pixels, of which some are covered; a bit for each covered sample of each.
struct RasterQuad {
  uint32_t x = 0, y = 0;  // of the first pixel; even
  std::array<uint32_t, 4> coverage{};
};
/// Calls take(quad) for each quad with a covered sample: row by row, or along a line.
void rasterize(const ScreenTriangle& triangle, const PixelRectangle& pixels, uint32_t samples,
               const std::function<void(const RasterQuad&)>& take);

}  // namespace texlate::sim
