// The emitted PTX: what it must contain, and what it must not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "backend/ptx/target.h"
#include "ir/base/fused.h"
#include "tests/support/has_match.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string ptx(std::string_view body, std::string_view declarations = {}) {
  const Outcome outcome = translate(pixel_shader(body, declarations));
  EXPECT_TRUE(outcome.ok) << outcome.diagnostics;
  return outcome.text;
}

size_t count(const std::string& text, std::string_view what) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

TEST(Ptx, HeaderFollowsTheTarget) {
  library::TranslateOptions options;
  options.backend.sm = 90;
  options.backend.entry = "shade";
  const Outcome outcome = translate(pixel_shader("mov o0.xyzw, v0.xyzw\n"), options);
  ASSERT_TRUE(outcome.ok);
  EXPECT_THAT(outcome.text, HasSubstr(".version 7.8\n.target sm_90\n.address_size 64\n"));
  EXPECT_THAT(outcome.text, HasSubstr(".visible .entry shade("));
}

TEST(Ptx, EntriesHaveNamesThatNothingElseHas) {
  const auto complaint = [](std::string_view name) {
    library::TranslateOptions options;
    options.backend.entry = name;
    return translate(pixel_shader("mov o0.xyzw, v0.xyzw\n"), options).diagnostics;
  };
  for (const char* name : {"_", "$", "WARP_SZ", "2d", "a-b"})
    EXPECT_THAT(complaint(name), HasSubstr("is not a valid name for a ptx entry")) << name;
  for (const char* name : {"LEXIT", "L0", "L12", "texlate_unbound", "texlate_table0"})
    EXPECT_THAT(complaint(name), HasSubstr("a ptx entry cannot be named '")) << name;
  for (const char* name : {"_a", "$1", "L", "L1a", "Lambert", "main$2", "texlate"})
    EXPECT_THAT(complaint(name), Not(HasSubstr("entry"))) << name;
}

// bar.sync orders the accesses of the group's threads by itself (PTX ISA 9.7.13.1).
TEST(Ptx, FencesAreThoseThatTheBarrierLacks) {
  const auto fences = [](std::string_view sync) {
    const Outcome outcome = translate(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_tgsm_raw g0, 16\ndcl_thread_group 4, 1, 1\n" +
        std::string(sync) + "\nret\n");
    EXPECT_TRUE(outcome.ok) << outcome.diagnostics;
    return std::array{count(outcome.text, "membar.cta;"), count(outcome.text, "membar.gl;"),
                      count(outcome.text, "bar.sync 0;")};
  };
  EXPECT_EQ(fences("sync_g_t"), (std::array<size_t, 3>{0, 0, 1}));
  EXPECT_EQ(fences("sync_ugroup_g_t"), (std::array<size_t, 3>{0, 0, 1}));
  EXPECT_EQ(fences("sync_uglobal_g_t"), (std::array<size_t, 3>{0, 1, 1}));
  EXPECT_EQ(fences("sync_g"), (std::array<size_t, 3>{1, 0, 0}));
  EXPECT_EQ(fences("sync_uglobal"), (std::array<size_t, 3>{0, 1, 0}));
}

TEST(Ptx, LdIsPredicatedOverPresetResults) {
  const std::string text =
      ptx("ld_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) o0.xyzw, v0.xyzw, t0.xyzw\n");
  EXPECT_THAT(text, HasSubstr("@%p"));
  EXPECT_EQ(count(text, "tex.level.2d.v4.f32.s32"), 1u);
  // Two coordinates and the mip; an unbound slot has sizes of 0.
  EXPECT_EQ(count(text, "setp.lt.and.u32"), 2u);
  EXPECT_EQ(count(text, "setp.ne.u64 %p"), 1u);  // whether the pixel is to report that it is written
}

TEST(Ptx, TexelZeroIsThereWhereSomethingIsBound) {
  const std::string text =
      ptx("ld_indexable(texture2d)(float,float,float,float) o0.xyzw, l(0,0,0,0), t0.xyzw\n");
  EXPECT_EQ(count(text, "setp.lt.u32 %p"), 0u) << text;
  EXPECT_EQ(count(text, "setp.ne.u64 %p"), 2u)
      << text;  // the other: does the pixel report that it is written?
}

TEST(Ptx, NeighboringFetchesShareTheirComparisons) {
  const std::string one =
      "ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r0.xyzw, v0.xyww, t0.xyzw\n";
  const std::string two = one +
                          "ld_indexable(texture2d)(float,float,float,float) r1.xyzw, v0.xyww, t0.xyzw\n"
                          "add r0.xyzw, r0.xyzw, r1.xyzw\n";
  const std::string tail = "mov o0.xyzw, r0.xyzw\n";
  const std::string single = ptx(one + tail);
  const std::string pair = ptx(two + tail);
  // The second fetch has a comparison of its own x; mip and slot are shared.
  EXPECT_EQ(count(pair, "setp.lt"), count(single, "setp.lt") + 1);
}

