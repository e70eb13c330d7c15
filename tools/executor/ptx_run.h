// A launch on the PTX machine under one or several schedules, and what it complains about.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "tools/executor/shader.h"

namespace texlate::executor {

/// Where a fault's line stands: in the PTX, and in what it was made of.
struct PtxText {
  std::string_view text;
  std::span<const launch::LineMark> lines;  // may be empty
  bool by_element = false;                  // a thread is a pixel or a vertex
};

using PtxLaunch = std::function<sim::ptx::Report(const sim::ptx::MachineOptions&, RouteResult&)>;

/// Launches under limits.schedules schedules; what stays in scene and result is the plain one's. A schedule
/// that ends otherwise is a complaint.
void run_under_schedules(const PtxText& text, sim::Scene& scene, const RunLimits& limits,
                         const PtxLaunch& launch, RouteResult& result);

}  // namespace texlate::executor
