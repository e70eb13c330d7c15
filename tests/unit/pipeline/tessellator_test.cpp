#include "sim/pipeline/tessellator.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "sim/pipeline/tessellator_placement.h"

namespace texlate::sim {

namespace {

using Points = std::vector<DomainPoint>;
using Indices = std::vector<uint32_t>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tessellation tri(Partitioning partitioning) {
  return {TessellatorDomain::tri, partitioning, TessellatorOutput::triangle_cw};
}
Tessellation quad(Partitioning partitioning) {
  return {TessellatorDomain::quad, partitioning, TessellatorOutput::triangle_cw};
}
Tessellation isoline(Partitioning partitioning) {
  return {TessellatorDomain::isoline, partitioning, TessellatorOutput::line};
}

std::vector<uint32_t> places(float factor, Partitioning partitioning) {
  const PatchSubdivisions patch = subdivide(tri(partitioning), {{factor, 2, 2}, {2}});
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < patch.edge[0].points(); ++i) result.push_back(patch.edge[0].place(i));
  return result;
}

}  // namespace

// The expected values of this file are those of Microsoft's reference tessellator, which the functional
// specification names.
TEST(Tessellator, PlacesPointsOnAnEdge) {
  using enum Partitioning;
  EXPECT_EQ(places(1.5f, fractional_odd), (Indices{0, 0x1555, 0xeaab, 0x10000}));
  EXPECT_EQ(places(2, fractional_odd), (Indices{0, 0x2aab, 0xd555, 0x10000}));
  EXPECT_EQ(places(4, fractional_odd), (Indices{0, 0x4444, 0x5dde, 0xa222, 0xbbbc, 0x10000}));
  EXPECT_EQ(places(5.5f, fractional_odd),
            (Indices{0, 0x2f8b, 0x38af, 0x683a, 0x97c6, 0xc751, 0xd075, 0x10000}));
  EXPECT_EQ(places(3, fractional_even), (Indices{0, 0x6000, 0x8000, 0xa000, 0x10000}));
  EXPECT_EQ(places(5, fractional_even), (Indices{0, 0x3556, 0x4aab, 0x8000, 0xb555, 0xcaaa, 0x10000}));
  EXPECT_EQ(places(9.5f, fractional_even),
            (Indices{0, 0x1b34, 0x2e67, 0x499b, 0x64ce, 0x8000, 0x9b32, 0xb665, 0xd199, 0xe4cc, 0x10000}));
  EXPECT_EQ(places(3, integer), (Indices{0, 0x5555, 0xaaab, 0x10000}));
  EXPECT_EQ(places(2.5f, pow2), places(3, integer)) << "the hull shader rounds to powers of two";
}

TEST(Tessellator, TriWithAnEvenInside) {
  const TessellatedPatch patch = tessellate(tri(Partitioning::integer), {{2, 2, 2}, {1}});
  EXPECT_EQ(patch.points,
            (Points{{0, 65536}, {0, 32768}, {0, 0}, {32768, 0}, {65536, 0}, {32768, 32768}, {21845, 21845}}));
  EXPECT_EQ(patch.indices, (Indices{0, 1, 6, 1, 2, 6, 2, 3, 6, 3, 4, 6, 4, 5, 6, 5, 0, 6}));
}

TEST(Tessellator, TriWithThreeEdges) {
  const TessellatedPatch patch = tessellate(tri(Partitioning::integer), {{1, 2, 3}, {2}});
  EXPECT_EQ(
      patch.points,
      (Points{{0, 65536}, {0, 0}, {32768, 0}, {65536, 0}, {43691, 21845}, {21845, 43691}, {21845, 21845}}));
  EXPECT_EQ(patch.indices, (Indices{6, 0, 1, 1, 2, 6, 2, 3, 6, 3, 4, 6, 6, 4, 5, 5, 0, 6}));
}