TEST(Ptx, ManyComparisonsAreCalls) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    body += "add r2.x, v0.w, l(" + std::to_string(i) +
            ".0)\n"
            "sample_c_lz_indexable(texture2d)(float,float,float,float) r0.x, v0.xyxx, t0.xxxx, s1, r2.x\n"
            "sample_c_indexable(texturecube)(float,float,float,float) r0.y, v0.xyzx, t3.xxxx, s1, r2.x\n"
            "add r1.xyzw, r1.xyzw, r0.xyxy\n";
  }
  const std::string text = ptx("mov r1.xyzw, l(0,0,0,0)\n" + body + "mov o0.xyzw, r1.xyzw\n");
  EXPECT_EQ(count(text, ".func (.param .b32 texlate_result) texlate_compare"), 2u);
  EXPECT_EQ(count(text, "call (texlate_result), texlate_compare"), 40u);
  EXPECT_EQ(count(text, "tex.level.2d"), 4u);
  const std::string ptxas = find_ptxas();
  if (!ptxas.empty()) {
    EXPECT_EQ(ptxas_complaint(ptxas, text), "");
  }
}

TEST(Ptx, ThreeFetchesAskTheirGuardsTogether) {
  std::string body = "mov r0.xyzw, v0.xyzw\n";
  for (const char* offset : {"-1,0,0", "0,0,0", "1,0,0"}) {
    body +=
        std::string("ld_aoffimmi_indexable(") + offset +
        ")(texture2d)(float,float,float,float) r1.xyzw, r0.xyww, t0.xyzw\nadd r2.xyzw, r1.xyzw, r2.xyzw\n";
  }
  const std::string text = ptx("mov r2.xyzw, l(0,0,0,0)\n" + body + "mov o0.xyzw, r2.xyzw\n");
  EXPECT_EQ(count(text, "tex.level.2d.v4.f32.s32"), 6u) << "with guards and without";
  EXPECT_EQ(count(text, "\ttex.level.2d.v4.f32.s32"), 3u);
  EXPECT_EQ(count(text, "bra L"), 2u);
  // One after the other: an instruction that waits for a fetch is not adjacent to it.
  const std::string chain =
      ptx("ld_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyww, t0.xyzw\n"
          "ld_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyww, t0.xyzw\n"
          "ld_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyww, t0.xyzw\n");
  EXPECT_EQ(count(chain, "tex.level.2d.v4.f32.s32"), 3u);
}

TEST(Ptx, ImplicitLevelIsQuadExchangeAndGradient) {
  const std::string text =
      ptx("sample_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0\n");
  EXPECT_EQ(count(text, "shfl.sync.bfly.b32"), 4u);
  EXPECT_EQ(count(text, "tex.grad.2d.v4.f32.f32"), 1u);
  EXPECT_THAT(text, HasSubstr(", 31, -1;"));
}

TEST(Ptx, DerivativesInVaryingFlowNameTheLanesThatCome) {
  const std::string text = ptx("if_nz v1.w\n  mul r0.x, v0.x, v0.y\n  deriv_rtx_coarse o0.x, r0.x\nendif \n");
  EXPECT_THAT(text, HasSubstr("vote.sync.ballot.b32 %m1, %p"));
  EXPECT_LT(text.find("vote.sync"), text.find(" bra "));
  EXPECT_THAT(text, HasSubstr(", 1, 31, %m1;"));
  EXPECT_THAT(text, HasSubstr(", %m1, %xmate;")) << "a pixel that is not there has no difference";
  EXPECT_THAT(text, Not(HasSubstr(", 31, -1;")));
}

TEST(Ptx, DerivativesOfInputsNeedNoMask) {
  const std::string text = ptx("if_nz v1.w\n  deriv_rtx_coarse o0.x, v0.x\nendif \n");
  EXPECT_THAT(text, Not(HasSubstr("vote.sync")));
  EXPECT_THAT(text, HasSubstr(", 1, 31, -1;"));
}

TEST(Ptx, DerivativesInUniformFlowNeedNoMask) {
  const std::string text = ptx("if_nz cb0[0].x\n  deriv_rtx_coarse r0.x, v0.x\n  mov o0.x, r0.x\nendif \n");
  EXPECT_THAT(text, Not(HasSubstr("vote.sync")));
  EXPECT_THAT(text, HasSubstr(", 1, 31, -1;"));
}

TEST(Ptx, FlowThatPartsAndMeetsAgainNeedsNoMaskAfterwards) {
  const std::string text =
      ptx("if_nz v1.w\n  add r0.x, v0.x, v0.y\nelse\n  mov r0.x, v0.z\nendif\nderiv_rtx_coarse o0.x, v0.x\n");
  EXPECT_THAT(text, Not(HasSubstr("vote.sync")));
  EXPECT_THAT(text, HasSubstr(", 1, 31, -1;"));
}

TEST(Ptx, PixelsThatReturnedAreNotWaitedFor) {
  const std::string text = ptx("retc_nz v1.w\nmul r0.x, v0.x, v0.y\nderiv_rtx_coarse o0.x, r0.x\n");
  EXPECT_THAT(text, HasSubstr("xor.b32 %m0, %m0, %m1;"));
  EXPECT_THAT(text, HasSubstr(", 1, 31, %m0;"));
}

TEST(Ptx, PixelsThatJumpOutOfAnArmAreCountedAtItsEnd) {
  const std::string text = ptx(
      "if_nz v1.w\n  add r0.x, v0.x, v0.y\n  retc_nz v1.x\n  mov o0.y, r0.x\nelse\n  mov o0.y, v0.y\nendif\n"
      "mul r1.x, v0.x, v0.y\nderiv_rtx_coarse o0.x, r1.x\n");
  EXPECT_THAT(text, HasSubstr("mov.b32 %pending, 3;"));
  EXPECT_THAT(text, HasSubstr("vote.sync.ballot.b32 %m0, %tp"));
}

