// A whole draw: the device assembles, tessellates, rasterizes, tests and blends.

#include "sim/vulkan/draw_job.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/vulkan/fixed_functions.h"
#include "sim/vulkan/format.h"
#include "sim/vulkan/graphics.h"
#include "sim/vulkan/jobs.h"
#include "sim/vulkan/resources.h"
#include "sim/vulkan/sample_reader.h"

namespace texlate::sim::vulkan {

namespace {

constexpr uint32_t kCut = 0xffffffffu;
constexpr uint32_t kDepth24Mask = 0xffffffu;  // the other bits of its words are undefined

VkPrimitiveTopology topology_of(Topology topology) {
  switch (topology) {
    case Topology::point_list: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case Topology::line_list: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case Topology::line_strip: return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    case Topology::triangle_list: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case Topology::triangle_strip: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    case Topology::line_list_adjacency: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    case Topology::line_strip_adjacency: return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
    case Topology::triangle_list_adjacency: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    case Topology::triangle_strip_adjacency: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
    case Topology::patch_list: return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  }
  return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

bool has_adjacency(VkPrimitiveTopology topology) {
  return topology >= VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY &&
         topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

bool is_strip(Topology topology) {
  switch (topology) {
    case Topology::line_strip:
    case Topology::triangle_strip:
    case Topology::line_strip_adjacency:
    case Topology::triangle_strip_adjacency: return true;
    case Topology::point_list:
    case Topology::line_list:
    case Topology::triangle_list:
    case Topology::line_list_adjacency:
    case Topology::triangle_list_adjacency:
    case Topology::patch_list: return false;
  }
  return false;
}

/// Without tessellation a list of patches is a list of primitives with as many vertices.
VkPrimitiveTopology list_of_patches(uint32_t control_points) {
  switch (control_points) {
    case 1: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case 2: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case 3: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case 4: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    case 6: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    default: fail("Vulkan has no primitives of {} vertices", control_points);
  }
}

class WholeDraw {
 public:
  WholeDraw(const Context& context, DrawJob& draw)
      : job_(context), vk_(context.vk), draw_(draw), fixed_(fixed_functions_of(context, draw)) {
    for (const Shader* shader : {draw.vertex, draw.hull, draw.domain, draw.geometry, draw.pixel}) {
      if (shader == nullptr) continue;
      require_capabilities(context, read_interface(shader->words));
      all_.descriptors.insert(all_.descriptors.end(), shader->descriptors.begin(), shader->descriptors.end());
    }
  }

  void run() {
    make_targets();
    Resources resources(job_, all_);
    GraphicsState state;
    const std::vector<VkBuffer> attributes = make_attributes(
        job_, draw_.inputs, draw_.vertex_count, read_interface(draw_.vertex->words).variables, state);
    describe(state, resources.layout());
    const VkPipeline pipeline = make_graphics_pipeline(job_, state);
    begin(state.render_pass);
    vk_.CmdBindPipeline(job_.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    resources.bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
    const std::vector<VkDeviceSize> zeros(attributes.size(), 0);
    if (!attributes.empty())
      vk_.CmdBindVertexBuffers(job_.commands, 0, static_cast<uint32_t>(attributes.size()), attributes.data(),
                               zeros.data());
    submit_vertices();
    vk_.CmdEndRenderPass(job_.commands);
    resources.read_back();
    copy_targets();
    job_.run();
    resources.store();
    take_results();
  }

 private:
  size_t pixels() const { return size_t{draw_.width} * draw_.height; }
  bool is_multisampled() const { return draw_.samples > 1; }
  bool has_depth() const { return draw_.depth_format != DepthFormat::none; }

  Image image(VkFormat format, VkImageUsageFlags usage, uint32_t samples, VkImageAspectFlags aspect,
              const char* what) {
    auto info = structure<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {draw_.width, draw_.height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = static_cast<VkSampleCountFlagBits>(samples);
    info.usage = usage;
    VkImageFormatProperties limits{};
    const VkResult possible = vk_.GetPhysicalDeviceImageFormatProperties(
        job_.context.physical, format, info.imageType, VK_IMAGE_TILING_OPTIMAL, usage, 0, &limits);
    const bool fits = possible == VK_SUCCESS && std::has_single_bit(samples) &&
                      (limits.sampleCounts & info.samples) != 0 && draw_.width <= limits.maxExtent.width &&
                      draw_.height <= limits.maxExtent.height;
    if (!fits)
      fail("'{}' cannot draw to {} of {} x {} pixels with {} samples", job_.context.name, what, draw_.width,
           draw_.height, samples);
    return job_.image(info, aspect);
  }
  Attachment attachment(const Image& image) {
    auto info = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image.image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = image.format;
    info.subresourceRange = {image.aspect, 0, 1, 0, 1};
    return {image.format, job_.view(info)};
  }

  void make_targets() {
    const FormatInfo& format = format_info(draw_.format);
    const FormatMapping mapping = vulkan_format(draw_.format);
    const bool in_order = mapping.swizzle.r == VK_COMPONENT_SWIZZLE_IDENTITY &&
                          mapping.swizzle.a == VK_COMPONENT_SWIZZLE_IDENTITY;
    if (mapping.color == VK_FORMAT_UNDEFINED || !in_order)
      fail("a target of format {} has no counterpart on Vulkan", format.name);
    constexpr VkImageUsageFlags kColor =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const std::string name(format.name);
    color_ = image(mapping.color, kColor, draw_.samples, VK_IMAGE_ASPECT_COLOR_BIT, name.c_str());
    color_target_ = attachment(color_);
    if (is_multisampled())
      resolved_ = image(mapping.color, VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, 1,
                        VK_IMAGE_ASPECT_COLOR_BIT, name.c_str());
    texels_ = job_.buffer(pixels() * format.bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    if (!has_depth()) return;
    VkImageAspectFlags aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    if (has_stencil(draw_.depth_format)) aspect |= VK_IMAGE_ASPECT_STENCIL_BIT;
    const VkImageUsageFlags usage =
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
        (is_multisampled() ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    depth_ = image(vulkan_format(draw_.depth_format), usage, draw_.samples, aspect, "a depth buffer");
    depth_target_ = attachment(depth_);
  }

  static Stage stage(Job& job, const Shader* shader, const Specialization& specialization) {
    if (shader == nullptr) return {};
    return {job.module(shader->words), shader->entry.c_str(), &specialization.info};
  }
  void describe(GraphicsState& state, VkPipelineLayout layout) {
    static const Shader kNone;
    const auto make = [&](const Shader* shader) {
      specializations_.push_back(std::make_unique<Specialization>(shader != nullptr ? *shader : kNone));
      return stage(job_, shader, *specializations_.back());
    };
    state.vertex = make(draw_.vertex);
    state.hull = make(draw_.hull);
    state.domain = make(draw_.domain);
    state.geometry = make(draw_.geometry);
    state.pixel = make(draw_.pixel);
    state.topology = topology_of(draw_.topology);
    if (draw_.hull != nullptr) {
      state.patch_control_points = draw_.control_points;
    } else if (draw_.topology == Topology::patch_list) {
      state.topology = list_of_patches(draw_.control_points);
    }
    if (has_adjacency(state.topology) && job_.context.features.geometryShader == VK_FALSE)
      fail_missing("'{}' lacks geometryShader, which topologies with adjacency need", job_.context.name);
    state.restarts = draw_.indices.has_value() && is_strip(draw_.topology);
    state.layout = layout;
    const auto samples = static_cast<VkSampleCountFlagBits>(draw_.samples);
    state.render_pass = make_render_pass(job_, {&color_target_, 1}, depth_target_, samples);
    state.width = draw_.width;
    state.height = draw_.height;
    state.color_count = 1;
    state.samples = samples;
    state.fixed = &fixed_;
  }

  void begin(VkRenderPass pass) {
    std::array<VkClearValue, 2> clears{};
    const FormatInfo& format = format_info(draw_.format);
    for (size_t c = 0; c < 4; ++c) {
      if (format.is_integer()) {
        clears[0].color.uint32[c] = integer_clear(draw_.clear[c]);
      } else {
        clears[0].color.float32[c] = draw_.clear[c];
      }
    }
    clears[1].depthStencil = {draw_.depth_clear, draw_.stencil_clear};
    auto begin = structure<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begin.renderPass = pass;
    begin.framebuffer =
        make_framebuffer(job_, pass, {&color_target_, 1}, depth_target_, draw_.width, draw_.height);
    begin.renderArea.extent = {draw_.width, draw_.height};
    begin.clearValueCount = has_depth() ? 2 : 1;
    begin.pClearValues = clears.data();
    job_.barrier();
    vk_.CmdBeginRenderPass(job_.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  }

  /// Only strips can be started anew without an extension; the primitives of lists are independent, so lists
  /// are given without those that a cut leaves incomplete.
  void submit_vertices() {
    if (!draw_.indices) return vk_.CmdDraw(job_.commands, draw_.vertex_count, 1, 0, 0);
    std::vector<uint32_t> indices = *draw_.indices;
    if (!is_strip(draw_.topology) && std::ranges::count(indices, kCut) != 0)
      indices = without_cuts(indices, vertices_of(draw_.topology, draw_.control_points));
    if (indices.empty()) return;
    const Buffer buffer = job_.buffer(indices.size() * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    std::memcpy(buffer.data, indices.data(), indices.size() * sizeof(uint32_t));
    vk_.CmdBindIndexBuffer(job_.commands, buffer.buffer, 0, VK_INDEX_TYPE_UINT32);
    vk_.CmdDrawIndexed(job_.commands, static_cast<uint32_t>(indices.size()), 1, 0, 0, 0);
  }
  static uint32_t vertices_of(Topology topology, uint32_t control_points) {
    switch (topology) {
      case Topology::point_list: return 1;
      case Topology::line_list:
      case Topology::line_strip: return 2;
      case Topology::triangle_list:
      case Topology::triangle_strip: return 3;
      case Topology::line_list_adjacency:
      case Topology::line_strip_adjacency: return 4;
      case Topology::triangle_list_adjacency:
      case Topology::triangle_strip_adjacency: return 6;
      case Topology::patch_list: return control_points;
    }
    return 1;
  }
  static std::vector<uint32_t> without_cuts(std::span<const uint32_t> indices, uint32_t size) {
    std::vector<uint32_t> kept, open;
    for (const uint32_t index : indices) {
      if (index == kCut) {
        open.clear();
        continue;
      }
      open.push_back(index);
      if (open.size() < size) continue;
      kept.insert(kept.end(), open.begin(), open.end());
      open.clear();
    }
    return kept;
  }

  void copy(const Image& from, VkImageAspectFlags aspect, const Buffer& to) {
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect, 0, 0, 1};
    region.imageExtent = {draw_.width, draw_.height, 1};
    vk_.CmdCopyImageToBuffer(job_.commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &region);
  }
  void copy_targets() {
    job_.barrier();
    if (is_multisampled()) {
      VkImageResolve region{};
      region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
      region.extent = {draw_.width, draw_.height, 1};
      vk_.CmdResolveImage(job_.commands, color_.image, VK_IMAGE_LAYOUT_GENERAL, resolved_.image,
                          VK_IMAGE_LAYOUT_GENERAL, 1, &region);
      job_.barrier();
    }
    copy(is_multisampled() ? resolved_ : color_, VK_IMAGE_ASPECT_COLOR_BIT, texels_);
    if (!has_depth()) return;
    const bool stencil = has_stencil(draw_.depth_format);
    if (is_multisampled()) {
      const auto read = [&](VkImageAspectFlags aspect) {
        return read_samples(job_, depth_, aspect, draw_.width, draw_.height, draw_.samples);
      };
      depth_words_ = read(VK_IMAGE_ASPECT_DEPTH_BIT);
      if (stencil) stencil_words_ = read(VK_IMAGE_ASPECT_STENCIL_BIT);
      return;
    }
    depth_words_ = job_.buffer(pixels() * sizeof(uint32_t), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    copy(depth_, VK_IMAGE_ASPECT_DEPTH_BIT, depth_words_);
    if (!stencil) return;
    stencil_words_ = job_.buffer(pixels(), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    copy(depth_, VK_IMAGE_ASPECT_STENCIL_BIT, stencil_words_);
  }

  static uint32_t word(const Buffer& buffer, size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, buffer.data + at * sizeof value, sizeof value);
    return value;
  }
  /// The code of sample `at`.
  uint32_t depth_code(size_t at) const {
    const bool is_d16 = draw_.depth_format == DepthFormat::d16;
    const bool is_fixed = is_d16 || draw_.depth_format == DepthFormat::d24s8;
    if (is_multisampled()) {
      const uint32_t bits = word(depth_words_, at);
      if (!is_fixed) return bits;
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return static_cast<uint32_t>(double{value} * (is_d16 ? 0xffff : kDepth24Mask) + 0.5);
    }
    if (is_d16) {
      uint16_t code = 0;
      std::memcpy(&code, depth_words_.data + at * sizeof code, sizeof code);
      return code;
    }
    return is_fixed ? word(depth_words_, at) & kDepth24Mask : word(depth_words_, at);
  }
  void take_results() {
    draw_.texels.assign(texels_.data, texels_.data + texels_.size);
    draw_.depths.clear();
    draw_.stencil_codes.clear();
    const bool stencil = has_stencil(draw_.depth_format);
    for (size_t at = 0; has_depth() && at < pixels() * draw_.samples; ++at) {
      draw_.depths.push_back(depth_code(at));
      const uint32_t code = !stencil            ? 0
                            : is_multisampled() ? word(stencil_words_, at)
                                                : static_cast<uint32_t>(stencil_words_.data[at]);
      draw_.stencil_codes.push_back(static_cast<uint8_t>(code));
    }
  }

  Job job_;
  const Functions& vk_;
  DrawJob& draw_;
  const FixedFunctions fixed_;
  Shader all_;  // the descriptors of all stages
  std::vector<std::unique_ptr<Specialization>> specializations_;
  Image color_, resolved_, depth_;
  Attachment color_target_, depth_target_;
  Buffer texels_, depth_words_, stencil_words_;
};

}  // namespace

void run_draw(const Context& context, DrawJob& draw) {
  WholeDraw(context, draw).run();
}

}  // namespace texlate::sim::vulkan
