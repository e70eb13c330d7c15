#include "frontend/dxbc/resource_definitions.h"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

#include "frontend/dxbc/byte_reader.h"

namespace texlate::dxbc {

namespace {

constexpr uint32_t kExtendedTag = fourcc("RD11");  // shader model 5.0
constexpr uint32_t kBufferSize = 24;
constexpr uint32_t kMemberSize = 12;
constexpr uint32_t kTypeSize = 16;
constexpr uint32_t kMaxNesting = 64;
// Offsets may be shared, so a small chunk can name an entry or a long name any number of times. Real chunks
// stay far below these numbers for each byte of the chunk.
constexpr uint64_t kMaxEntriesPerByte = 1;
constexpr uint64_t kMaxCharactersPerByte = 32;

struct ScalarType {
  uint16_t type;  // D3D_SHADER_VARIABLE_TYPE
  std::string_view name;
};
constexpr ScalarType kScalarTypes[] = {
    {1, "bool"},      {2, "int"},        {3, "float"},       {19, "uint"},
    {39, "double"},   {52, "min8float"}, {53, "min10float"}, {54, "min16float"},
    {55, "min12int"}, {56, "min16int"},  {57, "min16uint"},
};

class DefinitionReader {
 public:
  DefinitionReader(std::span<const std::byte> chunk, uint32_t model, Definitions& to)
      : bytes_(chunk),
        reader_(chunk),
        extended_(reader_.dword(28) == kExtendedTag || model >= 50),
        resource_size_(model >= 51 ? 40 : 32),
        entries_left_(kMaxEntriesPerByte * chunk.size()),
        characters_left_(kMaxCharactersPerByte * chunk.size()),
        type_numbers_(to.types.get_allocator()),
        to_(to) {}

  void read() {
    to_.creator = string(reader_.dword(24));
    read_list(reader_.dword(0), reader_.dword(4), kBufferSize, [&](uint32_t at) { read_buffer(at); });
    read_list(reader_.dword(8), reader_.dword(12), resource_size_, [&](uint32_t at) { read_resource(at); });
  }

 private:
  /// Calls `read_entry` with the offset of each entry that is in the chunk; returns their number.
  template <typename ReadEntry>
  uint32_t read_list(uint32_t count, uint32_t at, uint32_t size, ReadEntry read_entry) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t entry = at + uint64_t{i} * size;
      if (!reader_.has(entry, size) || entries_left_ == 0) {
        to_.is_complete = false;
        return i;
      }
      --entries_left_;
      read_entry(static_cast<uint32_t>(entry));
    }
    return count;
  }

  /// The string at an offset; empty, and the chunk is incomplete, unless a zero ends it in the chunk.
  std::string_view string(uint32_t at) {
    const std::string_view text = reader_.string(at);
    const bool has_end = at + uint64_t{text.size()} < bytes_.size();
    if (!has_end || text.size() > characters_left_) {
      to_.is_complete = false;
      return {};
    }
    characters_left_ -= text.size();
    return text;
  }

  void read_buffer(uint32_t at) {
    BufferDefinition buffer;
    buffer.name = string(reader_.dword(at));
    buffer.size = reader_.dword(at + 12);
    buffer.flags = reader_.dword(at + 16);
    buffer.kind = static_cast<BufferKind>(reader_.dword(at + 20));
    buffer.first_variable = static_cast<uint32_t>(to_.variables.size());
    buffer.variable_count = read_list(reader_.dword(at + 4), reader_.dword(at + 8), extended_ ? 40 : 24,
                                      [&](uint32_t variable) { read_variable(variable); });
    to_.buffers.push_back(buffer);
  }

  void read_variable(uint32_t at) {
    VariableDefinition variable;
    variable.name = string(reader_.dword(at));
    variable.offset = reader_.dword(at + 4);
    variable.size = reader_.dword(at + 8);
    variable.flags = reader_.dword(at + 12);
    variable.type = type_at(reader_.dword(at + 16), 0);
    const uint32_t value = reader_.dword(at + 20);
    if (value != 0 && reader_.has(value, variable.size))
      variable.default_value = bytes_.subspan(value, variable.size);
    to_.variables.push_back(variable);
  }

