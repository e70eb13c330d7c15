// share_guards, tested on text.

#include "ir/passes/share_guards.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Three fetches from t0 at columns %0, %0 + 1, %0 + 2 of row %1, each with a guard of its own, all
/// components masked. `between`: lines before the fetch of that number. Values: %10 to %14 facts, %20, %40,
/// %60 the columns, their guards one after them, then the texels, and from %30, %50, %70 on the components
/// that the format has.
struct Shape {
  std::string columns[3] = {"%0", "iadd %0, 1", "iadd %0, 2"};
  std::string sizes[3] = {"%15", "%15", "%15"};
  std::string between[3];
  const char* resources[3] = {"t0", "t0", "t0"};
  uint32_t components = 4;
  const char* keep = "xyzw";  // the component whose fact masks each component
  bool alpha = true;
  std::string behind;  // lines between the first fetch and its masks
  std::string after;
};

std::string text_of(const Shape& shape) {
  std::string text =
      "  %0 = input v0.x\n  %1 = input v0.y\n  %10 = binding t0.keep0\n  %11 = binding t0.keep1\n  %12 = "
      "binding t0.keep2\n"
      "  %13 = binding t0.keep3\n  %14 = binding t0.missing_alpha\n  %15 = binding t0.width\n  %16 = binding "
      "t0.height\n";
  for (uint32_t f = 0; f < 3; ++f) {
    const uint32_t at = 20 + 20 * f;
    text += shape.between[f];
    std::string column = shape.columns[f];
    if (column[0] != '%') {
      text += fmt::format("  %{} = {}\n", at, column);
      column = fmt::format("%{}", at);
    }
    text += fmt::format("  %{} = ult.u32 {}, {}\n", at + 1, column, shape.sizes[f]);
    const bool buffer = std::string_view(shape.resources[f]) == "t4";
    text += fmt::format("  %{}..%{} = tex.fetch {} {} float guard(%{}) else(0, 0, 0, %14) coord({}{}\n",
                        at + 2, at + 5, shape.resources[f], buffer ? "buffer" : "texture2d", at + 1, column,
                        buffer ? ")" : ", %1) level(0)");
    if (f == 0) text += shape.behind;
    for (uint32_t c = 0; c < shape.components; ++c) {
      const auto keep = 10 + std::string_view("xyzw").find(shape.keep[c]);
      text += fmt::format("  %{} = and %{}, %{}\n", at + 10 + c, at + 2 + c, keep);
      if (c == 3 && shape.alpha) text += fmt::format("  %{} = or %{}, %14\n", at + 14, at + 13);
    }
  }
  text += shape.after;
  for (uint32_t f = 0; f < 3; ++f) {
    for (uint32_t c = 0; c < shape.components; ++c)
      text += fmt::format("  output o0.{}, %{}\n", "xyzw"[c], 30 + 20 * f + (c == 3 && shape.alpha ? 4 : c));
  }
  return text;
}

std::string shared(const Shape& shape) {
  return after(share_guards, text_of(shape));
}
bool is_changed(const Shape& shape) {
  return shared(shape) != body(text_of(shape));
}
/// The lines before the branch.
std::string front_of(const Shape& shape) {
  const std::string text = shared(shape);
  return text.substr(0, text.find("  if "));
}

