#include "tools/executor/pipeline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/base/platform/files.h"
#include "sim/scene/scene_reader.h"

namespace texlate::executor {

namespace {

using sim::SceneValue;

// Direct3D's numbers of these begin with 1.
constexpr std::string_view kCompares[] = {"never",   "less",      "equal",         "less_equal",
                                          "greater", "not_equal", "greater_equal", "always"};
constexpr std::string_view kStencilOps[] = {"keep",          "zero",   "replace",   "increment_sat",
                                            "decrement_sat", "invert", "increment", "decrement"};
constexpr std::string_view kBlendOps[] = {"add", "subtract", "reverse_subtract", "min", "max"};
constexpr std::string_view kFactors[] = {"zero",
                                         "one",
                                         "source_color",
                                         "inverse_source_color",
                                         "source_alpha",
                                         "inverse_source_alpha",
                                         "target_alpha",
                                         "inverse_target_alpha",
                                         "target_color",
                                         "inverse_target_color",
                                         "source_alpha_saturated"};
// The numbers of these begin with 14.
constexpr std::string_view kLaterFactors[] = {"constant",      "inverse_constant",
                                              "source1_color", "inverse_source1_color",
                                              "source1_alpha", "inverse_source1_alpha"};
constexpr std::string_view kStageNames[] = {"vertex", "hull", "domain", "geometry", "pixel"};

class PipelineReader {
 public:
  PipelineReader(const std::string& folder, Pipeline& pipeline, std::vector<std::string>& files,
                 Diagnostics& diagnostics)
      : folder_(folder), pipeline_(pipeline), files_(files), reader_(diagnostics) {}

  bool read(std::string_view json, std::span<const Route> routes) {
    if (!reader_.parse(json) ||
        !reader_.check_object(
            reader_.root(),
            "vertex hull domain geometry pixel topology control_points indices target viewport "
            "rasterizer depth blend"))
      return false;
    read_input();
    read_target();
    read_rasterizer();
    read_depth();
    read_blend();
    for (size_t i = 0; i < std::size(kStageNames) && reader_.good(); ++i) read_stage(i, routes);
    return reader_.good() && check_stages();
  }

 private:
  SceneValue section(std::string_view key) const { return reader_.member(reader_.root(), std::string(key)); }
  SceneValue part(const SceneValue& of, const char* key) const { return reader_.member(of, key); }
  template <typename E>
  E choice(const SceneValue& value, std::span<const std::string_view> names, E otherwise, int first = 1) {
    const auto found = reader_.choice(value, names, static_cast<size_t>(static_cast<int>(otherwise) - first),
                                      "one of " + joined(names));
    return static_cast<E>(static_cast<int>(found) + first);
  }
  static std::string joined(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    return text;
  }

  void read_input() {
    pipeline_.topology = choice(section("topology"), sim::kTopologyNames, pipeline_.topology, 0);
    const SceneValue points = section("control_points");
    pipeline_.control_points = reader_.whole(points, 1, {1, 32});
    if (points.given() && pipeline_.topology != sim::Topology::patch_list)
      reader_.fail(points, "only patch_list has 'control_points'");
    const SceneValue indices = section("indices");
    if (!indices.given() || !reader_.check_list(indices, 0, sim::kAnyCount, "indices")) return;
    pipeline_.indices.emplace(indices.size());
    reader_.wholes(indices, *pipeline_.indices, 0, {0, 0xffffffffu});
  }

