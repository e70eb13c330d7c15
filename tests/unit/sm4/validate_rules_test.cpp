// Programs that no document allows: one for each rule, with the location and text of its error.
#include <gtest/gtest.h>

#include "frontend/sm4/validate.h"
#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

std::string errors_of_text(std::string_view text, bool lenient = false) {
  sm4::Program program = parse_good(text);
  program.lenient = lenient;
  Diagnostics diagnostics;
  const bool good = sm4::validate(program, diagnostics);
  EXPECT_EQ(good, !diagnostics.has_errors());
  return errors(diagnostics);
}

/// Declarations on line 2, code on line 3; both may have several lines.
std::string errors_in_code(std::string_view code, std::string_view declarations = "nop",
                           std::string_view flags = "refactoringAllowed") {
  const bool none = declarations == "nop";
  return errors_of_text(fmt::format("ps_5_0\n{}dcl_globalFlags {}\ndcl_temps 4\n{}\nret \n",
                                    none ? "dcl_output o0.xy\n" : fmt::format("{}\n", declarations), flags,
                                    code));
}

std::string doubles(std::string_view code, std::string_view flags = "enableDoublePrecisionFloatOps") {
  return errors_in_code(code, "nop", flags);
}

// D3D11.3 functional specification 22.3.10, 22.3.31: components beyond the declaration. Lanes that are not
// read may name any.
TEST(ValidateRules, OnlyDeclaredComponentsAreUsed) {
  EXPECT_EQ(errors_in_code("mov o0.xyzw, r0.xyzw"), "5:5: o0.zw is not declared, only .xy\n");
  EXPECT_EQ(errors_in_code("mov o0.y, r0.x"), "");
  constexpr std::string_view kInput = "dcl_input_ps linear v1.xy";
  EXPECT_EQ(errors_in_code("mov r0.xyz, v1.xyzx", kInput), "5:13: v1.z is not declared, only .xy\n");
  EXPECT_EQ(errors_in_code("mov r0.xy, v1.xyzw", kInput), "");
  EXPECT_EQ(errors_in_code("dp2 r0.xyzw, v1.xyzw, v1.xyzw", kInput), "");
  EXPECT_EQ(errors_in_code("dp3 r0.x, v1.xyxx, v1.xyzw", kInput), "5:20: v1.z is not declared, only .xy\n");
  EXPECT_EQ(errors_in_code("mov r0.x, v1.w", kInput), "5:11: v1.w is not declared, only .xy\n");
  EXPECT_EQ(errors_in_code("mov r0.x, x0[1].z", "dcl_indexableTemp x0[2], 2"),
            "5:11: x0[1].z is not declared, only .xy\n");
  EXPECT_EQ(errors_of_text("cs_5_0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
                           "mov r0.xyz, vThreadID.xyzx\nret \n"),
            "5:13: vThreadID.yz is not declared, only .x\n");
}

// docs/frontend.md, "What check checks", gives the reason for each.
TEST(ValidateRules, WhatNoDocumentForbidsIsAccepted) {
  const auto compute = [](std::string_view code, std::string_view declarations) {
    return errors_of_text(
        fmt::format("cs_5_0\ndcl_globalFlags refactoringAllowed\n{}\ndcl_input vThreadID.x\ndcl_temps 4\n"
                    "dcl_thread_group 8, 1, 1\n{}\nret \n",
                    declarations, code));
  };
  EXPECT_EQ(errors_in_code("mov o0.x, r0.x"), "");
  EXPECT_EQ(errors_in_code("nop"), "");
  EXPECT_EQ(errors_in_code("mov r0.x, l(0)\nmov r0.x, cb0[r0.x + 0].x",
                           "dcl_constantbuffer cb0[4], immediateIndexed"),
            "");
  EXPECT_EQ(errors_in_code("mov r0.x, v0.x", "dcl_input_ps_siv constant v0.xyzw, position"), "");
  EXPECT_EQ(errors_in_code("mov r0.x, cb14[0].x", "dcl_constantbuffer cb14[1], immediateIndexed"), "");
  EXPECT_EQ(errors_in_code("store_raw u0.x, l(0), l(0)\nmov o0.x, l(0)", "dcl_uav_raw u0\ndcl_output o0.x"),
            "");
  EXPECT_EQ(errors_in_code("eval_centroid r0.x, v0.x", "dcl_input_ps constant v0.x"), "");
  EXPECT_EQ(
      errors_in_code("mov oDepth, l(0)", "dcl_output oDepth", "refactoringAllowed | forceEarlyDepthStencil"),
      "");
  EXPECT_EQ(errors_in_code("switch r0.x\ncase l(1)\nmov r0.x, r0.y\nendswitch "), "");
  EXPECT_EQ(errors_in_code("ret \nmov r0.x, r0.y"), "");
  EXPECT_EQ(errors_of_text("vs_5_0\ndcl_uav_raw u0\nstore_raw u0.x, l(0), l(0)\nret \n"), "");
  EXPECT_EQ(compute("imm_atomic_alloc r0.x, u0", "dcl_uav_structured u0, 16"), "");
  EXPECT_EQ(compute("if_nz vThreadID.x\nsync_g_t\nendif ", "dcl_tgsm_raw g0, 64"), "");
  EXPECT_EQ(
      compute("ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.xyzw, r0.x, "
              "l(2), t0.xyzw",
              "dcl_resource_structured t0, 4"),
      "");
  EXPECT_EQ(compute("ld_uav_typed_indexable(buffer)(float,float,float,float) r0.xyzw, l(0,0,0,0), u0.xyzw",
                    "dcl_uav_typed_buffer (float,float,float,float) u0"),
            "");
}

