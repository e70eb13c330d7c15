// A sampling instruction as IR text, as random elements, and as the texture unit's own answer.
#pragma once

#include <fmt/format.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "sim/ir/interpreter.h"
#include "sim/texture_unit/sample.h"

namespace texlate {

/// How the instruction reads; the level rule is separate.
enum class Reading : uint8_t { sample, sample_c, gather, gather_c, gather_po, gather_po_c };

struct SamplingCase {
  sim::Dimension dimension = sim::Dimension::texture2d;
  Reading reading = Reading::sample;
  sim::LodSource level = sim::LodSource::derivatives;
  sim::TexelOffset offset{};
  int component = 0;  // gathers

  bool compares() const {
    return reading == Reading::sample_c || reading == Reading::gather_c || reading == Reading::gather_po_c;
  }
  bool gathers() const { return reading >= Reading::gather; }
  bool offset_by_register() const { return reading == Reading::gather_po || reading == Reading::gather_po_c; }
};

/// One element's operands: planes of v0 .. v3.
struct SamplingElement {
  std::array<float, 3> coordinate{};
  float layer = 0;
  float lod = 0;  // bias or level
  float reference = 0;
  std::array<uint32_t, 2> offset{};  // gather4_po
  std::array<float, 3> ddx{}, ddy{};
};
constexpr uint32_t kSamplingPlanes = 16;

inline uint32_t sampled_axes(sim::Dimension dimension) {
  const sim::DimensionInfo& info = sim::dimension_info(dimension);
  return info.cube ? 3 : info.axes;
}

inline std::string sampling_text(const SamplingCase& c) {
  static constexpr const char* kNames[] = {"texture1d",      "texture1darray", "texture2d",
                                           "texture2darray", "texture2dms",    "texture2dmsarray",
                                           "texture3d",      "texturecube",    "texturecubearray"};
  static constexpr const char* kAxes[] = {"%0", "%1", "%2"};
  const std::string name = kNames[static_cast<size_t>(c.dimension)];
  const uint32_t axes = sampled_axes(c.dimension);
  std::string access = name + " float coord(" + fmt::format("{}", fmt::join(kAxes, kAxes + axes, ", ")) + ")";
  if (sim::dimension_info(c.dimension).slice >= 0) access += " layer(%3)";
  if (!c.gathers()) {
    switch (c.level) {
      case sim::LodSource::derivatives: access += " implicit"; break;
      case sim::LodSource::bias: access += " bias(%4)"; break;
      case sim::LodSource::level: access += " level(%4)"; break;
      case sim::LodSource::zero: access += " level_zero"; break;
      case sim::LodSource::gradients: {
        static constexpr const char* kDdx[] = {"%8", "%9", "%10"};
        static constexpr const char* kDdy[] = {"%12", "%13", "%14"};
        access += fmt::format(" gradient ddx({}) ddy({})", fmt::join(kDdx, kDdx + axes, ", "),
                              fmt::join(kDdy, kDdy + axes, ", "));
        break;
      }
    }
  }
  if (c.offset_by_register()) {
    access += " offset_by(%6, %7)";
  } else if (c.offset != sim::TexelOffset{}) {
    access += fmt::format(" offset({}, {}, {})", c.offset[0], axes > 1 ? c.offset[1] : 0,
                          axes > 2 ? c.offset[2] : 0);
  }
  if (c.compares()) access += " compare(%5)";
  if (c.gathers() && c.component != 0) access += fmt::format(" component({})", c.component);
  std::string text = fmt::format("module pixel 5.0 \"main\"\nresource t0 {} float\nsampler s0{}\n", name,
                                 c.compares() ? " comparison" : "");
  for (uint32_t v = 0; v < 4; ++v) text += fmt::format("input v{}.xyzw\n", v);
  text += "output o0.xyzw\ncode {\n";
  for (uint32_t i = 0; i < 16; ++i) text += fmt::format("  %{} = input v{}.{}\n", i, i / 4, "xyzw"[i % 4]);
  text += fmt::format("  %16..%19 = tex.{} t0 s0 {}\n", c.gathers() ? "gather" : "sample", access);
  for (uint32_t i = 0; i < 4; ++i) text += fmt::format("  output o0.{}, %{}\n", "xyzw"[i], 16 + i);
  return text + "}\n";
}

class SamplingElements {
 public:
  /// `count` is a multiple of 4. Coordinates: most of them within a few repetitions, many on texel edges and
  /// centers, some far out, some NaN.
  SamplingElements(const SamplingCase& c, const sim::TextureView& view, uint32_t count, uint32_t seed)
      : random_(seed) {
    const uint32_t axes = sampled_axes(c.dimension);
    const bool cube = sim::dimension_info(c.dimension).cube;
    for (uint32_t e = 0; e < count; ++e) {
      SamplingElement element;
      for (uint32_t axis = 0; axis < axes; ++axis) {
        element.coordinate[axis] = cube ? direction() : coordinate(view.size(0)[static_cast<int>(axis)]);
        // Most quads are close together, so that derivatives reach all mips.
        const bool together = e % 4 != 0 && (e / 4) % 8 != 0;
        if (together)
          element.coordinate[axis] = list[e & ~3u].coordinate[axis] + step(list[e & ~3u].coordinate[axis]);
        element.ddx[axis] = gradient();
        element.ddy[axis] = gradient();
      }
      // A direction of zeros has no face (docs/reference/direct3d.md 2.6).
      if (cube && element.coordinate == std::array<float, 3>{}) element.coordinate[2] = 1;
      element.layer = layer(view.array_size());
      element.lod = c.level == sim::LodSource::bias ? uniform(-4, 4) : level();
      element.reference = reference();
      for (uint32_t& offset : element.offset)
        offset = one_in(4) ? static_cast<uint32_t>(random_()) : random_() % 64;
      list.push_back(element);
    }
    for (uint32_t p = 0; p < kSamplingPlanes; ++p) {
      for (const SamplingElement& e : list) planes.push_back(word(e, p));
    }
  }

