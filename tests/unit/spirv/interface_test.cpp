// Inputs, outputs and system values of each stage, and their requirements on the host.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SpirvPixel, DepthStencilAndCoverageOutputs) {
  const FromListing ps(
      "ps_5_0\ndcl_globalFlags forceEarlyDepthStencil\ndcl_input_ps linear v0.x\ndcl_output oDepthGE\n"
      "dcl_output oMask\nmov oDepthGE, v0.x\nmov oMask, v0.x\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, AllOf(HasSubstr("EarlyFragmentTests"), HasSubstr("DepthReplacing"),
                             HasSubstr("DepthGreater"), HasSubstr("BuiltIn SampleMask")));
  EXPECT_EQ(ps.count("OpCapability"), 1u);
  const FromListing less("ps_5_0\ndcl_input_ps linear v0.x\ndcl_output oDepthLE\nmov oDepthLE, v0.x\nret\n");
  EXPECT_THAT(less.text, HasSubstr("DepthLess"));
  const FromListing stencil(
      "ps_5_0\ndcl_input_ps constant v0.x\ndcl_output oStencilRef\nmov oStencilRef, v0.x\nret\n");
  EXPECT_THAT(stencil.text, AllOf(HasSubstr("StencilExportEXT"), HasSubstr("StencilRefReplacingEXT")));
}

TEST(SpirvPixel, SystemValuesAskForWhatTheyNeedAlone) {
  struct Case {
    const char* declaration;
    const char* source;
    const char* builtin;
    const char* capability;  // besides Shader; null: none
  };
  const Case cases[] = {
      {"dcl_input_ps_siv linear noperspective v0.xyzw, position", "v0.x", "FragCoord", nullptr},
      {"dcl_input_ps_sgv constant v0.x, is_front_face", "v0.x", "FrontFacing", nullptr},
      {"dcl_input_ps_sgv constant v0.x, sampleIndex", "v0.x", "SampleId", "SampleRateShading"},
      {"dcl_input_ps_sgv constant v0.x, primitive_id", "v0.x", "PrimitiveId", "Geometry"},
      {"dcl_input_ps_siv constant v0.x, rendertarget_array_index", "v0.x", "Layer", "Geometry"},
      {"dcl_input_ps_siv constant v0.x, viewport_array_index", "v0.x", "ViewportIndex", "MultiViewport"},
      {"dcl_input_ps_siv linear v0.x, clip_distance", "v0.x", "ClipDistance", "ClipDistance"},
      {"dcl_input_ps_siv linear v0.x, cull_distance", "v0.x", "CullDistance", "CullDistance"},
      {"dcl_input vCoverage.x", "vCoverage.x", "SampleMask", nullptr},
      {"dcl_input vInnerCoverage.x", "vInnerCoverage.x", "FullyCoveredEXT", "FragmentFullyCoveredEXT"},
  };
  for (const Case& one : cases) {
    const FromListing ps("ps_5_0\n" + std::string(one.declaration) + "\ndcl_output o0.x\nmov o0.x, " +
                         one.source + "\nret\n");
    ASSERT_NE(ps.text, "") << one.declaration << '\n' << ps.messages;
    EXPECT_THAT(ps.text, HasSubstr(std::string("BuiltIn ") + one.builtin)) << one.declaration;
    EXPECT_EQ(ps.count("OpCapability"), one.capability != nullptr ? 2u : 1u) << ps.text;
    const std::string capability = one.capability != nullptr ? one.capability : "Shader";
    EXPECT_THAT(ps.text, HasSubstr("OpCapability " + capability));
  }
}

