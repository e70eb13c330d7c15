#include "backend/maxwell/machine/assign_control.h"

#include <algorithm>
#include <array>
#include <bit>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/line_access.h"
#include "backend/maxwell/machine/timing.h"

namespace texlate::maxwell::machine {
namespace {

constexpr unsigned kScoreboards = 6;
constexpr unsigned kMaxStall = 15;
constexpr uint32_t kNoLine = 0xffffffffu;

/// More than any result of fixed latency takes.
constexpr unsigned kLongest = 16;
/// Places are handled by so many where all of them are asked for: compilers process them at once.
constexpr unsigned kChunk = 16;
constexpr unsigned kPadded = (kAccessCount + kChunk - 1) / kChunk * kChunk;

/// The scoreboards that a place waits for, a bit for each: until its value is there; until it has been read,
/// from kReaders on.
using Pending = std::array<uint16_t, kPadded>;
constexpr unsigned kReaders = 8;

/// What is pending where lanes jump to a block, in cycles from there on.
struct State {
  Pending pending{};
  std::array<uint8_t, kPadded> ready{};  // from when on a result of fixed latency may be read
  std::array<uint8_t, kScoreboards> barrier_ready{};
};

/// When the results and the sources of a line are accessed again.
struct NextUse {
  uint32_t need = kNoLine;       // line that reads or overwrites a result
  uint32_t overwrite = kNoLine;  // line that overwrites a source
};

class ControlAssigner {
 public:
  ControlAssigner(Layout& layout, bool dual_issue)
      : layout_(layout),
        states_(layout.scratch()),
        free_states_(layout.scratch()),
        state_of_(layout.blocks.size(), kNoLine, layout.scratch()),
        entering_(layout.blocks.size(), kNoLine, layout.scratch()),
        entries_(layout.scratch()),
        next_(layout.scratch()),
        dual_issue_(dual_issue) {
    earliest_.fill(now_);
  }

  void run() {
    for (const BlockId b : Indices<BlockId>(layout_.blocks)) block(b);
  }

 private:
  void block(BlockId id) {
    const LineBlock& b = layout_.blocks[id];
    current_ = id;
    enter(id);
    find_next_uses(b);
    for (uint32_t i = b.first; i < b.first + b.count; ++i) line(id, i);
    falls_in_ = b.falls_through;
    if (!b.falls_through || id + 1 == layout_.blocks.size()) return;
    if (previous_ != kNoLine) {
      add_entry(id + 1, previous_);
    } else {
      for (uint32_t e = entering_[id]; e != kNoLine; e = entries_[e].next)
        add_entry(id + 1, entries_[e].line);
    }
  }

  void add_entry(BlockId target, uint32_t line) {
    entries_.push_back({line, entering_[target]});
    entering_[target] = static_cast<uint32_t>(entries_.size() - 1);
  }

  void enter(BlockId id) {
    previous_ = kNoLine;
    is_second_ = false;
    need_.fill(kNoLine);
    if (!falls_in_) {
      pending_.fill(0);
      now_ += kLongest;
    }
    if (state_of_[id] != kNoLine) {
      take_over(states_[state_of_[id]]);
      free_states_.push_back(state_of_[id]);
    }
    const unsigned pending = all_pending();
    active_ = static_cast<uint8_t>(pending | pending >> kReaders);
  }

  /// What jumps to the block have left, besides what the block before it has.
  void take_over(const State& state) {
    each_chunk([&](unsigned at) {
      uint16_t* const pending = &pending_[at];
      unsigned* const earliest = &earliest_[at];
      for (unsigned k = 0; k < kChunk; ++k) pending[k] |= state.pending[at + k];
      for (unsigned k = 0; k < kChunk; ++k) earliest[k] = std::max(earliest[k], now_ + state.ready[at + k]);
    });
    for (unsigned s = 0; s < kScoreboards; ++s)
      barrier_since_[s] = std::max(barrier_since_[s], now_ + state.barrier_ready[s]);
  }

  /// visit(the number of the first place of a chunk). Nothing else is accessed.
  template <typename Visit>
  void each_chunk(Visit visit) const {
    for (unsigned at = 0; at < layout_.registers; at += kChunk) visit(at);
    visit(kFirstPredicate.number());
  }

  /// Only what raises scoreboards has next uses.
  void find_next_uses(const LineBlock& b) {
    uint32_t first = b.first;
    const uint32_t end = b.first + b.count;
    const auto raises = [&](uint32_t n) {
      const Latency& times = layout_.lines[n].known->times;
      return times.write_barrier || times.read_barrier;
    };
    while (first < end && !raises(first)) ++first;
    next_.resize(b.count);
    for (uint32_t n = end; n-- > first;) {
      const LineAccess& access = layout_.lines[n].access;
      if (raises(n)) {
        // What is left of earlier blocks is not after the line.
        const auto after = [n](uint32_t line) { return line > n ? line : kNoLine; };
        NextUse next;
        access.visit_writes([&](Place p) { next.need = std::min(next.need, after(next_access_[p])); });
        access.visit_reads(
            [&](Place p) { next.overwrite = std::min(next.overwrite, after(next_write_[p])); });
        next_[n - b.first] = next;
      }
      access.visit_writes([&](Place p) { next_access_[p] = next_write_[p] = n; });
      access.visit_reads([&](Place p) { next_access_[p] = n; });
    }
  }

