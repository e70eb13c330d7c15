// The phases of a hull shader as constructs: what launch kernels (lower_hull.cpp) and programs of deko3d
// share.
//
// before:                             after, in one lane that runs all instances:
//   phase 1                             reg.store next, -1
//   %0 = sysval fork_instance_id.x      loop
//   ...                                   %0 = reg.load next
//   return                                %1 = iadd %0, 1
//                                         reg.store next, %1
//                                         %2 = uge.u32 %1, 4
//                                         if %2
//                                           break
//                                         else
//                                         endif
//                                         ...
//                                       endloop
#pragma once

#include <optional>

#include "backend/launch/stage_lowering.h"
#include "ir/structure.h"

namespace texlate::launch {

struct PhaseCode {
  uint32_t first = 0, end = 0;  // instructions, without the marker
  bool returns_early = false;   // from inside a construct
};

class PhaseLowering : public StageLowering {
 protected:
  explicit PhaseLowering(ir::Module& module, Layout* layout = nullptr)
      : StageLowering(module, layout), leaves_(&scratch_) {}
  ~PhaseLowering() = default;

  /// Before lower_phase(), once.
  std::pmr::vector<PhaseCode> find_phases();
  /// `threads` threads, of which this one is number `lane`, share the instances of the phase.
  void lower_phase(const PhaseCode& phase, uint32_t instances, uint32_t threads, Value lane);
  /// The code of one instance, which does not return early.
  void lower_body(const PhaseCode& phase);

  Value instance_ = ir::kNoValue;  // its number

 private:
  // Registers beside those of the stage: construct_ssa makes values of them.
  static constexpr uint32_t kNext = 8 * ir::kSpecialRegister;  // the instance after this one
  static constexpr uint32_t kLeft = kNext + 1;                 // the instance has returned from inside a loop

  const ir::Construct& at(uint32_t construct) const { return (*structure_)[construct]; }
  uint32_t breakable(uint32_t construct) const;
  bool is_in_loop(uint32_t construct) const;
  void mark_exits(uint32_t construct);
  void leave(uint32_t number);
  void leave_further(uint32_t construct, bool continues);
  void jump_out(uint32_t construct);

  std::optional<ir::Structure> structure_;  // from find_phases() on
  std::pmr::vector<bool> leaves_;           // by construct: a return inside it has to leave it
};

}  // namespace texlate::launch
