#include "sim/vulkan/graphics.h"

#include <algorithm>

namespace texlate::sim::vulkan {

VkRenderPass make_render_pass(Job& job, std::span<const Attachment> colors, const Attachment& depth_stencil,
                              VkSampleCountFlagBits samples) {
  std::vector<VkAttachmentDescription> attachments;
  std::vector<VkAttachmentReference> references;
  auto add = [&](VkFormat format) {
    VkAttachmentDescription description{};
    description.format = format;
    description.samples = samples;
    description.loadOp = description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    description.storeOp = description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
    description.initialLayout = description.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachments.push_back(description);
    return VkAttachmentReference{static_cast<uint32_t>(attachments.size() - 1), VK_IMAGE_LAYOUT_GENERAL};
  };
  for (const Attachment& color : colors) {
    references.push_back(color.view != VK_NULL_HANDLE
                             ? add(color.format)
                             : VkAttachmentReference{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED});
  }
  VkAttachmentReference depth{};
  if (depth_stencil.view != VK_NULL_HANDLE) depth = add(depth_stencil.format);
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = static_cast<uint32_t>(references.size());
  subpass.pColorAttachments = references.data();
  if (depth_stencil.view != VK_NULL_HANDLE) subpass.pDepthStencilAttachment = &depth;
  auto info = structure<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
  info.attachmentCount = static_cast<uint32_t>(attachments.size());
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  VkRenderPass pass = VK_NULL_HANDLE;
  check(job.vk.CreateRenderPass(job.context.device, &info, nullptr, &pass), "vkCreateRenderPass");
  job.defer([&job, pass] { job.vk.DestroyRenderPass(job.context.device, pass, nullptr); });
  return pass;
}

VkFramebuffer make_framebuffer(Job& job, VkRenderPass pass, std::span<const Attachment> colors,
                               const Attachment& depth_stencil, uint32_t width, uint32_t height) {
  const VkPhysicalDeviceLimits& limits = job.context.limits;
  if (width > limits.maxFramebufferWidth || height > limits.maxFramebufferHeight)
    fail("'{}' cannot draw to {} x {} pixels", job.context.name, width, height);
  std::vector<VkImageView> views;
  for (const Attachment& color : colors) {
    if (color.view != VK_NULL_HANDLE) views.push_back(color.view);
  }
  if (depth_stencil.view != VK_NULL_HANDLE) views.push_back(depth_stencil.view);
  auto info = structure<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
  info.renderPass = pass;
  info.attachmentCount = static_cast<uint32_t>(views.size());
  info.pAttachments = views.data();
  info.width = width;
  info.height = height;
  info.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  check(job.vk.CreateFramebuffer(job.context.device, &info, nullptr, &framebuffer), "vkCreateFramebuffer");
  job.defer([&job, framebuffer] { job.vk.DestroyFramebuffer(job.context.device, framebuffer, nullptr); });
  return framebuffer;
}

namespace {

std::vector<VkPipelineShaderStageCreateInfo> stages_of(const GraphicsState& state) {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  auto add_stage = [&](VkShaderStageFlagBits which, const Stage& source) {
    if (source.module == VK_NULL_HANDLE) return;
    auto& stage = stages.emplace_back(
        structure<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO));
    stage.stage = which;
    stage.module = source.module;
    stage.pName = source.entry;
    stage.pSpecializationInfo = source.specialization;
  };
  add_stage(VK_SHADER_STAGE_VERTEX_BIT, state.vertex);
  add_stage(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, state.hull);
  add_stage(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, state.domain);
  add_stage(VK_SHADER_STAGE_GEOMETRY_BIT, state.geometry);
  add_stage(VK_SHADER_STAGE_FRAGMENT_BIT, state.pixel);
  return stages;
}

/// Everything before rasterization: attributes, primitives, patches.
struct InputState {
  explicit InputState(const GraphicsState& state) {
    for (const VkVertexInputAttributeDescription& attribute : state.attributes) {
      bindings.push_back({attribute.binding, 16, VK_VERTEX_INPUT_RATE_VERTEX});
    }
    attributes.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size());
    attributes.pVertexBindingDescriptions = bindings.data();
    attributes.vertexAttributeDescriptionCount = static_cast<uint32_t>(state.attributes.size());
    attributes.pVertexAttributeDescriptions = state.attributes.data();
    // Vertex by vertex. Vulkan requires a PointSize from shaders that draw points
    // (VUID-VkGraphicsPipelineCreateInfo-Vertex-07722), although the size has no effect here. The tested
    // shader is not changed.
    assembly.topology = state.pixel.module == VK_NULL_HANDLE ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                                                             : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    if (state.patch_control_points != 0) assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    if (state.topology != VK_PRIMITIVE_TOPOLOGY_MAX_ENUM) assembly.topology = state.topology;
    assembly.primitiveRestartEnable = state.restarts;
    tessellation.patchControlPoints = state.patch_control_points;
  }
  InputState(const InputState&) = delete;

