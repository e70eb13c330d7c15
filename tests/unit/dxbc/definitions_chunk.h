// Makes chunks RDEF of shader model 5.0.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "frontend/dxbc/resource_definitions.h"
#include "tests/unit/dxbc/assemble_text.h"

namespace texlate {

class DefinitionsChunk {
 public:
  struct Member {
    std::string_view name;
    uint32_t type, offset;
  };
  struct Variable {
    std::string_view name;
    uint32_t offset, size, type;
    std::vector<uint32_t> value = {};
    uint32_t flags = dxbc::kVariableIsUsed;
  };

  DefinitionsChunk() : bytes_(kHeaderSize) {
    put(24, string("Microsoft (R) HLSL Shader Compiler 10.1"));
    put(28, dxbc::fourcc("RD11"));
  }

  /// Returns the offset of the type, which variables and members name.
  uint32_t type(dxbc::VariableClass variable_class, uint32_t scalar, uint32_t rows, uint32_t columns,
                uint32_t elements = 0, std::string_view name = {}, const std::vector<Member>& members = {}) {
    std::vector<uint32_t> list;
    for (const Member& member : members)
      list.insert(list.end(), {string(member.name), member.type, member.offset});
    const uint32_t count = static_cast<uint32_t>(members.size());
    const uint32_t at = words(list), name_at = name.empty() ? 0 : string(name);
    return words({static_cast<uint32_t>(variable_class) | scalar << 16, rows | columns << 16,
                  elements | count << 16, at, 0, 0, 0, 0, name_at});
  }

  void buffer(std::string_view name, dxbc::BufferKind kind, uint32_t size,
              const std::vector<Variable>& variables) {
    std::vector<uint32_t> list;
    for (const Variable& variable : variables) {
      const uint32_t value = variable.value.empty() ? 0 : words(variable.value);
      list.insert(list.end(), {string(variable.name), variable.offset, variable.size, variable.flags,
                               variable.type, value, 0xffffffffu, 0, 0xffffffffu, 0});
    }
    const uint32_t count = static_cast<uint32_t>(variables.size());
    buffers_.insert(buffers_.end(), {string(name), count, words(list), size, 0, static_cast<uint32_t>(kind)});
  }

  /// `type`: D3D_SHADER_INPUT_TYPE.
  void resource(std::string_view name, uint32_t type, uint32_t return_type, uint32_t dimension,
                uint32_t first, uint32_t count) {
    resources_.insert(resources_.end(), {string(name), type, return_type, dimension, 0, first, count, 0});
  }

  std::vector<std::byte> finish() {
    put(0, static_cast<uint32_t>(buffers_.size() / 6));
    put(4, words(buffers_));
    put(8, static_cast<uint32_t>(resources_.size() / 8));
    put(12, words(resources_));
    return bytes_;
  }

 private:
  static constexpr size_t kHeaderSize = 60;

  void put(size_t at, uint32_t word) { std::memcpy(bytes_.data() + at, &word, 4); }

  uint32_t string(std::string_view text) {
    const uint32_t at = static_cast<uint32_t>(bytes_.size());
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    bytes_.resize((bytes_.size() + 4) / 4 * 4);
    return at;
  }

  uint32_t words(const std::vector<uint32_t>& list) {
    const uint32_t at = static_cast<uint32_t>(bytes_.size());
    bytes_.resize(at + 4 * list.size());
    if (!list.empty()) std::memcpy(bytes_.data() + at, list.data(), 4 * list.size());
    return at;
  }

  std::vector<std::byte> bytes_;
  std::vector<uint32_t> buffers_, resources_;
};

/// The assembled text as a container with this chunk RDEF.
inline std::pmr::vector<std::byte> assemble_with(std::string_view text,
                                                 const std::vector<std::byte>& definitions) {
  const auto assembled = assemble(text);
  dxbc::Container plain;
  Diagnostics diagnostics;
  EXPECT_TRUE(dxbc::read_container(assembled, dxbc::DigestCheck::require, plain, diagnostics));
  std::vector<dxbc::ChunkData> chunks = {{dxbc::kResourceTag, definitions}};
  for (const dxbc::Chunk& chunk : plain.chunks) {
    if (chunk.tag != dxbc::kResourceTag) chunks.push_back({chunk.tag, plain.data(chunk)});
  }
  std::pmr::vector<std::byte> bytes;
  dxbc::write_container(chunks, bytes);
  return bytes;
}

/// A shader whose chunk has every kind of type: cbuffer PerFrame { row_major float4x4 View; float3x2 Shape;
/// uint Count = 7; struct Light { float3 Color; float Range[2]; } Lights[2]; }; Texture2D Maps[2]; a sampler;
/// a structured buffer.
inline std::pmr::vector<std::byte> shader_with_definitions() {
  using enum dxbc::VariableClass;
  constexpr uint32_t kFloat = 3, kUint = 19;
  DefinitionsChunk chunk;
  const uint32_t view = chunk.type(matrix_rows, kFloat, 4, 4, 0, "float4x4");
  const uint32_t shape = chunk.type(matrix_columns, kFloat, 3, 2, 0, "float3x2");
  const uint32_t count = chunk.type(scalar, kUint, 1, 1, 0, "uint");
  const uint32_t color = chunk.type(vector, kFloat, 1, 3, 0, "float3");
  const uint32_t range = chunk.type(scalar, kFloat, 1, 1, 2, "float");
  const uint32_t light =
      chunk.type(structure, 0, 1, 7, 2, "Light", {{"Color", color, 0}, {"Range", range, 16}});
  chunk.buffer("PerFrame", dxbc::BufferKind::constants, 192,
               {{"View", 0, 64, view},
                {"Shape", 64, 28, shape, {}, 0},
                {"Count", 92, 4, count, {7}},
                {"Lights", 96, 84, light}});
  chunk.buffer("Particles", dxbc::BufferKind::structured, 12, {{"$Element", 0, 12, color}});
  chunk.resource("Linear", 3, 0, 0, 0, 1);
  chunk.resource("Maps", 2, 5, 4, 0, 2);
  chunk.resource("Particles", 5, 6, 1, 2, 1);
  chunk.resource("PerFrame", 0, 0, 0, 0, 1);
  return assemble_with(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[12], immediateIndexed\n"
      "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_resource_texture2d (float,float,float,float) t1\ndcl_resource_structured t2, 12\n"
      "dcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 1\n"
      "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t1.xyzw, s0\n"
      "add o0.xyzw, r0.xyzw, cb0[6].xyzw\nret \n",
      chunk.finish());
}

}  // namespace texlate
