// The forms that SPIR-V has for devices which lack a feature, on the Vulkan device that there is, against the
// interpreter. Lavapipe lacks VK_EXT_descriptor_indexing and shaderResourceMinLod itself.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/ir_text.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/comparison.h"
#include "tools/executor/shader.h"

namespace texlate::test {
namespace {

using executor::Route;
using spirv::Feature;

constexpr Feature kIndices[] = {
    Feature::uniform_buffer_index, Feature::sampled_image_index,  Feature::storage_buffer_index,
    Feature::storage_image_index,  Feature::uniform_texels_index, Feature::storage_texels_index,
    Feature::uniform_buffer_lanes, Feature::sampled_image_lanes,  Feature::storage_buffer_lanes,
    Feature::storage_image_lanes,  Feature::uniform_texels_lanes, Feature::storage_texels_lanes};
constexpr Feature kClamps[] = {Feature::min_lod};

/// Draws a case of tests/cases by both routes with devices that lack these features.
void expect_equal(const std::string& name, std::span<const Feature> missing, spirv::Robustness robustness,
                  double absolute) {
  SCOPED_TRACE(name);
  std::string why;
  sim::vulkan::Device* const device = vulkan_device(robustness, &why);
  if (device == nullptr && robustness != robustness_here()) return;  // it has only the other one
  if (device == nullptr) GTEST_SKIP() << why;
  const std::string path = source_dir() + "/tests/cases/" + name;
  constexpr Route kRoutes[] = {Route::ir, Route::vulkan};
  Diagnostics diagnostics;
  executor::Shader shader;
  shader.robustness = robustness;
  for (const Feature feature : missing) shader.device.remove(feature);
  ASSERT_TRUE(executor::load_shader(read_file(path + ".asm"), shader, kRoutes, diagnostics))
      << ir::to_text(diagnostics, "");
  const auto scene = sim::Scene::make(read_file(path + ".json"), ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics, "");
  executor::RunLimits limits;
  limits.device = device;
  executor::RouteResult results[2];
  for (size_t i = 0; i < 2; ++i)
    ASSERT_TRUE(executor::run_route(kRoutes[i], shader, *scene, limits, results[i], diagnostics))
        << ir::to_text(diagnostics, "");
  executor::share_masks(shader, *scene, limits, kRoutes, results);
  const auto found = executor::compare_outputs(shader, *scene, results[0], results[1], {0, absolute});
  EXPECT_NE(found.elements, 0u);
  EXPECT_EQ(found.different, 0u) << found.different << " of " << found.elements
                                 << ", the worst: " << found.worst << ", the first: " << found.first;
}

TEST(DeviceForms, IndicesThatDifferBetweenPixels) {
  for (const auto robustness : {spirv::Robustness::driver, spirv::Robustness::shader})
    expect_equal("chosen_registers", kIndices, robustness, 0.004);
}

TEST(DeviceForms, IndicesThatAreTheSameForAllPixels) {
  for (const auto robustness : {spirv::Robustness::driver, spirv::Robustness::shader})
    expect_equal("chosen_by_constant", kIndices, robustness, 0.05);
}

TEST(DeviceForms, FloorsOfLevels) {
  for (const auto robustness : {spirv::Robustness::driver, spirv::Robustness::shader})
    expect_equal("clamped_levels", kClamps, robustness, 0.05);
}

}  // namespace
}  // namespace texlate::test
