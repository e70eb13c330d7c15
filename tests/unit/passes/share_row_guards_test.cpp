// share_row_guards, tested on text. That values stay the same, with every number of bound rows:
// tests/exhaustive/memory_edges_test.cpp.

#include "ir/passes/share_row_guards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

TEST(ShareRowGuards, RowsThatAreReadTogetherAreTestedTogether) {
  EXPECT_EQ(after(share_row_guards, R"(
  %0 = input v0.x
  %1 = cb.rows cb0
  %2 = ult.u32 5, %1
  %3..%6 = cb.load cb0[5] guard(%2)
  %7 = fmul.f32 %0, %3
  %8 = cb.rows cb0
  %9 = ult.u32 4, %8
  %10..%13 = cb.load cb0[4] guard(%9)
  %14 = ffma.f32 %0, %11, %7
  %15 = cb.rows cb0
  %16 = ult.u32 2, %15
  %17..%20 = cb.load cb0[2] guard(%16)
  %21 = ffma.f32 %0, %20, %14
  output o0.x, %21
)"),
            body(R"(
  %0 = input v0.x
  %1 = cb.rows cb0
  %30 = cb.rows cb0
  %31 = ult.u32 5, %30
  if %31
    %32..%35 = cb.load cb0[5]
    %36..%39 = cb.load cb0[4]
    %40..%43 = cb.load cb0[2]
  else yields(%32, %37, %43)
    %50 = cb.rows cb0
    %51 = ult.u32 5, %50
    %3..%6 = cb.load cb0[5] guard(%51)
    %52 = cb.rows cb0
    %53 = ult.u32 4, %52
    %10..%13 = cb.load cb0[4] guard(%53)
    %54 = cb.rows cb0
    %55 = ult.u32 2, %54
    %17..%20 = cb.load cb0[2] guard(%55)
  %60..%62 = endif yields(%3, %11, %20)
  %7 = fmul.f32 %0, %60
  %8 = cb.rows cb0
  %14 = ffma.f32 %0, %61, %7
  %15 = cb.rows cb0
  %21 = ffma.f32 %0, %62, %14
  output o0.x, %21
)"));
}

/// Guarded loads of these rows, with a `discard` or an `if` between them where `between` says so.
std::string loads(uint32_t count, std::string_view between = "", std::string_view other_guard = "") {
  std::string text = "  %0 = input v0.x\n";
  uint32_t next = 1;
  for (uint32_t i = 0; i < count; ++i) {
    text +=
        fmt::format("  %{} = cb.rows cb0\n  %{} = ult.u32 {}, %{}\n  %{}..%{} = cb.load cb0[{}] guard(%{})\n",
                    next, next + 1, i, next, next + 2, next + 5, i, next + 1);
    text += fmt::format("  output o0.x, %{}\n", next + 2);
    if (!other_guard.empty()) text += fmt::format("  {} %{}\n", other_guard, next + 1);
    text += between;
    next += 6;
  }
  return text;
}

size_t groups(const std::string& text) {
  Module module;
  parse_or_fail(with_body(text), module);
  const size_t before = static_cast<size_t>(std::ranges::count(module.code, Op::if_, &Instruction::op));
  share_row_guards(module);
  verify_or_fail(module);
  return static_cast<size_t>(std::ranges::count(module.code, Op::if_, &Instruction::op)) - before;
}

TEST(ShareRowGuards, FewRowsAreNotWorthABranch) {
  EXPECT_EQ(groups(loads(2)), 0u);
  EXPECT_EQ(groups(loads(3)), 1u);
  EXPECT_EQ(groups(loads(8)), 1u);
  EXPECT_EQ(groups(loads(10)), 1u) << "eight at once, two remain";
  EXPECT_EQ(groups(loads(11)), 2u);
}

TEST(ShareRowGuards, AGroupEndsWithItsRegion) {
  const std::string branch = "  if true\n  else\n  endif\n";
  EXPECT_EQ(groups(loads(6, branch)), 0u);
  EXPECT_EQ(groups(loads(3) + branch), 1u);
}

TEST(ShareRowGuards, GuardsThatAreUsedElsewhereStay) {
  EXPECT_EQ(groups(loads(3, "", "discard")), 0u);
}

}  // namespace
}  // namespace texlate::ir
