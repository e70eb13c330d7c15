// Programs at and beyond SPIR-V's universal limits (backend/spirv/limits.h, docs/limits.md).
#include "backend/spirv/limits.h"

#include <gmock/gmock.h>

#include <spirv/unified1/spirv.hpp>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;

const std::string kLimitsHead =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadID.xyz\ndcl_temps 2\n"
    "dcl_thread_group 1, 1, 1\nmov r0.xy, vThreadID.xyxx\n";
const std::string kTail = "store_raw u0.x, l(0), r0.x\nret\n";

std::string times(uint32_t count, std::string_view text) {
  std::string all;
  for (uint32_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string labels(uint32_t count, std::string_view arm) {
  std::string text = "switch r0.x\n";
  for (uint32_t i = 0; i < count; ++i) text += "case l(" + std::to_string(i) + ")\n" + std::string(arm);
  return text + "mov r0.x, l(1)\nbreak\nendswitch\n";
}

/// Words of the longest instruction, or OpSwitch; 0 if the listing was refused, or its instructions do not
/// end at the module's end.
uint32_t longest(const FromListing& made, bool switches = false) {
  uint32_t most = 0;
  size_t at = 5;
  while (at < made.words.size() && made.words[at] >> 16 != 0) {
    if (!switches || (made.words[at] & 0xffff) == spv::OpSwitch) most = std::max(most, made.words[at] >> 16);
    at += made.words[at] >> 16;
  }
  return at == made.words.size() ? most : 0;
}

// Every text is valid: FromListing runs the validator.
TEST(SpirvLimits, LabelsOfOneArm) {
  for (const uint32_t count : {kMostSwitchLabels, kMostSwitchLabels + 1, 2 * kMostSwitchLabels + 1, 32767u}) {
    const FromListing made(kLimitsHead + labels(count, "") + kTail);
    EXPECT_FALSE(made.text.empty()) << count << made.messages;
    EXPECT_EQ(made.count("OpSwitch"), count <= kMostSwitchLabels ? 1u : (count - 1) / kMostSwitchLabels + 2)
        << count;
  }
}

// The validator takes a minute for so many blocks. Small constructs show that the passes' results are sound
// (large_constructs_test.cpp).
TEST(SpirvLimits, ArmsOfOneSwitch) {
  const FromListing made(kLimitsHead + labels(40000, "iadd r0.x, r0.y, l(5)\nbreak\n") + kTail, {}, false);
  EXPECT_NE(longest(made), 0u) << made.messages;
  EXPECT_EQ(longest(made, true), 3 + 2 * kMostSwitchLabels);
}

TEST(SpirvLimits, ExitsOfALoop) {
  for (const uint32_t count : {kMostPhiEdges - 2, kMostPhiEdges + 1, 33000u}) {
    const FromListing made(kLimitsHead + "loop\n" + times(count, "iadd r0.x, r0.x, l(3)\nbreakc_nz r0.x\n") +
                               "endloop\n" + kTail,
                           {}, false);
    EXPECT_NE(longest(made), 0u) << count << made.messages;
    if (count > kMostPhiEdges) {
      EXPECT_LT(longest(made), 1000u);
    } else {
      EXPECT_GT(longest(made), 65000u);
    }
  }
}

TEST(SpirvLimits, RowsOfATable) {
  for (const uint32_t rows : {4096u, 65'531u, 65'532u, 100'000u}) {
    std::string table = "ps_5_0\ndcl_immediateConstantBuffer { ";
    for (uint32_t r = 0; r < rows; ++r)
      table += (r == 0 ? "{ " : ",\n{ ") + std::to_string(r) + ", 0, 0, 1.0}";
    table += " }\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, v0.x\n";
    const FromListing made(table + "mov o0.xyzw, icb[r0.x + 0].xyzw\nret\n", {}, rows == 4096);
    // OpConstantComposite: three words, the rows, and a row of zeros for out-of-range indices.
    EXPECT_EQ(longest(made), 3 + rows + 1 <= kMostInstructionWords ? 3 + rows + 1 : 0) << made.messages;
    if (made.words.empty()) {
      EXPECT_THAT(made.messages, HasSubstr("words in one instruction exceed the limit of 65535"));
    }
  }
}

TEST(SpirvLimits, NestedConstructs) {
  const auto nested = [](uint32_t depth, std::string_view open, std::string_view close) {
    return kLimitsHead + times(depth, open) + "iadd r0.x, r0.x, r0.y\n" + times(depth, close) + kTail;
  };
  const std::pair<const char*, const char*> constructs[] = {
      {"if_nz r0.x\n", "endif\n"},
      {"loop\n", "breakc_nz r0.x\nendloop\n"},
      {"switch r0.x\ncase l(1)\n", "break\nendswitch\n"},
  };
  for (const auto& [open, close] : constructs) {
    const FromListing some(nested(60, open, close));
    EXPECT_FALSE(some.text.empty()) << open << some.messages;
    // The validator's time is quadratic in the depth.
    const FromListing good(nested(kMostNesting, open, close), {}, false);
    EXPECT_NE(longest(good), 0u) << open << good.messages;
    const FromListing bad(nested(kMostNesting + 1, open, close), {}, false);
    EXPECT_TRUE(bad.words.empty()) << open;
    EXPECT_THAT(bad.messages, HasSubstr("nested constructs"));
    EXPECT_THAT(bad.messages, HasSubstr("spirv allows only 1023"));
    EXPECT_THAT(bad.messages, HasSubstr("ir:")) << "it says where";
  }
}

constexpr std::string_view kNonUniform = R"(ps_5_1
dcl_globalFlags refactoringAllowed
dcl_sampler S0[0:15], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T0[0:15], space=0
dcl_uav_typed_texture2d (uint,uint,uint,uint) U0[0:3], space=0
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.x
dcl_output o0.xyzw
dcl_temps 2
mov r0.x, $
sample r1.xyzw, v0.xyxx, T0[@].xyzw, S0[#] { nonuniform }
mov o0.xyzw, r1.xyzw
ret
)";

/// $ the number, @ the texture's index, # the sampler's.
FromListing non_uniform(std::string_view number, std::string_view texture, std::string_view sampler) {
  std::string text(kNonUniform);
  for (const auto& [mark, by] : {std::pair{'$', number}, {'@', texture}, {'#', sampler}})
    text.replace(text.find(mark), 1, by);
  return FromListing(text);
}

TEST(NonUniform, AnIndexThatIsConstantAfterAllIsUniform) {
  for (const char* texture : {"0", "r0.x + 0"}) {
    const FromListing made = non_uniform("l(3)", texture, "r0.x + 0");
    ASSERT_FALSE(made.text.empty()) << made.messages;
    EXPECT_EQ(made.count("NonUniform"), 0u) << made.text;
  }
}

TEST(NonUniform, WhatIsDecoratedHasItsCapability) {
  for (const char* texture : {"0", "r0.x + 0"}) {
    for (const char* sampler : {"0", "r0.x + 0"}) {
      const FromListing made = non_uniform("v1.x", texture, sampler);
      ASSERT_FALSE(made.text.empty()) << made.messages;
      const bool any = std::string_view(texture) != "0" || std::string_view(sampler) != "0";
      EXPECT_EQ(made.count("OpCapability ShaderNonUniform"), any ? 1u : 0u) << made.text;
      EXPECT_EQ(made.count("NonUniform") != 0, any) << made.text;
    }
  }
}

TEST(PushConstants, TwoBuffersInTheSameBytesAreRefused) {
  const std::string_view listing =
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[4], immediateIndexed\n"
      "dcl_constantbuffer cb1[1], immediateIndexed\ndcl_output o0.xyzw\nadd o0.xyzw, cb0[0].xyxy, "
      "cb1[0].xyzw\n"
      "ret\n";
  for (const uint32_t offset : {0u, 16u, 48u, 64u}) {
    const BindingEntry entries[] = {
        {RegisterClass::constant_buffer, 0, 0, {0, 0, Passing::push_constants}},
        {RegisterClass::constant_buffer, 0, 1, {0, offset, Passing::push_constants}}};
    Options options;
    options.bindings = {entries, {}};
    const FromListing made(listing, options);
    EXPECT_EQ(made.text.empty(), offset < 64) << offset;
    if (offset < 64) {
      EXPECT_THAT(made.messages,
                  HasSubstr("cb0 (bytes 0 to 63) and cb1 (bytes " + std::to_string(offset) + " to " +
                            std::to_string(offset + 15) + ") overlap in the push constants"));
    }
  }
}

}  // namespace
}  // namespace texlate::spirv