  std::vector<VkVertexInputBindingDescription> bindings;
  VkPipelineVertexInputStateCreateInfo attributes = structure<VkPipelineVertexInputStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
  VkPipelineInputAssemblyStateCreateInfo assembly = structure<VkPipelineInputAssemblyStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
  VkPipelineTessellationStateCreateInfo tessellation = structure<VkPipelineTessellationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO);
};

/// Rasterization and the stages after it, used if there is a pixel stage.
struct OutputState {
  explicit OutputState(const GraphicsState& state)
      : viewport{0,
                 0,
                 static_cast<float>(std::max(state.width, state.viewport_width)),
                 static_cast<float>(std::max(state.height, state.viewport_height)),
                 0,
                 1},
        scissor{{0, 0}, {state.width, state.height}},
        blends(state.color_count) {
    view.viewportCount = view.scissorCount = 1;
    view.pViewports = &viewport;
    view.pScissors = &scissor;
    multisample.rasterizationSamples = state.samples;
    multisample.sampleShadingEnable = state.every_sample;
    multisample.minSampleShading = 1.0f;
    depth.depthTestEnable = depth.depthWriteEnable = depth.stencilTestEnable = state.depth_stencil;
    depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    depth.front = {VK_STENCIL_OP_REPLACE,
                   VK_STENCIL_OP_REPLACE,
                   VK_STENCIL_OP_REPLACE,
                   VK_COMPARE_OP_ALWAYS,
                   0xff,
                   0xff,
                   1};
    depth.back = depth.front;
    for (VkPipelineColorBlendAttachmentState& target : blends) target.colorWriteMask = 0xf;
    blend.attachmentCount = state.color_count;
    blend.pAttachments = blends.data();
    if (state.fixed != nullptr) take(*state.fixed);
  }
  OutputState(const OutputState&) = delete;

  void take(const FixedFunctions& fixed) {
    viewport = fixed.viewport;
    scissor = fixed.scissor;
    depth = fixed.depth;
    std::ranges::fill(blends, fixed.blend);
    std::ranges::copy(fixed.blend_constants, blend.blendConstants);
    multisample.pSampleMask = &fixed.sample_mask;
  }

  VkViewport viewport;
  VkRect2D scissor;
  std::vector<VkPipelineColorBlendAttachmentState> blends;
  VkPipelineViewportStateCreateInfo view =
      structure<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  VkPipelineMultisampleStateCreateInfo multisample = structure<VkPipelineMultisampleStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  VkPipelineDepthStencilStateCreateInfo depth = structure<VkPipelineDepthStencilStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
  VkPipelineColorBlendStateCreateInfo blend = structure<VkPipelineColorBlendStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
};

}  // namespace

VkPipeline make_graphics_pipeline(Job& job, const GraphicsState& state) {
  const bool discards = state.pixel.module == VK_NULL_HANDLE;
  const std::vector<VkPipelineShaderStageCreateInfo> stages = stages_of(state);
  const InputState input(state);
  const OutputState output(state);
  auto rasterization = structure<VkPipelineRasterizationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  rasterization.rasterizerDiscardEnable = discards;
  rasterization.polygonMode = VK_POLYGON_MODE_FILL;
  rasterization.cullMode = VK_CULL_MODE_NONE;
  rasterization.frontFace = VK_FRONT_FACE_CLOCKWISE;
  rasterization.lineWidth = 1.0f;
  auto depth_clip = structure<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
  auto lines = structure<VkPipelineRasterizationLineStateCreateInfoEXT>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
  lines.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
  if (state.fixed != nullptr) {
    rasterization = state.fixed->raster;
    depth_clip.depthClipEnable = state.fixed->clips_depth;
    rasterization.pNext = &depth_clip;
    if (state.fixed->bresenham) depth_clip.pNext = &lines;
  }
  auto info = structure<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  info.stageCount = static_cast<uint32_t>(stages.size());
  info.pStages = stages.data();
  info.pVertexInputState = &input.attributes;
  info.pInputAssemblyState = &input.assembly;
  if (state.patch_control_points != 0) info.pTessellationState = &input.tessellation;
  info.pRasterizationState = &rasterization;
  if (!discards) {
    info.pViewportState = &output.view;
    info.pMultisampleState = &output.multisample;
    info.pDepthStencilState = &output.depth;
    info.pColorBlendState = &output.blend;
  }
  info.layout = state.layout;
  info.renderPass = state.render_pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(job.vk.CreateGraphicsPipelines(job.context.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateGraphicsPipelines");
  job.defer([&job, pipeline] { job.vk.DestroyPipeline(job.context.device, pipeline, nullptr); });
  return pipeline;
}

}  // namespace texlate::sim::vulkan
