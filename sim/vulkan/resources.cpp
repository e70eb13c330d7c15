// Views as descriptors.

#include "sim/vulkan/resources.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/vulkan/format.h"

namespace texlate::sim::vulkan {

namespace {

VkDescriptorType type_of(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::constant_buffer: return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case DescriptorKind::sampler: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case DescriptorKind::texture: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case DescriptorKind::storage_texture: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case DescriptorKind::typed_buffer: return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case DescriptorKind::storage_typed_buffer: return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    case DescriptorKind::words:
    case DescriptorKind::counter: break;
  }
  return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/// The format that a view without a texture reads from: any format of the declared kind.
Format stand_in_format(const Descriptor& descriptor) {
  if (descriptor.compared) return Format::d32_float;
  return descriptor.texel == Kind::uint   ? Format::r32_uint
         : descriptor.texel == Kind::sint ? Format::r32_sint
                                          : Format::r32_float;
}

bool is_swizzled(const FormatMapping& mapping) {
  return mapping.swizzle.r != VK_COMPONENT_SWIZZLE_IDENTITY ||
         mapping.swizzle.a != VK_COMPONENT_SWIZZLE_IDENTITY;
}

}  // namespace

VkImageViewType view_type(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture1d: return VK_IMAGE_VIEW_TYPE_1D;
    case Dimension::texture1d_array: return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
    case Dimension::texture2d_array:
    case Dimension::texture2dms_array: return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    case Dimension::texture3d: return VK_IMAGE_VIEW_TYPE_3D;
    case Dimension::texture_cube: return VK_IMAGE_VIEW_TYPE_CUBE;
    case Dimension::texture_cube_array: return VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    default: return VK_IMAGE_VIEW_TYPE_2D;
  }
}

Resources::Resources(Job& job, const Shader& shader) : job_(job), shader_(shader), vk_(job.vk) {
  plan_textures();
  job_.barrier();
  bound_.reserve(shader.descriptors.size());
  for (const Descriptor& descriptor : shader.descriptors) {
    Bound& bound = bound_.emplace_back(Bound{&descriptor, {}, {}, {}});
    for (const Element& element : descriptor.elements) add(bound, element);
  }
}

void Resources::add(Bound& bound, const Element& element) {
  const Descriptor& descriptor = *bound.source;
  switch (descriptor.kind) {
    case DescriptorKind::constant_buffer: return add_constants(bound, element.constants);
    case DescriptorKind::sampler:
      bound.images.push_back(
          {make_sampler(job_, element.sampler), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED});
      return;
    case DescriptorKind::texture:
    case DescriptorKind::storage_texture: return add_image(bound, element.texture);
    case DescriptorKind::typed_buffer:
    case DescriptorKind::storage_typed_buffer: return add_texel_buffer(bound, element.buffer);
    case DescriptorKind::words: {
      const BufferView& view = element.buffer;
      const size_t bytes =
          size_t{view.element_count} * (view.kind == BufferKind::structured ? view.stride : 1);
      return add_words_of(bound, view.data, bytes / 4 * 4, true);
    }
    case DescriptorKind::counter:
      return add_words_of(bound, reinterpret_cast<std::byte*>(element.buffer.counter), 4, true);
  }
}

void Resources::require_format(VkFormat format, Format source, VkFormatFeatureFlags wanted,
                               bool buffer) const {
  VkFormatProperties properties{};
  if (format != VK_FORMAT_UNDEFINED)
    vk_.GetPhysicalDeviceFormatProperties(job_.context.physical, format, &properties);
  const VkFormatFeatureFlags offered = buffer ? properties.bufferFeatures : properties.optimalTilingFeatures;
  if ((offered & wanted) == wanted) return;
  fail("'{}' cannot use {} for this resource", job_.context.name, format_info(source).name);
}

