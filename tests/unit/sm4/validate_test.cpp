#include "frontend/sm4/validate.h"

#include <gtest/gtest.h>

#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

const std::string kDeclarations =
    "ps_5_0\n"
    "dcl_constantbuffer cb0[4], immediateIndexed\n"
    "dcl_sampler s0, mode_default\n"
    "dcl_sampler s1, mode_comparison\n"
    "dcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_resource_buffer (float,float,float,float) t1\n"
    "dcl_resource_texturecube (float,float,float,float) t2\n"
    "dcl_resource_raw t3\n"
    "dcl_uav_typed_texture2d (float,float,float,float) u0\n"
    "dcl_input_ps linear v0.xyzw\n"
    "dcl_output o0.xyzw\n"
    "dcl_temps 2\n"
    "dcl_indexableTemp x0[4], 4\n";  // line 13

/// Diagnostics of one instruction, on line 14, in a program that is otherwise valid.
std::string check(std::string_view line) {
  const auto program = parse_good(kDeclarations + std::string(line) + "\nret \n");
  Diagnostics diagnostics;
  const bool good = sm4::validate(program, diagnostics);
  EXPECT_EQ(good, !diagnostics.has_errors());
  return errors(diagnostics);
}

std::string check_program(std::string_view text) {
  const auto program = parse_good(text);
  Diagnostics diagnostics;
  sm4::validate(program, diagnostics);
  return errors(diagnostics);
}

// Errors are located at the operand, even at a register within an index. A single note follows at the
// declaration.
TEST(Validate, PointsAtTheOperandAndNotesTheDeclaration) {
  const auto program = parse_good(kDeclarations + "add r0.x, x0[4].x, x0[r7.x + 1].y\nret \n");
  Diagnostics diagnostics;
  EXPECT_FALSE(sm4::validate(program, diagnostics));
  const auto& list = diagnostics.list();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].location, SourceLocation::text(14, 11, 7));
  EXPECT_EQ(list[1].location.line, 13u);
  EXPECT_EQ(list[1].severity, Severity::note);
  EXPECT_EQ(list[2].location, SourceLocation::text(14, 23, 4));
  EXPECT_EQ(list[2].message, "r7 is beyond dcl_temps 2");
  EXPECT_EQ(list[3].location.line, 12u);
}

TEST(Validate, AcceptsAGoodProgram) {
  EXPECT_EQ(check("sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0"), "");
  EXPECT_EQ(check("mov r1.x, cb0[r0.x + 9].x"), "");
  EXPECT_EQ(check("mov x0[3].x, r0.x"), "");
}

TEST(Validate, UndeclaredRegisters) {
  EXPECT_EQ(check("mov r0.x, v1.x"), "14:11: v1 is not declared\n");
  EXPECT_EQ(check("mov o3.x, r0.x"), "14:5: o3 is not declared\n");
  EXPECT_EQ(check("mov r0.x, cb5[0].x"), "14:11: cb5 is not declared\n");
  EXPECT_EQ(check("mov r0.x, x1[0].x"), "14:11: x1 is not declared\n");
  EXPECT_EQ(check("mov r0.x, icb[0].x"), "14:11: icb without dcl_immediateConstantBuffer\n");
  EXPECT_EQ(check("ld r0.xyzw, r1.xyzw, t9.xyzw"), "14:22: t9 is not declared\n");
  EXPECT_EQ(check("sample r0.xyzw, r1.xyxx, t0.xyzw, s7"), "14:35: s7 is not declared\n");
  EXPECT_EQ(check("store_uav_typed u1.xyzw, r1.xyzw, r0.xyzw"), "14:17: u1 is not declared\n");
  EXPECT_EQ(check("mov r0.x, vThreadID.x"), "14:11: vThreadID is not declared\n");
  EXPECT_EQ(check("mov oDepth, r0.x"), "14:5: oDepth is not declared\n");
}

