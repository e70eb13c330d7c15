// printf and errorf, custom data of other classes, names that RenderDoc prints, minimum precision.
#include <gmock/gmock.h>

#include "frontend/sm4/compare.h"
#include "frontend/sm4/declaration.h"
#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

std::string printed(std::string_view lines, const assembly::PrintOptions& options = {}) {
  const std::string text = print_text(parse_good(fmt::format("ps_5_0\n{}\nret \n", lines)), options);
  return text.substr(7, text.size() - 7 - 6);
}

TEST(Messages, ArePrintedAsWritten) {
  for (const std::string line :
       {R"(printf "%f is fine", r0.z)", R"(errorf "no light")", R"(printf_text "100 %")", R"(printf "")",
        R"(printf "a \"b\" \\n c\nd \x01", r0.xyzw, l(1), cb0[r0.x + 1].y)"})
    EXPECT_EQ(printed(line), line);
  EXPECT_EQ(printed("   3: printf \"x\"  // note"), "printf \"x\"");
  EXPECT_EQ(printed("printf \"say \"x\"\", r0.x"), "printf \"say \\\"x\\\"\", r0.x");
  const auto program = parse_good("ps_5_0\nprintf \"%f\", r0.x\nret \n");
  EXPECT_EQ(program.instructions[0].controls, sm4::kShaderMessage);
  EXPECT_EQ(program.instructions[0].operand_count, 1u);
}

// RenderDoc's names of registers and functions are fxc's in other words.
TEST(RenderDoc, OtherSpellings) {
  const auto same = [](std::string_view theirs, std::string_view fxcs) {
    const auto a = parse_good(fmt::format("ps_5_0\n{}\nret \n", theirs));
    const auto b = parse_good(fmt::format("ps_5_0\n{}\nret \n", fxcs));
    EXPECT_FALSE(sm4::find_difference(a, b)) << theirs;
  };
  same("   0: mul r0.x, abs(r1.x), -abs(r2.y)", "mul r0.x, |r1.x|, -|r2.y|");
  same("mul r0.x, abs(r1.x {min16f}), cb0[abs(r2.y) + 1].x", "mul r0.x, |r1.x {min16f}|, cb0[|r2.y| + 1].x");
  same("dcl_input vCoverageMask\nmov r0.x, vCoverageMask.x", "dcl_input vCoverage\nmov r0.x, vCoverage.x");
  same("dcl_output oDepthLessEqual\nmov oDepthLessEqual, l(0.5)",
       "dcl_output oDepthLE\nmov oDepthLE, l(0.5)");
  same("dcl_output oDepthGreaterEqual", "dcl_output oDepthGE");
  same("dcl_inputprimitive line_adj\ndcl_outputtopology point",
       "dcl_inputprimitive lineadj\ndcl_outputtopology pointlist");
  same("dcl_inputprimitive triangle_adj", "dcl_inputprimitive triangleadj");
}

TEST(RenderDoc, WhatIsNotInTheListing) {
  Diagnostics diagnostics;
  sm4::Program program;
  EXPECT_FALSE(
      assembly::parse("ps_5_0\ndcl_constantbuffer cb0[3] (Params), immediateIndexed\n"
                      "add r0.xyzw, r0.xyzw, Tint.xyzw\nret \n",
                      program, diagnostics));
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_THAT(std::string(diagnostics.list()[0].message),
              testing::HasSubstr("turn off RenderDoc's setting DXBC.Disassembly.FriendlyNaming"));
}

// In model 5.1 it shows the registers of ranges beside the space, and leaves out the only one of a range
// (RenderDoc, dxbc_disassemble.cpp).
TEST(RenderDoc, RangesOfModel51) {
  const auto same = [](std::string_view theirs, std::string_view fxcs) {
    const auto a = parse_good(fmt::format("ps_5_1\n{}\nret \n", theirs));
    const auto b = parse_good(fmt::format("ps_5_1\n{}\nret \n", fxcs));
    const auto difference = sm4::find_difference(a, b);
    EXPECT_FALSE(difference) << theirs;
  };
  same("dcl_constantbuffer CB0[3], immediateIndexed space=0,reg=5\nmov r0.x, CB0[2].x",
       "dcl_constantbuffer CB0[5:5][3], immediateIndexed, space=0\nmov r0.x, CB0[5][2].x");
  same("dcl_constantbuffer CB1[3], dynamicIndexed space=2,reg=0\nmov r0.x, CB1[r1.y + 2].x",
       "dcl_constantbuffer CB1[0:0][3], dynamicIndexed, space=2\nmov r0.x, CB1[0][r1.y + 2].x");
  same("dcl_constantbuffer CB1[3], dynamicIndexed space=2,reg=0\nmov r0.x, CB1[r1.y + 0].x",
       "dcl_constantbuffer CB1[0:0][3], dynamicIndexed, space=2\nmov r0.x, CB1[0][r1.y + 0].x");
  same("dcl_constantbuffer CB0[2:4][3], immediateIndexed space=1,regs=2:4\nmov r0.x, CB0[r1.x + 2][1].x",
       "dcl_constantbuffer CB0[2:4][3], immediateIndexed, space=1\nmov r0.x, CB0[r1.x + 2][1].x");
  same(
      "dcl_sampler S2, mode_comparison space=0,reg=7\n"
      "dcl_resource_texture2d (float,float,float,float) T1 space=3,reg=4\n"
      "sample_c_lz r0.x, r1.xyxx, T1.xxxx, S2, r1.z",
      "dcl_sampler S2[7:7], mode_comparison, space=0\n"
      "dcl_resource_texture2d (float,float,float,float) T1[4:4], space=3\n"
      "sample_c_lz r0.x, r1.xyxx, T1[4].xxxx, S2[7], r1.z");
  same(
      "dcl_resource_texture2d (float,float,float,float) T1[4:unbound] space=3,regs=4:unbounded\n"
      "ld r0.xyzw, r1.xyzw, T1[r2.x + 4].xyzw { nonuniform }",
      "dcl_resource_texture2d (float,float,float,float) T1[4:*], space=3\n"
      "ld r0.xyzw, r1.xyzw, T1[r2.x + 4].xyzw { nonuniform }");
  same("dcl_resource_raw T0 space=0,reg=4294967294\nld_raw r0.x, l(0), T0.x",
       "dcl_resource_raw T0[4294967294:4294967294], space=0\nld_raw r0.x, l(0), T0[4294967294].x");
  same("dcl_uav_raw U0, globallyCoherant space=0,reg=1\nstore_raw U0.x, l(0), l(1)",
       "dcl_uav_raw_glc U0[1:1], space=0\nstore_raw U0[1].x, l(0), l(1)");
  same("dcl_uav_structured U0[0:1], 8, hasOrderPreservingCounter, rasterizerOrderedAccess space=0,regs=0:1",
       "dcl_uav_structured_rov_opc U0[0:1], 8, space=0");
  same("dcl_globalFlags refactoringAllowed, doublePrecisionFloats, d3d12AllResourcesBound",
       "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | allResourcesBound");
}

std::string errors_in(std::string_view model, std::string_view lines) {
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_FALSE(assembly::parse(fmt::format("{}\n{}\nret \n", model, lines), program, diagnostics));
  return messages(diagnostics);
}

TEST(RenderDoc, RangesOfModel51WithErrors) {
  const auto wrong = [](std::string_view lines) { return errors_in("ps_5_1", lines); };
  EXPECT_EQ(wrong("dcl_resource_raw T0, space=0"),
            "2:29: expected the registers of the range: either such as T0[3:3], or 'reg='\n");
  EXPECT_EQ(wrong("dcl_resource_raw T0 space=0,regs=0:1"), "2:29: expected 'reg='\n");
  EXPECT_EQ(wrong("dcl_resource_raw T0[0:1] space=0,reg=0"), "2:34: expected 'regs='\n");
  EXPECT_EQ(wrong("dcl_resource_raw T0[3:unbound] space=0,regs=7:9"),
            "2:40: these are other registers than those of the range\n");
  // The bits of these flags are the number of samples in other declarations.
  EXPECT_EQ(wrong("dcl_resource_texture2dms(4) (float,float,float,float) T0, globallyCoherant space=0,reg=3"),
            "2:59: expected 'space='\n");
  EXPECT_EQ(wrong("dcl_constantbuffer CB0, immediateIndexed space=0,reg=0"),
            "2:20: expected the size of the buffer\n");
  EXPECT_EQ(wrong("dcl_constantbuffer CB0[2:4][3], dynamicIndexed space=1,regs=2:4\n"
                  "mov r0.x, CB0[r1.x + 2][r1.x + 2].x"),
            "3:11: RenderDoc does not print which row of a range is read at run time\n");
}

TEST(Messages, WithErrors) {
  const auto wrong = [](std::string_view line) { return errors_in("ps_5_0", line); };
  EXPECT_EQ(wrong("printf r0.x"), "2:8: expected '\"' before the text\n");
  EXPECT_EQ(wrong("printf \"x"), "2:9: expected '\"' after the text\n");
  EXPECT_EQ(wrong("printf \"x\" r0.x"), "2:12: unexpected text after 'printf'\n");
}

TEST(CustomData, KeepsItsDwordsInTheExactForm) {
  const auto program =
      parse_good("ps_5_0\nundecipherable custom data 0x00002835 0x00000003 0x00000007\nret \n");
  EXPECT_EQ(program.instructions[0].controls, sm4::kClipPlaneMapping);
  EXPECT_EQ(print_text(program), "ps_5_0\nundecipherable custom data\nret \n");
  assembly::PrintOptions exact;
  exact.exact_literals = true;
  const std::string text = print_text(program, exact);
  EXPECT_EQ(text, "ps_5_0\nundecipherable custom data 0x00002835 0x00000003 0x00000007\nret \n");
  EXPECT_EQ(sm4::difference(program, parse_good(text)), "");
}

TEST(ResourceNames, StandForTheirRegisters) {
  EXPECT_EQ(
      printed("   dcl_constantbuffer cb0[2] (Params), immediateIndexed\n   dcl_sampler LinearSampler (s3), "
              "mode_default\n   dcl_resource_texture2d (float,float,float,float) r_map2 (t12)\n"
              "   0: sample r0.xyzw, v1.xyxx, r_map2.yzwx, LinearSampler"),
      "dcl_constantbuffer cb0[2], immediateIndexed\ndcl_sampler s3, mode_default\n"
      "dcl_resource_texture2d (float,float,float,float) t12\nsample r0.xyzw, v1.xyxx, t12.yzwx, s3");
}

// The first name is the operand's precision, the second that of the instruction.
TEST(MinimumPrecision, OfOperandsThatAreConverted) {
  constexpr std::string_view kLine =
      "mad r0.xyzw {min16f}, r0.xyzw {def32 as min16f}, v1.xyzw {min2_8f as min16f}, "
      "r1.xyzw {min16f}";
  assembly::PrintOptions options;
  options.dialect = assembly::Dialect::windows_10;
  EXPECT_EQ(printed(kLine, options), kLine);
  EXPECT_EQ(printed("mov o0.xyzw, r0.xyzw {min16f as def32}", options),
            "mov o0.xyzw, r0.xyzw {min16f as def32}");
  EXPECT_EQ(printed(kLine), "mad r0.xyzw {min16f}, r0.xyzw, v1.xyzw {min2_8f}, r1.xyzw {min16f}");
}

// fxc's tokens have a zero dword after the operands of these.
TEST(Padding, IsAsFxcWritesIt) {
  const auto words = [](std::string_view line) {
    return parse_good(fmt::format("ps_5_0\n{}\nret \n", line)).instructions[0].word_count;
  };
  EXPECT_EQ(words("samplepos r0.xy, t0.xyxx, l(0)"), 1u);
  EXPECT_EQ(words("samplepos r0.xy, rasterizer.xyxx, l(0)"), 0u);
  EXPECT_EQ(words("sample_cl_s r0.xyzw, null, r0.xyxx, t0.xyzw, s0, l(0)"), 1u);
  EXPECT_EQ(words("sample_l_s r0.xyzw, null, r0.xyxx, t0.xyzw, s0, l(0)"), 0u);
}

}  // namespace
}  // namespace texlate
