// Kernels of geometry and hull shaders launched in the ways that docs/launch_abi.md describes and that routes
// do not use: counting, compacted output, more threads than primitives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include "tests/support/ir_text.h"
#include "tests/support/paths.h"
#include "tools/executor/comparison.h"
#include "tools/executor/primitive_kernel.h"
#include "tools/executor/sass_route.h"

namespace texlate::executor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr Route kBoth[] = {Route::ptx, Route::maxwell};

/// Primitive p emits vPrim mod 4 vertices to stream 0, each with its number, and then one to stream 2.
constexpr std::string_view kCounts =
    "gs_5_0\ndcl_input v[1][0].x\ndcl_input vPrim\ndcl_temps 1\ndcl_inputprimitive point\ndcl_stream m0\n"
    "dcl_outputtopology pointlist\ndcl_output o0.xy\ndcl_stream m2\ndcl_outputtopology pointlist\n"
    "dcl_output o1.x\ndcl_maxout 3\nmov r0.x, l(0)\nand r0.z, vPrim, l(3)\nloop\nuge r0.y, r0.x, r0.z\n"
    "breakc_nz r0.y\nmov o0.x, v[0][0].x\nmov o0.y, r0.x\nemit_stream m0\ncut_stream m2\niadd r0.x, r0.x, "
    "l(1)\nendloop\nmov o1.x, vPrim.x\nemit_stream m2\nret\n";

/// A shader with its kernels of both targets.
struct Kernels {
  explicit Kernels(std::string_view listing) {
    Diagnostics diagnostics;
    EXPECT_TRUE(load_shader(listing, shader, kBoth, diagnostics)) << ir::to_text(diagnostics);
    scene = sim::Scene::make("{}", ".", shader.contract, diagnostics);
    EXPECT_NE(scene, nullptr) << ir::to_text(diagnostics);
    EXPECT_TRUE(make_kernel(shader.legal, scene->bindings(), ptx, diagnostics) &&
                make_maxwell(shader.legal_maxwell, scene->bindings(), maxwell, diagnostics))
        << ir::to_text(diagnostics);
  }
  void run(Route route, const PrimitiveLaunch& launch) const {
    if (route == Route::ptx) {
      const auto report = run_ptx(ptx, shader.legal, scene->bindings(), launch);
      EXPECT_TRUE(report.ok()) << report.describe();
    } else {
      const auto report = run_sass(maxwell, shader.legal_maxwell, scene->bindings(), launch, {});
      EXPECT_TRUE(report.ok()) << report.describe();
    }
  }

  Shader shader;
  std::unique_ptr<sim::Scene> scene;
  PtxKernel ptx;
  SassKernel maxwell;
};

class PrimitiveKernel : public testing::TestWithParam<Route> {};

TEST_P(PrimitiveKernel, CompactsWhatAFirstLaunchHasCounted) {
  const Kernels kernels(kCounts);
  constexpr uint32_t kPrimitives = 45, kUntouched = 0xdeadbeef;
  std::vector<uint32_t> vertices(4 * kPrimitives), counts(kPrimitives, kUntouched);
  std::iota(vertices.begin(), vertices.end(), 100u);
  PrimitiveLaunch launch;
  launch.vertices = vertices;
  launch.outputs = counts;
  launch.threads = launch.primitives = kPrimitives;
  launch.grid = {2, 1, 1};
  kernels.run(GetParam(), launch);
  // The declared count is 3: of four emissions the last one is dropped.
  for (uint32_t p = 0; p < kPrimitives; ++p) EXPECT_EQ(counts[p], std::min(p % 4 + 1, 3u)) << p;

  std::vector<uint32_t> first(kPrimitives);
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), 0u);
  const uint32_t total = first.back() + counts.back();
  // One word more than the kernel needs, to see that it stays.
  std::vector<uint32_t> words(size_t{8} * (total + 1), kUntouched), tags(total + 1, kUntouched);
  launch.emitted = words;
  launch.tags = tags;
  launch.first = first;
  launch.slots = total + 1;
  kernels.run(GetParam(), launch);
  uint32_t slot = 0;
  for (uint32_t p = 0; p < kPrimitives; ++p) {
    for (uint32_t v = 0; v < counts[p]; ++v, ++slot) {
      const bool is_last = v == p % 4;
      EXPECT_EQ(tags[slot], is_last ? 2u | 4u : v == 0 ? 4u : 0u) << p << ' ' << v;
      if (is_last) {
        EXPECT_EQ(words[4 * (total + 1) + slot], p);
        EXPECT_EQ(words[slot], kUntouched) << "an output of another stream";
      } else {
        EXPECT_EQ(words[slot], 100 + p);
        EXPECT_EQ(words[total + 1 + slot], v);
      }
    }
  }
  EXPECT_EQ(slot, total);
  EXPECT_EQ(tags[total], kUntouched);
  EXPECT_EQ(words[total], kUntouched);
}

