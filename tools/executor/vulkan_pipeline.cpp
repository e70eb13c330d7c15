// A pipeline as one draw of a Vulkan device.

#include <algorithm>

#include "sim/pipeline/patch_factors.h"
#include "sim/pipeline/stream_assembly.h"
#include "sim/vulkan/draw_job.h"
#include "tools/executor/pipeline.h"

namespace texlate::executor {

namespace {

using ir::SystemValue;

constexpr uint32_t kPoint = 1, kLine = 2, kTriangle = 3;

class VulkanDraw {
 public:
  VulkanDraw(Pipeline& pipeline, sim::vulkan::Device& device, Diagnostics& diagnostics)
      : pipeline_(pipeline), device_(device), diagnostics_(diagnostics) {
    for (const ir::Stage which : kPipelineStages) {
      if (pipeline.stage(which) != nullptr && which != ir::Stage::pixel) last_ = which;
    }
  }

  bool run(PipelineResult& result) {
    if (!check_primitives() || !check_registers() || !make_shaders() || !take_vertices()) return false;
    take_state();
    if (!device_.draw(job_, diagnostics_)) return false;
    result.vertices = job_.vertex_count;
    result.picture = resolved_picture(job_.format, job_.texels, job_.width, job_.height, 1);
    result.depth = std::move(job_.depths);
    result.stencil = std::move(job_.stencil_codes);
    return true;
  }

 private:
  const ir::Module& module_of(ir::Stage which) const { return pipeline_.stage(which)->shader.contract; }

  /// The sizes of primitives on their way to the rasterizer.
  bool check_primitives() {
    size_ = sim::vertices_of(pipeline_.topology, pipeline_.control_points);
    if (pipeline_.stage(ir::Stage::hull) != nullptr) {
      const ir::Module &hull = module_of(ir::Stage::hull), &domain = module_of(ir::Stage::domain);
      if (!reads_primitives_of(hull, "hull", size_, diagnostics_)) return false;
      if (!reads_primitives_of(domain, "domain", hull.output_control_points, diagnostics_)) return false;
      size_ = sim::indices_per_primitive(sim::tessellation_of(hull));
    }
    if (pipeline_.stage(ir::Stage::geometry) != nullptr) {
      const ir::Module& geometry = module_of(ir::Stage::geometry);
      if (!reads_primitives_of(geometry, "geometry", size_, diagnostics_)) return false;
      size_ = sim::vertices_per_primitive(static_cast<sim::OutputTopology>(geometry.output_topology));
    } else if (const auto own = sim::own_vertices(pipeline_.topology);
               !own.empty() && pipeline_.stage(ir::Stage::hull) == nullptr) {
      size_ = static_cast<uint32_t>(own.size());
    }
    return is_drawn(module_of(last_), size_, diagnostics_);
  }

  /// Vulkan passes positions and distances as built-in variables, everything else by location: a stage does
  /// not find a register that the one before it declares otherwise.
  bool check_registers() {
    const ir::Module* before = nullptr;
    for (const ir::Stage which : kPipelineStages) {
      const PipelineStage* stage = pipeline_.stage(which);
      if (stage == nullptr) continue;
      if (before != nullptr && before->stage != ir::Stage::hull && which != ir::Stage::pixel &&
          !check_inputs(*before, stage->shader.contract))
        return false;
      before = &stage->shader.contract;
    }
    return true;
  }
  static bool is_built_in(SystemValue value) {
    return value == SystemValue::position || value == SystemValue::clip_distance ||
           value == SystemValue::cull_distance;
  }
  bool check_inputs(const ir::Module& before, const ir::Module& reader) {
    for (const ir::Parameter& input : reader.inputs) {
      for (const ir::Parameter& output : before.outputs) {
        if (input.reg != output.reg || (input.mask & output.mask) == 0 || output.stream != 0) continue;
        const bool differ = is_built_in(input.system_value) || is_built_in(output.system_value)
                                ? input.system_value != output.system_value
                                : false;
        if (!differ) continue;
        diagnostics_.error(
            {}, "vulkan: v{} of a stage and o{} of the stage before it are not the same system value",
            input.reg, output.reg);
        return false;
      }
    }
    return true;
  }

  bool make_shaders() {
    uint32_t set = 0;
    for (size_t i = 0; i < std::size(kPipelineStages); ++i) {
      const ir::Stage which = kPipelineStages[i];
      PipelineStage* stage = pipeline_.stage(which);
      if (stage == nullptr) continue;
      VulkanStage as;
      as.set = set++;
      as.feeds_rasterizer = which == last_;
      as.point_size = which == last_ && size_ == kPoint;
      as.dual_source = which == ir::Stage::pixel && sim::reads_second_source(pipeline_.blend.targets[0]);
      stage->scene->reset_uavs();
      if (!make_vulkan_shader(stage->shader.legal_spirv, stage->shader.robustness, device_,
                              stage->scene->bindings(), pipeline_.samples, shaders_[i], diagnostics_, &as))
        return false;
      slot_of(which) = &shaders_[i].shader;
    }
    return true;
  }
  const sim::vulkan::Shader*& slot_of(ir::Stage which) {
    switch (which) {
      case ir::Stage::hull: return job_.hull;
      case ir::Stage::domain: return job_.domain;
      case ir::Stage::geometry: return job_.geometry;
      case ir::Stage::pixel: return job_.pixel;
      case ir::Stage::vertex:
      case ir::Stage::compute: break;  // is in no pipeline
    }
    return job_.vertex;
  }

  bool take_vertices() {
    const PipelineStage& stage = *pipeline_.stage(ir::Stage::vertex);
    sim::StreamLaunch launch;
    launch.count = job_.vertex_count = stage.scene->element_count();
    launch.inputs = stage.scene->inputs();
    job_.inputs.assign(launch.inputs.begin(), launch.inputs.end());
    job_.indices = pipeline_.indices;
    return has_system_values_of_device(stage.shader.legal_spirv, launch, 0, diagnostics_) &&
           (!job_.indices || are_in_range(*job_.indices, job_.vertex_count, diagnostics_));
  }

  void take_state() {
    job_.topology = pipeline_.topology;
    job_.control_points = pipeline_.control_points;
    job_.width = pipeline_.width;
    job_.height = pipeline_.height;
    job_.samples = pipeline_.samples;
    job_.format = pipeline_.format;
    job_.clear = pipeline_.clear;
    job_.viewport = pipeline_.viewport;
    job_.raster = pipeline_.raster;
    job_.depth_format = pipeline_.depth_format;
    job_.depth_clear = pipeline_.depth_clear;
    job_.stencil_clear = pipeline_.stencil_clear;
    job_.depth = pipeline_.depth;
    job_.blend = pipeline_.blend;
    job_.draws_lines = size_ == kLine;
    // Points and lines are front faces that no mode culls.
    if (size_ != kTriangle) job_.raster.cull = sim::CullMode::none;
  }

  Pipeline& pipeline_;
  sim::vulkan::Device& device_;
  Diagnostics& diagnostics_;
  ir::Stage last_ = ir::Stage::vertex;  // before the rasterizer
  uint32_t size_ = kTriangle;           // vertices of what it draws
  std::array<VulkanShader, std::size(kPipelineStages)> shaders_;
  sim::vulkan::DrawJob job_;
};

}  // namespace

bool run_vulkan_pipeline(Pipeline& pipeline, const RunLimits& limits, PipelineResult& result,
                         Diagnostics& diagnostics) {
  if (limits.device == nullptr) return false;
  return VulkanDraw(pipeline, *limits.device, diagnostics).run(result);
}

}  // namespace texlate::executor
