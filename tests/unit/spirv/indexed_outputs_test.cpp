// Outputs written through a run-time register number.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;

/// A geometry shader of two streams that writes o[r0.x + 0].x once.
FromListing streams(std::string_view outputs0, std::string_view outputs1) {
  return FromListing(
      "gs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
      "dcl_input v[1][0].xyzw\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\n" +
      std::string(outputs0) + "dcl_stream m1\ndcl_outputtopology pointlist\n" + std::string(outputs1) +
      "dcl_indexrange o0.x 2\ndcl_maxout 4\ndcl_temps 1\nmov r0.x, cb0[0].x\nmov o[r0.x + 0].x, v[0][0].x\n"
      "emit_stream m1\nret\n");
}

/// The line of the module that begins the only switch.
std::string switch_of(const FromListing& module) {
  const size_t at = module.text.find("OpSwitch");
  return at == std::string::npos ? "" : module.text.substr(at, module.text.find('\n', at) - at);
}

TEST(SpirvIndexedOutputs, AreStoredInAllStreams) {
  const FromListing gs =
      streams("dcl_output o0.xyzw\ndcl_output o1.xyzw\n", "dcl_output o0.xyzw\ndcl_output o1.xyzw\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_EQ(gs.count("OpSwitch"), 1u);
  EXPECT_THAT(switch_of(gs), HasSubstr(" 0 %")) << gs.text;
  EXPECT_THAT(switch_of(gs), HasSubstr(" 1 %")) << gs.text;
  EXPECT_EQ(gs.count("OpStore"), 4u) << gs.text;
  // Each store has a variable of its own.
  for (const char* variable : {"%o0 ", "%o1 ", "%o0_0 ", "%o1_0 "})
    EXPECT_EQ(gs.count("OpAccessChain %_ptr_Output_float " + std::string(variable)), 1u) << variable;
}

TEST(SpirvIndexedOutputs, AreThoseOfAnyStream) {
  const FromListing gs = streams("dcl_output o0.xyzw\n", "dcl_output o1.xyzw\ndcl_output o0.y\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_THAT(switch_of(gs), HasSubstr(" 0 %")) << gs.text;
  EXPECT_THAT(switch_of(gs), HasSubstr(" 1 %")) << gs.text;
  EXPECT_EQ(gs.count("OpStore"), 2u) << gs.text;
}

TEST(SpirvIndexedOutputs, AreConvertedToTheTypeOfTheTarget) {
  for (const std::string type : {"int", "uint", "float"}) {
    const std::string format = std::string(5 - type.size(), ' ') + type;
    const FromListing ps(
        "// Output signature:\n//\n"
        "// Name                 Index   Mask Register SysValue Format   Used\n"
        "// -------------------- ----- ------ -------- -------- ------ ------\n"
        "// SV_Target                0   xyzw        0   TARGET  " +
        format +
        "   xyzw\n"
        "// SV_Target                1   xyzw        1   TARGET  " +
        format +
        "   xyzw\n//\n"
        "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
        "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_indexrange o0.xyzw 2\ndcl_temps 1\nmov r0.x, cb0[0].x\n"
        "mov o[r0.x + 0].xyzw, l(1,2,3,4)\nret\n");
    ASSERT_NE(ps.text, "") << type << ps.messages;  // the module was valid
    EXPECT_EQ(ps.count("OpStore"), 8u) << ps.text;
    EXPECT_EQ(ps.count("OpVariable %_ptr_Output_v4" + type + " "), 2u) << ps.text;
  }
}

// oDepth and oMask are outputs without a register number.
TEST(SpirvIndexedOutputs, AreNotSpecialRegisters) {
  const FromListing ps(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
      "dcl_output o0.x\ndcl_output o1.x\ndcl_output oDepth\ndcl_indexrange o0.x 2\ndcl_temps 1\n"
      "mov r0.x, cb0[0].x\nmov o[r0.x + 0].x, l(1.0)\nmov oDepth, l(0.5)\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  // The selector, the merge block, and two cases.
  EXPECT_EQ(std::ranges::count(switch_of(ps), '%'), 4) << ps.text;
}

}  // namespace
}  // namespace texlate::spirv
