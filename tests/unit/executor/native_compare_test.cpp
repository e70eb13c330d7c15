// --native-compare: the depth operand of tex and tld4 instead of comparisons in code. With texture objects
// that compare as the sampler specifies, the PTX machine's results equal the interpreter's; ptxas accepts
// each form.
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/ptx/target.h"
#include "library/pipeline.h"
#include "tools/executor/sass_route.h"
#include "tools/executor/shader.h"

namespace texlate::executor {
namespace {

struct Native {
  Shader shader;
  PtxKernel kernel;
  Diagnostics diagnostics;
  ptx::TargetOptions own{.native_compare = true};

  bool make(const std::string& source, uint32_t sm = 0) {
    sm4::Program program(&shader.arena);
    dxbc::Container container(&shader.arena);
    library::TranslateOptions options;
    options.backend.own = &own;
    options.backend.sm = sm;
    if (!library::read_program(source, dxbc::DigestCheck::warn, program, container, diagnostics) ||
        !library::prepare(program, nullptr, {}, shader.contract, diagnostics) ||
        !library::prepare(program, &ptx_target(), options, shader.legal, diagnostics) ||
        !library::emit(shader.legal, ptx_target(), options.backend, kernel.emitted, diagnostics))
      return false;
    kernel.program = sim::ptx::parse(kernel.text(), diagnostics);
    return kernel.program != nullptr;
  }
  std::string messages() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.list()) text += std::string(diagnostic.message) + "\n";
    return text;
  }
};

std::string pixel_shader(std::string_view dimension, std::string_view body) {
  return fmt::format(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_comparison\n"
      "dcl_resource_{} (float,float,float,float) t0\ndcl_input_ps linear v0.xyzw\ndcl_output "
      "o0.xyzw\ndcl_temps 2\n"
      "{}ret\n",
      dimension, body);
}

struct Form {
  const char* name;
  const char* dimension;
  const char* instruction;
  const char* expected;  // in the PTX
};
std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << form.name;
}
constexpr Form kForms[] = {
    {"zero", "texture2d",
     "sample_c_lz_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xxxx, s0, v0.z",
     "tex.level.2d.v4.f32.f32"},
    {"offset", "texture2d",
     "sample_c_lz_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xxxx, "
     "s0, v0.z",
     "{-1, 2}, "},
    {"implicit", "texture2d",
     "sample_c_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xxxx, s0, v0.z",
     "tex.level.2d.v4.f32.f32"},
    {"array", "texture2darray",
     "sample_c_lz_indexable(texture2darray)(float,float,float,float) o0.xyzw, v0.xyzx, t0.xxxx, s0, v0.z",
     "tex.level.a2d.v4.f32.f32"},
    {"line", "texture1d",
     "sample_c_lz_indexable(texture1d)(float,float,float,float) o0.xyzw, v0.xxxx, t0.xxxx, s0, v0.z",
     "tex.level.2d.v4.f32.f32"},
    {"cube", "texturecube",
     "sample_c_lz_indexable(texturecube)(float,float,float,float) o0.xyzw, v0.xyzx, t0.xxxx, s0, v0.z",
     "tex.level.cube.v4.f32.f32"},
    {"gather", "texture2d",
     "gather4_c_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0.x, v0.z",
     "tld4.r.2d.v4.f32.f32"},
};

class NativeCompare : public testing::TestWithParam<Form> {};

TEST_P(NativeCompare, GivesWhatTheInterpreterGives) {
  const Form& form = GetParam();
  Native native;
  ASSERT_TRUE(native.make(pixel_shader(form.dimension, std::string(form.instruction) + "\n")))
      << native.messages();
  EXPECT_NE(native.kernel.text().find(form.expected), std::string::npos) << native.kernel.text();
  EXPECT_EQ(std::count(native.kernel.text().begin(), native.kernel.text().end(), '\n') < 160, true)
      << "not by hand:\n"
      << native.kernel.text();
  for (const char* function : {"less_equal", "greater", "not_equal", "never"}) {
    const std::string text = fmt::format(R"({{"viewport": [16, 16],
      "textures": {{"t0": {{"format": "r32_float", "generate": "noise", "size": [16, 16], "mips": 1}}}},
      "samplers": {{"s0": {{"filter": "point", "comparison": "{}"}}}},
      "inputs": {{"v0": {{"dx": [0.0625, 0, 0, 0.01], "dy": [0, 0.0625, 0.05, 0]}}}}}})",
                                         function);
    const auto scene = sim::Scene::make(text, ".", native.shader.contract, native.diagnostics);
    ASSERT_NE(scene, nullptr) << native.messages();
    RouteResult expected;
    ASSERT_TRUE(run_route(Route::ir, native.shader, *scene, {}, expected, native.diagnostics));
    std::vector<uint32_t> outputs(expected.outputs.size()), written(scene->element_count());
    sim::StreamLaunch launch;
    launch.count = scene->element_count();
    launch.inputs = scene->inputs();
    launch.outputs = outputs;
    launch.written = written;
    const sim::ptx::Report report = run_ptx(native.kernel, native.shader.legal, scene->bindings(), launch);
    EXPECT_TRUE(report.ok()) << report.describe();
    EXPECT_TRUE(outputs == expected.outputs) << function;
    const auto ones = std::count(outputs.begin(), outputs.end(), 0x3f800000u);
    EXPECT_EQ(ones == 0, std::string_view(function) == "never") << function;
  }
}

TEST_P(NativeCompare, PtxasTakesIt) {
  if (find_ptxas().empty()) GTEST_SKIP() << "no ptxas here";
  Native native;
  ASSERT_TRUE(
      native.make(pixel_shader(GetParam().dimension, std::string(GetParam().instruction) + "\n"), 52));
  sim::maxwell::Cubin cubin;
  EXPECT_TRUE(compile_ptx(native.kernel.text(), cubin, native.diagnostics)) << native.messages();
}

INSTANTIATE_TEST_SUITE_P(Forms, NativeCompare, testing::ValuesIn(kForms),
                         [](const auto& form) { return std::string(form.param.name); });

// The reflection names the objects that compare, and requires no sampler record.
TEST(NativeCompareReflection, NamesTheObjects) {
  Native native;
  ASSERT_TRUE(native.make(pixel_shader("texture2d", std::string(kForms[0].instruction) + "\n")));
  const launch::Layout& layout = native.kernel.layout();
  ASSERT_EQ(layout.pairs.size(), 1u);
  EXPECT_TRUE(layout.pairs[0].compares);
  EXPECT_EQ(layout.samplers[0], launch::Layout::kNotUsed);
  std::pmr::string json;
  launch::reflect(native.shader.legal, native.kernel.emitted.host, json);
  EXPECT_NE(json.find("\"comparison\": true"), std::string::npos) << json;
}

}  // namespace
}  // namespace texlate::executor
