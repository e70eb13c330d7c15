// What the C interface reports about a program without translating it.

#include "tests/api/translated.h"
#include "tests/unit/dxbc/definitions_chunk.h"

namespace texlate {
namespace {

texlate_binding binding_of(const api::Program& program, uint32_t index) {
  texlate_binding binding{};
  binding.struct_size = sizeof binding;
  EXPECT_EQ(texlate_program_get_binding(program.get(), index, &binding), TEXLATE_OK);
  return binding;
}

TEST(ProgramQueries, NothingIsKnownOfWhatCannotBeRead) {
  const api::Program program("ps_5_0\nfrob r0.x\nret \n");
  ASSERT_FALSE(program.ok());
  texlate_program_info info = TEXLATE_PROGRAM_INFO_INIT;
  EXPECT_EQ(texlate_program_get_info(program.get(), &info), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "program was read with errors");
}

TEST(ProgramQueries, WhatIsDoneWithEachBinding) {
  const api::Program program(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb3[2], immediateIndexed\n"
      "dcl_sampler s1, mode_comparison\ndcl_resource_texture2dms(4) (uint,uint,uint,uint) t2\n"
      "dcl_uav_typed_texture2d_glc (sint,sint,sint,sint) u0\ndcl_uav_raw u1\ndcl_uav_structured u2, 8\n"
      "dcl_uav_raw u3\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 8, 1, 1\n"
      "ld_uav_typed_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, vThreadID.xxxx, u0.xyzw\n"
      "store_raw u1.x, vThreadID.x, r0.x\nimm_atomic_alloc r0.x, u2\natomic_iadd u3, l(0), cb3[0].x\n"
      "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, u1.x\nret \n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(binding_of(program, 0).flags, TEXLATE_BINDING_READ);
  EXPECT_EQ(binding_of(program, 1).flags, TEXLATE_BINDING_COMPARISON);
  const texlate_binding texture = binding_of(program, 2);
  EXPECT_EQ(texture.flags, 0u) << "nothing uses it";
  EXPECT_EQ(texture.sample_count, 4u);
  EXPECT_EQ(texture.component_type, 4u);
  const texlate_binding typed = binding_of(program, 3);
  EXPECT_EQ(typed.flags, uint32_t{TEXLATE_BINDING_READ} | TEXLATE_BINDING_COHERENT);
  EXPECT_EQ(typed.component_type, 3u);
  // A size query does not count as a read.
  EXPECT_EQ(binding_of(program, 4).flags, uint32_t{TEXLATE_BINDING_WRITTEN} | TEXLATE_BINDING_QUERIED);
  EXPECT_EQ(binding_of(program, 5).flags, TEXLATE_BINDING_COUNTER);
  EXPECT_EQ(binding_of(program, 6).flags,
            uint32_t{TEXLATE_BINDING_READ} | TEXLATE_BINDING_WRITTEN | TEXLATE_BINDING_ATOMIC);
  texlate_binding none{};
  none.struct_size = sizeof none;
  EXPECT_EQ(texlate_program_get_binding(program.get(), 7, &none), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "the program has no binding number 7");
}

TEST(ProgramQueries, WhatIsOnlyQueried) {
  const api::Program program(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_resource_texture2dms(4) (float,float,float,float) t1\n"
      "dcl_resource_texture2dms(4) (float,float,float,float) t2\ndcl_resource_raw t3\ndcl_output o0.xyzw\n"
      "dcl_temps 1\nresinfo_indexable(texture2d)(float,float,float,float) r0.x, l(0), t0.xyzw\n"
      "sampleinfo_uint r0.y, t1.xyzw\nsamplepos r0.zw, t2.xyxy, l(0)\n"
      "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, t3.x\nmov o0.xyzw, r0.xyzw\nret \n");
  ASSERT_TRUE(program.ok());
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(binding_of(program, i).flags, TEXLATE_BINDING_QUERIED) << i;
}

/// The same program as IR text.
api::Program as_ir(const api::Program& program) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ir";
  const api::Output text = program.translate(options);
  EXPECT_EQ(text.status(), TEXLATE_OK);
  api::Program made(text.data());
  EXPECT_TRUE(made.ok());
  return made;
}

TEST(ProgramQueries, IrTextSaysWhatTheTessellatorDoes) {
  const api::Program hull(
      "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_fractional_odd\n"
      "dcl_tessellator_output_primitive output_triangle_ccw\nhs_control_point_phase\n"
      "dcl_input v[3][0].xy\ndcl_output o0.xy\nmov o0.xy, v[0][0].xyxx\nret\nhs_fork_phase\n"
      "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
      "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
      "mov o0.x, l(2.0)\nmov o1.x, l(2.0)\nmov o2.x, l(2.0)\nmov o3.x, l(2.0)\nret \n");
  const api::Program domain(
      "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_quad\n"
      "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0,0,0,1.0)\nret \n");
  ASSERT_TRUE(hull.ok() && domain.ok());
  for (const texlate_program_info& info : {hull.info(), as_ir(hull).info()}) {
    EXPECT_EQ(info.tessellator_domain, 2u);
    EXPECT_EQ(info.tessellator_partitioning, 3u);
    EXPECT_EQ(info.tessellator_output, 4u);
  }
  for (const texlate_program_info& info : {domain.info(), as_ir(domain).info()}) {
    EXPECT_EQ(info.tessellator_domain, 3u);
    EXPECT_EQ(info.tessellator_partitioning, 0u);
  }
}

TEST(ProgramQueries, IrTextSaysWhichTexturesItReads) {
  const api::Program program(
      "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[0:0][1], immediateIndexed, "
      "space=0\n"
      "dcl_sampler S0[2:2], mode_default, space=1\ndcl_sampler S1[4:9], mode_default, space=0\n"
      "dcl_resource_texture2d (float,float,float,float) T0[3:3], space=2\n"
      "dcl_resource_texture2d (float,float,float,float) T1[5:8], space=0\n"
      "dcl_resource_raw T2[9:9], space=0\ndcl_uav_raw U0[0:0], space=0\n"
      "dcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 3\n"
      "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, T0[3].xyzw, S0[2]\n"
      "sample_indexable(texture2d)(float,float,float,float) r1.xyzw, v0.xyxx, T1[6].xyzw, S1[7]\n"
      "add r0.xyzw, r0.xyzw, r1.xyzw\nmov r2.x, CB0[0][0].x\n"
      "sample_indexable(texture2d)(float,float,float,float) r1.xyzw, v0.xyxx, T1[r2.x + 5].xyzw, S0[2]\n"
      "add r0.xyzw, r0.xyzw, r1.xyzw\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, l(0), T2[9].xxxx\n"
      "add r0.x, r0.x, r1.x\n"
      "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, l(0), U0[0].xxxx\n"
      "add r0.x, r0.x, r1.x\nmov o0.xyzw, r0.xyzw\nret \n");
  ASSERT_TRUE(program.ok());
  const texlate_texture_use wanted[] = {
      {2, 3, 1, 2, 0}, {0, 6, 0, 7, 0}, {0, 5, 1, 2, 1}, {0, 9, 0, UINT32_MAX, 0}};
  for (const auto& uses : {program.texture_uses(), as_ir(program).texture_uses()}) {
    ASSERT_EQ(uses.size(), 4u);
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(std::memcmp(&uses[i], &wanted[i], sizeof uses[i]), 0) << i;
  }
  EXPECT_TRUE(api::Program("module nonsense\n").texture_uses().empty());
}

/// When depth and stencil may be tested: of the program, of the IR text that it becomes, and in the
/// reflections.
std::string early_depth(const std::string& head, const std::string& body) {
  constexpr const char* kNames[] = {"late", "allowed", "forced"};
  const api::Program program(head + "dcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n" + body +
                             "mov o0.xyzw, v0.xyzw\nret\n");
  EXPECT_TRUE(program.ok()) << body;
  const std::string name = kNames[program.info().early_depth];
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.reflect = 1;
  for (const char* target : {"ptx", "maxwell", "dksh", "spirv"}) {
    options.target = target;
    const api::Output output = program.translate(options);
    EXPECT_EQ(output.status(), TEXLATE_OK) << target << body;
    EXPECT_NE(output.reflection().find("\"early_depth\": \"" + name), std::string_view::npos)
        << target << body << output.reflection();
  }
  EXPECT_NE(program.summary(true).data().find("\"early_depth\": \"" + name), std::string_view::npos) << body;
  options.target = "ir";
  options.reflect = 0;
  const api::Output text = program.translate(options);
  EXPECT_EQ(kNames[api::Program(text.data()).info().early_depth], name) << body;
  return name;
}

TEST(ProgramQueries, EarlyDepth) {
  const std::string free = "ps_5_0\ndcl_globalFlags refactoringAllowed\n";
  const std::string forced = "ps_5_0\ndcl_globalFlags refactoringAllowed | forceEarlyDepthStencil\n";
  EXPECT_EQ(early_depth(free, ""), "allowed");
  EXPECT_EQ(early_depth(free, "discard_nz v0.x\n"), "late");
  EXPECT_EQ(early_depth(forced, "discard_nz v0.x\n"), "forced");
  for (const std::string depth : {"oDepth", "oDepthGE", "oDepthLE", "oMask"})
    EXPECT_EQ(early_depth(free + "dcl_output " + depth + "\n", "mov " + depth + ", v0.x\n"), "late") << depth;
  const std::string view = free + "dcl_uav_raw u1\n";
  EXPECT_EQ(early_depth(view, "store_raw u1.x, l(0), v0.x\n"), "late");
  EXPECT_EQ(early_depth(view, "atomic_iadd u1, l(0), v0.x\n"), "late");
  EXPECT_EQ(early_depth(view, "ld_raw r0.x, l(0), u1.xxxx\n"), "allowed");
  const api::Program vertices("vs_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret\n");
  EXPECT_EQ(vertices.info().early_depth, TEXLATE_EARLY_DEPTH_LATE);
  EXPECT_EQ(vertices.summary(true).data().find("early_depth"), std::string_view::npos);
}

TEST(ProgramQueries, CapabilitiesInTheReflection) {
  const api::Program program(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndiscard_nz v0.x\n"
      "mov o0.xyzw, v0.xyzw\nret\n");
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.reflect = 1;
  for (const char* target : {"spirv", "spirv-text"}) {
    options.target = target;
    const api::Output output = program.translate(options);
    std::string json;
    for (const char c : output.reflection()) json += c == ' ' || c == '\n' ? "" : std::string(1, c);
    EXPECT_THAT(json, testing::HasSubstr("\"capabilities\":[\"Shader\",\"DemoteToHelperInvocation\"],"
                                         "\"extensions\":[\"SPV_EXT_demote_to_helper_invocation\"]"));
  }
}

TEST(ProgramQueries, SignaturesByIndexAndBySemantic) {
  const api::Program program(
      "// Output signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
      "// Color                    3   xyz         1     NONE   uint   x z \n//\n"
      "vs_5_0\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyz\nmov o0.xyzw, l(0,0,0,0)\n"
      "mov o1.xz, l(1,2,3,4)\nret \n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(texlate_program_signature_size(program.get(), TEXLATE_SIGNATURE_OUTPUT), 2u);
  EXPECT_EQ(texlate_program_signature_size(program.get(), TEXLATE_SIGNATURE_INPUT), 0u);
  texlate_signature_element element{};
  element.struct_size = sizeof element;
  ASSERT_EQ(texlate_program_get_signature_element(program.get(), TEXLATE_SIGNATURE_OUTPUT, 0, &element),
            TEXLATE_OK);
  EXPECT_STREQ(element.semantic_name, "SV_Position");
  EXPECT_EQ(element.system_value, 1u);
  ASSERT_EQ(texlate_program_find_signature_element(program.get(), TEXLATE_SIGNATURE_OUTPUT, "COLOR", 3, 0,
                                                   &element),
            TEXLATE_OK);
  EXPECT_EQ(element.register_index, 1u);
  EXPECT_EQ(element.component_type, 1u);
  EXPECT_EQ(element.mask, 7u);
  EXPECT_EQ(element.used_mask, 5u);
  EXPECT_EQ(texlate_program_find_signature_element(program.get(), TEXLATE_SIGNATURE_OUTPUT, "COLOR", 2, 0,
                                                   &element),
            TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "the signature has no COLOR2 of stream 0");
}

TEST(ProgramQueries, NamesAndTypesOfAContainer) {
  const auto bytes = shader_with_definitions();
  const api::Program program({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  ASSERT_TRUE(program.ok());
  const api::Definitions definitions = program.definitions();
  ASSERT_TRUE(definitions.ok());
  EXPECT_TRUE(definitions.is_complete());
  EXPECT_STREQ(definitions.compiler(), "Microsoft (R) HLSL Shader Compiler 10.1");
  const auto buffers = definitions.buffers();
  ASSERT_EQ(buffers.size(), 2u);
  EXPECT_STREQ(buffers[0].name, "PerFrame");
  EXPECT_EQ(buffers[0].size, 192u);
  ASSERT_EQ(buffers[0].variable_count, 4u);
  const auto variables = definitions.variables();
  const texlate_variable_definition& count = variables[buffers[0].first_variable + 2];
  EXPECT_STREQ(count.name, "Count");
  EXPECT_EQ(count.offset, 92u);
  uint32_t value = 0;
  std::memcpy(&value, count.default_value, sizeof value);
  EXPECT_EQ(value, 7u);
  EXPECT_EQ(variables[0].default_value, nullptr);
  const texlate_type_definition light = definitions.types()[variables[3].type];
  EXPECT_STREQ(light.name, "Light");
  EXPECT_EQ(light.variable_class, 5u);
  const texlate_member_definition range = definitions.members()[light.first_member + 1];
  EXPECT_STREQ(range.name, "Range");
  EXPECT_EQ(range.offset, 16u);
  EXPECT_LT(range.type, variables[3].type);
  const auto resources = definitions.resources();
  ASSERT_EQ(resources.size(), 4u);
  EXPECT_EQ(resources[0].kind, TEXLATE_BINDING_SAMPLER);
  EXPECT_EQ(resources[2].kind, TEXLATE_BINDING_RESOURCE);
  EXPECT_EQ(resources[2].first_register, 2u);
}

TEST(ProgramQueries, TextHasNoNamesOrTypes) {
  const api::Program program("ps_5_0\nret \n");
  const api::Definitions definitions = program.definitions();
  ASSERT_TRUE(definitions.ok());
  EXPECT_TRUE(definitions.buffers().empty());
  EXPECT_STREQ(definitions.compiler(), "");
  EXPECT_EQ(texlate_definitions_get(nullptr), nullptr);
  texlate_definitions_free(nullptr);
  EXPECT_EQ(api::Program("nonsense").definitions().status(), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "program was read with errors");
}

constexpr std::string_view kArrayIndices =
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
    "// SV_RenderTargetArrayIndex     0   x           1  RTINDEX   uint   x   \n"
    "// SV_ViewportArrayIndex     0    y          1  VPINDEX   uint    y  \n//\n";

/// Writes a position and both array indices.
const std::string kArrayIndexWriter =
    "// Output signature:\n//\n" + std::string(kArrayIndices) +
    "vs_5_0\ndcl_input_sgv v0.x, instance_id\ndcl_output_siv o0.xyzw, position\n"
    "dcl_output_siv o1.x, rendertarget_array_index\ndcl_output_siv o1.y, viewport_array_index\n"
    "mov o0.xyzw, l(0,0,0,1.0)\nmov o1.xy, v0.xxxx\nret \n";

Translated before(const api::Program& next) {
  texlate_spirv_options options = spirv_options();
  options.next = next.get();
  return translate(api::Program(kArrayIndexWriter), options);
}

TEST(ProgramQueries, ArrayIndicesArePlainBeforeHullAndGeometryShaders) {
  const std::string inputs = "// Input signature:\n//\n" + std::string(kArrayIndices);
  const api::Program vertex(kArrayIndexWriter);
  const api::Program geometry(
      inputs +
      "gs_5_0\ndcl_input_siv v[1][0].xyzw, position\ndcl_input_siv v[1][1].x, rendertarget_array_index\n"
      "dcl_input_siv v[1][1].y, viewport_array_index\ndcl_inputprimitive point\ndcl_stream m0\n"
      "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\n"
      "dcl_output_siv o1.x, rendertarget_array_index\ndcl_maxout 1\nmov o0.xyzw, v[0][0].xyzw\n"
      "iadd o1.x, v[0][1].x, v[0][1].y\nemit_stream m0\nret \n");
  const api::Program hull(
      inputs +
      "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\n"
      "dcl_input v[3][1].xy\ndcl_output o0.xy\nmov o0.xy, v[0][1].xyxx\nret \n");
  ASSERT_TRUE(vertex.ok() && geometry.ok() && hull.ok());
  for (const api::Program* next : {&geometry, &hull}) {
    const std::vector<texlate_varying> made = vertex.link(*next);
    ASSERT_EQ(made.size(), 2u);
    for (uint32_t i = 0; i < 2; ++i) {
      EXPECT_EQ(made[i].output_register, 1u);
      EXPECT_EQ(made[i].input_register, 1u);
      EXPECT_EQ(made[i].output_mask, 1u << i);
      EXPECT_EQ(made[i].input_mask, 1u << i);
    }
    const Translated written = before(*next);
    ASSERT_EQ(written.status, TEXLATE_OK) << written.messages;
    EXPECT_EQ(count(written.text, "Location 1\n"), 1u) << written.text;
    for (const char* of_rasterizer : {"BuiltIn Layer", "BuiltIn ViewportIndex", "ShaderViewportIndexLayer"})
      EXPECT_EQ(count(written.text, of_rasterizer), 0u) << written.text;
    texlate_spirv_options options = spirv_options();
    options.varyings = made.data();
    options.varying_count = made.size();
    EXPECT_EQ(translate(vertex, options).text, written.text);
    const Translated read = translate(*next, spirv_options());
    ASSERT_EQ(read.status, TEXLATE_OK) << read.messages;
    EXPECT_EQ(count(read.text, "Location 1\n"), 1u) << read.text;
  }
}

TEST(ProgramQueries, ArrayIndicesThatNoStageReadsAreNotWritten) {
  const size_t after_position = kArrayIndices.find("// SV_RenderTargetArrayIndex");
  const api::Program geometry(
      "// Input signature:\n//\n" + std::string(kArrayIndices.substr(0, after_position)) + "//\n" +
      "gs_5_0\ndcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\ndcl_stream m0\n"
      "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_maxout 1\n"
      "mov o0.xyzw, v[0][0].xyzw\nemit_stream m0\nret \n");
  ASSERT_TRUE(geometry.ok());
  const Translated written = before(geometry);
  ASSERT_EQ(written.status, TEXLATE_OK) << written.messages;
  EXPECT_EQ(count(written.text, "BuiltIn Position"), 1u);
  EXPECT_EQ(count(written.text, "BuiltIn Layer"), 0u) << written.text;
}

// An entry for more than the index does not say that: a pixel shader may read the rest of the register.
TEST(ProgramQueries, ABroadVaryingLeavesArrayIndicesToTheRasterizer) {
  const texlate_varying varying = {1, 15, 1, 15};
  texlate_spirv_options options = spirv_options();
  options.varyings = &varying;
  options.varying_count = 1;
  const Translated written = translate(api::Program(kArrayIndexWriter), options);
  ASSERT_EQ(written.status, TEXLATE_OK) << written.messages;
  EXPECT_EQ(count(written.text, "BuiltIn Layer"), 1u);
}

TEST(ProgramQueries, ArrayIndicesAreBuiltInsBeforePixelShaders) {
  const api::Program vertex(kArrayIndexWriter);
  const api::Program pixel("// Input signature:\n//\n" + std::string(kArrayIndices) +
                           "ps_5_0\ndcl_input_ps_siv constant v1.x, rendertarget_array_index\n"
                           "dcl_output o0.x\nmov o0.x, v1.x\nret \n");
  ASSERT_TRUE(vertex.ok() && pixel.ok());
  EXPECT_TRUE(vertex.link(pixel).empty());
  const Translated written = before(pixel);
  ASSERT_EQ(written.status, TEXLATE_OK) << written.messages;
  EXPECT_EQ(count(written.text, "Location "), 0u);
  EXPECT_EQ(count(written.text, "BuiltIn Layer"), 1u);
  EXPECT_EQ(translate(vertex, spirv_options()).text, written.text);
}

}  // namespace
}  // namespace texlate
