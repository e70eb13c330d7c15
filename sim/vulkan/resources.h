// The resources of one job on the device: created from the texture unit's views, bound, and read back.
#pragma once

#include <map>

#include "sim/vulkan/context.h"

namespace texlate::sim::vulkan {

struct GraphicsState;

class Resources {
 public:
  /// Creates and fills everything that `shader` uses. The commands are added to the job.
  Resources(Job& job, const Shader& shader);

  /// Adds a storage buffer as binding 0 of a separate set, for our own stages. Returns the set. Call before
  /// layout().
  uint32_t add_words(const Buffer& buffer);
  /// Creates the set layouts, the sets and the pipeline layout.
  VkPipelineLayout layout();
  void bind(VkPipelineBindPoint point);
  /// Records copies of what the shader may have written. store() then writes them to the memory of the views.
  void read_back();
  void store();

 private:
  struct Bound {  // one descriptor array
    const Descriptor* source;
    std::vector<VkDescriptorImageInfo> images;
    std::vector<VkDescriptorBufferInfo> buffers;
    std::vector<VkBufferView> texel_buffers;
  };
  struct TextureImage {
    Image image;
    Buffer staging;  // used to read it back
    bool written = false;
  };
  struct WrittenBuffer {
    Buffer buffer;
    std::byte* target;
    size_t size;
  };

  void plan_textures();
  void make_texture(Texture& texture, TextureImage& made, bool depth, VkImageCreateFlags flags);
  void upload(Texture& texture, TextureImage& made);
  void upload_samples(Texture& texture, const TextureImage& made);
  void draw_samples(const Texture& texture, const TextureImage& made, uint32_t slice, const Buffer& corners,
                    GraphicsState state);
  void add(Bound& bound, const Element& element);
  void add_image(Bound& bound, const TextureView& view);
  void add_texel_buffer(Bound& bound, const BufferView& view);
  void add_words_of(Bound& bound, std::byte* data, size_t size, bool is_written);
  void add_constants(Bound& bound, std::span<const uint32_t> constants);
  void check_limits() const;
  uint32_t set_count() const;
  VkDescriptorSetLayout make_set_layout(uint32_t set, std::map<VkDescriptorType, uint32_t>& counts);
  void allocate_sets(std::span<const VkDescriptorSetLayout> layouts,
                     const std::map<VkDescriptorType, uint32_t>& counts);
  void write_sets();
  VkImageView stand_in_image(const Descriptor& descriptor);
  VkFormat format_of(Format format, bool depth) const;
  void require_format(VkFormat format, Format source, VkFormatFeatureFlags wanted, bool buffer) const;
  template <typename Visit>
  void for_each_copy(Texture& texture, VkImageAspectFlags aspect, Visit visit) const;

  Job& job_;
  const Shader& shader_;
  const Functions& vk_;
  std::vector<Bound> bound_;
  std::map<Texture*, TextureImage> textures_;
  std::map<std::byte*, WrittenBuffer> buffers_;
  const Buffer* own_words_ = nullptr;
  uint32_t own_set_ = 0;
  std::vector<VkDescriptorSet> sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

VkSampler make_sampler(Job& job, const Sampler& sampler);
VkImageViewType view_type(Dimension dimension);

}  // namespace texlate::sim::vulkan
