// Prints what hull, domain and geometry shaders leave: control points, factors, vertices, streams.
#pragma once

#include "tools/texlate/execution.h"

namespace texlate::cli {

/// What the tessellator makes of the factors of each patch of a hull shader.
struct TessellatedCounts {
  std::vector<uint32_t> points, primitives;  // by patch
};
TessellatedCounts tessellated_counts(const Execution& execution, const executor::RouteResult& result);

void print_primitives(const Execution& execution, const executor::RouteResult& result);

}  // namespace texlate::cli
