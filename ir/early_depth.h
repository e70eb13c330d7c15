// Whether the depth and stencil test may run before a pixel shader.
#pragma once

#include <string_view>

#include "ir/module.h"

namespace texlate::ir {

enum class EarlyDepth : uint8_t {
  late,     // the shader's effects would differ: it decides the depth or the coverage, or writes to memory
  allowed,  // nobody can tell the difference
  forced,   // [earlydepthstencil]: the test comes first, and a depth that the shader writes is ignored
};

/// In Direct3D the test follows the shader, unless the shader forces it to the front (HLSL reference,
/// attribute earlydepthstencil). Shaders of other stages: late.
EarlyDepth early_depth(const Module& module);

std::string_view spelling(EarlyDepth when);

}  // namespace texlate::ir