TEST(ShareGuards, OneBranchForAllFetches) {
  EXPECT_EQ(shared({}), body(R"(
  %0 = input v0.x
  %1 = input v0.y
  %2 = binding t0.keep0
  %3 = binding t0.keep1
  %4 = binding t0.keep2
  %5 = binding t0.keep3
  %6 = binding t0.missing_alpha
  %7 = binding t0.width
  %8 = binding t0.height
  %9 = ult.u32 %0, %7
  %10 = iadd %0, 1
  %11 = iadd %0, 2
  %12 = ult.u32 %11, %7
  %13 = and.b1 %9, %12
  %14 = ieq %2, -1
  %15 = and.b1 %13, %14
  %16 = ieq %5, -1
  %17 = and.b1 %15, %16
  if %17
    %18..%21 = tex.fetch t0 texture2d float coord(%0, %1) level(0)
    %22..%25 = tex.fetch t0 texture2d float coord(%10, %1) level(0)
    %26..%29 = tex.fetch t0 texture2d float coord(%11, %1) level(0)
  else yields(%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29)
    %30 = ult.u32 %10, %7
    %31..%34 = tex.fetch t0 texture2d float guard(%9) else(0, 0, 0, %6) coord(%0, %1) level(0)
    %35 = and %31, %2
    %36 = and %32, %3
    %37 = and %33, %4
    %38 = and %34, %5
    %39 = or %38, %6
    %40..%43 = tex.fetch t0 texture2d float guard(%30) else(0, 0, 0, %6) coord(%10, %1) level(0)
    %44 = and %40, %2
    %45 = and %41, %3
    %46 = and %42, %4
    %47 = and %43, %5
    %48 = or %47, %6
    %49..%52 = tex.fetch t0 texture2d float guard(%12) else(0, 0, 0, %6) coord(%11, %1) level(0)
    %53 = and %49, %2
    %54 = and %50, %3
    %55 = and %51, %4
    %56 = and %52, %5
    %57 = or %56, %6
  %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69 = endif yields(%35, %36, %37, %39, %44, %45, %46, %48, %53, %54, %55, %57)
  output o0.x, %58
  output o0.y, %59
  output o0.z, %60
  output o0.w, %61
  output o0.x, %62
  output o0.y, %63
  output o0.z, %64
  output o0.w, %65
  output o0.x, %66
  output o0.y, %67
  output o0.z, %68
  output o0.w, %69
)"));
}

TEST(ShareGuards, WhatFormsNoGroup) {
  Shape dependent;
  dependent.columns[2] = "iadd %30, 2";
  EXPECT_FALSE(is_changed(dependent)) << "the third fetch reads where the first one says";
  Shape others;
  others.resources[1] = "t4";
  EXPECT_FALSE(is_changed(others)) << "two fetches are of t0";
  Shape few;
  few.components = 2;
  EXPECT_FALSE(is_changed(few)) << "six masks";
  few.components = 3;
  EXPECT_TRUE(is_changed(few)) << "nine masks";
  Shape crossed;
  crossed.keep = "yzwx";
  EXPECT_FALSE(is_changed(crossed)) << "masks of other components";
}

TEST(ShareGuards, ConditionsThatOthersImply) {
  const auto conditions = [](const Shape& shape) {
    const std::string front = front_of(shape);
    size_t count = 0;
    for (size_t at = front.find("ult"); at != std::string::npos; at = front.find("ult", at + 1)) ++count;
    return count;
  };
  Shape shape;
  EXPECT_EQ(conditions(shape), 2u) << "the column between two others";
  shape.sizes[1] = "%16";
  EXPECT_EQ(conditions(shape), 3u) << "another size";
  shape = {};
  shape.columns[1] = "iadd %1, 1";
  EXPECT_EQ(conditions(shape), 3u) << "another column";
  shape = {};
  shape.columns[2] = "iadd %0, 4096";
  EXPECT_EQ(conditions(shape), 2u);
  shape.columns[2] = "iadd %0, 4097";
  EXPECT_EQ(conditions(shape), 3u) << "far away, sums may wrap";
  shape.columns[0] = "iadd %0, -4096";
  shape.columns[2] = "iadd %0, 4096";
  EXPECT_EQ(conditions(shape), 2u);
  shape.columns[0] = "iadd %0, -4097";
  EXPECT_EQ(conditions(shape), 3u);
}

TEST(ShareGuards, WhatOthersUseStaysBeforeTheBranch) {
  Shape shape;
  shape.after = "  %95 = mask %41\n  output o0.x, %95\n";
  EXPECT_THAT(front_of(shape), HasSubstr("ult.u32 %10, %7")) << "the second guard";
  shape = {};
  shape.behind = "  %90 = iadd %22, 1\n";
  shape.after = "  output o0.x, %90\n";
  EXPECT_TRUE(is_changed(shape)) << "the texel itself, which the branch passes on unmasked";
}

// An instruction between two fetches moves to the front only if it computes the same there.
TEST(ShareGuards, WhatStandsBetweenFetches) {
  Shape shape;
  shape.between[1] = "  %90 = imul %1, 5\n";
  shape.after = "  output o0.x, %90\n";
  EXPECT_THAT(front_of(shape), HasSubstr("imul"));
  shape.between[1] = "  %90 = ddx.coarse %1\n";
  EXPECT_THAT(front_of(shape), Not(HasSubstr("ddx")));
  EXPECT_TRUE(is_changed(shape));
  shape.between[1] = "  output o0.x, %1\n";
  shape.after = {};
  EXPECT_THAT(front_of(shape), Not(HasSubstr("output")));
  EXPECT_TRUE(is_changed(shape));
}

}  // namespace
}  // namespace texlate::ir
