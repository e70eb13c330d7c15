#include "ir/passes/optimize.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ir/passes/eliminate_common_subexpressions.h"
#include "ir/passes/eliminate_dead_code.h"
#include "ir/passes/fold.h"
#include "ir/passes/propagate_copies.h"
#include "ir/passes/remove_unreachable.h"
#include "ir/passes/simplify_branches.h"
#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

TEST(PropagateCopies, WhatALoopCarriesUnchanged) {
  EXPECT_EQ(after(propagate_copies, R"(
  %0 = input v0.x
  %1, %2 = loop init(%0, 1)
    %3, %4 = loop init(%1, %2)
      %5 = ieq %3, %4
      if %5
        break yields(%3)
      else
      endif
      %6 = iadd %4, 1
    %7 = endloop yields(%3, %6)
    %8 = ieq %7, %2
    if %8
      break yields(%1, %2)
    else
    endif
  %9, %10 = endloop yields(%7, 3)
  output o0.x, %9
  output o0.y, %10
)"),
            body(R"(
  %0 = input v0.x
  %1, %2 = loop init(%0, 1)
    %3, %4 = loop init(%0, %2)
      %5 = ieq %0, %4
      if %5
        break yields(%0)
      else
      endif
      %6 = iadd %4, 1
    %7 = endloop yields(%0, %6)
    %8 = ieq %0, %2
    if %8
      break yields(%0, %2)
    else
    endif
  %9, %10 = endloop yields(%0, 3)
  output o0.x, %0
  output o0.y, %10
)"));
}

TEST(PropagateCopies, OneValueFromBothArms) {
  EXPECT_EQ(after(propagate_copies, R"(
  %0 = input v0.x
  %1 = bound t0.bound
  if %1
    %2 = iadd %0, 1
  else yields(%0, %2, 4)
    %3 = iadd %0, 2
  %4, %5, %6 = endif yields(%0, %3, 4)
  if %1
    return
  else
    %7 = iadd %0, 3
  %8, %9 = endif yields(%7, %0)
  %10 = imad %4, %5, %6
  %11 = imad %8, %9, %10
  output o0.x, %11
)"),
            body(R"(
  %0 = input v0.x
  %1 = bound t0.bound
  if %1
    %2 = iadd %0, 1
  else yields(%0, %2, 4)
    %3 = iadd %0, 2
  %4, %5, %6 = endif yields(%0, %3, 4)
  if %1
    return
  else
    %7 = iadd %0, 3
  %8, %9 = endif yields(%7, %0)
  %10 = imad %0, %5, 4
  %11 = imad %8, %0, %10
  output o0.x, %11
)"));
}

TEST(SimplifyBranches, ConstantConditionsAndEmptyIfs) {
  EXPECT_EQ(after(simplify_branches, R"(
  %0 = input v0.x
  %1 = bound t0.bound
  if true
    %2 = iadd %0, 1
    if %1
      output o0.z, 1
    else
    endif
  else yields(%2)
    if %1
      output o0.w, 1
    else
    endif
  %3 = endif yields(5)
  if false
    output o0.w, 1
  else yields(6)
    %4 = iadd %3, 2
  %5 = endif yields(%4)
  if %1
  else yields(%5, 9l, %3)
  %6, %7: b64, %8 = endif yields(1, 8l, %3)
  %9..%10 = unpack.b64 %7
  output o0.x, %6
  output o0.y, %9
  output o0.y, %8
)"),
            body(R"(
  %0 = input v0.x
  %1 = bound t0.bound
  %2 = iadd %0, 1
  if %1
    output o0.z, 1
  else
  endif
  %4 = iadd %2, 2
  %6 = select.b32 %1, %4, 1
  %7 = select.b64 %1, 9l, 8l
  %9..%10 = unpack.b64 %7
  output o0.x, %6
  output o0.y, %9
  output o0.y, %2
)"));
}

TEST(SimplifyBranches, AKeptArmMayJump) {
  EXPECT_EQ(after(simplify_branches, R"(
  loop
    if true
      output o0.x, 1
      break
    else
    endif
    output o0.y, 1
  endloop
  if false
  else
    return
  endif
  output o0.z, 1
)"),
            body(R"(
  loop
    output o0.x, 1
    break
  endloop
  return
)"));
}

TEST(EliminateCommonSubexpressions, WithinScopes) {
  EXPECT_EQ(after(eliminate_common_subexpressions, R"(
  %0 = input v0.x
  %1 = input v0.x
  %2 = iadd %0, 5
  %3 = iadd %1, 5
  %4 = ult.u32 %2, %3
  if %4
    %5 = iadd 5, %0
    %6 = imul %0, %0
    output o0.x, %5
  else
    %7 = imul %0, %0
    output o0.x, %7
  endif
  %8 = imul %0, %0
  %9..%12 = tex.fetch t0 texture2d float coord(%8, 0) level(0)
  %13..%16 = tex.fetch t0 texture2d float coord(%8, 0) level(0)
  %17..%20 = tex.fetch t0 texture2d float coord(%8, 0) level(0) offset(1, 0)
  %21..%24 = surf.load u0 texture2d uint coord(%8, 0)
  %25..%28 = surf.load u0 texture2d uint coord(%8, 0)
  output o0.x, %9
  output o0.x, %14
  output o0.x, %19
  output o0.x, %21
  output o0.x, %25
)"),
            body(R"(
  %0 = input v0.x
  %2 = iadd %0, 5
  %4 = ult.u32 %2, %2
  if %4
    %6 = imul %0, %0
    output o0.x, %2
  else
    %7 = imul %0, %0
    output o0.x, %7
  endif
  %8 = imul %0, %0
  %9..%12 = tex.fetch t0 texture2d float coord(%8, 0) level(0)
  %17..%20 = tex.fetch t0 texture2d float coord(%8, 0) level(0) offset(1, 0)
  %21..%24 = surf.load u0 texture2d uint coord(%8, 0)
  %25..%28 = surf.load u0 texture2d uint coord(%8, 0)
  output o0.x, %9
  output o0.x, %10
  output o0.x, %19
  output o0.x, %21
  output o0.x, %25
)"));
}

TEST(EliminateCommonSubexpressions, DerivativesStayInTheirRegion) {
  EXPECT_EQ(after(eliminate_common_subexpressions, R"(
  %0 = input v0.x
  %1 = bound t0.bound
  %2 = ddx.fine %0
  if %1
    %3 = ddx.fine %0
    %4 = ddx.fine %0
    output o0.x, %3
    output o0.y, %4
  else
  endif
  %5 = ddx.fine %0
  output o0.x, %2
  output o0.y, %5
)"),
            body(R"(
  %0 = input v0.x
  %1 = bound t0.bound
  %2 = ddx.fine %0
  if %1
    %3 = ddx.fine %0
    output o0.x, %3
    output o0.y, %3
  else
  endif
  output o0.x, %2
  output o0.y, %2
)"));
}

TEST(EliminateCommonSubexpressions, KeepsPrecise) {
  EXPECT_EQ(after(eliminate_common_subexpressions, R"(
  %0 = input v0.x
  %1 = fmul.f32 %0, %0   ; line 3
  %2 = fmul.f32 [precise] %0, %0   ; line 4
  output o0.x, %1
  output o0.y, %2
)"),
            body(R"(
  %0 = input v0.x
  %1 = fmul.f32 [precise] %0, %0   ; line 3
  output o0.x, %1   ; line 4
  output o0.y, %1
)"));
}

TEST(EliminateDeadCode, ResultsOfConstructs) {
  EXPECT_EQ(after(eliminate_dead_code, R"(
  %0 = input v0.x
  %1 = input v0.y
  %2, %3: b1, %4 = loop init(0, true, %1)
    %5 = iadd %2, 1
    %6 = iadd %4, 1
    %7 = uge.u32 %5, %0
    if %7
      break yields(%6, %5)
    else
    endif
  %8, %9 = endloop yields(%5, %7, %6)
  %10 = bound t0.bound
  if %10
    %11 = iadd %9, 2
  else yields(%8, %11)
  %12, %13 = endif yields(0, 1)
  output o0.x, %13
)"),
            body(R"(
  %0 = input v0.x
  %2 = loop init(0)
    %5 = iadd %2, 1
    %7 = uge.u32 %5, %0
    if %7
      break yields(%5)
    else
    endif
  %9 = endloop yields(%5)
  %10 = bound t0.bound
  if %10
    %11 = iadd %9, 2
  else yields(%11)
  %13 = endif yields(1)
  output o0.x, %13
)"));
}

TEST(EliminateDeadCode, ConstructsWithoutEffect) {
  EXPECT_EQ(after(eliminate_dead_code, R"(
  %0 = input v0.x
  %1 = bound t0.bound
  loop
    switch %0
      case 1
        break
      default
        if %1
          break
        else
        endif
        break
    endswitch
    if %1
      break
    else
    endif
  endloop
  if %1
    %2..%5 = tex.fetch t0 texture2d float coord(%0, 0) level(0)
  else
  endif
  %6..%9 = tex.fetch t0 texture2d float coord(%0, 0) level(0)
  output o0.x, %8
)"),
            body(R"(
  %0 = input v0.x
  %6..%9 = tex.fetch t0 texture2d float coord(%0, 0) level(0)
  output o0.x, %8
)"));
}

TEST(EliminateDeadCode, EffectsStayWithWhatLeadsToThem) {
  const std::string text = body(R"(
  %0 = input v0.x
  %1 = bound t0.bound
  %2 = loop init(0)
    %3 = ult.u32 %2, %0
    if %3
      switch %2
        case 4
          continue yields(7)
        default
          break
      endswitch
    else
      break
    endif
    if %1
      surf.store u0 texture2d uint coord(%2, 0) value(1, 2, 3, 4)
    else
    endif
    %4 = iadd %2, 1
  endloop yields(%4)
  if %1
    return
  else
  endif
  discard %1
  loop
    %5 = surf.atomic u0 texture2d uint coord(0, 0) value(1) atomic(add)
  endloop
)");
  EXPECT_EQ(after(eliminate_dead_code, text), text);
}

TEST(EliminateDeadCode, ALoopThatWaitsForAnotherGroupStays) {
  const auto loops_left = [](const std::string& coherent) {
    Module module;
    parse_or_fail(
        "module compute 5.0 \"main\"\nthread_group 1 1 1\nuav u0 raw_buffer mixed" + coherent +
            "\nuav u1 raw_buffer mixed\ncode {\n  %0..%3 = buf.load u1 raw_buffer mixed coord(0) mask(1)\n"
            "  %4 = ine %0, 0\n  loop\n    if %4\n"
            "      %5..%8 = buf.load u0 raw_buffer mixed coord(0) mask(1)\n      %9 = ine %5, 0\n"
            "      if %9\n        break\n      else\n      endif\n    else\n    endif\n  endloop\n"
            "  buf.store u1 raw_buffer mixed coord(4) value(1) mask(1)\n  return\n}\n",
        module);
    verify_or_fail(module);
    eliminate_dead_code(module);
    verify_or_fail(module);
    return std::ranges::count(module.code, Op::loop, &Instruction::op);
  };
  EXPECT_EQ(loops_left(" coherent"), 1);
  EXPECT_EQ(loops_left(""), 0);
}

TEST(Optimize, AShaderThatDecidesNothing) {
  EXPECT_EQ(after([](Module& module) { optimize(module); }, R"(
  %0 = input v0.x   ; line 3
  %1 = ilt.s32 2, 3   ; line 4
  %2 = mask %1
  %3 = ine %2, 0
  %4, %5 = loop init(%0, 7)   ; line 5
    if %3   ; line 6
      break yields(%4, %5)
    else
    endif
    %6 = iadd %4, 0   ; line 7
    %7 = iadd %5, 0
  %8, %9 = endloop yields(%6, %7)   ; line 8
  %10 = iadd %9, %8   ; line 9
  output o0.x, %10   ; line 10
)"),
            body(R"(
  %0 = input v0.x   ; line 3
  %10 = iadd %0, 7   ; line 9
  output o0.x, %10   ; line 10
)"));
}

}  // namespace
}  // namespace texlate::ir
