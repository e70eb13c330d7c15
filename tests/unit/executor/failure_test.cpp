// Runs that fail: lanes that wait for each other, budgets that are used up.
#include <gtest/gtest.h>

#include "tools/executor/shader.h"

namespace texlate::executor {
namespace {

/// Lanes of a warp that wait at different barriers.
constexpr const char* kDeadlock =
    "cs_5_0\ndcl_input vThreadIDInGroup.x\ndcl_temps 1\ndcl_tgsm_raw g0, 16\ndcl_thread_group 64, 1, 1\n"
    "ult r0.x, vThreadIDInGroup.x, l(3)\nif_nz r0.x\nsync_g_t\nendif \nret \n";

TEST(Deadlock, IsAFailureThatNamesLineAndInstruction) {
  const std::pair<Route, const char*> kMessages[] = {
      {Route::ptx, "bar.sync 0 (line 8 of the shader)"},
      {Route::maxwell, "BAR, lane 0, thread 0 of block (0,0,0)"}};
  for (const auto& [route, message] : kMessages) {
    Shader shader;
    Diagnostics diagnostics;
    ASSERT_TRUE(load_shader(kDeadlock, shader, std::span(&route, 1), diagnostics));
    const auto scene = sim::Scene::make(R"({"dispatch": [1, 1, 1]})", ".", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr);
    RouteResult result;
    ASSERT_TRUE(run_route(route, shader, *scene, {}, result, diagnostics));
    EXPECT_TRUE(result.failed);
    EXPECT_NE(result.trouble.find("divergent_barrier"), std::string::npos) << result.trouble;
    EXPECT_NE(result.trouble.find(message), std::string::npos) << result.trouble;
  }
}

// What a scene can say and a route cannot express.
TEST(Refusals, NameWhatTheRouteLacks) {
  constexpr const char* kSample =
      "ps_5_0\ndcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t3\ndcl_output "
      "o0.xyzw\nsample_l o0.xyzw, l(0,0,0,0), t3.xyzw, s0, l(0)\nret \n";
  constexpr const char* kClamped = R"({"textures": {"t3": {"min_lod": 0.5}}})";
  constexpr const char* kReduced = R"({"samplers": {"s0": {"reduction": "maximum"}}})";
  const auto error_of = [&](Route route, const char* text) -> std::string {
    Shader shader;
    Diagnostics diagnostics;
    EXPECT_TRUE(load_shader(kSample, shader, std::span(&route, 1), diagnostics));
    const auto scene = sim::Scene::make(text, ".", shader.contract, diagnostics);
    EXPECT_NE(scene, nullptr);
    RouteResult result;
    if (scene == nullptr || run_route(route, shader, *scene, {}, result, diagnostics)) return "";
    return std::string(diagnostics.list().back().message);
  };
  for (const Route route : {Route::ptx, Route::maxwell, Route::dksh}) {
    EXPECT_EQ(
        error_of(route, kClamped),
        std::string(route_name(route)) + " has no 'min_lod' of a texture, which t3 has: only route ir does");
    const bool is_kernel = route != Route::dksh;
    EXPECT_EQ(error_of(route, kReduced).find("a texture object has no minimum or maximum reduction") !=
                  std::string::npos,
              is_kernel);
  }
  EXPECT_EQ(error_of(Route::ir, kClamped), "");
  EXPECT_EQ(error_of(Route::ir, kReduced), "");
}

TEST(Budget, WhatWasCutOffIsNoResult) {
  for (const Route& route : {Route::ir, Route::ptx, Route::maxwell}) {
    Shader shader;
    Diagnostics diagnostics;
    ASSERT_TRUE(
        load_shader("cs_5_0\ndcl_uav_raw u0\ndcl_thread_group 1, 1, 1\nloop \nstore_raw u0.x, l(0), "
                    "l(1)\nendloop \nret \n",
                    shader, std::span(&route, 1), diagnostics));
    const auto scene = sim::Scene::make("{}", ".", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr);
    RunLimits limits;
    limits.max_lane_instructions = 1000;
    RouteResult result;
    ASSERT_TRUE(run_route(route, shader, *scene, limits, result, diagnostics));
    EXPECT_TRUE(result.cut_off);
  }
}

}  // namespace
}  // namespace texlate::executor
