// Errors in texts, and their locations.
#include <gtest/gtest.h>

#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

std::string errors_of(std::string_view text) {
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_FALSE(assembly::parse(text, program, diagnostics)) << text;
  return messages(diagnostics);
}

TEST(BadInput, Empty) {
  EXPECT_EQ(errors_of(""), "1:1: no shader listing found: expected a profile line such as 'ps_5_0'\n");
}

TEST(BadInput, OnlyAProfile) {
  EXPECT_EQ(errors_of("\nps_5_0"), "2:1: the listing ends after its profile line\n");
}

TEST(BadInput, ColumnsDoNotCountAByteOrderMark) {
  EXPECT_EQ(errors_of("\xef\xbb\xbfps_3_0\nmov oC0, c0\n"),
            "1:1: this shader model is not supported: expected 4.0, 4.1, 5.0 or 5.1\n");
  EXPECT_EQ(errors_of("\xef\xbb\xbfps_5_0\nfrob\n"), "2:1: unknown instruction 'frob'\n");
}

TEST(BadInput, OldShaderModel) {
  EXPECT_EQ(errors_of("ps_3_0\nmov oC0, c0\n"),
            "1:1: this shader model is not supported: expected 4.0, 4.1, 5.0 or 5.1\n");
}

TEST(BadInput, TruncatedText) {
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.xyzw, r1.xyzw\nadd r0.xyzw, r1.xy"),
            "3:17: mask on a source: a swizzle has one or four components, found 2\n3:1: add takes 3 "
            "operands, found 2\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.xyzw, l(1.0000"), "2:22: expected ')' at the end of the literal\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.xyzw, cb0[r1."), "2:21: expected components of xyzw after '.'\n");
  EXPECT_EQ(errors_of("ps_5_0\nmo"), "2:1: unknown instruction 'mo'\n");
}

TEST(BadInput, UnknownOpcode) {
  EXPECT_EQ(errors_of("ps_5_0\n  frobnicate r0.x, r1.x\nret \n"), "2:3: unknown instruction 'frobnicate'\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov_frob r0.x, r1.x\n"), "2:1: unknown instruction 'mov_frob'\n");
  EXPECT_EQ(errors_of("ps_5_0\niadd_sat r0.x, r1.x, r2.x\n"), "2:6: iadd does not allow '_sat'\n");
}

TEST(BadInput, OperandCount) {
  EXPECT_EQ(errors_of("ps_5_0\nadd r0.x, r1.x\n"), "2:1: add takes 3 operands, found 2\n");
  EXPECT_EQ(errors_of("ps_5_0\nadd r0.x, r1.x, r2.x, r3.x\n"), "2:1: add takes 3 operands, found more\n");
  EXPECT_EQ(errors_of("ps_5_0\nret r0.x\n"), "2:1: ret takes 0 operands, found more\n");
  EXPECT_EQ(errors_of("ps_5_0\nadd r0.x r1.x, r2.x\n"), "2:10: expected ',' after operand 1\n");
}

TEST(BadInput, MaskOnASourceIsAWarning) {
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_TRUE(assembly::parse("ps_5_0\nmov r0.xyz, r1.xyz\n", program, diagnostics));
  EXPECT_EQ(messages(diagnostics), "2:16: mask on a source: a swizzle has one or four components, found 3\n");
}

TEST(BadInput, WriteMask) {
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.yx, r1.xyxx\n"),
            "2:8: a write mask names components once each, in the order xyzw\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov -r0.x, r1.x\n"), "2:5: a destination cannot have a modifier\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov l(1), r1.x\n"), "2:5: a literal cannot be a destination\n");
}

TEST(BadInput, Offset) {
  EXPECT_EQ(errors_of("ps_5_0\nld_aoffimmi_indexable(0,8,0)(texture2d)(float,float,float,float) r0.xyzw, "
                      "r1.xyzw, t0.xyzw\n"),
            "2:25: offset 8 is outside -8..7\n");
  EXPECT_EQ(errors_of("ps_5_0\nsample_aoffimmi r0.xyzw, r1.xyxx, t0.xyzw, s0\n"),
            "2:16: expected '(u,v,w)' after 'sample_aoffimmi'\n");
  EXPECT_EQ(errors_of("ps_5_0\nlod_aoffimmi(0,0,0) r0.x, r1.xyxx, t0.x, s0\n"),
            "2:5: lod does not allow '_aoffimmi'\n");
}

