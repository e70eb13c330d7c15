// The geometries of texture and surface instructions and the order of their coordinates (PTX ISA 9.7.10).
#pragma once

#include "sim/ptx/module.h"
#include "sim/ptx/texture_object.h"

namespace texlate::sim::ptx {

enum class Geometry : uint8_t { g1d, g2d, g3d, a1d, a2d, cube, acube, g2dms, a2dms, none };

struct GeometryInfo {
  uint8_t axes;         // texel axes; 2 for cubes (of a face)
  uint8_t coordinates;  // elements of the coordinate vector, padding included
  bool array = false;   // element 0 is the layer; with samples, element 1
  bool cube = false;
  bool multisampled = false;  // element 0 is the sample
};
inline const GeometryInfo& geometry_info(Geometry geometry) {
  constexpr static GeometryInfo kInfo[] = {
      {1, 1},
      {2, 2},
      {3, 4},
      {1, 2, true},
      {2, 4, true},
      {2, 4, false, true},
      {2, 4, true, true},
      {2, 4, false, false, true},
      {2, 4, true, false, true},
      {0, 0},
  };
  return kInfo[static_cast<size_t>(geometry)];
}

inline Geometry geometry_of(const Instruction& i) {
  for (int g = 0; g < 9; ++g) {
    if (i.has(static_cast<Mod>(static_cast<int>(Mod::geom_1d) + g))) return static_cast<Geometry>(g);
  }
  return Geometry::none;
}

}  // namespace texlate::sim::ptx