TEST(Ptx, ADerivativeOfEqualValuesIsPositiveZero) {
  // Both pixels add: -x + x is +0 in round to nearest; its negation would be -0.
  const std::string text = ptx("deriv_rtx_coarse o0.x, v0.x\n");
  EXPECT_THAT(text, HasSubstr("add.rn.ftz.f32"));
  EXPECT_THAT(text, Not(HasSubstr("sub.rn.ftz.f32")));
}

// That of INF and NaN is computed like any other: it is NaN.
TEST(Ptx, ADerivativeOfAFiniteConstantIsFolded) {
  EXPECT_EQ(count(ptx("deriv_rtx_coarse o0.xyzw, l(1.0, -2.0, 0, 0x00000001)\n"), "shfl"), 0u);
  EXPECT_EQ(count(ptx("deriv_rty_fine o0.xyzw, l(1.0, 0x7f800000, 0xff800000, 0x7fc00000)\n"), "shfl"), 3u);
}

TEST(Ptx, LevelsOf3DAndCubesAreComputed) {
  for (const char* shape : {"texture3d)(float,float,float,float) o0.xyzw, v0.xyzx, t2",
                            "texturecube)(float,float,float,float) o0.xyzw, v0.xyzx, t3"}) {
    const std::string text = ptx(std::string("sample_indexable(") + shape + ".xyzw, s0\n");
    EXPECT_THAT(text, Not(HasSubstr("tex.grad"))) << shape;
    EXPECT_THAT(text, HasSubstr("tex.level.")) << shape;
    EXPECT_THAT(text, HasSubstr("lg2.approx.ftz.f32")) << shape;
  }
}

TEST(Ptx, LevelZeroIsWritten) {
  const std::string text = ptx(
      "sample_l_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.000000)\n");
  EXPECT_THAT(text, HasSubstr("tex.level.2d.v4.f32.f32"));
  EXPECT_THAT(text, HasSubstr(", 0f00000000;"));
}

TEST(Ptx, OffsetsAreWholeTuples) {
  const std::string text =
      ptx("sample_l_aoffimmi_indexable(-8,7,0)(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, "
          "t0.xyzw, s0, v0.z\n");
  EXPECT_THAT(text, HasSubstr(", {-8, 7};"));
}

TEST(Ptx, ArrayIndexIsRoundedAndClamped) {
  const std::string text = ptx(
      "sample_l_indexable(texture2darray)(float,float,float,float) o0.xyzw, v0.xyzx, t1.xyzw, s0, v0.w\n");
  EXPECT_THAT(text, HasSubstr("cvt.rni.ftz.f32.f32"));
  EXPECT_THAT(text, HasSubstr("cvt.rzi.ftz.u32.f32"));
  EXPECT_THAT(text, HasSubstr("min.u32"));
  EXPECT_THAT(text, HasSubstr("tex.level.a2d.v4.f32.f32"));
}

TEST(Ptx, CornerCasesOfArithmetic) {
  EXPECT_THAT(ptx("ishl o0.x, v0.x, v0.y\n"), HasSubstr(", 31;\n"));
  EXPECT_THAT(ptx("udiv o0.x, null, v0.x, v0.y\n"), HasSubstr(", -1, %p"));
  EXPECT_THAT(ptx("ne r0.x, v0.x, v0.y\nmov o0.x, r0.x\n"), HasSubstr("setp.neu.ftz.f32"));
  EXPECT_THAT(ptx("mul_sat o0.x, v0.x, v0.y\n"), HasSubstr("mul.rn.ftz.sat.f32"));
  EXPECT_THAT(ptx("add o0.x, v0.x, v0.y\n"), HasSubstr("add.rn.ftz.f32"));
  EXPECT_THAT(ptx("f32tof16 o0.x, v0.x\n"), HasSubstr("cvt.rz.ftz.f16.f32"));
  EXPECT_THAT(ptx("firstbit_hi o0.x, v0.x\n"), HasSubstr("bfind.shiftamt.u32"));
}

TEST(Ptx, DivisionsAreExactOnlyIfTheyArePrecise) {
  const std::string plain = ptx("div o0.xyzw, v0.xyzw, v0.yzwx\n");
  EXPECT_EQ(count(plain, "div.full.ftz.f32"), 4u) << plain;
  EXPECT_EQ(count(plain, "div.rn"), 0u) << plain;
  const std::string mixed = ptx("div [precise(x)] o0.xyzw, v0.xyzw, v0.yzwx\n");
  EXPECT_EQ(count(mixed, "div.rn.ftz.f32"), 1u) << mixed;
  EXPECT_EQ(count(mixed, "div.full.ftz.f32"), 3u) << mixed;
  std::string strict = pixel_shader("div o0.xyzw, v0.xyzw, v0.yzwx\n");
  strict.erase(strict.find("dcl_globalFlags"),
               strict.find("dcl_constantbuffer") - strict.find("dcl_globalFlags"));
  EXPECT_EQ(count(translate(strict).text, "div.rn.ftz.f32"), 4u);
}

