// Devices that lack a feature or have a low limit: each property that the library knows either changes the
// form of the module, or is named by an error at the instruction that needs it. The table of docs/spirv.md is
// made here; TEXLATE_UPDATE_DOCS=1 rewrites it.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "backend/spirv/device.h"
#include "tests/api/translated.h"
#include "tests/support/paths.h"

namespace texlate {
namespace {

using testing::HasSubstr;
using testing::Not;

#define PS "ps_5_0\ndcl_globalFlags refactoringAllowed\n"
#define PS51 "ps_5_1\ndcl_globalFlags refactoringAllowed\n"
#define VS "vs_5_0\ndcl_globalFlags refactoringAllowed\n"
#define CS "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
#define GS(body)                                                                                   \
  "gs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v[1][0].xyzw\ndcl_inputprimitive point\n" \
  "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\n" body
#define DS                                                                                       \
  "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\ndcl_globalFlags " \
  "refactoringAllowed\ndcl_output_siv o0.xyzw, position\n"
#define HS                                                                                                 \
  "hs_5_0\nhs_decls\ndcl_globalFlags refactoringAllowed\ndcl_input_control_point_count 3\n"                \
  "dcl_output_control_point_count 3\ndcl_tessellator_domain domain_tri\n"                                  \
  "dcl_tessellator_partitioning partitioning_integer\ndcl_tessellator_output_primitive "                   \
  "output_triangle_cw\nhs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[3][0].xyzw\n"  \
  "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID.x\nmov o0.xyzw, v[r0.x + 0][0].xyzw\n" \
  "ret\nhs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output o3.xyzw\n"              \
  "mov o0.x, l(1.0)\nmov o3.xyzw, l(1,2,3,4)\nret\n"

/// A range of registers that is read at an index.
#define RANGE(declaration, body)                                                     \
  PS51 declaration                                                                   \
      "dcl_input_ps constant v1.xy\ndcl_input_ps linear v2.xy\ndcl_output o0.xyzw\n" \
      "dcl_temps 2\nmov r0.x, v1.x\n" body "ret\n"
#define TEXTURES                                                                                           \
  "dcl_sampler S0[0:0], mode_default, space=0\ndcl_resource_texture2d (float,float,float,float) T0[0:7], " \
  "space=0\n"
#define SAMPLES(mark) "sample o0.xyzw, v2.xyxx, T0[r0.x + 0].xyzw, S0[0]" mark "\n"
#define BUFFERS "dcl_resource_raw T0[0:7], space=0\n"
#define MANY_BUFFERS(last) "dcl_resource_raw T0[0:" last "], space=0\n"
#define PAIRS                                                                                              \
  "dcl_sampler S0[0:3], mode_default, space=0\ndcl_resource_texture2d (float,float,float,float) T0[0:7], " \
  "space=0\n"
#define SAMPLES_AT(level) \
  "sample_l o0.xyzw, v2.xyxx, T0[r0.x + 0].xyzw { nonuniform }, S0[v1.y + 0] { nonuniform }, " level "\n"
#define LOADS(mark) "ld_raw r1.x, l(0), T0[r0.x + 0].xxxx" mark "\nutof o0.xyzw, r1.xxxx\n"
#define TYPED "dcl_resource_buffer (float,float,float,float) T0[0:7], space=0\n"
#define FETCHES(mark) "ld o0.xyzw, v1.yyyy, T0[r0.x + 0].xyzw" mark "\n"
#define IMAGES "dcl_uav_typed_texture2d (float,float,float,float) U0[0:7], space=0\n"
#define STORES(mark) \
  "store_uav_typed U0[r0.x + 0].xyzw" mark ", v1.xyyy, l(1,2,3,4)\nmov o0.xyzw, l(0,0,0,0)\n"
#define TEXELS "dcl_uav_typed_buffer (float,float,float,float) U0[0:7], space=0\n"
#define CONSTANTS "dcl_constantbuffer CB0[0:7][4], immediateIndexed, space=0\n"
#define ROWS(mark) "mov o0.xyzw, CB0[r0.x + 0][1].xyzw" mark "\n"
#define NONUNIFORM " { nonuniform }"

constexpr const char* kDiscards =
    PS "dcl_input_ps linear v0.x\ndcl_output o0.xyzw\ndiscard_nz v0.x\nmov o0.xyzw, v0.xxxx\nret\n";
constexpr const char* kHalves = PS "dcl_input_ps constant v0.x\ndcl_output o0.x\nf16tof32 o0.x, v0.x\nret\n";
constexpr const char* kDoubles =
    "cs_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps\ndcl_uav_raw u0\n"
    "dcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nutof r0.x, vThreadID.x\nftod r0.xy, r0.x\n"
    "store_raw u0.xy, l(0), r0.xyxx\nret\n";
constexpr const char* kReadsView = CS
    "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_uav_raw u1\ndcl_input vThreadID.xy\ndcl_temps "
    "1\ndcl_thread_group 1, 1, 1\nld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, "
    "vThreadID.xyyy, u0.xyzw\nstore_raw u1.xyzw, l(0), r0.xyzw\nret\n";
constexpr const char* kReadsUnorm = CS
    "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u0\ndcl_uav_raw u1\ndcl_input vThreadID.xy\ndcl_temps "
    "1\ndcl_thread_group 1, 1, 1\nld_uav_typed_indexable(texture2d)(unorm,unorm,unorm,unorm) r0.xyzw, "
    "vThreadID.xyyy, u0.xyzw\nstore_raw u1.xyzw, l(0), r0.xyzw\nret\n";
constexpr const char* kWritesView = CS
    "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_input vThreadID.xy\ndcl_thread_group 1, 1, "
    "1\nstore_uav_typed u0.xyzw, vThreadID.xyyy, l(1,2,3,4)\nret\n";
constexpr const char* kGathers = PS
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear "
    "v0.xy\ndcl_input_ps constant v1.xy\ndcl_output "
    "o0.xyzw\ngather4_po_indexable(texture2d)(float,float,float,float) "
    "o0.xyzw, v0.xyxx, v1.xyxx, t0.xyzw, s0.x\nret\n";
constexpr const char* kGathersAtConstant = PS
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear "
    "v0.xy\ndcl_output o0.xyzw\ngather4_po_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, "
    "l(9,62,0,0), t0.xyzw, s0.x\nret\n";
constexpr const char* kAsksResidency = PS
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear "
    "v0.xy\ndcl_output o0.xyzw\ndcl_temps 2\nsample_l_s_indexable(texture2d)(float,float,float,float) "
    "r0.xyzw, r1.x, "
    "v0.xyxx, t0.xyzw, s0, l(0)\ncheck_access_fully_mapped r1.x, r1.x\nand o0.xyzw, r0.xyzw, r1.xxxx\nret\n";
constexpr const char* kClampsLod = PS
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear "
    "v0.xyz\ndcl_output o0.xyzw\nsample_cl_s_indexable(texture2d)(float,float,float,float) o0.xyzw, null, "
    "v0.xyxx, "
    "t0.xyzw, s0, v0.z\nret\n";
#define CLAMPS_GRADIENTS                                                                              \
  "sample_d_cl_s_indexable(texture2d)(float,float,float,float) o0.xyzw, null, v0.xyxx, t0.xyzw, s0, " \
  "v0.xyxx, v0.yxyy, v0.z\nret\n"
constexpr const char* kClampsGradients = PS
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear "
    "v0.xyz\ndcl_output o0.xyzw\n" CLAMPS_GRADIENTS;
constexpr const char* kClampsVertices = VS
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input v0.xyz\n"
    "dcl_output_siv o0.xyzw, position\n" CLAMPS_GRADIENTS;
constexpr const char* kSampleInput = PS
    "dcl_input_ps linear sample v0.xyzw\ndcl_input_ps_sgv constant v1.x, sampleIndex\ndcl_output "
    "o0.xyzw\ndcl_temps "
    "1\nutof r0.x, v1.x\nadd o0.xyzw, v0.xyzw, r0.xxxx\nret\n";
constexpr const char* kPrimitiveId =
    PS "dcl_input_ps_sgv constant v0.x, primitive_id\ndcl_output o0.xyzw\nutof o0.xyzw, v0.xxxx\nret\n";
constexpr const char* kLayer = PS
    "dcl_input_ps_siv constant v0.x, rendertarget_array_index\ndcl_output o0.xyzw\nutof o0.xyzw, "
    "v0.xxxx\nret\n";
constexpr const char* kViewport = PS
    "dcl_input_ps_siv constant v0.x, viewport_array_index\ndcl_output o0.xyzw\nutof o0.xyzw, v0.xxxx\nret\n";
constexpr const char* kPoints = GS("dcl_maxout 1\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m0\nret\n");
constexpr const char* kClip = VS
    "dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xy, clip_distance\nmov o0.xyzw, "
    "v0.xyzw\nmov o1.xy, v0.xyxx\nret\n";
constexpr const char* kCull = VS
    "dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xy, cull_distance\nmov o0.xyzw, "
    "v0.xyzw\nmov o1.xy, v0.xyxx\nret\n";

struct Case {
  const char* property;
  const char* shader;
  const char* error;                    // what the message contains; null: there is none
  std::vector<const char*> has, lacks;  // of the module's text
  std::function<void(texlate_spirv_options&)> change = [](texlate_spirv_options&) {};
  int64_t value = 0;
};

void with_float_controls(texlate_spirv_options& options) {
  options.float_controls = 1;
}
void with_points(texlate_spirv_options& options) {
  options.point_size = 1;
}
void with_large_points(texlate_spirv_options& options) {
  options.point_size = 1;
  options.point_size_value = 4;
}
void with_stream_output(texlate_spirv_options& options) {
  static const texlate_stream_output kEntry = {0, "SV_Position", 0, 0, 4, 0};
  options.stream_output = &kEntry;
  options.stream_output_count = 1;
}
void with_one_sample(texlate_spirv_options& options) {
  static const texlate_spirv_parameter kOne = {
      TEXLATE_FACT_RASTER_SAMPLES, TEXLATE_REGISTER_RESOURCE, 0, 0, 1, 1};
  options.parameters = &kOne;
  options.parameter_count = 1;
}
void with_messages(texlate_spirv_options& options) {
  options.messages = 1;
  options.debug_info = 1;
}

const std::vector<Case>& cases() {
  static const char* const kArray = "an index into";
  static const std::vector<Case> kAll = {
      {"geometryShader", kPoints, "a geometry shader", {}, {}},
      {"geometryShader", kPrimitiveId, nullptr, {"OpCapability Tessellation"}, {"OpCapability Geometry"}},
      {"geometryShader",
       kLayer,
       nullptr,
       {"OpCapability ShaderViewportIndexLayer"},
       {"OpCapability Geometry"}},
      {"tessellationShader", HS, "a hull or domain shader", {}, {}},
      {"shaderTessellationAndGeometryPointSize", kPoints, nullptr, {}, {"PointSize"}, with_points},
      {"shaderTessellationAndGeometryPointSize", kPoints, "a point size", {}, {}, with_large_points},
      {"vertexPipelineStoresAndAtomics",
       VS "dcl_uav_raw u0\ndcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0,0,0,1)\nstore_raw u0.x, l(0), "
          "l(1)\nret\n",
       "a store or an atomic before the rasterizer",
       {},
       {}},
      {"fragmentStoresAndAtomics",
       PS "dcl_uav_raw u1\natomic_iadd u1, l(0), l(1)\nret\n",
       "of a pixel shader",
       {},
       {}},
      {"shaderClipDistance", kClip, "a clip distance", {}, {}},
      {"shaderCullDistance", kCull, "a cull distance", {}, {}},
      {"multiViewport", kViewport, nullptr, {"ShaderViewportIndexLayer"}, {"MultiViewport"}},
      {"multiViewport",
       "gs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v[1][0].xyzw\ndcl_inputprimitive "
       "point\ndcl_stream "
       "m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.x, "
       "viewport_array_index\ndcl_maxout 1\nmov o0.xyzw, v[0][0].xyzw\nmov o1.x, l(1)\nemit_stream m0\nret\n",
       "a viewport index",
       {},
       {}},
      {"VK_EXT_shader_viewport_index_layer",
       VS "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.x, rendertarget_array_index\nmov o0.xyzw, "
          "l(0,0,0,1)\nmov o1.x, l(1)\nret\n",
       "a layer or a viewport",
       {},
       {}},
      {"shaderDrawParameters",
       VS "dcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\nutof o0.xyzw, v0.xxxx\nret\n",
       "the number of a vertex",
       {},
       {}},
      {"transformFeedback",
       "//\n// Output signature:\n//\n// Name                 Index   Mask Register SysValue  Format   "
       "Used\n// "
       "-------------------- ----- ------ -------- -------- ------- ------\n// SV_Position              0   "
       "xyzw        0 "
       "     POS   float   xyzw\n//\n" VS "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0,0,0,1)\nret\n",
       "stream output",
       {},
       {},
       with_stream_output},
      {"geometryStreams",
       "gs_5_0\ndcl_input v[1][0].xyzw\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology "
       "pointlist\ndcl_output o0.xyzw\ndcl_stream m1\ndcl_outputtopology pointlist\ndcl_output "
       "o0.xyzw\ndcl_maxout "
       "2\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m1\nret\n",
       "several streams",
       {},
       {}},
      {"sampleRateShading", kSampleInput, "an input at a sample", {}, {}},
      {"sampleRateShading",
       kSampleInput,
       nullptr,
       {},
       {"SampleId", "SampleRateShading", " Sample\n"},
       with_one_sample},
      {"VK_EXT_shader_stencil_export",
       PS "dcl_output oStencilRef\nmov oStencilRef, l(1)\nret\n",
       "a stencil reference",
       {},
       {}},
      {"fullyCoveredFragmentShaderInputVariable",
       PS "dcl_input vInnerCoverage\ndcl_output o0.xyzw\nutof o0.xyzw, vInnerCoverage.xxxx\nret\n",
       "inner coverage",
       {},
       {}},
      {"fragmentShaderPixelInterlock",
       PS51 "dcl_uav_raw_rov U0[0:0], space=0\nstore_raw U0[0].x, l(0), l(1)\nret\n",
       "a rasterizer-ordered view needs",
       {},
       {}},
      {"fragmentShaderSampleInterlock",
       PS51 "dcl_uav_raw_rov U0[0:0], space=0\ndcl_input_ps_sgv constant v0.x, sampleIndex\nstore_raw "
            "U0[0].x, v0.x, "
            "l(1)\nret\n",
       "at sample frequency",
       {},
       {}},
      {"shaderDemoteToHelperInvocation", kDiscards, nullptr, {"OpKill"}, {"Demote"}},
      {"shaderFloat64", kDoubles, "double precision", {}, {}},
      {"shaderDenormFlushToZeroFloat32",
       kDiscards,
       nullptr,
       {"RoundingModeRTE"},
       {"DenormFlushToZero"},
       with_float_controls},
      {"shaderRoundingModeRTEFloat32",
       kDiscards,
       nullptr,
       {"DenormFlushToZero"},
       {"RoundingModeRTE"},
       with_float_controls},
      {"shaderSignedZeroInfNanPreserveFloat32",
       kDiscards,
       nullptr,
       {"DenormFlushToZero"},
       {"SignedZero"},
       with_float_controls},
      {"shaderDenormPreserveFloat16",
       kHalves,
       nullptr,
       {"RoundingModeRTE"},
       {"DenormPreserve"},
       with_float_controls},
      {"shaderDenormPreserveFloat64",
       kDoubles,
       nullptr,
       {"RoundingModeRTE 64"},
       {"DenormPreserve"},
       with_float_controls},
      {"shaderRoundingModeRTEFloat64",
       kDoubles,
       nullptr,
       {"DenormPreserve 64"},
       {"RoundingModeRTE 64"},
       with_float_controls},
      {"shaderSignedZeroInfNanPreserveFloat64",
       kDoubles,
       nullptr,
       {"DenormPreserve 64"},
       {"SignedZeroInfNanPreserve 64"},
       with_float_controls},
      {"shaderSubgroupClock",
       PS "dcl_input vCycleCounter.x\ndcl_output o0.xyzw\nutof o0.xyzw, vCycleCounter.xxxx\nret\n",
       "vCycleCounter needs",
       {},
       {}},
      {"VK_KHR_shader_non_semantic_info",
       PS "dcl_output o0.xyzw\nprintf \"%d\", l(1)\nmov o0.xyzw, l(0,0,0,0)\nret\n",
       nullptr,
       {},
       {"NonSemantic"},
       with_messages},
      {"imageCubeArray",
       PS "dcl_sampler s0, mode_default\ndcl_resource_texturecubearray (float,float,float,float) "
          "t0\ndcl_input_ps linear "
          "v0.xyzw\ndcl_output o0.xyzw\nsample_indexable(texturecubearray)(float,float,float,float) o0.xyzw, "
          "v0.xyzw, "
          "t0.xyzw, s0\nret\n",
       "an array of cube maps",
       {},
       {}},
      {"shaderImageGatherExtended", kGathers, "a gather whose offsets", {}, {}},
      {"shaderImageGatherExtended", kGathersAtConstant, nullptr, {"ConstOffset"}, {"ImageGatherExtended"}},
      {"shaderStorageImageExtendedFormats", kReadsView, nullptr, {"Unknown"}, {"ExtendedFormats"}},
      {"shaderStorageImageReadWithoutFormat", kReadsView, nullptr, {"R32f"}, {"WithoutFormat"}},
      {"shaderStorageImageReadWithoutFormat", kReadsUnorm, "a load from a typed view", {}, {}},
      {"shaderStorageImageWriteWithoutFormat", kWritesView, "a store to a typed view", {}, {}},
      {"shaderImageFloat32Atomics",
       CS "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_temps 1\ndcl_thread_group 1, 1, "
          "1\nimm_atomic_exch r0.x, u0, l(0,0,0,0), l(2.0)\nret\n",
       "an exchange of floats",
       {},
       {}},
      {"shaderResourceResidency", kAsksResidency, nullptr, {"OpImageSampleExplicitLod"}, {"Sparse"}},
      {"shaderResourceMinLod", kClampsLod, nullptr, {"OpImageQueryLod"}, {"MinLod"}},
      {"shaderResourceMinLod", kClampsGradients, nullptr, {"OpImageQueryLod", " Grad "}, {"MinLod"}},
      {"shaderResourceMinLod", kClampsVertices, "a LOD clamp", {}, {}},
      {"shaderUniformBufferArrayDynamicIndexing",
       RANGE(CONSTANTS, ROWS("")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderSampledImageArrayDynamicIndexing",
       RANGE(TEXTURES, SAMPLES("")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderStorageBufferArrayDynamicIndexing",
       RANGE(BUFFERS, LOADS("")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderStorageImageArrayDynamicIndexing",
       RANGE(IMAGES, STORES("")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderUniformTexelBufferArrayDynamicIndexing",
       RANGE(TYPED, FETCHES("")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderStorageTexelBufferArrayDynamicIndexing",
       RANGE(TEXELS, STORES("")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderUniformBufferArrayNonUniformIndexing",
       RANGE(CONSTANTS, ROWS(NONUNIFORM)),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderSampledImageArrayNonUniformIndexing",
       RANGE(TEXTURES, SAMPLES(NONUNIFORM)),
       nullptr,
       {"OpSelect"},
       {"Indexing", "OpSwitch"}},
      {"shaderStorageBufferArrayNonUniformIndexing",
       RANGE(BUFFERS, LOADS(NONUNIFORM)),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderStorageImageArrayNonUniformIndexing",
       RANGE(IMAGES, STORES(NONUNIFORM)),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderUniformTexelBufferArrayNonUniformIndexing",
       RANGE(TYPED, FETCHES(NONUNIFORM)),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderStorageTexelBufferArrayNonUniformIndexing",
       RANGE(TEXELS, STORES(NONUNIFORM)),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"shaderStorageBufferArrayDynamicIndexing", RANGE(MANY_BUFFERS("256"), LOADS("")), kArray, {}, {}},
      {"shaderStorageBufferArrayDynamicIndexing", RANGE(MANY_BUFFERS("*"), LOADS("")), kArray, {}, {}},
      {"shaderSampledImageArrayNonUniformIndexing",
       RANGE(PAIRS, SAMPLES_AT("l(0)")),
       nullptr,
       {"OpSwitch"},
       {"Indexing"}},
      {"runtimeDescriptorArray",
       PS51 "dcl_resource_raw T0[0:*], space=0\ndcl_output o0.xyzw\ndcl_temps 1\nld_raw r0.x, l(0), "
            "T0[3].xxxx\nutof "
            "o0.xyzw, r0.xxxx\nret\n",
       "an unbounded range",
       {},
       {}},
  };
  return kAll;
}

Translated on_device(const Case& one, int64_t value) {
  texlate_spirv_options options = spirv_options();
  one.change(options);
  const texlate_device_property property = {one.property, value};
  options.device = &property;
  options.device_count = 1;
  return translate(one.shader, options);
}

TEST(DeviceProperties, WhatIsMissingChangesTheFormOrIsNamed) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(std::string(one.property) + " in\n" + one.shader);
    const Translated whole = on_device(one, 1);
    ASSERT_EQ(whole.status, TEXLATE_OK) << whole.messages;
    const Translated made = on_device(one, 0);
    if (one.error != nullptr) {
      EXPECT_EQ(made.status, TEXLATE_ERROR_INPUT);
      EXPECT_THAT(made.messages, HasSubstr(one.error));
      EXPECT_THAT(made.messages, HasSubstr(std::string(one.property) + ", which the device lacks"));
      continue;
    }
    EXPECT_EQ(made.status, TEXLATE_OK) << made.messages;
    for (const char* const part : one.has) EXPECT_THAT(made.text, HasSubstr(part));
    for (const char* const part : one.lacks) EXPECT_THAT(made.text, Not(HasSubstr(part)));
  }
}

TEST(DeviceProperties, ErrorsHaveALocation) {
  const texlate_device_property property = {"shaderFloat64", 0};
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.device = &property;
  spirv.device_count = 1;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.spirv = &spirv;
  const api::Program program{std::string_view(kDoubles)};
  const api::Output output = program.translate(options);
  ASSERT_EQ(output.diagnostics().size(), 1u);
  EXPECT_EQ(output.diagnostics()[0].line, 8u);
  EXPECT_THAT(std::string(output.diagnostics()[0].message), HasSubstr("ftod: double precision needs"));
}

TEST(DeviceProperties, NamesAreThoseOfVulkan) {
  texlate_spirv_options options = spirv_options();
  texlate_device_property property = {"shaderFloat46", 0};
  options.device = &property;
  options.device_count = 1;
  EXPECT_EQ(translate(kDiscards, options).status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_THAT(translate(kDiscards, options).messages,
              HasSubstr("options.spirv.device[0].name is \"shaderFloat46\""));
  property.name = nullptr;
  EXPECT_THAT(translate(kDiscards, options).messages, HasSubstr("options.spirv.device[0].name is null"));
}

struct LimitCase {
  const char* property;
  const char* shader;
  int64_t needed;
  std::function<void(texlate_spirv_options&)> change = [](texlate_spirv_options&) {};
};

constexpr const char* kVaryings = VS
    "dcl_input v0.xyzw\ndcl_input v7.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o5.xy\nadd o0.xyzw, "
    "v0.xyzw, "
    "v7.xyzw\nmov o5.xy, v0.xyxx\nret\n";
constexpr const char* kDomain = DS
    "dcl_input vDomain.xyz\ndcl_input vcp[1][3].xyzw\ndcl_output o6.x\nmov o0.xyzw, vcp[0][3].xyzw\nmov "
    "o6.x, "
    "vDomain.x\nret\n";
constexpr const char* kManyBindings = PS
    "dcl_constantbuffer cb0[4], immediateIndexed\ndcl_constantbuffer cb2[8], immediateIndexed\ndcl_sampler "
    "s0, "
    "mode_default\ndcl_sampler s1, mode_default\ndcl_resource_texture2d (float,float,float,float) "
    "t0\ndcl_resource_buffer (float,float,float,float) t1\ndcl_resource_raw t2\ndcl_uav_raw "
    "u3\ndcl_uav_typed_texture2d (float,float,float,float) u4\ndcl_input_ps linear v3.xy\ndcl_output "
    "o0.xyzw\ndcl_output o2.xyzw\ndcl_temps 3\nsample r0.xyzw, v3.xyxx, t0.xyzw, s0\nsample r1.xyzw, "
    "v3.xyxx, "
    "t0.xyzw, s1\nadd r0.xyzw, r0.xyzw, r1.xyzw\nld r1.xyzw, l(0,0,0,0), t1.xyzw\nadd r0.xyzw, r0.xyzw, "
    "r1.xyzw\nld_raw r1.x, l(0), t2.xxxx\nadd r0.x, r0.x, r1.x\nadd r0.xyzw, r0.xyzw, cb0[3].xyzw\nadd "
    "r0.xyzw, "
    "r0.xyzw, cb2[7].xyzw\nstore_raw u3.x, l(0), r0.x\nstore_uav_typed u4.xyzw, l(0,0,0,0), r0.xyzw\nmov "
    "o0.xyzw, "
    "r0.xyzw\nmov o2.xyzw, r0.xyzw\nret\n";
constexpr const char* kGroup = CS
    "dcl_tgsm_raw g0, 512\ndcl_tgsm_structured g1, 16, 4\ndcl_input vThreadIDInGroupFlattened\ndcl_uav_raw "
    "u0\ndcl_temps 1\ndcl_thread_group 8, 4, 2\nstore_raw g0.x, l(0), l(1)\nstore_structured g1.x, l(0), "
    "l(0), "
    "l(1)\nsync_g_t\nld_raw r0.x, l(0), g0.xxxx\nstore_raw u0.x, l(0), r0.x\nret\n";
constexpr const char* kGeometry =
    "gs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v[1][2].xyzw\ndcl_input "
    "vGSInstanceID\ndcl_gs_instance_count "
    "4\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, "
    "position\ndcl_output o3.x\ndcl_maxout 5\nmov o0.xyzw, v[0][2].xyzw\nmov o3.x, "
    "vGSInstanceID.x\nemit_stream "
    "m0\nret\n";
constexpr const char* kBothDistances = VS
    "dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xyz, "
    "clip_distance\ndcl_output_siv o2.xy, "
    "cull_distance\nmov o0.xyzw, v0.xyzw\nmov o1.xyz, v0.xyzx\nmov o2.xy, v0.xyxx\nret\n";

void with_push_constants(texlate_spirv_options& options) {
  static const texlate_spirv_binding kPushed = {TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 0, 1, 0, 16,
                                                TEXLATE_PASSING_PUSH_CONSTANTS,   0, 0, 0, 0, 0};
  options.bindings = &kPushed;
  options.binding_count = 1;
}
void with_far_set(texlate_spirv_options& options) {
  static const texlate_spirv_binding kFar = {TEXLATE_REGISTER_RESOURCE,  0, 0, 1, 6, 0,
                                             TEXLATE_PASSING_DESCRIPTOR, 0, 0, 0, 0, 0};
  options.bindings = &kFar;
  options.binding_count = 1;
}

const std::vector<LimitCase>& limit_cases() {
  static const std::vector<LimitCase> kAll = {
      {"maxVertexInputAttributes", kVaryings, 8},
      {"maxVertexOutputComponents", kVaryings, 24},
      {"maxTessellationPatchSize", HS, 3},
      {"maxTessellationControlPerVertexInputComponents", HS, 4},
      {"maxTessellationControlPerVertexOutputComponents", HS, 4},
      {"maxTessellationEvaluationInputComponents", kDomain, 16},
      {"maxTessellationEvaluationOutputComponents", kDomain, 28},
      {"maxGeometryShaderInvocations", kGeometry, 4},
      {"maxGeometryInputComponents", kGeometry, 12},
      {"maxGeometryOutputComponents", kGeometry, 16},
      {"maxGeometryOutputVertices", kGeometry, 5},
      {"maxGeometryTotalOutputComponents", kGeometry, 80},
      {"maxFragmentInputComponents", kManyBindings, 16},
      {"maxFragmentOutputAttachments", kManyBindings, 3},
      {"maxFragmentCombinedOutputResources", kManyBindings, 5},
      {"maxClipDistances", kBothDistances, 3},
      {"maxCullDistances", kBothDistances, 2},
      {"maxCombinedClipAndCullDistances", kBothDistances, 5},
      {"maxTransformFeedbackBuffers", nullptr, 1, with_stream_output},
      {"maxTransformFeedbackStreams", nullptr, 2},
      {"maxComputeSharedMemorySize", kGroup, 576},
      {"maxComputeWorkGroupInvocations", kGroup, 64},
      {"maxComputeWorkGroupSize.x", kGroup, 8},
      {"maxComputeWorkGroupSize.y", kGroup, 4},
      {"maxComputeWorkGroupSize.z", kGroup, 2},
      {"maxTexelGatherOffset", kGathersAtConstant, 9},
      {"maxTexelGatherOffset", kGathers, 31},
      {"maxPushConstantsSize", kManyBindings, 80, with_push_constants},
      {"maxUniformBufferRange", kManyBindings, 128},
      {"maxBoundDescriptorSets", kManyBindings, 7, with_far_set},
      {"maxPerStageDescriptorSamplers", kManyBindings, 2},
      {"maxPerStageDescriptorUniformBuffers", kManyBindings, 2},
      {"maxPerStageDescriptorStorageBuffers", kManyBindings, 2},
      {"maxPerStageDescriptorSampledImages", kManyBindings, 2},
      {"maxPerStageDescriptorStorageImages", kManyBindings, 1},
      {"maxPerStageResources", kManyBindings, 10},
  };
  return kAll;
}

const char* shader_of(const LimitCase& one) {
  if (one.shader != nullptr) return one.shader;
  const std::string_view wanted = std::string_view(one.property) == "maxTransformFeedbackBuffers"
                                      ? "transformFeedback"
                                      : "geometryStreams";
  return std::ranges::find(cases(), wanted, [](const Case& c) { return std::string_view(c.property); })
      ->shader;
}

TEST(DeviceProperties, LimitsAreKept) {
  for (const LimitCase& one : limit_cases()) {
    SCOPED_TRACE(one.property);
    texlate_spirv_options options = spirv_options();
    one.change(options);
    texlate_device_property property = {one.property, one.needed};
    options.device = &property;
    options.device_count = 1;
    const Translated enough = translate(shader_of(one), options);
    EXPECT_EQ(enough.status, TEXLATE_OK) << enough.messages;
    property.value = one.needed - 1;
    const Translated less = translate(shader_of(one), options);
    EXPECT_EQ(less.status, TEXLATE_ERROR_INPUT);
    const std::string_view name = std::string_view(one.property);
    EXPECT_THAT(less.messages, HasSubstr(std::string(name) + ' ' + std::to_string(property.value)));
  }
}

// -2 is the offset of y.
TEST(DeviceProperties, TheLeastGatherOffsetIsKept) {
  texlate_spirv_options options = spirv_options();
  texlate_device_property property = {"minTexelGatherOffset", -2};
  options.device = &property;
  options.device_count = 1;
  EXPECT_EQ(translate(kGathersAtConstant, options).status, TEXLATE_OK);
  property.value = -1;
  EXPECT_THAT(translate(kGathersAtConstant, options).messages, HasSubstr("minTexelGatherOffset -1"));
}

// Patch constants count down from the last location that the device has.
TEST(DeviceProperties, PatchConstantsTakeTheLocationsThatThereAre) {
  texlate_spirv_options options = spirv_options();
  EXPECT_THAT(translate(HS, options).text, HasSubstr("Location 28"));
  const texlate_device_property property = {"maxTessellationControlPerPatchOutputComponents", 120};
  options.device = &property;
  options.device_count = 1;
  EXPECT_THAT(translate(HS, options).text, HasSubstr("Location 26"));
  const texlate_device_property few = {"maxTessellationControlPerPatchOutputComponents", 12};
  options.device = &few;
  EXPECT_EQ(translate(HS, options).status, TEXLATE_ERROR_INPUT);
}

TEST(DeviceProperties, EveryPropertyIsTried) {
  std::set<std::string> tried = {"minTexelGatherOffset", "maxTessellationControlPerPatchOutputComponents"};
  for (const Case& one : cases()) tried.insert(one.property);
  for (const LimitCase& one : limit_cases()) tried.insert(one.property);
  for (uint32_t i = 0; texlate_device_property_name(i) != nullptr; ++i)
    EXPECT_EQ(tried.count(texlate_device_property_name(i)), 1u) << texlate_device_property_name(i);
  for (const spirv::CapabilityRow& row : spirv::kCapabilities)
    EXPECT_LT(static_cast<size_t>(row.feature), std::size(spirv::kFeatures)) << row.name;
}

// ---- the table of docs/spirv.md ----

std::string made_table() {
  std::string text = "| the shader has | capability | the device needs | without it |\n|---|---|---|---|\n";
  for (const spirv::FeatureRow& feature : spirv::kFeatures) {
    std::string names;
    for (const spirv::CapabilityRow& row : spirv::kCapabilities) {
      if (row.feature == feature.feature) names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    text += "| " + std::string(feature.what) + " | " + names + " | `" + std::string(feature.name) + "` | " +
            (feature.without.empty() ? "an error" : std::string(feature.without)) + " |\n";
  }
  text += "\n| counted | limit |\n|---|---|\n";
  for (const spirv::LimitRow& row : spirv::kLimits)
    text += "| " + std::string(row.what) + " | `" + std::string(row.name) + "` |\n";
  return text;
}

TEST(DeviceProperties, TheDocumentHasTheTable) {
  const std::string path = test::source_dir() + "/docs/spirv.md";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  constexpr std::string_view kStart = "<!-- made by tests/api/device_properties_test.cpp -->\n\n",
                             kEnd = "\n<!-- end -->";
  const size_t start = text.find(kStart), end = text.find(kEnd);
  ASSERT_TRUE(start != std::string::npos && end != std::string::npos);
  const std::string made = text.substr(0, start + kStart.size()) + made_table() + text.substr(end);
  if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) {
    std::ofstream(path) << made;
    return;
  }
  EXPECT_EQ(text, made) << "TEXLATE_UPDATE_DOCS=1 rewrites the table";
}

}  // namespace
}  // namespace texlate