  void line(BlockId id, uint32_t index) {
    Line& line = layout_.lines[index];
    const FormFacts& known = *line.known;
    const Opcode op = known.opcode;
    const Latency& times = known.times;
    const LineAccess& access = line.access;
    Control& control = line.code().control;
    control = {};

    uint8_t wait = 0;
    unsigned issue = 0;
    const unsigned late = timing(op).late_read;
    access.visit_reads([&](Place p) {
      wait |= static_cast<uint8_t>(pending_[p]);
      // Guards are read at issue.
      issue = std::max(issue, earliest_[p] - (is_register(p) ? late : 0));
    });
    const bool is_fixed = !times.write_barrier;
    access.visit_writes([&](Place p) {
      wait |= static_cast<uint8_t>(pending_[p] | pending_[p] >> kReaders);
      issue = std::max(issue, earliest_[p] - (is_fixed ? result_latency(times, p) : 2));
    });
    // Jumps and the like, calls, barriers.
    const bool is_special = known.latency_class >= LatencyClass::control;
    const bool jumps = is_special && is_jump(op);
    const bool crosses = is_special && crosses_call(line);
    const bool settles = crosses || (jumps && goes_back(id, line));
    if (times.wait_all || settles) wait |= active_;
    if (op == Opcode::exit) {
      wait |= static_cast<uint8_t>(all_pending());
      for (uint32_t p = 0; p < layout_.exit_registers; ++p) issue = std::max(issue, earliest_[p]);
    }
    for (unsigned left = wait; left != 0; left &= left - 1)
      issue = std::max(issue, barrier_since_[static_cast<unsigned>(std::countr_zero(left))]);
    if (wait == 0 && !crosses && can_issue_together(known, issue)) {
      layout_.lines[previous_].code().control.stall = 0;
      issue = previous_issue_;
      now_ = issue;
      is_second_ = true;
    } else {
      issue = std::max(issue, now_);
      settle(issue);
      is_second_ = false;
    }
    previous_issue_ = issue;
    control.wait_mask = wait;
    finish_waiting(wait);
    start(line, index, times, access);
    previous_ = index;
    now_ = issue + (is_special ? least_stall(known) : 1);
    control.stall = static_cast<uint8_t>(now_ - issue);
    if (settles) {
      unsigned clear = now_;
      for (const unsigned cycle : earliest_) clear = std::max(clear, cycle);
      control.stall = static_cast<uint8_t>(std::min(clear - issue, kMaxStall));
      now_ = issue + control.stall;
    }
    if (jumps && line.target != kNoBlock && line.target > id) {
      hand_over(line.target);
      add_entry(line.target, index);
    }
  }

  /// To a loop's header. No result may be pending on the way to code for which this state is unknown: there,
  /// into a routine and out of it.
  static bool goes_back(BlockId id, const Line& line) { return line.target != kNoBlock && line.target <= id; }

  /// Two instructions issue in one cycle if the first is arithmetic of fixed latency and the second goes to
  /// another unit. This is how ptxas 12.4 pairs them for sm_52 (docs/maxwell-isa.md, "Two at once").
  bool can_issue_together(const FormFacts& known, unsigned issue) const {
    if (!dual_issue_ || previous_ == kNoLine || is_second_ || known.times.is_fixed() ||
        known.opcode == Opcode::nop)
      return false;
    const Line& first = layout_.lines[previous_];
    return first.known->times.is_fixed() && first.code().control.stall == 1 && issue <= previous_issue_;
  }

  /// If the next instruction has to wait for this one, settle() handles that; jumps are slow by themselves.
  static unsigned least_stall(const FormFacts& known) {
    return is_stack_push(known.opcode) ? 1 : std::max<unsigned>(1, known.times.stall);
  }

  /// Of all places.
  unsigned all_pending() const {
    uint16_t out = 0;
    each_chunk([&](unsigned at) {
      for (unsigned k = 0; k < kChunk; ++k) out |= pending_[at + k];
    });
    return out;
  }

  /// The previous line delays this one until cycle `issue`.
  void settle(unsigned issue) {
    if (issue <= now_) return;
    const auto hold_back = [&](uint32_t line) {
      Control& before = layout_.lines[line].code().control;
      before.stall = static_cast<uint8_t>(std::min(before.stall + (issue - now_), kMaxStall));
    };
    if (previous_ != kNoLine) {
      hold_back(previous_);
    } else {
      for (uint32_t e = entering_[current_]; e != kNoLine; e = entries_[e].next) hold_back(entries_[e].line);
    }
    now_ = issue;
  }

