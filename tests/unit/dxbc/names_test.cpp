// Contents of a container that a listing must preserve: names with any bytes, masks with gaps, forms of
// chunks.
#include <gtest/gtest.h>

#include "frontend/asm/escape.h"
#include "frontend/dxbc/features.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/signature.h"
#include "frontend/sm4/compare.h"
#include "tests/unit/dxbc/assemble_text.h"

namespace texlate {
namespace {

std::string escaped(std::string_view name) {
  std::pmr::string text;
  assembly::append_escaped(name, text);
  return std::string(text);
}

std::string unescaped(std::string_view word) {
  std::pmr::string text;
  assembly::append_unescaped(word, text);
  return std::string(text);
}

TEST(Names, AreEscapedInOneWordOfAscii) {
  EXPECT_EQ(escaped("SV_Position"), "SV_Position");
  EXPECT_EQ(escaped(""), "\\");
  EXPECT_EQ(escaped("a\\b"), "a\\\\b");
  EXPECT_EQ(escaped("a b\n"), "a\\x20b\\x0a");
  EXPECT_EQ(escaped("\xff\x7f"), "\\xff\\x7f");
  EXPECT_EQ(escaped("----"), "\\x2d---");
  EXPECT_EQ(escaped("m1:A"), "\\x6d1:A");
}

TEST(Names, EveryNameOfOneOrTwoBytesComesBack) {
  for (int first = 0; first < 256; ++first) {
    for (int second = -1; second < 256; ++second) {
      std::string name(1, static_cast<char>(first));
      if (second >= 0) name += static_cast<char>(second);
      const std::string word = escaped(name);
      ASSERT_EQ(unescaped(word), name) << word;
      for (const char c : word) ASSERT_TRUE(c > ' ' && c < 0x7f) << word;
    }
  }
  EXPECT_EQ(unescaped("a\\q\\x4"), "a\\q\\x4");  // not escapes, but written by other tools
}

/// A program with one input of that name, converted to a container, a listing and a container again.
sm4::Program with_input_name(std::string_view name) {
  sm4::Program program = parse_good(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n"
      "mov o0.xyzw, v0.xyzw\nret \n");
  dxbc::make_signatures(program);
  program.input_signature[0].semantic_name = name;
  return program;
}

std::pmr::string fxc_listing(const sm4::Program& program) {
  std::pmr::vector<std::byte> bytes;
  Diagnostics diagnostics;
  EXPECT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics));
  dxbc::Container container;
  sm4::Program read;
  EXPECT_TRUE(dxbc::read(bytes, container, read, diagnostics));
  std::pmr::string text;
  dxbc::disassemble(container, read, {}, text);
  return text;
}

TEST(Names, AHostileSemanticNameWritesNoLinesIntoTheListing) {
  for (const std::string& name :
       {std::string("x\nps_5_0\nmov o0.xyzw, l(1,1,1,1)\nret\n/*\n"), std::string("a b"), std::string("m2:B"),
        std::string("-----"), std::string("\\"), std::string()}) {
    const sm4::Program program = with_input_name(name);
    const std::pmr::string text = fxc_listing(program);
    const sm4::Program again = parse_good(text);
    EXPECT_EQ(sm4::difference(program, again), "") << text;
    ASSERT_EQ(again.input_signature.size(), 1u) << text;
    EXPECT_EQ(std::string_view(again.input_signature[0].semantic_name), name);
    EXPECT_EQ(again.input_signature[0].stream, 0);
    EXPECT_EQ(assemble(text), assemble(fxc_listing(again)));
  }
}

TEST(Names, MasksKeepTheirGaps) {
  const std::string text =
      "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// TEXCOORD                 0   xyzw        0     NONE   float   xy w\n"
      "// TEXCOORD                 1   x zw        1     NONE   float     z \n"
      "// TEXCOORD                 2   xyzw        2     NONE   float       \n"
      "//\n"
      "// Output signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_Target                0   xyzw        0   TARGET   float   x zw\n"
      "//\n"
      "ps_5_0\ndcl_output o0.xzw\nmov o0.xzw, l(0,0,0,0)\nret \n";
  const sm4::Program program = parse_good(text);
  ASSERT_EQ(program.input_signature.size(), 3u);
  EXPECT_EQ(program.input_signature[0].mask, 0xf);
  EXPECT_EQ(program.input_signature[0].used_mask, 0xb);
  EXPECT_EQ(program.input_signature[1].mask, 0xd);
  EXPECT_EQ(program.input_signature[1].register_index, 1u);
  EXPECT_EQ(program.input_signature[1].used_mask, 0x4);
  EXPECT_EQ(program.input_signature[2].used_mask, 0);
  ASSERT_EQ(program.output_signature.size(), 1u);
  EXPECT_EQ(program.output_signature[0].used_mask, 0x2);  // never written
  EXPECT_EQ(sm4::difference(program, parse_good(print_text(program))), "");
}

dxbc::Container container_of(std::string_view text) {
  dxbc::Container container;
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_TRUE(dxbc::read(assemble(text), container, program, diagnostics));
  return container;
}

TEST(Chunks, GeometryShadersOf5HaveStreams) {
  const std::string body =
      "dcl_inputprimitive point \ndcl_outputtopology pointlist \ndcl_output o0.x\n"
      "dcl_maxout 1\nret \n";
  EXPECT_NE(container_of("gs_5_0\n" + body).find(dxbc::fourcc("OSG5")), nullptr);
  EXPECT_NE(container_of("gs_4_0\n" + body).find(dxbc::fourcc("OSGN")), nullptr);
}

TEST(Chunks, MinimumPrecisionChangesEverySignature) {
  const auto container = container_of(
      "ps_5_0\ndcl_globalFlags refactoringAllowed | enableMinimumPrecision\n"
      "dcl_output o0.x\nret \n");
  EXPECT_NE(container.find(dxbc::fourcc("ISG1")), nullptr);
  EXPECT_NE(container.find(dxbc::fourcc("OSG1")), nullptr);
  EXPECT_EQ(dxbc::feature_flags(container), 0x10u);
}

TEST(Chunks, FeaturesAreStoredWhereThereAreAny) {
  const auto features = [](std::string_view text) { return dxbc::feature_flags(container_of(text)); };
  EXPECT_EQ(container_of("ps_5_0\nret \n").find(dxbc::kFeatureTag), nullptr);
  EXPECT_EQ(features("ps_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps\nret \n"),
            1u);
  EXPECT_EQ(features("ps_4_0\ndcl_globalFlags enableRawAndStructuredBuffers\nret \n"), 2u);
  EXPECT_EQ(features("ps_5_0\ndcl_globalFlags enableRawAndStructuredBuffers\nret \n"), 0u);
  EXPECT_EQ(features("vs_5_0\ndcl_uav_raw u0\nret \n"), 4u);
  EXPECT_EQ(features("ps_5_0\ndcl_uav_raw u7\nret \n"), 0u);
  EXPECT_EQ(features("ps_5_0\ndcl_uav_raw u8\nret \n"), 8u);
  EXPECT_EQ(features("ps_5_0\ndcl_output oStencilRef\nret \n"), 0x200u);
  EXPECT_EQ(features("vs_5_0\ndcl_output_siv o0.x, viewport_array_index\nret \n"), 0x2000u);
  EXPECT_EQ(features("ps_5_0\ndcl_temps 1\ncheck_access_fully_mapped r0.x, r0.x\nret \n"), 0x100u);
}

}  // namespace
}  // namespace texlate
