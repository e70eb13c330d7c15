#include "tools/executor/pipeline.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>

#include "sim/pipeline/patch_factors.h"
#include "sim/pipeline/stream_assembly.h"
#include "sim/scene/primitive_source.h"
#include "tools/executor/dksh_link.h"

namespace texlate::executor {

namespace {

constexpr uint32_t kCut = 0xffffffffu;

class PipelineRun {
 public:
  PipelineRun(Route route, Pipeline& pipeline, const RunLimits& limits, PipelineResult& result,
              Diagnostics& diagnostics)
      : route_(route), pipeline_(pipeline), limits_(limits), result_(result), diagnostics_(diagnostics) {}

  bool run() {
    if (!run_vertices()) return false;
    if (pipeline_.stage(ir::Stage::hull) != nullptr && !(run_hull() && run_domain())) return false;
    if (pipeline_.stage(ir::Stage::geometry) != nullptr) {
      if (!run_geometry()) return false;
    } else if (pipeline_.stage(ir::Stage::hull) == nullptr) {
      drop_adjacent();
    }
    result_.primitives = flow_.ids.size();
    return draw_primitives(route_, flow_, pipeline_, limits_, result_, diagnostics_);
  }

 private:
  bool run_stage(PipelineStage& stage, Route route, RouteResult& result) {
    if (!run_route(route, stage.shader, *stage.scene, limits_, result, diagnostics_)) return false;
    result_.lane_instructions += result.lane_instructions;
    result_.any_undefined |= result.any_undefined;
    if (result_.trouble.empty()) result_.trouble = result.trouble;
    return !result.cut_off && !result.failed;
  }

  bool run_vertices() {
    PipelineStage& stage = *pipeline_.stage(ir::Stage::vertex);
    RouteResult result;
    if (!run_stage(stage, route_, result)) return false;
    const uint32_t count = stage.scene->element_count();
    result_.vertices = count;
    std::vector<uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0u);
    if (pipeline_.indices) indices = *pipeline_.indices;
    const std::optional<uint32_t> cut = pipeline_.indices ? std::optional(kCut) : std::nullopt;
    if (!are_in_range(indices, count, diagnostics_)) return false;
    flow_.module = &stage.shader.contract;
    flow_.words = std::move(result.outputs);
    flow_.vertex_count = count;
    flow_.size = sim::vertices_of(pipeline_.topology, pipeline_.control_points);
    flow_.indices = sim::assemble_primitives(pipeline_.topology, pipeline_.control_points, indices, cut);
    number_primitives();
    return true;
  }
  void number_primitives() {
    flow_.ids.resize(flow_.indices.size() / flow_.size);
    std::iota(flow_.ids.begin(), flow_.ids.end(), 0u);
  }
  void drop_adjacent() {
    const std::vector<uint32_t> own = sim::own_vertices(pipeline_.topology);
    if (own.empty()) return;
    std::vector<uint32_t> kept;
    for (size_t first = 0; first < flow_.indices.size(); first += flow_.size) {
      for (const uint32_t place : own) kept.push_back(flow_.indices[first + place]);
    }
    flow_.indices = std::move(kept);
    flow_.size = static_cast<uint32_t>(own.size());
  }

  /// The inputs of a stage that reads primitives, from the registers of the same numbers.
  std::vector<uint32_t> gathered(const ir::Module& module) const {
    const size_t count = flow_.indices.size();
    std::vector<uint32_t> planes(size_t{sim::input_plane_count(module)} * count);
    for (const ir::Parameter& parameter : module.inputs) {
      if (parameter.reg >= ir::kSpecialRegister) continue;
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t plane = parameter.reg * 4 + c;
        for (size_t i = 0; i < count; ++i) planes[plane * count + i] = flow_.word(plane, flow_.indices[i]);
      }
    }
    return planes;
  }
  bool has_size(const ir::Module& module, const char* what) {
    return reads_primitives_of(module, what, flow_.size, diagnostics_);
  }
  sim::ScenePrimitives primitives() const {
    sim::ScenePrimitives made;
    made.count = static_cast<uint32_t>(flow_.ids.size());
    made.vertices = flow_.size;
    made.ids = flow_.ids;
    return made;
  }

  bool run_hull() {
    PipelineStage& stage = *pipeline_.stage(ir::Stage::hull);
    const ir::Module& module = stage.shader.contract;
    if (!has_size(module, "hull")) return false;
    const uint32_t patches = static_cast<uint32_t>(flow_.ids.size()), points = module.output_control_points;
    stage.scene->replace_primitives(primitives(), gathered(module), patches * points);
    RouteResult result;
    if (!run_stage(stage, route_, result)) return false;
    const sim::Tessellation tessellation = sim::tessellation_of(module);
    for (uint32_t p = 0; p < patches; ++p)
      patches_.push_back(
          sim::tessellate(tessellation, sim::factors_of(module, result.patch_constants, patches, p)));
    constants_ = std::move(result.patch_constants);
    tessellation_ = tessellation;
    flow_.module = &module;
    flow_.words = std::move(result.outputs);
    flow_.vertex_count = patches * points;
    flow_.size = points;
    flow_.indices.resize(flow_.vertex_count);
    std::iota(flow_.indices.begin(), flow_.indices.end(), 0u);
    return true;
  }

