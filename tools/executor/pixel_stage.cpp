// The rasterizer, the pixel shader and the output merger of a pipeline.

#include <algorithm>
#include <bit>

#include "sim/pipeline/rasterizer.h"
#include "sim/texture_unit/texel_codec.h"
#include "tools/executor/pipeline.h"

namespace texlate::executor {

namespace {

using ir::SystemValue;
using sim::RasterPoint;

constexpr uint32_t kEverySample = ~0u;

/// A quad of a triangle, with the invocations that it makes.
struct ShadedQuad {
  uint32_t triangle = 0;
  sim::RasterQuad quad;
  uint32_t sample = kEverySample;  // the only sample, at sample frequency
  /// What is still to be merged, by pixel. The quad's coverage stays the rasterizer's: the shader sees it,
  /// and the centroid depends on it, at sample frequency and after early tests, too (16.3.2).
  std::array<uint32_t, 4> live = quad.coverage;
};

/// A triangle on the screen, and where it comes from.
struct Drawn {
  sim::ScreenTriangle triangle;
  uint32_t primitive = 0;
};

bool is_centroid(ir::Interpolation mode) {
  return mode == ir::Interpolation::linear_centroid ||
         mode == ir::Interpolation::linear_noperspective_centroid;
}
bool is_without_perspective(ir::Interpolation mode) {
  return mode == ir::Interpolation::linear_noperspective ||
         mode == ir::Interpolation::linear_noperspective_centroid ||
         mode == ir::Interpolation::linear_noperspective_sample;
}

/// Of what a geometry shader writes, stream 0 is drawn (13.4).
const ir::Parameter* find(std::span<const ir::Parameter> parameters, SystemValue value) {
  const auto found = std::ranges::find_if(
      parameters, [&](const ir::Parameter& one) { return one.system_value == value && one.stream == 0; });
  return found == parameters.end() ? nullptr : &*found;
}

class Draw {
 public:
  Draw(const RasterInput& input, Pipeline& pipeline, PipelineResult& result)
      : input_(input),
        pipeline_(pipeline),
        stage_(*pipeline.stage(ir::Stage::pixel)),
        module_(stage_.shader.contract),
        result_(result),
        depth_(pipeline.depth_format, size_t{pipeline.width} * pipeline.height * pipeline.samples,
               pipeline.depth_clear, pipeline.stencil_clear),
        texels_(size_t{pipeline.width} * pipeline.height * pipeline.samples *
                sim::format_info(pipeline.format).bytes) {
    per_sample_ = std::ranges::any_of(module_.inputs, ir::is_per_sample);
    clear();
  }

  bool run(Route route, const RunLimits& limits, Diagnostics& diagnostics) {
    if (!is_drawn(*input_.module, input_.size, diagnostics)) return false;
    limits_depth_ = route == Route::dksh;
    make_triangles();
    make_quads();
    if (module_.early_depth_stencil) {
      for (ShadedQuad& quad : quads_) test_early(quad);
    }
    const bool is_good = shade(route, limits, diagnostics);
    if (is_good) resolve();
    return is_good;
  }

 private:
  /// Runs the shader over all quads, and merges what it returns.
  bool shade(Route route, const RunLimits& limits, Diagnostics& diagnostics) {
    if (std::ranges::none_of(module_.resources, &ir::Resource::rasterizer_ordered))
      return launch(route, limits, diagnostics);
    // Launches follow each other, so that each pixel finds what was stored for it before.
    const std::vector<std::vector<ShadedQuad>> launches = in_order();
    const sim::Scene::UavContents initial = stage_.scene->initial_uavs();
    bool is_good = true;
    for (size_t i = 0; i < launches.size() && is_good; ++i) {
      if (i != 0) stage_.scene->continue_uavs();
      quads_ = launches[i];
      is_good = launch(route, limits, diagnostics);
    }
    stage_.scene->set_initial_uavs(initial);
    return is_good;
  }
  bool launch(Route route, const RunLimits& limits, Diagnostics& diagnostics) {
    const auto count = static_cast<uint32_t>(quads_.size() * 4);
    if (count == 0) return true;
    RouteResult shaded;
    const ir::Module& reader = route == Route::dksh ? stage_.shader.legal_dksh : module_;
    stage_.scene->replace_elements(count, make_inputs(reader, count), make_coverage(), pipeline_.samples);
    if (!run_route(route, stage_.shader, *stage_.scene, limits, shaded, diagnostics)) return false;
    result_.lane_instructions += shaded.lane_instructions;
    result_.any_undefined |= shaded.any_undefined;
    if (result_.trouble.empty()) result_.trouble = shaded.trouble;
    for (uint32_t q = 0; q < quads_.size(); ++q) merge(quads_[q], q * 4, shaded);
    return true;
  }