TEST(Tessellator, TriWithAnOddInside) {
  const TessellatedPatch patch = tessellate(tri(Partitioning::integer), {{3, 3, 3}, {3}});
  EXPECT_EQ(patch.points, (Points{{0, 65536},
                                  {0, 43691},
                                  {0, 21845},
                                  {0, 0},
                                  {21845, 0},
                                  {43691, 0},
                                  {65536, 0},
                                  {43691, 21845},
                                  {21845, 43691},
                                  {14563, 36409},
                                  {14563, 14563},
                                  {36409, 14564}}));
  EXPECT_EQ(patch.indices, (Indices{0, 1, 9, 9,  1, 10, 10, 1,  2, 2, 3, 10, 3, 4, 10, 10, 4, 11, 11, 4,
                                    5, 5, 6, 11, 6, 7,  11, 11, 7, 9, 9, 7,  8, 8, 0,  9,  9, 10, 11}));
}

TEST(Tessellator, TriWithAFractionalInside) {
  const TessellatedPatch patch = tessellate(tri(Partitioning::fractional_odd), {{1, 1, 1}, {1.5f}});
  EXPECT_EQ(patch.points,
            (Points{{0, 65536}, {0, 0}, {65536, 0}, {3641, 58254}, {3640, 3641}, {58254, 3641}}));
  EXPECT_EQ(patch.indices, (Indices{3, 0, 4, 4, 0, 1, 4, 1, 5, 5, 1, 2, 5, 2, 3, 3, 2, 0, 3, 4, 5}));
}

TEST(Tessellator, QuadWithAPointInTheMiddle) {
  const TessellatedPatch patch = tessellate(quad(Partitioning::integer), {{2, 2, 2, 2}, {1, 1}});
  EXPECT_EQ(patch.points, (Points{{0, 65536},
                                  {0, 32768},
                                  {0, 0},
                                  {32768, 0},
                                  {65536, 0},
                                  {65536, 32768},
                                  {65536, 65536},
                                  {32768, 65536},
                                  {32768, 32768}}));
  EXPECT_EQ(patch.indices, (Indices{0, 1, 8, 1, 2, 8, 2, 3, 8, 3, 4, 8, 4, 5, 8, 5, 6, 8, 6, 7, 8, 7, 0, 8}));
}

TEST(Tessellator, QuadWithARowAlongV) {
  const TessellatedPatch patch = tessellate(quad(Partitioning::integer), {{1, 1, 1, 1}, {2, 3}});
  EXPECT_EQ(patch.points,
            (Points{{0, 65536}, {0, 0}, {65536, 0}, {65536, 65536}, {32768, 43691}, {32768, 21845}}));
  EXPECT_EQ(patch.indices, (Indices{4, 0, 5, 5, 0, 1, 5, 1, 2, 5, 2, 4, 4, 2, 3, 4, 3, 0}));
}

TEST(Tessellator, QuadWithAMiddleOfQuads) {
  const TessellatedPatch patch = tessellate(quad(Partitioning::integer), {{1, 1, 1, 1}, {4, 3}});
  EXPECT_EQ(patch.points, (Points{{0, 65536},
                                  {0, 0},
                                  {65536, 0},
                                  {65536, 65536},
                                  {16384, 43691},
                                  {16384, 21845},
                                  {32768, 21845},
                                  {49152, 21845},
                                  {49152, 43691},
                                  {32768, 43691}}));
  EXPECT_EQ(patch.indices, (Indices{4, 0, 5, 5, 0, 1, 5, 1, 6, 6, 1, 2, 6, 2, 7, 7, 2, 8, 8, 2, 3,
                                    8, 3, 9, 9, 3, 0, 9, 0, 4, 4, 5, 6, 4, 6, 9, 9, 6, 7, 9, 7, 8}));
}

TEST(Tessellator, QuadWithFractionalFactors) {
  const Indices indices{0,  1,  12, 12, 1,  13, 13, 1,  2,  2,  3, 13, 3,  4,  13, 13, 4,  14,
                        14, 4,  5,  5,  6,  14, 6,  7,  14, 14, 7, 15, 15, 7,  8,  8,  9,  15,
                        9,  10, 15, 15, 10, 12, 12, 10, 11, 11, 0, 12, 12, 14, 15, 12, 13, 14};
  const TessellatedPatch patch =
      tessellate(quad(Partitioning::fractional_odd), {{1.5f, 1.5f, 1.5f, 1.5f}, {1.5f, 1.5f}});
  EXPECT_EQ(patch.points, (Points{{0, 65536},
                                  {0, 60075},
                                  {0, 5461},
                                  {0, 0},
                                  {5461, 0},
                                  {60075, 0},
                                  {65536, 0},
                                  {65536, 5461},
                                  {65536, 60075},
                                  {65536, 65536},
                                  {60075, 65536},
                                  {5461, 65536},
                                  {5461, 60075},
                                  {5461, 5461},
                                  {60075, 5461},
                                  {60075, 60075}}));
  EXPECT_EQ(patch.indices, indices);
  EXPECT_EQ(tessellate(quad(Partitioning::integer), {{3, 3, 3, 3}, {3, 3}}).indices, indices);
}