// The lanes of an address follow from the dimension of the view.
TEST(ValidateRules, AddressesUseTheLanesOfTheirDimension) {
  const auto address = [](std::string_view dimension, std::string_view instruction) {
    return errors_in_code(
        instruction,
        fmt::format("dcl_sampler s0, mode_default\ndcl_resource_{} (float,float,float,float) t0\n"
                    "dcl_input_ps linear v0.xy",
                    dimension));
  };
  EXPECT_EQ(address("texture2d", "sample r0.xyzw, v0.xyzw, t0.xyzw, s0"), "");
  EXPECT_EQ(address("texture2darray", "sample r0.xyzw, v0.xyzw, t0.xyzw, s0"),
            "7:17: v0.z is not declared, only .xy\n");
  EXPECT_EQ(address("texture2darray", "lod r0.x, v0.xyzw, t0.x, s0"), "");
  EXPECT_EQ(address("texture2d", "ld r0.xyzw, v0.xyzw, t0.xyzw"), "7:13: v0.w is not declared, only .xy\n");
  EXPECT_EQ(address("texture2d", "ld r0.xyzw, v0.xyxx, t0.xyzw"), "");
  EXPECT_EQ(address("buffer", "ld r0.xyzw, v0.xyzw, t0.xyzw"), "");
}

// The tables of registers in chapters 9 to 16: o# can only be written.
TEST(ValidateRules, OutputsAreNotRead) {
  EXPECT_EQ(errors_in_code("mov r0.x, o0.x"), "5:11: operand 2 of mov must be a value, found o0\n");
}

TEST(ValidateRules, ResultsAreInDifferentComponents) {
  EXPECT_EQ(errors_in_code("imul r0.xy, r0.yz, r1.xyzw, r1.xyzw"),
            "5:13: both results of imul are written to r0.y\n");
  EXPECT_EQ(errors_in_code("imul r0.x, r0.y, r1.x, r1.x"), "");
  EXPECT_EQ(errors_in_code("imul null, r0.y, r1.x, r1.x"), "");
  EXPECT_EQ(errors_in_code("swapc r0.x, r0.x, r1.x, r2.x, r3.x"),
            "5:13: both results of swapc are written to r0.x\n");
}

TEST(ValidateRules, UnsignedOperandsAreNotNegated) {
  EXPECT_EQ(errors_in_code("and r0.x, -r0.x, r0.y"),
            "5:11: operand 2 of and is unsigned: it cannot be negated\n");
  EXPECT_EQ(errors_in_code("iadd r0.x, -r0.x, r0.y"), "");
  EXPECT_EQ(errors_in_code("f16tof32 r0.x, -|r0.x|"), "");
}

