#include "sim/pipeline/output_merger.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace texlate::sim {

namespace {

template <typename T>
bool passes(Compare compare, T a, T b) {
  switch (compare) {
    case Compare::never: return false;
    case Compare::less: return a < b;
    case Compare::equal: return a == b;
    case Compare::less_equal: return a <= b;
    case Compare::greater: return a > b;
    case Compare::not_equal: return a != b;
    case Compare::greater_equal: return a >= b;
    case Compare::always: return true;
  }
  return true;
}

uint8_t after(StencilOp op, uint8_t stored, uint8_t reference) {
  switch (op) {
    case StencilOp::keep: return stored;
    case StencilOp::zero: return 0;
    case StencilOp::replace: return reference;
    case StencilOp::increment_sat: return static_cast<uint8_t>(std::min(stored + 1, 255));
    case StencilOp::decrement_sat: return static_cast<uint8_t>(std::max(stored - 1, 0));
    case StencilOp::invert: return static_cast<uint8_t>(~stored);
    case StencilOp::increment: return static_cast<uint8_t>(stored + 1);
    case StencilOp::decrement: return static_cast<uint8_t>(stored - 1);
  }
  return stored;
}

float number(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// To the range of the target (19.3.4); NaN becomes 0 in a fixed-point target.
float in_range(Kind kind, float value) {
  if (kind == Kind::unorm) return value > 0 ? std::min(value, 1.0f) : 0.0f;
  if (kind == Kind::snorm) return std::isnan(value) ? 0.0f : std::clamp(value, -1.0f, 1.0f);
  return value;
}

struct BlendInputs {
  std::array<float, 4> source, source1, target, constant;
};

float factor(BlendFactor which, const BlendInputs& in, size_t c) {
  switch (which) {
    case BlendFactor::zero: return 0;
    case BlendFactor::one: return 1;
    case BlendFactor::source_color: return in.source[c];
    case BlendFactor::inverse_source_color: return 1 - in.source[c];
    case BlendFactor::source_alpha: return in.source[3];
    case BlendFactor::inverse_source_alpha: return 1 - in.source[3];
    case BlendFactor::target_alpha: return in.target[3];
    case BlendFactor::inverse_target_alpha: return 1 - in.target[3];
    case BlendFactor::target_color: return in.target[c];
    case BlendFactor::inverse_target_color: return 1 - in.target[c];
    case BlendFactor::source_alpha_saturated: return c == 3 ? 1 : std::min(in.source[3], 1 - in.target[3]);
    case BlendFactor::constant: return in.constant[c];
    case BlendFactor::inverse_constant: return 1 - in.constant[c];
    case BlendFactor::source1_color: return in.source1[c];
    case BlendFactor::inverse_source1_color: return 1 - in.source1[c];
    case BlendFactor::source1_alpha: return in.source1[3];
    case BlendFactor::inverse_source1_alpha: return 1 - in.source1[3];
  }
  return 0;
}

float blended(const BlendEquation& equation, const BlendInputs& in, size_t c) {
  const float s = in.source[c], d = in.target[c];
  if (equation.op == BlendOp::min) return std::fmin(s, d);
  if (equation.op == BlendOp::max) return std::fmax(s, d);
  const float source = s * factor(equation.source, in, c), target = d * factor(equation.target, in, c);
  if (equation.op == BlendOp::subtract) return source - target;
  if (equation.op == BlendOp::reverse_subtract) return target - source;
  return source + target;
}

}  // namespace

float limited_depth(DepthRule rule, float written, float rasterized) {
  if (rule == DepthRule::as_written) return written;
  return rule == DepthRule::greater_equal ? std::fmax(rasterized, written) : std::fmin(rasterized, written);
}

float clamped_depth(const Viewport& viewport, float depth) {
  return std::fmin(viewport.max_depth, std::fmax(viewport.min_depth, depth));
}

DepthBuffer::DepthBuffer(DepthFormat format, size_t samples, float depth, uint8_t stencil) : format_(format) {
  if (!exists()) return;
  depth_.assign(samples, converted(format, depth));
  stencil_.assign(samples, stencil);
}

uint32_t DepthBuffer::converted(DepthFormat format, float depth) {
  switch (format) {
    case DepthFormat::d16: return static_cast<uint32_t>(std::floor(double{depth} * 65535 + 0.5));
    case DepthFormat::d24s8: return static_cast<uint32_t>(std::floor(double{depth} * 16777215 + 0.5));
    default: return std::bit_cast<uint32_t>(depth);
  }
}

bool DepthBuffer::test(const DepthState& state, const Viewport& viewport, bool is_front, size_t sample,
                       float depth, uint8_t reference) {
  if (!exists()) return true;
  const bool stencils = state.stencil_enabled && has_stencil();
  const StencilFace& face = is_front ? state.front : state.back;
  const auto masked = [&](uint8_t value) { return static_cast<uint8_t>(value & state.read_mask); };
  const auto update = [&](StencilOp op) {
    if (!stencils) return;
    const uint8_t made = after(op, stencil_[sample], reference);
    stencil_[sample] =
        static_cast<uint8_t>((stencil_[sample] & ~state.write_mask) | (made & state.write_mask));
  };
  if (stencils && !passes(face.compare, masked(reference), masked(stencil_[sample]))) {
    update(face.fail);
    return false;
  }
  if (state.enabled) {
    const uint32_t made = converted(format_, clamped_depth(viewport, depth));
    const bool is_float = format_ == DepthFormat::d32 || format_ == DepthFormat::d32s8;
    const bool passed = is_float ? passes(state.compare, number(made), number(depth_[sample]))
                                 : passes(state.compare, made, depth_[sample]);
    if (!passed) {
      update(face.depth_fail);
      return false;
    }
    if (state.writes) depth_[sample] = made;
  }
  update(face.pass);
  return true;
}

Color merged_color(const FormatInfo& format, const BlendState& state, uint32_t target, const Color& stored,
                   const Color& source, const Color& source1) {
  const BlendTarget& blend = state.targets.at(target);
  Color made = source;
  if (blend.enabled && !format.is_integer()) {
    BlendInputs in{};
    for (size_t c = 0; c < 4; ++c) {
      const Kind kind = format.kind;
      in.source[c] = in_range(kind, number(source[c]));
      in.source1[c] = in_range(kind, number(source1[c]));
      in.constant[c] = in_range(kind, state.constant[c]);
      in.target[c] = number(stored[c]);
    }
    for (size_t c = 0; c < 4; ++c)
      made[c] = std::bit_cast<uint32_t>(blended(c == 3 ? blend.alpha : blend.color, in, c));
  }
  for (size_t c = 0; c < 4; ++c) {
    if (((blend.write_mask >> c) & 1) == 0) made[c] = stored[c];
  }
  return made;
}

}  // namespace texlate::sim