TEST(Validate, DeclarationsOfAnotherRegisterFile) {
  EXPECT_EQ(check("dcl_sampler t5, mode_default"), "14:1: dcl_sampler declares s#, not t5\n");
  EXPECT_EQ(check("dcl_resource_texture2d (float,float,float,float) u5"),
            "14:1: dcl_resource declares t#, not u5\n");
  EXPECT_EQ(check("dcl_uav_raw t5"), "14:1: dcl_uav_raw declares u#, not t5\n");
  EXPECT_EQ(check("dcl_constantbuffer t5[4], immediateIndexed"),
            "14:1: dcl_constantbuffer declares cb#, not t5[4]\n");
  EXPECT_EQ(check("dcl_resource_raw t3"), "14:1: t3 is declared twice\n");
}

TEST(Validate, TheSameMessageOnceAnInstruction) {
  EXPECT_EQ(check("add r7.x, r7.x, r7.x"), "14:5: r7 is beyond dcl_temps 2\n");
  EXPECT_EQ(check("add r7.x, r8.x, r7.x"),
            "14:5: r7 is beyond dcl_temps 2\n14:11: r8 is beyond dcl_temps 2\n");
}

TEST(Validate, Ranges) {
  EXPECT_EQ(check("mov r2.x, r0.x"), "14:5: r2 is beyond dcl_temps 2\n");
  EXPECT_EQ(check("mov r0.x, cb0[r7.x + 0].x"), "14:15: r7 is beyond dcl_temps 2\n");
  EXPECT_EQ(check("mov r0.x, cb0[4].x"), "14:11: cb0[4] is beyond the 4 rows of its dcl_constantbuffer\n");
  EXPECT_EQ(check("mov r0.x, x0[4].x"), "14:11: x0[4] is beyond the 4 rows of its dcl_indexableTemp\n");
}

TEST(Validate, OffsetsAndDimensions) {
  EXPECT_EQ(check("ld_aoffimmi_indexable(1,0,0)(buffer)(float,float,float,float) r0.xyzw, r1.xyzw, t1.xyzw"),
            "14:81: ld of t1, a buffer, cannot have an offset\n");
  EXPECT_EQ(check("sample_aoffimmi_indexable(1,0,0)(texturecube)(float,float,float,float) r0.xyzw, r1.xyzx, "
                  "t2.xyzw, s0"),
            "14:90: sample of t2, a texturecube, cannot have an offset\n");
  EXPECT_EQ(check("ld_indexable(texturecube)(float,float,float,float) r0.xyzw, r1.xyzw, t2.xyzw"),
            "14:70: ld cannot be applied to t2, a texturecube\n");
  EXPECT_EQ(check("sample r0.xyzw, r1.xyxx, t1.xyzw, s0"),
            "14:26: sample cannot be applied to t1, a buffer\n");
  EXPECT_EQ(check("ldms r0.xyzw, r1.xyzw, t0.xyzw, l(0)"),
            "14:24: ldms cannot be applied to t0, a texture2d\n");
  EXPECT_EQ(check("ld_indexable(texture3d)(float,float,float,float) r0.xyzw, r1.xyzw, t0.xyzw"),
            "14:68: ld is written for texture3d, but t0 is declared as texture2d\n");
  EXPECT_EQ(check("ld r0.xyzw, r1.xyzw, t3.xyzw"), "14:22: ld cannot be applied to t3, a raw_buffer\n");
}

TEST(Validate, SamplerModes) {
  EXPECT_EQ(check("sample r0.xyzw, r1.xyxx, t0.xyzw, s1"),
            "14:35: sample cannot use s1, a sampler of mode_comparison\n");
  EXPECT_EQ(check("sample_c_lz r0.x, r1.xyxx, t0.xxxx, s0, r1.z"),
            "14:37: sample_c_lz needs a sampler of mode_comparison, but s0 is mode_default\n");
}

