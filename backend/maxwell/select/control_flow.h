// The IR's constructs as blocks. Values that a construct passes are parameters of its merge block or its loop
// header, and so is the state that it changes.
#pragma once

#include "backend/maxwell/select/host.h"
#include "ir/passes/uniformity.h"
#include "ir/structure.h"

namespace texlate::maxwell::select {

class ControlFlow : private Writer {
 public:
  ControlFlow(Core& core, Host& host);

  void begin_program();
  void finish_program();
  void select(const ir::Instruction& instruction);

 private:
  struct Open {
    uint32_t marker = 0;  // index of if, loop, switch
    machine::BlockId merge = machine::kNoBlock;
    machine::BlockId next = machine::kNoBlock;    // if: the second arm; loop: the continue block
    machine::BlockId header = machine::kNoBlock;  // loop
    MachineValue saved = kNone;                   // the state at the start
    uint32_t arm_count = 0, next_arm = 0;         // switch: the last arm_count of arms_
  };
  struct Arm {
    uint32_t label;  // instruction: its first
    bool is_default;
  };
  /// Do all lanes that reach the `if` or `switch` take the same arm?
  bool is_uniform(uint32_t marker) const {
    return !parts_.empty() && (parts_[marker] & ir::Uniformity::kBySelection) == 0;
  }
  /// Is the point after the construct reached?
  bool is_left(uint32_t marker) const { return structure_.continues(structure_.of(marker).end); }
  void pass(ir::Value value, std::pmr::vector<MachineValue>& list);
  void make_registers(ir::Type type, std::pmr::vector<MachineValue>& list);
  void make_parameters(const ir::Instruction& results, uint32_t marker, std::pmr::vector<MachineValue>& list);
  void jump(machine::BlockId target, std::span<const ir::Value> values, uint32_t marker);
  void begin_merge(const ir::Instruction& end, const Open& construct);
  void open_if(const ir::Instruction& instruction);
  void open_loop(const ir::Instruction& instruction);
  void close_loop(const ir::Instruction& instruction);
  std::pmr::vector<Arm> arms_of(uint32_t marker);
  Predicate test_labels(const Source& selector, uint32_t label);
  void open_switch(const ir::Instruction& instruction);
  void open_arm();
  void leave_program();
  Open* innermost(bool loops_only);

  Host& host_;
  const ir::Structure structure_;
  std::pmr::vector<uint8_t> parts_{module_.memory()};  // by marker: Uniformity::Parting; empty: not known
  std::pmr::vector<Open> open_{module_.memory()};
  std::pmr::vector<machine::BlockId> arms_{module_.memory()};  // of open switches
  std::pmr::vector<MachineValue> scratch_{module_.memory()};
  machine::BlockId exit_block_ = machine::kNoBlock;  // streams whose program returns early
  bool returns_early_ = false;
};

}  // namespace texlate::maxwell::select