void Resources::add_image(Bound& bound, const TextureView& view) {
  const Descriptor& descriptor = *bound.source;
  const bool storage = descriptor.kind == DescriptorKind::storage_texture;
  if (!view.bound()) {
    const VkImageView none =
        job_.context.null_descriptor ? VkImageView{VK_NULL_HANDLE} : stand_in_image(descriptor);
    bound.images.push_back({VK_NULL_HANDLE, none, VK_IMAGE_LAYOUT_GENERAL});
    return;
  }
  if (view.min_lod_clamp > 0) fail("a view with a minimum LOD is not supported");
  const TextureDesc& desc = view.texture->desc();
  const TextureImage& texture = textures_.at(view.texture);
  const bool depth = texture.image.aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
  const FormatMapping mapping = vulkan_format(view.format);
  auto info = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  info.image = texture.image.image;
  info.viewType = view_type(view.dimension);
  info.format = depth ? mapping.depth : mapping.color;
  if (!depth) info.components = mapping.swizzle;
  info.subresourceRange = {texture.image.aspect, view.first_mip, view.mip_count, view.first_slice,
                           view.slice_count};
  if (view.dimension == Dimension::texture3d) {
    if (storage && (view.first_slice != 0 || view.slice_count != view.size(0).depth)) {
      fail("a view of some slices of a 3D texture is not supported");
    }
    info.subresourceRange.baseArrayLayer = 0;
    info.subresourceRange.layerCount = 1;
  }
  if (storage) {
    // A storage image has a single mip (Vulkan, Storage Image), and its views are never swizzled.
    info.subresourceRange.levelCount = 1;
    if (is_swizzled(mapping)) fail("{} cannot be stored to", format_info(view.format).name);
  }
  require_format(info.format, desc.format,
                 storage ? VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT : VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, false);
  bound.images.push_back({VK_NULL_HANDLE, job_.view(info), VK_IMAGE_LAYOUT_GENERAL});
}

VkImageView Resources::stand_in_image(const Descriptor& descriptor) {
  const DimensionInfo& shape = dimension_info(descriptor.dimension);
  const FormatMapping mapping = vulkan_format(stand_in_format(descriptor));
  auto info = structure<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.flags = shape.cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  info.imageType = shape.axes == 1 ? VK_IMAGE_TYPE_1D : shape.axes == 3 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  info.format = descriptor.compared ? mapping.depth : mapping.color;
  info.extent = {1, 1, 1};
  info.mipLevels = 1;
  info.arrayLayers = shape.cube ? 6 : 1;
  info.samples = shape.multisampled ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
  const bool storage = descriptor.kind == DescriptorKind::storage_texture;
  info.usage = storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
  const VkImageAspectFlags aspect =
      descriptor.compared ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
  const Image image = job_.image(info, aspect);
  auto view = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view.image = image.image;
  view.viewType = view_type(descriptor.dimension);
  view.format = info.format;
  view.subresourceRange = {aspect, 0, 1, 0, info.arrayLayers};
  return job_.view(view);
}

