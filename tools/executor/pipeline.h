// A whole draw: shaders of up to five stages, and Direct3D's fixed functions between and after them.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "sim/pipeline/output_merger.h"
#include "sim/pipeline/primitive_assembly.h"
#include "sim/scene/png_file.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

struct PipelineStage {
  Shader shader;
  std::unique_ptr<sim::Scene> scene;  // bindings; of the vertex shader, also its inputs
};

/// In the order in which they run.
inline constexpr ir::Stage kPipelineStages[] = {ir::Stage::vertex, ir::Stage::hull, ir::Stage::domain,
                                                ir::Stage::geometry, ir::Stage::pixel};

struct Pipeline {
  std::array<std::unique_ptr<PipelineStage>, std::size(kPipelineStages)> stages;  // null: not used
  PipelineStage* stage(ir::Stage which) const;
  spirv::Robustness robustness = spirv::Robustness::driver;  // that shaders are prepared for

  sim::Topology topology = sim::Topology::triangle_list;
  uint32_t control_points = 1;
  std::optional<std::vector<uint32_t>> indices;  // 0xffffffff is a cut

  uint32_t width = 64, height = 64, samples = 1;
  sim::Format format = sim::Format::r8g8b8a8_unorm;
  std::array<float, 4> clear{0, 0, 0, 1};
  sim::Viewport viewport{0, 0, 64, 64, 0, 1};
  sim::RasterState raster;
  sim::DepthFormat depth_format = sim::DepthFormat::none;
  float depth_clear = 1;
  uint8_t stencil_clear = 0;
  sim::DepthState depth;
  sim::BlendState blend;
};

struct PipelineResult {
  sim::Picture picture;         // of target 0, resolved
  std::vector<uint32_t> depth;  // by sample: codes or, of D32, bits; empty: there is no depth buffer
  sim::DepthFormat depth_format = sim::DepthFormat::none;
  std::vector<uint8_t> stencil;
  uint64_t vertices = 0, primitives = 0, pixels = 0;  // that the stages ran on; pixels without helpers
  uint64_t lane_instructions = 0;
  uint32_t any_undefined = 0;
  std::string trouble;
  double seconds = 0;
};

/// All shaders run on the route, the fixed functions between them in this process; on route vulkan all of it
/// is one draw of the device. On route dksh the attributes of neighbors must meet
/// (tools/executor/dksh_link.h).
bool run_pipeline(Route route, Pipeline& pipeline, const RunLimits& limits, PipelineResult& result,
                  Diagnostics& diagnostics);

/// How far two routes may be apart: exactly equal, unless a driver rasterizes and blends (docs/scene.md).
struct DrawTolerance {
  uint32_t steps = 0;  // of 1/255, of a color
  double depth = 0;    // of the range 0 to 1
};
DrawTolerance draw_tolerance(Route a, Route b);
/// How many samples have another depth or stencil.
uint64_t different_samples(const PipelineResult& a, const PipelineResult& b, double depth = 0);
/// The greatest difference of two depths of a sample.
double worst_depth(const PipelineResult& a, const PipelineResult& b);

// ---- parts of run_pipeline()

/// False, with an error, if the shader reads primitives of another size.
bool reads_primitives_of(const ir::Module& module, const char* what, uint32_t size, Diagnostics& diagnostics);
/// False, with an error, if one is neither a vertex nor 0xffffffff.
bool are_in_range(std::span<const uint32_t> indices, uint32_t vertices, Diagnostics& diagnostics);
/// False, with an error, if primitives of `size` vertices that `module` makes are not drawn by pipelines.
bool is_drawn(const ir::Module& module, uint32_t size, Diagnostics& diagnostics);
/// The mean of the samples (D3D11.3 5.6.6), with components that the format lacks as in a read.
sim::Picture resolved_picture(sim::Format format, std::span<const std::byte> texels, uint32_t width,
                              uint32_t height, uint32_t samples);
/// One draw on limits.device.
bool run_vulkan_pipeline(Pipeline& pipeline, const RunLimits& limits, PipelineResult& result,
                         Diagnostics& diagnostics);

/// Primitives that reach the rasterizer.
struct RasterInput {
  const ir::Module* module = nullptr;  // of the shader that made the vertices
  std::vector<uint32_t> words;         // planes with a word for each vertex
  uint32_t vertex_count = 0;
  uint32_t size = 3;              // vertices of a primitive
  std::vector<uint32_t> indices;  // `size` for each primitive
  std::vector<uint32_t> ids;      // by primitive
  uint32_t word(uint32_t plane, uint32_t vertex) const {
    const size_t at = size_t{plane} * vertex_count + vertex;
    return at < words.size() ? words[at] : 0;
  }
};

/// Rasterizes, runs the pixel shader and merges its outputs.
bool draw_primitives(Route route, const RasterInput& input, Pipeline& pipeline, const RunLimits& limits,
                     PipelineResult& result, Diagnostics& diagnostics);

}  // namespace texlate::executor