TEST(SpirvPixel, InterpolationBecomesDecorations) {
  const FromListing ps(
      "ps_5_0\ndcl_input_ps constant v0.x\ndcl_input_ps linear centroid v1.x\ndcl_input_ps linear "
      "noperspective v2.x\ndcl_input_ps linear sample v3.x\ndcl_output o0.xyzw\nmov o0.x, v0.x\nmov o0.y, "
      "v1.x\nmov o0.z, v2.x\nmov o0.w, v3.x\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, AllOf(HasSubstr("%v0 Flat"), HasSubstr("%v1 Centroid"), HasSubstr("%v2 NoPerspective"),
                             HasSubstr("%v3 Sample"), HasSubstr("SampleRateShading")));
}

TEST(SpirvPixel, EvaluatesInputsOfARunTimeNumber) {
  const FromListing ps(
      "ps_5_0\ndcl_input_ps linear v1.xy\ndcl_input_ps linear v2.xy\ndcl_input_ps constant v3.x\n"
      "dcl_output o0.xy\ndcl_temps 1\ndcl_indexrange v1.xy 2\nmov r0.x, v3.x\n"
      "eval_snapped o0.xy, v[r0.x + 1].xyxx, l(-2, 5, 0, 0)\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("InterpolateAtOffset"), 4u);
  EXPECT_THAT(ps.text, HasSubstr("OpCapability InterpolationFunction"));
  const FromListing without(
      "ps_5_0\ndcl_input_ps linear v1.x\ndcl_output o0.x\ndcl_temps 1\nmov r0.x, v1.x\n"
      "eval_centroid o0.x, v[r0.x + 1].x\nret\n");
  EXPECT_THAT(without.messages, HasSubstr("eval_centroid needs a dcl_indexrange"));
}

TEST(SpirvPixel, AnInputIsACoordinateAsItIs) {
  const auto sampled = [](std::string_view coordinate) {
    return FromListing(
        fmt::format("ps_5_0\ndcl_sampler s0, mode_default\n"
                    "dcl_resource_texture2d (float,float,float,float) t0\n"
                    "dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n"
                    "sample o0.xyzw, {}, t0.xyzw, s0\nret\n",
                    coordinate));
  };
  const FromListing whole = sampled("v1.xyxx");
  EXPECT_THAT(whole.text, Not(HasSubstr("OpVectorShuffle"))) << whole.messages;
  EXPECT_THAT(sampled("v1.yxxx").text, HasSubstr("OpVectorShuffle %v2float"));
  EXPECT_THAT(sampled("v1.zwzz").text, HasSubstr("OpVectorShuffle %v2float"));
  // A fetch uses only what it needs.
  const FromListing fetch(
      "vs_5_0\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input v0.xyzw\ndcl_output "
      "o0.xyzw\ndcl_temps 1\nld_indexable(texture2d)(float,float,float,float) "
      "o0.xyzw, v0.xyww, t0.xyzw\nret\n");
  EXPECT_THAT(fetch.text, HasSubstr("%v2uint")) << fetch.messages;
}

TEST(SpirvPixel, SamplePositionsOfTheRenderTargetFollowItsSampleCount) {
  const FromListing ps(
      "ps_4_1\ndcl_input_ps constant v0.x\ndcl_output o0.xy\nsamplepos o0.xy, rasterizer.xyxx, v0.x\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, HasSubstr("SpecId 0"));
}

TEST(SpirvPixel, TheCycleCounterIsReadWhereItIsNamed) {
  const FromListing ps(
      "ps_5_0\ndcl_input vCycleCounter.xy\ndcl_input_ps linear v0.x\ndcl_output o0.x\ndcl_temps 2\n"
      "mov r0.xy, vCycleCounter.xyxx\nsqrt r1.x, v0.x\nmov r0.zw, vCycleCounter.xxxy\n"
      "iadd r0.x, r0.z, -r0.x\nmov o0.x, r0.x\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpReadClockKHR"), 2u);
}

TEST(SpirvOrderedViews, TheSectionHoldsAllAccesses) {
  const std::string head =
      "ps_5_1\ndcl_uav_typed_texture2d_rov (float,float,float,float) U0[0:0], space=0\n"
      "dcl_input_ps constant v0.xy\ndcl_output o0.xyzw\ndcl_temps 1\n";
  const FromListing ps(
      head +
      "mov r0.xyzw, l(0,0,0,0)\nif_nz v0.x\n"
      "ld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyyy, U0[0].xyzw\n"
      "retc_nz v0.y\nendif\nstore_uav_typed U0[0].xyzw, v0.xyyy, r0.xyzw\n"
      "mov o0.xyzw, l(0,0,0,0)\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpBeginInvocationInterlockEXT"), 1u);
  EXPECT_EQ(ps.count("OpEndInvocationInterlockEXT"), 2u);  // at the return, and after the store
  const size_t begin = ps.text.find("OpBeginInvocationInterlockEXT");
  EXPECT_LT(begin, ps.text.find("OpImageRead"));
  EXPECT_LT(begin, ps.text.find("OpBranchConditional"));
  EXPECT_LT(ps.text.find("OpImageWrite"), ps.text.rfind("OpEndInvocationInterlockEXT"));
  EXPECT_THAT(ps.text, AllOf(HasSubstr("PixelInterlockOrderedEXT"), HasSubstr("%u0 Coherent")));
  const FromListing samples(
      "ps_5_1\ndcl_uav_raw_rov U0[0:0], space=0\ndcl_input_ps_sgv constant v0.x, sampleIndex\n"
      "store_raw U0[0].x, v0.x, l(1)\nret\n");
  EXPECT_THAT(samples.text, HasSubstr("SampleInterlockOrderedEXT"));
}