  /// Launches with each pixel once, or each sample at sample frequency, in the order of the primitives: what
  /// rasterizer-ordered views require (docs/launch_abi.md).
  std::vector<std::vector<ShadedQuad>> in_order() const {
    std::vector<std::vector<ShadedQuad>> launches;
    std::vector<uint32_t> count(size_t{pipeline_.width} * pipeline_.height * pipeline_.samples, 0);
    for (const ShadedQuad& shaded : quads_) {
      const uint32_t sample = per_sample_ ? shaded.sample : 0;
      uint32_t place = 0;
      for (uint32_t i = 0; i < 4; ++i) {
        if (shaded.live[i] != 0) place = std::max(place, count[sample_index(shaded.quad, i, sample)]);
      }
      for (uint32_t i = 0; i < 4; ++i) {
        if (shaded.live[i] != 0) count[sample_index(shaded.quad, i, sample)] = place + 1;
      }
      if (place == launches.size()) launches.emplace_back();
      launches[place].push_back(shaded);
    }
    return launches;
  }

  void clear() {
    const sim::FormatInfo& format = sim::format_info(pipeline_.format);
    sim::Word4 color{};
    for (size_t c = 0; c < 4; ++c) {
      color[c] = format.is_integer() ? sim::integer_clear(pipeline_.clear[c])
                                     : std::bit_cast<uint32_t>(pipeline_.clear[c]);
    }
    for (size_t at = 0; at < texels_.size(); at += format.bytes)
      sim::encode_texel(format, color, &texels_[at]);
  }

  // ---- from primitives to quads ----

  uint32_t vertex_of(uint32_t primitive, uint32_t corner) const {
    return input_.indices[size_t{primitive} * input_.size + corner];
  }
  float value_of(uint32_t plane, uint32_t primitive, uint32_t corner) const {
    return std::bit_cast<float>(input_.word(plane, vertex_of(primitive, corner)));
  }

  /// All vertices of the primitive are outside one of the cull distances (15.4).
  bool is_culled(uint32_t primitive) const {
    for (const ir::Parameter& output : input_.module->outputs) {
      if (output.system_value != SystemValue::cull_distance || output.stream != 0) continue;
      for (uint32_t c = 0; c < 4; ++c) {
        if (((output.mask >> c) & 1) == 0) continue;
        bool outside = true;
        for (uint32_t i = 0; i < input_.size; ++i)
          outside = outside && !(value_of(output.reg * 4 + c, primitive, i) >= 0);
        if (outside) return true;
      }
    }
    return false;
  }

  void make_triangles() {
    const uint32_t plane = find(input_.module->outputs, SystemValue::position)->reg * 4;
    const sim::ClipSettings settings{pipeline_.viewport, pipeline_.raster, pipeline_.depth_format};
    for (uint32_t p = 0; p < input_.ids.size(); ++p) {
      if (is_culled(p)) continue;
      std::array<sim::ClipPosition, 3> positions{};
      for (uint32_t i = 0; i < input_.size; ++i) {
        for (uint32_t c = 0; c < 4; ++c) positions[i][c] = value_of(plane + c, p, i);
      }
      for (const sim::ScreenTriangle& triangle : input_.size == 3 ? sim::clip_triangle(positions, settings)
                                                 : input_.size == 2
                                                     ? sim::clip_line({positions[0], positions[1]}, settings)
                                                     : sim::clip_point(positions[0], settings))
        drawn_.push_back({triangle, p});
    }
  }

