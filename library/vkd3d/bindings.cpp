// Where the registers of a program are, as the client's struct vkd3d_shader_interface_info says.

#include <algorithm>

#include "library/vkd3d/translation.h"

namespace texlate::vkd3d {

namespace {

// D3D10_RESOURCE_RETURN_TYPE, in texlate_binding::component_type.
constexpr uint32_t kSint = 3, kUint = 4;

bool is_same_pair(const texlate_spirv_combined& a, const texlate_spirv_combined& b) {
  return a.texture_space == b.texture_space && a.texture == b.texture && a.sampler_space == b.sampler_space &&
         a.sampler == b.sampler;
}

std::string name_of(const texlate_binding& declared) {
  constexpr const char* kLetters[] = {"cb", "s", "t", "u"};
  return kLetters[declared.kind] + std::to_string(declared.lower_bound) + " of space " +
         std::to_string(declared.space);
}

/// Whether the client's entry [first, first + count) has the declared registers. An unbounded range is in the
/// entry that has its first register.
bool covers(uint32_t first, uint32_t count, const texlate_binding& declared) {
  const uint32_t last = declared.upper_bound == UINT32_MAX ? declared.lower_bound : declared.upper_bound;
  return first <= declared.lower_bound && count > last - first;
}

DescriptorOffset offset_of(const DescriptorOffset* offsets, uint32_t i) {
  return offsets != nullptr ? offsets[i] : DescriptorOffset{0, kNoDynamicOffset};
}

}  // namespace

/// A texture that is only fetched from, not sampled, has the "dummy" sampler. These pairs come first, because
/// texlate uses the first pair for fetches.
void Translation::take_combined() {
  if (request_.interface == nullptr) return;
  const InterfaceInfo& interface = *request_.interface;
  for (const bool dummies : {true, false}) {
    for (uint32_t i = 0; i < interface.combined_sampler_count; ++i) {
      const CombinedSampler& pair = interface.combined_samplers[i];
      const bool is_dummy = pair.sampler_index == kDummySampler;
      if (is_dummy != dummies || !is_visible(pair.visibility, info_.stage) ||
          (pair.flags & (kBindingOfImage | kBindingOfBuffer)) == 0)
        continue;
      if (pair.binding.count != 1)
        refuse(kInvalidShader, MessageCode::bad_binding, "a combined sampler in an array");
      const texlate_spirv_combined made = {
          pair.resource_space, pair.resource_index, is_dummy ? 0 : pair.sampler_space,
          pair.sampler_index,  pair.binding.set,    pair.binding.binding};
      // If a client lists a pair twice, the first entry counts.
      if (std::ranges::none_of(combined_, [&](const auto& before) { return is_same_pair(before, made); }))
        combined_.push_back(made);
    }
  }
}

void Translation::take_bindings() {
  texlate_binding declared{};
  declared.struct_size = sizeof declared;
  for (uint32_t i = 0; texlate_program_get_binding(program_.get(), i, &declared) == TEXLATE_OK; ++i) {
    if (!take_push_constants(declared) && !take_combined_buffer(declared) && !is_combined(declared))
      take_register(declared);
    if (declared.kind == TEXLATE_REGISTER_UAV) take_view_format(declared);
    if ((declared.flags & TEXLATE_BINDING_COUNTER) != 0) take_counter(declared);
    const bool has_facts =
        declared.kind == TEXLATE_REGISTER_RESOURCE || declared.kind == TEXLATE_REGISTER_UAV;
    if (!has_facts) continue;
    // vkd3d binds null descriptors whose reads give zero, and its clients know no other specialization
    // constants.
    const texlate_register_class which = declared.kind;
    parameters_.push_back({TEXLATE_FACT_MISSING_ALPHA, which, declared.space, declared.lower_bound, 1, 0});
    note_bound(which, declared);
  }
}

/// Ranges may overlap, and nothing may be said twice about a register.
void Translation::note_bound(texlate_register_class which, const texlate_binding& declared) {
  const uint32_t further = declared.upper_bound - declared.lower_bound;
  const auto overlaps = [&](const texlate_known_resource& one) {
    return one.register_class == which && one.space == declared.space && one.first <= declared.upper_bound &&
           declared.lower_bound - one.first < one.count;
  };
  const auto is_within = [&](const texlate_known_resource& one) {
    return one.register_class == which && one.space == declared.space &&
           one.first - declared.lower_bound <= further;
  };
  if (std::ranges::any_of(known_resources_, overlaps) || std::ranges::any_of(known_resources_, is_within))
    return;
  texlate_known_resource known{};
  known.register_class = which;
  known.space = declared.space;
  known.first = declared.lower_bound;
  known.count = declared.upper_bound == UINT32_MAX ? UINT32_MAX : further + 1;
  known.known = TEXLATE_KNOWN_BOUND;
  known.bound = 1;
  known_resources_.push_back(known);
}

bool Translation::take_push_constants(const texlate_binding& declared) {
  if (request_.interface == nullptr || declared.kind != TEXLATE_REGISTER_CONSTANT_BUFFER ||
      declared.lower_bound != declared.upper_bound)
    return false;
  const InterfaceInfo& interface = *request_.interface;
  for (uint32_t i = 0; i < interface.push_constant_buffer_count; ++i) {
    const PushConstantBuffer& given = interface.push_constant_buffers[i];
    if (!is_visible(given.visibility, info_.stage) || given.register_space != declared.space ||
        given.register_index != declared.lower_bound)
      continue;
    texlate_spirv_binding binding{};
    binding.register_class = TEXLATE_REGISTER_CONSTANT_BUFFER;
    binding.space = given.register_space;
    binding.first = given.register_index;
    binding.count = 1;
    binding.binding = given.offset;
    binding.size = given.size;
    binding.passing = TEXLATE_PASSING_PUSH_CONSTANTS;
    bindings_.push_back(binding);
    return true;
  }
  return false;
}

/// A buffer is not sampled, so that its pair is the place of the buffer alone.
bool Translation::take_combined_buffer(const texlate_binding& declared) {
  if (declared.kind != TEXLATE_REGISTER_RESOURCE || !is_buffer(declared.dimension) ||
      declared.lower_bound != declared.upper_bound)
    return false;
  const auto is_of_buffer = [&](const texlate_spirv_combined& pair) {
    return pair.texture_space == declared.space && pair.texture == declared.lower_bound;
  };
  const auto found = std::ranges::find_if(combined_, is_of_buffer);
  if (found == combined_.end()) return false;
  texlate_spirv_binding made{};
  made.register_class = declared.kind;
  made.space = declared.space;
  made.first = declared.lower_bound;
  made.count = 1;
  made.set = found->set;
  made.binding = found->binding;
  if (has_words(declared.dimension)) made.passing = TEXLATE_PASSING_TEXEL_BUFFER;
  bindings_.push_back(made);
  std::erase_if(combined_, is_of_buffer);
  return true;
}

bool Translation::is_combined(const texlate_binding& declared) const {
  if (declared.lower_bound != declared.upper_bound) return false;
  return std::ranges::any_of(combined_, [&](const texlate_spirv_combined& pair) {
    if (declared.kind == TEXLATE_REGISTER_RESOURCE)
      return pair.texture_space == declared.space && pair.texture == declared.lower_bound;
    return declared.kind == TEXLATE_REGISTER_SAMPLER && pair.sampler != kDummySampler &&
           pair.sampler_space == declared.space && pair.sampler == declared.lower_bound;
  });
}

/// The descriptor of a register, or the element of an array of descriptors.
void Translation::place(const texlate_binding& declared, const DescriptorBinding& binding,
                        uint32_t first_register, const DescriptorOffset& offset,
                        texlate_spirv_binding& made) {
  made.set = binding.set;
  made.binding = binding.binding;
  const uint32_t element = declared.lower_bound - first_register + offset.static_offset;
  const bool is_dynamic = offset.dynamic_offset_index != kNoDynamicOffset;
  if (binding.count == 1 && element == 0 && !is_dynamic && declared.lower_bound == declared.upper_bound)
    return;
  const bool is_unsized = is_dynamic || declared.upper_bound == kUnbounded ||
                          request_.allows(Extension::descriptor_indexing) || binding.count == kUnbounded;
  made.array_size = is_unsized ? TEXLATE_UNSIZED_ARRAY : binding.count + offset.static_offset;
  made.element = element;
  if (!is_dynamic) return;
  if (!request_.allows(Extension::descriptor_indexing))
    return refuse(kInvalidShader, MessageCode::no_indexing,
                  name_of(declared) +
                      " has an offset in the push constants, but the extension "
                      "DESCRIPTOR_INDEXING is not among those of the request");
  made.has_element_offset = 1;
  made.element_offset_at = request_.offsets->descriptor_table_offset + 4 * offset.dynamic_offset_index;
}

/// A request that names no bindings has them in set 0, numbered in the order of the declarations.
void Translation::number(texlate_spirv_binding& made) {
  made.set = 0;
  made.binding = next_number_++;
}

void Translation::take_register(const texlate_binding& declared) {
  const bool is_view = declared.kind == TEXLATE_REGISTER_RESOURCE || declared.kind == TEXLATE_REGISTER_UAV;
  const bool is_uav = declared.kind == TEXLATE_REGISTER_UAV;
  const bool in_storage = is_uav && stores_buffers();
  if (in_storage && declared.dimension == kBuffer)
    return refuse(kNotImplemented, MessageCode::not_implemented,
                  name_of(declared) +
                      " is a typed buffer, which texlate cannot access as a storage buffer "
                      "(option BUFFER_UAV)");
  texlate_spirv_binding made{};
  made.register_class = declared.kind;
  made.space = declared.space;
  made.first = declared.lower_bound;
  made.count = 1;
  if (is_view && has_words(declared.dimension) && !in_storage) made.passing = TEXLATE_PASSING_TEXEL_BUFFER;

  const InterfaceInfo* const interface = request_.interface;
  if (interface == nullptr || interface->binding_count == 0) {
    number(made);
    if (declared.lower_bound != declared.upper_bound)
      made.array_size = declared.upper_bound == kUnbounded ? TEXLATE_UNSIZED_ARRAY
                                                           : declared.upper_bound - declared.lower_bound + 1;
    bindings_.push_back(made);
    return;
  }
  const bool is_in_buffer =
      is_buffer(declared.dimension) || declared.kind == TEXLATE_REGISTER_CONSTANT_BUFFER;
  const uint32_t flag = declared.kind == TEXLATE_REGISTER_SAMPLER ? 0
                        : is_in_buffer                            ? kBindingOfBuffer
                                                                  : kBindingOfImage;
  for (uint32_t i = 0; i < interface->binding_count; ++i) {
    const ResourceBinding& given = interface->bindings[i];
    if ((given.flags & flag) != flag || !is_visible(given.visibility, info_.stage) ||
        given.type != descriptor_type(declared.kind) || given.register_space != declared.space ||
        !covers(given.register_index, given.binding.count, declared))
      continue;
    const DescriptorOffset* const offsets =
        request_.offsets != nullptr ? request_.offsets->binding_offsets : nullptr;
    place(declared, given.binding, given.register_index, offset_of(offsets, i), made);
    bindings_.push_back(made);
    return;
  }
  constexpr uint32_t kUsed = TEXLATE_BINDING_READ | TEXLATE_BINDING_WRITTEN | TEXLATE_BINDING_QUERIED;
  if ((declared.flags & kUsed) != 0)
    refuse(kInvalidShader, MessageCode::no_binding, "the request has no binding for " + name_of(declared));
}

void Translation::take_counter(const texlate_binding& declared) {
  texlate_spirv_binding made{};
  made.register_class = TEXLATE_REGISTER_COUNTER;
  made.space = declared.space;
  made.first = declared.lower_bound;
  made.count = 1;
  if (!stores_buffers()) made.passing = TEXLATE_PASSING_TEXEL_BUFFER;
  const InterfaceInfo* const interface = request_.interface;
  if (interface == nullptr || interface->uav_counter_count == 0) {
    if (interface != nullptr && interface->binding_count != 0)
      return refuse(kInvalidShader, MessageCode::no_binding,
                    "the request has no binding for the counter of " + name_of(declared));
    number(made);
    if (declared.lower_bound != declared.upper_bound)
      made.array_size = declared.upper_bound == kUnbounded ? TEXLATE_UNSIZED_ARRAY
                                                           : declared.upper_bound - declared.lower_bound + 1;
    bindings_.push_back(made);
    return;
  }
  for (uint32_t i = 0; i < interface->uav_counter_count; ++i) {
    const UavCounterBinding& given = interface->uav_counters[i];
    if (!is_visible(given.visibility, info_.stage) || given.register_space != declared.space ||
        !covers(given.register_index, given.binding.count, declared))
      continue;
    if (given.offset != 0)
      return refuse(kInvalidShader, MessageCode::bad_binding,
                    "the counter of " + name_of(declared) + " has an offset");
    const DescriptorOffset* const offsets =
        request_.offsets != nullptr ? request_.offsets->uav_counter_offsets : nullptr;
    place(declared, given.binding, given.register_index, offset_of(offsets, i), made);
    bindings_.push_back(made);
    return;
  }
  refuse(kInvalidShader, MessageCode::no_binding,
         "the request has no binding for the counter of " + name_of(declared));
}

/// Views with atomics have one component of 32 bits. So have, unless option TYPED_UAV says that the device
/// reads images of unknown format, those that are read: Direct3D 11.0 reads no others.
void Translation::take_view_format(const texlate_binding& declared) {
  if (has_words(declared.dimension)) return;
  const bool is_read = (declared.flags & TEXLATE_BINDING_READ) != 0;
  const bool has_atomics = (declared.flags & TEXLATE_BINDING_ATOMIC) != 0;
  if (!has_atomics && (!is_read || request_.option(OptionName::typed_uav) != 0)) return;
  const texlate_texel_kind kind = declared.component_type == kSint   ? TEXLATE_TEXEL_SINT
                                  : declared.component_type == kUint ? TEXLATE_TEXEL_UINT
                                                                     : TEXLATE_TEXEL_FLOAT;
  formats_.push_back({declared.id, 1, 32, kind, TEXLATE_FORMAT_UNKNOWN});
}

}  // namespace texlate::vkd3d
