// limit_depth, tested on text. What is drawn: tests/stages/depth_greater_ps.asm, depth_less_ps.asm.

#include "ir/passes/limit_depth.h"

#include <gtest/gtest.h>

#include "ir/text_printer.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

std::string module_text(std::string_view head, std::string_view code) {
  return "module pixel 5.0 \"main\"\n" + std::string(head) + "code {\n" + std::string(code) + "}\n";
}

std::string limited(std::string_view head, std::string_view code,
                    std::pmr::vector<ClosedGap>* closed = nullptr) {
  Module module;
  parse_or_fail(module_text(head, code), module);
  verify_or_fail(module, Form::ssa);
  limit_depth(module, "a document", closed);
  verify_or_fail(module);
  std::pmr::string text;
  print(module, text);
  return std::string(text);
}

std::string printed(std::string_view head, std::string_view code) {
  Module module;
  parse_or_fail(module_text(head, code), module);
  std::pmr::string text;
  print(module, text);
  return std::string(text);
}

constexpr std::string_view kGreater = "output depth_greater_equal.x sv(depth_greater_equal)\n";
constexpr std::string_view kWrite = "  %0 = input v1.x\n  output depth_greater_equal.x, %0\n  return\n";
constexpr std::string_view kPlain = "input v1.x linear\n";

std::string with(std::string_view a, std::string_view b, std::string_view c = {}) {
  return std::string(a) + std::string(b) + std::string(c);
}

std::string limit_by(std::string_view reg) {
  return "  %0 = input v1.x\n  %1 = input " + std::string(reg) +
         ".z\n  %2 = fmax.f32 %0, %1\n  %3 = fsat.f32 %2\n  output depth_greater_equal.x, %3\n  return\n";
}

TEST(LimitDepth, DeclaresThePosition) {
  std::pmr::vector<ClosedGap> closed;
  EXPECT_EQ(limited(with(kPlain, kGreater), kWrite, &closed),
            printed(with(kPlain, "input v2.z sv(position) linear_noperspective_centroid component_type(3)\n",
                         kGreater),
                    limit_by("v2")));
  ASSERT_EQ(closed.size(), 2u);
  EXPECT_EQ(closed[0].gap, Gap::depth_limit);
  EXPECT_EQ(closed[1].gap, Gap::depth_range);
  EXPECT_EQ(closed[0].source, "a document");
}

TEST(LimitDepth, UsesThePositionOfTheShader) {
  EXPECT_EQ(
      limited(with(kPlain, "input v3.xy sv(position) linear_noperspective_centroid\n", kGreater), kWrite),
      printed(with(kPlain, "input v3.xyz sv(position) linear_noperspective_centroid\n", kGreater),
              limit_by("v3")));
}

TEST(LimitDepth, LeavesARegisterThatSomethingElseShares) {
  const std::string shared =
      "input v1.x linear\ninput v3.xy sv(position) linear_noperspective\ninput v3.z linear\n";
  EXPECT_EQ(limited(with(shared, kGreater), kWrite),
            printed(with(shared, "input v4.z sv(position) linear_noperspective_centroid component_type(3)\n",
                         kGreater),
                    limit_by("v4")));
}

TEST(LimitDepth, TakesTheDepthOfTheCentroidBesideThePixelsPosition) {
  const std::string inputs = with(kPlain, "input v3.xyz sv(position) linear_noperspective\n");
  EXPECT_EQ(limited(with(inputs, kGreater), kWrite),
            printed(with(inputs, "input v4.z sv(position) linear_noperspective_centroid component_type(3)\n",
                         kGreater),
                    limit_by("v4")));
}

TEST(LimitDepth, TakesTheDepthOfTheSampleAtSampleFrequency) {
  EXPECT_EQ(limited(with("input v1.x linear_sample\n", kGreater), kWrite),
            printed(with("input v1.x linear_sample\n",
                         "input v2.z sv(position) linear_noperspective_sample component_type(3)\n", kGreater),
                    limit_by("v2")));
}

TEST(LimitDepth, TakesTheDepthOfTheSampleBesideThePixelsPosition) {
  for (const char* position : {"input v3.z sv(position) linear_noperspective\n",
                               "input v3.xy sv(position) linear_noperspective_centroid\n"}) {
    const std::string inputs = with("input v1.x linear_sample\n", position);
    EXPECT_EQ(limited(with(inputs, kGreater), kWrite),
              printed(with(inputs, "input v4.z sv(position) linear_noperspective_sample component_type(3)\n",
                           kGreater),
                      limit_by("v4")));
  }
  const std::string_view sample = "input v3.xy sv(position) linear_noperspective_sample\n";
  EXPECT_EQ(limited(with(kPlain, sample, kGreater), kWrite),
            printed(with(kPlain, "input v3.xyz sv(position) linear_noperspective_sample\n", kGreater),
                    limit_by("v3")));
}

TEST(LimitDepth, SaturatesEveryDepth) {
  const std::string plain = with(kPlain, "output depth.x sv(depth)\n");
  const std::string_view write = "  %0 = input v1.x\n  output depth.x, %0\n  return\n";
  std::pmr::vector<ClosedGap> closed;
  EXPECT_EQ(limited(plain, write, &closed),
            printed(plain, "  %0 = input v1.x\n  %1 = fsat.f32 %0\n  output depth.x, %1\n  return\n"));
  ASSERT_EQ(closed.size(), 1u);
  EXPECT_EQ(closed[0].gap, Gap::depth_range);
}

TEST(LimitDepth, OfEarlyTestsChangesNothing) {
  const std::string color = with(kPlain, "output o0.x\n");
  const std::string_view write = "  %0 = input v1.x\n  output o0.x, %0\n  return\n";
  EXPECT_EQ(limited(color, write), printed(color, write));
  const std::string early = with("early_depth_stencil\n", kPlain, kGreater);
  EXPECT_EQ(limited(early, kWrite), printed(early, kWrite)) << "the depth is ignored";
}

}  // namespace
}  // namespace texlate::ir