  void make_quads() {
    const sim::PixelRectangle pixels =
        sim::drawn_pixels(pipeline_.viewport, pipeline_.raster, pipeline_.width, pipeline_.height);
    for (uint32_t t = 0; t < drawn_.size(); ++t) {
      const sim::TriangleSetup setup(drawn_[t].triangle);
      sim::rasterize(drawn_[t].triangle, pixels, pipeline_.samples, [&](const sim::RasterQuad& covered) {
        sim::RasterQuad quad = covered;
        bool any = false;
        for (uint32_t i = 0; i < 4; ++i) {
          quad.coverage[i] &= pipeline_.blend.sample_mask;
          clip_by_distance(setup, drawn_[t].primitive, quad, i);
          any |= quad.coverage[i] != 0;
        }
        if (any) add_quad(t, quad);
      });
    }
  }
  void add_quad(uint32_t triangle, const sim::RasterQuad& quad) {
    if (!per_sample_) return quads_.push_back({triangle, quad});
    for (uint32_t s = 0; s < pipeline_.samples; ++s) {
      ShadedQuad one{triangle, quad, s};
      bool any = false;
      for (uint32_t& live : one.live) any |= (live &= 1u << s) != 0;
      if (any) quads_.push_back(one);
    }
  }
  /// Samples where an interpolated clip distance is negative are not drawn.
  void clip_by_distance(const sim::TriangleSetup& setup, uint32_t primitive, sim::RasterQuad& quad,
                        uint32_t pixel) const {
    for (const ir::Parameter& output : input_.module->outputs) {
      if (output.system_value != SystemValue::clip_distance || output.stream != 0) continue;
      for (uint32_t s = 0; s < pipeline_.samples; ++s) {
        const std::array<double, 3> weights = setup.weights(sample_of(quad, pixel, s));
        for (uint32_t c = 0; c < 4; ++c) {
          if (((output.mask >> c) & 1) != 0 && !(interpolated(output.reg * 4 + c, primitive, weights) >= 0))
            quad.coverage[pixel] &= ~(1u << s);
        }
      }
    }
  }
  double interpolated(uint32_t plane, uint32_t primitive, const std::array<double, 3>& weights) const {
    double sum = 0;
    for (uint32_t i = 0; i < input_.size; ++i) sum += weights[i] * double{value_of(plane, primitive, i)};
    return sum;
  }

  // ---- inputs of the pixel shader ----

  static std::array<uint32_t, 2> pixel_of(const sim::RasterQuad& quad, uint32_t i) {
    return {quad.x + i % 2, quad.y + i / 2};
  }
  RasterPoint sample_of(const sim::RasterQuad& quad, uint32_t i, uint32_t sample) const {
    const auto [x, y] = pixel_of(quad, i);
    return sim::sample_point(x, y, pipeline_.samples, sample);
  }
  /// Where an input is evaluated (16.4, 16.5).
  RasterPoint point_for(const ShadedQuad& shaded, uint32_t i, ir::Interpolation mode) const {
    const auto [x, y] = pixel_of(shaded.quad, i);
    if (is_at_sample(mode)) return sample_of(shaded.quad, i, shaded.sample);
    const uint32_t all = pipeline_.samples >= 32 ? ~0u : (1u << pipeline_.samples) - 1;
    const uint32_t covered = shaded.quad.coverage[i];
    if (!is_centroid(mode) || pipeline_.samples == 1 || covered == all || covered == 0)
      return sim::center_point(x, y);
    return sample_of(shaded.quad, i, static_cast<uint32_t>(std::countr_zero(covered)));
  }

  uint32_t system_word(const ir::Parameter& input, uint32_t c, const ShadedQuad& shaded, uint32_t i,
                       const sim::TriangleSetup& setup) const {
    const Drawn& drawn = drawn_[shaded.triangle];
    switch (input.system_value) {
      case SystemValue::position: {
        const RasterPoint point = point_for(shaded, i, input.interpolation);
        const double value = c == 0   ? static_cast<double>(point.x) / 256
                             : c == 1 ? static_cast<double>(point.y) / 256
                             : c == 2 ? setup.depth(point)
                                      : setup.w(point);
        return std::bit_cast<uint32_t>(static_cast<float>(value));
      }
      case SystemValue::is_front_face: return drawn.triangle.is_front ? 0xffffffffu : 0;
      case SystemValue::sample_index: return shaded.sample;
      default: {  // primitive_id, unless a geometry shader writes it
        const ir::Parameter* written = find(input_.module->outputs, input.system_value);
        if (written == nullptr) return input_.ids[drawn.primitive];
        const auto component = static_cast<uint32_t>(std::countr_zero(written->mask));
        return input_.word(written->reg * 4 + component, vertex_of(drawn.primitive, 0));
      }
    }
  }
  static bool is_generated(SystemValue value) {
    return value == SystemValue::position || value == SystemValue::is_front_face ||
           value == SystemValue::sample_index || value == SystemValue::primitive_id;
  }

