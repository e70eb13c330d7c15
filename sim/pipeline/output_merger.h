// Depth, stencil and blending (D3D11.3 functional specification 17; docs/reference/pipeline.md 6).
#pragma once

#include <span>
#include <vector>

#include "sim/pipeline/draw_state.h"

namespace texlate::sim {

/// What is merged of a conservative depth (16.9.3.1; NaN: the rasterizer's depth).
enum class DepthRule : uint8_t { as_written, greater_equal, less_equal };
float limited_depth(DepthRule rule, float written, float rasterized);
/// A depth within the viewport's range, by Direct3D's max and min: a NaN becomes the least (15.6).
float clamped_depth(const Viewport& viewport, float depth);

/// Depth and stencil of each sample of a target.
class DepthBuffer {
 public:
  DepthBuffer(DepthFormat format, size_t samples, float depth, uint8_t stencil);

  /// Tests and updates one sample. `depth` is clamped and converted to the format.
  /// Returns true if both tests pass.
  bool test(const DepthState& state, const Viewport& viewport, bool is_front, size_t sample, float depth,
            uint8_t reference);

  bool exists() const { return format_ != DepthFormat::none; }
  /// D16 and D24: the code; D32: the float's bits.
  uint32_t depth(size_t sample) const { return depth_[sample]; }
  uint8_t stencil(size_t sample) const { return stencil_[sample]; }
  bool has_stencil() const { return format_ == DepthFormat::d24s8 || format_ == DepthFormat::d32s8; }
  /// The code that a depth gets in the format.
  static uint32_t converted(DepthFormat format, float depth);

 private:
  DepthFormat format_;
  std::vector<uint32_t> depth_;
  std::vector<uint8_t> stencil_;
};

/// A color as float bits, or integers of an integer format.
using Color = std::array<uint32_t, 4>;

/// What a target with this format has after a pixel shader's `source`, where it had `stored`; not yet
/// encoded. Integer formats are not blended.
Color merged_color(const FormatInfo& format, const BlendState& state, uint32_t target, const Color& stored,
                   const Color& source, const Color& source1);

}  // namespace texlate::sim
