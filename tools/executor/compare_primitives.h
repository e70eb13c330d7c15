// Compares what hull and geometry shaders leave besides outputs of a fixed number of elements.
#pragma once

#include "tools/executor/difference_collector.h"

namespace texlate::executor {

void compare_patch_constants(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                             const RouteResult& b, DifferenceCollector& collector);

/// The emitted vertices in their order, with streams and strips; if a route knows only whole primitives,
/// those of each stream. Vertices after one whose emission depends on something undefined are not compared.
void compare_emissions(const Shader& shader, const RouteResult& a, const RouteResult& b,
                       DifferenceCollector& collector);

}  // namespace texlate::executor
