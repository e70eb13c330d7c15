#include "frontend/dxbc/definitions_listing.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "frontend/asm/escape.h"

namespace texlate::dxbc {

namespace {

constexpr uint32_t kMaxListedNesting = 8;
constexpr size_t kCommentColumn = 40;
constexpr size_t kNameWidth = 30;
// Structures of structures, all with the longest name, make long texts from small chunks. Real chunks need up
// to 4.1 characters per byte.
constexpr size_t kMaxListedCharactersPerByte = 32;

/// How the type and the dimension of a resource are printed (D3D_SHADER_INPUT_TYPE).
struct ResourceType {
  std::string_view type;
  std::string_view format;     // empty: from the return type
  std::string_view dimension;  // empty: from the dimension
};
constexpr ResourceType kResourceTypes[] = {
    {"cbuffer", "NA", "NA"},
    {"tbuffer", "NA", "NA"},
    {"texture", "", ""},
    {"sampler", "NA", "NA"},
    {"UAV", "", ""},
    {"texture", "struct", "r/o"},
    {"UAV", "struct", "r/w"},
    {"texture", "byte", "r/o"},
    {"UAV", "byte", "r/w"},
    {"UAV", "struct", "append"},
    {"UAV", "struct", "consume"},
    {"UAV", "struct", "r/w+cnt"},
};
constexpr uint32_t kSampler = 3;
constexpr uint32_t kIsComparisonSampler = 2;  // D3D_SIF_COMPARISON_SAMPLER
constexpr std::string_view kReturnNames[] = {"NA",    "unorm", "snorm",  "sint",     "uint",
                                             "float", "mixed", "double", "continued"};
constexpr std::string_view kDimensionNames[] = {"NA",   "buf",       "1d", "1darray", "2d",       "2darray",
                                                "2dMS", "2dMSarray", "3d", "cube",    "cubearray"};

class DefinitionPrinter {
 public:
  DefinitionPrinter(const Definitions& definitions, size_t chunk_size, uint32_t model,
                    assembly::Dialect dialect, std::pmr::string& out)
      : definitions_(definitions),
        model_(model),
        old_(!assembly::is_windows_10(dialect) && model < 51),
        out_(out),
        limit_(out.size() + kMaxListedCharactersPerByte * chunk_size) {}

  void print_buffers() {
    if (definitions_.buffers.empty()) return;
    out_ += "// Buffer Definitions: \n//\n";
    for (const BufferDefinition& buffer : definitions_.buffers) {
      if (!too_long()) print_buffer(buffer);
    }
    out_ += "//\n";
  }

  void print_resources() {
    if (definitions_.resources.empty()) return;
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
    for (const ResourceDefinition& resource : definitions_.resources) {
      if (!too_long()) print_resource(resource);
    }
    out_ += "//\n//\n";
  }

 private:
  bool too_long() const { return out_.size() > limit_; }

  void append_name(std::string_view name) { assembly::append_escaped_comment(name, out_); }

  void pad_to_comment() {
    const size_t width = out_.size() - (out_.rfind('\n') + 1);
    if (width < kCommentColumn) out_.append(kCommentColumn - width, ' ');
  }

  void print_buffer(const BufferDefinition& buffer) {
    out_ += buffer.kind == BufferKind::structured ? "// Resource bind info for "
            : buffer.kind == BufferKind::texels   ? "// tbuffer "
                                                  : "// cbuffer ";
    append_name(buffer.name);
    out_ += "\n// {\n//\n";
    for (const VariableDefinition& variable : definitions_.variables_of(buffer)) {
      if (!too_long()) print_variable(variable);
    }
    out_ += "//\n// }\n//\n";
  }

  void print_variable(const VariableDefinition& variable) {
    print_type(variable.type, variable.name, 3, variable.offset, 0);
    pad_to_comment();
    auto to = std::back_inserter(out_);
    fmt::format_to(to, "// Offset: {:>4} Size: {:>5}{}\n", variable.offset, variable.size,
                   (variable.flags & kVariableIsUsed) != 0 ? "" : " [unused]");
    const auto value = variable.default_value;
    if (value.empty()) return;
    out_ += "//      = ";
    for (size_t i = 0; i + 4 <= value.size() && !too_long(); i += 4) {
      uint32_t word = 0;
      std::memcpy(&word, value.data() + i, 4);
      fmt::format_to(to, "0x{:08x} ", word);
    }
    out_ += '\n';
  }

