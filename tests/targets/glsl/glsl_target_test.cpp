// The example shaders through the GLSL target: which are translated, that glslang and spirv-val accept each
// text, the texts themselves (golden), that their pictures are the interpreter's, and what is refused.
// TEXLATE_REFRESH_GOLDEN=1 rewrites the texts.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "backend/spirv/spirv_tools.h"
#include "tests/golden/glsl_compiler.h"
#include "tests/support/examples.h"
#include "tests/support/support.h"
#include "tests/targets/glsl/target.h"
#include "tools/executor/comparison.h"

namespace texlate {
namespace {

using ::testing::HasSubstr;

const backend::Target& glsl_target() {
  return glsl::targets()[0];
}

struct Result {
  bool ok = false;
  std::string text, diagnostics;
};

Result to_glsl(std::string_view listing) {
  sm4::Program program;
  dxbc::Container container;
  Diagnostics diagnostics;
  library::Translation translation(std::pmr::get_default_resource());
  Result result;
  result.ok = library::read_program(listing, dxbc::DigestCheck::warn, program, container, diagnostics) &&
              library::translate(program, glsl_target(), {}, translation, diagnostics);
  result.text = translation.data;
  for (const Diagnostic& one : diagnostics.list()) result.diagnostics += render(one, "test.asm", listing);
  return result;
}

std::string source_of(const std::string& example) {
  return test::read_file(test::kShaders + "/" + example + ".asm");
}

/// SPIR-V that glslang makes of a translation; empty, with a failure, if it does not accept it.
std::vector<uint32_t> compiled(const Result& translated) {
  const bool compute = translated.text.find("local_size_x") != std::string::npos;
  std::string log;
  std::vector<uint32_t> words =
      test::compile_glsl(translated.text, compute ? test::GlslStage::compute : test::GlslStage::pixel, log);
  EXPECT_FALSE(words.empty()) << log << translated.text;
  return words;
}

/// A shader, and the error that it gives; empty: it is translated.
struct Example {
  const char* name;
  const char* error;
};
constexpr Example kExamples[] = {
    {"blur3x3", ""},       {"blur9", ""},
    {"cube_sphere", ""},   {"gather_sobel", ""},
    {"lambert", ""},       {"ld_edges", ""},
    {"ld_frame", ""},      {"loop_dynamic_cb", ""},
    {"mip_rings", ""},     {"sample_offset_bias", ""},
    {"shadow_gather", ""}, {"sobel", ""},
};

/// The tolerance for Vulkan in the comments of an example.
double vulkan_tolerance(const std::string& source) {
  constexpr std::string_view kBefore = "--via ir,vulkan --robustness shader --absolute ";
  const size_t at = source.find(kBefore);
  EXPECT_NE(at, std::string::npos);
  return std::strtod(source.c_str() + at + kBefore.size(), nullptr);
}

class GlslExample : public testing::TestWithParam<Example> {};

TEST(GlslTarget, EveryExampleIsInTheTable) {
  std::vector<std::string> names;
  for (const Example& example : kExamples) names.push_back(example.name);
  EXPECT_EQ(names, test::example_names());
}

TEST_P(GlslExample, IsAcceptedByGlslang) {
  const Result translated = to_glsl(source_of(GetParam().name));
  if (*GetParam().error != 0) {
    EXPECT_FALSE(translated.ok);
    EXPECT_THAT(translated.diagnostics, HasSubstr(GetParam().error));
    return;
  }
  ASSERT_TRUE(translated.ok) << translated.diagnostics;
  const std::vector<uint32_t> words = compiled(translated);
  if (!spirv::has_spirv_tools()) GTEST_SKIP() << "this build has no SPIRV-Tools";
  std::string message;
  EXPECT_TRUE(words.empty() || spirv::validate(words, message)) << message;
}

std::vector<std::string> edges() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(test::source_dir() + "/tests/golden/edges")) {
    if (entry.path().extension() == ".asm") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class GlslEdge : public testing::TestWithParam<std::string> {};

TEST_P(GlslEdge, IsAcceptedByGlslangOrRefusedWhereItStands) {
  const Result translated = to_glsl(test::read_file(GetParam()));
  if (translated.ok) {
    compiled(translated);
  } else {
    EXPECT_THAT(translated.diagnostics, HasSubstr("test.asm:"));
    EXPECT_THAT(translated.diagnostics, HasSubstr("glsl"));
  }
}

INSTANTIATE_TEST_SUITE_P(Shaders, GlslEdge, testing::ValuesIn(edges()),
                         [](const auto& edge) { return std::filesystem::path(edge.param).stem().string(); });

TEST(GlslTarget, TranslatesMostEdges) {
  const std::vector<std::string> files = edges();
  const auto translated = std::count_if(
      files.begin(), files.end(), [](const std::string& file) { return to_glsl(test::read_file(file)).ok; });
  EXPECT_GE(translated, 122) << "of " << files.size();
}

/// A device that runs other words than those that it is given.
class Substitute : public sim::vulkan::Device {
  using Shader = sim::vulkan::Shader;

 public:
  Substitute(sim::vulkan::Device& device, std::span<const uint32_t> words) : device_(device), words_(words) {}
  const std::string& name() const override { return device_.name(); }
  bool reads_without_format() const override { return device_.reads_without_format(); }
  bool has_float_controls() const override { return device_.has_float_controls(); }
  bool preserves_specials() const override { return device_.preserves_specials(); }
  const std::string& missing_feature() const override { return device_.missing_feature(); }
  bool dispatch(const Shader& shader, std::array<uint32_t, 3> groups, Diagnostics& diagnostics) override {
    return device_.dispatch(with_words(shader), groups, diagnostics);
  }
  bool draw_pixels(const Shader& shader, sim::vulkan::PixelJob& job, Diagnostics& diagnostics) override {
    return device_.draw_pixels(with_words(shader), job, diagnostics);
  }
  bool draw_vertices(const Shader& shader, sim::vulkan::VertexJob& job, Diagnostics& diagnostics) override {
    return device_.draw_vertices(with_words(shader), job, diagnostics);
  }
  bool run_stage(const Shader&, sim::vulkan::StageJob&, Diagnostics&) override { return false; }
  bool draw_primitives(const Shader&, const sim::vulkan::PrimitiveJob&, Diagnostics&) override {
    return false;
  }
  bool draw(sim::vulkan::DrawJob&, Diagnostics&) override { return false; }

 private:
  Shader with_words(Shader shader) const {
    shader.words = words_;
    return shader;
  }

  sim::vulkan::Device& device_;
  std::span<const uint32_t> words_;
};

/// A translation on the driver, without any robustness feature, and another route on the same scene. The
/// descriptors and constants are those of the SPIR-V target for the same shader: they have the same places.
class Comparing {
 public:
  /// False if there is no device.
  bool open() {
    sim::vulkan::DeviceOptions bare;
    bare.robust = false;
    device_ = sim::vulkan::Device::open(bare, diagnostics_);
    return device_ != nullptr;
  }
  std::string message() const {
    return diagnostics_.list().empty() ? "" : std::string(diagnostics_.list().back().message);
  }

  void expect_equal(const std::string& source, std::span<const uint32_t> words, const std::string& scene_text,
                    executor::Route other, const executor::Tolerance& tolerance) {
    executor::Shader shader;
    shader.robustness = spirv::Robustness::shader;
    using executor::Route;
    const Route routes[] = {other, Route::vulkan};
    ASSERT_TRUE(executor::load_shader(source, shader, routes, diagnostics_)) << message();
    const auto scene =
        sim::Scene::make(scene_text, test::kShaders + "/scenes", shader.contract, diagnostics_);
    ASSERT_NE(scene, nullptr) << message();
    Substitute substitute(*device_, words);
    executor::RunLimits limits;
    limits.device = device_.get();
    executor::RouteResult results[2];
    ASSERT_TRUE(executor::run_route(other, shader, *scene, limits, results[0], diagnostics_)) << message();
    limits.device = &substitute;
    ASSERT_TRUE(executor::run_route(Route::vulkan, shader, *scene, limits, results[1], diagnostics_))
        << message();
    executor::share_masks(shader, *scene, limits, routes, results);
    const executor::Comparison comparison =
        executor::compare_outputs(shader, *scene, results[0], results[1], tolerance);
    EXPECT_TRUE(comparison.equal()) << comparison.different << " of " << comparison.elements << ", "
                                    << comparison.worst;
  }

 private:
  Diagnostics diagnostics_;
  std::unique_ptr<sim::vulkan::Device> device_;
};

TEST_P(GlslExample, GivesTheInterpretersPicture) {
  if (*GetParam().error != 0) return;
  Comparing comparing;
  if (!comparing.open()) GTEST_SKIP() << comparing.message();
  const std::string source = source_of(GetParam().name);
  const Result translated = to_glsl(source);
  ASSERT_TRUE(translated.ok) << translated.diagnostics;
  comparing.expect_equal(source, compiled(translated),
                         test::read_file(test::kShaders + "/scenes/" + GetParam().name + ".json"),
                         executor::Route::ir, {0, vulkan_tolerance(source)});
}

INSTANTIATE_TEST_SUITE_P(Shaders, GlslExample, testing::ValuesIn(kExamples),
                         [](const auto& example) { return example.param.name; });

class GlslGolden : public testing::TestWithParam<const char*> {};

TEST_P(GlslGolden, IsWhatItWas) {
  const Result translated = to_glsl(source_of(GetParam()));
  ASSERT_TRUE(translated.ok) << translated.diagnostics;
  const std::string path = test::source_dir() + "/tests/targets/glsl/golden/" + GetParam() + ".glsl";
  if (std::getenv("TEXLATE_REFRESH_GOLDEN") != nullptr) {
    ASSERT_TRUE(test::write_file(path, translated.text)) << path;
  }
  EXPECT_EQ(translated.text, test::read_file(path)) << "TEXLATE_REFRESH_GOLDEN=1 writes it anew";
}

INSTANTIATE_TEST_SUITE_P(Shaders, GlslGolden, testing::Values("lambert", "ld_edges", "loop_dynamic_cb"),
                         [](const auto& example) { return std::string(example.param); });

struct Refusal {
  const char* name;
  const char *declarations, *instruction;
  const char* error;
};
constexpr Refusal kRefusals[] = {
    {"raw_buffer", "dcl_resource_raw t4\n",
     "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, l(0), t4.xxxx\n",
     "ld_raw: this access (raw_buffer) cannot be expressed on glsl"},
    {"residency", "",
     "ld_s_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.x, l(0,0,0,0), t0.xyzw\n",
     "ld_s: residency feedback (texture2d) cannot be expressed on glsl"},
    {"high_product", "", "umul r0.x, r1.x, v0.x, v1.x\n", "umul: this operation cannot be expressed on glsl"},
    {"evaluation", "", "eval_centroid r0.xyzw, v0.xyzw\n",
     "eval_centroid: this input or output cannot be expressed on glsl"},
};

class GlslRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(GlslRefusal, NamesInstructionLineAndTarget) {
  const std::string listing = test::pixel_shader(
      std::string(GetParam().instruction) + "mov o0.xyzw, r0.xyzw\n", GetParam().declarations);
  const Result translated = to_glsl(listing);
  EXPECT_FALSE(translated.ok);
  EXPECT_EQ(translated.text, "");
  const std::string_view before = std::string_view(listing).substr(0, listing.find(GetParam().instruction));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  EXPECT_THAT(translated.diagnostics, HasSubstr("test.asm:" + std::to_string(line) + ":"));
  EXPECT_THAT(translated.diagnostics, HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(Instructions, GlslRefusal, testing::ValuesIn(kRefusals),
                         [](const auto& refusal) { return refusal.param.name; });

}  // namespace
}  // namespace texlate
