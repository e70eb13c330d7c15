#include "frontend/dxbc/root_signature.h"

#include "frontend/dxbc/byte_reader.h"

namespace texlate::dxbc {

namespace {

// Sizes in bytes.
constexpr uint32_t kHeader = 24, kParameter = 12, kTable = 8;
constexpr uint32_t range_size(uint32_t version) {
  return version == kRootSignature1_0 ? 20 : 24;
}
constexpr uint32_t descriptor_size(uint32_t version) {
  return version == kRootSignature1_0 ? 8 : 12;
}

/// What the header of a parameter points to.
uint32_t body_size(const RootParameter& parameter, uint32_t version) {
  switch (parameter.type) {
    case RootParameterType::table: return kTable + parameter.range_count * range_size(version);
    case RootParameterType::constants: return 12;
    case RootParameterType::cbv:
    case RootParameterType::srv:
    case RootParameterType::uav: break;
  }
  return descriptor_size(version);
}

class RootSignatureReader {
 public:
  RootSignatureReader(std::span<const std::byte> data, uint32_t at, RootSignature& signature,
                      Diagnostics& diagnostics)
      : reader_(data), at_(at), signature_(signature), diagnostics_(diagnostics) {}

  bool run() {
    if (!reader_.has(0, kHeader)) return fail(0, "is shorter than its header");
    signature_.version = reader_.dword(0);
    signature_.flags = reader_.dword(20);
    if (signature_.version != kRootSignature1_0 && signature_.version != kRootSignature1_1) {
      diagnostics_.error(SourceLocation::bytes(at_),
                         "root signature of version {}, which is neither 1.0 (1) nor 1.1 (2)",
                         signature_.version);
      return false;
    }
    return read_parameters() && read_samplers();
  }

 private:
  bool fail(uint32_t offset, std::string_view what) {
    diagnostics_.error(SourceLocation::bytes(at_ + offset), "the root signature {}", what);
    return false;
  }

  bool read_parameters() {
    const uint32_t count = reader_.dword(4), offset = reader_.dword(8);
    if (!reader_.has(offset, uint64_t{count} * kParameter)) return fail(4, "has parameters beyond its end");
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t header = offset + i * kParameter;
      RootParameter parameter;
      const uint32_t type = reader_.dword(header);
      if (type > static_cast<uint32_t>(RootParameterType::uav))
        return fail(header, "has a parameter of unknown type");
      parameter.type = static_cast<RootParameterType>(type);
      parameter.visibility = reader_.dword(header + 4);
      if (parameter.visibility > kMostVisibility)
        return fail(header + 4, "has a parameter of unknown visibility");
      if (!read_parameter(reader_.dword(header + 8), parameter)) return false;
      signature_.parameters.push_back(parameter);
    }
    return true;
  }

  bool read_parameter(uint32_t at, RootParameter& parameter) {
    if (parameter.type == RootParameterType::table) return read_table(at, parameter);
    const bool is_constants = parameter.type == RootParameterType::constants;
    const uint32_t size = is_constants ? 12 : descriptor_size(signature_.version);
    if (!reader_.has(at, size)) return fail(at, "has a parameter beyond its end");
    parameter.shader_register = reader_.dword(at);
    parameter.space = reader_.dword(at + 4);
    if (is_constants) parameter.value_count = reader_.dword(at + 8);
    if (!is_constants && size == 12) parameter.flags = reader_.dword(at + 8);
    return true;
  }

  bool read_table(uint32_t at, RootParameter& parameter) {
    if (!reader_.has(at, kTable)) return fail(at, "has a table beyond its end");
    const uint32_t count = reader_.dword(at), offset = reader_.dword(at + 4);
    const uint32_t size = range_size(signature_.version);
    // Tables that share their ranges could expand a small input to a large output.
    if (!reader_.has(offset, uint64_t{count} * size) ||
        (signature_.ranges.size() + count) * size > reader_.size())
      return fail(at, "has ranges beyond its end");
    parameter.first_range = static_cast<uint32_t>(signature_.ranges.size());
    parameter.range_count = count;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t from = offset + i * size;
      const bool has_flags = size == 24;
      RootRange range{reader_.dword(from),
                      reader_.dword(from + 4),
                      reader_.dword(from + 8),
                      reader_.dword(from + 12),
                      has_flags ? reader_.dword(from + 16) : 0,
                      reader_.dword(from + size - 4)};
      if (range.type > kMostRangeType) return fail(from, "has a range of unknown type");
      signature_.ranges.push_back(range);
    }
    return true;
  }

  bool read_samplers() {
    const uint32_t count = reader_.dword(12), offset = reader_.dword(16);
    constexpr uint32_t kSize = sizeof(StaticSampler);
    if (!reader_.has(offset, uint64_t{count} * kSize)) return fail(12, "has static samplers beyond its end");
    for (uint32_t i = 0; i < count; ++i) {
      StaticSampler sampler;
      for (uint32_t w = 0; w < sampler.size(); ++w) sampler[w] = reader_.dword(offset + i * kSize + 4 * w);
      signature_.samplers.push_back(sampler);
    }
    return true;
  }

  ByteReader reader_;
  uint32_t at_;
  RootSignature& signature_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool read_root_signature(const Container& container, RootSignature& signature, Diagnostics& diagnostics) {
  const Chunk* chunk = container.find(kRootSignatureTag);
  if (chunk == nullptr) {
    diagnostics.error({}, "the container has no root signature (chunk RTS0)");
    return false;
  }
  return RootSignatureReader(container.data(*chunk), chunk->offset, signature, diagnostics).run();
}

void write_root_signature(const RootSignature& signature, std::pmr::vector<std::byte>& out) {
  const size_t start = out.size();
  const bool has_flags = signature.version != kRootSignature1_0;
  const auto parameters = static_cast<uint32_t>(signature.parameters.size());
  // Header, parameters, the data they point to, static samplers.
  uint32_t body = kHeader + parameters * kParameter;
  uint32_t end = body;
  for (const RootParameter& parameter : signature.parameters) end += body_size(parameter, signature.version);
  for (const uint32_t word : {signature.version, parameters, kHeader,
                              static_cast<uint32_t>(signature.samplers.size()), end, signature.flags})
    append_dword(word, out);
  for (const RootParameter& parameter : signature.parameters) {
    append_dword(static_cast<uint32_t>(parameter.type), out);
    append_dword(parameter.visibility, out);
    append_dword(body, out);
    body += body_size(parameter, signature.version);
  }
  for (const RootParameter& parameter : signature.parameters) {
    if (parameter.type != RootParameterType::table) {
      append_dword(parameter.shader_register, out);
      append_dword(parameter.space, out);
      if (parameter.type == RootParameterType::constants) append_dword(parameter.value_count, out);
      if (parameter.type != RootParameterType::constants && has_flags) append_dword(parameter.flags, out);
      continue;
    }
    append_dword(parameter.range_count, out);
    append_dword(static_cast<uint32_t>(out.size() - start) + 4, out);
    for (uint32_t i = 0; i < parameter.range_count; ++i) {
      const RootRange& range = signature.ranges[parameter.first_range + i];
      for (const uint32_t word : {range.type, range.count, range.base_register, range.space})
        append_dword(word, out);
      if (has_flags) append_dword(range.flags, out);
      append_dword(range.table_offset, out);
    }
  }
  for (const StaticSampler& sampler : signature.samplers) {
    for (const uint32_t word : sampler) append_dword(word, out);
  }
}

}  // namespace texlate::dxbc
