// The route cuda with a fake driver. Every example gives the same results as the PTX machine gives
// directly, textures are described to the driver as its documentation requires, and any call may
// fail.
#include <gtest/gtest.h>

#include "backend/launch/launch_abi.h"
#include "tests/corpus/corpus.h"
#include "tests/support/examples.h"
#include "tests/unit/executor/fake_cuda_driver.h"
#include "tools/executor/cuda_device.h"
#include "tools/executor/cuda_texture.h"
#include "tools/executor/shader.h"

namespace texlate::executor {
namespace {

constexpr Route kCudaRoutes[] = {Route::ptx, Route::cuda};

struct Example {
  Shader shader;
  std::unique_ptr<sim::Scene> scene;
  Diagnostics diagnostics;

  Example(const std::string& source, const std::string& scene_text, const std::string& folder = ".") {
    if (!load_shader(source, shader, kCudaRoutes, diagnostics)) return;
    scene = sim::Scene::make(scene_text, folder, shader.contract, diagnostics);
  }
  std::string messages() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.list()) text += std::string(diagnostic.message) + "\n";
    return text;
  }
};

std::string example_source(const std::string& name) {
  return corpus::read(test::kShaders + "/" + name + ".asm");
}

TEST(CudaRoute, GivesWhatThePtxMachineGives) {
  uint32_t ran = 0;
  for (const std::string& name : test::example_names()) {
    SCOPED_TRACE(name);
    Example example(example_source(name), R"({"viewport": [6, 6], "vertices": 12, "dispatch": [2, 1, 1]})");
    if (example.scene == nullptr) continue;  // not for PTX
    FakeCuda fake;
    const cuda::Driver table = fake.table();
    std::string why;
    const auto gpu = cuda::Gpu::open(why, &table);
    ASSERT_NE(gpu, nullptr) << why;
    RunLimits limits;
    limits.gpu = gpu.get();
    RouteResult direct, by_driver;
    if (!run_route(Route::ptx, example.shader, *example.scene, limits, direct, example.diagnostics)) continue;
    EXPECT_TRUE(
        run_route(Route::cuda, example.shader, *example.scene, limits, by_driver, example.diagnostics))
        << example.messages();
    EXPECT_EQ(fake.misuse, "");
    EXPECT_TRUE(by_driver.outputs == direct.outputs);
    EXPECT_TRUE(by_driver.written == direct.written);
    EXPECT_TRUE(by_driver.uavs == direct.uavs);
    EXPECT_EQ(by_driver.trouble.empty(), direct.trouble.empty()) << fake.report.describe();
    EXPECT_EQ(fake.alive, 1) << "only the context is left";
    ++ran;
  }
  EXPECT_GE(ran, 12u);
}

TEST(CudaRoute, LaunchesStagesThatReadPrimitives) {
  const std::string folder = test::source_dir() + "/tests/stages/";
  for (const char* name : {"hull_phases", "hull_returns", "domain_points", "geometry_strips"}) {
    SCOPED_TRACE(name);
    Example example(corpus::read(folder + name + ".asm"), corpus::read(folder + name + ".json"), folder);
    ASSERT_NE(example.scene, nullptr) << example.messages();
    FakeCuda fake;
    const cuda::Driver table = fake.table();
    std::string why;
    const auto gpu = cuda::Gpu::open(why, &table);
    ASSERT_NE(gpu, nullptr) << why;
    RunLimits limits;
    limits.gpu = gpu.get();
    RouteResult direct, by_driver;
    ASSERT_TRUE(
        run_route(Route::ptx, example.shader, *example.scene, limits, direct, example.diagnostics) &&
        run_route(Route::cuda, example.shader, *example.scene, limits, by_driver, example.diagnostics))
        << example.messages();
    EXPECT_EQ(fake.misuse, "");
    EXPECT_EQ(by_driver.trouble, "");
    EXPECT_TRUE(by_driver.outputs == direct.outputs);
    EXPECT_TRUE(by_driver.patch_constants == direct.patch_constants);
    EXPECT_TRUE(by_driver.emitted.words == direct.emitted.words);
    EXPECT_EQ(fake.alive, 1) << "only the context is left";
  }
}

