// Joining scalar operations: each rule, operations that must stay separate, and random modules whose meaning
// must not change.
#include "backend/spirv/packs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "backend/spirv/emit.h"
#include "backend/spirv/spirv_tools.h"
#include "ir/passes/optimize.h"
#include "tests/support/has_match.h"
#include "tests/support/ir_text.h"
#include "tests/support/random_ir.h"
#include "tests/support/spirv_meaning.h"
#include "tests/support/spirv_text.h"
#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<uint32_t> emitted(const ir::Module& module, bool vectors, Robustness robustness) {
  Options options;
  options.vectors = vectors;
  options.robustness = robustness;
  Diagnostics diagnostics;
  std::pmr::vector<uint32_t> words;
  EXPECT_TRUE(emit(module, options, words, diagnostics)) << ir::to_text(diagnostics);
  std::string message;
  EXPECT_TRUE(validate(words, message)) << message << '\n' << to_text(words);
  return {words.begin(), words.end()};
}

/// The module with vectors as text; it must do the same as the module without them.
std::string joined(std::string_view body, std::string_view header = {}) {
  ir::Module module;
  std::string text = ir::with_body(body);
  if (!header.empty()) text.insert(text.find("registers"), header);
  ir::parse_or_fail(text, module);
  const auto scalar = emitted(module, false, Robustness::driver);
  const auto vector = emitted(module, true, Robustness::driver);
  EXPECT_EQ(meaning(vector), meaning(scalar)) << to_text(scalar) << to_text(vector);
  return to_text(vector);
}

