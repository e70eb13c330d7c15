// Strips of geometry shaders as lists, and where factors stand among patch constants.
#include "sim/pipeline/stream_assembly.h"

#include <gtest/gtest.h>

#include "sim/pipeline/patch_factors.h"

namespace texlate::sim {
namespace {

/// Vertices of one stream; a letter for each strip: "aaabbb".
std::vector<EmittedVertex> strips(std::string_view letters, uint32_t stream = 0) {
  std::vector<EmittedVertex> vertices;
  for (size_t i = 0; i < letters.size(); ++i)
    vertices.push_back({0, 0, stream, i == 0 || letters[i] != letters[i - 1], 0});
  return vertices;
}

TEST(StreamAssembly, OddTrianglesKeepTheirFirstVertexAndTheirWinding) {
  EXPECT_EQ(assemble_stream(strips("aaaaa"), 0, OutputTopology::triangle_strip),
            (std::vector<uint32_t>{0, 1, 2, 1, 3, 2, 2, 3, 4}));
  EXPECT_EQ(assemble_stream(strips("aaabbbb"), 0, OutputTopology::triangle_strip),
            (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 4, 6, 5}));
}

TEST(StreamAssembly, ShortStripsLeaveNothing) {
  EXPECT_TRUE(assemble_stream(strips("aabbcd"), 0, OutputTopology::triangle_strip).empty());
  EXPECT_EQ(assemble_stream(strips("abbcdd"), 0, OutputTopology::line_strip),
            (std::vector<uint32_t>{1, 2, 4, 5}));
  EXPECT_TRUE(assemble_stream({}, 0, OutputTopology::points).empty());
}

TEST(StreamAssembly, PointsIgnoreCuts) {
  EXPECT_EQ(assemble_stream(strips("aab"), 0, OutputTopology::points), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(StreamAssembly, StreamsAreApart) {
  std::vector<EmittedVertex> both = strips("aaa");
  for (EmittedVertex& one : strips("bbb", 3)) both.insert(both.begin() + 1, one);
  EXPECT_EQ(assemble_stream(both, 0, OutputTopology::line_strip), (std::vector<uint32_t>{0, 4, 4, 5}));
  EXPECT_EQ(assemble_stream(both, 3, OutputTopology::points), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_TRUE(assemble_stream(both, 1, OutputTopology::points).empty());
}

TEST(PatchFactors, FollowSystemValuesNotRegisters) {
  ir::Module hull;
  hull.stage = ir::Stage::hull;
  const auto declare = [&](uint32_t reg, uint8_t mask, ir::SystemValue value) {
    ir::Parameter& constant = hull.patch_constants.emplace_back();
    constant.reg = reg;
    constant.mask = mask;
    constant.system_value = value;
  };
  declare(0, 2, ir::SystemValue::line_detail);
  declare(1, 1, ir::SystemValue::line_density);
  declare(1, 8, ir::SystemValue::none);
  std::vector<uint32_t> constants(2 * 4 * 2);
  constants[1 * 2 + 1] = 0x40400000;  // p0.y of patch 1
  constants[4 * 2 + 1] = 0x40a00000;  // p1.x
  const TessellationFactors factors = factors_of(hull, constants, 2, 1);
  EXPECT_EQ(factors.edge[0], 5.0f) << "density";
  EXPECT_EQ(factors.edge[1], 3.0f) << "detail";
  EXPECT_EQ(factors_of(hull, constants, 2, 0).edge[0], 0.0f);
}

TEST(PatchFactors, EveryFactorOfADomainHasAPlace) {
  using enum ir::SystemValue;
  const auto place = [](ir::SystemValue value) {
    const auto found = factor_place(value);
    return found ? int(found->index) + (found->inside ? 10 : 0) : -1;
  };
  const ir::SystemValue all[] = {quad_edge_u0,  quad_edge_v0,  quad_edge_u1, quad_edge_v1,
                                 quad_inside_u, quad_inside_v, tri_edge_u,   tri_edge_v,
                                 tri_edge_w,    tri_inside,    line_density, line_detail};
  const int expected[] = {0, 1, 2, 3, 10, 11, 0, 1, 2, 10, 0, 1};
  for (size_t i = 0; i < std::size(all); ++i) EXPECT_EQ(place(all[i]), expected[i]) << i;
  EXPECT_EQ(place(position), -1);
}

}  // namespace
}  // namespace texlate::sim
