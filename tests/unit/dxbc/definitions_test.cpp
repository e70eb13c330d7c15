// Chunk RDEF: what it says, broken chunks, and chunks made to be expensive.
#include <gtest/gtest.h>

#include "frontend/dxbc/info.h"
#include "frontend/dxbc/listing.h"
#include "tests/unit/dxbc/definitions_chunk.h"

namespace texlate {
namespace {

using dxbc::Definitions;
using dxbc::VariableClass;

struct Read {
  dxbc::Container container;
  sm4::Program program;
  Definitions definitions;

  explicit Read(const std::pmr::vector<std::byte>& bytes) {
    Diagnostics diagnostics;
    EXPECT_TRUE(dxbc::read(bytes, container, program, diagnostics)) << messages(diagnostics);
    definitions = dxbc::read_definitions(container, program.version.model());
  }
  std::string json() const {
    std::pmr::string out;
    dxbc::info_json(dxbc::make_info(container, program), out);
    return std::string(out);
  }
  std::string listing() const {
    std::pmr::string out;
    dxbc::disassemble(container, program, {}, out);
    return std::string(out);
  }
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Definitions, NameVariablesTypesAndResources) {
  const Read read(shader_with_definitions());
  const Definitions& all = read.definitions;
  EXPECT_TRUE(all.is_complete);
  EXPECT_EQ(all.creator, "Microsoft (R) HLSL Shader Compiler 10.1");
  ASSERT_EQ(all.buffers.size(), 2u);
  const auto variables = all.variables_of(all.buffers[0]);
  ASSERT_EQ(variables.size(), 4u);
  EXPECT_EQ(variables[1].name, "Shape");
  EXPECT_EQ(variables[1].offset, 64u);
  EXPECT_EQ(variables[1].flags, 0u);
  EXPECT_EQ(variables[2].default_value.size(), 4u);
  const dxbc::TypeDefinition& light = all.types[variables[3].type];
  EXPECT_EQ(light.name, "Light");
  EXPECT_EQ(light.elements, 2u);
  ASSERT_EQ(all.members_of(light).size(), 2u);
  EXPECT_EQ(all.members_of(light)[1].name, "Range");
  EXPECT_EQ(all.types[all.members_of(light)[1].type].elements, 2u);
  ASSERT_EQ(all.resources.size(), 4u);
  EXPECT_EQ(all.resources[1].count, 2u);
}

TEST(Definitions, SpellTypesAsHlslDoes) {
  const Read read(shader_with_definitions());
  std::pmr::string names;
  for (const dxbc::VariableDefinition& variable : read.definitions.variables) {
    dxbc::append_type_name(read.definitions.types[variable.type], names);
    names += ';';
  }
  EXPECT_EQ(names, "row_major float4x4;float3x2;uint;Light;float3;");
}

// D3D_SVT_MIN8FLOAT is 52: the types between it and double are buffers and views.
TEST(Definitions, SpellMinimumPrecision) {
  EXPECT_EQ(dxbc::scalar_name(39), "double");
  EXPECT_EQ(dxbc::scalar_name(48), "unknown");
  EXPECT_EQ(dxbc::scalar_name(52), "min8float");
  EXPECT_EQ(dxbc::scalar_name(54), "min16float");
  EXPECT_EQ(dxbc::scalar_name(57), "min16uint");
}

TEST(Definitions, AreInTheSummary) {
  const Read read(shader_with_definitions());
  const std::string json = read.json();
  EXPECT_TRUE(contains(json, "\"name\": \"Maps[1]\"")) << json;
  EXPECT_TRUE(contains(json, "\"name\": \"Particles\",\n      \"detail\": \"structured_buffer\"")) << json;
  EXPECT_TRUE(contains(json, "\"default_words\": [\n              7\n            ]")) << json;
  EXPECT_TRUE(contains(json, "\"type\": \"row_major float4x4\",\n            \"class\": \"matrix_rows\""));
  EXPECT_TRUE(contains(json, "\"register\": \"t2\""));
  EXPECT_TRUE(contains(json, "\"complete\": true"));
  EXPECT_TRUE(contains(read.listing(), "//   struct Light\n"));
}

// Before shader model 5.0, variables have 24 bytes and types no names.
TEST(Definitions, OfShaderModel4) {
  DefinitionsChunk chunk;
  auto bytes = chunk.finish();
  const Read read(assemble_with("ps_4_0\nret \n", bytes));
  EXPECT_TRUE(read.definitions.is_complete);
  EXPECT_TRUE(read.definitions.buffers.empty());
}

TEST(Definitions, OfATextAreEmpty) {
  const Read read(assemble(kSmallShader));
  EXPECT_TRUE(read.definitions.resources.empty());
  EXPECT_TRUE(read.definitions.is_complete);
  EXPECT_FALSE(contains(read.json(), "definitions"));
}

TEST(Definitions, EveryCutIsReadWithoutACrash) {
  DefinitionsChunk whole;
  const uint32_t color = whole.type(VariableClass::vector, 3, 1, 3, 0, "float3");
  const uint32_t outer = whole.type(VariableClass::structure, 0, 1, 3, 0, "S", {{"inner", color, 0}});
  whole.buffer("B", dxbc::BufferKind::constants, 16, {{"v", 0, 12, outer, {1, 2, 3}}});
  const auto bytes = whole.finish();
  for (size_t size = 0; size < bytes.size(); size += 4) {
    const Read read(
        assemble_with("ps_5_0\nret \n", {bytes.begin(), bytes.begin() + static_cast<long>(size)}));
    EXPECT_FALSE(read.definitions.is_complete && !read.definitions.buffers.empty() &&
                 read.definitions.types.size() < 2);
    read.json();
    read.listing();
  }
}

TEST(Definitions, NoTypeContainsItself) {
  DefinitionsChunk chunk;
  // The next structure's own offset: its member list of one entry (12 bytes), then the name "S" and "me".
  const uint32_t probe = chunk.type(VariableClass::structure, 0, 1, 1, 0, "S", {{"me", 0, 0}});
  const uint32_t distance = chunk.type(VariableClass::structure, 0, 1, 1, 0, "S", {{"me", 0, 0}}) - probe;
  const uint32_t self = probe + 2 * distance;
  EXPECT_EQ(chunk.type(VariableClass::structure, 0, 1, 1, 0, "S", {{"me", self, 0}}), self);
  chunk.buffer("B", dxbc::BufferKind::constants, 16, {{"v", 0, 16, self}});
  const Read read(assemble_with("ps_5_0\nret \n", chunk.finish()));
  EXPECT_FALSE(read.definitions.is_complete);
  ASSERT_EQ(read.definitions.types.size(), 1u);
  EXPECT_EQ(read.definitions.types[0].member_count, 0u);
  EXPECT_TRUE(contains(read.json(), "\"complete\": false"));
}

/// 50 nested structures, each with 200 members of the next one: 200^50 variables.
std::pmr::vector<std::byte> nested() {
  DefinitionsChunk chunk;
  uint32_t inner = chunk.type(VariableClass::scalar, 3, 1, 1, 0, "float");
  for (int depth = 0; depth < 50; ++depth) {
    const std::vector<DefinitionsChunk::Member> members(200, {"a_name_of_some_length", inner, 0});
    inner = chunk.type(VariableClass::structure, 0, 1, 1, 0, "S", members);
  }
  chunk.buffer("B", dxbc::BufferKind::constants, 16, {{"v", 0, 16, inner}});
  return assemble_with("ps_5_0\nret \n", chunk.finish());
}

TEST(Definitions, ThatNestDeeplyGiveBoundedText) {
  const auto bytes = nested();
  const Read read(bytes);
  EXPECT_TRUE(read.definitions.is_complete);
  EXPECT_EQ(read.definitions.members.size(), 50u * 200u);
  EXPECT_LT(read.json().size(), 140 * bytes.size());
  EXPECT_TRUE(contains(read.json(), "\"complete\": false"));
  EXPECT_LT(read.listing().size(), 40 * bytes.size());
}

// 4,000 buffers that share one list of 4,000 variables, all with one long name.
TEST(Definitions, ThatShareTheirEntriesAreReadInLinearTime) {
  DefinitionsChunk chunk;
  const uint32_t type = chunk.type(VariableClass::scalar, 3, 1, 1, 0, "float");
  const std::string name(10000, 'n');
  chunk.buffer(name, dxbc::BufferKind::constants, 16,
               std::vector<DefinitionsChunk::Variable>(4000, {"v", 0, 4, type}));
  auto bytes = chunk.finish();
  uint32_t buffer = 0;
  std::memcpy(&buffer, bytes.data() + 4, 4);
  std::vector<std::byte> entry(bytes.begin() + buffer, bytes.begin() + buffer + 24);
  const uint32_t count = 4000, at = static_cast<uint32_t>(bytes.size());
  for (uint32_t i = 0; i < count; ++i) bytes.insert(bytes.end(), entry.begin(), entry.end());
  std::memcpy(bytes.data(), &count, 4);
  std::memcpy(bytes.data() + 4, &at, 4);
  const Read read(assemble_with("ps_5_0\nret \n", bytes));
  EXPECT_FALSE(read.definitions.is_complete);
  EXPECT_LT(read.definitions.variables.size() + read.definitions.buffers.size(), bytes.size() + 1);
  EXPECT_LT(read.json().size(), 140 * bytes.size());
}

}  // namespace
}  // namespace texlate
