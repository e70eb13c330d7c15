#include "frontend/dxbc/definitions_json.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

namespace texlate::dxbc {

namespace {

constexpr std::string_view kBufferKinds[] = {"cbuffer", "tbuffer", "interfaces", "structured"};
// D3D_SHADER_INPUT_TYPE, without "D3D_SIT_".
constexpr std::string_view kResourceTypeNames[] = {"cbuffer",
                                                   "tbuffer",
                                                   "texture",
                                                   "sampler",
                                                   "uav_rwtyped",
                                                   "structured",
                                                   "uav_rwstructured",
                                                   "byteaddress",
                                                   "uav_rwbyteaddress",
                                                   "uav_append_structured",
                                                   "uav_consume_structured",
                                                   "uav_rwstructured_with_counter"};
constexpr std::string_view kReturnTypes[] = {"",      "unorm", "snorm",  "sint",     "uint",
                                             "float", "mixed", "double", "continued"};
constexpr std::string_view kDimensions[] = {
    "",          "buffer",         "texture1d",       "texture1darray",
    "texture2d", "texture2darray", "texture2dms",     "texture2dmsarray",
    "texture3d", "texturecube",    "texturecubearray"};
constexpr std::string_view kClasses[] = {"scalar", "vector", "matrix_rows",     "matrix_columns",
                                         "object", "struct", "interface_class", "interface_pointer"};

template <size_t N>
std::string_view name_in(const std::string_view (&names)[N], uint32_t number) {
  return number < N ? names[number] : "unknown";
}

class DefinitionWriter {
 public:
  DefinitionWriter(const Definitions& definitions, const std::pmr::string& written, size_t max_size,
                   JsonWriter& json)
      : definitions_(definitions),
        written_(written),
        limit_(written.size() + max_size),
        complete_(definitions.is_complete),
        json_(json) {}

  void write() {
    json_.begin_object("definitions");
    json_.field("compiler", definitions_.creator);
    json_.begin_array("buffers");
    for (const BufferDefinition& buffer : definitions_.buffers) {
      if (has_room()) write_buffer(buffer);
    }
    json_.end_array();
    json_.begin_array("resources");
    for (const ResourceDefinition& resource : definitions_.resources) {
      if (has_room()) write_resource(resource);
    }
    json_.end_array();
    json_.field("complete", complete_);
    json_.end_object();
  }

 private:
  bool has_room() {
    complete_ = complete_ && written_.size() <= limit_;
    return written_.size() <= limit_;
  }

  void write_buffer(const BufferDefinition& buffer) {
    json_.begin_object();
    json_.field("name", buffer.name);
    json_.field("kind", name_in(kBufferKinds, static_cast<uint32_t>(buffer.kind)));
    json_.field("size", buffer.size);
    json_.begin_array("variables");
    for (const VariableDefinition& variable : definitions_.variables_of(buffer)) {
      if (has_room()) write_variable(variable);
    }
    json_.end_array();
    json_.end_object();
  }

  void write_variable(const VariableDefinition& variable) {
    json_.begin_object();
    json_.field("name", variable.name);
    json_.field("offset", variable.offset);
    json_.field("size", variable.size);
    json_.field("used", (variable.flags & kVariableIsUsed) != 0);
    write_type(definitions_.types[variable.type]);
    if (!variable.default_value.empty()) {
      json_.begin_array("default_words");
      for (size_t i = 0; i + 4 <= variable.default_value.size() && has_room(); i += 4) {
        uint32_t word = 0;
        std::memcpy(&word, variable.default_value.data() + i, 4);
        json_.value(word);
      }
      json_.end_array();
    }
    json_.end_object();
  }

  void write_type(const TypeDefinition& type) {
    std::pmr::string name(written_.get_allocator());
    append_type_name(type, name);
    json_.field("type", std::string_view(name));
    json_.field("class", name_in(kClasses, static_cast<uint32_t>(type.variable_class)));
    json_.field("rows", type.rows);
    json_.field("columns", type.columns);
    json_.field("elements", type.elements);
    if (type.variable_class != VariableClass::structure) return;
    json_.begin_array("members");
    for (const MemberDefinition& member : definitions_.members_of(type)) {
      if (!has_room()) break;
      json_.begin_object();
      json_.field("name", member.name);
      json_.field("offset", member.offset);
      write_type(definitions_.types[member.type]);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_resource(const ResourceDefinition& resource) {
    json_.begin_object();
    json_.field("name", resource.name);
    json_.field("type", name_in(kResourceTypeNames, resource.type));
    json_.register_field("register", register_prefix(resource.type), resource.first_register);
    if (resource.count == 0) {
      json_.null_field("count");
    } else {
      json_.field("count", resource.count);
    }
    json_.field("space", resource.space);
    json_.field("id", resource.id);
    json_.field("returns", name_in(kReturnTypes, resource.return_type));
    json_.field("dimension", name_in(kDimensions, resource.dimension));
    json_.field("flags", resource.flags);
    json_.end_object();
  }

  const Definitions& definitions_;
  const std::pmr::string& written_;
  size_t limit_;
  bool complete_;
  JsonWriter& json_;
};

}  // namespace

void write_definitions(const Definitions& definitions, const std::pmr::string& written, size_t max_size,
                       JsonWriter& json) {
  DefinitionWriter(definitions, written, max_size, json).write();
}

}  // namespace texlate::dxbc