  /// The number of the type at an offset. Its members are read first, so types are numbered from the inside.
  uint32_t type_at(uint32_t at, uint32_t depth) {
    // While its members are read, a type has no number.
    const auto [known, is_new] = type_numbers_.try_emplace(at, kNoType);
    if (!is_new) return known->second;
    TypeDefinition type;
    if (reader_.has(at, kTypeSize)) {
      type.variable_class = static_cast<VariableClass>(reader_.word(at));
      type.scalar_type = reader_.word(at + 2);
      type.rows = reader_.word(at + 4);
      type.columns = reader_.word(at + 6);
      type.elements = reader_.word(at + 8);
      if (extended_ && reader_.dword(at + 32) != 0) type.name = string(reader_.dword(at + 32));
    } else {
      to_.is_complete = false;
    }
    if (type.variable_class == VariableClass::structure) read_members(at, depth, type);
    const uint32_t number = static_cast<uint32_t>(to_.types.size());
    to_.types.push_back(type);
    type_numbers_[at] = number;
    return number;
  }

  void read_members(uint32_t at, uint32_t depth, TypeDefinition& type) {
    std::pmr::vector<MemberDefinition> members(to_.members.get_allocator());
    read_list(reader_.word(at + 10), reader_.dword(at + 12), kMemberSize, [&](uint32_t member) {
      const uint32_t number =
          depth + 1 < kMaxNesting ? type_at(reader_.dword(member + 4), depth + 1) : kNoType;
      if (number == kNoType) {  // the type contains itself
        to_.is_complete = false;
        return;
      }
      members.push_back({string(reader_.dword(member)), number, reader_.dword(member + 8)});
    });
    type.first_member = static_cast<uint32_t>(to_.members.size());
    type.member_count = static_cast<uint32_t>(members.size());
    to_.members.insert(to_.members.end(), members.begin(), members.end());
  }

  void read_resource(uint32_t at) {
    ResourceDefinition resource;
    resource.name = string(reader_.dword(at));
    resource.type = reader_.dword(at + 4);
    resource.return_type = reader_.dword(at + 8);
    resource.dimension = reader_.dword(at + 12);
    resource.samples = reader_.dword(at + 16);
    resource.first_register = reader_.dword(at + 20);
    resource.count = reader_.dword(at + 24);
    resource.flags = reader_.dword(at + 28);
    resource.id = resource.first_register;
    if (resource_size_ == 40) {
      resource.space = reader_.dword(at + 32);
      resource.id = reader_.dword(at + 36);
    }
    to_.resources.push_back(resource);
  }

  static constexpr uint32_t kNoType = 0xffffffffu;

  std::span<const std::byte> bytes_;
  ByteReader reader_;
  bool extended_;
  uint32_t resource_size_;
  uint64_t entries_left_, characters_left_;
  std::pmr::unordered_map<uint32_t, uint32_t> type_numbers_;  // by their offsets
  Definitions& to_;
};

}  // namespace

Definitions read_definitions(const Container& container, uint32_t model, std::pmr::memory_resource* memory) {
  Definitions definitions(memory);
  if (const Chunk* chunk = container.find(kResourceTag))
    DefinitionReader(container.data(*chunk), model, definitions).read();
  return definitions;
}

std::string_view register_prefix(uint32_t input_type) {
  // cbuffer, tbuffer, texture, sampler, typed UAV, then structured and raw ones in turn
  constexpr std::string_view kPrefixes[] = {"cb", "t", "t", "s", "u", "t", "u", "t", "u", "u", "u", "u"};
  return input_type < std::size(kPrefixes) ? kPrefixes[input_type] : std::string_view();
}

std::string_view scalar_name(uint16_t scalar_type) {
  for (const ScalarType& scalar : kScalarTypes) {
    if (scalar.type == scalar_type) return scalar.name;
  }
  return "unknown";
}

void append_type_name(const TypeDefinition& type, std::pmr::string& out) {
  auto to = std::back_inserter(out);
  const std::string_view scalar = scalar_name(type.scalar_type);
  switch (type.variable_class) {
    case VariableClass::vector: fmt::format_to(to, "{}{}", scalar, type.columns); return;
    case VariableClass::matrix_rows:
      fmt::format_to(to, "row_major {}{}x{}", scalar, type.rows, type.columns);
      return;
    case VariableClass::matrix_columns:
      fmt::format_to(to, "{}{}x{}", scalar, type.rows, type.columns);
      return;
    case VariableClass::structure:
    case VariableClass::interface_class:
    case VariableClass::interface_pointer: out += type.name; return;
    case VariableClass::scalar:
    case VariableClass::object: break;
  }
  out += scalar;
}

std::string_view compiler_name(const Container& container) {
  const Chunk* chunk = container.find(kResourceTag);
  if (chunk == nullptr) return {};
  const ByteReader reader(container.data(*chunk));
  return reader.string(reader.dword(24));
}

}  // namespace texlate::dxbc