// ptxas gives set.ftz.f32.f32 the result of set.u32.f32.
TEST(Ptx, ComparisonsGiveOneBySelp) {
  const std::string text = ptx("lt r0.x, v0.x, v0.y\nand o0.xyzw, r0.xxxx, l(1.0,1.0,1.0,1.0)\n");
  EXPECT_EQ(count(text, "selp.f32 %r"), 1u) << text;
  EXPECT_THAT(text, HasSubstr(", 0f3F800000, 0f00000000, %p"));
  EXPECT_THAT(text, Not(HasSubstr("\tset.")));
}

TEST(Ptx, PlanesAreAddressedByConstants) {
  const Outcome depth = translate("ps_5_0\ndcl_output oDepth\nmov oDepth, l(0.5)\nret\n");
  ASSERT_TRUE(depth.ok) << depth.diagnostics;
  // The first words of the outputs and of what pixels report, and one step to plane 128.
  EXPECT_EQ(count(depth.text, "mul.wide.u32 %td"), 3u) << depth.text;
  EXPECT_EQ(count(depth.text, ", 512;"), 1u) << depth.text;
  const std::string color = ptx("mov o0.xyzw, v0.xyzw\n");
  // The same and the first word of the inputs, and three steps each for inputs and outputs.
  EXPECT_EQ(count(color, "mul.wide.u32 %td"), 9u) << color;
}

// Which form ptxas makes fewer instructions of depends on the target.
TEST(Ptx, ARowOfARunTimeNumberIsAProductAndASum) {
  const std::string source =
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[64], dynamicIndexed\n"
      "dcl_input v0.x\ndcl_output o0.x\ndcl_temps 1\nmov r0.x, v0.x\n"
      "mov o0.x, cb0[r0.x].y\nret\n";
  library::TranslateOptions options;
  options.backend.sm = 61;
  const std::string before = translate(source, options).text;
  EXPECT_THAT(before, ContainsRegex("mad.wide.u32 %rd[0-9]+, %r[0-9]+, 16, %rd"));
  EXPECT_THAT(before, Not(HasSubstr("mul.wide")));
  options.backend.sm = 70;
  const std::string after = translate(source, options).text;
  EXPECT_THAT(after,
              ContainsRegex("mul.wide.u32 %td[0-9]+, %r[0-9]+, 16;\n\tadd.u64 %rd[0-9]+, %td[0-9]+, %rd"));
  EXPECT_THAT(after, Not(ContainsRegex("mad.wide.u32 %rd[0-9]+, %r[0-9]+, 16, ")));
}

TEST(Ptx, LoopsMoveTheirValuesAllAtOnce) {
  // r0 and r1 swap in each iteration.
  const std::string text =
      ptx("mov r0.x, v0.x\nmov r1.x, v0.y\nmov r2.x, l(0)\nloop \n  ige r2.y, r2.x, l(5)\n  breakc_nz r2.y\n"
          "  mov r3.x, r0.x\n  mov r0.x, r1.x\n  mov r1.x, r3.x\n  iadd r2.x, r2.x, l(1)\nendloop \nmov "
          "o0.x, r0.x\nmov o0.y, r1.x\n");
  EXPECT_THAT(text, HasSubstr("mov.b32 %t")) << "one of the two is saved before it is overwritten";
}

TEST(Ptx, DiscardKeepsThePixelAsAHelper) {
  const std::string text = ptx("discard_nz v0.x\nderiv_rtx_coarse o0.x, v0.y\n");
  EXPECT_THAT(text, HasSubstr("and.pred %live, %live"));
  EXPECT_LT(text.find("and.pred %live"), text.find("shfl.sync"));
}

TEST(Ptx, StoresOfPixelShadersArePredicatedByCoverage) {
  const std::string text = ptx("store_uav_typed u0.xyzw, v0.xyyy, v1.xyzw\nmov o0.xyzw, v0.xyzw\n",
                               "dcl_uav_typed_texture2d (float,float,float,float) u0\n");
  EXPECT_THAT(text, HasSubstr(", %live;"));
  EXPECT_THAT(text, HasSubstr("sust.b.2d.v4.b32.zero"));
}

TEST(Ptx, WhatCannotBeExpressedNamesInstructionAndTarget) {
  library::TranslateOptions before;
  before.backend.sm = 53;
  const Outcome outcome = translate(
      pixel_shader("ld_s_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.x, v0.xyzw, t0.xyzw\n"),
      before);
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.diagnostics, HasSubstr("test.asm:14:1: error: "));
  EXPECT_THAT(outcome.diagnostics, HasSubstr("residency feedback before sm_60"));
  EXPECT_THAT(outcome.diagnostics, HasSubstr("ptx"));
  EXPECT_THAT(outcome.diagnostics, HasSubstr("    ld_s_indexable"));
}

TEST(Ptx, ComparisonsOnCubesPointAtTheirTexels) {
  const std::string text =
      ptx("sample_c_indexable(texturecube)(float,float,float,float) o0.x, v0.xyzx, t3.xxxx, s1, v0.w\n");
  EXPECT_EQ(count(text, "tex.level.cube.v4.f32.f32"), 4u);
  EXPECT_THAT(text, Not(HasSubstr("tld4")));
}

