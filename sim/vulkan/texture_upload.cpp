// Textures on the device: creating, filling and reading them back.

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/vulkan/format.h"
#include "sim/vulkan/graphics.h"
#include "sim/vulkan/resources.h"
#include "sim/vulkan/stages.h"

namespace texlate::sim::vulkan {

namespace {

// A multiple of every texel size (including 12) and of 4, as copies require.
constexpr size_t kCopyAlignment = 48;

VkSampleCountFlagBits sample_bit(uint32_t samples) {
  return static_cast<VkSampleCountFlagBits>(samples);
}

/// The buffer that make_sample_stage reads: width and samples, then the decoded samples of a slice, row by
/// row.
std::vector<uint32_t> words_of_samples(const Texture& texture, uint32_t slice) {
  const TextureDesc& desc = texture.desc();
  std::vector<uint32_t> words = {desc.size.width, desc.samples, 0, 0};
  for (uint32_t y = 0; y < desc.size.height; ++y) {
    for (uint32_t x = 0; x < desc.size.width; ++x) {
      for (uint32_t s = 0; s < desc.samples; ++s) {
        const Word4 value = texture.read(0, slice, x, y, 0, s);
        words.insert(words.end(), value.begin(), value.end());
      }
    }
  }
  return words;
}

}  // namespace

/// Calls visit(copy, memory) for each subresource; buffer offsets are consecutive.
template <typename Visit>
void Resources::for_each_copy(Texture& texture, VkImageAspectFlags aspect, Visit visit) const {
  const TextureDesc& desc = texture.desc();
  size_t offset = 0;
  for (uint32_t slice = 0; slice < desc.array_size; ++slice) {
    for (uint32_t mip = 0; mip < desc.mips; ++mip) {
      const Extent size = texture.mip_size(mip);
      VkBufferImageCopy copy{};
      copy.bufferOffset = offset;
      copy.imageSubresource = {aspect, mip, slice, 1};
      copy.imageExtent = {size.width, size.height, size.depth};
      const std::span<std::byte> memory = texture.subresource(mip, slice);
      visit(copy, memory);
      offset += (memory.size() + kCopyAlignment - 1) / kCopyAlignment * kCopyAlignment;
    }
  }
}

// One image per texture, shared by all of its views.
void Resources::plan_textures() {
  struct Plan {
    bool depth = false, storage = false;
    VkImageCreateFlags flags = 0;
  };
  std::map<Texture*, Plan> plans;
  for (const Descriptor& descriptor : shader_.descriptors) {
    for (const Element& element : descriptor.elements) {
      const TextureView& view = element.texture;
      if (!view.bound()) continue;
      Plan& plan = plans[view.texture];
      plan.depth |=
          descriptor.compared || vulkan_format(view.format).color == vulkan_format(view.format).depth;
      plan.storage |= descriptor.kind == DescriptorKind::storage_texture;
      if (dimension_info(view.dimension).cube) plan.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
      if (view.format != view.texture->desc().format) plan.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    }
  }
  for (auto& [texture, plan] : plans) {
    if (plan.depth && plan.storage) fail("a texture that is compared cannot be stored to");
    TextureImage& made = textures_[texture];
    made.written = plan.storage;
    make_texture(*texture, made, plan.depth, plan.flags);
  }
}

void Resources::make_texture(Texture& texture, TextureImage& made, bool depth, VkImageCreateFlags flags) {
  const TextureDesc& desc = texture.desc();
  const DimensionInfo& shape = dimension_info(desc.dimension);
  const FormatMapping mapping = vulkan_format(desc.format);
  auto info = structure<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.flags = flags;
  info.imageType = shape.axes == 1 ? VK_IMAGE_TYPE_1D : shape.axes == 3 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  info.format = depth ? mapping.depth : mapping.color;
  info.extent = {desc.size.width, desc.size.height, desc.size.depth};
  info.mipLevels = desc.mips;
  info.arrayLayers = desc.array_size;
  info.samples = sample_bit(desc.samples);
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (made.written) info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  if (desc.samples > 1)
    info.usage |= depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  require_format(info.format, desc.format, VK_FORMAT_FEATURE_TRANSFER_DST_BIT, false);
  VkImageFormatProperties limits{};
  const VkResult possible =
      vk_.GetPhysicalDeviceImageFormatProperties(job_.context.physical, info.format, info.imageType,
                                                 VK_IMAGE_TILING_OPTIMAL, info.usage, flags, &limits);
  // Vulkan's counts are powers of 2, Direct3D's any number up to 32.
  const bool fits =
      possible == VK_SUCCESS && std::has_single_bit(desc.samples) &&
      (limits.sampleCounts & info.samples) != 0 && info.mipLevels <= limits.maxMipLevels &&
      info.arrayLayers <= limits.maxArrayLayers && info.extent.width <= limits.maxExtent.width &&
      info.extent.height <= limits.maxExtent.height && info.extent.depth <= limits.maxExtent.depth;
  if (!fits) {
    fail("'{}' does not support a {} of {}, {} x {} x {}, {} mips, {} slices, {} samples", job_.context.name,
         shape.name, format_info(desc.format).name, desc.size.width, desc.size.height, desc.size.depth,
         desc.mips, desc.array_size, desc.samples);
  }
  made.image = job_.image(info, depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT);
  if (desc.samples > 1) {
    upload_samples(texture, made);
  } else {
    upload(texture, made);
  }
}

void Resources::upload(Texture& texture, TextureImage& made) {
  size_t size = 0;
  std::vector<VkBufferImageCopy> copies;
  for_each_copy(texture, made.image.aspect, [&](const VkBufferImageCopy& copy, std::span<std::byte> memory) {
    copies.push_back(copy);
    size = copy.bufferOffset + memory.size();
  });
  made.staging = job_.buffer(size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  for_each_copy(texture, made.image.aspect, [&](const VkBufferImageCopy& copy, std::span<std::byte> memory) {
    std::memcpy(made.staging.data + copy.bufferOffset, memory.data(), memory.size());
  });
  job_.barrier();
  vk_.CmdCopyBufferToImage(job_.commands, made.staging.buffer, made.image.image, VK_IMAGE_LAYOUT_GENERAL,
                           static_cast<uint32_t>(copies.size()), copies.data());
}

// Samples cannot be copied: our own pixel shader writes them one by one.
void Resources::upload_samples(Texture& texture, const TextureImage& made) {
  const TextureDesc& desc = texture.desc();
  if (made.image.aspect != VK_IMAGE_ASPECT_COLOR_BIT) fail("a multisampled texture cannot be compared");
  require_format(made.image.format, desc.format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, false);
  if (job_.context.features.sampleRateShading == VK_FALSE)
    fail_missing("'{}' lacks sampleRateShading", job_.context.name);
  const Kind texel = format_info(desc.format).kind;
  const ScalarKind kind = texel == Kind::uint   ? ScalarKind::uint
                          : texel == Kind::sint ? ScalarKind::int_
                                                : ScalarKind::float_;
  GraphicsState state;
  state.pixel.module = job_.module(make_sample_stage(kind));
  state.vertex.module = job_.module(make_vertex_stage({}, 1));
  state.width = desc.size.width;
  state.height = desc.size.height;
  state.color_count = 1;
  state.samples = sample_bit(desc.samples);
  state.every_sample = true;
  static constexpr float kTriangle[] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
  const Buffer corners = job_.buffer(sizeof kTriangle, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memcpy(corners.data, kTriangle, sizeof kTriangle);
  for (uint32_t slice = 0; slice < desc.array_size; ++slice)
    draw_samples(texture, made, slice, corners, state);
}

/// Draws one slice from a buffer of its samples; `state` lacks the members that differ between slices.
void Resources::draw_samples(const Texture& texture, const TextureImage& made, uint32_t slice,
                             const Buffer& corners, GraphicsState state) {
  const std::vector<uint32_t> words = words_of_samples(texture, slice);
  const Buffer samples = job_.buffer(words.size() * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memcpy(samples.data, words.data(), words.size() * 4);
  Shader own;
  Descriptor descriptor;
  descriptor.kind = DescriptorKind::words;
  Element element;
  element.buffer.data = samples.data;
  element.buffer.element_count = static_cast<uint32_t>(words.size() * 4);
  descriptor.elements.push_back(element);
  own.descriptors.push_back(descriptor);
  Resources resources(job_, own);
  resources.add_words(corners);
  state.layout = resources.layout();

  auto info = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  info.image = made.image.image;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = made.image.format;
  info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, slice, 1};
  const Attachment target{info.format, job_.view(info)};
  state.render_pass = make_render_pass(job_, {&target, 1}, {}, state.samples);
  const VkFramebuffer framebuffer =
      make_framebuffer(job_, state.render_pass, {&target, 1}, {}, state.width, state.height);
  const VkPipeline pipeline = make_graphics_pipeline(job_, state);
  const VkClearValue clear{};
  auto begin = structure<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
  begin.renderPass = state.render_pass;
  begin.framebuffer = framebuffer;
  begin.renderArea.extent = {state.width, state.height};
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  job_.barrier();
  vk_.CmdBeginRenderPass(job_.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk_.CmdBindPipeline(job_.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  resources.bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
  vk_.CmdDraw(job_.commands, 3, 1, 0, 0);
  vk_.CmdEndRenderPass(job_.commands);
}

void Resources::read_back() {
  job_.barrier();
  for (auto& [texture, made] : textures_) {
    if (!made.written) continue;
    std::vector<VkBufferImageCopy> copies;
    for_each_copy(*texture, made.image.aspect,
                  [&](const VkBufferImageCopy& copy, std::span<std::byte>) { copies.push_back(copy); });
    vk_.CmdCopyImageToBuffer(job_.commands, made.image.image, VK_IMAGE_LAYOUT_GENERAL, made.staging.buffer,
                             static_cast<uint32_t>(copies.size()), copies.data());
  }
}

// Copies what the shader may have written to the memory of the views.
void Resources::store() {
  for (auto& [data, written] : buffers_) std::memcpy(written.target, written.buffer.data, written.size);
  for (auto& [texture, made] : textures_) {
    if (!made.written) continue;
    for_each_copy(*texture, made.image.aspect,
                  [from = made.staging.data](const VkBufferImageCopy& copy, std::span<std::byte> memory) {
                    std::memcpy(memory.data(), from + copy.bufferOffset, memory.size());
                  });
  }
}

}  // namespace texlate::sim::vulkan
