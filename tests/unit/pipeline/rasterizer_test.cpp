// Clipping, coverage, depth, stencil and blending at their edges.
#include "sim/pipeline/rasterizer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "sim/pipeline/output_merger.h"

namespace texlate::sim {
namespace {

constexpr Viewport kViewport{0, 0, 8, 8, 0, 1};

/// In pixels, with w = 1 and depth 0.5.
ClipPosition at(float x, float y, float z = 0.5f, float w = 1.0f) {
  return {(x / 4 - 1) * w, (1 - y / 4) * w, z * w, w};
}

RasterState uncut() {
  RasterState state;
  state.cull = CullMode::none;
  return state;
}

struct Draw {
  RasterState raster = uncut();
  DepthFormat format = DepthFormat::d32;
  Viewport viewport = kViewport;
  ClipSettings settings() const { return {viewport, raster, format}; }
  /// As at(), in the viewport of the draw.
  ClipPosition place(float x, float y) const {
    return {x / (viewport.width / 2) - 1, 1 - y / (viewport.height / 2), 0.5f, 1};
  }
  std::vector<ScreenTriangle> triangles(const std::array<ClipPosition, 3>& corners) const {
    return clip_triangle(corners, {kViewport, raster, format});
  }
  /// How often each pixel's only sample is covered.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> covered(const std::vector<ScreenTriangle>& list,
                                                            uint32_t samples = 1) const {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> made;
    for (const ScreenTriangle& triangle : list) {
      rasterize(triangle, drawn_pixels(viewport, raster, 64, 64), samples, [&](const RasterQuad& quad) {
        for (uint32_t i = 0; i < 4; ++i) {
          if (quad.coverage[i] != 0)
            made[{quad.x + i % 2, quad.y + i / 2}] += static_cast<uint32_t>(std::popcount(quad.coverage[i]));
        }
      });
    }
    return made;
  }
};

TEST(Rasterizer, HypotenuseBelongsToOneHalf) {
  const Draw draw;
  const auto upper = draw.covered(draw.triangles({at(1, 1), at(5, 1), at(1, 5)}));
  const auto lower = draw.covered(draw.triangles({at(5, 1), at(5, 5), at(1, 5)}));
  EXPECT_EQ(upper.size(), 6u);
  EXPECT_EQ(lower.size(), 10u);
  EXPECT_TRUE(upper.contains({3, 1}));
  EXPECT_FALSE(upper.contains({4, 1}));
  for (const auto& [pixel, count] : upper) EXPECT_FALSE(lower.contains(pixel)) << count;
}

TEST(Rasterizer, TheOrderOfVerticesDoesNotMatterToCoverage) {
  const Draw draw;
  const auto one = draw.covered(draw.triangles({at(0.5f, 0.5f), at(6.5f, 1.5f), at(2.5f, 7.5f)}));
  EXPECT_EQ(draw.covered(draw.triangles({at(6.5f, 1.5f), at(0.5f, 0.5f), at(2.5f, 7.5f)})), one);
  EXPECT_EQ(draw.covered(draw.triangles({at(2.5f, 7.5f), at(0.5f, 0.5f), at(6.5f, 1.5f)})), one);
}

TEST(Rasterizer, FacesAndCulling) {
  Draw draw;
  const std::array<ClipPosition, 3> clockwise = {at(1, 1), at(5, 1), at(1, 5)};
  const std::array<ClipPosition, 3> counter = {at(1, 1), at(1, 5), at(5, 1)};
  EXPECT_TRUE(draw.triangles(clockwise)[0].is_front);
  EXPECT_FALSE(draw.triangles(counter)[0].is_front);
  draw.raster.front_counter_clockwise = true;
  EXPECT_TRUE(draw.triangles(counter)[0].is_front);
  draw.raster.cull = CullMode::back;
  EXPECT_TRUE(draw.triangles(clockwise).empty());
  draw.raster.cull = CullMode::front;
  EXPECT_TRUE(draw.triangles(counter).empty());
  EXPECT_TRUE(draw.triangles({at(1, 1), at(2, 2), at(3, 3)}).empty()) << "no area";
}

TEST(Rasterizer, APointIsASquareOfOnePixel) {
  const Draw draw;
  const auto covered = [&](float x, float y) {
    return draw.covered(clip_point(at(x, y), {kViewport, draw.raster, draw.format}));
  };
  EXPECT_EQ(covered(2.5f, 3.5f).size(), 1u);
  EXPECT_TRUE(covered(2.5f, 3.5f).contains({2, 3}));
  EXPECT_EQ(covered(4, 4).size(), 1u);
  EXPECT_TRUE(covered(4, 4).contains({3, 3})) << "the upper left of four pixels";
}

TEST(Rasterizer, APointOfSeveralSamplesCoversAPixelOnce) {
  const Draw draw;
  const auto point = clip_point(at(2.5f, 3.5f), {kViewport, draw.raster, draw.format});
  std::vector<uint32_t> coverage;
  for (const ScreenTriangle& shape : point) {
    rasterize(shape, {0, 0, 8, 8}, 4, [&](const RasterQuad& quad) {
      for (const uint32_t covered : quad.coverage) {
        if (covered != 0) coverage.push_back(covered);
      }
    });
  }
  EXPECT_EQ(coverage, std::vector<uint32_t>{0xf});
}

// The pixels are those of the diagram in 3.4.3.
TEST(Rasterizer, ALineCoversThePixelsWhoseDiamondsItLeaves) {
  const Draw draw{.viewport = {0, 0, 16, 16, 0, 1}};
  using Pixels = std::set<std::pair<uint32_t, uint32_t>>;
  const auto covered = [&](std::array<float, 4> line, uint32_t samples = 1) {
    Pixels made;
    for (const ScreenTriangle& triangle :
         clip_line({draw.place(line[0], line[1]), draw.place(line[2], line[3])}, draw.settings())) {
      EXPECT_TRUE(triangle.is_front);
      for (const auto& [pixel, count] : draw.covered({triangle}, samples)) {
        EXPECT_EQ(count, samples);
        made.insert(pixel);
      }
    }
    return made;
  };
  EXPECT_EQ(covered({0.5f, 0.5f, 1.5f, 0.75f}), (Pixels{{0, 0}}));
  EXPECT_EQ(covered({1.5f, 2.75f, 0.5f, 2.5f}), (Pixels{{1, 2}}));
  EXPECT_EQ(covered({4, 2.5f, 8.5f, 4}), (Pixels{{4, 2}, {5, 2}, {6, 3}, {7, 3}}));
  EXPECT_EQ(covered({10.5f, 2, 9, 6.5f}), (Pixels{{10, 1}, {10, 2}, {9, 3}, {9, 4}, {9, 5}}));
  EXPECT_EQ(covered({6, 4.5f, 6, 5.5f}), (Pixels{{5, 4}})) << "steep: the right corner";
  EXPECT_EQ(covered({10.5f, 8, 9.5f, 8}), (Pixels{{10, 7}})) << "the lower corner";
  EXPECT_EQ(covered({6, 4.5f, 7, 4.5f}), (Pixels{{6, 4}})) << "flat: not the right corner";
  EXPECT_TRUE(covered({3.25f, 3.5f, 3.75f, 3.5f}).empty()) << "inside one diamond";
  EXPECT_TRUE(covered({3.5f, 3.5f, 3.5f, 3.5f}).empty()) << "no length";
  EXPECT_EQ(covered({3.5f, 3.5f, 5.5f, 3.5f}, 4), (Pixels{{3, 3}, {4, 3}})) << "with all samples";
}

// A strip of lines covers no pixel twice where its lines go on in the same direction.
TEST(Rasterizer, LinesInARowCoverNoPixelTwice) {
  const Draw draw;
  std::mt19937 random(7);
  const auto coordinate = [&] { return static_cast<float>(random() % 2048) / 256; };
  for (uint32_t round = 0; round < 400; ++round) {
    const float x = coordinate(), y = coordinate(), to_x = coordinate(), to_y = coordinate();
    // Corners at multiples of 1/128: the middle is exact.
    const auto even = [](float v) { return std::floor(v * 128) / 128; };
    const ClipPosition from = draw.place(even(x), even(y)), to = draw.place(even(to_x), even(to_y)),
                       middle = draw.place((even(x) + even(to_x)) / 2, (even(y) + even(to_y)) / 2);
    auto parts = draw.covered(clip_line({from, middle}, draw.settings()));
    for (const auto& [pixel, count] : draw.covered(clip_line({middle, to}, draw.settings())))
      parts[pixel] += count;
    EXPECT_EQ(parts, draw.covered(clip_line({from, to}, draw.settings()))) << round;
  }
}

TEST(Rasterizer, ValuesChangeAlongALineAlone) {
  Draw draw;
  const auto made = clip_line({at(0, 4, 0.25f, 1), at(8, 4, 0.75f, 3)}, draw.settings());
  ASSERT_EQ(made.size(), 1u);
  const TriangleSetup setup(made[0]);
  for (const int64_t y : {4 * 256, 4 * 256 + 128, 3 * 256}) {
    const RasterPoint middle{4 * 256, y};
    EXPECT_NEAR(setup.depth(middle), 0.5, 1e-6);
    EXPECT_NEAR(setup.w(middle), 1.5, 1e-12);
    EXPECT_NEAR(setup.weights(middle)[1], (0.5 / 3) / (0.5 + 0.5 / 3), 1e-12);
    EXPECT_NEAR(setup.screen_weights(middle)[1], 0.5, 1e-12);
    EXPECT_EQ(setup.weights(middle)[2], 0);
  }
  // Clipped at the near plane, in the middle; a bias is for triangles.
  draw.raster.depth_bias = 100;
  const auto clipped = clip_line({at(0, 4, -0.5f), at(8, 4, 0.5f)}, draw.settings());
  ASSERT_EQ(clipped.size(), 1u);
  EXPECT_EQ(clipped[0].vertices[0].x, 4 * 256);
  EXPECT_EQ(clipped[0].vertices[0].weights[1], 0.5);
  EXPECT_EQ(clipped[0].depth_bias, 0);
  EXPECT_TRUE(clip_line({at(0, 4, -0.5f), at(8, 4, -0.25f)}, draw.settings()).empty());
  EXPECT_TRUE(clip_line({at(0, 4), at(std::nanf(""), 4)}, draw.settings()).empty());
}

TEST(Rasterizer, ClippingKeepsWhatIsInside) {
  Draw draw;
  // The right half is behind the near plane.
  const auto near = draw.covered(draw.triangles({at(0, 0, 1), at(8, 0, -1), at(0, 16, 1)}));
  EXPECT_TRUE(near.contains({3, 0}));
  EXPECT_FALSE(near.contains({4, 0}));
  draw.raster.depth_clip = false;
  EXPECT_TRUE(draw.covered(draw.triangles({at(0, 0, 1), at(8, 0, -1), at(0, 16, 1)})).contains({4, 0}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(draw.triangles({at(0, 0), at(8, 0, nan), at(0, 8)}).empty());
  // A vertex behind the eye, and one that is very far away.
  EXPECT_FALSE(draw.covered(draw.triangles({at(0, 0), at(8, 0), ClipPosition{0, -8, 0, -0.5f}})).empty());
  EXPECT_EQ(draw.covered(draw.triangles({at(0, 0), at(1e9f, 0), at(0, 1e9f)})).size(), 64u);
  // Every w above 0 counts, and one that the clip makes is not 0.
  for (const float w : {1e-31f, 1e-36f})
    EXPECT_EQ(
        draw.covered(draw.triangles({at(0, 0, 0.5f, w), at(16, 0, 0.5f, w), at(0, 16, 0.5f, w)})).size(),
        64u);
  for (const auto& triangle :
       draw.triangles({ClipPosition{0, 0, 0, 1}, ClipPosition{0, 0, 0, -1}, at(0, 8)})) {
    for (const auto& vertex : triangle.vertices) EXPECT_TRUE(std::isfinite(vertex.inverse_w));
  }
}

TEST(Rasterizer, WeightsHavePerspective) {
  const Draw draw;
  const auto triangles = draw.triangles({at(0, 0, 0.5f, 1), at(8, 0, 0.5f, 3), at(0, 8, 0.5f, 1)});
  ASSERT_EQ(triangles.size(), 1u);
  const TriangleSetup setup(triangles[0]);
  const RasterPoint middle{4 * 256, 0};
  EXPECT_NEAR(setup.weights(middle)[1], (0.5 / 3) / (0.5 + 0.5 / 3), 1e-12);
  EXPECT_NEAR(setup.screen_weights(middle)[1], 0.5, 1e-12);
  EXPECT_NEAR(setup.w(middle), 1.5, 1e-12);
  // The near plane cuts the edge to the second vertex at x = 8/3.
  const auto clipped = draw.triangles({at(0, 0, 0.5f, 1), at(8, 0, -1, 3), at(0, 8, 0.5f, 1)});
  ASSERT_FALSE(clipped.empty());
  EXPECT_NEAR(TriangleSetup(clipped[0]).screen_weights({2 * 256, 0})[1], 0.25, 1e-2);
}

TEST(Rasterizer, SamplesAreThoseOfThePattern) {
  const Draw draw;
  const auto half = draw.covered(draw.triangles({at(0, 0), at(8.5f, 0), at(0, 64)}), 4);
  EXPECT_EQ((half.at({0, 0})), 4u);
  EXPECT_EQ(drawn_pixels({1.5f, 0, 4, 8, 0, 1}, {}, 8, 8).left, 1);
  EXPECT_EQ(drawn_pixels({1.5f, 0, 4, 8, 0, 1}, {}, 8, 8).right, 5);
}

TEST(Rasterizer, DepthBias) {
  Draw draw;
  const std::array<ClipPosition, 3> corners = {at(0, 0), at(8, 0), at(0, 8)};
  draw.raster.depth_bias = 3;
  draw.format = DepthFormat::d16;
  EXPECT_DOUBLE_EQ(draw.triangles(corners)[0].depth_bias, 3.0 / 65535);
  draw.format = DepthFormat::d32;
  EXPECT_DOUBLE_EQ(draw.triangles(corners)[0].depth_bias, 3 * std::ldexp(1.0, -24)) << "0.5 has exponent -1";
  // The pieces of a clipped triangle have the bias of the greatest depth among them.
  const auto pieces = draw.triangles({at(0, 0, -0.5f), at(8, 0, 0.75f), at(0, 8, 0.25f)});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_DOUBLE_EQ(pieces[0].depth_bias, 3 * std::ldexp(1.0, -24));
  EXPECT_EQ(pieces[1].depth_bias, pieces[0].depth_bias);
  draw.raster = uncut();
  draw.raster.slope_scaled_bias = 2;
  EXPECT_NEAR(draw.triangles({at(0, 0, 0), at(8, 0, 0.8f), at(0, 8, 0.4f)})[0].depth_bias, 0.2, 1e-6);
  draw.raster.depth_bias_clamp = 0.125f;
  EXPECT_EQ(draw.triangles({at(0, 0, 0), at(8, 0, 0.8f), at(0, 8, 0.4f)})[0].depth_bias, 0.125);
}

TEST(OutputMerger, DepthIsConvertedBeforeItIsCompared) {
  EXPECT_EQ(DepthBuffer::converted(DepthFormat::d16, 0.5f), 32768u);
  EXPECT_EQ(DepthBuffer::converted(DepthFormat::d24s8, 0.5f), 8388608u);
  DepthState state;
  DepthBuffer buffer(DepthFormat::d16, 1, 1, 0);
  const auto test = [&](float depth) { return buffer.test(state, kViewport, true, 0, depth, 0); };
  EXPECT_TRUE(test(0.5f));
  EXPECT_FALSE(test(0.500001f)) << "the same code";
  EXPECT_FALSE(test(2.0f));
  EXPECT_TRUE(test(std::numeric_limits<float>::quiet_NaN())) << "becomes the least depth";
  EXPECT_EQ(buffer.depth(0), 0u);
  state.writes = false;
  state.compare = Compare::always;
  EXPECT_TRUE(test(0.25f));
  EXPECT_EQ(buffer.depth(0), 0u);
}

TEST(OutputMerger, StencilOperationsDependOnWhatFails) {
  DepthState state;
  state.stencil_enabled = true;
  state.front = {StencilOp::invert, StencilOp::decrement, StencilOp::increment_sat, Compare::less_equal};
  DepthBuffer buffer(DepthFormat::d24s8, 1, 1, 0x0e);
  EXPECT_TRUE(buffer.test(state, kViewport, true, 0, 0.5f, 0x01));
  EXPECT_EQ(buffer.stencil(0), 0x0f);
  EXPECT_FALSE(buffer.test(state, kViewport, true, 0, 0.75f, 0x01));
  EXPECT_EQ(buffer.stencil(0), 0x0e) << "the depth test failed";
  state.write_mask = 0x0f;
  EXPECT_FALSE(buffer.test(state, kViewport, true, 0, 0.25f, 0xff));
  EXPECT_EQ(buffer.stencil(0), 0x01) << "the stencil test failed; four bits may change";
  EXPECT_TRUE(buffer.test(state, kViewport, false, 0, 0.25f, 0xff)) << "the other face always passes";
}

TEST(OutputMerger, Blending) {
  const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  const auto number = [](uint32_t word) { return std::bit_cast<float>(word); };
  BlendState state;
  BlendTarget& target = state.targets[0];
  target.enabled = true;
  target.color = {BlendFactor::source_alpha, BlendFactor::inverse_source_alpha, BlendOp::add};
  const FormatInfo& unorm = format_info(Format::r8g8b8a8_unorm);
  const Color half = {bits(128.0f / 255), bits(0), bits(0), bits(1)};
  const Color source = {bits(2.0f), bits(-1.0f), bits(1), bits(0.5f)};
  const Color made = merged_color(unorm, state, 0, half, source, {});
  EXPECT_NEAR(number(made[0]), 0.75098, 1e-5) << "the source is clamped first";
  EXPECT_EQ(number(made[1]), 0);
  EXPECT_EQ(number(made[3]), 0.5f) << "alpha has its own equation";
  target.color = {BlendFactor::zero, BlendFactor::inverse_source_color, BlendOp::add};
  const Color minus = merged_color(format_info(Format::r8g8b8a8_snorm), state, 0, {bits(0.25f), 0, 0, 0},
                                   {bits(-1), 0, 0, 0}, {});
  EXPECT_EQ(number(minus[0]), 0.5f) << "1 - s is not clamped";
  target.write_mask = 0x2;
  const Color masked = merged_color(unorm, state, 0, half, source, {});
  EXPECT_EQ(masked[0], half[0]);
  EXPECT_EQ(masked[3], half[3]);
  target.enabled = false;
  target.write_mask = 0xf;
  EXPECT_EQ(merged_color(unorm, state, 0, half, source, {}), source);
}

}  // namespace
}  // namespace texlate::sim