// D3D11.3 functional specification 22.14
TEST(ValidateRules, DoublesAreInPairsOfComponents) {
  EXPECT_EQ(doubles("dadd r0.xy, r0.xyxy, r0.zwzw"), "");
  EXPECT_EQ(doubles("dadd r0.zw, r0.xxxy, r0.zwzw"), "");
  EXPECT_EQ(doubles("dadd r0.x, r0.xyxy, r0.zwzw"), "5:6: a double is in xy or zw: dadd cannot write .x\n");
  EXPECT_EQ(doubles("dadd r0.yz, r0.xyxy, r0.zwzw"), "5:6: a double is in xy or zw: dadd cannot write .yz\n");
  EXPECT_EQ(doubles("dadd r0.xy, r0.yxyx, r0.zwzw"),
            "5:13: a double is in xy or zw: operand 2 of dadd mixes them\n");
  EXPECT_EQ(doubles("dlt r0.xz, r0.xyzw, r1.xyzw"), "");
  EXPECT_EQ(doubles("dlt r0.xyz, r0.xyzw, r1.xyzw"), "5:5: dlt has two results, but 3 components\n");
}

TEST(ValidateRules, ExtensionsAreEnabled) {
  EXPECT_EQ(doubles("dadd r0.xy, r0.xyxy, r0.zwzw", "refactoringAllowed"),
            "5:1: dadd needs dcl_globalFlags enableDoublePrecisionFloatOps\n");
  EXPECT_EQ(doubles("ddiv r0.xy, r0.xyxy, r0.zwzw"),
            "5:1: ddiv needs dcl_globalFlags enable11_1DoubleExtensions\n");
  EXPECT_EQ(doubles("msad r0.x, r0.x, r0.y, r0.z"),
            "5:1: msad needs dcl_globalFlags enable11_1ShaderExtensions\n");
}

TEST(ValidateRules, Declarations) {
  EXPECT_EQ(errors_in_code("nop", "dcl_constantbuffer cb0[4097], immediateIndexed"),
            "2:1: 4097 rows: a constant buffer has at most 4096\n");
  EXPECT_EQ(errors_in_code("nop", "dcl_constantbuffer cb14[4096], immediateIndexed"),
            "");  // 22.3.3: 15 slots
  EXPECT_EQ(errors_of_text("cs_5_0\ndcl_thread_group 8, 1, 1\ndcl_thread_group 8, 1, 1\nret \n"),
            "3:1: a second dcl_thread_group\n");
  EXPECT_EQ(errors_of_text("ps_5_0\nnop \ndcl_temps 1\nret \n"),
            "3:1: dcl_temps after the first instruction\n");
  EXPECT_EQ(errors_in_code("nop", "dcl_output oDepth\ndcl_output oDepthGE"),
            "3:1: oDepthGE and oDepth in one program\n");
  EXPECT_EQ(errors_in_code("nop", "dcl_input v0.xyzw"),
            "2:1: dcl_input declares v0 in a pixel program: dcl_input_ps has the interpolation mode\n");
  EXPECT_EQ(
      errors_of_text("vs_5_0\ndcl_output_siv o1.xyzw, clip_distance\ndcl_output_siv o2.xyzw, clip_distance\n"
                     "dcl_output_siv o3.x, cull_distance\nret \n"),
      "4:1: 9 clip and cull distances: there are at most 8\n");
  EXPECT_EQ(errors_of_text("ps_5_1\ndcl_constantbuffer CB0[0:3][1], immediateIndexed, space=0\n"
                           "dcl_constantbuffer CB1[2:2][1], immediateIndexed, space=0\n"
                           "dcl_constantbuffer CB2[2:2][1], immediateIndexed, space=1\nret \n"),
            "3:1: cb1[2][2] overlaps cb0[0][3]\n");
}

// Model 4.0 has a single view for unordered access, in compute shaders (D3D11_CS_4_X_UAV_REGISTER_COUNT).
TEST(ValidateRules, UnorderedAccessOfModel4) {
  EXPECT_EQ(errors_of_text("cs_4_0\ndcl_uav_raw u0\ndcl_uav_raw u1\ndcl_thread_group 1, 1, 1\nret \n"),
            "3:1: u1: shader model 4.0 has only 1 register u#\n");
  EXPECT_EQ(errors_of_text("ps_4_0\ndcl_uav_raw u0\nret \n"),
            "2:1: u0 in a ps program needs shader model 5.0, but the program is 4.0\n");
}

