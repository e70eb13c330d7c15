// Values that vary, branches that diverge, and places that some lanes may not reach. The text holds the
// expectations: `v` marks lines whose results vary, `p` marks lines that some lanes may not reach.
#include "ir/passes/uniformity.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

/// Two characters per instruction: first result varies ('v' or '.'), only some lanes may reach it ('p' or
/// '.').
std::string facts(std::string_view body) {
  Module module;
  parse_or_fail(with_body(body), module);
  verify_or_fail(module);
  const Uniformity found = find_uniformity(module, Structure(module, module.memory()));
  std::string all;
  for (size_t i = 0; i < module.code.size(); ++i) {
    const Instruction& instruction = module.code[i];
    if (i != 0) all += ' ';
    all += instruction.result_count != 0 && found.varies[instruction.first_result] != 0 ? 'v' : '.';
    all += found.in_part[i] != 0 ? 'p' : '.';
  }
  return all;
}

TEST(Uniformity, ConstantsOfTheDrawAreInputsAreNot) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1..%4 = cb.load cb0[0]
  %5 = fadd.f32 %1, %2
  %6 = fadd.f32 %0, %1
  output o0.x, %6
)"),
            "v. .. .. v. ..");
}

TEST(Uniformity, ReadsOfReadOnlyMemoryAreAsUniformAsTheirAddress) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1..%4 = tex.fetch t0 texture2d float coord(1, 2) level(0)
  %5..%8 = tex.fetch t0 texture2d float coord(%0, 2) level(0)
  %9..%12 = surf.load u0 texture2d uint coord(1, 2)
  %13..%16 = buf.load t5 raw_buffer mixed coord(4) mask(1)
  %17 = local.load x0[0].x
  %18 = bound t0.bound
)"),
            "v. .. v. v. .. v. ..");
}

TEST(Uniformity, DerivativesOfUniformValuesVary) {
  EXPECT_EQ(facts(R"(
  %0..%3 = cb.load cb0[0]
  %4 = ddx.coarse %0
  %5 = ddy.fine %1
  output o0.x, %4
  output o0.y, %5
)"),
            ".. v. v. .. ..");
}

TEST(Uniformity, AnIfOnAUniformConditionKeepsLanesTogether) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1..%4 = cb.load cb0[0]
  %5 = flt.f32 %1, 0.0f
  if %5
    %6 = ddx.coarse %0
  else
  endif
)"),
            "v. .. .. .. v. .. ..");
}

TEST(Uniformity, AnIfPartsLanesAndEndsThePart) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = flt.f32 %0, 0.0f
  if %1
    %2 = fadd.f32 %0, %0
  else
    %3 = iadd 1, 2
  endif
  %4 = ddx.coarse %0
)"),
            "v. v. .. vp .p .p .. v.");
}

TEST(Uniformity, ResultsOfAnIfVaryWithItsCondition) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1..%4 = cb.load cb0[0]
  %5 = flt.f32 %0, 0.0f
  if %5
  else yields(1)
  %6 = endif yields(2)
  %7 = flt.f32 %1, 0.0f
  if %7
  else yields(1)
  %8 = endif yields(2)
  if %7
  else yields(%0)
  %9 = endif yields(2)
)"),
            "v. .. v. .. .p v. .. .. .. .. .. .. v.");
}

TEST(Uniformity, OneArmAloneComesToTheEnd) {
  // All lanes at the endif took the second arm.
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = flt.f32 %0, 0.0f
  if %1
    return
  else
  %2 = endif yields(2)
  %3 = ddx.coarse %0
)"),
            "v. v. .. .p .p .p vp");
}

TEST(Uniformity, AVaryingBreakPartsTheLoop) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = loop init(0)
    %2 = ieq %1, %0
    if %2
      break yields(%1)
    else
    endif
    %3 = iadd %1, 1
  %4 = endloop yields(%3)
  %5 = ddx.coarse %0
)"),
            // The counter is the same for all lanes of an iteration; its final value is not.
            "v. .. vp .p .p .p .p .p v. v.");
}

TEST(Uniformity, AUniformLoopIsWhole) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = loop init(0)
    %2 = ieq %1, 4
    if %2
      break yields(%1)
    else
    endif
    %3 = iadd %1, 1
  %4 = endloop yields(%3)
)"),
            "v. .. .. .. .. .. .. .. ..");
}

TEST(Uniformity, AVaryingContinueMakesCountersVary) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = loop init(0)
    %2 = ieq %1, 4
    if %2
      break yields(%1)
    else
    endif
    %3 = ieq %0, 4
    if %3
      continue yields(1)
    else
    endif
    %4 = iadd %1, 1
  %5 = endloop yields(%4)
)"),
            "v. v. vp .p .p .p .p vp .p .p .p .p vp v.");
}

TEST(Uniformity, AReturnInALoopIsMissedFromItsStart) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = loop init(0)
    %2 = ddx.coarse %0
    %3 = ieq %1, 4
    if %3
      break
    else
    endif
    %4 = ieq %0, 4
    if %4
      return
    else
    endif
    %5 = iadd %1, 1
  endloop yields(%5)
  %6 = ddx.coarse %0
)"),
            "v. .. vp .p .p .p .p .p vp .p .p .p .p .p .p vp");
}

TEST(Uniformity, ABreakInAnArmOfASwitchPartsTheSwitch) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1..%4 = cb.load cb0[0]
  switch %1
  case 0
    %5 = ieq %0, 4
    if %5
      break yields(1)
    else
    endif
    %6 = ddx.coarse %0
    break yields(2)
  default
    break yields(3)
  %7 = endswitch
)"),
            "v. .. .. .p vp .p .p .p .p vp .p .p .p v.");
}

TEST(Uniformity, AContinueOutOfAPartedSwitchPartsTheLoop) {
  EXPECT_EQ(facts(R"(
  %0 = input v0.x
  %1 = loop init(0)
    switch %0
    case 0
      continue yields(5)
    default
      break
    endswitch
    break
  endloop
)"),
            "v. v. .p .p .p .p .p .p .p ..");
}

}  // namespace
}  // namespace texlate::ir
