#include "library/vkd3d/root_signatures.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

#include "library/vkd3d/containers.h"
#include "texlate/texlate.hpp"

namespace texlate::vkd3d {

namespace {

constexpr uint32_t kDescriptorsVolatile = 1, kDataVolatile = 2;  // D3D12_DESCRIPTOR_RANGE_FLAGS
constexpr uint32_t kSamplerRange = 3;                            // D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER

/// The body of either version.
template <typename Signature, typename Work>
auto with_body(Signature& signature, Work work) {
  return signature.version == RootVersion::v1_0 ? work(signature.v1_0) : work(signature.v1_1);
}

bool is_known(RootVersion version) {
  return version == RootVersion::v1_0 || version == RootVersion::v1_1;
}

/// An array in the client's memory; null if it is empty.
template <typename Element>
Element* allocate(size_t count) {
  if (count == 0) return nullptr;
  void* const memory = std::calloc(count, sizeof(Element));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<Element*>(memory);
}

texlate_root_range range_of(const DescriptorRange& range) {
  return {range.type, range.count, range.base_register, range.space, 0, range.table_offset};
}
texlate_root_range range_of(const DescriptorRange1& range) {
  return {range.type, range.count, range.base_register, range.space, range.flags, range.table_offset};
}
void set_range(DescriptorRange& to, const texlate_root_range& from) {
  to = {from.type, from.count, from.base_register, from.space, from.table_offset};
}
void set_range(DescriptorRange1& to, const texlate_root_range& from) {
  to = {from.type, from.count, from.base_register, from.space, from.flags, from.table_offset};
}
uint32_t flags_of(const RootDescriptor&) {
  return 0;
}
uint32_t flags_of(const RootDescriptor1& descriptor) {
  return descriptor.flags;
}
void set_descriptor(RootDescriptor& to, const texlate_root_parameter& from) {
  to = {from.shader_register, from.space};
}
void set_descriptor(RootDescriptor1& to, const texlate_root_parameter& from) {
  to = {from.shader_register, from.space, from.flags};
}

/// A root signature in texlate's structures, with the arrays that they point to.
struct Description {
  std::vector<texlate_root_parameter> parameters;
  std::vector<std::vector<texlate_root_range>> ranges;  // by parameter
  std::vector<texlate_static_sampler> samplers;
  texlate_root_signature_description description{};
};

static_assert(sizeof(StaticSampler) == sizeof(texlate_static_sampler));

/// Fills `made`; returns false at a parameter of unknown type.
template <typename Body>
bool describe(const Body& body, RootVersion version, Description& made) {
  for (uint32_t i = 0; i < body.parameter_count; ++i) {
    const auto& from = body.parameters[i];
    texlate_root_parameter to{};
    to.type = static_cast<uint32_t>(from.type);
    to.visibility = from.visibility;
    std::vector<texlate_root_range>& ranges = made.ranges.emplace_back();
    switch (from.type) {
      case RootParameterType::table:
        for (uint32_t r = 0; r < from.table.range_count; ++r)
          ranges.push_back(range_of(from.table.ranges[r]));
        break;
      case RootParameterType::constants:
        to.shader_register = from.constants.shader_register;
        to.space = from.constants.space;
        to.value_count = from.constants.value_count;
        break;
      case RootParameterType::cbv:
      case RootParameterType::srv:
      case RootParameterType::uav:
        to.shader_register = from.descriptor.shader_register;
        to.space = from.descriptor.space;
        to.flags = flags_of(from.descriptor);
        break;
      default: return false;
    }
    made.parameters.push_back(to);
  }
  for (size_t i = 0; i < made.parameters.size(); ++i) {
    made.parameters[i].ranges = made.ranges[i].data();
    made.parameters[i].range_count = made.ranges[i].size();
  }
  made.samplers.resize(body.sampler_count);
  if (body.sampler_count != 0)
    std::memcpy(made.samplers.data(), body.samplers, sizeof(StaticSampler) * body.sampler_count);
  made.description = {sizeof made.description,
                      static_cast<uint32_t>(version),
                      body.flags,
                      sizeof(texlate_root_parameter),
                      sizeof(texlate_root_range),
                      sizeof(texlate_static_sampler),
                      made.parameters.data(),
                      made.parameters.size(),
                      made.samplers.data(),
                      made.samplers.size()};
  return true;
}

/// The inverse: allocates the client's arrays. `body` is zero before; on an exception it holds what was
/// allocated.
template <typename Body>
void build(const texlate_root_signature_description& from, Body& body) {
  using Parameter = typename Body::Parameter;
  auto* const parameters = allocate<Parameter>(from.parameter_count);
  body.parameters = parameters;
  for (size_t i = 0; i < from.parameter_count; ++i) {
    const texlate_root_parameter& source = from.parameters[i];
    Parameter& to = parameters[i];
    to.type = static_cast<RootParameterType>(source.type);
    to.visibility = source.visibility;
    if (to.type == RootParameterType::table) {
      auto* const ranges = allocate<typename Parameter::Range>(source.range_count);
      for (size_t r = 0; r < source.range_count; ++r) set_range(ranges[r], source.ranges[r]);
      to.table = {static_cast<uint32_t>(source.range_count), ranges};
    } else if (to.type == RootParameterType::constants) {
      to.constants = {source.shader_register, source.space, source.value_count};
    } else {
      set_descriptor(to.descriptor, source);
    }
    ++body.parameter_count;
  }
  auto* const samplers = allocate<StaticSampler>(from.sampler_count);
  if (from.sampler_count != 0)
    std::memcpy(samplers, from.samplers, sizeof(StaticSampler) * from.sampler_count);
  body.samplers = samplers;
  body.sampler_count = static_cast<uint32_t>(from.sampler_count);
  body.flags = from.flags;
}

/// Fills the client's structure, which is zero, or leaves it zero if there is no memory.
int build(const texlate_root_signature_description& from, VersionedRootSignature& to) {
  to.version = static_cast<RootVersion>(from.version);
  try {
    with_body(to, [&](auto& body) { build(from, body); });
  } catch (const std::bad_alloc&) {
    free_root_signature(to);
    return kOutOfMemory;
  }
  return kOk;
}

/// What vkd3d-shader, like Direct3D, refuses in a table: unknown types, and samplers beside others.
int check_ranges(const Description& made, Messages& messages) {
  for (size_t p = 0; p < made.ranges.size(); ++p) {
    bool has_sampler = false, has_other = false;
    for (const texlate_root_range& range : made.ranges[p]) {
      if (range.type > kSamplerRange) {
        messages.error(MessageCode::root_range, "root parameter " + std::to_string(p) +
                                                    " has a range of type " + std::to_string(range.type));
        return kInvalidArgument;
      }
      (range.type == kSamplerRange ? has_sampler : has_other) = true;
    }
    if (has_sampler && has_other) {
      messages.error(MessageCode::root_mixed_table,
                     "root parameter " + std::to_string(p) + " is a table of samplers and others");
      return kInvalidArgument;
    }
  }
  return kOk;
}

}  // namespace

int parse_root_signature(const Code& code, VersionedRootSignature& signature, Messages& messages) {
  std::memset(static_cast<void*>(&signature), 0, sizeof signature);
  Container container;
  if (const int result = read_container(code, Digest::check, container, messages); result != kOk)
    return result;
  if (container.find(tag("RTS0")) == nullptr) return kOk;
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.digest = TEXLATE_DIGEST_IGNORE;
  options.callback_user = &messages;
  options.callback = [](void* user, const texlate_diagnostic* diagnostic) {
    static_cast<Messages*>(user)->error(MessageCode::root_version,
                                        {diagnostic->message, diagnostic->message_length});
  };
  texlate_root_signature* read = nullptr;
  const texlate_status status = texlate_root_signature_read(code.code, code.size, &options, &read);
  if (status == TEXLATE_ERROR_MEMORY) return kOutOfMemory;
  if (status != TEXLATE_OK) return kInvalidArgument;
  const int result = build(*texlate_root_signature_get(read), signature);
  texlate_root_signature_free(read);
  return result;
}

int serialize_root_signature(const VersionedRootSignature& signature, Code& code, Messages& messages) {
  if (!is_known(signature.version)) {
    messages.error(MessageCode::root_version, "root signature of version " +
                                                  std::to_string(static_cast<uint32_t>(signature.version)) +
                                                  ", which is neither 1.0 (1) nor 1.1 (2)");
    return kInvalidArgument;
  }
  code = {};
  Description made;
  if (!with_body(signature, [&](const auto& body) { return describe(body, signature.version, made); })) {
    messages.error(MessageCode::root_parameter,
                   "root parameter " + std::to_string(made.parameters.size()) + " has an unknown type");
    return kInvalidArgument;
  }
  if (const int result = check_ranges(made, messages); result != kOk) return result;
  texlate_output* output = nullptr;
  const texlate_status status = texlate_root_signature_write(&made.description, nullptr, &output);
  const api::Output written(output, status);
  if (status == TEXLATE_ERROR_MEMORY) return kOutOfMemory;
  if (status != TEXLATE_OK) {
    messages.error(MessageCode::root_parameter, texlate_argument_error());
    return kInvalidArgument;
  }
  void* const bytes = std::malloc(written.data().size());
  if (bytes == nullptr) return kOutOfMemory;
  std::memcpy(bytes, written.data().data(), written.data().size());
  code = {bytes, written.data().size()};
  return kOk;
}

int convert_root_signature(const VersionedRootSignature& from, RootVersion version,
                           VersionedRootSignature& to) {
  if (from.version == version || !is_known(from.version) || !is_known(version)) return kInvalidArgument;
  Description made;
  const bool good = with_body(from, [&](const auto& body) { return describe(body, version, made); });
  std::memset(static_cast<void*>(&to), 0, sizeof to);
  if (!good) return kInvalidArgument;
  if (version == RootVersion::v1_1) {
    for (texlate_root_parameter& parameter : made.parameters) parameter.flags = kDataVolatile;
    for (std::vector<texlate_root_range>& ranges : made.ranges) {
      for (texlate_root_range& range : ranges) range.flags = kDescriptorsVolatile | kDataVolatile;
    }
  }
  return build(made.description, to);
}

void free_root_signature(VersionedRootSignature& signature) {
  if (!is_known(signature.version)) return;
  with_body(signature, [](auto& body) {
    for (uint32_t i = 0; i < body.parameter_count; ++i) {
      if (body.parameters[i].type == RootParameterType::table)
        std::free(const_cast<void*>(static_cast<const void*>(body.parameters[i].table.ranges)));
    }
    std::free(const_cast<void*>(static_cast<const void*>(body.parameters)));
    std::free(const_cast<void*>(static_cast<const void*>(body.samplers)));
  });
  std::memset(static_cast<void*>(&signature), 0, sizeof signature);
}

}  // namespace texlate::vkd3d
