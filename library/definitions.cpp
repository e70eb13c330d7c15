// The C interface: the definitions of chunk RDEF.

#include "frontend/dxbc/resource_definitions.h"
#include "library/handles.h"
#include "texlate/texlate.h"

using namespace texlate;
using namespace texlate::library;

struct texlate_definitions {
  explicit texlate_definitions(const CallerMemory& caller)
      : memory(caller),
        types(&memory),
        members(&memory),
        variables(&memory),
        buffers(&memory),
        resources(&memory) {}
  CallerMemory memory;
  std::pmr::vector<texlate_type_definition> types;
  std::pmr::vector<texlate_member_definition> members;
  std::pmr::vector<texlate_variable_definition> variables;
  std::pmr::vector<texlate_buffer_definition> buffers;
  std::pmr::vector<texlate_resource_definition> resources;
  texlate_definitions_description description{};
};

namespace {

/// Names are followed by a zero, unless they are empty and no text at all.
const char* terminated(std::string_view name) {
  return name.empty() ? "" : name.data();
}

texlate_register_class kind_of(uint32_t input_type) {
  const std::string_view prefix = dxbc::register_prefix(input_type);
  return prefix == "cb"  ? TEXLATE_REGISTER_CONSTANT_BUFFER
         : prefix == "s" ? TEXLATE_REGISTER_SAMPLER
         : prefix == "u" ? TEXLATE_REGISTER_UAV
                         : TEXLATE_REGISTER_RESOURCE;
}

void describe_types(const dxbc::Definitions& from, texlate_definitions& to) {
  to.types.reserve(from.types.size());
  for (const dxbc::TypeDefinition& type : from.types)
    to.types.push_back({terminated(type.name), static_cast<uint32_t>(type.variable_class), type.scalar_type,
                        type.rows, type.columns, type.elements, type.first_member, type.member_count});
  to.members.reserve(from.members.size());
  for (const dxbc::MemberDefinition& member : from.members)
    to.members.push_back({terminated(member.name), member.type, member.offset});
}

void describe_buffers(const dxbc::Definitions& from, texlate_definitions& to) {
  to.variables.reserve(from.variables.size());
  for (const dxbc::VariableDefinition& variable : from.variables) {
    const void* value = variable.default_value.empty() ? nullptr : variable.default_value.data();
    to.variables.push_back(
        {terminated(variable.name), variable.offset, variable.size, variable.flags, variable.type, value});
  }
  to.buffers.reserve(from.buffers.size());
  for (const dxbc::BufferDefinition& buffer : from.buffers)
    to.buffers.push_back({terminated(buffer.name), static_cast<uint32_t>(buffer.kind), buffer.size,
                          buffer.flags, buffer.first_variable, buffer.variable_count});
  to.resources.reserve(from.resources.size());
  for (const dxbc::ResourceDefinition& resource : from.resources)
    to.resources.push_back({terminated(resource.name), resource.type, kind_of(resource.type),
                            resource.first_register, resource.count, resource.space, resource.id,
                            resource.return_type, resource.dimension, resource.samples, resource.flags});
}

void describe(const dxbc::Definitions& from, texlate_definitions& to) {
  describe_types(from, to);
  describe_buffers(from, to);
  texlate_definitions_description& made = to.description;
  made.struct_size = sizeof made;
  made.type_stride = sizeof(texlate_type_definition);
  made.member_stride = sizeof(texlate_member_definition);
  made.variable_stride = sizeof(texlate_variable_definition);
  made.buffer_stride = sizeof(texlate_buffer_definition);
  made.resource_stride = sizeof(texlate_resource_definition);
  made.types = to.types.data();
  made.type_count = to.types.size();
  made.members = to.members.data();
  made.member_count = to.members.size();
  made.variables = to.variables.data();
  made.variable_count = to.variables.size();
  made.buffers = to.buffers.data();
  made.buffer_count = to.buffers.size();
  made.resources = to.resources.data();
  made.resource_count = to.resources.size();
  made.compiler = terminated(from.creator);
  made.is_complete = from.is_complete ? 1 : 0;
}

}  // namespace

texlate_status texlate_definitions_read(const texlate_program* program, texlate_definitions** definitions) {
  if (definitions != nullptr) *definitions = nullptr;
  return guarded([&] {
    require(definitions != nullptr, "definitions is null");
    require(program != nullptr, "program is null");
    require(program->valid, "program was read with errors");
    texlate_definitions* made = make<texlate_definitions>(program->memory);
    const auto read = [&] {
      describe(dxbc::read_definitions(program->container, program->program.version.model(), &made->memory),
               *made);
    };
    undo_on_failure(read, [&] { destroy(made); });
    *definitions = made;
    return TEXLATE_OK;
  });
}

const texlate_definitions_description* texlate_definitions_get(const texlate_definitions* definitions) {
  return definitions == nullptr ? nullptr : &definitions->description;
}

void texlate_definitions_free(texlate_definitions* definitions) {
  destroy(definitions);
}