  /// `reader`: the shader, or its translation, which may read z of the position besides.
  std::vector<uint32_t> make_inputs(const ir::Module& reader, uint32_t count) const {
    std::vector<uint32_t> planes(size_t{sim::input_plane_count(reader)} * count);
    for (uint32_t q = 0; q < quads_.size(); ++q) {
      const Drawn& drawn = drawn_[quads_[q].triangle];
      const sim::TriangleSetup setup(drawn.triangle);
      for (const ir::Parameter& input : reader.inputs) {
        if (input.reg >= ir::kSpecialRegister) continue;
        for (uint32_t i = 0; i < 4; ++i) {
          const RasterPoint point = point_for(quads_[q], i, input.interpolation);
          const std::array<double, 3> weights = is_without_perspective(input.interpolation)
                                                    ? setup.screen_weights(point)
                                                    : setup.weights(point);
          for (uint32_t c = 0; c < 4; ++c) {
            if (((input.mask >> c) & 1) == 0) continue;
            const uint32_t plane = input.reg * 4 + c;
            uint32_t word = input_.word(plane, vertex_of(drawn.primitive, 0));  // constant
            if (is_generated(input.system_value)) {
              word = system_word(input, c, quads_[q], i, setup);
            } else if (input.interpolation != ir::Interpolation::constant) {
              word =
                  std::bit_cast<uint32_t>(static_cast<float>(interpolated(plane, drawn.primitive, weights)));
            }
            planes[size_t{plane} * count + q * 4 + i] = word;
          }
        }
      }
    }
    return planes;
  }
  std::vector<uint32_t> make_coverage() {
    std::vector<uint32_t> covered;
    for (const ShadedQuad& shaded : quads_) {
      for (uint32_t i = 0; i < 4; ++i) {
        const bool runs = shaded.live[i] != 0;
        covered.push_back(runs ? shaded.quad.coverage[i] : 0);
        result_.pixels += runs ? 1 : 0;
      }
    }
    return covered;
  }

  // ---- output merger ----

  size_t sample_index(const sim::RasterQuad& quad, uint32_t i, uint32_t sample) const {
    const auto [x, y] = pixel_of(quad, i);
    return (size_t{y} * pipeline_.width + x) * pipeline_.samples + sample;
  }
  bool test(const ShadedQuad& shaded, uint32_t i, uint32_t sample, std::optional<float> depth,
            uint8_t reference) {
    const sim::ScreenTriangle& triangle = drawn_[shaded.triangle].triangle;
    const float z =
        depth ? *depth
              : static_cast<float>(sim::TriangleSetup(triangle).depth(sample_of(shaded.quad, i, sample)));
    return depth_.test(pipeline_.depth, pipeline_.viewport, triangle.is_front,
                       sample_index(shaded.quad, i, sample), z, reference);
  }
  void test_early(ShadedQuad& shaded) {
    for (uint32_t i = 0; i < 4; ++i) {
      for (uint32_t s = 0; s < pipeline_.samples; ++s) {
        const uint32_t bit = 1u << s;
        if ((shaded.live[i] & bit) != 0 && !test(shaded, i, s, std::nullopt, pipeline_.depth.reference))
          shaded.live[i] &= ~bit;
      }
    }
  }

  std::optional<uint32_t> output(const RouteResult& result, uint32_t element, const ir::Parameter* parameter,
                                 uint32_t c) const {
    if (parameter == nullptr) return std::nullopt;
    const size_t plane = size_t{sim::output_plane_register(module_, *parameter)} * 4 + c;
    return result.outputs[plane * quads_.size() * 4 + element];
  }
  sim::Color color_of(const RouteResult& result, uint32_t element, uint32_t reg) const {
    sim::Color color{};
    for (const ir::Parameter& parameter : module_.outputs) {
      for (uint32_t c = 0; c < 4 && parameter.reg == reg; ++c) {
        if (((parameter.mask >> c) & 1) != 0) color[c] = *output(result, element, &parameter, c);
      }
    }
    return color;
  }
  const ir::Parameter* depth_output() const {
    for (const SystemValue value :
         {SystemValue::depth, SystemValue::depth_greater_equal, SystemValue::depth_less_equal}) {
      if (const ir::Parameter* found = find(module_.outputs, value)) return found;
    }
    return nullptr;
  }

  sim::DepthRule rule_of(const ir::Parameter& output) const {
    if (limits_depth_) return sim::DepthRule::as_written;
    if (output.system_value == SystemValue::depth_greater_equal) return sim::DepthRule::greater_equal;
    return output.system_value == SystemValue::depth_less_equal ? sim::DepthRule::less_equal
                                                                : sim::DepthRule::as_written;
  }
  /// What limits a conservative depth: the rasterizer's at the sample, at sample frequency, and otherwise at
  /// the centroid, wherever the shader's position is (16.9.3.2).
  float depth_of_pixel(const ShadedQuad& shaded, uint32_t i) const {
    const ir::Interpolation mode = per_sample_ ? ir::Interpolation::linear_noperspective_sample
                                               : ir::Interpolation::linear_noperspective_centroid;
    const sim::TriangleSetup setup(drawn_[shaded.triangle].triangle);
    return static_cast<float>(setup.depth(point_for(shaded, i, mode)));
  }

