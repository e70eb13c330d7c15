// A launch on the PTX machine with one or several schedules, and the faults that it reports.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "tools/executor/shader.h"

namespace texlate::executor {

/// The location of a fault: in the PTX, and in the shader from which it was made.
struct PtxText {
  std::string_view text;
  std::span<const launch::LineMark> lines;  // may be empty
  bool by_element = false;                  // a thread is a pixel or a vertex
};

using PtxLaunch = std::function<sim::ptx::Report(const sim::ptx::MachineOptions&, RouteResult&)>;

/// Launches with limits.schedules schedules. The scene and the result are those of the plain schedule. A
/// schedule with a different result is reported.
void run_under_schedules(const PtxText& text, sim::Scene& scene, const RunLimits& limits,
                         const PtxLaunch& launch, RouteResult& result);

}  // namespace texlate::executor
