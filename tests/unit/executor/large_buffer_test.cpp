// Typed buffers with more elements than a texture has texels in a row, and textures whose samples make more
// slices than an array has: all routes read and write them.
#include <gtest/gtest.h>

#include "tools/executor/comparison.h"

namespace texlate::executor {
namespace {

void expect_agreement(const char* source, const char* scene_text) {
  constexpr Route kRoutes[] = {Route::ir, Route::ptx, Route::maxwell, Route::dksh};
  Shader shader;
  Diagnostics diagnostics;
  ASSERT_TRUE(load_shader(source, shader, kRoutes, diagnostics));
  const auto scene = sim::Scene::make(scene_text, ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr) << (diagnostics.has_errors() ? diagnostics.list()[0].message : "");
  RouteResult reference;
  for (const Route route : kRoutes) {
    RouteResult result;
    ASSERT_TRUE(run_route(route, shader, *scene, {}, result, diagnostics)) << route_name(route);
    EXPECT_EQ(result.trouble, "") << route_name(route);
    if (route == Route::ir) {
      reference = result;
      const auto has_values = [](uint32_t word) { return word != 0; };
      EXPECT_TRUE(std::any_of(result.uavs.begin(), result.uavs.end(), has_values));
    }
    EXPECT_EQ(result.uavs, reference.uavs) << route_name(route);
  }
}

TEST(LargeBuffers, AreRead) {
  expect_agreement(
      "cs_5_0\ndcl_resource_buffer (uint,uint,uint,uint) t0\ndcl_uav_raw u0\ndcl_input vThreadID.x\n"
      "dcl_temps 2\ndcl_thread_group 4, 1, 1\niadd r1.x, vThreadID.x, l(16383)\n"
      "ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, r1.xxxx, t0.xyzw\nishl r1.y, vThreadID.x, l(4)\n"
      "store_raw u0.xyzw, r1.y, r0.xyzw\nret\n",
      R"({"textures": {"t0": {"elements": 16386, "generate": "noise"}}, "dispatch": [1]})");
}

TEST(LargeBuffers, AreWritten) {
  expect_agreement(
      "cs_5_0\ndcl_uav_typed_buffer (uint,uint,uint,uint) u0\ndcl_input vThreadID.x\ndcl_temps 1\n"
      "dcl_thread_group 4, 1, 1\niadd r0.x, vThreadID.x, l(16383)\n"
      "store_uav_typed u0.xyzw, r0.xxxx, vThreadID.xxxx\nret\n",
      R"({"uavs": {"u0": {"elements": 16386}}, "dispatch": [1]})");
}

TEST(LargeBuffers, HaveALimit) {
  ir::Module module;
  ir::Resource buffer;
  buffer.dimension = ir::Dimension::buffer;
  std::fill(std::begin(buffer.component_types), std::end(buffer.component_types), ir::ComponentType::uint);
  module.stage = ir::Stage::compute;
  module.resources.push_back(buffer);
  Diagnostics diagnostics;
  EXPECT_EQ(sim::Scene::make(R"({"textures": {"t0": {"elements": 134217729, "format": "r8_uint"}}})", ".",
                             module, diagnostics),
            nullptr);
  EXPECT_EQ(diagnostics.list()[0].message, "t0 is too large: 134217729 elements of at most 134217728");
}

}  // namespace
}  // namespace texlate::executor