size_t pack_count(const std::string& text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

const std::string kInput =
    "  %0 = input v0.x\n"
    "  %1 = input v0.y\n"
    "  %2 = input v0.z\n"
    "  %3 = input v0.w\n";
/// Writes these values to o0.
std::string outputs(int a, int b, int c, int d) {
  std::string text;
  const char* names[] = {"x", "y", "z", "w"};
  const int values[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i)
    text += "  output o0." + std::string(names[i]) + ", %" + std::to_string(values[i]) + "\n";
  return text + "  return\n";
}

TEST(SpirvPacks, SameOperationsOnComponentsBecomeOne) {
  const std::string text = joined(kInput +
                                  "  %4 = fadd.f32 %0, %1\n"
                                  "  %5 = fadd.f32 %1, %2\n"
                                  "  %6 = fadd.f32 %2, %3\n"
                                  "  %7 = fadd.f32 %3, %0\n" +
                                  outputs(4, 5, 6, 7));
  EXPECT_EQ(pack_count(text, "OpFAdd %v4float"), 1u) << text;
  EXPECT_EQ(pack_count(text, "OpVectorShuffle"), 1u) << text;  // yzwx
  EXPECT_THAT(text, Not(HasSubstr("OpCompositeExtract")));
}

TEST(SpirvPacks, AVectorTimesOneScalar) {
  const std::string text = joined(kInput +
                                  "  %4..%7 = cb.load cb0[1]\n"
                                  "  %8 = fmul.f32 %0, %5\n"
                                  "  %9 = fmul.f32 %1, %5\n"
                                  "  %10 = fmul.f32 %2, %5\n"
                                  "  %11 = fmul.f32 %3, %5\n" +
                                  outputs(8, 9, 10, 11));
  EXPECT_EQ(pack_count(text, "OpVectorTimesScalar %v4float"), 1u) << text;
}

// Sums are vectors of doubles; one of them scales both.
TEST(SpirvPacks, AVectorOfDoublesTimesOneDouble) {
  const FromListing cs(
      "cs_5_0\n"
      "dcl_globalFlags enableDoublePrecisionFloatOps\n"
      "dcl_constantbuffer cb0[3], immediateIndexed\n"
      "dcl_uav_raw u0\n"
      "dcl_temps 1\n"
      "dcl_thread_group 1, 1, 1\n"
      "dadd r0.xyzw, cb0[0].xyzw, cb0[1].xyzw\n"
      "dmul r0.xyzw, r0.xyzw, cb0[2].xyxy\n"
      "dadd r0.xyzw, r0.xyzw, cb0[1].xyzw\n"
      "store_raw u0.xyzw, l(0), r0.xyzw\n"
      "ret\n");
  EXPECT_EQ(cs.count("OpVectorTimesScalar %v2double"), 1u) << cs.text;
  EXPECT_EQ(cs.count("v2float"), 0u) << cs.text;
}

TEST(SpirvPacks, ConstantsBecomeOneComposite) {
  const std::string text = joined(kInput +
                                  "  %4 = fmul.f32 %0, 2.0f\n"
                                  "  %5 = fmul.f32 %1, 3.0f\n"
                                  "  %6 = fmul.f32 %2, 4.0f\n"
                                  "  %7 = fmul.f32 %3, 5.0f\n" +
                                  outputs(4, 5, 6, 7));
  EXPECT_EQ(pack_count(text, "OpFMul %v4float"), 1u) << text;
  EXPECT_EQ(pack_count(text, "OpConstantComposite"), 1u) << text;
}

TEST(SpirvPacks, ChainsOfProductsBecomeDotProducts) {
  const std::string code = kInput +
                           "  %4..%7 = cb.load cb0[1]\n"
                           "  %8 = fmul.f32 %0, %4\n"
                           "  %9 = ffma.f32 %5, %1, %8\n"
                           "  %10 = ffma.f32 %2, %6, %9\n"
                           "  %11 = ffma.f32 %3, %7, %10\n" +
                           outputs(11, 11, 11, 11);
  EXPECT_EQ(pack_count(joined(code, "refactoring_allowed\n"), "OpDot"), 1u);
}

TEST(SpirvPacks, ProductsWithConstantsAreDotProductsToo) {
  const std::string code = kInput +
                           "  %4 = fmul.f32 %0, 0.25f\n"
                           "  %5 = ffma.f32 %1, 0.5f, %4\n"
                           "  %6 = ffma.f32 %2, 0.125f, %5\n" +
                           outputs(6, 6, 6, 6);
  EXPECT_EQ(pack_count(joined(code, "refactoring_allowed\n"), "OpDot"), 1u);
}

TEST(SpirvPacks, AVectorTimesItsOwnComponent) {
  const std::string text = joined(kInput +
                                  "  %4 = fmul.f32 %0, %3\n"
                                  "  %5 = fmul.f32 %3, %1\n"
                                  "  %6 = fmul.f32 %2, %3\n"
                                  "  %7 = fmul.f32 %3, %3\n" +
                                  outputs(4, 5, 6, 7));
  EXPECT_EQ(pack_count(text, "OpVectorTimesScalar %v4float"), 1u) << text;
  EXPECT_EQ(pack_count(text, "OpVectorShuffle"), 0u) << text;
}

TEST(SpirvPacks, WhatIsPutTogetherKeepsItsVectors) {
  const std::string three =
      "  %4 = fsqrt.f32 %0\n"
      "  %5 = fsqrt.f32 %1\n"
      "  %6 = fsqrt.f32 %2\n"
      "  %7 = flog2.f32 %3\n";
  const std::string text = joined(kInput + three + outputs(4, 5, 6, 7));
  EXPECT_THAT(text, test::HasMatch("OpCompositeConstruct %v4float %[0-9]+ %[0-9]+\n")) << text;
  EXPECT_EQ(pack_count(text, "OpCompositeExtract"), 1u) << text;  // of v0.w
}

TEST(SpirvPacks, OneLaneIsInserted) {
  const std::string text = joined(kInput + "  %4 = flog2.f32 %3\n" + outputs(4, 1, 2, 3));
  EXPECT_THAT(text, test::HasMatch("OpCompositeInsert %v4float %[0-9]+ %[0-9]+ 0\n")) << text;
  EXPECT_EQ(pack_count(text, "OpCompositeExtract"), 1u) << text;
}

TEST(SpirvPacks, TwoLanesAreNotThree) {
  // %0 is the very first value: a third lane, not the end of the list.
  const std::string text = joined(
      "  %0 = input v0.x\n"
      "  %1 = flog2.f32 %0\n"
      "  %2 = fexp2.f32 %0\n"
      "  %3..%6 = tex.sample t0 s0 texture2d float coord(%1, %2) implicit\n"
      "  %7..%10 = tex.sample t2 s0 texturecube float coord(%1, %2, %0) implicit\n" +
      outputs(3, 4, 7, 8));
  EXPECT_EQ(pack_count(text, "OpCompositeConstruct %v2float"), 1u) << text;
  EXPECT_EQ(pack_count(text, "OpCompositeConstruct %v3float"), 1u) << text;
}

TEST(SpirvPacks, AVectorOfOneArmIsNotThereBehindIt) {
  const std::string text = joined(
      "  %0 = input v0.x\n"
      "  %1 = flog2.f32 %0\n"
      "  %2 = fexp2.f32 %0\n"
      "  %3 = flt.f32 %0, %1\n"
      "  if %3\n"
      "    %4..%7 = tex.sample t0 s0 texture2d float coord(%1, %2) level_zero\n"
      "  else yields(%4)\n"
      "  %8 = endif yields(%2)\n"
      "  %9..%12 = tex.sample t0 s0 texture2d float coord(%1, %2) level_zero\n"
      "  %13..%16 = tex.sample t0 s0 texture2d float coord(%1, %2) level_zero\n" +
      outputs(8, 9, 10, 14));
  EXPECT_EQ(pack_count(text, "OpCompositeConstruct %v2float"), 2u) << text;
}

TEST(SpirvPacks, AnOperandOfAPackIsNotPartOfIt) {
  // Each needs the previous one.
  const std::string text = joined(kInput +
                                  "  %4 = fadd.f32 %0, %1\n"
                                  "  %5 = fadd.f32 %4, %2\n"
                                  "  %6 = fadd.f32 %5, %3\n"
                                  "  %7 = fadd.f32 %6, %0\n" +
                                  outputs(4, 5, 6, 7));
  EXPECT_EQ(pack_count(text, "OpFAdd %float"), 4u) << text;
}

TEST(SpirvPacks, PreciseAndOtherOperationsStayApart) {
  const std::string text = joined(kInput +
                                      "  %4 = fadd.f32 [precise] %0, 1.0f\n"
                                      "  %5 = fadd.f32 %1, 1.0f\n"
                                      "  %6 = fadd.f32 [precise] %2, 1.0f\n"
                                      "  %7 = fadd.f32 %3, 1.0f\n" +
                                      outputs(4, 5, 6, 7),
                                  "refactoring_allowed\n");
  EXPECT_EQ(pack_count(text, "OpFAdd %v2float"), 2u) << text;
  EXPECT_EQ(pack_count(text, "NoContraction"), 1u) << text;
}

TEST(SpirvPacks, BlocksStayApart) {
  const std::string text = joined(kInput +
                                  "  %4 = fsqrt.f32 %0\n"
                                  "  %5 = fsqrt.f32 %1\n"
                                  "  %6 = flt.f32 %0, %1\n"
                                  "  if %6\n"
                                  "    %7 = fsqrt.f32 %2\n"
                                  "    %8 = fsqrt.f32 %3\n"
                                  "  else yields(%7, %8)\n"
                                  "  %9, %10 = endif yields(%2, %3)\n" +
                                  outputs(4, 5, 9, 10));
  EXPECT_EQ(pack_count(text, "%v4float %1 Sqrt"), 0u) << text;
}

TEST(SpirvPacks, WhatSharesNoVectorStaysScalar) {
  // Gathering would need more instructions than it saves.
  const std::string text = joined(
      "  %0 = input v0.x\n"
      "  %1 = fsqrt.f32 %0\n"
      "  %2 = flog2.f32 %1\n"
      "  %3 = fexp2.f32 %2\n"
      "  %4 = fmul.f32 %1, %2\n"
      "  %5 = fmul.f32 %2, %3\n" +
      outputs(4, 5, 3, 3));
  EXPECT_THAT(text, Not(HasSubstr("OpFMul %v2float")));
}

TEST(SpirvPacks, UnusedTypesAndConstantsAreLeftOut) {
  const std::string text = joined(kInput + outputs(0, 1, 2, 3));
  EXPECT_THAT(text, Not(HasSubstr("OpTypeBool")));
  EXPECT_THAT(text, Not(HasSubstr("OpConstant ")));
  EXPECT_THAT(text, Not(HasSubstr("GLSL.std.450")));
}

constexpr std::string_view kListing = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[4], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v0.xyzw
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0
mad r0.xyz, r0.xyzx, cb0[0].xyzx, v1.wwww
dp3 r1.x, r0.xyzx, cb0[1].xyzx
mul_sat r1.xyz, r1.xxxx, r0.xyzx
add o0.xyz, r1.xyzx, cb0[2].xyzx
mov o0.w, r0.w
ret
)";

