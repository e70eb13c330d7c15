// A launch on the PTX machine under one or several schedules, and the faults that it reports.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "tools/executor/shader.h"

namespace texlate::executor {

/// The location of a fault: in the PTX, and in the shader that it was made from.
struct PtxText {
  std::string_view text;
  std::span<const launch::LineMark> lines;  // may be empty
  bool by_element = false;                  // a thread is a pixel or a vertex
};

using PtxLaunch = std::function<sim::ptx::Report(const sim::ptx::MachineOptions&, RouteResult&)>;

/// Launches under limits.schedules schedules; what stays in scene and result is the plain one's. A schedule
/// with a different result is reported.
void run_under_schedules(const PtxText& text, sim::Scene& scene, const RunLimits& limits,
                         const PtxLaunch& launch, RouteResult& result);

}  // namespace texlate::executor
