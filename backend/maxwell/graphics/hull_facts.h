// What the translation of a domain shader to a deko3d program takes from the hull shader.
#pragma once

#include <span>

#include "ir/module.h"

namespace texlate::maxwell::graphics {

/// What a domain program needs of the hull shader before it: the tessellator's settings, with Direct3D's
/// numbers, and the declared patch constants.
struct HullFacts {
  uint32_t domain = 0, partitioning = 0, output_primitive = 0;
  std::span<const ir::Parameter> patch_constants;
};
inline HullFacts facts_of(const ir::Module& hull) {
  return {hull.tessellator_domain, hull.tessellator_partitioning, hull.tessellator_output,
          hull.patch_constants};
}

}  // namespace texlate::maxwell::graphics
