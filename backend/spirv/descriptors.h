// What a module requires from its host: descriptors to bind, constants to specialize.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/spirv/binding_map.h"
#include "backend/spirv/device.h"

namespace texlate::spirv {

/// VkDescriptorType, or bytes of the push constants.
enum class DescriptorKind : uint8_t {
  sampler,
  combined_image_sampler,
  sampled_image,
  storage_image,
  uniform_texel_buffer,
  storage_texel_buffer,
  uniform_buffer,
  storage_buffer,
  push_constants,
};

struct DescriptorKindRow {
  std::string_view name;  // in the reflection
  /// What a run-time index into an array of them needs: one that is the same for all invocations, or another.
  Feature same_index, other_index;
};
inline constexpr DescriptorKindRow kDescriptorKinds[] = {
    {"sampler", Feature::sampled_image_index, Feature::sampled_image_lanes},
    {"combined_image_sampler", Feature::sampled_image_index, Feature::sampled_image_lanes},
    {"sampled_image", Feature::sampled_image_index, Feature::sampled_image_lanes},
    {"storage_image", Feature::storage_image_index, Feature::storage_image_lanes},
    {"uniform_texel_buffer", Feature::uniform_texels_index, Feature::uniform_texels_lanes},
    {"storage_texel_buffer", Feature::storage_texels_index, Feature::storage_texels_lanes},
    {"uniform_buffer", Feature::uniform_buffer_index, Feature::uniform_buffer_lanes},
    {"storage_buffer", Feature::storage_buffer_index, Feature::storage_buffer_lanes},
    {"push_constants", Feature::uniform_buffer_index, Feature::uniform_buffer_lanes},
};
constexpr const DescriptorKindRow& row_of(DescriptorKind kind) {
  return kDescriptorKinds[static_cast<size_t>(kind)];
}

struct Descriptor {
  DescriptorKind kind = DescriptorKind::sampled_image;
  RegisterClass register_class = RegisterClass::resource;
  uint32_t index = 0;  // of Module::constant_buffers, samplers or resources
  uint32_t pair = 0;   // combined_image_sampler: of BindingMap::combined
  Place place;
  bool operator==(const Descriptor&) const = default;
};

/// Properties that a shader cannot query in Vulkan.
enum class Fact : uint8_t { raster_samples, bound, missing_alpha, known, word };

/// How the host provides a fact: by a specialization constant with this id, or as a number that is known when
/// the shader is translated.
struct FactSource {
  Fact fact = Fact::raster_samples;
  bool is_uav = false;          // bound, missing_alpha: of a u#, not a t#
  uint32_t space = 0, reg = 0;  // the same
  bool is_constant = false;
  uint32_t value = 0;  // the number, or the id
};

/// The ids of facts without a FactSource. Defaults: one sample per pixel, everything bound, formats
/// with alpha.
inline constexpr uint32_t kRasterSamplesId = 0;
/// A bool; robustness shader only.
constexpr uint32_t bound_id(uint32_t resource_index) {
  return 16 + 2 * resource_index;
}
/// Alpha of the out-of-range value: 0, or 1.0f or 1 for a format without alpha; robustness shader only.
constexpr uint32_t missing_alpha_id(uint32_t resource_index) {
  return 17 + 2 * resource_index;
}

/// Of Module::specialized[index].
constexpr uint32_t known_id(const ir::Module& module, uint32_t index) {
  return bound_id(static_cast<uint32_t>(module.resources.size())) + index;
}

/// How many registers of a resource have constants of their own: all of a range of a few, otherwise the
/// first, for the others, too.
constexpr uint32_t fact_count(const ir::Resource& resource) {
  constexpr uint32_t kMost = 16;  // an access compares the number of its register with each
  const uint32_t last = resource.upper_bound - resource.lower_bound;
  return last < kMost ? last + 1 : 1;
}

/// The first id of registers that are not the first of their range: far above what hosts choose themselves.
inline constexpr uint32_t kFirstRegisterFact = 0x10000;

/// `fact` is bound or missing_alpha. The constants of the first registers have the ids above.
inline uint32_t register_fact_id(const ir::Module& module, Fact fact, uint32_t index, uint32_t element) {
  const bool is_bound = fact == Fact::bound;
  if (element == 0) return is_bound ? bound_id(index) : missing_alpha_id(index);
  uint32_t before = element - 1;
  for (uint32_t i = 0; i < index; ++i) before += fact_count(module.resources[i]) - 1;
  return kFirstRegisterFact + 2 * before + (is_bound ? 0 : 1);
}

struct Specialization {
  uint32_t id = 0;
  Fact fact = Fact::raster_samples;
  // bound, missing_alpha: of Module::resources; known: of Module::specialized; word: of
  // Module::constant_buffers
  uint32_t index = 0;
  uint32_t word = 0;  // of the constant buffer; bound, missing_alpha: the number of the register in its range
};

/// All that a module declares, in the order of its variables.
struct HostInterface {
  explicit HostInterface(std::pmr::memory_resource* memory)
      : descriptors(memory),
        specializations(memory),
        capabilities(memory),
        extensions(memory),
        features(memory) {}

  std::pmr::vector<Descriptor> descriptors;
  std::pmr::vector<Specialization> specializations;
  /// What the module declares, for the host's choice of device features (list_requirements()).
  std::pmr::vector<std::string_view> capabilities;
  std::pmr::vector<std::pmr::string> extensions;
  std::pmr::vector<std::string_view> features;  // of the device, by Vulkan's names
};

}  // namespace texlate::spirv
