// The interpreter while it runs: launches (launch.cpp), and execution with masks for control flow.
#pragma once

#include <utility>
#include <vector>

#include "sim/ir/interface.h"
#include "sim/ir/memory.h"
#include "sim/ir/resource_access.h"

namespace texlate::sim {

constexpr uint32_t kStreamLanes = 64;
constexpr uint32_t kPatchLanes = 32;  // as many control points as a patch can have

class Machine {
 public:
  Machine(const ir::Module& module, const Program& program, const Bindings& bindings,
          const InterpreterOptions& options, uint32_t lanes)
      : lanes_(module, program, bindings, options, lanes) {}

  // launch.cpp
  void run_stream(const StreamLaunch& launch);
  void run_groups(const GroupLaunch& launch);
  void run_hull(const HullLaunch& launch);
  void run_domain(const DomainLaunch& launch);
  void run_geometry(const GeometryLaunch& launch);
  RunReport take_report() { return std::move(lanes_.report); }

 private:
  struct Open {
    LaneMask waiting;  // if: lanes of the other arm; switch: lanes not yet at their label
    LaneMask leaving;  // lanes that have reached the end: at the end of the first arm, or by break
    LaneMask again;    // loop: lanes that continue; switch: lanes that no case names
    uint32_t selector = 0;
  };

  // launch.cpp
  void run_phase(const HullLaunch& launch, uint32_t patch, uint32_t phase);
  template <typename Start, typename Finish>
  void run_elements(uint64_t elements, uint32_t begin, uint32_t end, Start start, Finish finish);
  void start_lanes(uint32_t count);
  void report_progress(double progress) const {
    if (lanes_.options.progress) lanes_.options.progress(progress);
  }
  uint32_t step_count() const { return static_cast<uint32_t>(lanes_.program.steps.size()); }

  void execute(uint32_t begin, uint32_t end);
  bool spend(uint64_t lane_instructions);
  void run_pure(const Step& step);
  void flag_large_angles(const uint32_t* angles);
  void run_step(const Step& step);
  void run_effect(const Step& step);
  uint32_t run_control(const Step& step, uint32_t at);  // run_control and the next functions: the next step
  uint32_t run_branch(const Step& step, uint32_t at);
  uint32_t run_loop(const Step& step, uint32_t at);
  uint32_t run_switch(const Step& step, uint32_t at);
  uint32_t next_step(const Step& step, uint32_t at) const;
  void copy_yields(const Step& step);
  void enter_switch(const Step& step);

  Lanes lanes_;
  Memory memory_{lanes_};
  Outputs outputs_{lanes_};
  Primitives primitives_{lanes_, outputs_};
  Interface interface_{lanes_, outputs_, primitives_};
  ResourceAccesses accesses_{lanes_};
  std::vector<Open> open_;
  std::vector<uint32_t> copy_buffer_;
};

}  // namespace texlate::sim