TEST(Ptx, ResidencyIsThePredicateOfTheInstruction) {
  const std::string source = pixel_shader(
      "ld_s_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.x, v0.xyzw, t0.xyzw\n"
      "check_access_fully_mapped r0.x, r0.x\nmov o0.x, r0.x\n");
  const Outcome outcome = translate(source);
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_THAT(outcome.text, HasSubstr(".version 7.1"));
  EXPECT_THAT(outcome.text, HasSubstr("}|%tp"));
  const std::string ptxas = find_ptxas();
  if (!ptxas.empty()) {
    EXPECT_EQ(ptxas_complaint(ptxas, outcome.text), "");
  }
  library::TranslateOptions before;
  before.backend.sm = 53;
  const Outcome old = translate(source, before);
  EXPECT_FALSE(old.ok);
  EXPECT_THAT(old.diagnostics, HasSubstr("residency feedback before sm_60"));
}

TEST(Ptx, ResidencyOfWhatIsSampledByHandIsThatOfItsTexels) {
  const std::string text =
      ptx("gather4_po_s_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.x, v0.xyxx, v0.xyxx, "
          "t0.xyzw, s0.x\ncheck_access_fully_mapped o0.x, r0.x\n");
  EXPECT_EQ(count(text, "}|%tp"), 4u);
}

// Nothing that is read as linear memory is absent.
TEST(Ptx, ResidencyOfMemoryIsAlwaysGood) {
  const Outcome outcome = translate(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\n"
      "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_uav_raw u1\ndcl_input vThreadID.x\n"
      "dcl_temps 2\ndcl_thread_group 8, 1, 1\n"
      "ld_raw_s_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, r1.x, vThreadID.x, t0.x\n"
      "ld_uav_typed_s_indexable(texture2d)(float,float,float,float) null, r1.y, vThreadID.xxxx, u0.xyzw\n"
      "check_access_fully_mapped r1.x, r1.x\ncheck_access_fully_mapped r1.y, r1.y\n"
      "store_raw u1.xy, l(0), r1.xyxx\nret\n");
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_THAT(outcome.text, Not(HasSubstr("}|%")));
  EXPECT_THAT(outcome.text, Not(HasSubstr("suld"))) << "a surface does not say";
}

constexpr std::string_view kUnbounded =
    "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_sampler S0[0:4294967295], mode_default, space=0\n"
    "dcl_resource_texture2d (float,float,float,float) T0[2:4294967295], space=1\ndcl_constantbuffer "
    "CB0[0:4294967295][4], immediateIndexed, space=0\n"
    "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\nftou r0.xy, v0.zwzz\n"
    "sample r1.xyzw, v0.xyxx, T0[r0.x + 2].xyzw, S0[r0.y + 0]\nadd o0.xyzw, r1.xyzw, CB0[r0.x + "
    "0][1].xyzw\nret\n";

TEST(Ptx, LongRangesAreTables) {
  library::TranslateOptions options;
  options.reflect = true;
  const Outcome outcome = translate(kUnbounded, options);
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_THAT(outcome.text, HasSubstr("ld.global.nc.u64"));
  EXPECT_THAT(outcome.text, HasSubstr("texlate_unbound"));
  EXPECT_EQ(count(outcome.reflection, "\"table\": true"), 3u) << outcome.reflection;
  const std::string ptxas = find_ptxas();
  if (!ptxas.empty()) {
    EXPECT_EQ(ptxas_complaint(ptxas, outcome.text), "");
  }
}

TEST(Ptx, ResidencyThatTheCallerVouchesForIsAConstant) {
  library::TranslateOptions options;
  const ptx::TargetOptions own{.all_mapped = true};
  options.backend.own = &own;
  const Outcome outcome = translate(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\ndcl_input "
      "vThreadID.x\n"
      "dcl_temps 2\ndcl_thread_group 8, 1, 1\n"
      "ld_raw_s_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, r1.x, vThreadID.x, t0.x\n"
      "check_access_fully_mapped r1.x, r1.x\nand r0.x, r0.x, r1.x\nstore_raw u0.x, l(0), r0.x\nret\n",
      options);
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_THAT(outcome.text, Not(HasSubstr("}|%")));
}

TEST(Ptx, AFloorOfTheLevelIsComputed) {
  const std::string text =
      ptx("sample_cl_s_indexable(texture2d)(float,float,float,float) o0.xyzw, null, v0.xyxx, t0.xyzw, s0, "
          "v0.w\n");
  EXPECT_THAT(text, HasSubstr("tex.level.2d"));
  EXPECT_THAT(text, HasSubstr("max.ftz.f32"));
}

TEST(Ptx, StatementsForTheDebugLayerAreNotLeftOutInSilence) {
  const Outcome outcome = translate(pixel_shader("abort\nmov o0.x, v0.x\n"));
  EXPECT_TRUE(outcome.ok);
  EXPECT_THAT(outcome.diagnostics, HasSubstr("test.asm:14:1: warning: abort is ignored"));
}

TEST(Ptx, CoverageIsWhatTheHostSays) {
  const std::string text = ptx("mov o0.x, vCoverage.x\n", "dcl_input vCoverage\n");
  EXPECT_THAT(text, HasSubstr("and.b32 %r"));
  EXPECT_THAT(text, HasSubstr("%coverage, 0x7fffffff;"));
}

