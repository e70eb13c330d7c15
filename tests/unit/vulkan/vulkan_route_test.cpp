// What the Vulkan route does besides running a shader: inputs, targets, discard, depth, vertices, unordered
// access, errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <spirv/unified1/spirv.hpp>

#include "ir/base/diagnostics.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

using executor::Route;

class VulkanRoute : public testing::TestWithParam<spirv::Robustness> {
 protected:
  void SetUp() override {
    TEXLATE_NEEDS_VULKAN(GetParam());
    device_ = vulkan_device(GetParam());
  }

  /// Runs both routes on the scene.
  void run(const std::string& assembly, const std::string& scene) {
    shader_ = std::make_unique<executor::Shader>();
    shader_->robustness = GetParam();
    const Route routes[] = {Route::ir, Route::vulkan};
    const auto text = [&] {
      std::string all;
      for (const Diagnostic& one : diagnostics_.list()) all += render(one, "shader", assembly);
      return all;
    };
    ASSERT_TRUE(executor::load_shader(assembly, *shader_, routes, diagnostics_)) << text();
    scene_ = sim::Scene::make(scene, ".", shader_->contract, diagnostics_);
    ASSERT_NE(scene_, nullptr) << text();
    executor::RunLimits limits;
    limits.device = device_;
    ASSERT_TRUE(executor::run_route(Route::ir, *shader_, *scene_, limits, expected_, diagnostics_)) << text();
    ran_ = executor::run_route(Route::vulkan, *shader_, *scene_, limits, result_, diagnostics_);
  }
  void expect_equal(const std::string& assembly, const std::string& scene,
                    const executor::Tolerance& tolerance = {}) {
    run(assembly, scene);
    if (HasFatalFailure()) return;
    if (!ran_ && is_beyond_device(diagnostics_.list()[0].message))
      GTEST_SKIP() << diagnostics_.list()[0].message;
    ASSERT_TRUE(ran_) << diagnostics_.list()[0].message;
    const auto comparison = executor::compare_outputs(*shader_, *scene_, expected_, result_, tolerance);
    EXPECT_TRUE(comparison.equal()) << comparison.different << " of " << comparison.elements << ", "
                                    << comparison.first;
    EXPECT_GT(comparison.elements, 0u);
  }
  uint32_t written() const {
    uint32_t count = 0;
    for (uint32_t one : result_.written) count += one;
    return count;
  }

  sim::vulkan::Device* device_ = nullptr;
  std::unique_ptr<executor::Shader> shader_;
  std::unique_ptr<sim::Scene> scene_;
  Diagnostics diagnostics_;
  executor::RouteResult expected_, result_;
  bool ran_ = false;
};

const std::string kPixel = "ps_5_0\ndcl_globalFlags refactoringAllowed\n";

TEST_P(VulkanRoute, PlanesComeFromOneTriangleExactly) {
  expect_equal(kPixel +
                   "dcl_input_ps linear v1.xyzw\ndcl_input_ps_siv linear noperspective v0.xyzw, "
                   "position\ndcl_output o0.xyzw\n"
                   "dcl_output o1.xyzw\ndcl_temps 1\nmov o0.xyzw, v1.xyzw\nmov o1.xyzw, v0.xyzw\nret\n",
               R"({"viewport": [64, 32]})");
  EXPECT_EQ(written(), 64u * 32u);
}

TEST_P(VulkanRoute, AnyInputsComePixelByPixel) {
  // Not linear: the square of the position. Each pixel's own triangle gives it within some ULP, including its
  // quad's derivatives.
  const std::string values =
      R"({"viewport": [7, 5], "inputs": {"v1": {"values": [[0.5, 3.0], [2.0, -1.0], [7.0, 0.25], [1.0, 9.0], [4.0, 4.0]]}}})";
  expect_equal(kPixel +
                   "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 1\nderiv_rtx_fine r0.x, v1.x\n"
                   "mov o0.xy, v1.xyxx\nmov o0.z, r0.x\nmov o0.w, l(1.000000)\nret\n",
               values, {64, 1e-4});
  EXPECT_EQ(written(), 35u);
}