void Resources::add_texel_buffer(Bound& bound, const BufferView& view) {
  const bool storage = bound.source->kind == DescriptorKind::storage_typed_buffer;
  const bool there = view.bound() && view.element_count != 0;
  if (!there && job_.context.null_descriptor) {
    bound.texel_buffers.push_back(VK_NULL_HANDLE);
    return;
  }
  const Format source = there ? view.format : stand_in_format(*bound.source);
  const FormatMapping mapping = vulkan_format(source);
  require_format(
      mapping.color, source,
      storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT,
      true);
  if (is_swizzled(mapping)) {
    fail("{} cannot be the format of a buffer", format_info(source).name);
  }
  const uint32_t elements = there ? view.element_count : 1;
  if (elements > job_.context.limits.maxTexelBufferElements)
    fail("a typed buffer of {} elements is too large", elements);
  const size_t bytes = size_t{elements} * format_info(source).bytes;
  Buffer buffer;
  if (const auto known = there ? buffers_.find(view.data) : buffers_.end();
      known != buffers_.end() && known->second.size >= bytes) {
    buffer = known->second.buffer;
  } else {
    buffer =
        job_.buffer(bytes, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    if (there) {
      std::memcpy(buffer.data, view.data, bytes);
      buffers_[view.data] = {buffer, view.data, bytes};
    }
  }
  auto info = structure<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
  info.buffer = buffer.buffer;
  info.format = mapping.color;
  info.range = bytes;
  VkBufferView made = VK_NULL_HANDLE;
  check(vk_.CreateBufferView(job_.context.device, &info, nullptr, &made), "vkCreateBufferView");
  job_.defer(
      [this_job = &job_, made] { this_job->vk.DestroyBufferView(this_job->context.device, made, nullptr); });
  bound.texel_buffers.push_back(made);
}

void Resources::add_words_of(Bound& bound, std::byte* data, size_t size, bool is_written) {
  const bool there = data != nullptr && size != 0;
  if (!there && job_.context.null_descriptor) {
    bound.buffers.push_back({VK_NULL_HANDLE, 0, VK_WHOLE_SIZE});
    return;
  }
  if (size > job_.context.limits.maxStorageBufferRange) fail("a buffer of {} bytes is too large", size);
  if (const auto known = there ? buffers_.find(data) : buffers_.end();
      known != buffers_.end() && known->second.size >= size) {
    bound.buffers.push_back({known->second.buffer.buffer, 0, size});
    return;
  }
  const Buffer buffer = job_.buffer(std::max<size_t>(size, 4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                                   VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                                                   VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  if (there) {
    std::memcpy(buffer.data, data, size);
    if (is_written) buffers_[data] = {buffer, data, size};
  }
  bound.buffers.push_back({buffer.buffer, 0, buffer.size});
}

void Resources::add_constants(Bound& bound, std::span<const uint32_t> constants) {
  const bool robust = job_.context.null_descriptor;
  const size_t rows = constants.size() / 4 * 16;
  if (rows == 0 && robust) {
    bound.buffers.push_back({VK_NULL_HANDLE, 0, VK_WHOLE_SIZE});
    return;
  }
  const size_t size = robust ? rows : std::max({rows, size_t{bound.source->least_bytes}, size_t{16}});
  if (size > job_.context.limits.maxUniformBufferRange)
    fail("a constant buffer of {} bytes is too large", size);
  const Buffer buffer = job_.buffer(size, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  if (rows != 0) std::memcpy(buffer.data, constants.data(), rows);
  bound.buffers.push_back({buffer.buffer, 0, size});
}

uint32_t Resources::add_words(const Buffer& buffer) {
  own_set_ = 0;
  for (const Bound& bound : bound_) own_set_ = std::max(own_set_, bound.source->set + 1);
  own_words_ = &buffer;
  return own_set_;
}

// In Vulkan, a layout that is too large for the device is the caller's error, and some drivers crash.
void Resources::check_limits() const {
  const VkPhysicalDeviceLimits& limits = job_.context.limits;
  // Drivers keep arrays with as many entries as the greatest binding number.
  constexpr uint32_t kGreatestBinding = 1u << 20;
  size_t uniform = 0, storage = 0, samplers = 0, sampled = 0, images = 0;
  for (const Bound& bound : bound_) {
    if (bound.source->binding > kGreatestBinding) fail("binding {} is too large", bound.source->binding);
    const size_t count = bound.source->elements.size();
    switch (bound.source->kind) {
      case DescriptorKind::constant_buffer: uniform += count; break;
      case DescriptorKind::sampler: samplers += count; break;
      case DescriptorKind::texture:
      case DescriptorKind::typed_buffer: sampled += count; break;
      case DescriptorKind::storage_texture:
      case DescriptorKind::storage_typed_buffer: images += count; break;
      case DescriptorKind::words:
      case DescriptorKind::counter: storage += count; break;
    }
  }
  const auto at_most = [&](size_t count, uint32_t limit, const char* what) {
    if (count > limit)
      fail("'{}' has {} {} per stage, but {} are needed", job_.context.name, limit, what, count);
  };
  at_most(uniform, limits.maxPerStageDescriptorUniformBuffers, "uniform buffers");
  at_most(samplers, limits.maxPerStageDescriptorSamplers, "samplers");
  at_most(sampled, limits.maxPerStageDescriptorSampledImages, "sampled images");
  at_most(images, limits.maxPerStageDescriptorStorageImages, "storage images");
  at_most(storage, limits.maxPerStageDescriptorStorageBuffers, "storage buffers");
}

uint32_t Resources::set_count() const {
  uint32_t count = own_words_ != nullptr ? own_set_ + 1 : 0;
  for (const Bound& bound : bound_) count = std::max(count, bound.source->set + 1);
  if (count > job_.context.limits.maxBoundDescriptorSets) {
    fail("{} descriptor sets are needed, but '{}' has only {}", count, job_.context.name,
         job_.context.limits.maxBoundDescriptorSets);
  }
  return count;
}

VkPipelineLayout Resources::layout() {
  check_limits();
  std::map<VkDescriptorType, uint32_t> counts;
  std::vector<VkDescriptorSetLayout> layouts;
  for (uint32_t set = 0, count = set_count(); set < count; ++set)
    layouts.push_back(make_set_layout(set, counts));
  auto info = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  info.setLayoutCount = static_cast<uint32_t>(layouts.size());
  info.pSetLayouts = layouts.data();
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                     static_cast<uint32_t>(shader_.push_constants.size() * sizeof(uint32_t))};
  if (range.size > job_.context.limits.maxPushConstantsSize)
    fail("'{}' has {} bytes of push constants, but {} are needed", job_.context.name,
         job_.context.limits.maxPushConstantsSize, range.size);
  info.pushConstantRangeCount = range.size != 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  check(vk_.CreatePipelineLayout(job_.context.device, &info, nullptr, &layout_), "vkCreatePipelineLayout");
  job_.defer(
      [job = &job_, made = layout_] { job->vk.DestroyPipelineLayout(job->context.device, made, nullptr); });
  if (!layouts.empty()) {
    allocate_sets(layouts, counts);
    write_sets();
  }
  return layout_;
}

/// Adds to `counts` what the pool needs for it.
VkDescriptorSetLayout Resources::make_set_layout(uint32_t set, std::map<VkDescriptorType, uint32_t>& counts) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  auto add_binding = [&](uint32_t binding, VkDescriptorType type, size_t count) {
    bindings.push_back({binding, type, static_cast<uint32_t>(count), VK_SHADER_STAGE_ALL, nullptr});
    counts[type] += static_cast<uint32_t>(count);
  };
  for (const Bound& bound : bound_) {
    if (bound.source->set == set)
      add_binding(bound.source->binding, type_of(bound.source->kind), bound.source->elements.size());
  }
  if (own_words_ != nullptr && set == own_set_) add_binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1);
  auto info = structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  check(vk_.CreateDescriptorSetLayout(job_.context.device, &info, nullptr, &layout),
        "vkCreateDescriptorSetLayout");
  job_.defer(
      [job = &job_, layout] { job->vk.DestroyDescriptorSetLayout(job->context.device, layout, nullptr); });
  return layout;
}

void Resources::allocate_sets(std::span<const VkDescriptorSetLayout> layouts,
                              const std::map<VkDescriptorType, uint32_t>& counts) {
  const VkDevice device = job_.context.device;
  const auto set_count = static_cast<uint32_t>(layouts.size());
  std::vector<VkDescriptorPoolSize> sizes;
  sizes.reserve(counts.size());
  for (const auto& [type, count] : counts) sizes.push_back({type, count});
  auto pool_info = structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool_info.maxSets = set_count;
  pool_info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(vk_.CreateDescriptorPool(device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  job_.defer([job = &job_, pool] { job->vk.DestroyDescriptorPool(job->context.device, pool, nullptr); });
  auto allocate = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = set_count;
  allocate.pSetLayouts = layouts.data();
  sets_.resize(set_count);
  check(vk_.AllocateDescriptorSets(device, &allocate, sets_.data()), "vkAllocateDescriptorSets");
}

void Resources::write_sets() {
  std::vector<VkWriteDescriptorSet> writes;
  auto write = [&](uint32_t set, uint32_t binding, VkDescriptorType type,
                   size_t count) -> VkWriteDescriptorSet& {
    VkWriteDescriptorSet& one =
        writes.emplace_back(structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET));
    one.dstSet = sets_[set];
    one.dstBinding = binding;
    one.descriptorType = type;
    one.descriptorCount = static_cast<uint32_t>(count);
    return one;
  };
  for (const Bound& bound : bound_) {
    VkWriteDescriptorSet& one = write(bound.source->set, bound.source->binding, type_of(bound.source->kind),
                                      bound.source->elements.size());
    one.pImageInfo = bound.images.data();
    one.pBufferInfo = bound.buffers.data();
    one.pTexelBufferView = bound.texel_buffers.data();
  }
  VkDescriptorBufferInfo own{};
  if (own_words_ != nullptr) {
    own = {own_words_->buffer, 0, VK_WHOLE_SIZE};
    write(own_set_, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1).pBufferInfo = &own;
  }
  vk_.UpdateDescriptorSets(job_.context.device, static_cast<uint32_t>(writes.size()), writes.data(), 0,
                           nullptr);
}

void Resources::bind(VkPipelineBindPoint point) {
  if (sets_.empty()) return;
  vk_.CmdBindDescriptorSets(job_.commands, point, layout_, 0, static_cast<uint32_t>(sets_.size()),
                            sets_.data(), 0, nullptr);
}

}  // namespace texlate::sim::vulkan
