// Vertices: attributes in, transform feedback out, without rasterization.

#include <algorithm>
#include <cstring>

#include "sim/vulkan/graphics.h"
#include "sim/vulkan/jobs.h"
#include "sim/vulkan/resources.h"

namespace texlate::sim::vulkan {

namespace {

VkFormat attribute_format(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::uint: return VK_FORMAT_R32G32B32A32_UINT;
    case ScalarKind::int_: return VK_FORMAT_R32G32B32A32_SINT;
    default: return VK_FORMAT_R32G32B32A32_SFLOAT;
  }
}

/// Four words per vertex, from planes.
Buffer attribute_buffer(Job& job, std::span<const uint32_t> planes, uint32_t count, uint32_t location) {
  const Buffer buffer = job.buffer(size_t{count} * 16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  for (uint32_t c = 0; c < 4; ++c) {
    const size_t plane = (size_t{location} * 4 + c) * count;
    if (plane + count > planes.size()) break;
    for (uint32_t v = 0; v < count; ++v)
      std::memcpy(buffer.data + size_t{v} * 16 + c * 4, &planes[plane + v], 4);
  }
  return buffer;
}

/// Reads outputs from the records of `stride` bytes that transform feedback wrote; `offsets` is indexed by
/// variable.
void read_outputs(VertexJob& vertices, const ModuleInterface& interface, const Buffer& captured,
                  std::span<const uint32_t> offsets, uint32_t stride) {
  for (size_t i = 0; i < interface.variables.size(); ++i) {
    const InterfaceVariable& variable = interface.variables[i];
    if (variable.is_input) continue;
    VertexJob::Output output{variable.is_builtin,
                             variable.number,
                             variable.component,
                             variable.components * std::max(1u, variable.array),
                             {}};
    output.data.resize(size_t{output.words} * vertices.count);
    for (uint32_t v = 0; v < vertices.count; ++v) {
      std::memcpy(output.data.data() + size_t{v} * output.words,
                  captured.data + size_t{v} * stride + offsets[i], size_t{output.words} * 4);
    }
    vertices.outputs.push_back(std::move(output));
  }
}

}  // namespace

std::vector<VkBuffer> make_attributes(Job& job, std::span<const uint32_t> planes, uint32_t count,
                                      std::span<const InterfaceVariable> variables, GraphicsState& state) {
  const VkPhysicalDeviceLimits& limits = job.context.limits;
  std::vector<VkBuffer> buffers;
  for (const InterfaceVariable& input : variables) {
    if (!input.is_input || input.is_builtin) continue;
    bool known = false;
    for (const auto& attribute : state.attributes) known |= attribute.location == input.number;
    if (known) continue;
    const auto binding = static_cast<uint32_t>(state.attributes.size());
    if (input.number >= limits.maxVertexInputAttributes || binding >= limits.maxVertexInputBindings) {
      fail("'{}' has {} vertex attributes, too few for v{}", job.context.name,
           limits.maxVertexInputAttributes, input.number);
    }
    state.attributes.push_back({input.number, binding, attribute_format(input.kind), 0});
    buffers.push_back(attribute_buffer(job, planes, count, input.number).buffer);
  }
  return buffers;
}

void run_vertices(const Context& context, const Shader& shader, VertexJob& vertices) {
  ModuleInterface interface = read_interface(shader.words);
  require_capabilities(context, interface);
  // If a module captures some of its outputs itself, only these are returned.
  const auto is_captured = [](const InterfaceVariable& one) { return one.capture_stride != 0; };
  if (std::ranges::any_of(interface.variables, is_captured)) {
    std::erase_if(interface.variables,
                  [&](const InterfaceVariable& one) { return !one.is_input && !is_captured(one); });
  }
  if (!context.transform_feedback)
    fail_missing("'{}' lacks transformFeedback, which is needed to read vertices back", context.name);
  vertices.outputs.clear();
  Job job(context);
  Resources resources(job, shader);
  const Specialization specialization(shader);
  std::vector<uint32_t> offsets;
  StreamStrides strides;
  const std::vector<uint32_t> words = with_transform_feedback(shader.words, interface, offsets, strides);
  const uint32_t stride = strides[0];
  const bool captures = stride != 0;
  GraphicsState state;
  state.vertex = {job.module(captures ? std::span<const uint32_t>(words) : shader.words),
                  shader.entry.c_str(), &specialization.info};
  state.layout = resources.layout();
  const std::vector<VkBuffer> attributes =
      make_attributes(job, vertices.inputs, vertices.count, interface.variables, state);
  state.render_pass = make_render_pass(job, {}, {}, VK_SAMPLE_COUNT_1_BIT);
  const VkFramebuffer framebuffer = make_framebuffer(job, state.render_pass, {}, {}, 1, 1);
  const VkPipeline pipeline = make_graphics_pipeline(job, state);
  const Buffer captured =
      job.buffer(size_t{stride} * vertices.count, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
  auto begin = structure<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
  begin.renderPass = state.render_pass;
  begin.framebuffer = framebuffer;
  begin.renderArea.extent = {1, 1};
  job.barrier();
  job.vk.CmdBeginRenderPass(job.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  job.vk.CmdBindPipeline(job.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  resources.bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
  const std::vector<VkDeviceSize> zeros(std::max<size_t>(1, attributes.size()), 0);
  if (!attributes.empty()) {
    job.vk.CmdBindVertexBuffers(job.commands, 0, static_cast<uint32_t>(attributes.size()), attributes.data(),
                                zeros.data());
  }
  if (captures) {
    const VkDeviceSize size = captured.size;
    job.vk.CmdBindTransformFeedbackBuffersEXT(job.commands, 0, 1, &captured.buffer, zeros.data(), &size);
    job.vk.CmdBeginTransformFeedbackEXT(job.commands, 0, 0, nullptr, nullptr);
  }
  job.vk.CmdDraw(job.commands, vertices.count, 1, 0, 0);
  if (captures) job.vk.CmdEndTransformFeedbackEXT(job.commands, 0, 0, nullptr, nullptr);
  job.vk.CmdEndRenderPass(job.commands);
  resources.read_back();
  job.run();
  resources.store();
  read_outputs(vertices, interface, captured, offsets, stride);
}

}  // namespace texlate::sim::vulkan
