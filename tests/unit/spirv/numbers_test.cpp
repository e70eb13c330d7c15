// Precision: contraction, rounding, denormals.

#include <gmock/gmock.h>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kBody =
    "dcl_input_ps linear v0.xyzw\ndcl_output o0.xy\ndcl_temps 1\nmul r0.x, v0.x, v0.y\nadd o0.x, r0.x, v0.z\n"
    "mul [precise(y)] o0.y, v0.z, v0.w\nret\n";

TEST(SpirvNumbers, OnlyPreciseOperationsMayNotBeContracted) {
  const FromListing free("ps_5_0\ndcl_globalFlags refactoringAllowed\n" + kBody);
  EXPECT_EQ(free.count("NoContraction"), 1u) << free.messages;
  const FromListing strict("ps_5_0\n" + kBody);
  EXPECT_EQ(strict.count("NoContraction"), 3u) << "both products and the sum";
}

// A quotient has nothing to be fused with, but drivers simplify 0 / x if it is not decorated.
TEST(SpirvNumbers, PreciseArithmeticThatRoundsIsDecorated) {
  const auto decorated = [&](const std::string& flags, const std::string& body) {
    const FromListing listing("ps_5_0\n" + flags +
                              "dcl_input_ps linear v0.xyzw\ndcl_output o0.x\ndcl_temps 1\n" + body + "ret\n");
    EXPECT_NE(listing.text, "") << listing.messages;
    return listing.count("NoContraction");
  };
  for (const std::string operation : {"add", "mul", "div"}) {
    const std::string body = " o0.x, v0.x, v0.y\n";
    EXPECT_EQ(decorated("", operation + body), 1u) << operation;
    EXPECT_EQ(decorated("dcl_globalFlags refactoringAllowed\n", operation + body), 0u) << operation;
    EXPECT_EQ(decorated("dcl_globalFlags refactoringAllowed\n", operation + " [precise(x)]" + body), 1u)
        << operation;
  }
  for (const std::string operation : {"rcp", "sqrt", "rsq", "exp", "log"})
    EXPECT_EQ(decorated("", operation + " o0.x, v0.x\n"), 1u) << operation;
  EXPECT_EQ(decorated("", "mad o0.x, v0.x, v0.y, v0.z\n"), 1u);
  EXPECT_EQ(decorated("", "add o0.x, v0.x, -v0.y\n"), 1u);
  for (const std::string operation : {"max", "min", "ge", "iadd"})
    EXPECT_EQ(decorated("", operation + " o0.x, v0.x, v0.y\n"), 0u) << operation;
  EXPECT_EQ(decorated("", "mov_sat o0.x, v0.x\n"), 0u);
}

TEST(SpirvNumbers, PreciseDoublesThatRoundAreDecorated) {
  for (const std::string operation : {"dadd", "dmul"}) {
    const FromListing listing(
        "ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps | enable11_1DoubleExtensions\n"
        "dcl_input_ps constant v0.xyzw\ndcl_output o0.xy\n" +
        operation + " o0.xy, v0.xyxy, v0.zwzw\nret\n");
    EXPECT_EQ(listing.count("NoContraction"), 1u) << operation << listing.messages;
  }
}

// Vulkan lets a device round halves up (16.6.1); Direct3D rounds them to even.
TEST(SpirvNumbers, ArrayIndicesAreRoundedToEven) {
  const auto rounded = [](const std::string& resource, const std::string& sample) {
    const FromListing listing(
        "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_default\ndcl_resource_" + resource +
        " (float,float,float,float) t0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n" + sample +
        "\nret\n");
    EXPECT_NE(listing.text, "") << listing.messages;
    return listing.count(" RoundEven ");
  };
  const std::string plane = "(texture2darray)(float,float,float,float) o0.xyzw, ";
  EXPECT_EQ(rounded("texture2darray", "sample_indexable" + plane + "v0.xyzx, t0.xyzw, s0"), 1u);
  EXPECT_EQ(rounded("texture2darray", "gather4_indexable" + plane + "v0.xyzx, t0.xyzw, s0.x"), 1u);
  EXPECT_EQ(rounded("texture2darray", "sample_indexable" + plane + "l(0.5,0.5,3.0,0), t0.xyzw, s0"), 0u);
  EXPECT_EQ(rounded("texture2d",
                    "sample_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0"),
            0u);
  EXPECT_EQ(
      rounded("texturecubearray",
              "sample_indexable(texturecubearray)(float,float,float,float) o0.xyzw, v0.xyzw, t0.xyzw, s0"),
      1u);
}

