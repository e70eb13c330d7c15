// Hull, domain and geometry shaders: inputs by vertex, patch constants, emission (D3D11.3 functional
// specification 10 to 13).
#include <algorithm>

#include "sim/ir/interface.h"

namespace texlate::sim {

Primitives::Primitives(Lanes& lanes, Outputs& outputs)
    : lanes_(lanes),
      outputs_(outputs),
      declared_inputs_(input_plane_count(lanes.module)),
      origins_(lanes.count) {
  for (const ir::Parameter& parameter : lanes.module.inputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) declared_inputs_[parameter.reg * 4 + c] = 1;
    }
  }
}

// ---- launches ----

void Primitives::start(const HullLaunch& launch) {
  inputs_ = &launch.patches;
  hull_ = &launch;
}

void Primitives::start(const DomainLaunch& launch) {
  inputs_ = &launch.patches;
  domain_ = &launch;
}

void Primitives::start(const GeometryLaunch& launch) {
  inputs_ = &launch.primitives;
  emissions_.resize(lanes_.count);
}

void Primitives::start(uint32_t lane, const Origin& origin) {
  origins_[lane] = origin;
  if (!emissions_.empty()) emissions_[lane] = {};
}

void Primitives::start_patch() {
  patch_constants_.assign(patch_constant_plane_count(lanes_.module), {});
}

void Primitives::note_assigned_constants(uint32_t patch) const {
  for (uint32_t plane = 0; plane < patch_constants_.size() && !hull_->assigned_constants.empty(); ++plane) {
    hull_->assigned_constants[size_t{plane} * inputs_->primitives + patch] =
        patch_constants_[plane].writer != PatchConstant::kNobody ? 1 : 0;
  }
}

// ---- inputs ----

void Primitives::load_input(const Step& step) {
  if (inputs_ != nullptr) load_vertex(step, inputs_->planes, declared_inputs_, inputs_->vertices);
}

void Primitives::load_control_point(const Step& step) {
  if (hull_ == nullptr) return;
  load_vertex(step, hull_->control_points, outputs_.declared(), lanes_.module.output_control_points);
}

// v[vertex][register], vicp, vocp. A vertex out of range is undefined, and so is a component that is not
// declared.
void Primitives::load_vertex(const Step& step, std::span<const uint32_t> planes,
                             std::span<const uint8_t> declared, uint32_t vertices) {
  const uint32_t* vertex = lanes_.row(step.operand[0]);
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  uint32_t* to = lanes_.row(step.result);
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? lanes_.row(step.operand[1])[lane] : 0;
    const uint64_t plane = uint64_t{index} * 4 + step.payload;
    const bool is_declared = plane < declared.size() && declared[plane] != 0;
    if (!is_declared) lanes_.flag(lane, Undefined::interpolant);
    if (vertex[lane] >= vertices) lanes_.flag(lane, Undefined::vertex_index);
    const size_t at = (plane * inputs_->primitives + origins_[lane].primitive) * vertices + vertex[lane];
    const bool inside = is_declared && vertex[lane] < vertices && at < planes.size();
    to[lane] = inside ? planes[at] : 0;
  });
}

uint32_t Primitives::system_value(ir::SystemValue value, uint32_t component, uint32_t lane) const {
  if (inputs_ == nullptr) return 0;
  const Origin& origin = origins_[lane];
  switch (value) {
    case ir::SystemValue::output_control_point_id:
    case ir::SystemValue::fork_instance_id:
    case ir::SystemValue::join_instance_id:
    case ir::SystemValue::gs_instance_id: return component == 0 ? origin.instance : 0;
    case ir::SystemValue::primitive_register:
      if (component != 0) return 0;
      return origin.primitive < inputs_->ids.size() ? inputs_->ids[origin.primitive] : origin.primitive;
    case ir::SystemValue::domain_point: {
      if (domain_ == nullptr || component > 2) return 0;
      return domain_->locations[size_t{component} * domain_->count + origin.instance];
    }
    default: return 0;
  }
}

// ---- patch constants ----

void Primitives::load_patch_constant(const Step& step) {
  const uint32_t planes = patch_constant_plane_count(lanes_.module);
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  uint32_t* to = lanes_.row(step.result);
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? lanes_.row(step.operand[0])[lane] : 0;
    const uint64_t plane = uint64_t{index} * 4 + step.payload;
    to[lane] = 0;
    if (plane >= planes) return lanes_.flag(lane, Undefined::interpolant);
    const size_t at = plane * inputs_->primitives + origins_[lane].primitive;
    if (domain_ != nullptr) {
      if (at < domain_->constants.size()) to[lane] = domain_->constants[at];
      return;
    }
    to[lane] = hull_->constants[at];
    PatchConstant& constant = patch_constants_[plane];
    const uint32_t self = origins_[lane].instance;
    if (constant.writer == PatchConstant::kNobody) lanes_.flag(lane, Undefined::uninitialized);
    if (constant.writing_phase == lanes_.barriers.uav && constant.writer != self)
      lanes_.flag(lane, Undefined::race);
    const bool is_first = constant.reading_phase != lanes_.barriers.uav || constant.reader == self;
    constant.reader = is_first ? self : PatchConstant::kSeveral;
    constant.reading_phase = lanes_.barriers.uav;
  });
}

void Primitives::store_patch_constant(const Step& step) {
  const uint32_t planes = patch_constant_plane_count(lanes_.module);
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  const uint32_t* value = lanes_.row(step.operand[step.operand_count - 1]);
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? lanes_.row(step.operand[0])[lane] : 0;
    const uint64_t plane = uint64_t{index} * 4 + step.payload;
    if (plane >= planes) return lanes_.flag(lane, Undefined::interpolant);
    uint32_t& word = hull_->constants[plane * inputs_->primitives + origins_[lane].primitive];
    PatchConstant& constant = patch_constants_[plane];
    const uint32_t self = origins_[lane].instance;
    const bool another_wrote = constant.writing_phase == lanes_.barriers.uav && constant.writer != self;
    const bool another_read = constant.reading_phase == lanes_.barriers.uav && constant.reader != self;
    if ((another_wrote || another_read) && word != value[lane]) lanes_.flag(lane, Undefined::race);
    constant.writing_phase = lanes_.barriers.uav;
    constant.writer = self;
    word = value[lane];
  });
}

// ---- emission ----

// Emissions beyond the declared count are dropped. After each, all output registers are undefined (13.4).
void Primitives::emit_vertex(const Step& step) {
  const uint32_t stream = 1u << step.payload;
  lanes_.for_active([&](uint32_t lane) {
    Emission& emission = emissions_[lane];
    const bool is_kept = emission.count++ < lanes_.module.max_vertex_count;
    if (is_kept) {
      emission.vertices.push_back({origins_[lane].primitive, origins_[lane].instance, step.payload,
                                   (emission.open_streams & stream) == 0, lanes_.undefined[lane]});
      emission.open_streams |= stream;
    }
    outputs_.take(lane, is_kept ? &emission : nullptr);
  });
}

void Primitives::cut_strip(const Step& step) {
  lanes_.for_active([&](uint32_t lane) { emissions_[lane].open_streams &= ~(1u << step.payload); });
}

}  // namespace texlate::sim
