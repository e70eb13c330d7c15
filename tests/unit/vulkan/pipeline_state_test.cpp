// The state between and after the shaders of a pipeline, one thing at a time, on the interpreter's fixed
// functions and as one draw of a Vulkan driver. The vertices lie on multiples of 1/256 of a pixel, so that
// coverage is exact; what may differ is a step of 1/255 and 2^-12 of a depth (docs/scene.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <tuple>

#include "tests/support/ir_text.h"
#include "tests/support/paths.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/pipeline_file.h"

namespace texlate::executor {
namespace {

constexpr std::string_view kCompares[] = {"never",   "less",      "equal",         "less_equal",
                                          "greater", "not_equal", "greater_equal", "always"};
constexpr std::string_view kStencilOps[] = {"keep",          "zero",   "replace",   "increment_sat",
                                            "decrement_sat", "invert", "increment", "decrement"};
constexpr std::string_view kFactors[] = {"zero",
                                         "one",
                                         "source_color",
                                         "inverse_source_color",
                                         "source_alpha",
                                         "target_alpha",
                                         "inverse_source_alpha",
                                         "inverse_target_alpha",
                                         "target_color",
                                         "constant",
                                         "inverse_target_color",
                                         "source_alpha_saturated",
                                         "inverse_constant"};

/// A front face at depth 0.5, a sloped back face, and a front face at depth 0.5 again: they overlap.
constexpr std::string_view kTriangles =
    R"("vertices": 9, "inputs": {"v0": {"values": [[-0.75, 0.75, 0.5, 1.0], [0.5, 0.75, 0.5, 1.0],
       [-0.75, -0.75, 0.5, 1.0], [-0.5, 0.5, 0.12, 1.0], [-0.5, -0.875, 0.87, 1.0], [0.75, 0.5, 0.63, 1.0],
       [-0.25, 0.875, 0.5, 1.0], [0.875, -0.25, 0.5, 1.0], [-0.625, -0.5, 0.5, 1.0]]},
       "v1": {"values": [[0.25, 0.5, 0.75, 0.5], [0.25, 0.5, 0.75, 0.5], [0.25, 0.5, 0.75, 0.5],
       [1.0, 0.0, 0.5, 0.25], [0.5, 1.0, 0.0, 0.25], [0.0, 0.25, 1.0, 0.25], [0.75, 0.25, 0.125, 0.75],
       [0.75, 0.25, 0.125, 0.75], [0.75, 0.25, 0.125, 0.75]]}})";

/// The text with its question marks replaced by the words, in order.
std::string with(std::string_view text, std::initializer_list<std::string_view> words) {
  std::string made;
  const auto* word = words.begin();
  for (const char c : text) {
    if (c == '?') {
      made += *word++;
    } else {
      made += c;
    }
  }
  return made;
}

struct Allowed {
  uint32_t steps = 1;  // of 1/255
  uint64_t pixels = 0;
};

class PipelineState : public testing::Test {
 protected:
  void SetUp() override { TEXLATE_NEEDS_VULKAN(robustness_here()); }