TEST(Tessellator, Isolines) {
  const TessellatedPatch whole = tessellate(isoline(Partitioning::integer), {{2, 4}, {}});
  EXPECT_EQ(whole.points, (Points{{0, 0},
                                  {16384, 0},
                                  {32768, 0},
                                  {49152, 0},
                                  {65536, 0},
                                  {0, 32768},
                                  {16384, 32768},
                                  {32768, 32768},
                                  {49152, 32768},
                                  {65536, 32768}}));
  EXPECT_EQ(whole.indices, (Indices{0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9}));
  const TessellatedPatch odd = tessellate(isoline(Partitioning::fractional_odd), {{3, 2.5f}, {}});
  ASSERT_EQ(odd.points.size(), 12u);
  for (uint32_t i = 0; i < 12; ++i) {
    constexpr uint32_t kU[] = {0, 16384, 49152, 65536}, kV[] = {0, 21845, 43691};
    EXPECT_EQ(odd.points[i], (DomainPoint{kU[i % 4], kV[i / 4]})) << i;
  }
}

TEST(Tessellator, MinimalPatches) {
  const TessellatedPatch triangle = tessellate(tri(Partitioning::integer), {{1, 0.5f, 1}, {-3}});
  EXPECT_EQ(triangle.points, (Points{{0, 65536}, {0, 0}, {65536, 0}}));
  EXPECT_EQ(triangle.indices, (Indices{0, 1, 2}));
  const TessellatedPatch square = tessellate(quad(Partitioning::fractional_odd), {{1, 1, 1, 1}, {1, kNan}});
  EXPECT_EQ(square.points, (Points{{0, 0}, {65536, 0}, {65536, 65536}, {0, 65536}}));
  EXPECT_EQ(square.indices, (Indices{0, 1, 3, 1, 2, 3}));
}

TEST(Tessellator, CullsByEdgesAndClamps) {
  for (const float none : {0.0f, -0.0f, -1.0f, -kInf, kNan}) {
    EXPECT_TRUE(tessellate(tri(Partitioning::integer), {{2, none, 2}, {2}}).points.empty());
    EXPECT_FALSE(tessellate(tri(Partitioning::integer), {{2, 2, 2}, {none}}).points.empty());
    EXPECT_TRUE(tessellate(quad(Partitioning::fractional_even), {{2, 2, 2, none}, {2, 2}}).points.empty());
    EXPECT_TRUE(tessellate(isoline(Partitioning::integer), {{none, 2}, {}}).points.empty());
    EXPECT_TRUE(tessellate(isoline(Partitioning::integer), {{2, none}, {}}).points.empty());
  }
  EXPECT_EQ(tessellate(tri(Partitioning::integer), {{2, 2, 2, -1}, {2}}).points.size(), 7u)
      << "a tri has three edges";
  EXPECT_EQ(tessellate(tri(Partitioning::integer), {{kInf, 1, 1}, {1}}).points,
            tessellate(tri(Partitioning::integer), {{64, 1, 1}, {1}}).points);
  EXPECT_EQ(tessellate(tri(Partitioning::fractional_odd), {{1e9f, 1, 1}, {1}}).points,
            tessellate(tri(Partitioning::fractional_odd), {{63, 1, 1}, {1}}).points);
}

