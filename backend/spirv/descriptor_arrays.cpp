#include "backend/spirv/descriptor_arrays.h"

namespace texlate::spirv {

void DescriptorArrays::require_indexing(DescriptorKind kind, bool non_uniform) {
  const bool texels =
      kind == DescriptorKind::uniform_texel_buffer || kind == DescriptorKind::storage_texel_buffer;
  if (non_uniform || texels) builder_.require_extension("SPV_EXT_descriptor_indexing");
  if (non_uniform) builder_.require(spv::CapabilityShaderNonUniformEXT);
  builder_.require(capability_of(non_uniform ? row_of(kind).other_index : row_of(kind).same_index));
}

Id DescriptorArrays::index(DescriptorKind kind, const Place& place, Value at, bool non_uniform) {
  if (is_indexed(place, at)) require_indexing(kind, non_uniform);
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