TEST(Ptx, OutputsOfARunTimeNumberAreChosen) {
  const Outcome outcome = translate(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps constant v0.x\ndcl_output o0.x\ndcl_output "
      "o1.x\n"
      "dcl_indexrange o0.x 2\ndcl_temps 1\nmov r0.x, v0.x\nmov o0.x, l(0)\nmov o1.x, l(0)\n"
      "mov o[r0.x + 0].x, l(1.0)\nret\n");
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_EQ(count(outcome.text, "setp.eq.s32 %p"), 2u) << outcome.text;
  EXPECT_EQ(count(outcome.text, "selp.f32 %r"), 2u) << outcome.text;
}

// The number of planes times the number of elements may exceed 32 bits.
TEST(Ptx, PlanesOfARunTimeNumberAreAddressedIn64Bits) {
  const std::string text = ptx("mov r0.x, v0.w\nmov o0.xyzw, v[r0.x + 1].xyzw\n",
                               "dcl_input_ps linear v31.xyzw\ndcl_indexrange v0.xyzw 32\n");
  EXPECT_THAT(text, ContainsRegex("shl.b32 %r[0-9]+, %r[0-9]+, 4;\n\tadd.s32 %r[0-9]+, %r[0-9]+, 12;\n"
                                  "\tmul.wide.u32 %td[0-9]+, %r[0-9]+, %r[0-9]+;\n\tadd.u64 %rd"));
  EXPECT_THAT(text, Not(HasSubstr("mul.lo.u32 %r")));
}

TEST(Ptx, BlocksOfElementsAreBounded) {
  EXPECT_THAT(ptx("mov o0.x, v0.x\n"), HasSubstr(".maxntid 256\n.minnctapersm 1\n{"));
  library::TranslateOptions options;
  const ptx::TargetOptions own{.max_registers = 40, .max_threads = 512};
  options.backend.own = &own;
  options.reflect = true;
  const Outcome outcome = translate(pixel_shader("mov o0.x, v0.x\n"), options);
  EXPECT_THAT(outcome.text, HasSubstr(".maxntid 512\n.maxnreg 40\n{"));
  EXPECT_THAT(outcome.reflection, HasSubstr("\"max_threads\": 512"));
  const ptx::TargetOptions odd{.max_threads = 100};
  options.backend.own = &odd;
  EXPECT_THAT(translate(pixel_shader("mov o0.x, v0.x\n"), options).diagnostics,
              HasSubstr("a block of 100 threads: ptx needs a multiple of 32, up to 1024"));
}

TEST(Ptx, LinesOfTheSource) {
  library::TranslateOptions options;
  const std::string source = pixel_shader("mov r0.x, v0.x\nadd o0.x, r0.x, v0.y\n");
  const ptx::TargetOptions own{.debug = true, .source_name = "a \"b\" \u00e9.asm", .source = source};
  options.backend.own = &own;
  const Outcome outcome = translate(source, options);
  EXPECT_THAT(outcome.text, HasSubstr(".file 1 \"a _b_ __.asm\"\n"));
  EXPECT_THAT(outcome.text, HasSubstr("\t// add o0.x, r0.x, v0.y\n\t.loc 1 15 1\n"));
  const std::string ptxas = find_ptxas();
  if (!ptxas.empty()) {
    EXPECT_EQ(ptxas_complaint(ptxas, outcome.text), "");
  }
}

// Linked by nvlink with a kernel compiled by nvcc.
TEST(Ptx, FunctionsAreLinked) {
  library::TranslateOptions options;
  const ptx::TargetOptions own{.function = true};
  options.backend.own = &own;
  options.backend.entry = "shade";
  options.reflect = true;
  const Outcome outcome =
      translate(pixel_shader("sample_indexable(texture2d)(float,float,float,float) o0.xyzw, "
                             "v0.xyxx, t0.xyzw, s0\n"),
                options);
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_THAT(outcome.text, HasSubstr(".visible .func shade(\n\t.param .u64 "));
  EXPECT_THAT(outcome.text, Not(HasSubstr("ntid 2")));
  EXPECT_THAT(outcome.reflection, HasSubstr("\"function\": true"));
  const std::string ptxas = find_ptxas();
  // Next to ptxas, or in the folder of the toolkit's packages.
  std::string tools = ptxas.substr(0, ptxas.rfind('/') + 1);
  if (read_file(tools + "nvcc").empty()) tools = "/usr/local/cuda/bin/";
  if (ptxas.empty() || read_file(tools + "nvcc").empty() || read_file(tools + "nvlink").empty())
    GTEST_SKIP() << "no nvcc on this machine";
  const std::string folder = ::testing::TempDir() + "texlate_link_" + std::to_string(::getpid());
  const auto run = [](const std::string& command) { return std::system(command.c_str()); };
  ASSERT_EQ(run("mkdir -p " + folder), 0);
  ASSERT_TRUE(write_file(folder + "/shade.ptx", outcome.text));
  ASSERT_TRUE(
      write_file(folder + "/caller.cu",
                 "extern \"C\" __device__ void shade(unsigned long long block);\n"
                 "extern \"C\" __global__ void kernel(unsigned long long block) { shade(block); }\n"));
  const std::string at = "cd " + folder + " && " + tools;
  EXPECT_EQ(run(at + "nvcc -arch=sm_80 -rdc=true -cubin -o caller.cubin caller.cu"), 0);
  EXPECT_EQ(run(at + "ptxas -c -arch=sm_80 -o shade.cubin shade.ptx"), 0);
  EXPECT_EQ(run(at + "nvlink -arch=sm_80 caller.cubin shade.cubin -o linked.cubin"), 0);
  EXPECT_EQ(run("rm -r " + folder), 0);
}