  /// `state` are the sections of the pipeline other than its stages and its target.
  void agree(const std::string& state, const Allowed& allowed = {}, std::string_view vertices = kTriangles) {
    agree_on(R"("target": {"size": [32, 32], "clear": [0.5, 0.25, 0.125, 0.5]})", state, allowed, vertices);
  }
  void agree_on(const std::string& target, const std::string& state, const Allowed& allowed = {},
                std::string_view vertices = kTriangles) {
    SCOPED_TRACE(target + state);
    const std::string json = with(
        R"({"vertex": {"shader": "square_vs.asm", "scene": {?}}, "pixel": {"shader": "square_ps.asm"}, ?, ?})",
        {vertices, target, state});
    constexpr Route kRoutes[] = {Route::ir, Route::vulkan};
    const std::string folder = test::source_dir() + "/tests/stages";
    Pipeline pipeline;
    std::vector<std::string> files;
    Diagnostics diagnostics;
    ASSERT_TRUE(read_pipeline(json, folder, kRoutes, pipeline, files, diagnostics))
        << ir::to_text(diagnostics, json);
    PipelineResult expected, result;
    RunLimits limits;
    limits.device = vulkan_device(robustness_here());
    ASSERT_TRUE(run_pipeline(Route::ir, pipeline, limits, expected, diagnostics)) << ir::to_text(diagnostics);
    results_.push_back({expected.picture.texels, expected.depth, expected.stencil});
    if (run_pipeline(Route::vulkan, pipeline, limits, result, diagnostics))
      return compare(expected, result, allowed);
    const std::string message = ir::to_text(diagnostics);
    ASSERT_TRUE(is_beyond_device(message)) << message;
  }

  /// A state whose values all have the same result has no effect.
  void expect_different_results(size_t least) const {
    auto results = results_;
    std::sort(results.begin(), results.end());
    results.erase(std::unique(results.begin(), results.end()), results.end());
    EXPECT_GE(results.size(), least);
  }

 private:
  static void compare(const PipelineResult& expected, const PipelineResult& result, const Allowed& allowed) {
    const std::vector<uint16_t>&a = expected.picture.texels, &b = result.picture.texels;
    ASSERT_EQ(a.size(), b.size());
    uint64_t pixels = 0;
    std::string places;
    for (size_t pixel = 0; pixel < a.size() / 4; ++pixel) {
      uint32_t worst = 0;
      for (size_t at = pixel * 4; at < pixel * 4 + 4; ++at)
        worst = std::max(worst, static_cast<uint32_t>(std::abs(int{a[at]} - int{b[at]})));
      if (worst <= allowed.steps) continue;
      if (++pixels <= 16)
        places += fmt::format(" ({}, {}) by {}", pixel % expected.picture.width,
                              pixel / expected.picture.width, worst);
    }
    EXPECT_LE(pixels, allowed.pixels) << places;
    const uint64_t samples = different_samples(expected, result, 0x1p-12);
    EXPECT_TRUE(allowed.pixels != 0 || samples == 0)
        << samples << " depths or stencils differ, depths by " << worst_depth(expected, result);
  }

  using Result = std::tuple<std::vector<uint16_t>, std::vector<uint32_t>, std::vector<uint8_t>>;
  std::vector<Result> results_;
};

TEST_F(PipelineState, DepthComparisonsOfEachFormat) {
  for (const std::string_view format : {"d16", "d24s8", "d32", "d32s8"}) {
    for (const std::string_view compare : kCompares)
      agree(with(R"("rasterizer": {"cull": "none"}, "depth": {"format": "?", "clear": 0.5, "compare": "?"})",
                 {format, compare}));
  }
  expect_different_results(12);
}

TEST_F(PipelineState, DepthTestsAndWritesAreSwitchedOff) {
  for (const std::string_view depth : {R"("test": false)", R"("write": false)", R"("write": true)"})
    agree(with(R"("rasterizer": {"cull": "none"}, "depth": {"clear": 0.6, ?})", {depth}));
  expect_different_results(3);
}

TEST_F(PipelineState, StencilOperationsOfEachOutcome) {
  // The third triangle fails the depth test where it covers the first one.
  for (const std::string_view compare_outcome :
       {R"("compare": "never", "fail")", R"("compare": "always", "depth_fail")",
        R"("compare": "always", "pass")"}) {
    for (const std::string_view op : kStencilOps) {
      for (const std::string_view clear : {"0", "255"})
        agree(with(R"("rasterizer": {"cull": "none"}, "depth": {"format": "d24s8",
                      "stencil": {"clear": ?, "reference": 119, "front": {?: "?"}}})",
                   {clear, compare_outcome, op}));
    }
  }
  expect_different_results(25);
}

