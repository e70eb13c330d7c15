// The C interface: root signatures.

#include <cstring>

#include "frontend/dxbc/root_signature.h"
#include "library/handles.h"
#include "texlate/texlate.h"

using namespace texlate;
using namespace texlate::library;

static_assert(sizeof(texlate_static_sampler) == sizeof(dxbc::StaticSampler));

struct texlate_root_signature {
  explicit texlate_root_signature(const CallerMemory& caller)
      : memory(caller), signature(&memory), parameters(&memory), ranges(&memory), samplers(&memory) {}
  CallerMemory memory;
  dxbc::RootSignature signature;
  std::pmr::vector<texlate_root_parameter> parameters;
  std::pmr::vector<texlate_root_range> ranges;
  std::pmr::vector<texlate_static_sampler> samplers;
  texlate_root_signature_description description{};
};

namespace {

/// A root signature that was read, in the form of the C interface.
void describe(texlate_root_signature& made) {
  for (const dxbc::RootRange& range : made.signature.ranges)
    made.ranges.push_back(
        {range.type, range.count, range.base_register, range.space, range.flags, range.table_offset});
  for (const dxbc::RootParameter& from : made.signature.parameters) {
    const bool is_table = from.type == dxbc::RootParameterType::table;
    made.parameters.push_back({static_cast<uint32_t>(from.type), from.visibility, from.shader_register,
                               from.space, from.flags, from.value_count,
                               is_table ? made.ranges.data() + from.first_range : nullptr, from.range_count});
  }
  for (const dxbc::StaticSampler& sampler : made.signature.samplers) {
    texlate_static_sampler to;
    std::memcpy(&to, sampler.data(), sizeof to);
    made.samplers.push_back(to);
  }
  made.description = {sizeof made.description,    made.signature.version,
                      made.signature.flags,       sizeof(texlate_root_parameter),
                      sizeof(texlate_root_range), sizeof(texlate_static_sampler),
                      made.parameters.data(),     made.parameters.size(),
                      made.samplers.data(),       made.samplers.size()};
}

bool read(const void* data, size_t size, dxbc::DigestCheck check, texlate_root_signature& made,
          Diagnostics& diagnostics) {
  dxbc::Container container(&made.memory);
  const auto bytes = std::as_bytes(std::span(static_cast<const char*>(data), size));
  if (!dxbc::read_container(bytes, check, container, diagnostics) ||
      !dxbc::read_root_signature(container, made.signature, diagnostics))
    return false;
  describe(made);
  return true;
}

void take_ranges(const texlate_root_parameter& from, size_t stride, const std::string& name,
                 dxbc::RootParameter& to, dxbc::RootSignature& signature) {
  const Elements<texlate_root_range> ranges(from.ranges, from.range_count, stride, true, kOldestRootRange,
                                            name + ".ranges");
  to.first_range = static_cast<uint32_t>(signature.ranges.size());
  to.range_count = static_cast<uint32_t>(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    const texlate_root_range range = ranges[i];
    if (range.type > dxbc::kMostRangeType) refuse_argument("{}.type is {}", ranges.name(i), range.type);
    signature.ranges.push_back(
        {range.type, range.count, range.base_register, range.space, range.flags, range.table_offset});
  }
}

void take_description(const texlate_root_signature_description& from, dxbc::RootSignature& signature) {
  if (from.version != dxbc::kRootSignature1_0 && from.version != dxbc::kRootSignature1_1)
    refuse_argument("description.version is {}: neither 1 nor 2", from.version);
  signature.version = from.version;
  signature.flags = from.flags;
  const Elements<texlate_root_parameter> parameters(from.parameters, from.parameter_count,
                                                    from.parameter_stride, true, kOldestRootParameter,
                                                    "description.parameters");
  for (size_t i = 0; i < parameters.size(); ++i) {
    const texlate_root_parameter parameter = parameters[i];
    const std::string name = parameters.name(i);
    if (parameter.type > static_cast<uint32_t>(dxbc::RootParameterType::uav))
      refuse_argument("{}.type is {}", name, parameter.type);
    if (parameter.visibility > dxbc::kMostVisibility)
      refuse_argument("{}.visibility is {}", name, parameter.visibility);
    dxbc::RootParameter to;
    to.type = static_cast<dxbc::RootParameterType>(parameter.type);
    to.visibility = parameter.visibility;
    to.shader_register = parameter.shader_register;
    to.space = parameter.space;
    to.flags = parameter.flags;
    to.value_count = parameter.value_count;
    if (to.type == dxbc::RootParameterType::table)
      take_ranges(parameter, from.range_stride, name, to, signature);
    signature.parameters.push_back(to);
  }
  const Elements<texlate_static_sampler> samplers(from.samplers, from.sampler_count, from.sampler_stride,
                                                  true, kOldestStaticSampler, "description.samplers");
  for (size_t i = 0; i < samplers.size(); ++i) {
    const texlate_static_sampler sampler = samplers[i];
    std::memcpy(signature.samplers.emplace_back().data(), &sampler, sizeof sampler);
  }
}

}  // namespace

texlate_status texlate_root_signature_read(const void* data, size_t size,
                                           const texlate_parse_options* options,
                                           texlate_root_signature** signature) {
  if (signature != nullptr) *signature = nullptr;
  return guarded([&] {
    require(signature != nullptr, "signature is null");
    require(data != nullptr || size == 0, "data is null but size is not 0");
    const texlate_parse_options chosen = parse_options(options);
    texlate_root_signature* made = make<texlate_root_signature>(CallerMemory(chosen.allocator));
    const auto fill = [&] {
      Diagnostics diagnostics(&made->memory);
      const bool good = read(data, size, digest_check(chosen.digest), *made, diagnostics);
      report(diagnostics, chosen.callback, chosen.callback_user);
      return good;
    };
    if (undo_on_failure(fill, [&] { destroy(made); })) {
      *signature = made;
      return TEXLATE_OK;
    }
    destroy(made);
    return TEXLATE_ERROR_INPUT;
  });
}

const texlate_root_signature_description* texlate_root_signature_get(
    const texlate_root_signature* signature) {
  return signature == nullptr ? nullptr : &signature->description;
}

void texlate_root_signature_free(texlate_root_signature* signature) {
  destroy(signature);
}

texlate_status texlate_root_signature_write(const texlate_root_signature_description* description,
                                            const texlate_allocator* allocator, texlate_output** output) {
  if (output != nullptr) *output = nullptr;
  return guarded([&] {
    require(output != nullptr, "output is null");
    require(description != nullptr, "description is null");
    const texlate_root_signature_description given =
        versioned(description, kOldestRootDescription, "description");
    return with_output(CallerMemory(allocator), output, nullptr, nullptr, [&](texlate_output& made) {
      dxbc::RootSignature signature(&made.memory);
      take_description(given, signature);
      std::pmr::vector<std::byte> chunk(&made.memory), bytes(&made.memory);
      dxbc::write_root_signature(signature, chunk);
      const dxbc::ChunkData chunks[] = {{dxbc::kRootSignatureTag, chunk}};
      dxbc::write_container(chunks, bytes);
      made.translation.data.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return true;
    });
  });
}
