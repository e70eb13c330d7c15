// Cube maps: selection of the face, seamless edges, corners.
#include "sim/texture_unit/cube.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "sim/texture_unit/sample.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim {
namespace {

// The direction through (u, v) of a face: docs/reference/direct3d.md 2.6 solved for x, y, z.
std::array<float, 3> direction(uint32_t face, float u, float v) {
  const float sc = 2 * u - 1, tc = 2 * v - 1;
  switch (face) {
    case 0: return {1, -tc, -sc};
    case 1: return {-1, -tc, sc};
    case 2: return {sc, 1, tc};
    case 3: return {sc, -1, -tc};
    case 4: return {sc, -tc, 1};
    default: return {-sc, -tc, -1};
  }
}

TEST(Cube, ProjectionInvertsTheFaceTable) {
  for (uint32_t face = 0; face < 6; ++face) {
    const FacePoint at = project_to_face(direction(face, 0.25f, 0.625f));
    EXPECT_EQ(at.face, face);
    EXPECT_EQ(at.u, 0.25);
    EXPECT_EQ(at.v, 0.625);
  }
}

TEST(Cube, TiesGoToZThenYThenX) {
  EXPECT_EQ(project_to_face({1, 1, 1}).face, 4u);
  EXPECT_EQ(project_to_face({1, 1, 0}).face, 2u);
  EXPECT_EQ(project_to_face({-1, -1, -1}).face, 5u);
  EXPECT_EQ(project_to_face({-1, 0.5f, 0}).face, 1u);
}

// One texel beyond an edge is the texel that a ray through that point of the enlarged face hits.
TEST(Cube, EdgesContinueOnTheNeighbor) {
  for (uint32_t side : {1u, 2u, 3u, 8u}) {
    for (uint32_t face = 0; face < 6; ++face) {
      for (uint32_t i = 0; i < side; ++i) {
        const int64_t outside[4][2] = {{-1, i}, {side, i}, {i, -1}, {i, side}};
        for (const auto& p : outside) {
          const auto got = resolve_face_texel(face, p[0], p[1], side);
          ASSERT_TRUE(got.has_value());
          const FacePoint hit =
              project_to_face(direction(face, (static_cast<float>(p[0]) + 0.5f) / static_cast<float>(side),
                                        (static_cast<float>(p[1]) + 0.5f) / static_cast<float>(side)));
          EXPECT_EQ(got->face, hit.face);
          EXPECT_EQ(got->x, static_cast<uint32_t>(hit.u * side));
          EXPECT_EQ(got->y, static_cast<uint32_t>(hit.v * side));
        }
      }
    }
  }
  EXPECT_FALSE(resolve_face_texel(0, -1, 8, 8).has_value());
}

struct CubeSample : testing::Test {
  Texture texture = make_texture({Dimension::texture_cube_array, Format::r32_float, {4, 4, 1}, 3, 12});
  TextureView view;
  Sampler linear;
  CubeSample() {
    fill(texture);
    view = TextureView::whole(texture);
    linear.min_filter = linear.mag_filter = Filter::linear;
    linear.address = {AddressMode::border, AddressMode::border, AddressMode::border};  // ignored on cubes
  }
  float texel(uint32_t layer, uint32_t x, uint32_t y) {
    return number(texel_value(0, layer, x, y, 0, 0, false)[0]);
  }
  Word4 at(std::array<float, 3> d, float cube) {
    SampleOperands operands;
    operands.coordinate = {d[0], d[1], d[2], cube};
    operands.lod_source = LodSource::level;
    Access access;
    return sample(view, linear, operands, {}, access);
  }
  /// The flags of a sample, a gather and an LOD query of this direction: all the same.
  uint32_t undefined_of(std::array<float, 3> d) {
    const std::array<float, 4> coordinate = {d[0], d[1], d[2], 0};
    Access sampled, gathered, level;
    SampleOperands operands;
    operands.coordinate = coordinate;
    operands.lod_source = LodSource::level;
    sample(view, linear, operands, {}, sampled);
    gather4(view, linear, coordinate, {}, 0, {}, gathered);
    linear.mip_filter = Filter::linear;  // otherwise `lod` is undefined
    lod(view, linear, coordinate, {{1, 0, 0}, {0, 1, 0}}, level);
    EXPECT_EQ(gathered.undefined, sampled.undefined);
    EXPECT_EQ(level.undefined, sampled.undefined);
    return sampled.undefined;
  }
};

TEST_F(CubeSample, CentresOfAllFacesAndCubes) {
  for (uint32_t cube = 0; cube < 2; ++cube) {
    for (uint32_t face = 0; face < 6; ++face) {
      EXPECT_EQ(number(at(direction(face, 0.375f, 0.125f), static_cast<float>(cube))[0]),
                texel(cube * 6 + face, 1, 0));
    }
  }
  EXPECT_EQ(number(at(direction(0, 0.375f, 0.125f), 7)[0]), texel(6, 1, 0)) << "the cube index is clamped";
}

TEST_F(CubeSample, CornerAveragesThreeTexels) {
  // +Z, top left corner: meets -X and +Y.
  const auto left = resolve_face_texel(4, -1, 0, 4), top = resolve_face_texel(4, 0, -1, 4);
  const double a = texel(4, 0, 0), b = texel(left->face, left->x, left->y),
               c = texel(top->face, top->x, top->y);
  EXPECT_FLOAT_EQ(number(at(direction(4, 0, 0), 0)[0]), static_cast<float>((a + b + c) / 3));
  Access access;
  const std::array<float, 3> d = direction(4, 0, 0);
  const Word4 gathered = gather4(view, linear, {d[0], d[1], d[2], 0}, {}, 0, {}, access);
  EXPECT_FLOAT_EQ(number(gathered[3]), static_cast<float>((a + b + c) / 3));
  EXPECT_EQ(number(gathered[1]), static_cast<float>(b) == number(gathered[1]) ? b : a);
}

// +Z's corner of +X and +Y: the third result is the texel that does not exist.
TEST(CubeGather, CornerOfIntegersIsTheirMean) {
  const auto corner = [](Format format, uint32_t x, uint32_t y, uint32_t z) {
    Texture texture = make_texture({Dimension::texture_cube, format, {1, 1, 1}, 1, 6});
    texture.write(0, 0, 0, 0, 0, {x, 0, 0, 0});
    texture.write(0, 2, 0, 0, 0, {y, 0, 0, 0});
    texture.write(0, 4, 0, 0, 0, {z, 0, 0, 0});
    Access access;
    return gather4(TextureView::whole(texture), {}, {1, 1, 1, 0}, {}, 0, {}, access);
  };
  EXPECT_EQ(corner(Format::r32_uint, 0xfffffff0u, 0xfffffff3u, 0xfffffff6u),
            (Word4{0xfffffff6u, 0xfffffff0u, 0xfffffff3u, 0xfffffff3u}));
  EXPECT_EQ(corner(Format::r32_sint, 0u - 9, 4, 0u - 3), (Word4{0u - 3, 0u - 9, 0u - 2, 4}));
}

TEST_F(CubeSample, ContinuousAcrossEdges) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> along(-0.99f, 0.99f);
  for (int i = 0; i < 200; ++i) {
    const float t = along(random), e = 1e-4f;
    // The edge between +X and +Z.
    const float before = number(at({1 + e, t, 1}, 0)[0]), after = number(at({1, t, 1 + e}, 0)[0]);
    EXPECT_NEAR(before, after, 64.0f) << "texels of neighboring faces differ by thousands";
  }
}

