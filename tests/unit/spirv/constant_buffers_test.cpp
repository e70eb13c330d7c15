// Constant buffers: structs of the rows that are read, or arrays.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

FromListing pixel(std::string_view body, std::string_view rows = "8") {
  return FromListing(
      fmt::format("ps_5_0\ndcl_globalFlags refactoringAllowed\n"
                  "dcl_constantbuffer cb0[{0}], immediateIndexed\n"
                  "dcl_constantbuffer cb1[{0}], immediateIndexed\n"
                  "dcl_input_ps constant v0.xyzw\ndcl_output o0.xyzw\ndcl_output o1.xyzw\n"
                  "dcl_temps 2\n{1}ret\n",
                  rows, body));
}

TEST(SpirvConstantBuffers, FewRowsAreMembersInTheirOrder) {
  const FromListing ps = pixel("add o0.xyzw, cb0[5].xyzw, cb0[2].yyyy\nmov o1.xyzw, cb0[0].wzzz\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text,
              AllOf(HasSubstr(" 0 Offset 0"), HasSubstr(" 1 Offset 36"), HasSubstr(" 2 Offset 80"),
                    HasSubstr("OpTypeStruct %v4float %float %v4float"), Not(HasSubstr("ArrayStride"))));
  // One component needs no index.
  EXPECT_THAT(ps.text, HasSubstr("OpAccessChain %_ptr_Uniform_float %cb0 %uint_1\n"));
  // Four members take as many instructions as an array, except for the index 0 if it is not a row.
  const auto sum_of_four = [](uint32_t first) {
    return pixel(
        fmt::format("add r0.xyzw, cb0[{}].xyzw, cb0[{}].xyzw\nadd r0.xyzw, r0.xyzw, cb0[{}].xyzw\n"
                    "add o0.xyzw, r0.xyzw, cb0[{}].xyzw\n",
                    first, first + 1, first + 2, first + 3));
  };
  EXPECT_EQ(sum_of_four(0).count("ArrayStride"), 1u);
  EXPECT_EQ(sum_of_four(1).count("ArrayStride"), 0u);
  const FromListing five = pixel(
      "add r0.xyzw, cb0[0].xyzw, cb0[1].xyzw\nadd r0.xyzw, r0.xyzw, cb0[2].xyzw\n"
      "add r0.xyzw, r0.xyzw, cb0[3].xyzw\nadd o0.xyzw, r0.xyzw, cb0[4].xyzw\n");
  EXPECT_THAT(five.text, AllOf(HasSubstr("ArrayStride 16"), HasSubstr("OpTypeArray %v4float %uint_8"),
                               HasSubstr("%cb0 %uint_0 %uint_4")));
}

TEST(SpirvConstantBuffers, OneRowIsLoadedWithoutPointers) {
  const FromListing row = pixel("mov o0.xyzw, cb0[3].wzyx\n");
  ASSERT_NE(row.text, "") << row.messages;
  EXPECT_THAT(row.text, AllOf(HasSubstr("OpTypeStruct %v4float\n"), HasSubstr(" 0 Offset 48"),
                              Not(HasSubstr("OpAccessChain")), Not(HasSubstr("OpConstant "))));
  EXPECT_EQ(row.count("OpCompositeExtract %v4float"), 1u) << row.text;
  const FromListing component = pixel("mov o0.xyzw, cb0[3].yyyy\n");
  EXPECT_THAT(component.text, AllOf(HasSubstr("OpTypeStruct %float\n"), HasSubstr(" 0 Offset 52"),
                                    HasSubstr("OpCompositeExtract %float")))
      << component.messages;
  // From a row that is a vector elsewhere.
  const FromListing part =
      pixel("if_nz v0.x\nmov o0.xyzw, cb0[3].zzzz\nelse\nmov o0.xyzw, cb0[3].xyzw\nendif\n");
  EXPECT_THAT(part.text, AllOf(HasSubstr("OpTypeStruct %v4float\n"), HasSubstr(" 0 2\n"))) << part.messages;
}

