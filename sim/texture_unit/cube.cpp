#include "sim/texture_unit/cube.h"

#include <cmath>
#include <limits>

namespace texlate::sim {

namespace {

// The face table of docs/reference/direct3d.md 2.6: the axis and the sign of sc, tc and ma for each
// face.
struct SignedAxis {
  int axis;
  int sign;
};
struct FaceAxes {
  SignedAxis sc, tc, ma;
};
constexpr FaceAxes kFaces[6] = {
    {{2, -1}, {1, -1}, {0, 1}}, {{2, 1}, {1, -1}, {0, -1}}, {{0, 1}, {2, 1}, {1, 1}},
    {{0, 1}, {2, -1}, {1, -1}}, {{0, 1}, {1, -1}, {2, 1}},  {{0, -1}, {1, -1}, {2, -1}},
};

template <typename T>
T along(const std::array<T, 3>& v, SignedAxis axis) {
  return static_cast<T>(axis.sign) * v[axis.axis];
}

uint32_t choose_face(const std::array<float, 3>& direction) {
  const float x = std::fabs(direction[0]), y = std::fabs(direction[1]), z = std::fabs(direction[2]);
  const int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return static_cast<uint32_t>(axis * 2 + (direction[axis] < 0 ? 1 : 0));
}

}  // namespace

FacePoint project_to_face(const std::array<float, 3>& direction) {
  const uint32_t face = choose_face(direction);
  const FaceAxes& axes = kFaces[face];
  const double ma = std::fabs(along(direction, axes.ma));
  return {face, along(direction, axes.sc) / ma * 0.5 + 0.5, along(direction, axes.tc) / ma * 0.5 + 0.5};
}

bool has_face(const std::array<float, 3>& direction) {
  bool any = false;
  for (float component : direction) {
    if (!std::isfinite(component)) return false;
    any = any || std::fabs(component) >= std::numeric_limits<float>::min();
  }
  return any;
}

std::array<double, 2> project_derivative(const std::array<float, 3>& direction,
                                         const std::array<float, 3>& derivative) {
  const FaceAxes& axes = kFaces[choose_face(direction)];
  const double ma = along(direction, axes.ma);  // positive on its own face
  const double d_ma = along(derivative, axes.ma);
  auto quotient_rule = [&](SignedAxis axis) {
    return 0.5 * (ma * along(derivative, axis) - along(direction, axis) * d_ma) / (ma * ma);
  };
  return {quotient_rule(axes.sc), quotient_rule(axes.tc)};
}

std::optional<FaceTexel> resolve_face_texel(uint32_t face, int64_t x, int64_t y, uint32_t side) {
  const int64_t n = side;
  const bool x_outside = x < 0 || x >= n;
  const bool y_outside = y < 0 || y >= n;
  if (!x_outside && !y_outside) return FaceTexel{face, static_cast<uint32_t>(x), static_cast<uint32_t>(y)};
  if (x_outside && y_outside) return std::nullopt;

  // Positions of texel centers in half texels: the cube extends from -n to n, and centers have the other
  // parity. Folding over the edge swaps roles: the axis that left the face becomes the neighbor's major
  // axis, and the old major axis moves half a texel inwards.
  const FaceAxes& axes = kFaces[face];
  std::array<int64_t, 3> point{};
  point[axes.sc.axis] = axes.sc.sign * (2 * x + 1 - n);
  point[axes.tc.axis] = axes.tc.sign * (2 * y + 1 - n);
  point[axes.ma.axis] = axes.ma.sign * (n - 1);
  const int major = x_outside ? axes.sc.axis : axes.tc.axis;
  const bool negative = point[major] < 0;
  point[major] = negative ? -n : n;

  const auto neighbor = static_cast<uint32_t>(major * 2 + (negative ? 1 : 0));
  const FaceAxes& to = kFaces[neighbor];
  return FaceTexel{neighbor, static_cast<uint32_t>((along(point, to.sc) + n - 1) / 2),
                   static_cast<uint32_t>((along(point, to.tc) + n - 1) / 2)};
}

}  // namespace texlate::sim