  void merge(const ShadedQuad& shaded, uint32_t first, const RouteResult& result) {
    const bool early = module_.early_depth_stencil;
    const auto is_target = [](const ir::Parameter& one) { return one.reg == 0; };
    const bool draws = std::ranges::any_of(module_.outputs, is_target);
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t element = first + i;
      uint32_t coverage = shaded.live[i];
      if (coverage == 0 || result.written[element] == 0) continue;
      if (const auto mask = output(result, element, find(module_.outputs, SystemValue::coverage_out), 0))
        coverage &= *mask;
      std::optional<float> depth;
      if (const auto bits = output(result, element, depth_output(), 0))
        depth = sim::limited_depth(rule_of(*depth_output()), std::bit_cast<float>(*bits),
                                   depth_of_pixel(shaded, i));
      const uint32_t reference = output(result, element, find(module_.outputs, SystemValue::stencil_ref), 0)
                                     .value_or(pipeline_.depth.reference);
      for (uint32_t s = 0; s < pipeline_.samples; ++s) {
        if (((coverage >> s) & 1) == 0) continue;
        if (!early && !test(shaded, i, s, depth, static_cast<uint8_t>(reference))) continue;
        if (draws)
          store(sample_index(shaded.quad, i, s), color_of(result, element, 0), color_of(result, element, 1));
      }
    }
  }
  void store(size_t sample, const sim::Color& source, const sim::Color& source1) {
    const sim::FormatInfo& format = sim::format_info(pipeline_.format);
    std::byte* const texel = &texels_[sample * format.bytes];
    const sim::Color stored = sim::decode_texel(format, texel);
    sim::encode_texel(format, sim::merged_color(format, pipeline_.blend, 0, stored, source, source1), texel);
  }

  void resolve() {
    result_.picture =
        resolved_picture(pipeline_.format, texels_, pipeline_.width, pipeline_.height, pipeline_.samples);
    for (size_t sample = 0;
         depth_.exists() && sample < size_t{pipeline_.width} * pipeline_.height * pipeline_.samples;
         ++sample) {
      result_.depth.push_back(depth_.depth(sample));
      result_.stencil.push_back(depth_.stencil(sample));
    }
  }

  const RasterInput& input_;
  Pipeline& pipeline_;
  PipelineStage& stage_;
  const ir::Module& module_;
  PipelineResult& result_;
  sim::DepthBuffer depth_;
  std::vector<std::byte> texels_;
  std::vector<Drawn> drawn_;
  std::vector<ShadedQuad> quads_;
  bool per_sample_ = false;
  bool limits_depth_ = false;  // the program itself
};

}  // namespace

bool is_drawn(const ir::Module& module, uint32_t size, Diagnostics& diagnostics) {
  if (find(module.outputs, SystemValue::position) == nullptr) {
    diagnostics.error({}, "the vertices have no position (SV_Position)");
    return false;
  }
  for (const SystemValue value :
       {SystemValue::render_target_array_index, SystemValue::viewport_array_index}) {
    if (find(module.outputs, value) == nullptr) continue;
    diagnostics.error({}, "a pipeline draws to one slice through one viewport: vertices cannot choose them");
    return false;
  }
  return size <= 3;
}

sim::Picture resolved_picture(sim::Format target, std::span<const std::byte> texels, uint32_t width,
                              uint32_t height, uint32_t target_samples) {
  const sim::FormatInfo& format = sim::format_info(target);
  sim::Picture picture{width, height, 8, {}};
  const uint32_t samples = format.is_integer() ? 1 : target_samples;
  for (size_t pixel = 0; pixel < size_t{width} * height; ++pixel) {
    std::array<double, 4> sum{};
    for (uint32_t s = 0; s < samples; ++s) {
      const sim::Word4 color =
          sim::decode_texel(format, &texels[(pixel * target_samples + s) * format.bytes]);
      for (size_t c = 0; c < 4; ++c)
        sum[c] += format.is_integer() ? color[c] / 255.0 : double{std::bit_cast<float>(color[c])};
    }
    for (const double one : sum) {
      const double value = one / samples;
      picture.texels.push_back(static_cast<uint16_t>((value > 0 ? std::min(value, 1.0) : 0.0) * 255.0 + 0.5));
    }
  }
  return picture;
}

bool draw_primitives(Route route, const RasterInput& input, Pipeline& pipeline, const RunLimits& limits,
                     PipelineResult& result, Diagnostics& diagnostics) {
  return Draw(input, pipeline, result).run(route, limits, diagnostics);
}

}  // namespace texlate::executor