// An LOD just below a half is rounded to 8 bits, and so to the next mip, or it is not (docs/spirv.md).
TEST_P(VulkanRoute, MipsOfPointFiltersAreThoseOfARoundedLevel) {
  if (is_swiftshader()) GTEST_SKIP() << "its levels are rounded to 6 bits (mipmapPrecisionBits)";
  run(kPixel +
          "dcl_sampler s0, mode_default\ndcl_resource_texturecube (float,float,float,float) t0\n"
          "dcl_input_ps linear v1.xyz\ndcl_output o0.xyzw\n"
          "sample_indexable(texturecube)(float,float,float,float) o0.xyzw, v1.xyzx, t0.xyzw, s0\nret\n",
      R"({"samplers": {"s0": {"filter": "linear"}}, "textures": {"t0": {"generate": "mip-colored"}},
          "inputs": {"v1": {"gradient": [-1, -1.2, -1.1], "dx": [0.03, 0.002, 0.014], "dy": [0.002, 0.03, 0.006]}}})");
  if (HasFatalFailure()) return;
  ASSERT_TRUE(ran_) << diagnostics_.list()[0].message;
  executor::RunLimits exact;
  exact.texture_unit.lod_bits = 20;
  executor::RouteResult unrounded;
  ASSERT_TRUE(executor::run_route(Route::ir, *shader_, *scene_, exact, unrounded, diagnostics_));
  EXPECT_NE(expected_.outputs, unrounded.outputs);
  const auto near = [&](const executor::RouteResult& result, size_t at) {
    const float distance =
        std::bit_cast<float>(result.outputs[at]) - std::bit_cast<float>(result_.outputs[at]);
    return std::fabs(distance) < 1e-6f;  // the weights of four equal texels may add up to almost 1
  };
  for (size_t at = 0; at < result_.outputs.size(); ++at)
    EXPECT_TRUE(near(expected_, at) || near(unrounded, at)) << at;
}

// The slope lies between the pixel and a helper that is outside the target.
TEST_P(VulkanRoute, TargetsOfOneColumnOrRowHaveSlopes) {
  for (const char* size : {"[1, 1]", "[1, 5]", "[4, 1]"}) {
    expect_equal(kPixel +
                     "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\nderiv_rtx_coarse o0.xy, v1.xyxx\n"
                     "deriv_rty_coarse o0.zw, v1.xxxy\nret\n",
                 fmt::format(R"({{"viewport": {}, "inputs": {{"v1": {{"gradient": [0.5, 1.0, 0, 0],
                                 "dx": [0.25, -2, 0, 0], "dy": [0.125, 4, 0, 0]}}}}}})",
                             size),
                 {64, 1e-6});
  }
}

TEST_P(VulkanRoute, IntegersAreNotInterpolated) {
  expect_equal(
      kPixel +
          "dcl_input_ps constant v1.xy\ndcl_output o0.xyzw\ndcl_temps 1\nimul null, r0.xy, v1.xyxx, l(3, 5, "
          "0, 0)\n"
          "iadd r0.xy, r0.xyxx, l(1, 2, 0, 0)\nutof o0.xy, r0.xyxx\nmov o0.zw, l(0,0,0,1.000000)\nret\n",
      R"({"viewport": [6, 4], "inputs": {"v1": {"values": [[1, 2], [30, 4], [4000000000, 70000], [5, 5]]}}})");
}

TEST_P(VulkanRoute, DiscardedPixelsAreNotWritten) {
  expect_equal(kPixel +
                   "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_uav_raw "
                   "u1\ndcl_temps 1\n"
                   "lt r0.x, v0.x, v0.y\ndiscard_nz r0.x\nftou r0.y, v0.x\nishl r0.y, r0.y, l(2)\n"
                   "atomic_iadd u1, r0.y, l(1)\nmov o0.xyzw, v0.xyxy\nret\n",
               R"({"viewport": [32, 32]})");
  EXPECT_EQ(written(), 32u * 33u / 2u);
}

