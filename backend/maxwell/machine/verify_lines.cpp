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
    for (block_ = kEntryBlock; block_ < layout_.blocks.size() && ok(); ++block_) {
      const LineBlock& b = layout_.blocks[block_];
      if (b.first != next || b.body_count > b.count || layout_.lines.size() - next < b.count)
        fail(FunctionRule::block_order, b.first);
      next = b.first + b.count;
      if (ok()) block(b);
    }
    block_ = kEntryBlock;
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
      const Opcode op = line.opcode();
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
      if (layout_.has_control) check_control(line, i);
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

  void check_control(const Line& line, uint32_t index) {
    const Control& control = line.code().control;
    wait(control.wait_mask, index);
    const Latency& times = line.known->times;
    const unsigned late = timing(line.opcode()).late_read;
    line.access.visit_reads([&](Place p) {
      if (written_[p] != 0) fail(FunctionRule::unwaited, index);
      // Guards are read at issue.
      if (ready_[p] > now_ + (is_register(p) ? late : 0)) fail(FunctionRule::early_read, index);
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

  const Layout& layout_;
  FunctionViolation violation_;
  BlockId block_ = kEntryBlock;
  unsigned now_ = 0;  // cycle of issue, from the block's start
  std::array<unsigned, kAccessCount> ready_{};
  std::array<uint8_t, kAccessCount> written_{};  // scoreboards that its result waits for
  std::array<uint8_t, kAccessCount> read_{};     // scoreboards of those who still read it
  std::array<unsigned, kBarriers> visible_{};
};

}  // namespace

std::string_view function_rule_text(FunctionRule rule) {
  constexpr std::string_view kTexts[] = {
#define RULE(name, text) text,
#include "backend/maxwell/machine/rules.inc"
#undef RULE
  };
  return kTexts[static_cast<size_t>(rule)];
}

std::string violation_text(const PassViolation& broken) {
  return fmt::format("{}: {} (block {}, instruction {})", broken.pass,
                     function_rule_text(broken.violation.rule), broken.violation.block.number(),
                     static_cast<int32_t>(broken.violation.instruction));
}

FunctionViolation verify(const Layout& layout) {
  return LineVerifier(layout).run();
}

}  // namespace texlate::maxwell::machine
