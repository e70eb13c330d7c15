// Precise dp3 and dp4 with a common vector become products of columns.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "tests/support/spirv_meaning.h"
#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The module with vectors; it must do the same as the module without them.
FromListing vertex(std::string_view body, std::string_view flags = {}) {
  const std::string listing = fmt::format(
      "vs_5_0\n{}dcl_constantbuffer cb0[16], dynamicIndexed\ndcl_input v0.xyzw\ndcl_input v1.xyzw\n"
      "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_temps 4\n{}ret\n",
      flags, body);
  Options scalars;
  scalars.vectors = false;
  const FromListing scalar(listing, scalars);
  FromListing vector(listing);
  EXPECT_NE(vector.text, "") << vector.messages;
  EXPECT_EQ(meaning(vector.words), meaning(scalar.words)) << scalar.text << vector.text;
  return vector;
}

std::string transform(std::string_view op, std::string_view target, std::string_view vector, uint32_t row,
                      uint32_t count = 4) {
  std::string text;
  for (uint32_t r = 0; r < count; ++r)
    text += fmt::format("{} {}.{}, {}, cb0[{}].xyzw\n", op, target, "xyzw"[r], vector, row + r);
  return text;
}

TEST(SpirvMatrixProducts, FourRowsAreFourColumns) {
  const FromListing vs = vertex(transform("dp4", "o0", "v0.xyzw", 0));
  EXPECT_EQ(vs.count("OpTranspose"), 1u) << vs.text;
  EXPECT_EQ(vs.count("OpVectorTimesScalar"), 1u);
  EXPECT_EQ(vs.count(" Fma "), 3u);
  EXPECT_EQ(vs.count("NoContraction"), 4u);
  // The loads are the rows, and the last sum is stored.
  EXPECT_EQ(vs.count("OpCompositeConstruct %v4float"), 0u) << vs.text;
}

TEST(SpirvMatrixProducts, ThreeComponentsTakeThreeColumnsOfWholeRows) {
  const FromListing vs = vertex(transform("dp3", "r0", "v0.xyzx", 1, 3) + "mul o0.xyzw, r0.xyzz, v1.xyzw\n" +
                                transform("dp4", "o1", "v0.xyzw", 4, 3));
  EXPECT_EQ(vs.count("OpTranspose"), 2u) << vs.text;
  EXPECT_EQ(vs.count("OpTypeMatrix"), 2u) << vs.text;
  EXPECT_EQ(vs.count(" Fma "), 2u + 3u);
}

TEST(SpirvMatrixProducts, ComputedRowsAreRowsToo) {
  const FromListing vs = vertex(
      "mul r0.xyzw, v1.xxxx, cb0[0].xyzw\nmul r1.xyzw, v1.xxxx, cb0[1].xyzw\n"
      "mul r2.xyzw, v1.xxxx, cb0[2].xyzw\ndp4 o0.x, r0.xyzw, v0.xyzw\ndp4 o0.y, v0.xyzw, r1.xyzw\n"
      "dp4 o0.z, r2.xyzw, v0.xyzw\nmov o0.w, l(1.0)\n");
  EXPECT_EQ(vs.count("OpTranspose"), 1u) << vs.text;
}

TEST(SpirvMatrixProducts, TwoAtATimeMayBeMixed) {
  std::string body;
  for (uint32_t r = 0; r < 3; ++r) {
    body +=
        fmt::format("dp4 o0.{0}, v0.xyzw, cb0[{1}].xyzw\ndp3 o1.{0}, v1.xyzx, cb0[{1}].xyzx\n", "xyz"[r], r);
  }
  EXPECT_EQ(vertex(body).count("OpTranspose"), 2u);
}

TEST(SpirvMatrixProducts, ASumThatIsNeededEndsItsProduct) {
  const std::string two = transform("dp4", "r0", "v0.xyzw", 0, 2), third = "dp4 r1.x, v0.xyzw, cb0[2].xyzw\n",
                    rest = "mov o0.xy, r0.xyxx\nmov o0.zw, r1.xxxx\n";
  EXPECT_EQ(vertex(two + third + rest).count("OpTranspose"), 1u);
  EXPECT_EQ(vertex(two + "add o1.xyzw, r0.xxxx, v1.xyzw\n" + third + rest).count("OpTranspose"), 0u);
  EXPECT_EQ(vertex(two + "dp4 o1.x, r0.xyxy, cb0[5].xyzw\n" + third + rest).count("OpTranspose"), 0u);
  // A fifth row starts another product.
  EXPECT_EQ(vertex(transform("dp4", "o0", "v0.xyzw", 0) + transform("dp4", "o1", "v0.xyzw", 4))
                .count("OpTranspose"),
            2u);
  EXPECT_EQ(vertex(transform("dp4", "o0", "v0.xyzw", 0) + transform("dp4", "o1", "v0.xyzw", 4, 2))
                .count("OpTranspose"),
            1u);
}