TEST_P(VulkanRoute, EarlyDepthWritesColorOnlyWhereTheShaderLives) {
  expect_equal(
      "ps_5_0\ndcl_globalFlags refactoringAllowed | forceEarlyDepthStencil\n"
      "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 1\n"
      "lt r0.x, v0.x, v0.y\ndiscard_nz r0.x\nmov o0.xyzw, v0.xyxy\nret\n",
      R"({"viewport": [16, 16]})");
  EXPECT_EQ(written(), 16u * 17u / 2u);
}

TEST_P(VulkanRoute, MasksDecideWhatIsDrawn) {
  expect_equal(kPixel +
                   "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_output "
                   "oMask\ndcl_temps 1\nftou r0.x, v0.x\nmov oMask, r0.x\nmov o0.xyzw, v0.xyxy\nret\n",
               R"({"viewport": [32, 4]})");
  EXPECT_EQ(written(), 16u * 4u) << "odd columns";
}

TEST_P(VulkanRoute, DepthIsReadBack) {
  expect_equal(kPixel +
                   "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_output oDepth\ndcl_temps 1\n"
                   "mov o0.xyzw, v1.xyxy\nmul oDepth, v1.x, l(0.500000)\nret\n",
               R"({"viewport": [16, 16]})");
}

TEST_P(VulkanRoute, QuadsHaveDerivativesAndFaces) {
  expect_equal(
      kPixel +
          "dcl_input_ps linear v1.xy\ndcl_input_ps_sgv constant v2.x, is_front_face\n"
          "dcl_output o0.xyzw\ndcl_temps 1\nmul r0.xy, v1.xyxx, v1.xyxx\nderiv_rtx_coarse o0.x, r0.x\n"
          "deriv_rty_fine o0.y, r0.y\nand o0.z, v2.x, l(0x3f800000)\nmov o0.w, l(1.000000)\nret\n",
      R"({"viewport": [32, 32]})", {4, 1e-6});
}

TEST_P(VulkanRoute, TargetsMayLeaveGaps) {
  expect_equal(kPixel +
                   "dcl_input_ps linear v1.xyzw\ndcl_output o1.xyz\ndcl_output o4.xyzw\ndcl_temps 1\n"
                   "mov o1.xyz, v1.zyxz\nmov o4.xyzw, v1.wzyx\nret\n",
               R"({"viewport": [16, 16]})");
}

TEST_P(VulkanRoute, VerticesComeBackByTransformFeedback) {
  expect_equal(
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyzw\ndcl_input v1.xyz\n"
      "dcl_input_sgv v2.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyz\n"
      "dcl_output_siv o2.xy, clip_distance\ndcl_output o3.x\ndcl_temps 1\n"
      "mov o0.xyzw, v0.wzyx\nmul o1.xyz, v1.xyzx, v1.xyzx\nmov o2.xy, v0.xyxx\nutof o3.x, v2.x\nret\n",
      R"({"vertices": 100})");
  if (IsSkipped()) return;
  EXPECT_EQ(written(), 100u);
}

TEST_P(VulkanRoute, CullDistancesComeBackUnlessMesaMixesThemUp) {
  const auto distances = [](const char* clip, const char* cull) {
    return fmt::format(
        "vs_5_0\ndcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.{0}, "
        "clip_distance\ndcl_output_siv o2.{1}, cull_distance\nmov o0.xyzw, v0.xyzw\nmov o1.{0}, "
        "v0.xyzw\nmov o2.{1}, v0.wzyx\nret\n",
        clip, cull);
  };
  for (const auto& [clip, cull] : {std::pair{"xy", "xy"}, std::pair{"x", "xyz"}, std::pair{"xyzw", "xyz"}}) {
    expect_equal(distances(clip, cull), R"({"vertices": 8})");
    if (IsSkipped()) return;
    EXPECT_TRUE(result_.unknown.empty());
  }
  expect_equal(distances("xy", "xyz"), R"({"vertices": 8})");
  if (IsSkipped()) return;
  EXPECT_EQ(result_.unknown, (std::vector<uint32_t>{2}));
}