TEST(SpirvPacks, ASourceInstructionIsOneInstruction) {
  const FromListing made(kListing);
  ASSERT_FALSE(made.text.empty()) << made.messages;
  EXPECT_EQ(made.count(" Fma "), 1u) << made.text;
  EXPECT_EQ(made.count("OpDot"), 1u) << made.text;
  EXPECT_EQ(made.count("NClamp"), 1u) << made.text;
  EXPECT_EQ(made.count("OpFAdd"), 1u) << made.text;
}

class SpirvPacksProperty : public ::testing::TestWithParam<Robustness> {};

TEST_P(SpirvPacksProperty, RandomModulesKeepTheirMeaning) {
  size_t judged = 0;
  for (uint32_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    ir::RandomIrOptions options;
    options.size = 20 + seed % 150;
    options.accesses = seed % 4 == 0;
    ir::Module module;
    ir::make_random_module(seed, options, module);
    module.stage = ir::Stage::pixel;  // for other stages, Vulkan refuses parts of the interface
    if (seed % 3 == 0) ir::optimize(module);
    Diagnostics diagnostics;
    ASSERT_TRUE(ir::legalize(module, guarantees(GetParam()), diagnostics)) << ir::to_text(diagnostics);
    module.refactoring_allowed = seed % 2 == 0;
    // For example, an atomic on a view of floats is not valid SPIR-V.
    std::pmr::vector<uint32_t> words;
    if (!emit(module, {}, words, diagnostics)) continue;
    ++judged;
    const auto scalar = emitted(module, false, GetParam());
    const auto vector = emitted(module, true, GetParam());
    EXPECT_EQ(meaning(vector), meaning(scalar)) << "seed " << seed << to_text(vector);
  }
  EXPECT_GT(judged, 100u);
}

