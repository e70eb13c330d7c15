// Which stages may declare a register with a system value in Vulkan (Vulkan, Built-In Variables). Those
// that have instructions of their own are in the right stage: ir::verify().
#pragma once

#include "ir/module.h"

namespace texlate::spirv {

using StageSet = uint8_t;
constexpr StageSet stages(std::initializer_list<ir::Stage> list) {
  StageSet set = 0;
  for (ir::Stage stage : list) set = static_cast<StageSet>(set | 1u << static_cast<uint32_t>(stage));
  return set;
}

constexpr StageSet stages_that_read(ir::SystemValue value) {
  using enum ir::SystemValue;
  using ir::Stage;
  switch (value) {
    case position:  // of a vertex; in a pixel shader, of the fragment
    case clip_distance:
    case cull_distance:
    case primitive_id:
    case primitive_register: return stages({Stage::hull, Stage::domain, Stage::geometry, Stage::pixel});
    case vertex_id:
    case instance_id: return stages({Stage::vertex});
    case render_target_array_index:
    case viewport_array_index:
    case is_front_face:
    case sample_index: return stages({Stage::pixel});
    default: return 0;
  }
}

constexpr StageSet stages_that_write(ir::SystemValue value) {
  using enum ir::SystemValue;
  using ir::Stage;
  switch (value) {
    case position:
    case clip_distance:
    case cull_distance:
    case render_target_array_index:
    case viewport_array_index: return stages({Stage::vertex, Stage::domain, Stage::geometry});
    case primitive_id: return stages({Stage::geometry});
    case depth:
    case depth_greater_equal:
    case depth_less_equal:
    case stencil_ref:
    case coverage_out: return stages({Stage::pixel});
    default: return 0;
  }
}

constexpr bool holds(StageSet set, ir::Stage stage) {
  return ((set >> static_cast<uint32_t>(stage)) & 1u) != 0;
}

}  // namespace texlate::spirv