  void read_target() {
    const SceneValue target = section("target"), viewport = section("viewport");
    if (!reader_.check_object(target, "size format clear samples") ||
        !reader_.check_object(viewport, "rectangle depth"))
      return;
    std::array<uint32_t, 2> size{64, 64};
    reader_.wholes(part(target, "size"), size, 2, {1, 4096});
    pipeline_.width = size[0];
    pipeline_.height = size[1];
    reader_.numbers(part(target, "clear"), pipeline_.clear, 4);
    pipeline_.samples = reader_.whole(part(target, "samples"), 1, {1, 16});
    if ((pipeline_.samples & (pipeline_.samples - 1)) != 0)
      reader_.fail(part(target, "samples"), "'samples' must be 1, 2, 4, 8 or 16");
    const SceneValue format = part(target, "format");
    const std::string name = reader_.text(format, "r8g8b8a8_unorm");
    pipeline_.format = sim::find_format(name);
    if (pipeline_.format == sim::Format::unknown || sim::format_info(pipeline_.format).bytes == 0 ||
        pipeline_.format == sim::Format::r9g9b9e5_sharedexp)
      reader_.fail(format, fmt::format("'{}' is not a supported format of a target", name));
    std::array<float, 4> rectangle{0, 0, static_cast<float>(size[0]), static_cast<float>(size[1])};
    std::array<float, 2> depth{0, 1};
    reader_.numbers(part(viewport, "rectangle"), rectangle, 4);
    reader_.numbers(part(viewport, "depth"), depth, 2);
    // D3D11.3 15.6.1: D3D11_VIEWPORT_BOUNDS_MIN and _MAX, and a range of depths within 0 and 1.
    constexpr float kMost = 32768;
    const auto is_inside = [](float at) { return at >= -kMost && at <= kMost; };
    if (!std::ranges::all_of(rectangle, is_inside) || !(rectangle[2] >= 0) || !(rectangle[3] >= 0))
      reader_.fail(part(viewport, "rectangle"),
                   "'rectangle' must lie within -32768 and 32768, and its size must not be negative");
    if (!(depth[0] >= 0 && depth[0] <= depth[1] && depth[1] <= 1))
      reader_.fail(part(viewport, "depth"), "'depth' must be two numbers from 0 to 1, the lesser one first");
    pipeline_.viewport = {rectangle[0], rectangle[1], rectangle[2], rectangle[3], depth[0], depth[1]};
  }

  void read_rasterizer() {
    const SceneValue state = section("rasterizer");
    if (!reader_.check_object(state,
                              "cull front depth_clip scissor depth_bias depth_bias_clamp slope_scaled_bias"))
      return;
    sim::RasterState& raster = pipeline_.raster;
    static constexpr std::string_view kCulls[] = {"none", "front", "back"};
    static constexpr std::string_view kFronts[] = {"clockwise", "counter_clockwise"};
    raster.cull = choice(part(state, "cull"), kCulls, raster.cull, 0);
    raster.front_counter_clockwise =
        reader_.choice(part(state, "front"), kFronts, 0, "clockwise or counter_clockwise") == 1;
    raster.depth_clip = reader_.boolean(part(state, "depth_clip"), true);
    const float bias = reader_.number(part(state, "depth_bias"), 0);
    if (bias == std::trunc(bias) && std::fabs(bias) < 0x1p31f)
      raster.depth_bias = static_cast<int32_t>(bias);
    else
      reader_.fail(part(state, "depth_bias"), "'depth_bias' must be a whole number of 32 bits");
    raster.depth_bias_clamp = reader_.number(part(state, "depth_bias_clamp"), 0);
    raster.slope_scaled_bias = reader_.number(part(state, "slope_scaled_bias"), 0);
    const SceneValue scissor = part(state, "scissor");
    std::array<uint32_t, 4> rectangle{};
    reader_.wholes(scissor, rectangle, 4, {0, 16384});
    raster.scissor_enabled = scissor.given();
    raster.scissor = {static_cast<int32_t>(rectangle[0]), static_cast<int32_t>(rectangle[1]),
                      static_cast<int32_t>(rectangle[2]), static_cast<int32_t>(rectangle[3])};
  }