TEST(SpirvViews, SlotsMayViewOneResource) {
  const auto module = [](const std::string& body) {
    return FromListing(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_uav_structured u1, 16\n"
        "dcl_uav_typed_texture2d (float,float,float,float) u2\ndcl_input vThreadID.xy\n"
        "dcl_temps 1\ndcl_thread_group 8, 8, 1\n" +
        body + "ret\n");
  };
  const std::string
      store = "store_raw u0.x, vThreadID.x, l(1)\n",
      image =
          "store_uav_typed u2.xyzw, "
          "vThreadID.xyyy, l(0,0,0,0)\n",
      load = "ld_structured r0.x, vThreadID.x, l(0), u1.xxxx\natomic_iadd u1, vThreadID.xyxx, r0.x\n";
  // Two buffers may alias if one of them is written. A texture does not alias a buffer.
  const FromListing both = module(store + load + image);
  ASSERT_NE(both.text, "") << both.messages;
  EXPECT_THAT(both.text, AllOf(HasSubstr("%u0 Aliased"), HasSubstr("%u1 Aliased")));
  EXPECT_EQ(both.count("Aliased"), 2u);
  EXPECT_EQ(module(store + image).count("Aliased"), 0u);
  EXPECT_EQ(module(load).count("Aliased"), 0u);
}

TEST(SpirvVertex, DistancesAndIndicesOfTheRasterizer) {
  const FromListing vs(
      "vs_5_0\ndcl_input v0.xyzw\ndcl_input_sgv v1.x, vertex_id\ndcl_input_sgv v1.y, instance_id\n"
      "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xy, clip_distance\ndcl_output_siv o1.z, "
      "cull_distance\ndcl_output_siv o2.x, clip_distance\ndcl_output_siv o3.x, rendertarget_array_index\n"
      "dcl_output_siv o3.y, viewport_array_index\nmov o0.xyzw, v0.xyzw\nmov o1.xyz, v0.xyzx\nmov o2.x, "
      "v0.w\nmov o3.x, v1.x\nmov o3.y, v1.y\nret\n");
  ASSERT_NE(vs.text, "") << vs.messages;
  // Three clip distances in all, one after the other.
  EXPECT_THAT(vs.text, AllOf(HasSubstr("%gl_ClipDistance %uint_2"), HasSubstr("%gl_CullDistance %uint_0"),
                             HasSubstr("ShaderViewportIndexLayerEXT"), HasSubstr("DrawParameters")));
}

