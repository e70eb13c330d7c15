// What something needs, in a module with constructs. (In straight-line code a walk backwards sees it by
// itself.)
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "ir/base/buffer.h"
#include "ir/structure.h"

namespace texlate::ir {

class Liveness {
 public:
  /// All memory comes from `arena`; `structure` must have been made from the module as it is.
  Liveness(const Module& module, const Structure& structure, std::pmr::monotonic_buffer_resource& arena);

  /// Is the instruction needed, which is neither a marker nor a jump?
  bool is_live(uint32_t index) const { return live_instruction_[index] != 0; }
  /// The same for markers, which stay with their construct, and jumps.
  bool stays(uint32_t index) const {
    const Op op = module_.code[index].op;
    const bool is_own_marker = bounds_region(op) && op != Op::phase;
    return live_instruction_[is_own_marker ? structure_.of(index).marker : index] != 0;
  }
  /// Is this result of a marker needed?
  bool is_value_live(Value value) const { return (values_[value] & kLive) != 0; }
  /// For instructions that are needed and are no markers: may some operand be a result of a marker?
  bool uses_marker(uint32_t index) const { return (live_instruction_[index] & kUsesMarker) != 0; }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  static constexpr uint8_t kLive = 1, kOfMarker = 2, kPassed = 4;  // of values_
  static constexpr uint8_t kUsesMarker = 2;  // of live_instruction_: some result of a marker

  void find_markers();
  void note_results(uint32_t index, uint8_t what);
  bool is_root(uint32_t index, Op op) const;
  uint32_t loop_that_may_wait(const Instruction& instruction, uint32_t around) const;
  bool has_live_result(const Instruction& instruction) const;
  void mark();
  uint32_t mark_control(uint32_t index, const Instruction& instruction, uint32_t around);
  uint8_t mark_operands(const Instruction& instruction);
  void mark_instruction(uint32_t index);
  void mark_value(Value value);
  uint32_t construct_around(uint32_t index, Op op) const;
  void need(uint32_t index);
  void need_passed_values();
  void need_sources(uint32_t index, uint32_t position);
  void need_passed(uint32_t first, uint32_t position);

  const Module& module_;
  const Structure& structure_;
  ArenaBuffer<uint32_t> defined_at_;     // of kOfMarker and kPassed: by value, its instruction
  std::span<uint8_t> live_instruction_;  // 0: nothing needs it
  std::span<uint8_t> values_;
  ArenaBuffer<uint32_t> waiting_;  // live instructions whose needs are not marked yet
  ArenaBuffer<Value> results_;     // live results of markers, likewise
  uint32_t cursor_ = 0;            // mark() has come back to here
};

/// The marker whose results the operands of this marker or jump become; kNoIndex: they have none, or are its
/// own.
uint32_t receiver_of(const Structure& structure, uint32_t index, Op op);

}  // namespace texlate::ir
