// Hull shaders: Vulkan's tessellation control shaders have no phases, so each phase becomes a function, and
// the entry point calls them in order.
//
// Every invocation runs the control-point phase, one for each output control point. Invocation 0 runs
// all instances of the fork and join phases, one after the other: they are short, join phases read what
// fork phases wrote, and in one invocation their order needs no barriers between phases. There is a
// barrier between control points and patch only if the patch reads output control points (vocp):
// OpControlBarrier makes Output variables visible to the invocations of the patch (SPIR-V 3.42.20,
// "TessellationControl").
#pragma once

#include "backend/spirv/bindings.h"
#include "backend/spirv/outputs.h"

namespace texlate::spirv {

/// Of the function that a phase becomes.
std::string_view hull_phase_name(ir::HullPhase kind);

class HullPhases : private Writer {
 public:
  HullPhases(Core& core, Interface& interface, Outputs& outputs, Bindings& bindings)
      : Writer(core),
        interface_(interface),
        outputs_(outputs),
        bindings_(bindings),
        functions_(module_.memory()) {}

  Id start_phase(uint32_t phase);
  /// Ends the last phase and makes the entry point's body.
  void emit_entry();
  /// Which instance of the phase is running.
  Id instance() const { return instance_ != Id::none ? instance_ : builder_.constant(0); }
  /// Complete functions.
  const Words& functions() const { return functions_; }

 private:
  void finish_phase();
  void call_instances(Id function, uint32_t count);

  Interface& interface_;
  Outputs& outputs_;
  Bindings& bindings_;
  Words functions_;
  ArenaBuffer<Id> phases_{&arena_};  // functions
  uint32_t phase_ = 0;
  Id label_ = Id::none;
  Id instance_ = Id::none;  // parameter of the phase's function; none: the phase has one instance
};

}  // namespace texlate::spirv