  void read_depth() {
    const SceneValue state = section("depth");
    if (!reader_.check_object(state, "format clear test write compare stencil")) return;
    static constexpr std::string_view kFormats[] = {"none", "d16", "d24s8", "d32", "d32s8"};
    pipeline_.depth_format = choice(part(state, "format"), kFormats,
                                    state.given() ? sim::DepthFormat::d32 : sim::DepthFormat::none, 0);
    pipeline_.depth_clear = reader_.number(part(state, "clear"), 1);
    if (!(pipeline_.depth_clear >= 0 && pipeline_.depth_clear <= 1))
      reader_.fail(part(state, "clear"), "'clear' must be a number from 0 to 1");
    sim::DepthState& depth = pipeline_.depth;
    depth.enabled = reader_.boolean(part(state, "test"), true);
    depth.writes = reader_.boolean(part(state, "write"), true);
    depth.compare = choice(part(state, "compare"), kCompares, depth.compare);
    const SceneValue stencil = part(state, "stencil");
    if (!reader_.check_object(stencil, "clear reference read_mask write_mask front back")) return;
    depth.stencil_enabled = stencil.given();
    if (stencil.given() && pipeline_.depth_format != sim::DepthFormat::d24s8 &&
        pipeline_.depth_format != sim::DepthFormat::d32s8)
      reader_.fail(stencil, "only the formats d24s8 and d32s8 have a stencil");
    const auto byte = [&](const char* key, uint8_t otherwise) {
      return static_cast<uint8_t>(reader_.whole(part(stencil, key), otherwise, {0, 255}));
    };
    pipeline_.stencil_clear = byte("clear", 0);
    depth.reference = byte("reference", 0);
    depth.read_mask = byte("read_mask", 255);
    depth.write_mask = byte("write_mask", 255);
    read_face(part(stencil, "front"), depth.front);
    read_face(part(stencil, "back"), depth.back);
  }
  void read_face(const SceneValue& described, sim::StencilFace& face) {
    if (!reader_.check_object(described, "compare fail depth_fail pass")) return;
    face.compare = choice(part(described, "compare"), kCompares, face.compare);
    face.fail = choice(part(described, "fail"), kStencilOps, face.fail);
    face.depth_fail = choice(part(described, "depth_fail"), kStencilOps, face.depth_fail);
    face.pass = choice(part(described, "pass"), kStencilOps, face.pass);
  }

  void read_blend() {
    const SceneValue state = section("blend");
    if (!reader_.check_object(state, "color alpha constant sample_mask write_mask")) return;
    sim::BlendTarget& target = pipeline_.blend.targets[0];
    target.enabled = part(state, "color").given() || part(state, "alpha").given();
    read_equation(part(state, "color"), false, target.color);
    read_equation(part(state, "alpha"), true, target.alpha);
    reader_.numbers(part(state, "constant"), pipeline_.blend.constant, 4);
    pipeline_.blend.sample_mask = reader_.whole(part(state, "sample_mask"), 0xffffffffu, {0, 0xffffffffu});
    target.write_mask = static_cast<uint8_t>(reader_.whole(part(state, "write_mask"), 15, {0, 15}));
  }
  sim::BlendFactor factor(const SceneValue& value, sim::BlendFactor otherwise) {
    const bool is_later = value.given() && value.json->is_string() &&
                          std::ranges::count(kLaterFactors, value.json->get_ref<const std::string&>()) != 0;
    return is_later ? choice(value, kLaterFactors, sim::BlendFactor::constant, 14)
                    : choice(value, kFactors, otherwise);
  }
  /// D3D11.3 17.2: the factors of alpha are alphas.
  static bool is_color(sim::BlendFactor factor) {
    using enum sim::BlendFactor;
    return factor == source_color || factor == inverse_source_color || factor == target_color ||
           factor == inverse_target_color || factor == source1_color || factor == inverse_source1_color;
  }
  void read_equation(const SceneValue& described, bool is_alpha, sim::BlendEquation& equation) {
    if (!reader_.check_object(described, "source target op")) return;
    for (const auto& [key, to] :
         {std::pair("source", &equation.source), std::pair("target", &equation.target)}) {
      *to = factor(part(described, key), *to);
      if (is_alpha && is_color(*to))
        reader_.fail(part(described, key), fmt::format("'{}' of alpha cannot be a color", key));
    }
    equation.op = choice(part(described, "op"), kBlendOps, equation.op);
  }

