#include "frontend/dxbc/resource_definitions.h"

#include <fmt/format.h>

#include <iterator>

#include "frontend/asm/escape.h"
#include "frontend/dxbc/byte_reader.h"

namespace texlate::dxbc {

namespace {

// Chunk RDEF (D3D11_SHADER_DESC and related structures, as the compiler stores them).
constexpr uint32_t kExtendedTag = fourcc("RD11");  // shader model 5.0
constexpr uint32_t kConstantBufferSize = 24;
constexpr uint32_t kMaxEntries = 4096;
constexpr uint32_t kMaxNesting = 8;
constexpr uint32_t kUsedFlag = 2;
constexpr size_t kCommentColumn = 40;
constexpr size_t kNameWidth = 30;
// Hostile offsets can make a small chunk print a long text: a struct of structs, all with the longest name.
// Real chunks need up to 4.1 characters per byte.
constexpr size_t kMaxCharactersPerByte = 32;

/// How the type and the dimension of a binding are printed (D3D_SHADER_INPUT_TYPE).
struct BindingType {
  std::string_view type;
  std::string_view format;     // empty: from the return type
  std::string_view dimension;  // empty: from the dimension
  std::string_view prefix;     // prefix of the register
};
constexpr BindingType kBindingTypes[] = {
    {"cbuffer", "NA", "NA", "cb"},
    {"tbuffer", "NA", "NA", "t"},
    {"texture", "", "", "t"},
    {"sampler", "NA", "NA", "s"},
    {"UAV", "", "", "u"},
    {"texture", "struct", "r/o", "t"},
    {"UAV", "struct", "r/w", "u"},
    {"texture", "byte", "r/o", "t"},
    {"UAV", "byte", "r/w", "u"},
    {"UAV", "struct", "append", "u"},
    {"UAV", "struct", "consume", "u"},
    {"UAV", "struct", "r/w+cnt", "u"},
};
constexpr std::string_view kReturnNames[] = {"NA",    "unorm", "snorm",  "sint",     "uint",
                                             "float", "mixed", "double", "continued"};
constexpr std::string_view kDimensionNames[] = {"NA",   "buf",       "1d", "1darray", "2d",       "2darray",
                                                "2dMS", "2dMSarray", "3d", "cube",    "cubearray"};

struct ScalarType {
  uint16_t type;  // D3D_SHADER_VARIABLE_TYPE
  std::string_view name;
};
constexpr ScalarType kScalarTypes[] = {
    {1, "bool"},      {2, "int"},        {3, "float"},       {19, "uint"},
    {39, "double"},   {48, "min8float"}, {49, "min10float"}, {50, "min16float"},
    {51, "min12int"}, {52, "min16int"},  {53, "min16uint"},
};

class ResourceDefinitions {
 public:
  ResourceDefinitions(std::span<const std::byte> data, uint32_t model, assembly::Dialect dialect,
                      std::pmr::string& out)
      : reader_(data),
        model_(model),
        extended_(reader_.dword(28) == kExtendedTag || model >= 50),
        old_(!assembly::is_windows_10(dialect) && model < 51),
        out_(out),
        limit_(out.size() + kMaxCharactersPerByte * data.size()) {}

  void print_buffers() {
    const uint32_t count = std::min(reader_.dword(0), kMaxEntries);
    if (count == 0) return;
    out_ += "// Buffer Definitions: \n//\n";
    for (uint32_t i = 0; i < count && !too_long(); ++i) {
      const uint32_t at = reader_.dword(4) + i * kConstantBufferSize;
      if (!reader_.has(at, kConstantBufferSize)) return;
      print_buffer(at);
    }
    out_ += "//\n";
  }

  void print_bindings() {
    const uint32_t count = std::min(reader_.dword(8), kMaxEntries);
    if (count == 0) return;
    out_ += "// Resource Bindings:\n//\n";
    out_ += old_ ? "// Name                                 Type  Format         Dim Slot Elements\n"
                   "// ------------------------------ ---------- ------- ----------- ---- --------\n"
            : model_ >= 51
                ? "// Name                                 Type  Format         Dim      ID      HLSL Bind  "
                  "Count\n"
                  "// ------------------------------ ---------- ------- ----------- ------- -------------- "
                  "------\n"
                : "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
                  "// ------------------------------ ---------- ------- ----------- -------------- ------\n";
    const uint32_t size = model_ >= 51 ? 40 : 32;
    for (uint32_t i = 0; i < count && !too_long(); ++i) {
      const uint32_t at = reader_.dword(12) + i * size;
      if (!reader_.has(at, size)) break;
      print_binding(at);
    }
    out_ += "//\n//\n";
  }