constexpr const char* kEveryKind = R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[1], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texturecubearray (float,float,float,float) t1
dcl_resource_texture3d (uint,uint,uint,uint) t2
dcl_resource_texture1darray (float,float,float,float) t3
dcl_resource_buffer (uint,uint,uint,uint) t4
dcl_resource_texture2dms(4) (float,float,float,float) t5
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_uav_raw u1
dcl_input vThreadID.xy
dcl_temps 4
dcl_thread_group 4, 4, 1
mov r0.xy, vThreadID.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
sample_l_indexable(texturecubearray)(float,float,float,float) r2.xyzw, l(0.5, 1, -0.25, 1), t1.xyzw, s0, l(1.5)
add r1.xyzw, r1.xyzw, r2.xyzw
sample_l_indexable(texture1darray)(float,float,float,float) r2.xyzw, l(0.3, 2, 0, 0), t3.xyzw, s0, l(0)
add r1.xyzw, r1.xyzw, r2.xyzw
ldms_indexable(texture2dms)(float,float,float,float) r2.xyzw, r0.xyzw, t5.xyzw, l(2)
add r1.xyzw, r1.xyzw, r2.xyzw
add r1.xyzw, r1.xyzw, cb0[0].xyzw
store_uav_typed u0.xyzw, r0.xyyy, r1.xyzw
ld_indexable(texture3d)(uint,uint,uint,uint) r2.xyzw, r0.xyzw, t2.xyzw
ld_indexable(buffer)(uint,uint,uint,uint) r3.xyzw, r0.xxxx, t4.xyzw
iadd r2.x, r2.x, r3.x
ishl r3.x, r0.y, l(4)
imad r3.x, r0.x, l(4), r3.x
store_raw u1.x, r3.x, r2.x
ret
)";
constexpr const char* kEveryScene = R"({"dispatch": [1, 1, 1],
  "textures": {"t0": {"size": [8, 4], "view_mips": [1, 2]}, "t1": {"slices": 4}, "t2": {"format": "r8_uint", "generate": "noise"},
    "t3": {"size": [8], "slices": 5, "view_slices": [1, 3]}, "t4": {"format": "r16_uint"}, "t5": {"size": [4, 4]}},
  "uavs": {"u0": {"size": [4, 4]}, "u1": {"elements": 16}},
  "samplers": {"s0": {"filter": "trilinear", "address": ["mirror", "clamp", "border"], "bias": 0.5, "lod": [0.25, 3], "border": [0, 1, 0, 1]}}})";

TEST(CudaRoute, WhatTheDriverIsTold) {
  Example example(kEveryKind, kEveryScene);
  ASSERT_NE(example.scene, nullptr) << example.messages();
  FakeCuda fake;
  const cuda::Driver table = fake.table();
  std::string why;
  const auto gpu = cuda::Gpu::open(why, &table);
  EXPECT_EQ(gpu->name(), "a GPU that is not there");
  EXPECT_EQ(gpu->sm(), 75u);
  RunLimits limits;
  limits.gpu = gpu.get();
  RouteResult direct, by_driver;
  ASSERT_TRUE(run_route(Route::ptx, example.shader, *example.scene, limits, direct, example.diagnostics));
  ASSERT_TRUE(run_route(Route::cuda, example.shader, *example.scene, limits, by_driver, example.diagnostics))
      << example.messages();
  EXPECT_EQ(direct.trouble + by_driver.trouble, "");
  EXPECT_TRUE(by_driver.uavs == direct.uavs);
  EXPECT_EQ(fake.misuse, "");
  const auto arrays = [&](uint32_t flags, size_t width, size_t height, size_t depth, uint32_t format,
                          uint32_t channels) {
    return std::count_if(fake.array_descriptors.begin(), fake.array_descriptors.end(), [&](const auto& a) {
      return a.flags == flags && a.width == width && a.height == height && a.depth == depth &&
             a.format == format && a.channels == channels;
    });
  };
  EXPECT_EQ(arrays(cuda::kGather, 8, 4, 0, cuda::kUnsigned8, 4), 1) << "t0";
  EXPECT_EQ(arrays(cuda::kLayered | cuda::kCubemap, 64, 64, 12, cuda::kUnsigned8, 4), 1)
      << "t1, once for both objects";
  EXPECT_EQ(arrays(0, 16, 16, 16, cuda::kUnsigned8, 1), 1) << "t2";
  EXPECT_EQ(arrays(cuda::kLayered, 8, 1, 5, cuda::kUnsigned8, 4), 1) << "t3 has height 1";
  EXPECT_EQ(arrays(cuda::kLayered, 4, 4, 4, cuda::kUnsigned8, 4), 1) << "t5's samples are layers";
  EXPECT_EQ(arrays(cuda::kSurface, 4, 4, 0, cuda::kFloat, 4), 1) << "u0";
  EXPECT_EQ(fake.array_descriptors.size(), 6u);
  ASSERT_FALSE(fake.view_descriptors.empty());
  EXPECT_EQ(fake.view_descriptors[0].first_level, 1u);
  EXPECT_EQ(fake.view_descriptors[0].last_level, 2u);
  EXPECT_EQ(fake.view_descriptors[0].format, 0x03u) << "CU_RES_VIEW_FORMAT_UINT_4X8";
  EXPECT_EQ(fake.view_descriptors.back().first_layer, 1u);
  EXPECT_EQ(fake.view_descriptors.back().last_layer, 3u);
  const auto sampled = std::find_if(fake.texture_descriptors.begin(), fake.texture_descriptors.end(),
                                    [](const auto& t) { return t.filter == cuda::kLinear; });
  ASSERT_NE(sampled, fake.texture_descriptors.end());
  EXPECT_EQ(sampled->flags, cuda::kNormalizedCoordinates | cuda::kExactTrilinear | cuda::kSeamlessCube);
  EXPECT_EQ(sampled->mip_filter, cuda::kLinear);
  EXPECT_EQ(sampled->address[0], cuda::kMirror);
  EXPECT_EQ(sampled->address[1], cuda::kClamp);
  EXPECT_EQ(sampled->address[2], cuda::kBorder);
  EXPECT_EQ(sampled->mip_bias, 0.5f);
  EXPECT_EQ(sampled->min_level, 0.25f);
  EXPECT_EQ(sampled->max_level, 3.0f);
  EXPECT_EQ(sampled->border[1], 1.0f);
  const auto integers = std::count_if(fake.texture_descriptors.begin(), fake.texture_descriptors.end(),
                                      [](const auto& t) { return (t.flags & cuda::kReadAsInteger) != 0; });
  EXPECT_EQ(integers, 2) << "t2 and t4";
}

