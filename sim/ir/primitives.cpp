// Hull, domain and geometry shaders: inputs by vertex, patch constants, emission (D3D11.3 functional
// specification 10 to 13).

#include <algorithm>

#include "sim/ir/float_rules.h"
#include "sim/ir/machine.h"

namespace texlate::sim {

using ir::Op;

void Machine::start_primitives(const PrimitiveInputs& primitives) {
  primitives_ = &primitives;
  origins_.assign(lanes_, {});
}

// ---- launches ----

void Machine::run_hull(const HullLaunch& launch) {
  start_primitives(launch.patches);
  hull_ = &launch;
  for (uint32_t patch = 0; patch < launch.patches.primitives && !report_.cut_off; ++patch) {
    patch_constants_.assign(patch_constant_plane_count(module_), {});
    group_number_ = patch;
    for (uint32_t phase = 0; phase < module_.phases.size() && !report_.cut_off; ++phase) {
      run_phase(launch, patch, phase);
      ++uav_barriers_;
    }
    for (uint32_t plane = 0; plane < patch_constants_.size() && !launch.assigned_constants.empty(); ++plane) {
      launch.assigned_constants[size_t{plane} * launch.patches.primitives + patch] =
          patch_constants_[plane].writer != PatchConstant::kNobody ? 1 : 0;
    }
    if (options_.progress) options_.progress((patch + 1.0) / launch.patches.primitives);
  }
}

void Machine::run_phase(const HullLaunch& launch, uint32_t patch, uint32_t phase) {
  const auto is_phase = [&](uint32_t number) {
    return [number](const Step& step) { return step.op == Op::phase && step.payload == number; };
  };
  const auto& steps = program_.steps;
  const auto marker = std::find_if(steps.begin(), steps.end(), is_phase(phase));
  const auto next = std::find_if(marker, steps.end(), is_phase(phase + 1));
  const auto first = static_cast<uint32_t>(marker - steps.begin());
  const auto end = static_cast<uint32_t>(next - steps.begin());
  const bool makes_points = module_.phases[phase].kind == ir::HullPhase::control_point;
  const uint32_t points = module_.output_control_points;
  const uint32_t instances = makes_points ? points : module_.phases[phase].instance_count;
  for (first_element_ = 0; first_element_ < instances && !report_.cut_off; first_element_ += lanes_) {
    const uint32_t count = std::min(lanes_, instances - first_element_);
    start_lanes(count);
    for (uint32_t lane = 0; lane < count; ++lane) origins_[lane] = {patch, first_element_ + lane};
    execute(first, end);
    for (uint32_t lane = 0; lane < count; ++lane) {
      report_.undefined |= undefined_[lane];
      if (!launch.undefined.empty()) launch.undefined[patch] |= undefined_[lane];
      for (uint32_t plane = 0; plane < declared_outputs_.size() && makes_points; ++plane) {
        if (declared_outputs_[plane] == 0) continue;
        const size_t row = size_t{plane} * launch.patches.primitives + patch;
        const size_t word = row * points + first_element_ + lane, from = size_t{plane} * lanes_ + lane;
        launch.control_points[word] = outputs_[from];
        if (!launch.assigned.empty()) launch.assigned[word] = output_written_[from];
      }
    }
  }
}

void Machine::run_domain(const DomainLaunch& launch) {
  start_primitives(launch.patches);
  domain_ = &launch;
  for (first_element_ = 0; first_element_ < launch.count && !report_.cut_off; first_element_ += lanes_) {
    const uint32_t count = std::min(lanes_, launch.count - first_element_);
    start_lanes(count);
    for (uint32_t lane = 0; lane < count; ++lane)
      origins_[lane] = {launch.patch[first_element_ + lane], first_element_ + lane};
    execute();
    for (uint32_t lane = 0; lane < count; ++lane) {
      report_.undefined |= undefined_[lane];
      if (!launch.undefined.empty()) launch.undefined[first_element_ + lane] = undefined_[lane];
      for (uint32_t plane = 0; plane < declared_outputs_.size(); ++plane) {
        if (declared_outputs_[plane] == 0) continue;
        const size_t word = size_t{plane} * launch.count + first_element_ + lane;
        launch.outputs[word] = outputs_[size_t{plane} * lanes_ + lane];
        if (!launch.assigned.empty()) launch.assigned[word] = output_written_[size_t{plane} * lanes_ + lane];
      }
    }
    if (options_.progress) options_.progress(static_cast<double>(first_element_ + count) / launch.count);
  }
}

void Machine::run_geometry(const GeometryLaunch& launch) {
  start_primitives(launch.primitives);
  EmittedVertices& emitted = *launch.emitted;
  emitted.planes = static_cast<uint32_t>(declared_outputs_.size());
  const uint32_t instances = std::max(module_.gs_instances, 1u);
  const uint64_t total = uint64_t{launch.primitives.primitives} * instances;
  for (uint64_t first = 0; first < total && !report_.cut_off; first += lanes_) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(lanes_, total - first));
    first_element_ = static_cast<uint32_t>(first);
    start_lanes(count);
    emissions_.assign(count, {});
    for (uint32_t lane = 0; lane < count; ++lane) {
      origins_[lane] = {static_cast<uint32_t>((first + lane) / instances),
                        static_cast<uint32_t>((first + lane) % instances)};
    }
    execute();
    for (uint32_t lane = 0; lane < count; ++lane) {
      report_.undefined |= undefined_[lane];
      const Emission& from = emissions_[lane];
      emitted.vertices.insert(emitted.vertices.end(), from.vertices.begin(), from.vertices.end());
      emitted.words.insert(emitted.words.end(), from.words.begin(), from.words.end());
      emitted.written.insert(emitted.written.end(), from.written.begin(), from.written.end());
    }
    if (options_.progress) options_.progress(static_cast<double>(first + count) / static_cast<double>(total));
  }
}

