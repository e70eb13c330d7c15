#include "backend/spirv/descriptor_arrays.h"

namespace texlate::spirv {

namespace {

struct IndexingCapabilities {
  spv::Capability dynamic, non_uniform;
};

constexpr IndexingCapabilities capabilities_of(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::sampler:
    case DescriptorKind::combined_image_sampler:
    case DescriptorKind::sampled_image:
      return {spv::CapabilitySampledImageArrayDynamicIndexing,
              spv::CapabilitySampledImageArrayNonUniformIndexingEXT};
    case DescriptorKind::storage_image:
      return {spv::CapabilityStorageImageArrayDynamicIndexing,
              spv::CapabilityStorageImageArrayNonUniformIndexingEXT};
    case DescriptorKind::uniform_texel_buffer:
      return {spv::CapabilityUniformTexelBufferArrayDynamicIndexingEXT,
              spv::CapabilityUniformTexelBufferArrayNonUniformIndexingEXT};
    case DescriptorKind::storage_texel_buffer:
      return {spv::CapabilityStorageTexelBufferArrayDynamicIndexingEXT,
              spv::CapabilityStorageTexelBufferArrayNonUniformIndexingEXT};
    case DescriptorKind::storage_buffer:
      return {spv::CapabilityStorageBufferArrayDynamicIndexing,
              spv::CapabilityStorageBufferArrayNonUniformIndexingEXT};
    case DescriptorKind::uniform_buffer:
    case DescriptorKind::push_constants: break;
  }
  return {spv::CapabilityUniformBufferArrayDynamicIndexing,
          spv::CapabilityUniformBufferArrayNonUniformIndexingEXT};
}

}  // namespace

Id DescriptorArrays::type_of(Id element, uint32_t lower_bound, uint32_t upper_bound, const Place& place) {
  const bool is_hosts = place.array_size != 0;
  if (lower_bound == upper_bound && !is_hosts) return element;
  if (is_hosts ? place.array_size == kUnsizedArray : upper_bound == 0xffffffffu) {
    builder_.require(spv::CapabilityRuntimeDescriptorArrayEXT);
    builder_.require_extension("SPV_EXT_descriptor_indexing");
    return builder_.type(spv::OpTypeRuntimeArray, {element});
  }
  return builder_.array_type(element, is_hosts ? place.array_size : upper_bound - lower_bound + 1);
}

bool DescriptorArrays::require_indexing(DescriptorKind kind, const Place& place, Value at, bool non_uniform) {
  if (!is_indexed(place, at)) return false;
  const bool texels =
      kind == DescriptorKind::uniform_texel_buffer || kind == DescriptorKind::storage_texel_buffer;
  if (non_uniform || texels) builder_.require_extension("SPV_EXT_descriptor_indexing");
  if (non_uniform) builder_.require(spv::CapabilityShaderNonUniformEXT);
  const IndexingCapabilities either = capabilities_of(kind);
  builder_.require(non_uniform ? either.non_uniform : either.dynamic);
  return true;
}

Id DescriptorArrays::index(const Place& place, Value at) {
  const bool is_fixed = at == ir::kNoValue || module_.is_constant(at);
  const uint32_t first = place.array_size != 0 ? place.element : 0;
  const uint32_t fixed = first + (is_fixed && at != ir::kNoValue ? module_.constant_bits(at) : 0);
  Id index = is_fixed ? Id::none : as_uint(at);
  if (place.offset_at != kNoOffset) {
    const Id offset = push_constants_.word(place.offset_at);
    index = index == Id::none ? offset : emit(spv::OpIAdd, As::uint, {index, offset});
  }
  return index == Id::none ? constant(fixed) : add(index, fixed);
}

}  // namespace texlate::spirv