INSTANTIATE_TEST_SUITE_P(Robustness, SpirvPacksProperty,
                         ::testing::Values(Robustness::driver, Robustness::shader));

/// Source instructions are split into scalars: random masks, swizzles, splats, constants, some of them
/// precise.
std::string random_vector_code(uint32_t seed) {
  static constexpr const char* kOps[] = {"fadd.f32", "fmul.f32",  "ffma.f32",
                                         "fmin.f32", "fsqrt.f32", "fneg.f32"};
  static constexpr uint32_t kOperands[] = {2, 2, 3, 2, 1, 1};
  std::mt19937 random(seed);
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::string code = kInput + "  %4..%7 = cb.load cb0[1]\n";
  std::vector<uint32_t> registers = {0, 1, 2, 3, 4, 5, 6, 7};
  registers.resize(16, 2);
  uint32_t next = 8;
  for (uint32_t i = 0; i < 30; ++i) {
    const uint32_t op = below(std::size(kOps)), mask = 1 + below(15), target = 4 * below(4);
    const bool precise = below(4) == 0;
    std::array<std::string, 12> sources;
    for (uint32_t o = 0; o < kOperands[op]; ++o) {
      const uint32_t source = 4 * below(4), swizzle = below(256), kind = below(4);
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t component = kind == 0 ? swizzle % 4 : kind == 1 ? swizzle >> 2 * c & 3 : c;
        sources[4 * o + c] = kind == 3 ? std::to_string(1 + swizzle % (c + 1)) + ".5f"
                                       : "%" + std::to_string(registers[source + component]);
      }
    }
    std::vector<uint32_t> written = registers;
    for (uint32_t c = 0; c < 4; ++c) {
      if ((mask >> c & 1) == 0) continue;
      code += "  %" + std::to_string(next) + " = " + kOps[op] + (precise ? " [precise] " : " ") + sources[c];
      for (uint32_t o = 1; o < kOperands[op]; ++o) code += ", " + sources[4 * o + c];
      code += "\n";
      written[target + c] = next++;
    }
    registers = written;
  }
  auto value = [&](uint32_t c) { return static_cast<int>(registers[8 + c]); };
  return code + outputs(value(0), value(1), value(2), value(3));
}

TEST(SpirvPacks, RandomVectorCodeKeepsItsMeaning) {
  size_t vectors = 0;
  for (uint32_t seed = 0; seed < 200 && !testing::Test::HasFailure(); ++seed) {
    const std::string text =
        joined(random_vector_code(seed), seed % 2 == 0 ? "refactoring_allowed\n" : std::string_view());
    vectors +=
        pack_count(text, "%v4float %") + pack_count(text, "OpFMul %v3float") + pack_count(text, "OpDot");
  }
  EXPECT_GT(vectors, 400u);
}

// Tests the comparison itself: it must distinguish modules that differ in one component.
TEST(SpirvMeaning, TellsAComponentFromAnother) {
  auto of = [](std::string_view body) {
    ir::Module module;
    ir::parse_or_fail(ir::with_body(body), module);
    return meaning(emitted(module, true, Robustness::driver));
  };
  const auto first = of(kInput + outputs(0, 1, 2, 3));
  EXPECT_EQ(first, of(kInput + outputs(0, 1, 2, 3)));
  EXPECT_NE(first, of(kInput + outputs(0, 1, 3, 2)));
  EXPECT_NE(of(kInput + "  %4 = fmul.f32 %0, %1\n" + outputs(4, 1, 2, 3)),
            of(kInput + "  %4 = fmul.f32 [precise] %0, %2\n" + outputs(4, 1, 2, 3)));
}

}  // namespace
}  // namespace texlate::spirv