// The parameter block matches the reflection, and a plane is where docs/launch_abi.md says.
TEST(CudaRoute, ParametersAndPlanes) {
  Example example(example_source("ld_edges"), R"({"viewport": [2, 2]})");
  FakeCuda fake;
  const cuda::Driver table = fake.table();
  std::string why;
  const auto gpu = cuda::Gpu::open(why, &table);
  RunLimits limits;
  limits.gpu = gpu.get();
  RouteResult result;
  ASSERT_TRUE(run_route(Route::cuda, example.shader, *example.scene, limits, result, example.diagnostics));
  ASSERT_GE(fake.parameters.size(), 48u + 64u);
  uint64_t inputs = 0;
  uint32_t count = 0;
  std::memcpy(&inputs, fake.parameters.data() + launch::stream_head::kInputs, 8);
  std::memcpy(&count, fake.parameters.data() + launch::stream_head::kCount, 4);
  EXPECT_EQ(count, 4u);
  const auto plane = std::find_if(fake.memories.begin(), fake.memories.end(),
                                  [&](const auto& memory) { return memory.address == inputs; });
  ASSERT_NE(plane, fake.memories.end());
  ASSERT_EQ(plane->bytes.size(), example.scene->inputs().size() * 4);
  EXPECT_EQ(std::memcmp(plane->bytes.data(), example.scene->inputs().data(), plane->bytes.size()), 0);
}

TEST(CudaRoute, EveryCallMayFail) {
  Example example(kEveryKind, kEveryScene);
  ASSERT_NE(example.scene, nullptr);
  for (int call = 0;; ++call) {
    SCOPED_TRACE(call);
    ASSERT_LT(call, 1000);
    FakeCuda fake;
    fake.fail_at = call;
    const cuda::Driver table = fake.table();
    std::string why;
    auto gpu = cuda::Gpu::open(why, &table);
    bool good = gpu != nullptr;
    Diagnostics diagnostics;
    RouteResult result;
    if (good) {
      RunLimits limits;
      limits.gpu = gpu.get();
      good = run_route(Route::cuda, example.shader, *example.scene, limits, result, diagnostics);
      const bool told = diagnostics.has_errors() || result.failed;
      if (static_cast<int>(fake.calls.size()) > call) {
        EXPECT_TRUE(told) << fake.calls[static_cast<size_t>(call)];
      }
    } else {
      EXPECT_NE(why, "");
    }
    const bool reached = static_cast<int>(fake.calls.size()) > call;
    gpu.reset();
    EXPECT_EQ(fake.alive, 0);
    EXPECT_EQ(fake.misuse, "");
    if (!reached) break;
  }
}

