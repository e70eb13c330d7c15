// The IR's constructs are those of SPIR-V: if, loop and switch become blocks with merge instructions. Values
// that leave a construct become phis in its merge block, or keep their ids if only one edge leads there.
#pragma once

#include "backend/spirv/writer.h"

namespace texlate::spirv {

class ControlFlow : private Writer {
 public:
  ControlFlow(Core& core, const ControlMap& control) : Writer(core), control_(control) {}

  /// if, else, endif, loop, endloop, break, continue, switch, case, default, endswitch.
  void emit(const Instruction& instruction);
  /// The number of open constructs.
  size_t depth() const { return open_.size(); }

 private:
  struct Open {
    uint32_t marker, end;
    Id merge = Id::none, other = Id::none;  // other: else, or the continue target
    uint32_t first_edge = kNoIndex, first_continue = kNoIndex;
    uint32_t edge_count = 0, continue_count = 0;
    size_t first_phi = 0;    // loop: index in the body where the header's phis start
    Id next_arm = Id::none;  // switch
  };
  /// An edge from a block to a merge block or continue target: what it passes.
  struct Edge {
    Id block;
    uint32_t first_operand;  // in Module::operands
    uint32_t next;
  };

  uint32_t innermost(bool loops_only) const;
  void branch_with_values(uint32_t construct, bool to_continue, const Instruction& instruction);
  void leave(uint32_t construct, bool to_continue, const Instruction& instruction);
  void emit_phis(const Instruction& results_of, uint32_t first_edge, uint32_t edge_count);
  void pass_on(const Instruction& results_of, const Edge& edge);
  bool emit_conditional_jump(const Instruction& instruction);
  void emit_if(const Instruction& instruction);
  void emit_loop(const Instruction& instruction);
  void emit_endloop(const Instruction& instruction);
  Id next_value(const Open& loop, uint32_t result);
  void emit_switch(const Instruction& instruction);
  void emit_label();
  void close_construct(const Instruction& instruction);
  uint32_t top() const { return static_cast<uint32_t>(open_.size() - 1); }

  const ControlMap& control_;
  ArenaBuffer<Open> open_{&arena_};
  ArenaBuffer<Edge> edges_{&arena_};
};

}  // namespace texlate::spirv