TEST_P(PrimitiveKernel, TagsMayBeLeftOut) {
  const Kernels kernels(kCounts);
  std::vector<uint32_t> vertices(8, 7), counts(2), words(8 * 6);
  PrimitiveLaunch launch;
  launch.vertices = vertices;
  launch.outputs = counts;
  launch.emitted = words;
  launch.slots = 6;
  launch.threads = launch.primitives = 2;
  const std::vector<uint32_t> ids = {0xffffffffu, 1};
  launch.ids = ids;
  kernels.run(GetParam(), launch);
  EXPECT_THAT(counts, ElementsAre(3, 2));
  // Slot v * threads + thread: the vertices of primitive 0 are in slots 0, 2 and 4.
  EXPECT_THAT(std::vector(words.begin(), words.begin() + 6), ElementsAre(7, 7, 7, 0, 7, 0));
  EXPECT_EQ(words[4 * 6 + 3], 1u);
}

// Blocks hold 42 patches of three threads; the second one has one patch.
TEST_P(PrimitiveKernel, ThreadsBeyondTheLastPatchDoNothing) {
  const Kernels kernels(
      "hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\ndcl_input v[2][0].x\n"
      "dcl_input vOutputControlPointID\ndcl_output o0.x\ndcl_temps 1\n"
      "iadd r0.x, v[1][0].x, vOutputControlPointID.x\nmov o0.x, r0.x\nret\n"
      "hs_join_phase\ndcl_input vocp[3][0].x\ndcl_output o1.x\ndcl_temps 1\n"
      "iadd r0.x, vocp[0][0].x, vocp[2][0].x\nmov o1.x, r0.x\nret\n");
  constexpr uint32_t kPatches = 43;
  std::vector<uint32_t> vertices(size_t{4} * kPatches * 2), points(size_t{4} * kPatches * 3),
      constants(size_t{8} * kPatches, 5);
  std::iota(vertices.begin(), vertices.end(), 0u);
  PrimitiveLaunch launch;
  launch.vertices = vertices;
  launch.outputs = points;
  launch.written_constants = constants;
  launch.primitives = kPatches;
  launch.block = {3, 42, 1};
  launch.grid = {2, 1, 1};
  kernels.run(GetParam(), launch);
  for (uint32_t p = 0; p < kPatches; ++p) {
    for (uint32_t k = 0; k < 3; ++k) EXPECT_EQ(points[p * 3 + k], 2 * p + 1 + k);
    EXPECT_EQ(constants[4 * kPatches + p], 2 * (2 * p + 1) + 2);
  }
  EXPECT_THAT(std::span(constants).first(4 * kPatches), Each(5u));
  EXPECT_THAT(std::span(constants).subspan(5 * kPatches), Each(5u));
}

// 7 instances: the reciprocal of 7 is not exact.
TEST_P(PrimitiveKernel, ThreadsAreDividedAmongPrimitivesAndInstances) {
  const Kernels kernels(
      "gs_5_0\ndcl_input v[1][0].x\ndcl_input vPrim\ndcl_input vGSInstanceID\ndcl_gs_instance_count 7\n"
      "dcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyz\n"
      "dcl_maxout 1\nmov o0.x, vPrim.x\nmov o0.y, vGSInstanceID.x\nmov o0.z, v[0][0].x\nemit_stream m0\n"
      "ret\n");
  constexpr uint32_t kPrimitives = 37, kThreads = 7 * kPrimitives;
  std::vector<uint32_t> vertices(4 * kPrimitives), counts(kThreads), words(4 * kThreads), tags(kThreads);
  std::iota(vertices.begin(), vertices.end(), 1000u);
  PrimitiveLaunch launch;
  launch.vertices = vertices;
  launch.outputs = counts;
  launch.emitted = words;
  launch.tags = tags;
  launch.primitives = kPrimitives;
  launch.threads = launch.slots = kThreads;
  launch.grid = {(kThreads + kStreamBlock - 1) / kStreamBlock, 1, 1};
  kernels.run(GetParam(), launch);
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    EXPECT_EQ(words[thread], thread / 7);
    EXPECT_EQ(words[kThreads + thread], thread % 7);
    EXPECT_EQ(words[2 * kThreads + thread], 1000 + thread / 7);
  }
}

