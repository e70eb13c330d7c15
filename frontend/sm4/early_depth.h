// Whether the depth and stencil test may run before a pixel shader.
#pragma once

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

enum class EarlyDepth : uint8_t { late, allowed, forced };

/// What ir/early_depth.h says of the translated program, from its declarations and instructions.
EarlyDepth early_depth(const Program& program);

std::string_view spelling(EarlyDepth when);

}  // namespace texlate::sm4