TEST_P(VulkanRoute, VerticesReadTexturesAndConstants) {
  expect_equal(
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[8], dynamicIndexed\n"
      "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_input v0.xy\n"
      "dcl_input_sgv v1.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_temps 2\n"
      "and r0.x, v1.x, l(7)\nsample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, v0.xyxx, "
      "t0.xyzw, s0, l(0)\n"
      "add o0.xyzw, r1.xyzw, cb0[r0.x + 0].xyzw\nret\n",
      R"({"vertices": 64, "samplers": {"s0": {"filter": "point"}},
                   "textures": {"t0": {"format": "r32g32b32a32_float", "generate": "noise"}}})");
}

TEST_P(VulkanRoute, SystemValuesAreTheDevicesOwn) {
  run("vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, "
      "position\n"
      "dcl_temps 1\nutof o0.xyzw, v0.xxxx\nret\n",
      R"({"vertices": 4, "inputs": {"v0": {"values": [[9], [8]]}}})");
  EXPECT_FALSE(ran_);
  EXPECT_NE(diagnostics_.list()[0].message.find("v0.x is a system value"), std::string_view::npos);
}

TEST_P(VulkanRoute, SaysWhichFeatureIsMissing) {
  run(kPixel +
          "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
          "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 2\n"
          "sample_cl_s_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.x, v1.xyxx, t0.xyzw, s0, "
          "l(1.000000)\n"
          "check_access_fully_mapped r1.x, r1.x\nmov o0.xyzw, r0.xyzw\nret\n",
      "");
  if (ran_) GTEST_SKIP() << "this device has them all";
  EXPECT_NE(diagnostics_.list()[0].message.find("lacks shaderResource"), std::string_view::npos)
      << diagnostics_.list()[0].message;
}

// Direct3D has them, Vulkan has not, and some drivers crash.
TEST_P(VulkanRoute, RefusesFiveSamples) {
  run(kPixel +
          "dcl_resource_texture2dms(5) (float,float,float,float) t0\ndcl_output o0.xyzw\ndcl_temps 1\n"
          "ldms o0.xyzw, l(0,0,0,0), t0.xyzw, l(4)\nret\n",
      "");
  ASSERT_FALSE(ran_);
  EXPECT_NE(diagnostics_.list()[0].message.find("5 samples"), std::string_view::npos)
      << diagnostics_.list()[0].message;
}

// No device has groups of 2^31 threads, but every one has the limit.
TEST_P(VulkanRoute, RefusesGroupsBeyondTheLimits) {
  sim::vulkan::Shader shader;
  std::vector<uint32_t> words = {spv::MagicNumber, 0x00010300, 0, 3, 0};
  const auto add = [&](spv::Op op, std::initializer_list<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands);
  };
  add(spv::OpCapability, {spv::CapabilityShader});
  add(spv::OpExecutionMode, {1, spv::ExecutionModeLocalSize, 0x80000000u, 1, 1});
  shader.words = words;
  EXPECT_FALSE(device_->dispatch(shader, {1, 1, 1}, diagnostics_));
  EXPECT_NE(diagnostics_.list()[0].message.find("has no groups of 2147483648 x 1 x 1 threads"),
            std::string_view::npos)
      << diagnostics_.list()[0].message;
}

