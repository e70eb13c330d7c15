// Chunk RDEF: the names, types and places of constant-buffer variables and of resources, as the compiler
// stored them (D3D11_SHADER_DESC and related structures; docs/reference/direct3d.md 5.4).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/dxbc/container.h"

namespace texlate::dxbc {

/// D3D_SHADER_VARIABLE_CLASS.
enum class VariableClass : uint16_t {
  scalar = 0,
  vector = 1,
  matrix_rows = 2,
  matrix_columns = 3,
  object = 4,
  structure = 5,
  interface_class = 6,
  interface_pointer = 7,
};

/// The type of a variable or of a member.
struct TypeDefinition {
  std::string_view name;                                 // stored since shader model 5.0
  VariableClass variable_class = VariableClass::scalar;  // any number in hostile chunks
  uint16_t scalar_type = 0;                              // D3D_SHADER_VARIABLE_TYPE
  uint16_t rows = 0, columns = 0;
  uint16_t elements = 0;  // of an array; 0: no array
  uint32_t first_member = 0, member_count = 0;
};

struct MemberDefinition {
  std::string_view name;
  uint32_t type = 0;    // less than the number of the type that contains the member
  uint32_t offset = 0;  // from the start of its structure
};

struct VariableDefinition {
  std::string_view name;
  uint32_t offset = 0, size = 0;  // in bytes
  uint32_t flags = 0;             // D3D_SHADER_VARIABLE_FLAGS
  uint32_t type = 0;
  std::span<const std::byte> default_value;  // `size` bytes, or none
};
inline constexpr uint32_t kVariableIsUsed = 2;

/// D3D_CBUFFER_TYPE.
enum class BufferKind : uint32_t { constants = 0, texels = 1, interfaces = 2, structured = 3 };

struct BufferDefinition {
  std::string_view name;
  BufferKind kind = BufferKind::constants;  // any number in hostile chunks
  uint32_t size = 0;                        // in bytes
  uint32_t flags = 0;                       // D3D_SHADER_CBUFFER_FLAGS
  uint32_t first_variable = 0, variable_count = 0;
};

struct ResourceDefinition {
  std::string_view name;
  uint32_t type = 0;         // D3D_SHADER_INPUT_TYPE
  uint32_t return_type = 0;  // D3D_RESOURCE_RETURN_TYPE
  uint32_t dimension = 0;    // D3D_SRV_DIMENSION
  uint32_t samples = 0;      // of multisampled textures; structured buffers: the stride in bytes
  uint32_t first_register = 0;
  uint32_t count = 0;  // of registers; 0: unbounded
  uint32_t flags = 0;  // D3D_SHADER_INPUT_FLAGS
  uint32_t space = 0;
  uint32_t id = 0;  // before shader model 5.1: the register
};

/// The prefix of the registers that a D3D_SHADER_INPUT_TYPE is bound to ("cb", "t", "s", "u"); empty if there
/// is no such type.
std::string_view register_prefix(uint32_t input_type);

/// The chunk as flat tables. Names refer to the container.
struct Definitions {
  explicit Definitions(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : types(memory), members(memory), variables(memory), buffers(memory), resources(memory) {}

  std::span<const VariableDefinition> variables_of(const BufferDefinition& buffer) const {
    return std::span(variables).subspan(buffer.first_variable, buffer.variable_count);
  }
  std::span<const MemberDefinition> members_of(const TypeDefinition& type) const {
    return std::span(members).subspan(type.first_member, type.member_count);
  }

  std::string_view creator;  // the compiler
  bool is_complete = true;   // false: a part of the chunk is broken and missing here
  std::pmr::vector<TypeDefinition> types;
  std::pmr::vector<MemberDefinition> members;
  std::pmr::vector<VariableDefinition> variables;
  std::pmr::vector<BufferDefinition> buffers;
  std::pmr::vector<ResourceDefinition> resources;
};

/// Reads chunk RDEF; without one, everything is empty. `model` is 40, 41, 50 or 51. Time and memory are
/// bounded by a constant times the chunk's size, whatever its offsets say, and no type contains itself. All
/// names are followed by a zero.
Definitions read_definitions(const Container& container, uint32_t model,
                             std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// How HLSL spells a scalar type ("float", "min16uint"); "unknown" if it has no name.
std::string_view scalar_name(uint16_t scalar_type);

/// Appends how HLSL spells a type without its array: "row_major float4x4"; the name of a structure, if
/// stored.
void append_type_name(const TypeDefinition& type, std::pmr::string& out);

/// The compiler's name in chunk RDEF ("Microsoft (R) HLSL Shader Compiler 10.1"); empty if there is none.
/// Valid as long as the container.
std::string_view compiler_name(const Container& container);

}  // namespace texlate::dxbc
