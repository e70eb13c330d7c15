// What SPIR-V's emission must know about the module's constructs before it starts.
#pragma once

#include <memory_resource>
#include <optional>
#include <span>

#include "ir/passes/liveness.h"

namespace texlate::spirv {

constexpr uint32_t kNoIndex = 0xffffffffu;

/// Indexed by instruction of Survey::code; all spans are empty if the module has no constructs.
struct ControlMap {
  /// if: its else; else: its endif; loop, switch: the end marker.
  std::span<uint32_t> end_of;
  /// The first of the results that the operands of this marker or jump become; kNoValue: none.
  std::span<ir::Value> passes_to;
  /// For opening markers: nothing inside the construct reads outputs or jumps out of it, so that outputs can
  /// be held back over it.
  std::span<uint8_t> holds_over;
};

/// The constructs of a module, while survey() walks over it backwards.
class ControlWalk {
 public:
  /// `markers`: all markers and jumps, in order.
  ControlWalk(const ir::Module& module, std::span<const uint32_t> markers, bool has_loops,
              std::pmr::monotonic_buffer_resource& arena);

  // By index in the module
  /// False: nothing needs this marker or jump. Where values do not go round, that shows only when the walk
  /// has seen the whole construct: see forget().
  bool stays(uint32_t index) const { return !live_ || live_->stays(index); }
  /// The marker whose results the operands of this marker or jump become; kNoIndex: none.
  uint32_t receiver(uint32_t index) const {
    return ir::receiver_of(structure_, index, module_.code[index].op);
  }
  /// Is this result of a marker needed? `is_used`: by what the walk has seen.
  bool is_live(ir::Value result, bool is_used) const {
    return live_ ? live_->is_value_live(result) : is_used;
  }

  /// The walk has come to this marker or jump, which stays, at this place in the new list.
  void visit(uint32_t index, uint32_t position);
  /// Nothing needs the construct of this opening marker, which the walk has come to.
  void forget(uint32_t index) { around_ = structure_.of(index).parent; }
  /// At the current place outputs are written or read.
  void touch_outputs() {
    if (around_ != kNoIndex) kept_[around_] = 0;
  }
  /// The new list starts at `first`.
  ControlMap finish(uint32_t first);

 private:
  const ir::Module& module_;
  std::pmr::monotonic_buffer_resource& arena_;
  const ir::Structure structure_;
  std::optional<ir::Liveness> live_;  // if there are loops
  std::span<uint32_t> position_;      // of markers and jumps; of opening markers, kNoIndex: it does not stay
  std::span<ir::Value> passes_to_;    // by position
  // By construct: the number of constructs around it, from the outermost on, that nothing inside it leaves.
  std::span<uint32_t> kept_;
  uint32_t around_ = kNoIndex;  // the innermost construct
};

}  // namespace texlate::spirv