// docs/reference/ptx.md 1.2 "never emit these", section 9 item 5.
TEST(Ptx, NeverEmitsWhatPtxasMiscompiles) {
  for (const char* body :
       {"sample_d_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0, v1.xyxx, "
        "v1.zwzz\n",
        "sample_c_indexable(texture2d)(float,float,float,float) o0.x, v0.xyxx, t0.xxxx, s1, v0.z\n",
        "gather4_c_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s1.x, v0.z\n",
        "sample_c_lz_indexable(texturecube)(float,float,float,float) o0.x, v0.xyzx, t3.xxxx, s1, v0.w\n"}) {
    const std::string text = ptx(body);
    EXPECT_THAT(text, Not(HasSubstr("tex.grad.3d")));
    EXPECT_THAT(text, Not(HasSubstr("tex.grad.cube")));
    EXPECT_THAT(text, Not(HasSubstr("tex.2d.")));
    EXPECT_THAT(text, Not(HasSubstr("tex.1d.v4.f32.f32")));
  }
}

TEST(Ptx, JudgedByPtxas) {
  const std::string ptxas = find_ptxas();
  if (ptxas.empty()) GTEST_SKIP() << "no ptxas on this machine";
  const std::string compute =
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (uint,uint,uint,uint) "
      "u0\ndcl_uav_typed_buffer (float,float,float,float) u1\n"
      "dcl_uav_structured_opc u2, 16\ndcl_uav_raw u3\ndcl_resource_structured t0, 32 \ndcl_resource_raw "
      "t1\ndcl_resource_buffer (float,float,float,float) t2\n"
      "dcl_input vThreadID.xyz\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 3\ndcl_indexableTemp x0[4], "
      "4\ndcl_tgsm_raw g0, 256\ndcl_thread_group 64, 1, 1\n"
      "imm_atomic_iadd r0.x, u0, vThreadID.xyxx, l(1)\natomic_umax u0, vThreadID.xyxx, r0.x\n"
      "imm_atomic_alloc r0.y, u2\nstore_structured u2.xyzw, r0.y, l(0), vThreadID.xyzx\n"
      "ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) r1.xyzw, vThreadID.x, "
      "l(16), t0.xyzw\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r2.xy, vThreadID.x, t1.xyxx\n"
      "ld_indexable(buffer)(float,float,float,float) r2.zw, vThreadID.xxxx, t2.xxxy\n"
      "mov x0[r0.x + 1].xyzw, r1.xyzw\nmov r1.x, x0[r0.y + 0].y\n"
      "store_raw g0.x, r0.x, r1.x\nsync_g_t\nimm_atomic_exch r1.y, g0, r0.x, r1.x\nimm_atomic_cmp_exch r1.z, "
      "u3, r0.x, l(1), l(2)\n"
      "store_uav_typed u1.xyzw, vThreadID.xxxx, r2.xyzw\nstore_raw u3.xyzw, r0.x, r1.xyzw\nret \n";
  library::TranslateOptions options;
  const backend::ViewFormat half4{1, 4, 16, backend::TexelKind::float_};
  options.backend.view_formats = {&half4, 1};
  const Outcome outcome = translate(compute, options);
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_EQ(ptxas_complaint(ptxas, outcome.text), "") << outcome.text;
}

// Every UAV format that the option accepts.
TEST(Ptx, SurfaceFormatsAreJudgedByPtxas) {
  const std::string ptxas = find_ptxas();
  if (ptxas.empty()) GTEST_SKIP() << "no ptxas on this machine";
  std::string all;
  for (uint8_t components : {1, 2, 4}) {
    for (uint8_t bits : {8, 16, 32}) {
      for (int kind = 0; kind < 5; ++kind) {
        const auto texel = static_cast<backend::TexelKind>(kind);
        const bool normalized = texel == backend::TexelKind::unorm || texel == backend::TexelKind::snorm;
        if ((texel == backend::TexelKind::float_ && bits == 8) || (normalized && bits == 32)) continue;
        library::TranslateOptions options;
        const backend::ViewFormat formats[] = {
            {0, components, bits, texel}, {1, components, bits, texel}, {2, components, bits, texel}};
        options.backend.view_formats = formats;
        const Outcome outcome = translate(
            "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (float,float,float,float) "
            "u0\n"
            "dcl_uav_typed_texture2d (float,float,float,float) u1\ndcl_uav_typed_texture2d "
            "(float,float,float,float) u2\n"
            "dcl_input vThreadID.xy\ndcl_temps 2\ndcl_thread_group 8, 8, 1\n"
            "ld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, vThreadID.xyyy, u0.xyzw\n"
            "ld_uav_typed_indexable(texture2d)(float,float,float,float) r1.xyzw, vThreadID.xyyy, u1.xyzw\n"
            "add r0.xyzw, r0.xyzw, r1.xyzw\n"
            "store_uav_typed u0.xyzw, vThreadID.yxxx, r0.wzyx\n"
            "store_uav_typed u2.xyzw, vThreadID.yxxx, r0.wzyx\nret \n",
            options);
        ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
        const std::string complaint = ptxas_complaint(ptxas, outcome.text);
        if (!complaint.empty())
          all += complaint + " for " + std::to_string(components) + "x" + std::to_string(bits) + " kind " +
                 std::to_string(kind) + "\n";
      }
    }
  }
  EXPECT_EQ(all, "");
}

