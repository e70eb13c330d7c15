#include "tools/executor/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/pipeline/output_merger.h"
#include "sim/texture_unit/texel_codec.h"
#include "tools/executor/compare_primitives.h"
#include "tools/executor/difference_collector.h"
#include "tools/executor/output_name.h"

namespace texlate::executor {

namespace {

bool is_denormal(uint32_t bits) {
  return (bits & 0x7f800000u) == 0 && (bits & 0x007fffffu) != 0;
}

/// The NaNs that the executors, GPUs and processors make. Others were copied from somewhere.
bool is_made_nan(uint32_t bits) {
  return bits == 0x7fffffffu || (bits & 0x7fffffffu) == 0x7fc00000u;
}

/// Stencil has eight bits (D3D11.3 functional specification 17, output merger). A route may have anything in
/// the other bits.
constexpr uint32_t kStencilBits = 0xff;

/// The rasterizer's depth of a pixel of a scene.
float rasterized_depth(const ir::Module& module, const sim::Scene& scene, uint32_t element) {
  for (const ir::Parameter& input : module.inputs) {
    if (input.system_value != ir::SystemValue::position || (input.mask & 4) == 0) continue;
    const size_t at = (size_t{input.reg} * 4 + 2) * scene.element_count() + element;
    if (at < scene.inputs().size()) return std::bit_cast<float>(scene.inputs()[at]);
  }
  return kSceneDepth;
}

/// What the output merger takes of an output: kernels leave it to the host, other routes have done it.
uint32_t as_merged(const ir::Parameter& output, uint32_t word, float rasterized) {
  const auto limited = [&](sim::DepthRule rule) {
    const float depth = sim::limited_depth(rule, std::bit_cast<float>(word), rasterized);
    return std::bit_cast<uint32_t>(sim::clamped_depth({}, depth));
  };
  switch (output.system_value) {
    case ir::SystemValue::stencil_ref: return word & kStencilBits;
    case ir::SystemValue::depth: return limited(sim::DepthRule::as_written);
    case ir::SystemValue::depth_greater_equal: return limited(sim::DepthRule::greater_equal);
    case ir::SystemValue::depth_less_equal: return limited(sim::DepthRule::less_equal);
    default: return word;
  }
}

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

bool is_assigned(const RouteResult& route, size_t word) {
  return route.assigned.empty() || route.assigned[word] != 0;
}

void compare_elements(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                      const RouteResult& b, DifferenceCollector& collector) {
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
    const std::string place = element_name(shader.contract, scene, e);
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
    const float depth = pixel ? rasterized_depth(shader.contract, scene, e) : 0;
    for (const ir::Parameter& parameter : shader.contract.outputs) {
      const uint32_t reg = sim::output_plane_register(shader.contract, parameter);
      const auto is_reg = [reg](uint32_t unknown) { return unknown == reg; };
      if (std::any_of(a.unknown.begin(), a.unknown.end(), is_reg)) continue;
      if (std::any_of(b.unknown.begin(), b.unknown.end(), is_reg)) continue;
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        const size_t at = (size_t{reg} * 4 + c) * count + e;
        if (!is_assigned(a, at) || !is_assigned(b, at)) {
          collector.result.unassigned += a.written[e] != 0 ? 1 : 0;  // not of discarded pixels
          continue;
        }
        const auto merged = [&](uint32_t word) { return as_merged(parameter, word, depth); };
        differs |= collector.word(merged(a.outputs[at]), merged(b.outputs[at]), type_of(parameter), [&, c] {
          return fmt::format("{} of {}", output_name(shader.contract, parameter, c), place);
        });
      }
    }
    collector.result.different += differs ? 1 : 0;
  }
}

/// The distance from a value of a component of less than 32 bits to the next one.
double step_of(const sim::ComponentLayout& component, uint32_t value) {
  switch (component.kind) {
    case sim::Kind::unorm: return 1.0 / ((1u << component.bits) - 1u);
    case sim::Kind::snorm: return 1.0 / ((1u << (component.bits - 1)) - 1u);
    default: break;
  }
  // Floats of 10, 11 and 16 bits have a mantissa of 5, 6 and 10 bits, a shared exponent leaves at least 8.
  const int mantissa = component.kind == sim::Kind::shared_exponent ? 8
                       : component.bits == 16                       ? 10
                                                                    : component.bits - 5;
  const double magnitude = std::min(std::fabs(double{std::bit_cast<float>(value)}), 65536.0);
  return std::ldexp(magnitude, -mantissa) + std::ldexp(1.0, -14 - mantissa);
}