TEST_F(PipelineState, StencilMasks) {
  for (const std::string_view read : {"0", "15", "240"}) {
    for (const std::string_view write : {"0", "15", "255"})
      agree(with(R"("rasterizer": {"cull": "none"}, "depth": {"format": "d32s8", "compare": "always",
                    "stencil": {"clear": 37, "reference": 69, "read_mask": ?, "write_mask": ?,
                                "front": {"compare": "equal", "pass": "invert", "fail": "replace"}}})",
                 {read, write}));
  }
  expect_different_results(5);
}

TEST_F(PipelineState, StencilComparisonsOfEachFace) {
  for (const std::string_view face : {"front", "back"}) {
    for (const std::string_view compare : kCompares)
      agree(with(R"("rasterizer": {"cull": "none"}, "depth": {"format": "d32s8", "compare": "always",
                    "stencil": {"clear": 3, "reference": 2,
                                "?": {"compare": "?", "fail": "decrement", "pass": "increment"}}})",
                 {face, compare}));
  }
  expect_different_results(4);
}

TEST_F(PipelineState, BlendFactors) {
  for (const std::string_view format : {"r8g8b8a8_unorm", "r16g16b16a16_float"}) {
    for (const std::string_view factor : kFactors) {
      for (const std::string_view places : {R"("target": "one", "source")", R"("source": "one", "target")"})
        agree_on(with(R"("target": {"size": [32, 32], "clear": [0.5, 0.25, 0.125, 0.5], "format": "?"})",
                      {format}),
                 with(R"("rasterizer": {"cull": "none"}, "blend": {"constant": [0.25, 0.5, 0.75, 0.375],
                         "color": {?: "?"}})",
                      {places, factor}),
                 {.steps = 2});
    }
  }
  expect_different_results(24);
}

TEST_F(PipelineState, BlendOperations) {
  for (const std::string_view op : {"add", "subtract", "reverse_subtract", "min", "max"}) {
    for (const std::string_view part : {"color", "alpha"})
      agree(with(R"("rasterizer": {"cull": "none"}, "blend": {"?": {"source": "source_alpha",
                    "target": "inverse_source_alpha", "op": "?"}})",
                 {part, op}),
            {.steps = 2});
  }
  expect_different_results(9);
}

TEST_F(PipelineState, WriteMasks) {
  for (const std::string_view mask : {"0", "1", "2", "4", "8", "10"})
    agree(with(R"("rasterizer": {"cull": "none"}, "blend": {"write_mask": ?})", {mask}));
  expect_different_results(6);
}

TEST_F(PipelineState, FormatsOfTargets) {
  for (const std::string_view format :
       {"r8g8b8a8_unorm", "r8g8b8a8_unorm_srgb", "r8g8b8a8_snorm", "r10g10b10a2_unorm", "r11g11b10_float",
        "r16g16b16a16_unorm", "r16g16b16a16_float", "r32g32b32a32_float", "r8_unorm", "r16_float",
        "r32g32_float"})
    agree_on(
        with(R"("target": {"size": [32, 32], "clear": [0.5, 0.25, 0.125, 0.5], "format": "?"})", {format}),
        R"("rasterizer": {"cull": "none"})", {.steps = 2});
  expect_different_results(4);
}

TEST_F(PipelineState, SamplesAndTheirMask) {
  if (is_swiftshader()) GTEST_SKIP() << "its depths of samples are wrong (docs/spirv.md)";
  for (const std::string_view mask : {"4294967295", "15", "5", "8", "0"})
    agree_on(R"("target": {"size": [32, 32], "samples": 4})",
             with(R"("rasterizer": {"cull": "none"}, "blend": {"sample_mask": ?}, "depth": {"format": "d32s8",
                     "compare": "less_equal", "stencil": {"front": {"pass": "increment"}}})",
                  {mask}),
             {.steps = 2});
  expect_different_results(4);
}