std::string compute(std::string_view body, std::string_view declarations) {
  return "cs_5_0\ndcl_globalFlags refactoringAllowed\n" + std::string(declarations) +
         "dcl_input vThreadID.xyz\ndcl_temps 2\ndcl_thread_group 8, 8, 1\n" + std::string(body) + "ret\n";
}

constexpr std::string_view kLoad =
    "ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, vThreadID.xyyy, u0.xyzw\n";
constexpr std::string_view kStore = "store_uav_typed u0.xyzw, vThreadID.yxxx, vThreadID.xyzx\n";
constexpr std::string_view kView = "dcl_uav_typed_texture2d (uint,uint,uint,uint) u0\n";

TEST(PtxViews, ReadAndWrittenOnesAreMemory) {
  // Surface accesses are outside PTX's memory consistency model.
  const Outcome read_only = translate(
      compute(std::string(kLoad) + "store_raw u1.x, l(0), r0.x\n", std::string(kView) + "dcl_uav_raw u1\n"));
  ASSERT_TRUE(read_only.ok) << read_only.diagnostics;
  EXPECT_THAT(read_only.text, HasSubstr("suld.b.2d"));
  const Outcome written = translate(compute(kStore, kView));
  ASSERT_TRUE(written.ok) << written.diagnostics;
  EXPECT_THAT(written.text, HasSubstr("sust.b.2d"));
  const Outcome both =
      translate(compute(std::string(kLoad) + "store_uav_typed u0.xyzw, vThreadID.yxxx, r0.xyzw\n", kView));
  ASSERT_TRUE(both.ok) << both.diagnostics;
  EXPECT_THAT(both.text, Not(HasSubstr("suld")));
  EXPECT_THAT(both.text, Not(HasSubstr("sust")));
  EXPECT_THAT(both.text, HasSubstr("ld.global.v4.b32"));
  EXPECT_THAT(both.text, HasSubstr("st.global.v4.b32"));
}

TEST(PtxViews, GloballyCoherentOnesAreStrongMemory) {
  const Outcome coherent =
      translate(compute(kStore, "dcl_uav_typed_texture2d_glc (uint,uint,uint,uint) u0\n"));
  ASSERT_TRUE(coherent.ok) << coherent.diagnostics;
  EXPECT_THAT(coherent.text, HasSubstr("st.volatile.global.v4.b32"));
  EXPECT_THAT(coherent.text, Not(HasSubstr("sust")));
}

TEST(PtxViews, OnesWithAtomicsHaveOneWord) {
  const std::string text = compute("atomic_iadd u0, vThreadID.xyxx, vThreadID.x\n", kView);
  library::TranslateOptions options;
  options.reflect = true;
  const Outcome plain = translate(text, options);
  ASSERT_TRUE(plain.ok) << plain.diagnostics;
  EXPECT_THAT(plain.reflection, HasSubstr("\"components\": 1"));
  EXPECT_THAT(plain.reflection, HasSubstr("\"form\": \"memory\""));
  const backend::ViewFormat bytes{0, 4, 8, backend::TexelKind::uint};
  options.backend.view_formats = {&bytes, 1};
  const Outcome other = translate(text, options);
  EXPECT_FALSE(other.ok);
  EXPECT_THAT(other.diagnostics, HasSubstr("u0 has atomics"));
}

TEST(PtxViews, ANullCounterIsNotCounted) {
  const Outcome outcome = translate(compute("imm_atomic_alloc r0.x, u0\nstore_raw u1.x, l(0), r0.x\n",
                                            "dcl_uav_structured_opc u0, 4\ndcl_uav_raw u1\n"));
  ASSERT_TRUE(outcome.ok) << outcome.diagnostics;
  EXPECT_THAT(outcome.text, test::HasMatch("setp\\.ne\\.u64 %p[0-9]+, %td[0-9]+, 0"));
}

// The three instructions that unpack UNORM and SNORM, for every number.
TEST(PtxQuotient, IsThatOfADivision) {
  for (int bits : {2, 4, 5, 6, 8, 10, 16}) {
    for (bool is_signed : {false, true}) {
      if (is_signed && bits != 8 && bits != 16) continue;
      const int top = (1 << (bits - (is_signed ? 1 : 0))) - 1;
      const auto steps = static_cast<float>(top);
      const float reciprocal = 1.0f / steps;
      for (int c = is_signed ? -top - 1 : 0; c <= top; ++c) {
        const auto value = static_cast<float>(c);
        const float quotient = value * reciprocal;
        const float rest = fused(quotient, -steps, value);
        ASSERT_EQ(fused(rest, reciprocal, quotient), value / steps) << c << " of " << top;
      }
    }
  }
}

}  // namespace
}  // namespace texlate::test