TEST(CudaRoute, NoGpuAndKernelsThatFail) {
  FakeCuda fake;
  fake.devices = 0;
  const cuda::Driver table = fake.table();
  std::string why;
  EXPECT_EQ(cuda::Gpu::open(why, &table), nullptr);
  EXPECT_EQ(why, "CUDA finds no GPU on this machine");
  fake.devices = 1;
  const auto gpu = cuda::Gpu::open(why, &table);
  cuda::LaunchOnGpu launch(*gpu);
  launch.load(
      ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry main(.param .u64 p) { trap; }\n",
      "main");
  std::vector<std::byte> parameters(8);
  EXPECT_FALSE(launch.launch({1, 1, 1}, {1, 1, 1}, parameters));
  EXPECT_EQ(launch.error(), "the kernel failed: an illegal memory access was encountered");
  EXPECT_TRUE(gpu->is_lost());
  cuda::LaunchOnGpu after(*gpu);
  after.load("", "main");
  EXPECT_EQ(after.error(),
            "the context is lost, because a kernel failed before: nothing more runs in this process");
}

TEST(CudaRoute, PtxThatTheDriverRejects) {
  FakeCuda fake;
  const cuda::Driver table = fake.table();
  std::string why;
  const auto gpu = cuda::Gpu::open(why, &table);
  cuda::LaunchOnGpu launch(*gpu);
  launch.load("this is no PTX", "main");
  EXPECT_EQ(launch.error(), "the driver rejects the PTX: invalid argument");
  EXPECT_FALSE(gpu->is_lost());
}

TEST(CudaRoute, DispatchesWithoutGroups) {
  Example example(kEveryKind, R"({"dispatch": [3, 0, 1], "uavs": {"u0": {"size": [4, 4]}}})");
  ASSERT_NE(example.scene, nullptr) << example.messages();
  FakeCuda fake;
  const cuda::Driver table = fake.table();
  std::string why;
  const auto gpu = cuda::Gpu::open(why, &table);
  RunLimits limits;
  limits.gpu = gpu.get();
  RouteResult result;
  EXPECT_TRUE(run_route(Route::cuda, example.shader, *example.scene, limits, result, example.diagnostics))
      << example.messages();
  EXPECT_EQ(fake.misuse, "");
  EXPECT_FALSE(result.failed);
}

TEST(CudaRoute, BuffersThatAreTooLongForTheGpu) {
  Example example(kEveryKind, kEveryScene);
  FakeCuda fake;
  fake.linear_texels = 1000;
  const cuda::Driver table = fake.table();
  std::string why;
  const auto gpu = cuda::Gpu::open(why, &table);
  RunLimits limits;
  limits.gpu = gpu.get();
  RouteResult result;
  EXPECT_FALSE(run_route(Route::cuda, example.shader, *example.scene, limits, result, example.diagnostics));
  EXPECT_EQ(example.messages(), "cuda: a buffer of 1024 elements: this GPU reads at most 1000\n");
}

TEST(CudaTexture, Formats) {
  const auto format = [](const char* name) { return cuda::format_of(sim::find_format(name)); };
  EXPECT_EQ(format("r8g8b8a8_unorm")->array, cuda::kUnsigned8);
  EXPECT_EQ(format("r8g8b8a8_unorm")->flags, 0u);
  EXPECT_EQ(format("r8g8b8a8_unorm_srgb")->flags, cuda::kSrgb);
  EXPECT_EQ(format("r16g16_sint")->flags, cuda::kReadAsInteger);
  EXPECT_EQ(format("r16g16_sint")->view, 0x0bu) << "CU_RES_VIEW_FORMAT_SINT_2X16";
  EXPECT_EQ(format("r16_float")->array, cuda::kHalf);
  EXPECT_EQ(format("r32g32b32a32_float")->view, 0x18u) << "CU_RES_VIEW_FORMAT_FLOAT_4X32";
  for (const char* without : {"b8g8r8a8_unorm", "r32g32b32_float", "r10g10b10a2_unorm", "r11g11b10_float",
                              "a8_unorm", "r9g9b9e5_sharedexp", "b5g6r5_unorm"})
    EXPECT_FALSE(format(without)) << without;
}

}  // namespace
}  // namespace texlate::executor
