// Runs the lanes of a launch, and gives it their outputs.
#include <algorithm>

#include "sim/ir/machine.h"

namespace texlate::sim {

using ir::Op;

void Machine::start_lanes(uint32_t count) {
  open_.clear();
  outputs_.clear();
  memory_.start_lanes();
  lanes_.start(count);
}

/// Runs the elements of a launch, as many at once as there are lanes: start(lane, element), the steps from
/// `begin` to `end`, finish(lane, element).
template <typename Start, typename Finish>
void Machine::run_elements(uint64_t elements, uint32_t begin, uint32_t end, Start start, Finish finish) {
  for (uint64_t first = 0; first < elements && !lanes_.report.cut_off; first += lanes_.count) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(lanes_.count, elements - first));
    lanes_.first_element = static_cast<uint32_t>(first);
    start_lanes(count);
    for (uint32_t lane = 0; lane < count; ++lane) start(lane, first + lane);
    execute(begin, end);
    for (uint32_t lane = 0; lane < count; ++lane) {
      lanes_.report.undefined |= lanes_.undefined[lane];
      finish(lane, first + lane);
    }
    if (lanes_.module.stage != ir::Stage::hull)
      report_progress(static_cast<double>(first + count) / static_cast<double>(elements));
  }
}

void Machine::run_stream(const StreamLaunch& launch) {
  lanes_.stream = &launch;
  lanes_.mixed_quads.assign((launch.count + 3) / 4, 0);
  const auto start = [&](uint32_t lane, size_t element) {
    if (!launch.covered.empty() && launch.covered[element] == 0) lanes_.live.reset(lane);
  };
  const auto finish = [&](uint32_t lane, size_t element) {
    if (!launch.undefined.empty()) launch.undefined[element] = lanes_.undefined[lane];
    if (!lanes_.live.test(lane)) return;
    if (!launch.written.empty()) launch.written[element] = 1;
    outputs_.copy(lane, launch.count, element, launch.outputs, launch.assigned);
  };
  run_elements(launch.count, 0, step_count(), start, finish);
}

void Machine::run_groups(const GroupLaunch& launch) {
  const auto& size = lanes_.module.thread_group;
  const uint32_t threads = size[0] * size[1] * size[2];
  const uint64_t total = uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2];
  uint64_t done = 0;
  std::array<uint32_t, 3>& group = lanes_.group;
  for (group[2] = 0; group[2] < launch.groups[2]; ++group[2]) {
    for (group[1] = 0; group[1] < launch.groups[1]; ++group[1]) {
      for (group[0] = 0; group[0] < launch.groups[0] && !lanes_.report.cut_off; ++group[0]) {
        start_lanes(threads);
        memory_.start_group();
        execute(0, step_count());
        for (uint32_t lane = 0; lane < threads; ++lane) lanes_.report.undefined |= lanes_.undefined[lane];
        ++done;
        ++lanes_.group_number;
        report_progress(static_cast<double>(done) / static_cast<double>(total));
      }
    }
  }
}

void Machine::run_phase(const HullLaunch& launch, uint32_t patch, uint32_t phase) {
  const auto is_phase = [&](uint32_t number) {
    return [number](const Step& step) { return step.op == Op::phase && step.payload == number; };
  };
  const auto& steps = lanes_.program.steps;
  const auto marker = std::find_if(steps.begin(), steps.end(), is_phase(phase));
  const auto next = std::find_if(marker, steps.end(), is_phase(phase + 1));
  const auto begin = static_cast<uint32_t>(marker - steps.begin());
  const auto end = static_cast<uint32_t>(next - steps.begin());
  const bool makes_points = lanes_.module.phases[phase].kind == ir::HullPhase::control_point;
  const uint32_t points = lanes_.module.output_control_points;
  const uint32_t instances = makes_points ? points : lanes_.module.phases[phase].instance_count;
  const auto start = [&](uint32_t lane, uint64_t instance) {
    primitives_.start(lane, {patch, static_cast<uint32_t>(instance)});
  };
  const auto finish = [&](uint32_t lane, size_t instance) {
    if (!launch.undefined.empty()) launch.undefined[patch] |= lanes_.undefined[lane];
    if (!makes_points) return;
    outputs_.copy(lane, size_t{launch.patches.primitives} * points, size_t{patch} * points + instance,
                  launch.control_points, launch.assigned);
  };
  run_elements(instances, begin, end, start, finish);
}

void Machine::run_hull(const HullLaunch& launch) {
  primitives_.start(launch);
  for (uint32_t patch = 0; patch < launch.patches.primitives && !lanes_.report.cut_off; ++patch) {
    primitives_.start_patch();
    lanes_.group_number = patch;
    for (uint32_t phase = 0; phase < lanes_.module.phases.size() && !lanes_.report.cut_off; ++phase) {
      run_phase(launch, patch, phase);
      ++lanes_.barriers.uav;
    }
    primitives_.note_assigned_constants(patch);
    report_progress((patch + 1.0) / launch.patches.primitives);
  }
}

void Machine::run_domain(const DomainLaunch& launch) {
  primitives_.start(launch);
  const auto start = [&](uint32_t lane, size_t point) {
    primitives_.start(lane, {launch.patch[point], static_cast<uint32_t>(point)});
  };
  const auto finish = [&](uint32_t lane, size_t point) {
    if (!launch.undefined.empty()) launch.undefined[point] = lanes_.undefined[lane];
    outputs_.copy(lane, launch.count, point, launch.outputs, launch.assigned);
  };
  run_elements(launch.count, 0, step_count(), start, finish);
}

void Machine::run_geometry(const GeometryLaunch& launch) {
  primitives_.start(launch);
  EmittedVertices& emitted = *launch.emitted;
  emitted.planes = static_cast<uint32_t>(outputs_.declared().size());
  const uint32_t instances = std::max(lanes_.module.gs_instances, 1u);
  const auto start = [&](uint32_t lane, uint64_t element) {
    primitives_.start(
        lane, {static_cast<uint32_t>(element / instances), static_cast<uint32_t>(element % instances)});
  };
  const auto finish = [&](uint32_t lane, uint64_t) {
    const Emission& from = primitives_.emission(lane);
    emitted.vertices.insert(emitted.vertices.end(), from.vertices.begin(), from.vertices.end());
    emitted.words.insert(emitted.words.end(), from.words.begin(), from.words.end());
    emitted.written.insert(emitted.written.end(), from.written.begin(), from.written.end());
  };
  run_elements(uint64_t{launch.primitives.primitives} * instances, 0, step_count(), start, finish);
}

}  // namespace texlate::sim