TEST(Tessellator, OutputsOfOtherKinds) {
  const TessellationFactors factors{{2, 2, 2}, {1}};
  Tessellation tessellation = tri(Partitioning::integer);
  tessellation.output = TessellatorOutput::triangle_ccw;
  const Indices turned = tessellate(tessellation, factors).indices;
  EXPECT_EQ((Indices{turned.begin(), turned.begin() + 6}), (Indices{0, 6, 1, 1, 6, 2}));
  tessellation.output = TessellatorOutput::point;
  EXPECT_EQ(tessellate(tessellation, factors).indices, (Indices{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(indices_per_primitive(tessellation), 1u);
}

TEST(Tessellator, LocationsAreExact) {
  EXPECT_EQ(domain_location(TessellatorDomain::tri, {21845, 21845}),
            (std::array{21845.0f / 65536, 21845.0f / 65536, 21846.0f / 65536}));
  EXPECT_EQ(domain_location(TessellatorDomain::quad, {65536, 1}), (std::array{1.0f, 1.0f / 65536, 0.0f}));
}

// ---- properties of every patch ----

namespace {

int64_t doubled_area(const Points& points, uint32_t a, uint32_t b, uint32_t c) {
  const auto x = [&](uint32_t i) { return static_cast<int64_t>(points[i].u); };
  const auto y = [&](uint32_t i) { return static_cast<int64_t>(points[i].v); };
  return (x(b) - x(a)) * (y(c) - y(a)) - (x(c) - x(a)) * (y(b) - y(a));
}

/// The triangles cover the domain once: their areas add up to it, and every edge inside it is there once in
/// each direction.
void expect_covered(const Tessellation& tessellation, const TessellationFactors& factors) {
  const TessellatedPatch patch = tessellate(tessellation, factors);
  int64_t area = 0;
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  for (size_t i = 0; i < patch.indices.size(); i += 3) {
    const uint32_t corner[] = {patch.indices[i], patch.indices[i + 1], patch.indices[i + 2]};
    for (const uint32_t c : corner) ASSERT_LT(c, patch.points.size());
    area += doubled_area(patch.points, corner[0], corner[1], corner[2]);
    for (int e = 0; e < 3; ++e) ++edges[{corner[e], corner[(e + 1) % 3]}];
  }
  const int64_t whole = int64_t{kOne} * kOne;
  const bool is_tri = tessellation.domain == TessellatorDomain::tri;
  // Clockwise with V down is the positive direction of a left-handed plane; a tri has U, V, W clockwise.
  EXPECT_EQ(std::abs(area), is_tri ? whole : 2 * whole);
  uint32_t open = 0;
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    if (!edges.contains({edge.second, edge.first})) ++open;
  }
  const PatchSubdivisions parts = subdivide(tessellation, factors);
  uint32_t border = 0;
  for (int e = 0; e < (is_tri ? 3 : 4); ++e) border += parts.edge[e].points() - 1;
  EXPECT_EQ(open, border);
}

}  // namespace

TEST(Tessellator, CoversTheDomainOnce) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> any(0.01f, 66.0f), small(0.5f, 5.0f);
  for (int i = 0; i < 300; ++i) {
    const auto factor = [&] { return i % 2 == 0 ? any(random) : small(random); };
    const auto partitioning = static_cast<Partitioning>(1 + i % 4);
    const TessellationFactors factors{{factor(), factor(), factor(), factor()}, {factor(), factor()}};
    SCOPED_TRACE(i);
    expect_covered(tri(partitioning), factors);
    expect_covered(quad(partitioning), factors);
    if (HasFailure()) return;
  }
}

TEST(Tessellator, HasTheCountsOfUniformSubdivisions) {
  for (uint32_t n = 2; n <= 64; ++n) {
    const float f = static_cast<float>(n);
    EXPECT_EQ(tessellate(quad(Partitioning::integer), {{f, f, f, f}, {f, f}}).indices.size(), 6 * n * n);
    EXPECT_EQ(tessellate(quad(Partitioning::integer), {{f, f, f, f}, {f, f}}).points.size(),
              (n + 1) * (n + 1));
    const uint32_t triangles = 3 * n + 3 * (n - 2) + 3 * (n - 2) * (n - 2) / 2;
    EXPECT_EQ(tessellate(tri(Partitioning::integer), {{f, f, f}, {f}}).indices.size(),
              3 * (n == 3 ? 13 : triangles))
        << n;
    EXPECT_EQ(tessellate(isoline(Partitioning::integer), {{f, f}, {}}).points.size(), n * (n + 1));
  }
}

}  // namespace texlate::sim