 private:
  bool too_long() const { return out_.size() > limit_; }

  void print_buffer(uint32_t at) {
    const uint32_t kind =
        reader_.dword(at + 20);  // 0 cbuffer, 1 tbuffer, 2 interfaces, 3 the layout of a structured buffer
    out_ += kind == 3 ? "// Resource bind info for " : kind == 1 ? "// tbuffer " : "// cbuffer ";
    append_name(at);
    out_ += "\n// {\n//\n";
    const uint32_t count = std::min(reader_.dword(at + 4), kMaxEntries);
    const uint32_t size = extended_ ? 40 : 24;
    for (uint32_t i = 0; i < count && !too_long(); ++i) {
      const uint32_t variable = reader_.dword(at + 8) + i * size;
      if (!reader_.has(variable, size)) break;
      print_variable(variable);
    }
    out_ += "//\n// }\n//\n";
  }

  void print_variable(uint32_t at) {
    const uint32_t offset = reader_.dword(at + 4);
    const size_t line = out_.size();
    print_type(reader_.dword(at + 16), at, 3, offset, 0);
    const size_t width = out_.size() - std::max(line, out_.rfind('\n', out_.size()) + 1);
    if (width < kCommentColumn) out_.append(kCommentColumn - width, ' ');
    fmt::format_to(std::back_inserter(out_), "// Offset: {:>4} Size: {:>5}{}\n", offset,
                   reader_.dword(at + 8), (reader_.dword(at + 12) & kUsedFlag) != 0 ? "" : " [unused]");
    const uint32_t value = reader_.dword(at + 20);
    if (value == 0 || !reader_.has(value, reader_.dword(at + 8))) return;
    out_ += "//      = ";
    for (uint32_t i = 0; i + 4 <= reader_.dword(at + 8) && !too_long(); i += 4) {
      fmt::format_to(std::back_inserter(out_), "0x{:08x} ", reader_.dword(value + i));
    }
    out_ += '\n';
  }

  /// The name whose offset is at `at`.
  void append_name(uint32_t at) { assembly::append_escaped_comment(reader_.string(reader_.dword(at)), out_); }

  // `float4x4 World[2];`, or a struct over several lines. The offset of its name is at `name_at`.
  void print_type(uint32_t at, uint32_t name_at, uint32_t indent, uint32_t offset, uint32_t depth) {
    const uint16_t kind = reader_.word(at);
    const uint16_t elements = reader_.word(at + 8);
    out_ += "//";
    out_.append(indent, ' ');
    auto to = std::back_inserter(out_);
    if (kind == 5 && depth < kMaxNesting) {
      print_struct(at, indent, offset, depth);
    } else {
      print_scalar_type(at, kind);
    }
    out_ += ' ';
    append_name(name_at);
    if (elements != 0) fmt::format_to(to, "[{}]", elements);
    out_ += ';';
  }

  void print_struct(uint32_t at, uint32_t indent, uint32_t offset, uint32_t depth) {
    auto to = std::back_inserter(out_);
    out_ += "struct";
    if (extended_ && !reader_.string(reader_.dword(at + 32)).empty()) {
      out_ += ' ';
      append_name(at + 32);
    }
    fmt::format_to(to, "\n//{:{}}{{\n//\n", "", indent);
    const uint32_t count = std::min<uint32_t>(reader_.word(at + 10), 256);
    for (uint32_t i = 0; i < count && !too_long(); ++i) {
      const uint32_t member = reader_.dword(at + 12) + 12 * i;
      if (!reader_.has(member, 12)) break;
      const uint32_t member_offset = offset + reader_.dword(member + 8);
      print_type(reader_.dword(member + 4), member, indent + 4, member_offset, depth + 1);
      const size_t width = out_.size() - (out_.rfind('\n') + 1);
      if (width < kCommentColumn) out_.append(kCommentColumn - width, ' ');
      fmt::format_to(to, "// Offset: {:>4}\n", member_offset);
    }
    fmt::format_to(to, "//\n//{:{}}}}", "", indent);
  }