  // `float4x4 World[2];`, or a structure over several lines.
  void print_type(uint32_t number, std::string_view name, uint32_t indent, uint32_t offset, uint32_t depth) {
    const TypeDefinition& type = definitions_.types[number];
    out_ += "//";
    out_.append(indent, ' ');
    if (type.variable_class == VariableClass::structure && depth < kMaxListedNesting) {
      print_struct(type, indent, offset, depth);
    } else {
      append_type_name(type, out_);
    }
    out_ += ' ';
    append_name(name);
    if (type.elements != 0) fmt::format_to(std::back_inserter(out_), "[{}]", type.elements);
    out_ += ';';
  }

  void print_struct(const TypeDefinition& type, uint32_t indent, uint32_t offset, uint32_t depth) {
    auto to = std::back_inserter(out_);
    out_ += "struct";
    if (!type.name.empty()) {
      out_ += ' ';
      append_name(type.name);
    }
    fmt::format_to(to, "\n//{:{}}{{\n//\n", "", indent);
    for (const MemberDefinition& member : definitions_.members_of(type)) {
      if (too_long()) break;
      const uint32_t member_offset = offset + member.offset;
      print_type(member.type, member.name, indent + 4, member_offset, depth + 1);
      pad_to_comment();
      fmt::format_to(to, "// Offset: {:>4}\n", member_offset);
    }
    fmt::format_to(to, "//\n//{:{}}}}", "", indent);
  }

  std::string format_of(const ResourceDefinition& resource) const {
    std::string format(kResourceTypes[resource.type].format);
    if (!format.empty()) return format;
    format = resource.return_type < std::size(kReturnNames) ? kReturnNames[resource.return_type] : "NA";
    if (const uint32_t components = (resource.flags >> 2) & 3; components != 0)
      format += std::to_string(components + 1);
    return format;
  }

  std::string dimension_of(const ResourceDefinition& resource) const {
    std::string name(kResourceTypes[resource.type].dimension);
    if (!name.empty()) return name;
    name = resource.dimension < std::size(kDimensionNames) ? kDimensionNames[resource.dimension] : "NA";
    const bool multisampled = resource.dimension == 6 || resource.dimension == 7;
    if (multisampled && resource.samples != 0 && resource.samples != 0xffffffffu)
      name += std::to_string(resource.samples);
    return name;
  }

  void print_resource(const ResourceDefinition& resource) {
    if (resource.type >= std::size(kResourceTypes)) return;
    const bool compares = resource.type == kSampler && (resource.flags & kIsComparisonSampler) != 0;
    auto to = std::back_inserter(out_);
    out_ += "// ";
    const size_t name = out_.size();
    append_name(resource.name);
    if (out_.size() - name < kNameWidth) out_.append(kNameWidth - (out_.size() - name), ' ');
    fmt::format_to(to, " {:>10} {:>7} {:>11} ", compares ? "sampler_c" : kResourceTypes[resource.type].type,
                   compares ? "NA" : format_of(resource), dimension_of(resource));
    if (old_) {
      fmt::format_to(to, "{:>4} {:>8}\n", resource.first_register, resource.count);
      return;
    }
    const std::string_view prefix = register_prefix(resource.type);
    std::string bind = fmt::format("{}{}", prefix, resource.first_register);
    if (model_ >= 51) {
      std::string id(prefix);
      for (char& c : id) c = static_cast<char>(c - 32);
      if (resource.space != 0) bind += fmt::format(",space{}", resource.space);
      fmt::format_to(to, "{:>7} ", id + std::to_string(resource.id));
    }
    fmt::format_to(to, "{:>14} {:>6} \n", bind,
                   resource.count == 0 ? std::string("unbounded") : std::to_string(resource.count));
  }

  const Definitions& definitions_;
  uint32_t model_;
  bool old_;  // compilers before 10.x print other columns
  std::pmr::string& out_;
  size_t limit_;
};

}  // namespace

void print_definitions(const Definitions& definitions, size_t chunk_size, uint32_t model,
                       assembly::Dialect dialect, std::pmr::string& out) {
  DefinitionPrinter printer(definitions, chunk_size, model, dialect, out);
  printer.print_buffers();
  printer.print_resources();
}

}  // namespace texlate::dxbc
