// Primitives of every topology, with adjacency and cuts.
#include "sim/pipeline/primitive_assembly.h"

#include <gtest/gtest.h>

#include <numeric>

namespace texlate::sim {
namespace {

std::vector<uint32_t> primitives(Topology topology, uint32_t vertices, uint32_t control_points = 1) {
  std::vector<uint32_t> indices(vertices);
  std::iota(indices.begin(), indices.end(), 0u);
  return assemble_primitives(topology, control_points, indices);
}
using Indices = std::vector<uint32_t>;

TEST(PrimitiveAssembly, IncompletePrimitivesAreDropped) {
  EXPECT_EQ(primitives(Topology::point_list, 2), (Indices{0, 1}));
  EXPECT_EQ(primitives(Topology::line_list, 5), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(primitives(Topology::triangle_list, 8), (Indices{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(primitives(Topology::patch_list, 9, 4), (Indices{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(primitives(Topology::triangle_strip, 2).empty());
  EXPECT_TRUE(primitives(Topology::triangle_strip_adjacency, 5).empty());
  EXPECT_TRUE(primitives(Topology::line_strip, 1).empty());
}

TEST(PrimitiveAssembly, OddTrianglesOfAStripKeepTheirLeadingVertex) {
  EXPECT_EQ(primitives(Topology::triangle_strip, 5), (Indices{0, 1, 2, 1, 3, 2, 2, 3, 4}));
  EXPECT_EQ(primitives(Topology::line_strip, 3), (Indices{0, 1, 1, 2}));
}

// D3D11.3 functional specification 8.10, 13.10: the diagrams of strips with adjacency.
TEST(PrimitiveAssembly, Adjacency) {
  EXPECT_EQ(primitives(Topology::line_strip_adjacency, 5), (Indices{0, 1, 2, 3, 1, 2, 3, 4}));
  const Indices strip = {0, 1, 2, 6, 4, 3, 2, 5, 6, 8, 4, 0, 4, 2, 6, 9, 8, 7};
  EXPECT_EQ(primitives(Topology::triangle_strip_adjacency, 10), strip);
  EXPECT_EQ(primitives(Topology::triangle_strip_adjacency, 11), strip) << "the last vertex dangles";
  EXPECT_EQ(primitives(Topology::triangle_strip_adjacency, 6), (Indices{0, 1, 2, 5, 4, 3}));
}

TEST(PrimitiveAssembly, CutsStartTheTopologyAnew) {
  constexpr uint32_t kCut = 0xffffffffu;
  const Indices indices = {kCut, 0, 1, 2, 3, kCut, kCut, 4, 5, kCut, 6, 7, 8};
  EXPECT_EQ(assemble_primitives(Topology::triangle_strip, 1, indices, kCut),
            (Indices{0, 1, 2, 1, 3, 2, 6, 7, 8}));
  EXPECT_EQ(assemble_primitives(Topology::triangle_list, 1, indices, kCut), (Indices{0, 1, 2, 6, 7, 8}));
}

}  // namespace
}  // namespace texlate::sim
