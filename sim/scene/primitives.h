// What hull, domain and geometry shaders run on.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/pipeline/tessellator.h"

namespace texlate::sim {

struct ScenePrimitives {
  uint32_t count = 0;               // primitives, or patches
  uint32_t vertices = 0;            // of each, adjacent ones too; control points
  std::vector<uint32_t> ids;        // vPrim; missing ones count from 0
  std::vector<uint32_t> constants;  // domain shaders: planes of patch constants with a word for each patch
  /// Domain shaders: of each patch, repeated as needed. The defaults of patch constants that are factors.
  std::vector<TessellationFactors> factors;
  Partitioning partitioning = Partitioning::integer;
  bool listed_points = false;         // the scene lists the domain points
  std::vector<uint32_t> point_patch;  // domain shaders: the patch of each domain point
  std::vector<uint32_t> locations;    // vDomain: three planes with a float for each domain point
};

}  // namespace texlate::sim
