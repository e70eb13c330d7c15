// Clip and cull distances of a stage: one array of each kind, in the order of registers and components.
#pragma once

#include <bit>
#include <span>

#include "ir/module.h"

namespace texlate::ir {

/// How many distances of this kind a stream has before a component of a register.
inline uint32_t distances_before(std::span<const Parameter> parameters, SystemValue kind, uint32_t stream,
                                 uint32_t reg, uint32_t component) {
  uint32_t count = 0;
  for (const Parameter& parameter : parameters) {
    if (parameter.system_value != kind || parameter.stream != stream || parameter.reg > reg) continue;
    const uint32_t mask = parameter.reg < reg ? 0xfu : (1u << component) - 1;
    count += static_cast<uint32_t>(std::popcount(parameter.mask & mask));
  }
  return count;
}
/// All of them.
inline uint32_t distance_count(std::span<const Parameter> parameters, SystemValue kind, uint32_t stream) {
  return distances_before(parameters, kind, stream, UINT32_MAX, 0);
}

}  // namespace texlate::ir