TEST(ValidateRules, Views) {
  constexpr std::string_view kIntegers =
      "dcl_sampler s0, mode_default\ndcl_resource_texture2d (uint,uint,uint,uint) t0";
  EXPECT_EQ(errors_in_code("sample r0.xyzw, r0.xyxx, t0.xyzw, s0", kIntegers),
            "6:26: sample filters, but t0 holds integers\n");
  EXPECT_EQ(errors_in_code("ld r0.xyzw, r0.xyzw, t[r0.x].xyzw", kIntegers),
            "6:22: t[...] has a computed number, which needs shader model 5.1 or dcl_interface\n");
  EXPECT_EQ(errors_of_text("cs_5_0\ndcl_uav_structured u0, 16\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
                           "imm_atomic_alloc r0.x, u0\nimm_atomic_consume r0.x, u0\nret \n"),
            "6:26: imm_atomic_alloc and imm_atomic_consume of u0 in one program\n");
  EXPECT_EQ(
      errors_of_text(
          "gs_5_0\ndcl_inputprimitive point\ndcl_stream m1\ndcl_maxout 1\nemit_stream m1\nemit_stream m0\n"
          "ret \n"),
      "6:13: m0 is not declared\n");
}

// D3D11.3 functional specification 22.3.30: the number of a computed index is in a range.
TEST(ValidateRules, ComputedIndicesAreInARange) {
  constexpr std::string_view kRange =
      "dcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xyzw\ndcl_input_ps linear v2.xyzw\ndcl_indexrange "
      "v1.xyzw 2";
  EXPECT_EQ(errors_in_code("mov r0.xyzw, v[r0.x + 2].xyzw", kRange), "");
  EXPECT_EQ(errors_in_code("mov r0.xyzw, v[r0.x + 0].xyzw", kRange),
            "8:14: v[... + 0] is outside the dcl_indexrange of v\n");
}

// D3D11.3 functional specification 22.7
TEST(ValidateRules, ControlFlow) {
  EXPECT_EQ(errors_in_code("switch r0.x\ncase l(1)\nbreak \ncase l(1)\nbreak \nendswitch "),
            "8:1: a second case l(1) in one switch\n");
  EXPECT_EQ(errors_in_code("switch r0.x\ncase r1.x\nbreak \nendswitch "), "6:1: case needs a literal\n");
  EXPECT_EQ(errors_in_code("call l0\nret \nlabel l0\nret \nlabel l0"), "9:1: a second label l0\n");
  EXPECT_EQ(errors_in_code("call l0\nnop \nlabel l0"), "7:1: label must follow a ret\n");
  EXPECT_EQ(errors_in_code("call l0\nret \nlabel l0\ncall l1\nret \nlabel l1\ncall l0"),
            "11:1: call is recursive\n");
  EXPECT_EQ(errors_in_code("call l0\ncall l1\nret \nlabel l0\ncall l1\nret \nlabel l1"), "");
  EXPECT_EQ(errors_in_code("fcall fp0[0][0]"), "5:7: fp0 is not declared\n");
  constexpr std::string_view kInterface =
      "dcl_function_body fb0\ndcl_function_table ft0 = {fb0}\ndcl_interface fp0[1][1] = {ft0}";
  EXPECT_EQ(errors_in_code("fcall fp0[0][0]", kInterface), "");
  EXPECT_EQ(errors_in_code("fcall fp0[1][0]", kInterface),
            "7:7: fp0[1] is beyond the 1 interfaces of its declaration\n");
  EXPECT_EQ(errors_in_code("fcall fp0[0][1]", kInterface), "7:7: call site 1 of fp0, which has 1\n");
  constexpr std::string_view kArray =
      "dcl_function_body fb0\ndcl_function_table ft0 = {fb0}\ndcl_interface fp1[3][1] = {ft0}";
  EXPECT_EQ(errors_in_code("fcall fp2[1][0]\nfcall fp3[0][0]", kArray), "");
  EXPECT_EQ(errors_in_code("fcall fp3[1][0]", kArray),
            "7:7: fp3[1] is beyond the 3 interfaces of its declaration\n");
  EXPECT_EQ(errors_in_code("fcall fp4[0][0]\nfcall fp0[0][0]", kArray),
            "7:7: fp4 is not declared\n8:7: fp0 is not declared\n");
}