TEST_P(VulkanRoute, RefusesUnknownCapabilities) {
  sim::vulkan::Shader shader;
  const std::vector<uint32_t> words = {
      spv::MagicNumber, 0x00010300, 0, 3, 0, 2u << 16 | spv::OpCapability, spv::CapabilityKernel};
  shader.words = words;
  EXPECT_FALSE(device_->dispatch(shader, {1, 1, 1}, diagnostics_));
  EXPECT_NE(diagnostics_.list()[0].message.find("capability 6"), std::string_view::npos)
      << diagnostics_.list()[0].message;
}

// With `shader` a range of more than 16 registers has one constant for what is bound, and one for alpha.
TEST_P(VulkanRoute, RefusesRangesThatItsConstantsCannotExpress) {
  const bool is_shader = GetParam() == spirv::Robustness::shader;
  const std::string head = "cs_5_1\ndcl_globalFlags refactoringAllowed\n";
  const std::string rest = "dcl_uav_raw U0[0:0], space=0\ndcl_temps 2\ndcl_thread_group 1, 1, 1\n";
  const auto refusal = [&](const std::string& assembly, const std::string& scene) {
    diagnostics_ = Diagnostics();
    run(assembly, scene);
    return ran_ ? std::string() : std::string(diagnostics_.list()[0].message);
  };
  const std::string words = head + "dcl_resource_raw T0[0:16], space=0\n" + rest +
                            "ld_raw r0.x, l(0), T0[0].xxxx\nld_raw r0.y, l(0), T0[1].xxxx\n"
                            "store_raw U0[0].xy, l(0), r0.xyxx\nret\n";
  const std::string uav = R"("uavs": {"U0": {"elements": 8}})", full = R"("T0[0]": {"words": [77]})";
  const std::string bound = refusal(words, "{" + uav + R"(, "textures": {)" + full + R"(, "T0[1]": null}})");
  EXPECT_EQ(bound.find("registers of T0 must all be bound or all be unbound") != std::string::npos, is_shader)
      << bound;
  EXPECT_EQ(refusal(words, "{" + uav + R"(, "textures": {)" + full + R"(, "T0[1]": {"words": [5]}}})"), "");
  const std::string texels =
      head + "dcl_resource_texture2d (float,float,float,float) T0[0:16], space=0\n" + rest +
      "ld r0.xyzw, l(99,9,0,0), T0[0].xyzw\nstore_raw U0[0].xyzw, l(0), r0.xyzw\n"
      "ld r0.xyzw, l(99,9,0,0), T0[1].xyzw\nstore_raw U0[0].xyzw, l(16), r0.xyzw\nret\n";
  const auto formats = [&](const char* second) {
    return "{" + uav + R"(, "textures": {"T0[0]": {"format": "r8g8b8a8_unorm"}, "T0[1]": {"format": ")" +
           second + "\"}}}";
  };
  const std::string alpha = refusal(texels, formats("r32_float"));
  EXPECT_EQ(alpha.find("formats that agree on the alpha") != std::string::npos, is_shader) << alpha;
  EXPECT_EQ(refusal(texels, formats("r16g16b16a16_float")), "");
}

INSTANTIATE_TEST_SUITE_P(Robustness, VulkanRoute,
                         testing::Values(spirv::Robustness::driver, spirv::Robustness::shader),
                         [](const auto& one) {
                           return std::string(one.param == spirv::Robustness::driver ? "driver" : "shader");
                         });

TEST(VulkanDevice, SaysInOneLineWhatIsMissing) {
  Diagnostics diagnostics;
  sim::vulkan::DeviceOptions options;
  options.name = "no such device";
  EXPECT_EQ(sim::vulkan::Device::open(options, diagnostics), nullptr);
  ASSERT_EQ(diagnostics.list().size(), 1u);
  const std::string_view message = diagnostics.list()[0].message;
  EXPECT_EQ(message.substr(0, 8), "vulkan: ");
  EXPECT_EQ(message.find('\n'), std::string_view::npos);
}

}  // namespace
}  // namespace texlate