  std::vector<SamplingElement> list;
  std::vector<uint32_t> planes;

 private:
  static uint32_t word(const SamplingElement& e, uint32_t plane) {
    const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
    switch (plane) {
      case 3: return bits(e.layer);
      case 4: return bits(e.lod);
      case 5: return bits(e.reference);
      case 6:
      case 7: return e.offset[plane - 6];
      case 11:
      case 15: return 0;
      default:
        return bits(plane < 3 ? e.coordinate[plane] : plane < 11 ? e.ddx[plane - 8] : e.ddy[plane - 12]);
    }
  }

  bool one_in(uint32_t n) { return random_() % n == 0; }
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  float special() {
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();
    static constexpr float kNumbers[] = {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(),
                                         3.4e38f,   -3.4e38f,   1e20f,
                                         -1e20f,    0.0f,       -0.0f};
    return kNumbers[random_() % std::size(kNumbers)];
  }
  float coordinate(uint32_t size) {
    const auto n = static_cast<float>(size);
    switch (random_() % 16) {
      case 0: return special();
      case 1: return uniform(-1, 1) * 1e7f;
      case 2: return uniform(-200, 200);
      case 3:
      case 4:
        return static_cast<float>(static_cast<int>(random_() % (6 * size)) - static_cast<int>(2 * size)) /
               n;  // an edge
      case 5:
      case 6:
        return (static_cast<float>(static_cast<int>(random_() % (6 * size)) - static_cast<int>(2 * size)) +
                0.5f) /
               n;
      case 7: return uniform(0, 1);
      default: return uniform(-2.5f, 3.5f);
    }
  }
  float direction() {
    switch (random_() % 8) {
      case 0: return static_cast<float>(static_cast<int>(random_() % 3) - 1);  // ties between faces, corners
      case 1: return uniform(-1, 1) * 1e4f;
      default: return uniform(-2, 2);
    }
  }
  float gradient() { return one_in(4) ? 0.0f : std::exp2(uniform(-9, 1)) * (one_in(2) ? 1.0f : -1.0f); }
  // Mostly values of texels.
  float reference() {
    if (one_in(16)) return special();
    return one_in(8) ? uniform(-0.5f, 1.5f) : static_cast<float>(random_() % 5) / 4;
  }
  // 0 occasionally; coordinates that are NaN stay unchanged.
  float step(float from) {
    if (one_in(4) || !(std::fabs(from) < 1e6f)) return 0;
    return std::exp2(uniform(-9, 0)) * (one_in(2) ? 1.0f : -1.0f);
  }
  float level() {
    switch (random_() % 10) {
      case 0: return special();
      case 1:
        return static_cast<float>(static_cast<int>(random_() % 12) - 2) /
               2;  // halves, where the nearest mip changes
      default: return uniform(-1.5f, 5.5f);
    }
  }
  float layer(uint32_t count) {
    switch (random_() % 8) {
      case 0: return special();
      case 1: return static_cast<float>(static_cast<int>(random_() % (2 * count + 4)) - 2) / 2;  // ties
      default: return uniform(-1.2f, static_cast<float>(count) + 0.7f);
    }
  }

  std::mt19937 random_;
};

/// Fine derivatives over the quad of an element, without denormals.
inline sim::Derivatives quad_derivatives(const std::vector<SamplingElement>& list, size_t e) {
  sim::Derivatives result;
  for (size_t axis = 0; axis < 3; ++axis) {
    result.ddx[axis] = list[e | 1].coordinate[axis] - list[e & ~size_t{1}].coordinate[axis];
    result.ddy[axis] = list[e | 2].coordinate[axis] - list[e & ~size_t{2}].coordinate[axis];
  }
  return result;
}

/// The texture unit's own answer. `shift`: error of the coordinates in texels of mip 0 (for cubes: of the
/// direction's major axis).
inline sim::Word4 texture_unit_answer(const SamplingCase& c, const sim::TextureView& view,
                                      const sim::Sampler& sampler, const SamplingElement& e,
                                      const sim::Derivatives& derivatives, const std::array<float, 3>& shift,
                                      const sim::UnitOptions& options, float lod_shift) {
  sim::Access access;
  const sim::DimensionInfo& info = sim::dimension_info(c.dimension);
  std::array<float, 4> coordinate{};
  for (uint32_t axis = 0; axis < sampled_axes(c.dimension); ++axis)
    coordinate[axis] = e.coordinate[axis] + shift[axis];
  if (info.slice >= 0) coordinate[static_cast<size_t>(info.slice)] = e.layer;
  const sim::TexelOffset offset =
      c.offset_by_register() ? sim::programmable_offset(e.offset[0], e.offset[1]) : c.offset;
  if (c.gathers()) {
    return c.compares() ? sim::gather4_c(view, sampler, coordinate, offset, e.reference, options, access)
                        : sim::gather4(view, sampler, coordinate, offset, c.component, options, access);
  }
  sim::SampleOperands operands;
  operands.coordinate = coordinate;
  operands.lod_source = c.level;
  operands.lod = e.lod;
  operands.derivatives = derivatives;
  if (c.level == sim::LodSource::gradients) operands.derivatives = {e.ddx, e.ddy};
  operands.offset = offset;
  if (c.compares()) operands.reference = e.reference;
  sim::Sampler shifted = sampler;
  shifted.mip_lod_bias += lod_shift;
  return sim::sample(view, shifted, operands, options, access);
}

}  // namespace texlate
