// What the launch ABI binds for dimensions that CUDA lacks.
#pragma once

#include "ir/resource.h"

namespace texlate::launch {

/// CUDA's 1D arrays have 2D headers, so one-dimensional textures are bound as two-dimensional ones of height
/// 1 (docs/reference/ptx.md 2, "1D textures"). CUDA cannot make multisampled arrays, so samples are bound as
/// slices (docs/launch_abi.md).
constexpr ir::Dimension stand_in(ir::Dimension dimension) {
  switch (dimension) {
    case ir::Dimension::texture1d: return ir::Dimension::texture2d;
    case ir::Dimension::texture1d_array: return ir::Dimension::texture2d_array;
    case ir::Dimension::texture2d_ms:
    case ir::Dimension::texture2d_ms_array: return ir::Dimension::texture2d_array;
    default: return dimension;
  }
}

}  // namespace texlate::launch
