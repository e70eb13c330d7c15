// The names of a shader's outputs, as the shader's text has them.
#pragma once

#include <string>

#include "ir/module.h"
#include "sim/scene/scene.h"

namespace texlate::executor {

/// o0.x, oDepth, oMask
std::string output_name(const ir::Module& module, const ir::Parameter& output, uint32_t component);

/// vpc0.x
std::string patch_constant_name(const ir::Parameter& constant, uint32_t component);
/// What an element of the scene is: "pixel (3, 4)", "control point 2 of patch 0".
std::string element_name(const ir::Module& module, const sim::Scene& scene, uint32_t element);

}  // namespace texlate::executor