// ---- inputs ----

uint32_t Machine::vertex_word(std::span<const uint32_t> planes, uint32_t vertices, uint32_t plane,
                              uint32_t primitive, uint32_t vertex) const {
  const size_t at = (size_t{plane} * primitives_->primitives + primitive) * vertices + vertex;
  return at < planes.size() ? planes[at] : 0;
}

// v[vertex][register], vicp, vocp. A vertex out of range is undefined, and so is a component that is not
// declared.
void Machine::load_vertex(const Step& step, std::span<const uint32_t> planes,
                          std::span<const uint8_t> declared, uint32_t vertices) {
  const uint32_t* vertex = row(step.operand[0]);
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  uint32_t* to = row(step.result);
  for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? row(step.operand[1])[lane] : 0;
    const uint64_t plane = uint64_t{index} * 4 + step.payload;
    const bool is_declared = plane < declared.size() && declared[plane] != 0;
    if (!is_declared) flag(lane, Undefined::interpolant);
    if (vertex[lane] >= vertices) flag(lane, Undefined::vertex_index);
    const bool inside = is_declared && vertex[lane] < vertices;
    to[lane] = inside ? vertex_word(planes, vertices, static_cast<uint32_t>(plane), origins_[lane].primitive,
                                    vertex[lane])
                      : 0;
  });
}

uint32_t Machine::origin_word(ir::SystemValue value, uint32_t component, uint32_t lane) const {
  const Origin& origin = origins_[lane];
  switch (value) {
    case ir::SystemValue::output_control_point_id:
    case ir::SystemValue::fork_instance_id:
    case ir::SystemValue::join_instance_id:
    case ir::SystemValue::gs_instance_id: return component == 0 ? origin.instance : 0;
    case ir::SystemValue::primitive_register:
      if (component != 0) return 0;
      return origin.primitive < primitives_->ids.size() ? primitives_->ids[origin.primitive]
                                                        : origin.primitive;
    case ir::SystemValue::domain_point: {
      if (domain_ == nullptr || component > 2) return 0;
      return domain_->locations[size_t{component} * domain_->count + origin.instance];
    }
    default: return 0;
  }
}

// ---- patch constants ----

void Machine::load_patch_constant(const Step& step) {
  const uint32_t planes = patch_constant_plane_count(module_);
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  uint32_t* to = row(step.result);
  for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? row(step.operand[0])[lane] : 0;
    const uint64_t plane = uint64_t{index} * 4 + step.payload;
    to[lane] = 0;
    if (plane >= planes) return flag(lane, Undefined::interpolant);
    const size_t at = plane * primitives_->primitives + origins_[lane].primitive;
    if (domain_ != nullptr) {
      if (at < domain_->constants.size()) to[lane] = domain_->constants[at];
      return;
    }
    to[lane] = hull_->constants[at];
    PatchConstant& constant = patch_constants_[plane];
    const uint32_t self = origins_[lane].instance;
    if (constant.writer == PatchConstant::kNobody) flag(lane, Undefined::uninitialized);
    if (constant.writing_phase == uav_barriers_ && constant.writer != self) flag(lane, Undefined::race);
    const bool is_first = constant.reading_phase != uav_barriers_ || constant.reader == self;
    constant.reader = is_first ? self : PatchConstant::kSeveral;
    constant.reading_phase = uav_barriers_;
  });
}

void Machine::store_patch_constant(const Step& step) {
  const uint32_t planes = patch_constant_plane_count(module_);
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  const uint32_t* value = row(step.operand[step.operand_count - 1]);
  for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? row(step.operand[0])[lane] : 0;
    const uint64_t plane = uint64_t{index} * 4 + step.payload;
    if (plane >= planes) return flag(lane, Undefined::interpolant);
    uint32_t& word = hull_->constants[plane * primitives_->primitives + origins_[lane].primitive];
    PatchConstant& constant = patch_constants_[plane];
    const uint32_t self = origins_[lane].instance;
    const bool another_wrote = constant.writing_phase == uav_barriers_ && constant.writer != self;
    const bool another_read = constant.reading_phase == uav_barriers_ && constant.reader != self;
    if ((another_wrote || another_read) && word != value[lane]) flag(lane, Undefined::race);
    constant.writing_phase = uav_barriers_;
    constant.writer = self;
    word = value[lane];
  });
}

// ---- emission ----

// Emissions beyond the declared count are dropped. After each, all output registers are undefined (13.4).
void Machine::emit_vertex(const Step& step) {
  const uint32_t planes = static_cast<uint32_t>(declared_outputs_.size());
  const uint32_t stream = 1u << step.payload;
  for_active([&](uint32_t lane) {
    Emission& emission = emissions_[lane];
    const bool is_kept = emission.count++ < module_.max_vertex_count;
    if (is_kept) {
      emission.vertices.push_back({origins_[lane].primitive, origins_[lane].instance, step.payload,
                                   (emission.open_streams & stream) == 0, undefined_[lane]});
      emission.open_streams |= stream;
    }
    for (uint32_t plane = 0; plane < planes; ++plane) {
      const size_t at = size_t{plane} * lanes_ + lane;
      if (is_kept) {
        emission.words.push_back(outputs_[at]);
        emission.written.push_back(output_written_[at]);
      }
      outputs_[at] = 0;
      output_written_[at] = 0;
    }
  });
}

void Machine::cut_strip(const Step& step) {
  for_active([&](uint32_t lane) { emissions_[lane].open_streams &= ~(1u << step.payload); });
}

}  // namespace texlate::sim
