// The rules of lines, and the texts of all rules.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/timing.h"
#include "backend/maxwell/machine/verify.h"

namespace texlate::maxwell::machine {
namespace {

class LineVerifier {
 public:
  explicit LineVerifier(const Layout& layout) : layout_(layout) {}

  FunctionViolation run() {
    uint32_t next = 0;
    for (block_ = 0; block_ < layout_.blocks.size() && ok(); ++block_) {
      const LineBlock& b = layout_.blocks[block_];
      if (b.first != next || b.body_count > b.count || layout_.lines.size() - next < b.count)
        fail(FunctionRule::block_order, b.first);
      next = b.first + b.count;
      if (ok()) block(b);
    }
    block_ = 0;
    if (ok() && next != layout_.lines.size()) fail(FunctionRule::block_order, next);
    return violation_;
  }

 private:
  bool ok() const { return violation_.rule == FunctionRule::none; }
  void fail(FunctionRule rule, uint32_t line) {
    if (ok()) violation_ = {rule, block_, line};
  }

  void block(const LineBlock& b) {
    begin();
    for (uint32_t i = b.first; i < b.first + b.count && ok(); ++i) {
      const Line& line = layout_.lines[i];
      const Opcode op = opcode(line.code());
      const bool names_block = op == Opcode::bra || op == Opcode::sync || op == Opcode::brk ||
                               op == Opcode::cont || is_stack_push(op);
      if (names_block ? line.target >= layout_.blocks.size()
                      : line.target != kNoBlock && line.target >= layout_.blocks.size())
        fail(FunctionRule::line_target, i);
      const bool in_body = i < b.first + b.body_count;
      const bool always_leaves = is_jump(op) && line.code().guard() == kPT;
      if (is_jump(op) && (in_body || (always_leaves && i + 1 != b.first + b.count)))
        fail(FunctionRule::line_end, i);
      const maxwell::Instruction code = line.code();
      if (check_encodable(code) || check_constraints(code)) fail(FunctionRule::encoding, i);
      if (layout_.has_control) timing(line, i);
    }
  }

  // ---- control words

  void begin() {
    now_ = 0;
    ready_.fill(0);
    written_.fill(0);
    read_.fill(0);
    visible_.fill(0);
  }

  void timing(const Line& line, uint32_t index) {
    const Control& control = line.code().control;
    wait(control.wait_mask, index);
    const Latency& times = latency(line.code());
    const unsigned late = late_read(opcode(line.code()));
    line.access.visit_reads([&](Place p) {
      if (written_[p] != 0) fail(FunctionRule::unwaited, index);
      // Guards are read at issue.
      if (ready_[p] > now_ + (p < kFirstPredicate ? late : 0)) fail(FunctionRule::early_read, index);
    });
    const bool is_variable = times.write_barrier;
    line.access.visit_writes([&](Place p) {
      if ((written_[p] | read_[p]) != 0) fail(FunctionRule::unwaited, index);
      if (!is_variable && ready_[p] > now_ + result_latency(times, p)) fail(FunctionRule::early_read, index);
    });
    raise(line, times, index);
    now_ += control.stall;
  }

  void wait(uint8_t mask, uint32_t index) {
    for (unsigned s = 0; s < kBarriers; ++s) {
      if ((mask >> s & 1) != 0 && visible_[s] > now_) fail(FunctionRule::early_wait, index);
    }
    for (uint8_t& pending : written_) pending &= static_cast<uint8_t>(~mask);
    for (uint8_t& pending : read_) pending &= static_cast<uint8_t>(~mask);
  }

  /// What the line leaves in flight.
  void raise(const Line& line, const Latency& times, uint32_t index) {
    const Control& control = line.code().control;
    const bool has_result = times.write_barrier && line.access.write_count != 0;
    if (has_result) {
      const uint8_t bit = bit_of(control.write_barrier, index);
      line.access.visit_writes([&](Place p) { written_[p] |= bit; });
    } else {
      line.access.visit_writes([&](Place p) { ready_[p] = now_ + result_latency(times, p); });
    }
    if (!times.read_barrier) return;
    // Who waits for the result waits for the sources, too.
    const bool is_own = control.read_barrier != Control::kNoBarrier || !has_result;
    const uint8_t bit = bit_of(is_own ? control.read_barrier : control.write_barrier, index);
    line.access.visit_reads([&](Place p) { read_[p] |= bit; });
  }

  uint8_t bit_of(uint8_t barrier, uint32_t index) {
    if (barrier >= kBarriers) {
      fail(FunctionRule::no_barrier, index);
      return 0;
    }
    visible_[barrier] = now_ + kBarrierActiveStall;
    return static_cast<uint8_t>(1u << barrier);
  }

  static unsigned result_latency(const Latency& times, Place p) {
    if (p < kFirstPredicate) return times.result;
    return p == kConditionCode ? times.carry : times.predicate;
  }

  const Layout& layout_;
  FunctionViolation violation_;
  BlockId block_ = 0;
  unsigned now_ = 0;  // cycle of issue, from the block's start
  std::array<unsigned, kAccessCount> ready_{};
  std::array<uint8_t, kAccessCount> written_{};  // scoreboards that its result waits for
  std::array<uint8_t, kAccessCount> read_{};     // scoreboards of those who still read it
  std::array<unsigned, kBarriers> visible_{};
};

}  // namespace

std::string_view function_rule_text(FunctionRule rule) {
  switch (rule) {
    case FunctionRule::none: return "no violation";
    case FunctionRule::value_number: return "a value does not exist";
    case FunctionRule::value_class: return "a predicate is used in place of a register, or the reverse";
    case FunctionRule::value_list: return "an instruction lists more or fewer values than its operands cover";
    case FunctionRule::defined_twice: return "a value is defined twice";
    case FunctionRule::not_dominated: return "a value is used where its definition does not reach";
    case FunctionRule::block_order: return "instructions are not in the order of their blocks";
    case FunctionRule::block_number: return "a block does not exist";
    case FunctionRule::argument_count: return "the arguments of a jump do not match the target's parameters";
    case FunctionRule::branch_target: return "the target of a branch has parameters or another predecessor";
    case FunctionRule::construct: return "a merge or continue block is missing or comes before its header";
    case FunctionRule::loop_entry: return "a loop is not entered by a jump to the next block";
    case FunctionRule::call:
      return "a call does not continue in the next block, or overwrites fewer registers than it passes";
    case FunctionRule::carry: return "the condition code is read before the block writes it";
    case FunctionRule::merge_unguarded: return "an instruction without a guard has values to merge with";
    case FunctionRule::merge_tied:
      return "a result that shares a source's register has a value to merge with";
    case FunctionRule::encoding: return "an instruction cannot be encoded, or breaks a rule of the machine";
    case FunctionRule::line_target: return "a branch leads to no block";
    case FunctionRule::line_end: return "a jump that always leaves is not the last line of its block";
    case FunctionRule::early_read: return "a result is read or overwritten before it is there";
    case FunctionRule::no_barrier: return "an instruction of variable latency raises no scoreboard";
    case FunctionRule::unwaited: return "what is in flight is accessed without a wait for its scoreboard";
    case FunctionRule::early_wait: return "a scoreboard is waited for before it can be seen";
  }
  return "";
}

std::string violation_text(const PassViolation& broken) {
  return fmt::format("{}: {} (block {}, instruction {})", broken.pass,
                     function_rule_text(broken.violation.rule), broken.violation.block,
                     static_cast<int32_t>(broken.violation.instruction));
}

FunctionViolation verify(const Layout& layout) {
  return LineVerifier(layout).run();
}

}  // namespace texlate::maxwell::machine