/// Views of formats with components of less than 32 bits.
void compare_texels(const sim::Scene::UavRange& range, const RouteResult& a, const RouteResult& b,
                    DifferenceCollector& collector) {
  const sim::FormatInfo& format = sim::format_info(range.format);
  const auto bytes_of = [&](const RouteResult& route) {
    return std::as_bytes(std::span(route.uavs).subspan(range.first, range.count));
  };
  const std::span<const std::byte> x = bytes_of(a), y = bytes_of(b);
  for (size_t at = 0; at + format.bytes <= x.size(); at += format.bytes) {
    if (std::memcmp(x.data() + at, y.data() + at, format.bytes) == 0) continue;
    const sim::Word4 left = sim::decode_texel(format, x.data() + at);
    const sim::Word4 right = sim::decode_texel(format, y.data() + at);
    bool differs = false;
    for (size_t c = 0; c < 4; ++c) {
      const sim::ComponentLayout& component = format.layout.component[c];
      if (component.kind == sim::Kind::none) continue;
      differs |= collector.component(left[c], right[c], step_of(component, left[c]), [&] {
        return fmt::format("{} texel {}.{}", range.name, at / format.bytes, "rgba"[c]);
      });
    }
    collector.result.different += differs ? 1 : 0;
  }
}

void compare_words(const sim::Scene::UavRange& range, const RouteResult& a, const RouteResult& b,
                   DifferenceCollector& collector) {
  for (size_t i = range.first; i < range.first + range.count; ++i) {
    const bool differs = collector.word(a.uavs[i], b.uavs[i], type_of(range), [&] {
      return fmt::format("{} word {}", range.name, i - range.first);
    });
    collector.result.different += differs ? 1 : 0;
  }
}

}  // namespace

WordType type_of(const ir::Parameter& output) {
  switch (output.component_type) {
    case 1:
    case 2: return WordType::integer;
    case 3: return WordType::float_;
    default: return WordType::any;
  }
}

WordType type_of(const sim::Scene::UavRange& range) {
  const sim::FormatInfo& format = sim::format_info(range.format);
  if (format.is_integer()) return WordType::integer;
  return format.plain_words ? WordType::float_ : WordType::any;
}

bool is_near(uint32_t a, uint32_t b, WordType type, const Tolerance& tolerance) {
  if (a == b || type == WordType::integer) return a == b;
  const bool may_be_integer = type == WordType::any;
  if (may_be_integer && is_nan(a) && is_nan(b)) return is_made_nan(a) || is_made_nan(b);
  if (may_be_integer && (is_denormal(a) || is_denormal(b))) return false;
  return ulp_distance(a, b) <= tolerance.ulp || absolute_difference(a, b) <= tolerance.absolute;
}

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

Tolerance default_tolerance(Route a, Route b) {
  const auto is_driver = [](Route route) { return route == Route::vulkan || route == Route::cuda; };
  return is_driver(a) || is_driver(b) ? Tolerance{0, 2e-6} : Tolerance{};
}

namespace {

void add_masks(RouteResult& to, const RouteResult& from) {
  to.any_undefined |= from.any_undefined;
  to.undefined.resize(std::max(to.undefined.size(), from.undefined.size()));
  for (size_t e = 0; e < from.undefined.size(); ++e) to.undefined[e] |= from.undefined[e];
  if (to.assigned.empty()) to.assigned = from.assigned;
  if (to.assigned_constants.empty()) to.assigned_constants = from.assigned_constants;
}

}  // namespace

void share_masks(const Shader& shader, sim::Scene& scene, const RunLimits& limits,
                 std::span<const Route> routes, std::span<RouteResult> results) {
  RouteResult masks;
  for (const RouteResult& result : results) add_masks(masks, result);
  if (std::find(routes.begin(), routes.end(), Route::ir) == routes.end()) {
    RunLimits own;
    own.max_lane_instructions = limits.max_lane_instructions;
    RouteResult reference;
    Diagnostics ignored;  // without the interpreter's masks, everything is compared
    if (run_route(Route::ir, shader, scene, own, reference, ignored) && !reference.cut_off)
      add_masks(masks, reference);
  }
  for (RouteResult& result : results) add_masks(result, masks);
}

Comparison compare_outputs(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                           const RouteResult& b, const Tolerance& tolerance) {
  DifferenceCollector collector{{}, tolerance};
  if (shader.contract.stage == ir::Stage::geometry) {
    compare_emissions(shader, a, b, collector);
  } else if (shader.contract.stage != ir::Stage::compute) {
    compare_elements(shader, scene, a, b, collector);
  }
  if (shader.contract.stage == ir::Stage::hull) compare_patch_constants(shader, scene, a, b, collector);
  const bool undefined = (a.any_undefined | b.any_undefined) != 0;
  for (const sim::Scene::UavRange& range : scene.uav_ranges()) {
    if (undefined) {
      collector.result.masked += range.count;
      continue;
    }
    collector.result.elements += range.count;
    const sim::FormatInfo& format = sim::format_info(range.format);
    const bool is_narrow = format.bytes != 0 && !format.plain_words && !format.is_integer();
    is_narrow ? compare_texels(range, a, b, collector) : compare_words(range, a, b, collector);
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