TEST_F(PipelineState, FacesAndCulling) {
  for (const std::string_view cull : {"none", "front", "back"}) {
    for (const std::string_view front : {"clockwise", "counter_clockwise"})
      agree(with(R"("rasterizer": {"cull": "?", "front": "?"})", {cull, front}));
  }
  expect_different_results(3);
}

TEST_F(PipelineState, ViewportsAndScissors) {
  for (const std::string_view scissor : {"[5, 3, 20, 31]", "[5, 3, 5, 31]", "[0, 0, 100, 4]"})
    agree(with(R"("rasterizer": {"cull": "none", "scissor": ?}, "depth": {})", {scissor}));
  for (const std::string_view viewport : {"[4, 2, 16, 24]", "[-8, -8, 64, 48]", "[8, 8, 0, 8]"})
    agree(with(
        R"("viewport": {"rectangle": ?, "depth": [0.25, 0.5]}, "rasterizer": {"cull": "none"}, "depth": {})",
        {viewport}));
  expect_different_results(5);
}

TEST_F(PipelineState, DepthBiases) {
  constexpr std::string_view kState = R"("rasterizer": {"cull": "none", ?}, "depth": {"format": "?"})";
  for (const std::string_view format : {"d16", "d24s8", "d32"}) {
    for (const std::string_view bias :
         {R"("slope_scaled_bias": 2.0)", R"("slope_scaled_bias": 2.0, "depth_bias_clamp": 0.03125)",
          R"("slope_scaled_bias": -2.0, "depth_bias": -1, "depth_bias_clamp": -0.03125)"})
      agree(with(kState, {bias, format}));
  }
  // Vulkan leaves the unit of a constant bias to the driver (28.10.3); for D16 and D24 llvmpipe's is twice
  // Direct3D's.
  for (const std::string_view bias : {R"("depth_bias": 1048576)", R"("depth_bias": -1048576)"})
    agree(with(kState, {bias, "d32"}));
  expect_different_results(11);
}

// Twelve points around the middle, which triangles, lines and points connect.
constexpr std::string_view kFan =
    R"("vertices": 12, "inputs": {"v0": {"values": [[-0.75, 0.25, 0.5, 1.0], [-0.5, 0.75, 0.5, 1.0],
       [0.25, 0.125, 0.5, 1.0], [0.5, 0.875, 0.5, 1.0], [0.75, -0.25, 0.5, 1.0], [0.875, 0.5, 0.5, 1.0],
       [0.125, -0.25, 0.5, 1.0], [0.25, -0.875, 0.5, 1.0], [-0.25, -0.375, 0.5, 1.0],
       [-0.5, -0.75, 0.5, 1.0], [-0.875, -0.125, 0.5, 1.0], [-0.625, 0.0, 0.5, 1.0]]},
       "v1": {"values": [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]}})";

TEST_F(PipelineState, TopologiesWithIndicesAndCuts) {
  // llvmpipe evaluates attributes where a line crosses the middle of a column or row, and breaks ties
  // between two diamonds otherwise.
  constexpr Allowed kLines = {.steps = 8, .pixels = 4};
  constexpr std::string_view kIndices =
      R"(, "indices": [3, 0, 5, 1, 4294967295, 4294967295, 11, 2, 8, 7, 6, 9, 10, 4, 4294967295, 0])";
  for (const std::string_view topology :
       {"point_list", "line_list", "line_strip", "triangle_list", "triangle_strip", "line_list_adjacency",
        "line_strip_adjacency", "triangle_list_adjacency", "triangle_strip_adjacency"}) {
    for (const std::string_view indices : {std::string_view(), kIndices})
      agree(with(R"("topology": "?", "rasterizer": {"cull": "none"}?)", {topology, indices}),
            topology.starts_with("line") ? kLines : Allowed{}, kFan);
  }
  expect_different_results(17);
}

}  // namespace
}  // namespace texlate::executor