TEST(SpirvMatrixProducts, StayInTheirBlock) {
  const std::string body =
      "dp4 o0.x, v0.xyzw, cb0[0].xyzw\ndp4 o0.y, v0.xyzw, cb0[1].xyzw\n"
      "if_nz v1.x\nmov o1.xyzw, v1.xyzw\nendif\ndp4 o0.z, v0.xyzw, cb0[2].xyzw\n";
  EXPECT_EQ(vertex(body).count("OpTranspose"), 0u);
}

TEST(SpirvMatrixProducts, VerticesHaveTheirSums) {
  const FromListing gs(
      "gs_5_0\ndcl_constantbuffer cb0[4], immediateIndexed\ndcl_input v[1][0].xyzw\n"
      "dcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyz\n"
      "dcl_maxout 2\ndcl_temps 1\nmov r0.xyzw, v[0][0].xyzw\ndp4 o0.x, r0.xyzw, cb0[0].xyzw\n"
      "dp4 o0.y, r0.xyzw, cb0[1].xyzw\nmov o0.z, l(0)\nemit_stream m0\ndp4 o0.z, r0.xyzw, cb0[2].xyzw\n"
      "emit_stream m0\nret\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_EQ(gs.count("OpTranspose"), 0u) << gs.text;
}

TEST(SpirvMatrixProducts, WhatIsNotPreciseIsADotProduct) {
  const std::string body = transform("dp4", "o0", "v0.xyzw", 0),
                    refactoring = "dcl_globalFlags refactoringAllowed\n";
  EXPECT_EQ(vertex(body, refactoring).count("OpDot"), 4u);
  EXPECT_EQ(vertex(transform("dp4 [precise]", "o0", "v0.xyzw", 0), refactoring).count("OpTranspose"), 1u);
  // In the second row, only the product is precise.
  EXPECT_EQ(vertex("dp3 [precise] o0.x, v0.xyzx, cb0[0].xyzx\nmul [precise] r0.x, v0.x, cb0[1].x\n"
                   "mad r0.x, v0.y, cb0[1].y, r0.x\nmad o0.y, v0.z, cb0[1].z, r0.x\n"
                   "dp3 [precise] o0.z, v0.xyzx, cb0[2].xyzx\n",
                   refactoring)
                .count("OpTranspose"),
            0u);
}

TEST(SpirvMatrixProducts, RandomOnesKeepTheirMeaning) {
  std::mt19937 random(11);
  const auto pick = [&](auto... values) {
    const std::array<std::string_view, sizeof...(values)> all{values...};
    return all[random() % all.size()];
  };
  size_t products = 0;
  for (uint32_t round = 0; round < 200; ++round) {
    std::string body =
        "mul r0.xyzw, v0.xyzw, cb0[12].xyzw\nmad r1.xyzw, v1.xyzw, cb0[13].xyzw, r0.wzyx\n"
        "mov r2.xyzw, v1.xyzw\nmov r3.xyzw, v0.xyzw\n";
    for (uint32_t i = 0; i < 10; ++i) {
      const std::string_view swizzle = pick("xyzw", "xyzw", "xyzw", "xyzw", "xyzw", "wzyx");
      const std::string row =
          fmt::format("{}.{}", pick("cb0[0]", "cb0[1]", "cb0[2]", "r0", "r1", "r2"), swizzle);
      const std::string vector = fmt::format("{}.{}", pick("v0", "v0", "v0", "v0", "r1"), swizzle);
      const bool turned = random() % 4 == 0;
      body +=
          fmt::format("{} {}.{}, {}, {}\n", pick("dp4", "dp4", "dp4", "dp3"), pick("r3", "o0", "o1", "r2"),
                      pick("x", "y", "z", "w"), turned ? row : vector, turned ? vector : row);
      if (random() % 16 == 0) body += "add r3.xyzw, r3.xyzw, r2.yyww\n";
    }
    const FromListing vs = vertex(body + "add o1.xyzw, r3.xyzw, r2.xyzw\n");
    products += vs.count("OpTranspose");
    if (HasFailure()) break;
  }
  EXPECT_GT(products, 20u);
}

}  // namespace
}  // namespace texlate::spirv