TEST(SpirvConstantBuffers, ARunTimeRowNeedsAnArray) {
  const FromListing ps = pixel("mov r0.x, v0.x\nadd o0.xyzw, cb0[r0.x + 1].xyzw, cb0[2].xyzw\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, HasSubstr("OpTypeArray %v4float %uint_4096"));
  Options options;
  options.robustness = Robustness::shader;
  const FromListing guarded(
      "ps_5_0\ndcl_constantbuffer cb0[3], dynamicIndexed\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\n"
      "dcl_temps 1\nmov r0.x, v0.x\nmov o0.xyzw, cb0[r0.x + 0].xyzw\nret\n",
      options);
  EXPECT_THAT(guarded.text, AllOf(HasSubstr("OpTypeArray %v4float %uint_3"), HasSubstr("OpULessThan"),
                                  HasSubstr("OpConstantNull %v4float")))
      << guarded.messages;
}

TEST(SpirvConstantBuffers, BuffersThatAreReadAlikeShareAType) {
  const std::string first = "mov o0.xyzw, cb0[1].xyzw\n";
  const FromListing alike = pixel(first + "mov o1.xyzw, cb1[1].xyww\n");
  EXPECT_EQ(alike.count("OpTypeStruct"), 1u) << alike.text;
  EXPECT_EQ(alike.count("DescriptorSet"), 2u) << alike.text;
  EXPECT_EQ(pixel(first + "mov o1.xyzw, cb1[2].xyzw\n").count("OpTypeStruct"), 2u);
  EXPECT_EQ(pixel(first + "mov o1.xyzw, cb1[1].yyyy\n").count("OpTypeStruct"), 2u);
  const std::string scalar = "mov o0.xyzw, cb0[1].xxxx\n";
  EXPECT_EQ(pixel(scalar + "mov o1.xyzw, cb1[1].xxxx\n").count("OpTypeStruct"), 1u);
  EXPECT_EQ(pixel(scalar + "mov o1.xyzw, cb1[1].yyyy\n").count("OpTypeStruct"), 2u);
  EXPECT_EQ(pixel(scalar + "iadd r0.x, cb1[1].x, l(1)\nutof o1.xyzw, r0.xxxx\n").count("OpTypeStruct"), 2u);
}

TEST(SpirvConstantBuffers, ARowHasOneKind) {
  // Floats here, integers there: one variable, and casts.
  const FromListing ps = pixel(
      "if_nz v0.x\nadd o0.xyzw, cb0[1].xyzw, l(1.0, 2.0, 3.0, 4.0)\nelse\n"
      "iadd r0.xyzw, cb0[1].xyzw, v0.xyzw\nutof o1.xyzw, r0.xyzw\nendif\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("DescriptorSet"), 1u) << ps.text;
  EXPECT_EQ(ps.count("OpBitcast"), 2u) << ps.text;  // of the row and of the input
  // Rows of both kinds, too many for members: a few loads are cast, many have a separate view.
  const auto rows_of_both = [](uint32_t each) {
    std::string body = "mov r0.xyzw, l(0,0,0,0)\nmov r1.xyzw, l(0,0,0,0)\n";
    for (uint32_t i = 0; i < each; ++i) {
      body += fmt::format("add r0.xyzw, r0.xyzw, cb0[{}].xyzw\niadd r1.xyzw, r1.xyzw, cb0[{}].xyzw\n", 2 * i,
                          2 * i + 1);
    }
    return pixel(body + "mov o0.xyzw, r0.xyzw\nutof o1.xyzw, r1.xyzw\n", "64");
  };
  EXPECT_EQ(rows_of_both(8).count("DescriptorSet"), 1u);
  EXPECT_EQ(rows_of_both(8).count("OpBitcast"), 8u);
  EXPECT_EQ(rows_of_both(9).count("DescriptorSet"), 2u);
  EXPECT_EQ(rows_of_both(9).count("OpBitcast"), 0u);
}

}  // namespace
}  // namespace texlate::spirv
