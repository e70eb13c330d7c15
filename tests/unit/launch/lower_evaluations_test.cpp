// lower_evaluations, tested on text. What the arithmetic gives is tested by execution: PtxMeaning and
// tests/differential compare it with the interpreter, which evaluates inputs itself.

#include "backend/launch/lower_evaluations.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::launch {
namespace {

std::string lowered(std::string_view text) {
  return ir::after(lower_evaluations, text);
}

TEST(LowerEvaluations, TheCentroidIsTheCenter) {
  EXPECT_EQ(lowered(R"(
  %0 = eval.centroid v0.y
  %1 = input v0.y
  output o0.x, %0
  output o0.y, %1
)"),
            ir::body(R"(
  %0 = input v0.y
  output o0.x, %0
  output o0.y, %0
)"));
}

// The neighbor of a left pixel is one element further, that of a right pixel one element before.
TEST(LowerEvaluations, DifferencesComeFromTheOtherPixelsOfTheQuad) {
  EXPECT_EQ(lowered(R"(
  %0 = input v0.w
  %1 = eval.snapped v0.x, %0, 0
  output o0.x, %1
)"),
            ir::body(R"(
  %0 = input v0.w
  %1 = input v0.x
  %2 = bfe.s32 4, 0, %0
  %3 = itof.s32 %2
  %4 = fmul.f32 [precise] %3, 0.0625f
  %5 = sysval thread_id.x
  %6 = and %5, 1
  %7 = shl %6, 1
  %8 = isub 1, %7
  %9 = input v0.x vertex(%8)
  %10 = ine %6, 0
  %11 = select.b32 %10, %1, %9
  %12 = select.b32 %10, %9, %1
  %13 = fneg.f32 %12
  %14 = fadd.f32 [precise] %11, %13
  %15 = fmul.f32 [precise] %4, %14
  %16 = fadd.f32 [precise] %1, %15
  %17 = and %5, 2
  %18 = shl %17, 1
  %19 = isub 2, %18
  %20 = input v0.x vertex(%19)
  %21 = ine %17, 0
  %22 = select.b32 %21, %1, %20
  %23 = select.b32 %21, %20, %1
  %24 = fneg.f32 %23
  %25 = fadd.f32 [precise] %22, %24
  %26 = fmul.f32 [precise] %25, 0
  %27 = fadd.f32 [precise] %16, %26
  %28 = and %0, 15
  %29 = ine %28, 0
  %30 = select.b32 %29, %27, %1
  output o0.x, %30
)"));
}

// Both read the same pixels, whose distances are computed once.
TEST(LowerEvaluations, ComponentsShareTheirNeighbors) {
  const std::string text = lowered(R"(
  %0 = eval.snapped v0.x, 4, -4
  %1 = eval.snapped v0.y, 4, -4
  output o0.x, %0
  output o0.y, %1
)");
  const auto count = [&](std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("sysval"), 1u) << text;
  EXPECT_EQ(count("isub"), 2u) << text;
  EXPECT_EQ(count("vertex("), 4u) << text;
  EXPECT_EQ(count("bfe."), 0u) << text;  // of constants
}

TEST(LowerEvaluations, OthersAreNotTouched) {
  ir::Module module;
  ir::parse_or_fail(ir::with_body("  %0 = input v0.x\n  output o0.x, %0\n"), module);
  EXPECT_FALSE(has_evaluations(module));
}

}  // namespace
}  // namespace texlate::launch