TEST(ValidateRules, PhasesOfHullPrograms) {
  const std::string hull =
      "hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_triangle_cw\n";
  EXPECT_EQ(errors_of_text(hull + "hs_fork_phase \nret \nhs_control_point_phase \nret \n"),
            "10:1: hs_control_point_phase is not the first phase\n");
  EXPECT_EQ(errors_of_text(hull + "hs_control_point_phase \ndcl_hs_fork_phase_instance_count 2\nret \n"),
            "9:1: dcl_hs_fork_phase_instance_count is outside a fork or join phase\n");
  EXPECT_EQ(errors_of_text(hull + "hs_fork_phase \ndcl_hs_fork_phase_instance_count 0\nret \n"),
            "9:1: dcl_hs_fork_phase_instance_count 0: a phase has at least one instance\n");
  EXPECT_EQ(errors_of_text(hull + "hs_join_phase \ndcl_hs_join_phase_instance_count 0\nret \n"),
            "9:1: dcl_hs_join_phase_instance_count 0: a phase has at least one instance\n");
  // A subroutine uses the registers of the phases that call it (22.3.49), in any order.
  const std::string wide =
      "hs_control_point_phase \ndcl_output o0.xyzw\ndcl_temps 2\ndcl_indexableTemp x0[2], 4\ncall l0\nret \n";
  const std::string narrow =
      "hs_fork_phase \ndcl_output_siv o0.x, finalTriInsideTessFactor\ndcl_temps 1\n"
      "dcl_indexableTemp x0[4], 1\nmov o0.x, l(1.0)\nret \n";
  constexpr std::string_view kBody =
      "label l0\nmov r1.x, l(1)\nmov x0[1].xyzw, r1.xxxx\nmov o0.xyzw, x0[1].xyzw\nret \n";
  EXPECT_EQ(errors_of_text(hull + wide + narrow + std::string(kBody)), "");
  EXPECT_EQ(errors_of_text(hull + wide + narrow + "label l0\nmov r2.x, x1[0].x\nmov x0[4].x, l(1)\nret \n"),
            "21:5: r2 is beyond dcl_temps 2\n21:11: x1 is not declared\n"
            "22:5: x0[4] is beyond the 4 rows of its dcl_indexableTemp\n");
  EXPECT_EQ(
      errors_of_text(hull + wide + "hs_fork_phase \ndcl_temps 1\nmov r1.x, l(1)\nret \nlabel l0\nret \n"),
      "16:5: r1 is beyond dcl_temps 1\n");
  EXPECT_EQ(errors_of_text(hull + "ret \n"),
            "8:1: ret is outside the phases of a hull program\n1:1: a hull program needs a phase\n");
}

// What Direct3D's drivers accept: one warning of a kind, or for a register.
TEST(ValidateRules, LenientPrograms) {
  constexpr std::string_view kFix =
      "ps_5_0\ndcl_constantbuffer cb0[2], immediateIndexed\ndcl_output o0.xyzw\ndcl_temps 1\nmov r1.x, "
      "cb0[3].x\n"
      "mov r2.x, cb0[4].x\nld_indexable(texture2d)(float,float,float,float) r3.xyzw, l(0,0,0,0), t125.xyzw\n"
      "ld_indexable(texture2d)(float,float,float,float) o0.xyzw, l(0,0,0,0), t125.xyzw\n"
      "dcl_resource_texture2d (float,float,float,float) t1\nret \n";
  EXPECT_EQ(errors_of_text(kFix, true),
            "5:5: r1 is beyond dcl_temps 1: it is added\n"
            "5:11: cb0[3] is beyond the 2 rows of its dcl_constantbuffer: it reads what the buffer has\n"
            "7:71: t125 is not declared: the dimension of the instruction is assumed\n"
            "9:1: dcl_resource after the first instruction\n");
  EXPECT_EQ(errors_of_text("ps_5_0\ndcl_temps 1\nmov r4096.x, l(0)\nret \n", true),
            "3:5: r4096 is beyond dcl_temps 1\n");
  EXPECT_EQ(
      errors_of_text(
          "ps_5_0\ndcl_constantbuffer cb0[2], immediateIndexed\ndcl_temps 1\nmov r0.x, cb0[4096].x\nret \n",
          true),
      "4:11: cb0[4096] is beyond the 2 rows of its dcl_constantbuffer\n");
}

// Microsoft Learn gives sync one of them, but shaders of published mods have both bits and run.
TEST(ValidateRules, BothScopesOfASync) {
  EXPECT_EQ(
      errors_of_text("cs_5_0\ndcl_thread_group 1, 1, 1\nsync_sat_uglobal_g_t\nsync_uglobal_ugroup\nret \n"),
      "");
}