TEST_F(CubeSample, OffsetsAreUndefined) {
  SampleOperands operands;
  operands.coordinate = {1, 0, 0, 0};
  operands.lod_source = LodSource::level;
  operands.offset = {1, 0, 0};
  Access access;
  sample(view, linear, operands, {}, access);
  EXPECT_TRUE(access.has(Undefined::cube_offset));
}

TEST_F(CubeSample, DirectionsThatPointNowhereAreMarked) {
  const float denormal = std::numeric_limits<float>::denorm_min(), least = std::numeric_limits<float>::min();
  for (const std::array<float, 3>& nowhere : {std::array<float, 3>{0, 0, 0},
                                              {-0.0f, denormal, 0},
                                              {NAN, 1, INFINITY},
                                              {1, 0, NAN},
                                              {INFINITY, INFINITY, INFINITY}}) {
    EXPECT_EQ(undefined_of(nowhere), static_cast<uint32_t>(Undefined::cube_direction));
  }
  for (const std::array<float, 3>& somewhere :
       {std::array<float, 3>{0, 0, least}, {-least, 0, 0}, {3e38f, 3e38f, -3e38f}}) {
    EXPECT_EQ(undefined_of(somewhere), 0u);
  }
}

TEST_F(CubeSample, LodFromDirectionDerivatives) {
  // Straight at +Z: u moves by half of the x derivative; 4 texels per side.
  const Derivatives derivatives{{1.0f, 0, 0}, {0, 0.5f, 0}};
  Access access;
  linear.mip_filter = Filter::linear;
  EXPECT_EQ(number(lod(view, linear, {0, 0, 1, 0}, derivatives, access)[1]), 1.0f);
  EXPECT_EQ(number(lod(view, linear, {0, 0, 2, 0}, derivatives, access)[1]), 0.0f);
}

}  // namespace
}  // namespace texlate::sim