// Direct3D leaves such results undefined; memory beyond the planes must not be touched.
TEST_P(PrimitiveKernel, NumbersOutOfRangeStayInside) {
  const Kernels kernels(
      "hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 1\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
      "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\ndcl_input v[2][0].x\n"
      "dcl_input v[2][1].x\ndcl_indexrange v[2][0].x 2\ndcl_output o0.x\ndcl_temps 1\n"
      "mov r0.x, v[0][0].x\nmov o0.x, v[r0.x + 0][r0.x + 0].x\nret\n"
      "hs_fork_phase\ndcl_input vocp[1][0].x\ndcl_input vicp[2][0].x\ndcl_output o1.x\ndcl_output o2.x\n"
      "dcl_indexrange o1.x 2\ndcl_temps 1\nmov r0.x, vicp[0][0].x\n"
      "mov o[r0.x + 1].x, vocp[r0.x + 0][0].x\nret\n");
  for (const uint32_t number : {0u, 1u, 2u, 3u, 1000u, 0x3fffffffu, 0x40000001u, 0xffffffffu}) {
    std::vector<uint32_t> vertices(2 * 8, number), points(4), constants(12, 5);
    PrimitiveLaunch launch;
    launch.vertices = vertices;
    launch.outputs = points;
    launch.written_constants = constants;
    launch.primitives = 1;
    launch.block = {1, 128, 1};
    kernels.run(GetParam(), launch);
    for (uint32_t plane = 0; plane < 12 && number < 2; ++plane) {
      const bool is_written = plane == 4 * (number + 1);
      EXPECT_EQ(constants[plane], is_written ? number : 5u) << number << ' ' << plane;
    }
  }
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct StageCase {
  const char *shader, *scene;
};
class StageCases : public testing::TestWithParam<StageCase> {};

// The cases of `texlate test tests/stages`, for tests/exhaustive/mutations.sh.
TEST_P(StageCases, AgreeWithTheInterpreter) {
  const std::string folder = test::source_dir() + "/tests/stages/";
  constexpr Route kRoutes[] = {Route::ir, Route::ptx, Route::maxwell};
  Diagnostics diagnostics;
  Shader shader;
  ASSERT_TRUE(load_shader(contents_of(folder + GetParam().shader), shader, kRoutes, diagnostics));
  const auto scene =
      sim::Scene::make(contents_of(folder + GetParam().scene), folder, shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics);
  PtxKernel kernel;
  ASSERT_TRUE(make_kernel(shader.legal, scene->bindings(), kernel, diagnostics)) << ir::to_text(diagnostics);
  launch::KernelForm form(shader.legal.memory());
  ASSERT_TRUE(launch::make_kernel_form(shader.legal, nullptr, launch::launch_of(kernel.emitted.host), form,
                                       diagnostics, true));
  ir::verify_or_fail(form.module);
  std::array<RouteResult, std::size(kRoutes)> results;
  for (size_t r = 0; r < std::size(kRoutes); ++r) {
    ASSERT_TRUE(run_route(kRoutes[r], shader, *scene, {}, results[r], diagnostics))
        << ir::to_text(diagnostics);
    EXPECT_EQ(results[r].trouble, "");
    const Comparison comparison = compare_outputs(shader, *scene, results[0], results[r]);
    EXPECT_TRUE(comparison.equal()) << route_name(kRoutes[r]) << ": " << comparison.worst;
  }
}

INSTANTIATE_TEST_SUITE_P(All, StageCases,
                         testing::Values(StageCase{"hull_phases.asm", "hull_phases.json"},
                                         StageCase{"hull_returns.asm", "hull_returns.json"},
                                         StageCase{"factors.asm", "factors.json"},
                                         StageCase{"domain_points.asm", "domain_points.json"},
                                         StageCase{"geometry_strips.asm", "geometry_strips.json"},
                                         StageCase{"geometry_streams.asm", "geometry_streams.json"}),
                         [](const auto& one) {
                           const std::string name = one.param.shader;
                           return name.substr(0, name.find('.'));
                         });

INSTANTIATE_TEST_SUITE_P(Routes, PrimitiveKernel, testing::ValuesIn(kBoth),
                         [](const auto& one) { return std::string(route_name(one.param)); });

}  // namespace
}  // namespace texlate::executor