TEST(ValidateRules, AddressesOfStructuresWithOneComponent) {
  const auto of_address = [](std::string_view line) {
    return errors_of_text(
        "cs_5_0\ndcl_uav_structured u0, 8\ndcl_uav_raw u1\ndcl_tgsm_structured g0, 8, "
        "4\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n" +
        std::string(line) + "\nret \n");
  };
  constexpr std::string_view kRest = " has one component, which is index and byte offset\n";
  EXPECT_EQ(of_address("atomic_iadd u0, r0.xyxx, l(1)"), "");
  EXPECT_EQ(of_address("atomic_iadd u0, r0.xxxx, l(1)"), "");
  EXPECT_EQ(of_address("atomic_iadd u0, l(1,4,0,0), l(1)"), "");
  EXPECT_EQ(of_address("atomic_iadd u1, r0.x, l(1)"), "") << "a byte offset";
  EXPECT_EQ(of_address("atomic_iadd u0, r0.x, l(1)"),
            "7:13: the address of atomic_iadd in u0" + std::string(kRest));
  EXPECT_EQ(of_address("imm_atomic_cmp_exch r0.x, u0, l(4), l(1), l(2)"),
            "7:27: the address of imm_atomic_cmp_exch in u0" + std::string(kRest));
  EXPECT_EQ(of_address("atomic_umax g0, r0.y, l(1)"),
            "7:13: the address of atomic_umax in g0" + std::string(kRest));
}

TEST(ValidateRules, ReturnTypesThatDiffer) {
  const auto of_types = [](std::string_view types) {
    return errors_of_text(
        "ps_5_0\ndcl_uav_typed_texture2d (uint,uint,uint,uint) u1\ndcl_output o0.xyzw\n"
        "ld_uav_typed_indexable(texture2d)" +
        std::string(types) + " o0.xyzw, l(0,0,0,0), u1.xyzw\nret \n");
  };
  EXPECT_EQ(of_types("(uint,uint,uint,uint)"), "");
  EXPECT_EQ(of_types("(float,float,float,float)"),
            "4:81: ld_uav_typed is written for texels of (float,float,float,float), but those of u1 are "
            "(uint,uint,uint,uint), which is used\n");
}

// Normalized texels are floats for a shader (D3D11.3 functional specification 3.2.3), so nothing depends on
// the word.
TEST(ValidateRules, NormalizedTypesAreFloats) {
  const auto of_types = [](std::string_view declared, std::string_view types) {
    return errors_of_text("ps_5_0\ndcl_sampler s0, mode_default\ndcl_resource_texture2d " +
                          std::string(declared) + " t0\ndcl_output o0.xyzw\nsample_l_indexable(texture2d)" +
                          std::string(types) + " o0.xyzw, l(0,0,0,0), t0.xyzw, s0, l(0)\nret \n");
  };
  constexpr std::string_view kFloat = "(float,float,float,float)", kUnorm = "(unorm,unorm,unorm,unorm)",
                             kSnorm = "(snorm,snorm,snorm,snorm)", kMixed = "(mixed,mixed,mixed,mixed)";
  EXPECT_EQ(of_types(kUnorm, kFloat), "");
  EXPECT_EQ(of_types(kFloat, kSnorm), "");
  EXPECT_EQ(of_types(kUnorm, "(float,unorm,snorm,float)"), "");
  EXPECT_NE(of_types(kUnorm, kMixed), "");
}

// Its stride in an instruction only repeats that of the declaration.
TEST(ValidateRules, StridesThatDiffer) {
  const auto of_stride = [](std::string_view stride) {
    return errors_of_text(
        "ps_5_0\ndcl_resource_structured t0, 12\ndcl_output o0.x\n"
        "ld_structured_indexable(structured_buffer, stride=" +
        std::string(stride) + ")(mixed,mixed,mixed,mixed) o0.x, l(0), l(0), t0.x\nret \n");
  };
  EXPECT_EQ(of_stride("12"), "");
  EXPECT_EQ(of_stride("8"),
            "4:97: ld_structured is written for structures of 8 bytes, but those of t0 have 12, "
            "which is used\n");
}

}  // namespace
}  // namespace texlate
