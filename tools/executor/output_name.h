// The names of a shader's outputs, as the shader's text has them.
#pragma once

#include <string>

#include "ir/module.h"

namespace texlate::executor {

/// o0.x, oDepth, oMask
std::string output_name(const ir::Module& module, const ir::Parameter& output, uint32_t component);

}  // namespace texlate::executor
