// The state of the rasterizer and the output merger that a draw uses. Values are those of Direct3D 11.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/texture_unit/format.h"

namespace texlate::sim {

struct Viewport {
  float left = 0, top = 0, width = 0, height = 0, min_depth = 0, max_depth = 1;
};

/// The word that clears a component of an integer format: numbers beyond those of signed and unsigned formats
/// are the nearest.
inline uint32_t integer_clear(float value) {
  return static_cast<uint32_t>(static_cast<int64_t>(std::clamp(double{value}, -0x1p31, 0x1p32 - 1)));
}

struct ScissorRectangle {
  int32_t left = 0, top = 0, right = 0, bottom = 0;  // ends are outside
};

enum class CullMode : uint8_t { none, front, back };
enum class DepthFormat : uint8_t { none, d16, d24s8, d32, d32s8 };

struct RasterState {
  CullMode cull = CullMode::back;
  bool front_counter_clockwise = false;
  bool depth_clip = true;
  int32_t depth_bias = 0;
  float depth_bias_clamp = 0, slope_scaled_bias = 0;
  bool scissor_enabled = false;
  ScissorRectangle scissor;
};

enum class Compare : uint8_t {
  never = 1,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  always
};
enum class StencilOp : uint8_t {
  keep = 1,
  zero,
  replace,
  increment_sat,
  decrement_sat,
  invert,
  increment,
  decrement
};
struct StencilFace {
  StencilOp fail = StencilOp::keep, depth_fail = StencilOp::keep, pass = StencilOp::keep;
  Compare compare = Compare::always;
};
struct DepthState {
  bool enabled = true, writes = true;
  Compare compare = Compare::less;
  bool stencil_enabled = false;
  uint8_t read_mask = 0xff, write_mask = 0xff, reference = 0;
  StencilFace front, back;
};

enum class BlendOp : uint8_t { add = 1, subtract, reverse_subtract, min, max };
enum class BlendFactor : uint8_t {
  zero = 1,
  one,
  source_color,
  inverse_source_color,
  source_alpha,
  inverse_source_alpha,
  target_alpha,
  inverse_target_alpha,
  target_color,
  inverse_target_color,
  source_alpha_saturated,
  constant = 14,
  inverse_constant,
  source1_color,
  inverse_source1_color,
  source1_alpha,
  inverse_source1_alpha,
};
struct BlendEquation {
  BlendFactor source = BlendFactor::one, target = BlendFactor::zero;
  BlendOp op = BlendOp::add;
};
struct BlendTarget {
  bool enabled = false;
  BlendEquation color, alpha;
  uint8_t write_mask = 0xf;
};
/// Does it blend with the second color of the pixel shader?
constexpr bool reads_second_source(const BlendTarget& target) {
  const auto is_second = [](BlendFactor factor) {
    return factor == BlendFactor::source1_color || factor == BlendFactor::inverse_source1_color ||
           factor == BlendFactor::source1_alpha || factor == BlendFactor::inverse_source1_alpha;
  };
  return target.enabled && (is_second(target.color.source) || is_second(target.color.target) ||
                            is_second(target.alpha.source) || is_second(target.alpha.target));
}
struct BlendState {
  std::array<BlendTarget, 8> targets;
  std::array<float, 4> constant{1, 1, 1, 1};
  uint32_t sample_mask = 0xffffffffu;
};

}  // namespace texlate::sim
