// The samplers of a scene.
#pragma once

#include "sim/scene/scene_reader.h"
#include "sim/texture_unit/sampler.h"

namespace texlate::sim {

/// Everything but the comparison.
void read_sampler(SceneReader& reader, const SceneValue& described, Sampler& sampler);
Comparison read_comparison(SceneReader& reader, const SceneValue& wanted);

}  // namespace texlate::sim
