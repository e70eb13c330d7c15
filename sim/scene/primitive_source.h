// Reads how many primitives there are, their numbers, and domain points.
#pragma once

#include "ir/module.h"
#include "sim/scene/primitives.h"
#include "sim/scene/scene_reader.h"

namespace texlate::sim {

/// Vertices of the primitives that a stage reads; 0 for stages that read none.
uint32_t vertices_per_primitive(const ir::Module& module);

/// Reads `primitives`, `primitive_ids`, `tessellation` and `domain_points`. Returns false with errors.
bool read_primitives(SceneReader& reader, const ir::Module& module, ScenePrimitives& primitives);

}  // namespace texlate::sim
