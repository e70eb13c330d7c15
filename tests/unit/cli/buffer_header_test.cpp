// --emit-header: constant buffers as C structures. Where there is a C compiler, it checks the offsets.
#include "tools/texlate/buffer_header.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "tests/unit/dxbc/definitions_chunk.h"
#include "tools/texlate/c_names.h"

namespace texlate {
namespace {

using dxbc::BufferKind;
using dxbc::VariableClass;
using testing::HasSubstr;
using testing::Not;

constexpr uint32_t kFloat = 3, kDouble = 39;

std::string header_of(const std::pmr::vector<std::byte>& bytes) {
  const api::Program program({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_TRUE(program.ok());
  return cli::buffer_header(program.definitions(), "main");
}

std::string header_of(DefinitionsChunk& chunk) {
  return header_of(assemble_with("ps_5_0\nret \n", chunk.finish()));
}

/// The header, twice, in a C file; the compiler checks its assertions.
void expect_compiles(const std::string& header) {
  if (std::system("command -v cc > /dev/null") != 0) GTEST_SKIP() << "no C compiler";
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/buffers.h") << header;
  std::ofstream(folder + "/buffers.c") << "#include \"buffers.h\"\n#include \"buffers.h\"\nint used;\n";
  const std::string command = "cc -std=c11 -Wall -Wextra -Werror -fsyntax-only " + folder + "/buffers.c";
  EXPECT_EQ(std::system(command.c_str()), 0) << header;
}

TEST(BufferHeader, HasMembersWhereTheContainerHasThem) {
  const std::string header = header_of(shader_with_definitions());
  EXPECT_THAT(header, HasSubstr("float View[4][4]; /* row_major float4x4 */"));
  // Two columns of three; the next variable is behind the second one.
  EXPECT_THAT(header, HasSubstr("float Shape[1][4]; /* float3x2 */\n  float Shape_last[3];"));
  EXPECT_THAT(header, HasSubstr("uint32_t Count;"));
  EXPECT_THAT(header, HasSubstr("float Color[3]; /* float3 */\n  uint8_t gap0[4];\n  float Range[1][4];"));
  // A structure that is not a multiple of 16 bytes long, in an array.
  EXPECT_THAT(header, HasSubstr("struct { Light value; uint8_t gap[12]; } Lights[2];"));
  EXPECT_THAT(header, HasSubstr("sizeof(PerFrame) == 192"));
  EXPECT_THAT(header, HasSubstr("typedef struct Particles_element {\n  float _Element[3]; /* float3 */\n}"));
  expect_compiles(header);
}

TEST(BufferHeader, PacksStructuredBuffersWithoutRows) {
  DefinitionsChunk chunk;
  const uint32_t weights = chunk.type(VariableClass::scalar, kFloat, 1, 1, 3, "float");
  const uint32_t matrix = chunk.type(VariableClass::matrix_columns, kFloat, 3, 3, 0, "float3x3");
  const uint32_t element =
      chunk.type(VariableClass::structure, 0, 1, 12, 0, "Bone", {{"w", weights, 0}, {"m", matrix, 12}});
  chunk.buffer("Bones", BufferKind::structured, 48, {{"$Element", 0, 48, element}});
  const std::string header = header_of(chunk);
  EXPECT_THAT(header, HasSubstr("float w[3]; /* float[3] */\n  float m[3][3]; /* float3x3 */"));
  EXPECT_THAT(header, HasSubstr("sizeof(Bone) == 48"));
  expect_compiles(header);
}

TEST(BufferHeader, OfDoublesAndNamesThatCReserves) {
  DefinitionsChunk chunk;
  const uint32_t wide = chunk.type(VariableClass::vector, kDouble, 1, 3, 2, "double3");
  const uint32_t one = chunk.type(VariableClass::scalar, kFloat, 1, 1, 0, "float");
  chunk.buffer("$Globals", BufferKind::constants, 80,
               {{"signed", 0, 56, wide}, {"near", 60, 4, one}, {"1 x", 64, 4, one}});
  const std::string header = header_of(chunk);
  EXPECT_THAT(header, HasSubstr("double signed_[1][4]; /* double3[2] */\n  double signed__last[3];"));
  EXPECT_THAT(header, HasSubstr("float near_;"));
  EXPECT_THAT(header, HasSubstr("float _1_x;"));
  EXPECT_THAT(header, HasSubstr("typedef struct main_Globals {"));
  expect_compiles(header);
}

TEST(BufferHeader, OfBrokenOffsetsStillCompiles) {
  DefinitionsChunk chunk;
  const uint32_t one = chunk.type(VariableClass::vector, kFloat, 1, 4, 0, "float4");
  const uint32_t object = chunk.type(VariableClass::object, 10, 0, 0, 0, "sampler");
  chunk.buffer("B", BufferKind::constants, 16,
               {{"a", 0, 16, one},
                {"a", 8, 16, one},
                {"b*/", 0xfffffff0u, 16, one},
                {"c", 32, 8, object},
                {"d", 48, 12, one}});
  const std::string header = header_of(chunk);
  EXPECT_THAT(header, HasSubstr("at byte 8, within another member"));
  EXPECT_THAT(header, HasSubstr("uint8_t c[8];"));
  EXPECT_THAT(header, HasSubstr("the buffer has only 16 bytes"));
  EXPECT_THAT(header, Not(HasSubstr("b*/")));
  expect_compiles(header);
}

TEST(BufferHeader, OfNoBuffersIsEmpty) {
  DefinitionsChunk chunk;
  EXPECT_EQ(header_of(chunk), "");
  EXPECT_EQ(header_of(assemble(kSmallShader)), "");
}

}  // namespace
}  // namespace texlate
