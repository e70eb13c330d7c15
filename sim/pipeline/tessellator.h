// Direct3D's fixed-function tessellator: tessellation factors to domain points and primitives.
//
// All arithmetic after the clamping of the factors is in integers, so the points are exact. Direct3D
// prescribes the points and which primitives there are; the order of both is that of Microsoft's reference
// tessellator (D3D11.3 functional specification 11; docs/reference/pipeline.md 1).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace texlate::sim {

enum class TessellatorDomain : uint8_t { isoline = 1, tri, quad };  // D3D11_TESSELLATOR_DOMAIN
enum class Partitioning : uint8_t {
  integer = 1,
  pow2,
  fractional_odd,
  fractional_even
};  // D3D11_TESSELLATOR_PARTITIONING
enum class TessellatorOutput : uint8_t {
  point = 1,
  line,
  triangle_cw,
  triangle_ccw
};  // D3D11_TESSELLATOR_OUTPUT_PRIMITIVE

struct Tessellation {
  TessellatorDomain domain = TessellatorDomain::tri;
  Partitioning partitioning = Partitioning::integer;
  TessellatorOutput output = TessellatorOutput::triangle_cw;
};

/// Any floats. Quad: edges U=0, V=0, U=1, V=1 and inside U, V. Tri: edges U=0, V=0, W=0 and inside[0].
/// Isoline: edge[0] is the density (number of lines, along V), edge[1] the detail (segments of a line, along
/// U).
struct TessellationFactors {
  std::array<float, 4> edge{};
  std::array<float, 2> inside{};
};

/// Coordinates in units of 1/65536, 0 to 65536. W of a tri is 1 - U - V.
struct DomainPoint {
  uint32_t u = 0, v = 0;
  bool operator==(const DomainPoint&) const = default;
};

struct TessellatedPatch {
  std::vector<DomainPoint> points;  // none: the patch is culled
  /// Into `points`: one, two or three for each primitive.
  std::vector<uint32_t> indices;
};

/// The patch is culled if an edge factor (isoline: density or detail) is not greater than 0. Factors beyond
/// the range of the partitioning are clamped to it.
TessellatedPatch tessellate(const Tessellation& tessellation, const TessellationFactors& factors);

/// SV_DomainLocation: U, V, and for tri W. Exact.
std::array<float, 3> domain_location(TessellatorDomain domain, DomainPoint point);

/// Number of indices of one primitive: 1, 2 or 3.
uint32_t indices_per_primitive(const Tessellation& tessellation);

}  // namespace texlate::sim