TEST(BadInput, Names) {
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.x, q7.x\n"), "2:11: unknown register 'q7'\n");
  EXPECT_EQ(errors_of("ps_5_0\nld_indexable(texture9d)(float,float,float,float) r0.x, r1.x, t0.x\n"),
            "2:14: unknown resource dimension or return type 'texture9d'\n");
  EXPECT_EQ(errors_of("ps_5_0\ndcl_resource_texture2d (float,float,float,float) d2\n"),
            "2:50: expected a register\n");
  EXPECT_EQ(errors_of("ps_5_0\ndcl_sampler s0, mode_strange\n"), "2:15: unknown sampler mode\n");
  EXPECT_EQ(errors_of("ps_5_0\ndcl_output_siv o0.x, velocity\n"), "2:22: unknown system value 'velocity'\n");
}

TEST(BadInput, Numbers) {
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.x, l(99999999999)\n"),
            "2:13: number '99999999999' does not fit into 32 bits\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.x, l(abc)\n"), "2:13: expected a number, found 'abc'\n");
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.x, l(1, 2, 3, 4, 5)\n"),
            "2:12: a literal has one or four components, found more\n");
}

TEST(BadInput, Doubles) {
  const std::string three = "2:16: a double literal has two components, found more\n";
  EXPECT_EQ(errors_of("ps_5_0\ndmov r0.xyzw, d(1.0l, 2.0l, 3.0l)\n"), three);
  EXPECT_EQ(errors_of("ps_5_0\ndmov r0.xyzw, d(0x1, 0x2, 0x3)\n"), three);
  EXPECT_EQ(errors_of("ps_5_0\ndmov r0.xyzw, d(0x1, 0x2, 0x3, 4.0l)\n"), three);
  EXPECT_EQ(errors_of("ps_5_0\ndmov r0.xyzw, d(0x1, 0x2, 0x3, 0x100000000)\n"), three);
  EXPECT_EQ(errors_of("ps_5_0\ndmov r0.xyzw, d(0x1, 0x2, 0x3, 0x4, 0x5)\n"), three);
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_TRUE(assembly::parse("ps_5_0\ndmov r0.xy, d(1.0l)\n", program, diagnostics));
  EXPECT_EQ(messages(diagnostics), "2:14: a double literal has two components, found 1: the other is 0\n");
}

TEST(BadInput, AWrongConstantRowIsReportedOnce) {
  EXPECT_EQ(
      errors_of(
          "ps_5_0\ndcl_immediateConstantBuffer { { 1, 2, 3, x},\n { 1, 2, 3, 4},\n { 1, 2, 3, 4} }\nfrob\n"),
      "2:42: expected a number, found 'x'\n5:1: unknown instruction 'frob'\n");
}

TEST(BadInput, DeeplyNestedIndices) {
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.x, x0[x0[x0[x0[x0[r0.x].x].x].x].x].x\n"),
            "2:23: indices are nested too deeply\n");
}

TEST(BadInput, RecoversAndReportsSeveral) {
  const std::string text = "ps_5_0\nfrob r0.x\nmov r0.x, r1.x\nmov r0.x\nadd r0.x, q0, r1.x\nret \n";
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_FALSE(assembly::parse(text, program, diagnostics));
  EXPECT_EQ(
      messages(diagnostics),
      "2:1: unknown instruction 'frob'\n4:1: mov takes 2 operands, found 1\n5:11: unknown register 'q0'\n");
  EXPECT_EQ(program.instructions.size(), 2u);
  EXPECT_EQ(program.operands.size(), 2u);
}

TEST(BadInput, GivesUpAtTheLimit) {
  std::string text = "ps_5_0\n";
  for (int i = 0; i < 5000; ++i) text += "frob\n";
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_FALSE(assembly::parse(text, program, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 100u);
}

TEST(BadInput, TextBehindAnInstruction) {
  EXPECT_EQ(errors_of("ps_5_0\nmov r0.x, r1.x r2.x\n"), "2:16: unexpected text after 'mov'\n");
}

}  // namespace
}  // namespace texlate
