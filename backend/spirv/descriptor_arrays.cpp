#include "backend/spirv/descriptor_arrays.h"

namespace texlate::spirv {

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

Id DescriptorArrays::index(const Place& place, Value at) {
  const bool is_fixed = at == ir::kNoValue || module_.is_constant(at);
  const uint32_t first = place.array_size != 0 ? place.element : 0;
  const uint32_t fixed = first + (is_fixed && at != ir::kNoValue ? module_.constant_bits(at) : 0);
  Id index = is_fixed ? 0 : as_uint(at);
  if (place.offset_at != kNoOffset) {
    const Id offset = push_constants_.word(place.offset_at);
    index = index == 0 ? offset : emit(spv::OpIAdd, Scalar::uint, {index, offset});
  }
  return index == 0 ? constant(fixed) : add(index, fixed);
}

}  // namespace texlate::spirv
