// What a driver can specify about outputs: formats, points, stream output, render targets, the next stage.

#include <cstring>

#include "tests/api/translated.h"
#include "tests/support/has_match.h"

namespace texlate {
namespace {

using test::HasMatch;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kColumns =
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n";

std::string signatures(std::string_view inputs, std::string_view outputs) {
  std::string text = "// Input signature:\n//\n";
  text.append(kColumns).append(inputs).append("//\n// Output signature:\n//\n");
  text.append(kColumns).append(outputs).append("//\n");
  return text;
}

const std::string kVertex = signatures(
                                "// IDS                      0   xy          0     NONE    int   xy  \n"
                                "// BLEND                    0   xyzw        1     NONE   uint   xyzw\n",
                                "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
                                "// TEXCOORD                 0   xy          1     NONE  float   xy  \n"
                                "// TEXCOORD                 1     zw        1     NONE  float     zw\n"
                                "// COLOR                    0   xyz         2     NONE  float   xyz \n") +
                            "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xy\ndcl_input v1.xyzw\n"
                            "dcl_output_siv o0.xyzw, position\ndcl_output o1.xy\ndcl_output o1.zw\n"
                            "dcl_output o2.xyz\nitof o0.xy, v0.xyxx\nmov o0.zw, l(0,0,0,1.0)\n"
                            "utof o1.xyzw, v1.xyzw\nmov o2.xyz, l(1.0,2.0,3.0,0)\nret \n";

TEST(DriverFormats, SignedComponentsAreSigned) {
  const Translated vertex = translate(kVertex, spirv_options());
  ASSERT_EQ(vertex.status, TEXLATE_OK) << vertex.messages;
  EXPECT_THAT(vertex.text, HasSubstr("%IDS0 = OpVariable %_ptr_Input_v4int Input"));
  EXPECT_THAT(vertex.text, HasSubstr("%BLEND0 = OpVariable %_ptr_Input_v4uint Input"));
  const Translated pixel = translate(
      signatures("", "// SV_Target                0   xy          0   TARGET    int   xy  \n") +
          "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xy\nmov o0.xy, l(1,-2,0,0)\nret \n",
      spirv_options());
  ASSERT_EQ(pixel.status, TEXLATE_OK) << pixel.messages;
  EXPECT_THAT(pixel.text, HasSubstr("OpVariable %_ptr_Output_v2int Output"));
}

TEST(DriverPoints, HaveASizeOnRequest) {
  texlate_spirv_options options = spirv_options();
  EXPECT_THAT(translate(kVertex, options).text, Not(HasSubstr("PointSize")));
  options.point_size = 1;
  const Translated vertex = translate(kVertex, options);
  ASSERT_EQ(vertex.status, TEXLATE_OK) << vertex.messages;
  EXPECT_THAT(vertex.text, HasSubstr("BuiltIn PointSize"));
  for (const bool points : {true, false}) {
    const Translated geometry = translate(
        std::string("gs_5_0\ndcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\ndcl_stream m0\n"
                    "dcl_outputtopology ") +
            (points ? "pointlist" : "trianglestrip") +
            "\ndcl_output_siv o0.xyzw, position\ndcl_maxout 4\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m0\n"
            "mov o0.xyzw, v[0][0].yxzw\nemit_stream m0\nret\n",
        options);
    ASSERT_EQ(geometry.status, TEXLATE_OK) << geometry.messages;
    EXPECT_EQ(count(geometry.text, "BuiltIn PointSize"), points ? 1u : 0u);
    EXPECT_EQ(count(geometry.text, "OpStore %gl_PointSize"), points ? 2u : 0u) << geometry.text;
  }
}

// The number is read once, and written before each emission. A buffer that the shader reads, too, is one
// buffer.
TEST(DriverPoints, HaveTheSizeThatTheHostStores) {
  texlate_point_size size{};
  size.size.in_buffer = 1;
  size.size.buffer = 2;
  size.size.offset = 36;
  size.most = size.size;
  size.most.offset = 56;
  texlate_spirv_options options = spirv_options();
  options.point_size = 1;
  options.point_size_state = &size;
  const Translated geometry = translate(
      "gs_5_0\ndcl_constantbuffer cb2[1], immediateIndexed\ndcl_input_siv v[1][0].xyzw, position\n"
      "dcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, "
      "position\n"
      "dcl_maxout 4\nadd o0.xyzw, v[0][0].xyzw, cb2[0].xyzw\nemit_stream m0\n"
      "mov o0.xyzw, v[0][0].yxzw\nemit_stream m0\nret\n",
      options);
  ASSERT_EQ(geometry.status, TEXLATE_OK) << geometry.messages;
  EXPECT_EQ(count(geometry.text, "OpStore %gl_PointSize"), 2u) << geometry.text;
  EXPECT_EQ(count(geometry.text, "%cb2 = OpVariable"), 1u);
  EXPECT_THAT(geometry.text, testing::AllOf(HasSubstr("Offset 36"), HasSubstr("Offset 56")));
  EXPECT_EQ(count(geometry.text, " NMin "), 1u);
  EXPECT_THAT(geometry.text, Not(HasSubstr(" NMax "))) << "the least size is 0";
  EXPECT_THAT(geometry.text, HasSubstr("OpCapability GeometryPointSize"));
  const texlate_device_property property = {"shaderTessellationAndGeometryPointSize", 0};
  options.device = &property;
  options.device_count = 1;
  const Translated vertex = translate(kVertex, options);
  ASSERT_EQ(vertex.status, TEXLATE_OK) << vertex.messages;
  EXPECT_THAT(vertex.text, HasSubstr("OpStore %gl_PointSize"));
  size.size.offset = 35;
  EXPECT_THAT(translate(kVertex, options).messages,
              HasSubstr("options.spirv.point_size_state->size.offset is 35: not a multiple of 4"));
}

Translated captured(std::string_view listing, std::span<const texlate_stream_output> entries,
                    std::span<const uint32_t> strides = {}) {
  texlate_spirv_options options = spirv_options();
  options.stream_output = entries.data();
  options.stream_output_count = entries.size();
  options.buffer_strides = strides.data();
  options.buffer_stride_count = strides.size();
  return translate(listing, options);
}

TEST(DriverStreamOutput, FollowsADeclaration) {
  const texlate_stream_output entries[] = {{0, "sv_position", 0, 0, 4, 0},
                                           {0, nullptr, 0, 0, 2, 0},
                                           {0, "TEXCOORD", 1, 1, 1, 0},
                                           {0, "COLOR", 0, 1, 2, 2}};
  const uint32_t strides[] = {0, 0, 64};
  const Translated made = captured(kVertex, entries, strides);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("OpCapability TransformFeedback"));
  EXPECT_THAT(made.text, HasSubstr("OpExecutionMode %main Xfb"));
  // Buffer 0 holds 4 words, a gap of 2 words, and 1 word: 28 bytes. Buffer 2 has the stride that was given.
  EXPECT_EQ(count(made.text, "XfbBuffer 0\n"), 2u);
  EXPECT_EQ(count(made.text, "XfbStride 28\n"), 2u);
  EXPECT_EQ(count(made.text, "XfbBuffer 2\n"), 1u);
  EXPECT_EQ(count(made.text, "XfbStride 64\n"), 1u);
  EXPECT_EQ(count(made.text, " Offset 24\n"), 1u);
  EXPECT_EQ(count(made.text, " Offset 0\n"), 2u);
  // These locations follow the shader's own, 0 to 2.
  for (const char* location : {"Location 3\n", "Location 4\n", "Location 5\n"})
    EXPECT_EQ(count(made.text, location), 1u);
  EXPECT_THAT(made.text, HasMatch("OpVariable %_ptr_Output_v2float Output"));
}

TEST(DriverStreamOutput, OfAStreamOfAGeometryShader) {
  const std::string geometry =
      signatures("// SV_Position              0   xyzw        0      POS  float   xyzw\n", "") +
      "gs_5_0\ndcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\ndcl_stream m0\n"
      "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_stream m1\ndcl_outputtopology pointlist\n"
      "dcl_output o0.xyzw\ndcl_maxout 4\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m1\nret\n";
  const texlate_stream_output entry = {1, "NOWHERE", 0, 0, 4, 0};
  const Translated made = captured(geometry, {&entry, 1});
  EXPECT_EQ(made.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(made.messages, "stream output selects NOWHERE0 of stream 1, which the shader does not write\n");
}

TEST(DriverStreamOutput, WhatIsNotThereIsRefused) {
  const texlate_stream_output wide = {0, "COLOR", 0, 1, 3, 0};
  EXPECT_EQ(captured(kVertex, {&wide, 1}).messages,
            "stream output selects 4 components of COLOR0, which has 3\n");
  const texlate_stream_output fifth = {0, "COLOR", 0, 0, 3, 4};
  EXPECT_EQ(captured(kVertex, {&fifth, 1}).messages,
            "options.spirv.stream_output[0].buffer is 4: there are 4");
  const texlate_stream_output good = {0, "COLOR", 0, 0, 3, 0};
  const uint32_t stride = 8;
  const Translated narrow = captured(kVertex, {&good, 1}, {&stride, 1});
  EXPECT_EQ(narrow.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_THAT(narrow.messages, HasSubstr("options.spirv.buffer_strides[0] is 8"));
}

TEST(DriverStreamOutput, ABufferHoldsOneStream) {
  texlate_stream_output entries[] = {
      {0, "COLOR", 0, 0, 3, 1}, {1, nullptr, 0, 0, 1, 1}, {1, "COLOR", 0, 0, 3, 1}};
  const Translated refused = captured(kVertex, entries);
  EXPECT_EQ(refused.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(refused.messages, "options.spirv.stream_output[0] and [2] put streams 0 and 1 into buffer 1");
  entries[2].stream = 0;
  EXPECT_EQ(captured(kVertex, entries).status, TEXLATE_OK);
}

TEST(DriverStreamOutput, NumbersThatWrapAroundAreRefused) {
  struct Wrong {
    uint32_t first, count;
    const char* text;
  };
  for (const Wrong& wrong : {Wrong{4294967264u, 32, "component_count is 32, which is not in 1 to 4"},
                             {4294967200u, 96, "component_count is 96, which is not in 1 to 4"},
                             {0, 5, "component_count is 5, which is not in 1 to 4"},
                             {0, 0, "component_count is 0, which is not in 1 to 4"},
                             {UINT32_MAX, 1, "selects 1 components from component 4294967295 on"},
                             {4294967293u, 4, "selects 4 components from component 4294967293 on"},
                             {2, 3, "selects 3 components from component 2 on, but a register has 4"}}) {
    const texlate_stream_output entry = {0, "COLOR", 0, wrong.first, wrong.count, 0};
    const Translated made = captured(kVertex, {&entry, 1});
    EXPECT_EQ(made.status, TEXLATE_ERROR_ARGUMENT);
    EXPECT_THAT(made.messages, HasSubstr(wrong.text));
  }
  for (const uint32_t words : {0u, 129u}) {
    const texlate_stream_output gap = {0, nullptr, 0, 0, words, 0};
    EXPECT_EQ(captured(kVertex, {&gap, 1}).status, TEXLATE_ERROR_ARGUMENT) << words;
  }
}

TEST(DriverStreamOutput, IsOfTheLastStageBeforeThePixels) {
  const texlate_stream_output entry = {0, "SV_Target", 0, 0, 4, 0};
  const Translated made = captured(
      signatures("", "// SV_Target                0   xyzw        0   TARGET  float   xyzw\n") +
          "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n",
      {&entry, 1});
  EXPECT_EQ(made.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(made.messages,
            "options.spirv.stream_output is given, but this is not a vertex, domain or geometry shader");
}

const std::string kPixelOutputs =
    signatures("",
               "// SV_Target                0   xyzw        0   TARGET  float   xyzw\n"
               "// SV_Target                1   xyz         1   TARGET  float   xyz \n") +
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\n"
    "dcl_output o0.xyzw\ndcl_output o1.xyz\nmov o0.xyzw, v0.xyzw\nmov o1.xyz, v0.xyzx\n"
    "ret \n";

TEST(DriverTargets, AreSwizzled) {
  const uint8_t swizzles[2][4] = {{2, 1, 0, 3}, {0, 0, 3, 2}};
  texlate_spirv_options options = spirv_options();
  options.output_swizzles = swizzles;
  options.output_swizzle_count = 1;
  const Translated first = translate(kPixelOutputs, options);
  ASSERT_EQ(first.status, TEXLATE_OK) << first.messages;
  // z, y, x, w of the loaded value.
  EXPECT_THAT(first.text, HasMatch("OpVectorShuffle %v4float %[0-9]+ %[0-9]+ 2 1 0 3")) << first.text;
  EXPECT_THAT(first.text, HasSubstr("OpVariable %_ptr_Output_v3float Output"));
  options.output_swizzle_count = 2;
  const Translated both = translate(kPixelOutputs, options);
  ASSERT_EQ(both.status, TEXLATE_OK) << both.messages;
  // x, x, nothing (w is not written), z: the target now has four components.
  EXPECT_THAT(both.text, Not(HasSubstr("OpVariable %_ptr_Output_v3float Output")));
  const uint8_t wrong[1][4] = {{0, 1, 4, 2}};
  options.output_swizzles = wrong;
  options.output_swizzle_count = 1;
  EXPECT_EQ(translate(kPixelOutputs, options).messages,
            "options.spirv.output_swizzles[0][2] is 4, which is not a component");
}

TEST(DriverTargets, TwoSourcesOfOneBlend) {
  texlate_spirv_options options = spirv_options();
  options.dual_source_blending = 1;
  const Translated made = translate(kPixelOutputs, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_EQ(count(made.text, "Location 0\n"), 3u);  // v0, o0, o1
  EXPECT_EQ(count(made.text, " Index 0\n"), 1u);
  EXPECT_EQ(count(made.text, " Index 1\n"), 1u);
  const Translated third = translate(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\ndcl_output o2.xyzw\n"
      "mov o0.xyzw, l(0,0,0,0)\nmov o2.xyzw, l(0,0,0,0)\nret \n",
      options);
  EXPECT_EQ(third.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(third.messages,
            "o2 cannot be written in addition to o0 and o1, the two blend sources of one target\n");
}

/// The reflection, without white space.
std::string reflection(std::string_view listing, const texlate_spirv_options& spirv) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.spirv = &spirv;
  options.reflect = 1;
  const api::Output output = api::Program(listing).translate(options);
  std::string json(output.reflection());
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  return json;
}

TEST(DriverReflection, HasTheLocationsOfTheModule) {
  texlate_spirv_options options = spirv_options();
  EXPECT_THAT(
      reflection("hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
                 "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_integer\n"
                 "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\n"
                 "dcl_input v[3][0].xyzw\ndcl_output o2.xyzw\nmov o2.xyzw, v[0][0].xyzw\nret\n"
                 "hs_fork_phase\ndcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\ndcl_output o6.xyzw\n"
                 "mov o0.x, l(1.0)\nmov o6.xyzw, l(1.0,2.0,3.0,4.0)\nret\n",
                 options),
      HasSubstr(R"("outputs":[{"location":2,"mask":15}],"patch_constants":[{"system_value":"quad_edge_u0",)"
                R"("mask":1},{"location":25,"mask":15}])"));
  EXPECT_THAT(
      reflection("gs_5_0\ndcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\ndcl_stream m0\n"
                 "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_stream m1\n"
                 "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 4\nmov o0.xyzw, v[0][0].xyzw\n"
                 "emit_stream m1\nret\n",
                 options),
      HasSubstr(R"("outputs":[{"system_value":"position","mask":15},{"location":1,"stream":1,"mask":15}])"));
  options.dual_source_blending = 1;
  EXPECT_THAT(
      reflection("ps_5_0\ndcl_output o0.xyzw\ndcl_output o1.xyzw\nmov o0.xyzw, l(0,0,0,0)\n"
                 "mov o1.xyzw, l(0,0,0,0)\nret\n",
                 options),
      HasSubstr(R"("outputs":[{"location":0,"index":0,"mask":15},{"location":0,"index":1,"mask":15}])"));
}

/// Reads COLOR0, TEXCOORD1 (in the vertex shader's register of TEXCOORD0) and FOG0 (never written).
const std::string kNext = signatures(
                              "// SV_Position              0   xyzw        0      POS  float       \n"
                              "// TEXCOORD                 1   xy          1     NONE  float   xy  \n"
                              "// FOG                      0     z         1     NONE  float     z \n"
                              "// COLOR                    0   xyzw        4     NONE  float   xyzw\n",
                              "// SV_Target                0   xyzw        0   TARGET  float   xyzw\n") +
                          "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v1.xy\n"
                          "dcl_input_ps linear v1.z\ndcl_input_ps linear v4.xyzw\ndcl_output o0.xyzw\n"
                          "add o0.xyzw, v1.xyzz, v4.xyzw\nret \n";

TEST(DriverLinkage, MatchesBySemantic) {
  const api::Program vertex(kVertex), pixel(kNext);
  ASSERT_TRUE(vertex.ok() && pixel.ok());
  const std::vector<texlate_varying> made = vertex.link(pixel);
  ASSERT_EQ(made.size(), 3u);
  const auto is = [](const texlate_varying& v, uint32_t from, uint32_t from_mask, uint32_t to,
                     uint32_t to_mask) {
    return v.output_register == from && v.output_mask == from_mask && v.input_register == to &&
           v.input_mask == to_mask;
  };
  EXPECT_TRUE(is(made[0], 1, 0xc, 1, 0x3));
  EXPECT_TRUE(is(made[1], UINT32_MAX, 0, 1, 0x4));
  EXPECT_TRUE(is(made[2], 2, 0x7, 4, 0xf));
  size_t room = 2;
  texlate_varying two[2];
  EXPECT_EQ(texlate_link(vertex.get(), pixel.get(), two, sizeof two[0], &room), TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(room, 3u);
  EXPECT_STREQ(texlate_argument_error(), "there is room for only 2 of 3 varyings");
  // A caller whose elements are longer: the members that the library does not know are set to zero.
  struct {
    texlate_varying known;
    uint32_t unknown;
  } longer[3];
  std::memset(longer, 0xab, sizeof longer);
  room = 3;
  ASSERT_EQ(texlate_link(vertex.get(), pixel.get(), &longer[0].known, sizeof longer[0], &room), TEXLATE_OK);
  EXPECT_TRUE(is(longer[2].known, 2, 0x7, 4, 0xf));
  EXPECT_EQ(longer[2].unknown, 0u);
}

TEST(DriverLinkage, OutputsGoWhereTheNextStageReadsThem) {
  const api::Program vertex(kVertex), pixel(kNext);
  texlate_spirv_options options = spirv_options();
  options.next = pixel.get();
  const Translated by_program = translate(vertex, options);
  ASSERT_EQ(by_program.status, TEXLATE_OK) << by_program.messages;
  // o1.zw to v1.xy, zeros to v1.z and v4.w, o2.xyz to v4.xyz; o1.xy is not read.
  EXPECT_EQ(count(by_program.text, "Location 1\n"), 2u);  // v1, TEXCOORD1
  EXPECT_EQ(count(by_program.text, "Location 4\n"), 1u);
  EXPECT_EQ(count(by_program.text, "Location 2\n"), 0u);
  // Every component is written, so all stores are of whole vectors: the position and two outputs.
  EXPECT_EQ(count(by_program.text, "OpStore "), 3u);
  EXPECT_THAT(by_program.text, Not(HasSubstr("OpAccessChain %_ptr_Output")));
  const std::vector<texlate_varying> varyings = vertex.link(pixel);
  options.next = nullptr;
  options.varyings = varyings.data();
  options.varying_count = varyings.size();
  EXPECT_EQ(translate(vertex, options).text, by_program.text);
  options.next = pixel.get();
  EXPECT_EQ(translate(vertex, options).messages, "options.spirv has both varyings and the next program");
}

/// A varying may take the register number of a system value, which keeps its own value.
TEST(DriverLinkage, AVaryingInThePlaceOfThePosition) {
  const std::string vertex =
      signatures(
          "// POSITION                 0   xyzw        0     NONE  float   xyzw\n"
          "// TEXCOORD                 0   xyzw        1     NONE  float   xyzw\n",
          "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
          "// TEXCOORD                 0   xyzw        1     NONE  float   xyzw\n") +
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyzw\ndcl_input v1.xyzw\n"
      "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\nmov o0.xyzw, v0.xyzw\nmov o1.xyzw, v1.xyzw\n"
      "ret \n";
  texlate_spirv_options options = spirv_options();
  const texlate_varying varying = {1, 15, 0, 15};
  options.varyings = &varying;
  options.varying_count = 1;
  options.varying_stride = sizeof varying;
  const Translated made = translate(vertex, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  // Two inputs are loaded, and each goes to one output.
  EXPECT_EQ(count(made.text, "OpLoad %v4float"), 2u) << made.text;
  EXPECT_EQ(count(made.text, "OpStore"), 2u) << made.text;
  EXPECT_EQ(count(made.text, "BuiltIn Position"), 1u);
  EXPECT_EQ(count(made.text, "Location 0\n"), 2u);  // v0 and the varying
}

TEST(DriverLinkage, IsOfStagesWithANextStage) {
  const api::Program pixel(kNext);
  const texlate_varying varying = {0, 15, 0, 15};
  texlate_spirv_options options = spirv_options();
  options.varyings = &varying;
  options.varying_count = 1;
  const Translated by_varyings = translate(pixel, options);
  EXPECT_EQ(by_varyings.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(by_varyings.messages,
            "options.spirv.varyings is given, but this is not a vertex, domain or geometry shader");
  options.varyings = nullptr;
  options.varying_count = 0;
  options.next = pixel.get();
  const Translated by_program = translate(pixel, options);
  EXPECT_EQ(by_program.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(by_program.messages,
            "options.spirv.next is given, but this is not a vertex, domain or geometry shader");
}

TEST(DriverLinkage, TheNextProgramIsOfAStageThatFollows) {
  const api::Program vertex(kVertex);
  texlate_spirv_options options = spirv_options();
  options.next = vertex.get();
  const Translated refused = translate(vertex, options);
  EXPECT_EQ(refused.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(refused.messages, "options.spirv.next is a vertex shader, which does not follow a vertex shader");
  // The hull shader is between them.
  const api::Program domain(
      signatures("// TEXCOORD                 0   xy          1     NONE  float   xy  \n", "") +
      "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\n"
      "dcl_input vicp[3][1].xy\ndcl_output_siv o0.xyzw, position\n"
      "mov o0.xyzw, vicp[0][1].xyxy\nret \n");
  ASSERT_TRUE(domain.ok());
  size_t count = 0;
  EXPECT_EQ(texlate_link(vertex.get(), domain.get(), nullptr, 0, &count), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "next is a domain shader, which does not follow a vertex shader");
  const api::Program ir("module vertex vs_5_0\n");
  EXPECT_EQ(texlate_link(ir.get(), domain.get(), nullptr, 0, &count), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "program is IR text, which has no signatures");
}

TEST(DriverLinkage, MasksSelectSomething) {
  texlate_spirv_options options = spirv_options();
  const auto messages = [&](const texlate_varying& varying) {
    options.varyings = &varying;
    options.varying_count = 1;
    return translate(kVertex, options).messages;
  };
  EXPECT_EQ(messages({1, 0, 1, 15}), "options.spirv.varyings[0].output_mask is 0, which is not in 1 to 15");
  EXPECT_EQ(messages({1, 16, 1, 15}), "options.spirv.varyings[0].output_mask is 16, which is not in 1 to 15");
  EXPECT_EQ(messages({1, 15, 1, 0}), "options.spirv.varyings[0].input_mask is 0, which is not in 1 to 15");
  EXPECT_EQ(messages({1, 15, 1, 16}), "options.spirv.varyings[0].input_mask is 16, which is not in 1 to 15");
  EXPECT_EQ(messages({1, 15, 32, 15}), "options.spirv.varyings[0] names a register beyond 31");
  EXPECT_EQ(messages({UINT32_MAX, 0, 1, 15}), "");
  EXPECT_EQ(messages({1, 15, 1, 15}), "");
}

TEST(DriverLinkage, AnInputComponentIsNamedOnce) {
  texlate_varying varyings[] = {{1, 3, 2, 6}, {1, 12, 1, 3}, {2, 3, 2, 12}};
  texlate_spirv_options options = spirv_options();
  options.varyings = varyings;
  options.varying_count = std::size(varyings);
  const Translated twice = translate(kVertex, options);
  EXPECT_EQ(twice.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(twice.messages, "options.spirv.varyings[0] and [2] both name component z of input register 2");
  varyings[2].output_register = UINT32_MAX;
  EXPECT_EQ(translate(kVertex, options).status, TEXLATE_ERROR_ARGUMENT);
  varyings[2] = {2, 3, 31, 12};
  EXPECT_EQ(translate(kVertex, options).messages, "");
  varyings[2] = {2, 3, 2, 9};
  EXPECT_EQ(translate(kVertex, options).messages, "");
}

TEST(DriverLinkage, StreamOutputTakesWhatTheNextStageDoesNotRead) {
  const api::Program vertex(kVertex), pixel(kNext);
  texlate_spirv_options options = spirv_options();
  options.next = pixel.get();
  const texlate_stream_output entry = {0, "TEXCOORD", 0, 0, 2, 0};
  options.stream_output = &entry;
  options.stream_output_count = 1;
  const Translated made = translate(vertex, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_EQ(count(made.text, "XfbStride 8\n"), 1u);
  EXPECT_EQ(count(made.text, "Location 5\n"), 1u);
}

}  // namespace
}  // namespace texlate