TEST(SpirvVertex, OutputsOfARunTimeNumber) {
  const FromListing vs(
      "vs_5_0\ndcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o1.x\ndcl_output o2.x\n"
      "dcl_output o3.y\ndcl_temps 1\ndcl_indexrange o1.x 2\nftou r0.x, v0.x\nmov o0.xyzw, v0.xyzw\n"
      "mov o[r0.x + 1].x, v0.y\nret\n");
  ASSERT_NE(vs.text, "") << vs.messages;
  EXPECT_EQ(vs.count("OpSwitch"), 1u);
  EXPECT_THAT(vs.text, Not(HasSubstr(" 3 %")));  // o3 has no x
}

TEST(SpirvGeometry, StreamsHaveLocationsOfTheirOwn) {
  const FromListing gs(
      "gs_5_0\ndcl_input v[1][0].xyzw\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology "
      "pointlist\n"
      "dcl_output o0.xyzw\ndcl_output o1.x\ndcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o0.xy\n"
      "dcl_maxout 4\nmov o0.xyzw, v[0][0].xyzw\nmov o1.x, l(1.0)\nemit_stream m0\nmov o0.xy, v[0][0].zwzz\n"
      "emit_stream m1\ncut_stream m1\nret\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_THAT(gs.text,
              AllOf(HasSubstr("GeometryStreams"), HasSubstr("Stream 1"), HasSubstr("Location 2"),
                    HasSubstr("OpEmitStreamVertex %uint_1"), HasSubstr("OpEndStreamPrimitive %uint_1")));
}

TEST(SpirvGeometry, OneStreamNeedsNoCapabilityForIt) {
  const FromListing gs(
      "gs_5_0\ndcl_input_siv v[3][0].xyzw, position\ndcl_input_siv v[3][1].xy, clip_distance\ndcl_input "
      "vPrim\ndcl_input vGSInstanceID\ndcl_gs_instance_count 4\ndcl_inputprimitive triangle\ndcl_stream m0\n"
      "dcl_outputtopology trianglestrip\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyz\ndcl_maxout 3\n"
      "mov o0.xyzw, v[2][0].xyzw\nmov o1.x, v[1][1].y\nmov o1.y, vPrim\nmov o1.z, vGSInstanceID.x\n"
      "emit_stream m0\nret\n");
  ASSERT_NE(gs.text, "") << gs.messages;
  EXPECT_THAT(gs.text, AllOf(HasSubstr("Invocations 4"), HasSubstr("OpEmitVertex"), HasSubstr("ClipDistance"),
                             Not(HasSubstr("GeometryStreams"))));
}

TEST(SpirvGeometry, ComponentsOfAVertexComeInOneLoad) {
  const auto geometry = [](std::string_view body) {
    return FromListing(
        "gs_5_0\ndcl_input_siv v[3][0].xyzw, position\ndcl_input v[3][1].xyz\ndcl_input vPrim\n"
        "dcl_inputprimitive triangle\ndcl_stream m0\ndcl_outputtopology trianglestrip\n"
        "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyz\ndcl_maxout 3\ndcl_temps 1\n" +
        std::string(body) + "emit_stream m0\nret\n");
  };
  const FromListing whole =
      geometry("mov o0.xyzw, v[2][0].xyzw\nmov o1.xyz, v[1][1].xyzx\nmov r0.x, vPrim\n");
  ASSERT_NE(whole.text, "") << whole.messages;
  EXPECT_EQ(whole.count("OpAccessChain"), 2u) << whole.text;
  EXPECT_EQ(whole.count("OpLoad"), 2u);
  EXPECT_THAT(whole.text, HasSubstr("%gl_Position %uint_2\n"));
  EXPECT_THAT(whole.text, Not(HasSubstr("OpCompositeExtract")));
  const FromListing places = geometry(
      "mov r0.x, vPrim\nadd o0.xyzw, v[0][0].wzyx, v[r0.x + 0][0].xyzw\nadd o1.x, v[0][1].y, v[1][1].y\n");
  ASSERT_NE(places.text, "") << places.messages;
  EXPECT_EQ(places.count("OpLoad %v4float"), 2u) << places.text;
  EXPECT_EQ(places.count("OpLoad %float"), 2u);  // a component of each of two vertices
  EXPECT_THAT(places.text, AllOf(HasSubstr("%uint_0 %uint_1\n"), HasSubstr("%uint_1 %uint_1\n")));
}