  void print_scalar_type(uint32_t at, uint16_t kind) {
    const uint16_t type = reader_.word(at + 2);
    const uint16_t rows = reader_.word(at + 4);
    const uint16_t columns = reader_.word(at + 6);
    std::string_view name = "unknown";
    for (const ScalarType& scalar : kScalarTypes) {
      if (scalar.type == type) name = scalar.name;
    }
    auto to = std::back_inserter(out_);
    if (kind == 2) out_ += "row_major ";
    out_ += name;
    if (kind == 1) fmt::format_to(to, "{}", columns);
    if (kind == 2 || kind == 3) fmt::format_to(to, "{}x{}", rows, columns);
  }

  void print_binding(uint32_t at) {
    const uint32_t type = reader_.dword(at + 4);
    if (type >= std::size(kBindingTypes)) return;
    const BindingType& binding = kBindingTypes[type];
    const uint32_t return_type = reader_.dword(at + 8);
    const uint32_t dimension = reader_.dword(at + 12);
    const uint32_t samples = reader_.dword(at + 16);
    const uint32_t flags = reader_.dword(at + 28);
    std::string format(binding.format);
    if (format.empty()) {
      format = return_type < std::size(kReturnNames) ? kReturnNames[return_type] : "NA";
      if (const uint32_t components = (flags >> 2) & 3; components != 0)
        format += std::to_string(components + 1);
    }
    if (type == 3 && (flags & 2) != 0) format = "NA";
    std::string dim(binding.dimension);
    if (dim.empty()) {
      dim = dimension < std::size(kDimensionNames) ? kDimensionNames[dimension] : "NA";
      const bool multisampled = dimension == 6 || dimension == 7;
      if (multisampled && samples != 0 && samples != 0xffffffffu) dim += std::to_string(samples);
    }
    const std::string_view sampler_type = type == 3 && (flags & 2) != 0 ? "sampler_c" : binding.type;
    const uint32_t count = reader_.dword(at + 24);
    std::string bind = fmt::format("{}{}", binding.prefix, reader_.dword(at + 20));
    auto to = std::back_inserter(out_);
    out_ += "// ";
    const size_t name = out_.size();
    append_name(at);
    if (out_.size() - name < kNameWidth) out_.append(kNameWidth - (out_.size() - name), ' ');
    fmt::format_to(to, " {:>10} {:>7} {:>11} ", sampler_type, format, dim);
    if (old_) {
      fmt::format_to(to, "{:>4} {:>8}\n", reader_.dword(at + 20), count);
      return;
    }
    if (model_ >= 51) {
      std::string id(binding.prefix);
      for (char& c : id) c = static_cast<char>(c - 32);
      const uint32_t space = reader_.dword(at + 32);
      if (space != 0) bind += fmt::format(",space{}", space);
      fmt::format_to(to, "{:>7} ", id + std::to_string(reader_.dword(at + 36)));
    }
    fmt::format_to(to, "{:>14} {:>6} \n", bind,
                   count == 0 ? std::string("unbounded") : std::to_string(count));
  }

  ByteReader reader_;
  uint32_t model_;
  bool extended_;
  bool old_;  // compilers before 10.x print other columns
  std::pmr::string& out_;
  size_t limit_;
};

}  // namespace

std::string_view compiler_name(const Container& container) {
  const Chunk* chunk = container.find(kResourceTag);
  if (chunk == nullptr) return {};
  const ByteReader reader(container.data(*chunk));
  return reader.string(reader.dword(24));
}

void print_resource_definitions(std::span<const std::byte> chunk, uint32_t model, assembly::Dialect dialect,
                                std::pmr::string& out) {
  ResourceDefinitions definitions(chunk, model, dialect, out);
  definitions.print_buffers();
  definitions.print_bindings();
}

}  // namespace texlate::dxbc