TEST(Validate, Shapes) {
  EXPECT_EQ(check("mov v0.x, r0.x"),
            "14:5: operand 1 of mov must be a register that can be written, found v0\n");
  EXPECT_EQ(check("add r0.x, r0.x, t0.x"), "14:17: operand 3 of add must be a value, found t0\n");
  EXPECT_EQ(check("sample r0.xyzw, r1.xyxx, s0, t0.xyzw"),
            "14:26: operand 3 of sample must be a resource t#, found s0\n"
            "14:30: operand 4 of sample must be a sampler s#, found t0\n");
  EXPECT_EQ(check("store_uav_typed u0.xy, r1.xyzw, r0.xyzw"),
            "14:17: store_uav_typed must write all four components\n");
  EXPECT_EQ(check("mov r0.xyzw, d(1.0l, 2.0l)"), "");
  EXPECT_EQ(check("mov r0.xyzw, -d(1.0l, 2.0l)"),
            "14:14: operand 2 of mov is the words of doubles: it cannot have a modifier\n");
  EXPECT_EQ(check_program("ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps\ndcl_temps 1\n"
                          "dmov r0.xyzw, -d(1.0l, 2.0l)\nret \n"),
            "");
  EXPECT_EQ(check("iadd r0.x, |r0.x|, r1.x"),
            "14:12: operand 2 of iadd is an integer: it cannot have an absolute value\n");
}

// D3D11.3 functional specification 22.7.1, 22.9.2: conditions have no modifiers.
TEST(Validate, ConditionsHaveNoAbsoluteValue) {
  EXPECT_EQ(check("movc r0.x, |r0.y|, r1.x, r1.y"),
            "14:12: operand 2 of movc is a condition: it cannot have an absolute value\n");
  EXPECT_EQ(check("discard_nz |r0.x|"),
            "14:12: operand 1 of discard is a condition: it cannot have an absolute value\n");
  EXPECT_EQ(check("if_z |r0.x|\nendif"),
            "14:6: operand 1 of if is a condition: it cannot have an absolute value\n");
  EXPECT_EQ(check("retc_nz |r0.x|"),
            "14:9: operand 1 of retc is a condition: it cannot have an absolute value\n");
  EXPECT_EQ(check("loop\nbreakc_nz |r0.x|\nendloop"),
            "15:11: operand 1 of breakc is a condition: it cannot have an absolute value\n");
  EXPECT_EQ(check("swapc r0.x, r1.x, |r0.x|, r0.y, r0.z"),
            "14:19: operand 3 of swapc is a condition: it cannot have an absolute value\n");
  EXPECT_EQ(check("switch |r0.x|\ndefault\nbreak\nendswitch"),
            "14:8: operand 1 of switch is an integer: it cannot have an absolute value\n");
  EXPECT_EQ(check("movc r0.x, -r0.y, |r1.x|, -|r1.y|"), "") << "a negation does not change whether it is 0";
}

TEST(Validate, StageAndModel) {
  EXPECT_EQ(check("emit "), "14:1: emit is not allowed in a ps program\n");
  EXPECT_EQ(check_program("vs_5_0\ndiscard_nz l(-1)\nret \n"),
            "2:1: discard is not allowed in a vs program\n");
  EXPECT_EQ(check_program("ps_4_0\ndcl_temps 1\nbfrev r0.x, r0.x\nret \n"),
            "3:1: bfrev needs shader model 5.0, but the program is 4.0\n");
}

TEST(Validate, Structure) {
  EXPECT_EQ(check("if_nz r0.x"), "14:1: if is not closed\n");
  EXPECT_EQ(check("endif "), "14:1: endif without if\n");
  EXPECT_EQ(check("else "), "14:1: else without if\n");
  EXPECT_EQ(check("break "), "14:1: break outside loop and switch\n");
  EXPECT_EQ(check("continue "), "14:1: continue outside loop\n");
  EXPECT_EQ(check("case l(1)"), "14:1: case without switch\n");
  EXPECT_EQ(check("loop \nendif \nendloop "), "15:1: endif without if\n");
  EXPECT_EQ(check("if_nz r0.x\nelse \nelse \nendif "), "16:1: a second else in one if\n");
  EXPECT_EQ(check("switch r0.x\nmov r0.x, r0.x\ncase l(0)\nbreak \nendswitch "),
            "15:1: mov before the first case of its switch\n");
  EXPECT_EQ(check("call l3"), "14:1: no label l3\n");
}

