// The tessellation factors among the system values of patch constants.
#pragma once

#include <optional>

#include "ir/module.h"

namespace texlate::ir {

/// Of the edges of a patch, or of its inside: which one. For isolines lines come first (density), then
/// segments (detail).
struct TessellationFactor {
  bool inner = false;
  uint32_t index = 0;
};
/// Nothing for other system values.
constexpr std::optional<TessellationFactor> tessellation_factor(SystemValue value) {
  switch (value) {
    case SystemValue::quad_edge_u0:
    case SystemValue::tri_edge_u:
    case SystemValue::line_density: return {{false, 0}};
    case SystemValue::quad_edge_v0:
    case SystemValue::tri_edge_v:
    case SystemValue::line_detail: return {{false, 1}};
    case SystemValue::quad_edge_u1:
    case SystemValue::tri_edge_w: return {{false, 2}};
    case SystemValue::quad_edge_v1: return {{false, 3}};
    case SystemValue::quad_inside_u:
    case SystemValue::tri_inside: return {{true, 0}};
    case SystemValue::quad_inside_v: return {{true, 1}};
    default: return std::nullopt;
  }
}

}  // namespace texlate::ir