  void finish_waiting(uint8_t wait) {
    if (wait == 0) return;
    const uint16_t keep = static_cast<uint16_t>(~(wait | wait << kReaders));
    each_chunk([&](unsigned at) {
      uint16_t* const pending = &pending_[at];
      for (unsigned k = 0; k < kChunk; ++k) pending[k] &= keep;
    });
    active_ &= static_cast<uint8_t>(keep);
    for (unsigned s = 0; s < kScoreboards; ++s) {
      if (wait >> s & 1) need_[s] = kNoLine;
    }
  }

  void start(Line& line, uint32_t index, const Latency& times, const LineAccess& access) {
    Control& control = line.code().control;
    const NextUse& next = next_[index - layout_.blocks[current_].first];
    if (times.write_barrier && access.write_count != 0) {
      const unsigned s = choose_scoreboard(next.need);
      control.write_barrier = static_cast<uint8_t>(s);
      access.visit_writes([&](Place p) { pending_[p] |= static_cast<uint16_t>(1u << s); });
      set_barrier(s, next.need);
    } else {
      access.visit_writes([&](Place p) { earliest_[p] = now_ + result_latency(times, p); });
    }
    if (!times.read_barrier) return;
    // Waiting for the result implies that the sources have been read.
    const bool has_result = control.write_barrier != Control::kNoBarrier;
    unsigned s = control.write_barrier;
    if (!has_result || (next.overwrite != kNoLine && next.overwrite < next.need)) {
      s = choose_scoreboard(next.overwrite);
      control.read_barrier = static_cast<uint8_t>(s);
      set_barrier(s, next.overwrite);
    }
    access.visit_reads([&](Place p) { pending_[p] |= static_cast<uint16_t>(1u << kReaders << s); });
  }

  unsigned choose_scoreboard(uint32_t need) const {
    for (unsigned s = 0; s < kScoreboards; ++s) {
      if (!(active_ >> s & 1)) return s;
    }
    // All are taken: share one that is waited for at about the same time.
    const auto distance = [&](unsigned s) { return need_[s] > need ? need_[s] - need : need - need_[s]; };
    unsigned best = 0;
    for (unsigned s = 1; s < kScoreboards; ++s) {
      if (distance(s) < distance(best)) best = s;
    }
    return best;
  }

  void set_barrier(unsigned s, uint32_t need) {
    active_ |= static_cast<uint8_t>(1u << s);
    need_[s] = std::min(need_[s], need);
    barrier_since_[s] = now_ + kBarrierActiveStall;
  }

  /// States are needed from the first jump to a block until that block, which is nearly always near.
  uint32_t new_state() {
    if (free_states_.empty()) {
      states_.emplace_back();
      return static_cast<uint32_t>(states_.size() - 1);
    }
    const uint32_t state = free_states_.back();
    free_states_.pop_back();
    states_[state] = {};
    return state;
  }

  void hand_over(BlockId target) {
    if (state_of_[target] == kNoLine) state_of_[target] = new_state();
    State& out = states_[state_of_[target]];
    const unsigned now = now_;
    each_chunk([&](unsigned at) {
      uint16_t* const pending = &out.pending[at];
      uint8_t* const ready = &out.ready[at];
      for (unsigned k = 0; k < kChunk; ++k) pending[k] |= pending_[at + k];
      for (unsigned k = 0; k < kChunk; ++k)
        ready[k] = std::max(ready[k], static_cast<uint8_t>(std::max(earliest_[at + k], now) - now));
    });
    for (unsigned s = 0; s < kScoreboards; ++s)
      out.barrier_ready[s] =
          std::max(out.barrier_ready[s], static_cast<uint8_t>(std::max(barrier_since_[s], now) - now));
  }

  Layout& layout_;
  std::pmr::vector<State> states_;
  std::pmr::vector<uint32_t> free_states_;
  std::pmr::vector<uint32_t> state_of_;  // by block
  // The lines after which lanes reach a block, as lists.
  struct Entry {
    uint32_t line;
    uint32_t next;
  };
  std::pmr::vector<uint32_t> entering_;  // by block
  std::pmr::vector<Entry> entries_;
  std::pmr::vector<NextUse> next_;                    // of the lines of the current block
  std::array<uint32_t, kAccessCount> next_access_{};  // line, by place
  std::array<uint32_t, kAccessCount> next_write_{};   // line, by place
  Pending pending_{};
  std::array<unsigned, kPadded> earliest_;              // cycle from which a place may be read
  std::array<unsigned, kScoreboards> barrier_since_{};  // cycle from which a wait for it counts
  std::array<uint32_t, kScoreboards> need_{};           // first line known to wait for it
  uint8_t active_ = 0;
  bool falls_in_ = false;    // from the block before
  unsigned now_ = kLongest;  // cycle at which the next line may issue
  uint32_t previous_ = kNoLine;
  unsigned previous_issue_ = 0;
  bool is_second_ = false;  // the previous line issued together with the one before it
  bool dual_issue_;
  BlockId current_ = kEntryBlock;
};

}  // namespace

void assign_control(Layout& layout, bool dual_issue) {
  ControlAssigner(layout, dual_issue).run();
  layout.has_control = true;
}

}  // namespace texlate::maxwell::machine