  void read_stage(size_t index, std::span<const Route> routes) {
    const SceneValue described = section(kStageNames[index]);
    if (!described.given() || !reader_.check_object(described, "shader scene")) return;
    const SceneValue name = part(described, "shader"), scene = part(described, "scene");
    if (!name.given()) return void(reader_.fail(described, "a stage needs a 'shader'"));
    const std::string path = platform::path_in(folder_, reader_.text(name));
    if (!reader_.good()) return;
    files_.push_back(path);
    std::string source;
    if (!platform::read_file(path, source)) return void(reader_.fail(name, path + " cannot be read"));
    auto stage = std::make_unique<PipelineStage>();
    stage->shader.robustness = pipeline_.robustness;
    Diagnostics errors;
    bool good = load_shader(source, stage->shader, routes, errors);
    if (good && stage->shader.contract.stage != kPipelineStages[index])
      return void(reader_.fail(name, fmt::format("{} is no {} shader", path, kStageNames[index])));
    const std::string text = scene.given() ? scene.json->dump() : "";
    if (good) {
      stage->scene = sim::Scene::make(text, folder_, stage->shader.contract, errors);
      good = stage->scene != nullptr;
    }
    if (!good) {
      for (const Diagnostic& error : errors.list()) {
        if (error.severity != Severity::error) continue;
        const uint32_t line = stage->scene == nullptr && text.empty() ? error.location.line : 0;
        reader_.fail(name, line == 0 ? fmt::format("{}: {}", path, error.message)
                                     : fmt::format("{}:{}: {}", path, line, error.message));
      }
      return;
    }
    for (const std::string& one : stage->scene->files()) files_.push_back(one);
    pipeline_.stages[index] = std::move(stage);
  }

  bool check_stages() {
    for (const ir::Stage needed : {ir::Stage::vertex, ir::Stage::pixel}) {
      if (pipeline_.stage(needed) == nullptr)
        return reader_.fail(reader_.root(), "a pipeline needs a 'vertex' and a 'pixel' stage");
    }
    const bool hull = pipeline_.stage(ir::Stage::hull) != nullptr;
    if (hull != (pipeline_.stage(ir::Stage::domain) != nullptr))
      return reader_.fail(reader_.root(), "'hull' and 'domain' need each other");
    if (hull) pipeline_.stage(ir::Stage::domain)->shader.hull = &pipeline_.stage(ir::Stage::hull)->shader;
    if (hull != (pipeline_.topology == sim::Topology::patch_list) &&
        pipeline_.stage(ir::Stage::geometry) == nullptr)
      return reader_.fail(reader_.root(), "patches, and only they, are for a 'hull' stage");
    // Direct3D leaves the second color undefined then, as Vulkan does (Microsoft Learn, "Configuring Blending
    // Functionality", dual-source color blending).
    const auto& outputs = pipeline_.stage(ir::Stage::pixel)->shader.contract.outputs;
    if (sim::reads_second_source(pipeline_.blend.targets[0]) &&
        std::ranges::find(outputs, 1u, &ir::Parameter::reg) == outputs.end())
      return reader_.fail(section("blend"), "a 'source1' factor needs a pixel shader with o1");
    return true;
  }

  const std::string& folder_;
  Pipeline& pipeline_;
  std::vector<std::string>& files_;
  sim::SceneReader reader_;
};

}  // namespace

bool read_pipeline(std::string_view json, const std::string& folder, std::span<const Route> routes,
                   Pipeline& pipeline, std::vector<std::string>& files, Diagnostics& diagnostics) {
  return PipelineReader(folder, pipeline, files, diagnostics).read(json, routes);
}

}  // namespace texlate::executor
