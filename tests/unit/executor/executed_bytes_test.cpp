// `run` and `diff` execute exactly the bytes that `translate` writes with the same options. Compares what the
// routes are about to run with the C interface's output.
#include <gtest/gtest.h>

#include <set>

#include "ir/text_printer.h"
#include "tests/corpus/corpus.h"
#include "tests/support/examples.h"
#include "tests/support/vulkan_table.h"
#include "texlate/texlate.hpp"
#include "tools/executor/shader.h"

namespace texlate::executor {
namespace {

std::string scene_of(const std::string& name) {
  const std::filesystem::path path = test::kShaders + "/scenes/" + name + ".json";
  return std::filesystem::exists(path) ? corpus::read(path) : std::string();
}

std::string translated(const api::Program& program, const texlate_translate_options& options) {
  const api::Output output = program.translate(options);
  EXPECT_TRUE(output.ok());
  return std::string(output.data());
}

/// A shader with its scene, or with a generated one.
struct Subject {
  Subject(const std::string& source, const std::string& scene_text, std::span<const Route> routes,
          spirv::Robustness robustness = spirv::Robustness::driver)
      : program(source) {
    shader.robustness = robustness;
    if (!load_shader(source, shader, routes, diagnostics)) return;
    scene = sim::Scene::make(scene_text, test::kShaders + "/scenes", shader.contract, diagnostics);
  }
  bool good() const { return scene != nullptr; }

  api::Program program;
  Diagnostics diagnostics;
  Shader shader;
  std::unique_ptr<sim::Scene> scene;
};

std::vector<texlate_uav_format> c_formats(std::span<const backend::ViewFormat> views) {
  std::vector<texlate_uav_format> formats;
  for (const backend::ViewFormat& view : views)
    formats.push_back({view.uav, view.components, view.bits, static_cast<texlate_texel_kind>(view.kind),
                       TEXLATE_FORMAT_UNKNOWN});
  return formats;
}

void expect_ir(const Subject& subject) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ir";
  std::pmr::string text;
  ir::print(subject.shader.contract, text);
  EXPECT_EQ(std::string(text), translated(subject.program, options));
}

/// False if the route does not accept the shader.
bool expect_ptx(Subject& subject) {
  PtxKernel kernel;
  if (!make_kernel(subject.shader.legal, subject.scene->bindings(), kernel, subject.diagnostics))
    return false;
  const std::vector<texlate_uav_format> formats = c_formats(kernel.view_formats);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ptx";
  options.uav_formats = formats.data();
  options.uav_format_count = formats.size();
  EXPECT_EQ(std::string(kernel.text()), translated(subject.program, options));
  return true;
}

bool expect_spirv(Subject& subject, sim::vulkan::Device& device) {
  VulkanShader shader;
  if (!make_vulkan_shader(subject.shader.legal_spirv, subject.shader.robustness, device,
                          subject.scene->bindings(), subject.scene->samples(), shader, subject.diagnostics))
    return false;
  const std::vector<texlate_uav_format> formats = c_formats(shader.view_formats);
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.robustness = subject.shader.robustness == spirv::Robustness::driver ? TEXLATE_ROBUSTNESS_DRIVER
                                                                            : TEXLATE_ROBUSTNESS_SHADER;
  spirv.float_controls = device.has_float_controls() ? 1 : 0;
  spirv.preserve_specials = device.preserves_specials() ? 1 : 0;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.spirv = &spirv;
  options.uav_formats = formats.data();
  options.uav_format_count = formats.size();
  const std::span<const uint32_t> words = shader.shader.words;
  const std::string executed(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  EXPECT_TRUE(executed == translated(subject.program, options));
  return true;
}

TEST(ExecutedBytes, OfTheInterpreterAreTheIrThatTranslatePrints) {
  for (const std::string& name : test::example_names()) {
    SCOPED_TRACE(name);
    const Subject subject(corpus::read(test::kShaders + "/" + name + ".asm"), scene_of(name), {});
    ASSERT_TRUE(subject.good());
    expect_ir(subject);
  }
}

TEST(ExecutedBytes, OfThePtxMachineAreThoseThatTranslateWrites) {
  constexpr Route kRoute[] = {Route::ptx};
  for (const std::string& name : test::example_names()) {
    SCOPED_TRACE(name);
    Subject subject(corpus::read(test::kShaders + "/" + name + ".asm"), scene_of(name), kRoute);
    ASSERT_TRUE(subject.good());
    EXPECT_TRUE(expect_ptx(subject));
  }
}

class ExecutedOnVulkan : public testing::TestWithParam<spirv::Robustness> {};

TEST_P(ExecutedOnVulkan, AreThoseThatTranslateWrites) {
  TEXLATE_NEEDS_VULKAN(GetParam());
  constexpr Route kRoute[] = {Route::vulkan};
  for (const std::string& name : test::example_names()) {
    SCOPED_TRACE(name);
    Subject subject(corpus::read(test::kShaders + "/" + name + ".asm"), scene_of(name), kRoute, GetParam());
    ASSERT_TRUE(subject.good());
    EXPECT_TRUE(expect_spirv(subject, *vulkan_device(GetParam())));
  }
}
INSTANTIATE_TEST_SUITE_P(Robustness, ExecutedOnVulkan, testing::ValuesIn(kBothRobustness),
                         [](const auto& one) { return robustness_name(one.param); });

// Real shaders have typed views, interfaces of all kinds, and other things that the examples lack.
TEST(ExecutedBytes, OfRealShadersToo) {
  TEXLATE_NEEDS_CORPUS();
  constexpr Route kRoutes[] = {Route::ptx};
  constexpr size_t kEach = 9;
  size_t next = 0, compared = 0;
  for (const auto& path : corpus::files("games", ".asm")) {
    if (next++ % kEach != 0) continue;
    SCOPED_TRACE(path);
    Subject subject(corpus::read(path), "", kRoutes);
    if (!subject.good()) continue;  // not for this route
    expect_ir(subject);
    compared += expect_ptx(subject) ? 1 : 0;
  }
  EXPECT_GT(compared, 20u);
}

}  // namespace
}  // namespace texlate::executor