TEST(Validate, MessagesToTheDebugLayerMayBeInBlocks) {
  const std::string head = "ps_5_0\ndcl_input_ps linear v0.x\nif_nz v0.x\n";
  EXPECT_EQ(check_program(head + "undecipherable custom data\nendif \nret \n"), "");
  EXPECT_EQ(check_program(head + "dcl_immediateConstantBuffer { { 0, 0, 0, 0} }\nendif \nret \n"),
            "4:1: dcl_immediateConstantBuffer inside a block\n");
}

TEST(Validate, MissingRetIsAWarning) {
  EXPECT_EQ(check_program("ps_5_0\ndcl_temps 1\nmov r0.x, l(0)\n"),
            "3:1: the program does not end with ret: it may be truncated\n");
}

TEST(Validate, ComputeLimits) {
  EXPECT_EQ(check_program("cs_5_0\ndcl_temps 1\nret \n"), "1:1: a compute program needs dcl_thread_group\n");
  EXPECT_EQ(check_program("cs_5_0\ndcl_thread_group 1024, 2, 1\nret \n"),
            "2:1: a thread group has at most 1024 threads\n");
  EXPECT_EQ(check_program("cs_5_0\ndcl_thread_group 16, 1, 64\nret \n"), "");
  EXPECT_EQ(check_program("cs_5_0\ndcl_thread_group 1, 1, 65\nret \n"),
            "2:1: z of a thread group is at most 64, found 65\n");
  EXPECT_EQ(check_program("cs_4_0\ndcl_thread_group 1, 1, 2\nret \n"),
            "2:1: z of a thread group is at most 1, found 2\n");
  EXPECT_EQ(check_program("cs_5_0\ndcl_tgsm_raw g0, 32772\ndcl_thread_group 1, 1, 1\nret \n"),
            "2:1: more than 32768 bytes of group-shared memory\n");
}

// D3D11.3 functional specification 22.3.4
TEST(Validate, AProgramHasOneImmediateConstantBuffer) {
  const std::string buffer = "dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0} }\n";
  EXPECT_EQ(check_program("ps_5_0\n" + buffer + "ret \n"), "");
  EXPECT_EQ(check_program("ps_5_0\n" + buffer + buffer + "ret \n"),
            "3:1: a second immediate constant buffer\n");
  const auto rows = [](size_t count) {
    std::string text = "ps_5_0\ndcl_immediateConstantBuffer { { 0, 0, 0, 0}";
    for (size_t i = 1; i < count; ++i) text += ", { 0, 0, 0, 0}";
    return check_program(text + " }\nret \n");
  };
  EXPECT_EQ(rows(4096), "");
  EXPECT_EQ(rows(4097), "2:1: an immediate constant buffer has at most 4096 rows, found 4097\n");
}

// D3D11.3 functional specification 22.3.44 to 22.3.48
TEST(Validate, SizesAreInWords) {
  const auto compute = [](std::string_view line) {
    return check_program(fmt::format("cs_5_0\n{}\ndcl_thread_group 1, 1, 1\nret \n", line));
  };
  EXPECT_EQ(compute("dcl_uav_structured u0, 12"), "");
  EXPECT_EQ(compute("dcl_uav_structured u0, 6"),
            "2:1: structures of 6 bytes: the size must be a multiple of 4, and not 0\n");
  EXPECT_EQ(compute("dcl_resource_structured t0, 0"),
            "2:1: structures of 0 bytes: the size must be a multiple of 4, and not 0\n");
  EXPECT_EQ(compute("dcl_tgsm_structured g0, 2, 16"),
            "2:1: structures of 2 bytes: the size must be a multiple of 4, and not 0\n");
  EXPECT_EQ(compute("dcl_tgsm_raw g0, 3"),
            "2:1: group-shared memory of 3 bytes: the size must be a multiple of 4, and not 0\n");
  EXPECT_EQ(compute("dcl_resource_structured t0, 2048"), "");
  EXPECT_EQ(compute("dcl_resource_structured t0, 2052"),
            "2:1: structures of 2052 bytes: the size is at most 2048\n");
}

}  // namespace
}  // namespace texlate
