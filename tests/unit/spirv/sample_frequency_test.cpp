// Pixel shaders that run for each sample (D3D11.3 functional specification 16.2).

#include <gmock/gmock.h>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// `body` writes o0.
FromListing pixel_from(const std::string& declarations, const std::string& body,
                       const Options& options = {}) {
  return FromListing(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\n" + declarations + "dcl_output o0.xyzw\n" + body + "ret\n",
      options);
}

/// The operands of the entry point, which end with its interface, are the names of variables.
std::string entry_point(const FromListing& module) {
  const size_t at = module.text.find("OpEntryPoint");
  return at == std::string::npos ? "" : module.text.substr(at, module.text.find('\n', at) - at);
}

const std::string kCenter = "dcl_input_ps_siv linear noperspective v0.xyzw, position\n",
                  kSample = "dcl_input_ps_siv linear noperspective sample v0.xyzw, position\n",
                  kIndex = "dcl_input_ps_sgv constant v1.x, sampleIndex\n";

TEST(SpirvSampleFrequency, APositionAtTheSampleForcesIt) {
  const FromListing ps = pixel_from(kSample, "mov o0.xyzw, v0.xyxx\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, AllOf(HasSubstr("OpCapability SampleRateShading"),
                             HasSubstr("%gl_SampleID BuiltIn SampleId"), HasSubstr("%gl_SampleID Flat")));
  EXPECT_THAT(entry_point(ps), HasSubstr("%gl_SampleID"));
  // FragCoord is then the sample's location already.
  EXPECT_EQ(ps.count("Floor"), 0u) << ps.text;
}

TEST(SpirvSampleFrequency, ADeclarationIsEnough) {
  const FromListing index = pixel_from(kCenter + kIndex, "mov o0.xyzw, v0.zzzz\n");
  ASSERT_NE(index.text, "") << index.messages;
  EXPECT_THAT(index.text, HasSubstr("OpCapability SampleRateShading"));
  EXPECT_THAT(entry_point(index), HasSubstr("%gl_SampleID"));
  const FromListing varying = pixel_from("dcl_input_ps linear sample v0.xy\n", "mov o0.xyzw, l(0,0,0,0)\n");
  ASSERT_NE(varying.text, "") << varying.messages;
  EXPECT_THAT(entry_point(varying), HasSubstr("%v0"));
  EXPECT_THAT(varying.text, AllOf(HasSubstr("OpCapability SampleRateShading"), HasSubstr("%v0 Sample")));
}

TEST(SpirvSampleFrequency, OneVariableIsEnough) {
  const FromListing ps =
      pixel_from(kSample + "dcl_input_ps linear sample v1.xy\n", "add o0.xyzw, v0.xyxy, v1.xyxy\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, AllOf(HasSubstr("%v1 Sample"), Not(HasSubstr("SampleId"))));
  const FromListing read = pixel_from(kIndex, "utof o0.xyzw, v1.xxxx\n");
  ASSERT_NE(read.text, "") << read.messages;
  EXPECT_EQ(read.count("BuiltIn SampleId"), 1u) << read.text;
  EXPECT_EQ(read.count("Flat"), 1u) << read.text;
}

TEST(SpirvSampleFrequency, NothingElseForcesIt) {
  const FromListing ps =
      pixel_from(kCenter + "dcl_input_ps linear centroid v1.xy\ndcl_input_ps linear v2.xy\n",
                 "add o0.xyzw, v0.xyzw, v1.xyxy\nadd o0.xyzw, v0.xyzw, v2.xyxy\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, AllOf(Not(HasSubstr("SampleRateShading")), Not(HasSubstr("SampleId")),
                             Not(HasSubstr("Floor")), Not(HasSubstr("Interpolate"))));
}

TEST(SpirvSampleFrequency, OrderedViewsAgreeWithTheInterface) {
  const auto ordered = [](const std::string& position) {
    return FromListing("ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw_rov U0[0:0], space=0\n" +
                       position + "dcl_temps 1\nftou r0.x, v0.x\nstore_raw U0[0].x, r0.x, l(1)\nret\n");
  };
  const FromListing samples = ordered(kSample), pixels = ordered(kCenter);
  ASSERT_NE(samples.text, "") << samples.messages;
  ASSERT_NE(pixels.text, "") << pixels.messages;
  EXPECT_THAT(samples.text, AllOf(HasSubstr("SampleInterlockOrderedEXT"), HasSubstr("BuiltIn SampleId")));
  EXPECT_THAT(pixels.text, AllOf(HasSubstr("PixelInterlockOrderedEXT"), Not(HasSubstr("SampleId"))));
}

TEST(SpirvSampleFrequency, APositionThatIsNotSampleIsThePixelCenter) {
  const FromListing ps = pixel_from(kCenter + kIndex, "mov o0.xy, v0.xyxx\nutof o0.zw, v1.xxxx\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("Floor"), 1u) << ps.text;
  EXPECT_EQ(ps.count("%float_0_5 %float_0_5 %float_0_5 %float_0_5"), 1u) << ps.text;
  // z and w are those of FragCoord.
  const FromListing all = pixel_from(kCenter + kIndex, "mov o0.xyzw, v0.xyzw\n");
  ASSERT_NE(all.text, "") << all.messages;
  EXPECT_EQ(all.count("Floor"), 1u) << all.text;
  EXPECT_EQ(all.count(" 0 1 6 7\n"), 1u) << all.text;
  EXPECT_EQ(all.count("OpFDiv"), 1u) << all.text;
  Options scalar;
  scalar.vectors = false;
  EXPECT_NE(pixel_from(kCenter + kIndex, "add o0.xyzw, v0.xyzw, v0.yxwz\n", scalar).text, "");
}

TEST(SpirvSampleFrequency, OnlySampleInputsAreEvaluatedAtTheSample) {
  const FromListing ps = pixel_from(
      "dcl_input_ps linear sample v1.xy\ndcl_input_ps linear v2.xy\ndcl_input_ps linear noperspective v3.xy\n"
      "dcl_input_ps constant v4.xy\ndcl_input_ps linear centroid v5.xy\ndcl_temps 1\n",
      "add r0.xyzw, v1.xyxy, v2.xyxy\nadd r0.xyzw, r0.xyzw, v3.xyxy\nadd r0.xyzw, r0.xyzw, v4.xyxy\n"
      "add o0.xyzw, r0.xyzw, v5.xyxy\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, HasSubstr("OpCapability InterpolationFunction"));
  EXPECT_EQ(ps.count("InterpolateAtOffset"), 2u) << ps.text;
  EXPECT_THAT(ps.text, AllOf(HasSubstr("InterpolateAtOffset %v2 "), HasSubstr("InterpolateAtOffset %v3 "),
                             HasSubstr("OpLoad %v4float %v1"), HasSubstr("OpLoad %v4float %v4"),
                             HasSubstr("OpLoad %v4float %v5")));
}

TEST(SpirvSampleFrequency, InputsOfARunTimeNumberAreEvaluatedAtThePixelCenter) {
  const FromListing ps = pixel_from(kIndex +
                                        "dcl_input_ps linear v2.xy\ndcl_input_ps linear v3.xy\ndcl_temps 1\n"
                                        "dcl_indexrange v2.xy 2\n",
                                    "mov r0.x, v1.x\nmov o0.xyzw, v[r0.x + 2].xyxy\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("InterpolateAtOffset"), 2u) << ps.text;
}

}  // namespace
}  // namespace texlate::spirv