TEST(SpirvGeometry, AnInputOfNoVertexIsAnError) {
  const FromListing gs(
      "gs_5_0\ndcl_input v[3][0].xyzw\ndcl_inputprimitive triangle\ndcl_outputtopology pointlist\n"
      "dcl_output o0.x\ndcl_maxout 1\nmov o0.x, v0.x\nemit\nret\n");
  EXPECT_EQ(gs.text, "");
  EXPECT_THAT(gs.messages, HasSubstr("an array of vertices read without a vertex index"));
}

TEST(SpirvGeometry, PatchesAreListsOfAsManyVertices) {
  const auto reading = [](uint32_t points) {
    return FromListing(
        fmt::format("gs_5_0\ndcl_input v[{0}][0].xyzw\ndcl_inputprimitive patch{0}\ndcl_stream m0\n"
                    "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 1\n"
                    "mov o0.xyzw, v[{1}][0].xyzw\nemit_stream m0\nret\n",
                    points, points - 1));
  };
  for (const auto& [points, mode] :
       {std::pair{1u, "InputPoints"}, std::pair{2u, "InputLines"}, std::pair{3u, " Triangles"},
        std::pair{4u, "InputLinesAdjacency"}, std::pair{6u, "InputTrianglesAdjacency"}}) {
    const FromListing gs = reading(points);
    ASSERT_NE(gs.text, "") << gs.messages;
    EXPECT_THAT(gs.text, HasSubstr(mode)) << points;
  }
  for (uint32_t points : {5u, 7u, 32u}) {
    const FromListing gs = reading(points);
    EXPECT_EQ(gs.text, "");
    EXPECT_THAT(gs.messages, HasSubstr(fmt::format("reads patches of {} control points", points)));
  }
}

TEST(SpirvGeometry, WhatVulkanLacksIsNamed) {
  const FromListing gs(
      "gs_5_0\ndcl_input v[1][0].x\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\n"
      "dcl_output_sgv o0.x, is_front_face\ndcl_maxout 1\nmov o0.x, v[0][0].x\nemit_stream m0\nret\n");
  EXPECT_EQ(gs.text, "");
  EXPECT_THAT(gs.messages, HasSubstr("is_front_face as an output cannot be expressed on spirv"));
}

TEST(SpirvIndexing, UnboundedAndNonUniformRanges) {
  const FromListing ps(
      "ps_5_1\ndcl_constantbuffer CB0[0:7][2], immediateIndexed, space=1\ndcl_resource_texture2d "
      "(float,float,float,float) T0[3:*], space=2\ndcl_sampler S0[0:3], mode_default, space=0\n"
      "dcl_input_ps constant v0.x\ndcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 2\n"
      "iadd r0.x, v0.x, l(3)\nsample_indexable(texture2d)(float,float,float,float) r1.xyzw, v1.xyxx, "
      "T0[r0.x + 3].xyzw { nonuniform }, S0[r0.x + 0] { nonuniform }\n"
      "mov r0.y, v0.x\nadd o0.xyzw, r1.xyzw, CB0[r0.y + 0][1].xyzw { nonuniform }\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, AllOf(HasSubstr("OpTypeRuntimeArray"), HasSubstr("RuntimeDescriptorArray"),
                             HasSubstr("SampledImageArrayNonUniformIndexing"),
                             HasSubstr("UniformBufferArrayNonUniformIndexing"), HasSubstr("NonUniform")));
}

}  // namespace
}  // namespace texlate::spirv