TEST(SpirvNumbers, ASumWithANegatedOperandIsADifference) {
  const std::string head = "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyz\ndcl_temps 1\n";
  const FromListing both(head +
                         "add o0.x, v0.x, -v0.y\nadd o0.y, -v0.y, v0.z\nadd o0.z, -v0.x, -v0.z\nret\n");
  EXPECT_EQ(both.count("OpFSub"), 3u) << both.text;
  EXPECT_EQ(both.count("OpFAdd"), 0u) << both.text;
  EXPECT_EQ(both.count("OpFNegate"), 1u) << both.text;
}

TEST(SpirvNumbers, FloatControlsOnRequest) {
  EXPECT_THAT(FromListing("ps_5_0\n" + kBody).text, Not(HasSubstr("SPV_KHR_float_controls")));
  Options options;
  options.float_controls = true;
  const FromListing ps("ps_5_0\n" + kBody, options);
  EXPECT_THAT(ps.text, AllOf(HasSubstr("DenormFlushToZero 32"), HasSubstr("RoundingModeRTE 32"),
                             HasSubstr("SignedZeroInfNanPreserve 32"), Not(HasSubstr(" 64"))));
  const FromListing doubles(
      "ps_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps\ndcl_input_ps constant v0.xyzw\ndcl_output "
      "o0.xy\n"
      "dadd o0.xy, v0.xyxy, v0.zwzw\nret\n",
      options);
  EXPECT_THAT(doubles.text, AllOf(HasSubstr("DenormPreserve 64"), HasSubstr("RoundingModeRTE 64"),
                                  HasSubstr("OpCapability Float64")));
}

// SPIR-V 3.6: with DenormPreserve, half denormals that are unpacked from integers are kept.
TEST(SpirvNumbers, FloatControlsKeepHalfDenormals) {
  const std::string source =
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps constant v0.x\ndcl_output o0.x\n"
      "f16tof32 o0.x, v0.x\nret\n";
  EXPECT_GT(FromListing(source).count("OpBitwiseAnd"), 0u);
  Options options;
  options.float_controls = true;
  const FromListing kept(source, options);
  EXPECT_THAT(kept.text, AllOf(HasSubstr("DenormPreserve 16"), HasSubstr("OpCapability DenormPreserve")));
  EXPECT_EQ(kept.count("UnpackHalf2x16"), 1u) << kept.text;
  EXPECT_EQ(kept.count("OpSelect"), 0u) << kept.text;
  options.device.remove(Feature::preserve_halves);
  const FromListing flushed(source, options);
  EXPECT_THAT(flushed.text, Not(HasSubstr("DenormPreserve")));
  EXPECT_GT(flushed.count("OpSelect"), 0u) << flushed.text;
}

TEST(SpirvDistances, CountAsTheSignatureSaysNotAsAPartOfThemIsDeclared) {
  const FromListing gs(
      "// Input signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_ClipDistance          0   xyzw        0  CLIPDST  float       \n"
      "// SV_ClipDistance          1   xy          1  CLIPDST  float    y  \n//\n"
      "gs_5_0\ndcl_input_siv v[1][1].y, clip_distance\ndcl_inputprimitive point\ndcl_outputtopology "
      "pointlist\n"
      "dcl_output o0.x\ndcl_maxout 1\nmov o0.x, v[0][1].y\nemit\nret\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_THAT(gs.text, AllOf(HasSubstr("_arr_float_uint_6"), HasSubstr("%gl_ClipDistance %uint_0 %uint_5")));
}

}  // namespace
}  // namespace texlate::spirv
