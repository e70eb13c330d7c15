#include "tools/executor/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace texlate::executor {

namespace {

bool is_nan(uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

std::string both(std::string_view where, uint32_t a, uint32_t b) {
  return fmt::format("{}: {:g} ({:08x}) and {:g} ({:08x})", where, std::bit_cast<float>(a), a,
                     std::bit_cast<float>(b), b);
}

bool is_denormal(uint32_t bits) {
  return (bits & 0x7f800000u) == 0 && (bits & 0x007fffffu) != 0;
}

enum class WordType : uint8_t { integer, float_, any };

/// Stencil has eight bits (D3D11.3 functional specification 17, output merger). A route may have anything in
/// the other bits.
constexpr uint32_t kStencilBits = 0xff;

struct Collector {
  Comparison result;
  Tolerance tolerance;

  /// True if the words differ.
  template <typename Where>
  bool word(uint32_t a, uint32_t b, WordType type, Where where) {
    if (a == b) return false;
    const bool is_float = type != WordType::integer;
    const uint32_t ulp = is_float ? ulp_distance(a, b) : (a > b ? a - b : b - a);
    if (is_float && ulp <= tolerance.ulp) return false;
    // A NaN is far from everything. A word that may be a small integer is not compared as a small float.
    const double difference = std::fabs(double{std::bit_cast<float>(a)} - double{std::bit_cast<float>(b)});
    if (type == WordType::float_ && difference <= tolerance.absolute) return false;
    if (type == WordType::any && !is_denormal(a) && !is_denormal(b) && difference <= tolerance.absolute)
      return false;
    ++result.words;
    if (result.first.empty()) result.first = both(where(), a, b);
    if (ulp > result.worst_ulp) {
      result.worst_ulp = ulp;
      result.worst = both(where(), a, b);
    }
    if (is_float && std::isfinite(difference))
      result.worst_difference = std::max(result.worst_difference, difference);
    return true;
  }
};

/// oMask, if one route draws to a target and the other knows the mask: a pixel whose mask selects no sample
/// of the target is not drawn.
class CoverageMask {
 public:
  CoverageMask(const Shader& shader, const sim::Scene& scene) {
    for (const ir::Parameter& output : shader.contract.outputs) {
      if (output.system_value != ir::SystemValue::coverage_out) continue;
      register_ = sim::output_plane_register(shader.contract, output);
      first_ = size_t{register_} * 4 * scene.element_count();
    }
    if (scene.samples() < 32) samples_ = (1u << scene.samples()) - 1;
  }
  bool hides(const RouteResult& knowing, const RouteResult& drawing, uint32_t element) const {
    return register_ != kNone && !is_unknown(knowing) && is_unknown(drawing) &&
           (knowing.outputs[first_ + element] & samples_) == 0;
  }

 private:
  static constexpr uint32_t kNone = ~0u;
  bool is_unknown(const RouteResult& route) const {
    return std::find(route.unknown.begin(), route.unknown.end(), register_) != route.unknown.end();
  }
  uint32_t register_ = kNone, samples_ = ~0u;
  size_t first_ = 0;
};

void compare_elements(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                      const RouteResult& b, Collector& collector) {
  const uint32_t count = scene.element_count();
  const bool pixel = shader.contract.stage == ir::Stage::pixel;
  const CoverageMask mask(shader, scene);
  for (uint32_t e = 0; e < count; ++e) {
    const auto [x, y] = scene.pixel_of(e);
    if (pixel && (x >= scene.width() || y >= scene.height())) continue;
    if ((a.undefined[e] | b.undefined[e]) != 0) {
      ++collector.result.masked;
      continue;
    }
    ++collector.result.elements;
    const std::string place = pixel ? fmt::format("pixel ({}, {})", x, y) : fmt::format("vertex {}", e);
    bool differs = false;
    const bool hidden_from_a = mask.hides(b, a, e), hidden_from_b = mask.hides(a, b, e);
    if (pixel) {
      differs = collector.word(hidden_from_b ? 0 : a.written[e], hidden_from_a ? 0 : b.written[e],
                               WordType::integer, [&] { return place + " written"; });
    }
    if (hidden_from_a || hidden_from_b) {
      collector.result.different += differs ? 1 : 0;
      continue;
    }
    for (const ir::Parameter& parameter : shader.contract.outputs) {
      const uint32_t reg = sim::output_plane_register(shader.contract, parameter);
      const auto is_reg = [reg](uint32_t unknown) { return unknown == reg; };
      if (std::any_of(a.unknown.begin(), a.unknown.end(), is_reg)) continue;
      if (std::any_of(b.unknown.begin(), b.unknown.end(), is_reg)) continue;
      const bool integer = parameter.component_type == 1 || parameter.component_type == 2;
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        const size_t at = (size_t{reg} * 4 + c) * count + e;
        const uint32_t bits = parameter.system_value == ir::SystemValue::stencil_ref ? kStencilBits : ~0u;
        differs |= collector.word(a.outputs[at] & bits, b.outputs[at] & bits,
                                  integer ? WordType::integer : WordType::float_,
                                  [&, c] { return fmt::format("o{}.{} of {}", reg, "xyzw"[c], place); });
      }
    }
    collector.result.different += differs ? 1 : 0;
  }
}

}  // namespace

uint32_t ulp_distance(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b) ? 0 : 0xffffffffu;
  // Maps floats to integers in the order of their values.
  auto ordered = [](uint32_t bits) {
    const auto magnitude = static_cast<int64_t>(bits & 0x7fffffffu);
    return (bits >> 31) != 0 ? -magnitude : magnitude;
  };
  const int64_t distance = ordered(a) - ordered(b);
  return static_cast<uint32_t>(std::min<int64_t>(distance < 0 ? -distance : distance, 0xfffffffe));
}

Comparison compare_outputs(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                           const RouteResult& b, const Tolerance& tolerance) {
  Collector collector{{}, tolerance};
  if (shader.contract.stage != ir::Stage::compute) compare_elements(shader, scene, a, b, collector);
  const bool undefined = (a.any_undefined | b.any_undefined) != 0;
  for (const sim::Scene::UavRange& range : scene.uav_ranges()) {
    if (undefined) {
      collector.result.masked += range.count;
      continue;
    }
    for (size_t i = range.first; i < range.first + range.count; ++i) {
      ++collector.result.elements;
      // Raw and structured words may be floats or integers: they match if they are near as floats.
      const bool differs = collector.word(a.uavs[i], b.uavs[i], WordType::any, [&] {
        return fmt::format("{} word {}", range.name, i - range.first);
      });
      collector.result.different += differs ? 1 : 0;
    }
  }
  return collector.result;
}

bool is_excused(const Shader& shader, const RouteResult& reference, const RouteResult& complaining) {
  if (shader.contract.stage == ir::Stage::compute)
    return reference.any_undefined != 0 && !complaining.troubled.empty();
  return !complaining.troubled.empty() &&
         std::all_of(complaining.troubled.begin(), complaining.troubled.end(), [&](uint32_t element) {
           return element < reference.undefined.size() && reference.undefined[element] != 0;
         });
}

}  // namespace texlate::executor
