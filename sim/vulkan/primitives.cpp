// Runs points and patches through the stages between vertices and rasterizer.

#include "sim/vulkan/graphics.h"
#include "sim/vulkan/jobs.h"
#include "sim/vulkan/resources.h"

namespace texlate::sim::vulkan {

void run_primitives(const Context& context, const Shader& vertex, const PrimitiveJob& primitives) {
  if (context.features.vertexPipelineStoresAndAtomics == VK_FALSE)
    fail_missing("'{}' lacks vertexPipelineStoresAndAtomics", context.name);
  Job job(context);
  Resources resources(job, vertex);
  const Specialization specialization(vertex);
  auto stage = [&](std::span<const uint32_t> words) {
    if (words.empty()) return Stage{};
    require_capabilities(context, read_interface(words));
    return Stage{job.module(words), vertex.entry.c_str(), &specialization.info};
  };
  GraphicsState state;
  state.vertex = stage(vertex.words);
  state.hull = stage(primitives.hull);
  state.domain = stage(primitives.domain);
  state.geometry = stage(primitives.geometry);
  state.patch_control_points = primitives.patch_control_points;
  state.layout = resources.layout();
  state.render_pass = make_render_pass(job, {}, {}, VK_SAMPLE_COUNT_1_BIT);
  const VkFramebuffer framebuffer = make_framebuffer(job, state.render_pass, {}, {}, 1, 1);
  const VkPipeline pipeline = make_graphics_pipeline(job, state);
  auto begin = structure<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
  begin.renderPass = state.render_pass;
  begin.framebuffer = framebuffer;
  begin.renderArea.extent = {1, 1};
  job.barrier();
  job.vk.CmdBeginRenderPass(job.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  job.vk.CmdBindPipeline(job.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  resources.bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
  job.vk.CmdDraw(job.commands, primitives.vertices, 1, 0, 0);
  job.vk.CmdEndRenderPass(job.commands);
  resources.read_back();
  job.run();
  resources.store();
}

}  // namespace texlate::sim::vulkan