  bool run_domain() {
    PipelineStage& stage = *pipeline_.stage(ir::Stage::domain);
    const ir::Module& module = stage.shader.contract;
    if (!has_size(module, "domain")) return false;
    sim::ScenePrimitives patches = primitives();
    patches.constants = std::move(constants_);
    std::vector<std::array<float, 3>> locations;
    std::vector<uint32_t> indices, ids;
    const uint32_t size = sim::indices_per_primitive(tessellation_);
    for (uint32_t p = 0; p < patches_.size(); ++p) {
      const auto first = static_cast<uint32_t>(locations.size());
      for (const uint32_t index : patches_[p].indices) indices.push_back(first + index);
      ids.insert(ids.end(), patches_[p].indices.size() / size, p);
      for (const sim::DomainPoint point : patches_[p].points)
        locations.push_back(sim::domain_location(tessellation_.domain, point));
      patches.point_patch.insert(patches.point_patch.end(), patches_[p].points.size(), p);
    }
    const auto count = static_cast<uint32_t>(locations.size());
    for (size_t c = 0; c < 3; ++c) {
      for (const std::array<float, 3>& location : locations)
        patches.locations.push_back(std::bit_cast<uint32_t>(location[c]));
    }
    stage.scene->replace_primitives(std::move(patches), gathered(module), count);
    RouteResult result;
    if (!run_stage(stage, route_, result)) return false;
    flow_ = {&module, std::move(result.outputs), count, size, std::move(indices), std::move(ids)};
    return true;
  }

  bool run_geometry() {
    PipelineStage& stage = *pipeline_.stage(ir::Stage::geometry);
    const ir::Module& module = stage.shader.contract;
    if (!has_size(module, "geometry")) return false;
    stage.scene->replace_primitives(primitives(), gathered(module), 0);
    RouteResult result;
    if (!run_stage(stage, route_, result)) return false;
    const sim::EmittedVertices& emitted = result.emitted;
    const auto topology = static_cast<sim::OutputTopology>(module.output_topology);
    const size_t count = emitted.vertices.size();
    flow_.module = &module;
    flow_.vertex_count = static_cast<uint32_t>(count);
    flow_.words.assign(count * emitted.planes, 0);
    for (size_t v = 0; v < count; ++v) {
      for (size_t plane = 0; plane < emitted.planes; ++plane)
        flow_.words[plane * count + v] = emitted.words[v * emitted.planes + plane];
    }
    flow_.size = sim::vertices_per_primitive(topology);
    flow_.indices = sim::assemble_stream(emitted.vertices, 0, topology);
    number_primitives();
    return true;
  }

  const Route route_;
  Pipeline& pipeline_;
  const RunLimits& limits_;
  PipelineResult& result_;
  Diagnostics& diagnostics_;
  RasterInput flow_;
  std::vector<sim::TessellatedPatch> patches_;
  std::vector<uint32_t> constants_;
  sim::Tessellation tessellation_;
};

}  // namespace

PipelineStage* Pipeline::stage(ir::Stage which) const {
  for (size_t i = 0; i < stages.size(); ++i) {
    if (kPipelineStages[i] == which) return stages[i].get();
  }
  return nullptr;
}

bool reads_primitives_of(const ir::Module& module, const char* what, uint32_t size,
                         Diagnostics& diagnostics) {
  const uint32_t wanted = sim::vertices_per_primitive(module);
  if (wanted == size) return true;
  diagnostics.error({}, "the {} shader reads primitives of {} vertices, but these have {}", what, wanted,
                    size);
  return false;
}

bool are_in_range(std::span<const uint32_t> indices, uint32_t vertices, Diagnostics& diagnostics) {
  for (const uint32_t index : indices) {
    if (index < vertices || index == kCut) continue;
    diagnostics.error({}, "an index is {}, but there are {} vertices", index, vertices);
    return false;
  }
  return true;
}

DrawTolerance draw_tolerance(Route a, Route b) {
  if (a != Route::vulkan && b != Route::vulkan) return {};
  return {1, 0x1p-12};
}

namespace {

double depth_of(const PipelineResult& result, size_t sample) {
  const uint32_t code = result.depth[sample];
  switch (result.depth_format) {
    case sim::DepthFormat::d16: return code / 65535.0;
    case sim::DepthFormat::d24s8: return code / 16777215.0;
    case sim::DepthFormat::none:
    case sim::DepthFormat::d32:
    case sim::DepthFormat::d32s8: break;
  }
  return double{std::bit_cast<float>(code)};
}
double depth_distance(const PipelineResult& a, const PipelineResult& b, size_t sample) {
  return std::fabs(depth_of(a, sample) - depth_of(b, sample));
}

}  // namespace

uint64_t different_samples(const PipelineResult& a, const PipelineResult& b, double depth) {
  uint64_t count = 0;
  for (size_t i = 0; i < std::min(a.depth.size(), b.depth.size()); ++i)
    count += !(depth_distance(a, b, i) <= depth) || a.stencil[i] != b.stencil[i] ? 1 : 0;
  return count;
}

double worst_depth(const PipelineResult& a, const PipelineResult& b) {
  double worst = 0;
  for (size_t i = 0; i < std::min(a.depth.size(), b.depth.size()); ++i)
    worst = std::max(worst, depth_distance(a, b, i));
  return worst;
}

bool run_pipeline(Route route, Pipeline& pipeline, const RunLimits& limits, PipelineResult& result,
                  Diagnostics& diagnostics) {
  const auto start = std::chrono::steady_clock::now();
  result.depth_format = pipeline.depth_format;
  if (route == Route::dksh && !attributes_meet(pipeline, diagnostics)) return false;
  const bool good = route == Route::vulkan ? run_vulkan_pipeline(pipeline, limits, result, diagnostics)
                                           : PipelineRun(route, pipeline, limits, result, diagnostics).run();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return good;
}

}  // namespace texlate::executor
