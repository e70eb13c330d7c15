#include "tools/executor/ptx_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace texlate::executor {

namespace {

bool ends_a_launch(sim::ptx::FaultKind kind) {
  using enum sim::ptx::FaultKind;
  switch (kind) {
    case poison_store:
    case poison_address:
    case poison_branch:
    case poison_texture:
    case limit: return false;
    case out_of_range:
    case misaligned:
    case surface_trap:
    case divergent_barrier:
    case deadlock:
    case warp_mask:
    case recursion:
    case trap:
    case launch: return true;
  }
  return true;
}

/// The instruction on that line of PTX (1-based).
std::string_view instruction_on(std::string_view text, uint32_t line) {
  for (; line > 1 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find(';'));
}

/// The text names only the first faults. `troubled` has every element, or none if some fault does not belong
/// to an element.
void keep_faults(sim::ptx::Report report, const PtxText& text, RouteResult& result) {
  if (report.ok()) return;
  constexpr size_t kShownFaults = 8;
  const bool own = report.faults.size() == report.fault_count &&
                   std::all_of(report.faults.begin(), report.faults.end(), [](const sim::ptx::Fault& fault) {
                     return fault.kind <= sim::ptx::FaultKind::poison_texture;
                   });
  for (const sim::ptx::Fault& fault : report.faults) {
    result.cut_off |= fault.kind == sim::ptx::FaultKind::limit;
    if (own) result.troubled.push_back(text.by_element ? fault.block.x * kStreamBlock + fault.thread.x : 0);
    result.failed |= ends_a_launch(fault.kind);
  }
  if (report.faults.size() > kShownFaults) report.faults.resize(kShownFaults);
  for (sim::ptx::Fault& fault : report.faults) {
    if (fault.line == 0) continue;
    fault.message += fmt::format(": {}", instruction_on(text.text, fault.line));
    const SourceLocation at = launch::location_of_line(text.lines, fault.line);
    if (at.line != 0) fault.message += fmt::format(" (line {} of the shader)", at.line);
    if (at.offset != SourceLocation::kNoOffset)
      fault.message += fmt::format(" (offset {:#x} of the shader)", at.offset);
  }
  result.trouble = report.describe();
}

bool is_same(const RouteResult& a, const RouteResult& b) {
  const auto emitted = [](const sim::EmittedVertex& x, const sim::EmittedVertex& y) {
    return x.primitive == y.primitive && x.instance == y.instance && x.stream == y.stream &&
           x.starts_strip == y.starts_strip;
  };
  return a.outputs == b.outputs && a.uavs == b.uavs && a.patch_constants == b.patch_constants &&
         a.emitted.words == b.emitted.words &&
         std::ranges::equal(a.emitted.vertices, b.emitted.vertices, emitted);
}

}  // namespace

void run_under_schedules(const PtxText& text, sim::Scene& scene, const RunLimits& limits,
                         const PtxLaunch& launch, RouteResult& result) {
  sim::ptx::MachineOptions options;
  options.max_lane_instructions = limits.max_lane_instructions * 8;  // PTX needs more instructions
  options.max_faults = 1u << 16;
  // The plain schedule runs last, so that its result remains.
  std::vector<RouteResult> others(std::max(limits.schedules, 1u) - 1);
  for (uint32_t n = 1; n < limits.schedules; ++n) {
    RouteResult& other = others[n - 1];
    options.schedule = sim::ptx::nth_schedule(n);
    keep_faults(launch(options, other), text, other);
    other.uavs = scene.uav_words();
    scene.reset_uavs();
  }
  options.schedule = {};
  options.progress = limits.progress;
  sim::ptx::Report report = launch(options, result);
  result.lane_instructions = report.lane_instructions;
  keep_faults(std::move(report), text, result);
  result.uavs = scene.uav_words();
  for (uint32_t n = 1; n < limits.schedules && result.trouble.empty(); ++n) {
    const RouteResult& other = others[n - 1];
    result.failed = other.failed;
    result.troubled = other.troubled;
    if (!other.trouble.empty()) result.trouble = fmt::format("under schedule {}: {}", n, other.trouble);
    if (other.trouble.empty() && !is_same(other, result))
      result.trouble = fmt::format("schedule {} gives a different result", n);
  }
}

}  // namespace texlate::executor
