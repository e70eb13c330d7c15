// The route sass: NVIDIA's ptxas compiles our PTX for sm_52, and the Maxwell machine runs it. Every value
// must equal the other routes', and no hazard may be reported: either would be a mistake of the machine or of
// the PTX. Skipped, with a message, without `make judges`.
//
// The whole corpus: tests/corpus/sass_table.sh.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <set>

#include "tests/exhaustive/arithmetic_table.h"
#include "tests/support/paths.h"
#include "tests/support/routes.h"
#include "tools/executor/comparison.h"
#include "tools/executor/sass_route.h"
#include "tools/executor/shader.h"

namespace texlate {
namespace {

namespace mx = sim::maxwell;

#define NEED_PTXAS() \
  if (executor::find_ptxas().empty()) GTEST_SKIP() << "ptxas of CUDA 12 is not here: make judges"

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const char* const kExamples[] = {"blur3x3",   "cube_sphere",        "gather_sobel",
                                 "ld_edges",  "ld_frame",           "loop_dynamic_cb",
                                 "mip_rings", "sample_offset_bias", "shadow_gather"};

/// An example with its scene, ready for the routes ir and sass.
struct Example {
  explicit Example(const std::string& name) {
    const std::string folder = test::source_dir() + "/shaders/";
    const executor::Route routes[] = {executor::Route::ir, executor::Route::sass};
    good = executor::load_shader(read_file(folder + name + ".asm"), shader, routes, diagnostics);
    if (good)
      scene = sim::Scene::make(read_file(folder + "scenes/" + name + ".json"), folder + "scenes",
                               shader.contract, diagnostics);
    good = good && scene != nullptr;
  }
  executor::Shader shader;
  std::unique_ptr<sim::Scene> scene;
  Diagnostics diagnostics;
  bool good = false;
};

TEST(Sass, ExamplesEqualTheInterpreter) {
  NEED_PTXAS();
  for (const char* name : kExamples) {
    Example example(name);
    ASSERT_TRUE(example.good) << name;
    executor::RouteResult expected, result;
    const executor::RunLimits limits;
    ASSERT_TRUE(executor::run_route(executor::Route::ir, example.shader, *example.scene, limits, expected,
                                    example.diagnostics));
    ASSERT_TRUE(executor::run_route(executor::Route::sass, example.shader, *example.scene, limits, result,
                                    example.diagnostics));
    EXPECT_TRUE(result.trouble.empty()) << name << "\n" << result.trouble;
    EXPECT_GT(result.issue_cycles, 0u);
    const auto comparison = executor::compare_outputs(example.shader, *example.scene, expected, result, {});
    EXPECT_GT(comparison.elements, 0u);
    EXPECT_TRUE(comparison.equal()) << name << ": " << comparison.first;
  }
}

/// Every pure operation of the IR over the difficult words, as in tests/exhaustive/arithmetic_edges_test.cpp,
/// as machine code.
std::string pixel_text(const arithmetic::OperationText& operation) {
  std::string text = "module pixel 5.0 \"main\"\ninput v0.xyzw\ninput v1.xyzw\noutput o0.xy\ncode {\n";
  for (uint32_t i = 0; i < operation.in; ++i)
    text += fmt::format("  %{} = input v{}.{}\n", i, i / 4, "xyzw"[i % 4]);
  text += operation.body;
  for (size_t r = 0; r < operation.results.size(); ++r)
    text += fmt::format("  output o0.{}, {}\n", "xy"[r], operation.results[r]);
  return text + "}\n";
}

/// Both executors compute MUFU exactly and round once, but ptxas scales around it if the PTX keeps
/// subnormals: one more rounding.
uint32_t allowed_ulp(ir::Op op) {
  const std::string_view name = ir::info(op).text;
  for (const std::string_view scaled : {"fexp2", "flog2", "frsq", "fsqrt", "frcp", "fsin", "fcos"}) {
    if (name.substr(0, scaled.size()) == scaled) return 2;
  }
  return 0;
}

bool is_nan64(const std::vector<uint32_t>& words, size_t element, uint32_t count) {
  return std::isnan(std::bit_cast<double>(uint64_t{words[count + element]} << 32 | words[element]));
}

TEST(Sass, EveryPureOperation) {
  NEED_PTXAS();
  uint32_t operations = 0;
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const auto op = static_cast<ir::Op>(i);
    if (!arithmetic::is_tested(op)) continue;
    // The machine does not execute XMAD.CSFU, which ptxas emits for a signed high product; it reports that.
    if (ir::info(op).text == "imulhi.s32") continue;
    ++operations;
    const arithmetic::OperationText operation = arithmetic::operation_text(op);
    Routes routes(pixel_text(operation));
    const std::vector<uint32_t> rows = arithmetic::rows_of(op, operation.in);
    const auto count = static_cast<uint32_t>(rows.size() / operation.in / 4 * 4);
    std::vector<uint32_t> planes;
    for (uint32_t word = 0; word < operation.in; ++word) {
      for (uint32_t e = 0; e < count; ++e) planes.push_back(rows[size_t{e} * operation.in + word]);
    }
    const sim::Bindings bindings(routes.module());
    sim::StreamLaunch launch;
    launch.count = count;
    launch.inputs = planes;
    const auto expected = routes.run(bindings, launch);
    executor::SassKernel kernel;
    Diagnostics diagnostics;
    ASSERT_TRUE(executor::make_sass(routes.legal(), bindings, kernel, diagnostics)) << ir::info(op).text;
    std::vector<uint32_t> outputs(expected.machine.size()), written(count);
    launch.outputs = outputs;
    launch.written = written;
    const mx::Report report = executor::run_sass(kernel, routes.legal(), bindings, launch);
    EXPECT_TRUE(report.ok()) << ir::info(op).text << "\n" << report.describe();
    uint32_t different = 0;
    for (size_t word = 0; word < outputs.size(); ++word) {
      if (outputs[word] == expected.machine[word]) continue;
      const uint32_t distance = executor::ulp_distance(outputs[word], expected.machine[word]);
      const bool is_double = ir::info(op).results == "d";
      if (distance <= allowed_ulp(op) || (distance == 0 && !is_double)) continue;
      if (is_double && is_nan64(outputs, word % count, count) &&
          is_nan64(expected.machine, word % count, count))
        continue;  // any NaN is accepted
      if (++different > 3) continue;
      std::string operands;
      for (uint32_t w = 0; w < operation.in; ++w)
        operands += fmt::format("{:08x} ", planes[size_t{w} * count + word % count]);
      ADD_FAILURE() << ir::info(op).text << " " << operands
                    << fmt::format(": ptx {:08x}, sass {:08x}", expected.machine[word], outputs[word]);
    }
    EXPECT_EQ(different, 0u) << ir::info(op).text;
  }
  EXPECT_GT(operations, 50u);
}

}  // namespace
}  // namespace texlate
