// Render passes and graphics pipelines, limited to what the jobs need.
#pragma once

#include "sim/vulkan/context.h"
#include "sim/vulkan/module_interface.h"

namespace texlate::sim::vulkan {

struct Stage {
  VkShaderModule module = VK_NULL_HANDLE;
  const char* entry = "main";
  const VkSpecializationInfo* specialization = nullptr;
};

/// The functions after the shaders, for whole draws.
struct FixedFunctions {
  VkViewport viewport{};
  VkRect2D scissor{};
  VkPipelineRasterizationStateCreateInfo raster = structure<VkPipelineRasterizationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  bool clips_depth = true;  // with VK_EXT_depth_clip_enable
  bool bresenham = false;   // with VK_EXT_line_rasterization: lines are aliased
  VkPipelineDepthStencilStateCreateInfo depth = structure<VkPipelineDepthStencilStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
  VkPipelineColorBlendAttachmentState blend{};
  std::array<float, 4> blend_constants{};
  VkSampleMask sample_mask = 0xffffffffu;
};

struct GraphicsState {
  Stage vertex, pixel;  // without a pixel stage nothing is rasterized
  Stage hull, domain, geometry;
  uint32_t patch_control_points = 0;  // with hull and domain stages
  /// VK_PRIMITIVE_TOPOLOGY_MAX_ENUM: triangles before a pixel stage, patches before a hull stage, else
  /// points.
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_MAX_ENUM;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  uint32_t width = 1, height = 1;                    // of the target
  uint32_t viewport_width = 0, viewport_height = 0;  // if larger than the target
  uint32_t color_count = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  bool every_sample = false;              // one invocation per sample
  bool depth_stencil = false;             // depth is written, stencil is set to 1, all tests pass
  bool restarts = false;                  // an index of 0xffffffff starts the topology anew
  const FixedFunctions* fixed = nullptr;  // instead of the sizes and `depth_stencil`
  std::vector<VkVertexInputAttributeDescription>
      attributes;  // each in the binding with its number, tightly packed
};

struct Attachment {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageView view = VK_NULL_HANDLE;
};

/// Load clears, store keeps. Every layout is GENERAL. `depth_stencil` may have no view.
VkRenderPass make_render_pass(Job& job, std::span<const Attachment> colors, const Attachment& depth_stencil,
                              VkSampleCountFlagBits samples);
VkFramebuffer make_framebuffer(Job& job, VkRenderPass pass, std::span<const Attachment> colors,
                               const Attachment& depth_stencil, uint32_t width, uint32_t height);
/// Declares a vertex shader's inputs in `state` and fills a buffer for each of them from planes with `count`
/// words (VertexJob::inputs).
std::vector<VkBuffer> make_attributes(Job& job, std::span<const uint32_t> planes, uint32_t count,
                                      std::span<const InterfaceVariable> variables, GraphicsState& state);
VkPipeline make_graphics_pipeline(Job& job, const GraphicsState& state);

}  // namespace texlate::sim::vulkan
