// Cube maps: projection onto a face, and the texels beyond a face's edge (docs/reference/direct3d.md 2.6).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace texlate::sim {

struct FacePoint {
  uint32_t face = 4;    // 0..5: +X -X +Y -Y +Z -Z
  double u = 0, v = 0;  // 0..1 inside the face
};
/// The component with the largest magnitude selects the face; ties go to Z, then Y, then X.
FacePoint project_to_face(const std::array<float, 3>& direction);

/// False for a degenerate direction: one that is all zeros (denormals count as zeros) or that contains INF or
/// NaN. Its projection divides 0 by 0 or INF by INF (docs/reference/direct3d.md 2.6).
bool has_face(const std::array<float, 3>& direction);

/// The derivative of (u, v) on that face for the direction's derivative `derivative`.
std::array<double, 2> project_derivative(const std::array<float, 3>& direction,
                                         const std::array<float, 3>& derivative);

struct FaceTexel {
  uint32_t face, x, y;
};
/// The texel at (x, y) of `face`. x or y may be one texel outside; the texel then belongs to the neighboring
/// face. Empty if both are outside: three faces meet at a corner, and there is no fourth texel.
std::optional<FaceTexel> resolve_face_texel(uint32_t face, int64_t x, int64_t y, uint32_t side);

}  // namespace texlate::sim
