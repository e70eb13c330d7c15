// hoist_derivatives, tested on text. What is drawn: tests/cases/diverging_inputs.asm.

#include "ir/passes/hoist_derivatives.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

TEST(HoistDerivatives, ASampleOfAnInputGetsThoseInFrontOfItsBranch) {
  EXPECT_EQ(after(hoist_derivatives, R"(
  %0 = input v0.z
  %1 = flt.f32 %0, 0.0f
  if %1
    %2 = input v0.x
    %3 = input v0.y
    %4..%7 = tex.sample t0 s0 texture2d float coord(%2, %3) implicit
    %8..%11 = tex.sample t0 s0 texture2d float coord(%2, 0.5f) lod(%0) bias
    output o0.x, %4
    output o0.y, %8
  else
  endif
)"),
            body(R"(
  %0 = input v0.z
  %1 = flt.f32 %0, 0.0f
  %2 = input v0.x
  %3 = input v0.y
  %12 = ddx.coarse %2
  %13 = ddy.coarse %2
  %14 = ddx.coarse %3
  %15 = ddy.coarse %3
  %16 = ddx.coarse 0.5f
  %17 = ddy.coarse 0.5f
  if %1
    %4..%7 = tex.sample t0 s0 texture2d float coord(%2, %3) ddx(%12, %14) ddy(%13, %15) gradient
    %18 = fexp2.f32 %0
    %19 = fmul.f32 %12, %18
    %20 = fmul.f32 %13, %18
    %21 = fmul.f32 %16, %18
    %22 = fmul.f32 %17, %18
    %8..%11 = tex.sample t0 s0 texture2d float coord(%2, 0.5f) ddx(%19, %21) ddy(%20, %22) gradient
    output o0.x, %4
    output o0.y, %8
  else
  endif
)"));
}

TEST(HoistDerivatives, DerivativesAndLevelsMoveOutOfTheOutermostBranchThatParts) {
  EXPECT_EQ(after(hoist_derivatives, R"(
  %0..%3 = cb.load cb0[0]
  %4 = flt.f32 %0, 0.0f
  if %4
    %5 = input v0.z
    %6 = flt.f32 %5, 0.0f
    if %6
      loop
        %7 = input v0.x
        %8 = fneg.f32 %7
        %9 = ddx.fine %8
        %10..%11 = tex.lod t0 s0 texture2d float coord(%7, %8) implicit
        output o0.x, %9
        output o0.y, %10
        break
      endloop
    else
    endif
  else
  endif
)"),
            body(R"(
  %0..%3 = cb.load cb0[0]
  %4 = flt.f32 %0, 0.0f
  if %4
    %5 = input v0.z
    %6 = flt.f32 %5, 0.0f
    %7 = input v0.x
    %8 = fneg.f32 %7
    %9 = ddx.fine %8
    %10..%11 = tex.lod t0 s0 texture2d float coord(%7, %8) implicit
    if %6
      loop
        output o0.x, %9
        output o0.y, %10
        break
      endloop
    else
    endif
  else
  endif
)"));
}

TEST(HoistDerivatives, BehindAReturnTheyComeFromTheStart) {
  EXPECT_EQ(after(hoist_derivatives, R"(
  %0 = input v0.z
  %1 = flt.f32 %0, 0.0f
  if %1
    return
  else
  endif
  %2 = input v0.x
  %3 = ddx.coarse %2
  output o0.x, %3
)"),
            body(R"(
  %2 = input v0.x
  %3 = ddx.coarse %2
  %0 = input v0.z
  %1 = flt.f32 %0, 0.0f
  if %1
    return
  else
  endif
  output o0.x, %3
)"));
}

TEST(HoistDerivatives, ComputedValuesAndBranchesOfAllStay) {
  const std::string_view stays = R"(
  %0 = input v0.z
  %1 = flt.f32 %0, 0.0f
  %2 = fadd.f32 %0, 1.0f
  if %1
    %3 = ddx.coarse %2
    output o0.x, %3
  else
  endif
  %4..%7 = cb.load cb0[0]
  %8 = flt.f32 %4, 0.0f
  if %8
    %9..%12 = tex.sample t0 s0 texture2d float coord(%0, %0) implicit
    output o0.y, %9
  else
  endif
)";
  EXPECT_EQ(after(hoist_derivatives, stays), body(stays));
}

}  // namespace
}  // namespace texlate::ir
