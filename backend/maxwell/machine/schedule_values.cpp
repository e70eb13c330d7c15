#include "backend/maxwell/machine/schedule_values.h"

#include <algorithm>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/list_schedule.h"
#include "backend/maxwell/machine/liveness.h"
#include "backend/maxwell/machine/timing.h"

namespace texlate::maxwell::machine {
namespace {

/// Longer blocks are ordered piece by piece, so that time stays linear in the program.
constexpr uint32_t kMaxRegion = 400;
constexpr unsigned kPredicateGoal = 5;

class ValueScheduler {
 public:
  ValueScheduler(Function& function, unsigned goal, unsigned fetch_goal)
      : function_(function),
        goal_(goal),
        fetch_goal_(fetch_goal),
        liveness_(find_liveness(function, find_predecessors(function))),
        graph_(function.memory()),
        effects_(function.memory()),
        node_of_(function.values.size(), kNoIndex, function.memory()),
        uses_left_(function.values.size(), 0, function.memory()),
        alive_after_(function.values.size(), kNoBlock, function.memory()),
        order_(function.memory()),
        sorted_(function.memory()),
        feeds_fetch_(function.memory()),
        carry_readers_(function.memory()) {}

  void run() {
    for (BlockId b = 0; b < function_.blocks.size(); ++b) block(b);
  }

  // ---- the policy of DependenceGraph::schedule

  /// While registers last, 0. When they are short: 0 for what gives some back, then the program's own order,
  /// which fetches what it needs next.
  unsigned rank(uint32_t node, uint32_t) const {
    const bool short_of_general = alive_[0] >= (is_fetch(node) ? fetch_goal_ : goal_);
    if (!short_of_general && alive_[1] < kPredicateGoal) return 0;
    const Change change = change_of(node);
    if (short_of_general) return change.general < 0 ? 0 : 1 + node;
    return change.predicates > 0 ? 1 + node : 0;
  }

  void issued(uint32_t node) {
    const Change change = change_of(node);
    alive_[0] += change.general;
    alive_[1] += change.predicates;
    visit_uses(function_, function_.instructions[first_ + node], [&](Value v) { --uses_left_[v]; });
  }

 private:
  /// A fetch, or what one waits for.
  bool is_fetch(uint32_t node) const { return fetch_goal_ > goal_ && feeds_fetch_[node]; }

  void find_feeders(uint32_t count) {
    if (fetch_goal_ <= goal_) return;
    feeds_fetch_.assign(count, false);
    for (uint32_t n = count; n-- > 0;) {
      Instruction& instruction = function_.instructions[first_ + n];
      const bool fetches = opcode_info(opcode(instruction.code)).latency_class == LatencyClass::texture;
      if (!fetches && !feeds_fetch_[n]) continue;
      feeds_fetch_[n] = true;
      visit_uses(function_, instruction, [&](Value v) {
        if (node_of_[v] != kNoIndex) feeds_fetch_[node_of_[v]] = true;
      });
    }
  }

  struct Change {
    int general = 0;
    int predicates = 0;
  };

  void block(BlockId id) {
    Block& b = function_.blocks[id];
    block_ = id;
    visit_end_uses(function_, b, [&](Value v) { alive_after_[v] = id; });
    for (unsigned s = 0; s < successor_count(b); ++s) {
      const BlockId target = b.target[s];
      for (uint32_t n = liveness_.first[target]; n < liveness_.first[target + 1]; ++n) {
        alive_after_[liveness_.values[n]] = id;
      }
    }
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      visit_uses(function_, function_.instructions[i], [&](Value v) { ++uses_left_[v]; });
    }
    alive_[0] = alive_[1] = 0;
    const auto add = [&](Value v) {
      if (uses_left_[v] != 0 || alive_after_[v] == id) ++alive_[static_cast<unsigned>(function_.values[v])];
    };
    for (uint32_t n = liveness_.first[id]; n < liveness_.first[id + 1]; ++n) add(liveness_.values[n]);
    for (uint32_t i = 0; i < b.parameter_count; ++i) add(function_.operands[b.parameters + i]);
    for (uint32_t at = b.first; at < b.first + b.count; at += kMaxRegion) {
      region(at, std::min(kMaxRegion, b.first + b.count - at));
    }
  }

  void region(uint32_t first, uint32_t count) {
    first_ = first;
    graph_.reset(count);
    effects_.reset();
    carry_writer_ = kNoIndex;
    carry_readers_.clear();
    for (uint32_t n = 0; n < count; ++n) add_node(n);
    find_feeders(count);
    graph_.schedule(*this, order_);
    sorted_.clear();
    for (const uint32_t n : order_) sorted_.push_back(function_.instructions[first + n]);
    std::copy(sorted_.begin(), sorted_.end(), function_.instructions.begin() + first);
    for (uint32_t n = 0; n < count; ++n) {
      visit_results(function_, function_.instructions[first + n], [&](Value v) { node_of_[v] = kNoIndex; });
    }
  }

  void add_node(uint32_t n) {
    Instruction& instruction = function_.instructions[first_ + n];
    const Opcode op = opcode(instruction.code);
    const unsigned late = late_read(op);
    visit_uses(function_, instruction, [&](Value v) {
      const uint32_t from = node_of_[v];
      if (from != kNoIndex) graph_.add(from, n, distance(from, v, late));
    });
    const Latency times = latency(instruction.code);
    bool leaves = false;
    visit_results(function_, instruction, [&](Value v) {
      node_of_[v] = n;
      leaves |= alive_after_[v] == block_;
    });
    if (leaves) graph_.set_height(n, expected_latency(op, times));
    effects_.add(n, instruction.code, instruction.effect, instruction.space, graph_);
    if (reads_condition_code(instruction.code)) {
      if (carry_writer_ != kNoIndex) graph_.add(carry_writer_, n, times.carry);
      carry_readers_.push_back(n);
    }
    if (writes_condition_code(instruction.code)) {
      if (carry_writer_ != kNoIndex) graph_.add(carry_writer_, n, 1);
      for (const uint32_t reader : carry_readers_) graph_.add(reader, n, 1);
      carry_readers_.clear();
      carry_writer_ = n;
    }
  }

  unsigned distance(uint32_t from, Value v, unsigned late) const {
    const maxwell::Instruction& code = function_.instructions[first_ + from].code;
    const Latency times = latency(code);
    if (times.write_barrier) return expected_latency(opcode(code), times);
    if (function_.values[v] == ValueClass::predicate) return times.predicate;
    return times.result > late ? times.result - late : 1;
  }

  Change change_of(uint32_t node) const {
    Change out;
    Instruction& instruction = function_.instructions[first_ + node];
    visit_results(function_, instruction, [&](Value v) {
      if (uses_left_[v] != 0 || alive_after_[v] == block_)
        ++(function_.values[v] == ValueClass::general ? out.general : out.predicates);
    });
    // A value that the instruction lists twice counts when both are its last uses.
    std::array<Value, 48> seen;
    unsigned seen_count = 0;
    visit_uses(function_, instruction, [&](Value v) { seen[seen_count++] = v; });
    for (unsigned i = 0; i < seen_count; ++i) {
      if (alive_after_[seen[i]] == block_) continue;
      if (std::find(seen.begin(), seen.begin() + i, seen[i]) != seen.begin() + i) continue;
      const auto times_used = std::count(seen.begin(), seen.begin() + seen_count, seen[i]);
      if (uses_left_[seen[i]] != static_cast<uint32_t>(times_used)) continue;
      --(function_.values[seen[i]] == ValueClass::general ? out.general : out.predicates);
    }
    return out;
  }

  Function& function_;
  unsigned goal_, fetch_goal_;
  Liveness liveness_;
  DependenceGraph graph_;
  EffectOrder effects_;
  std::pmr::vector<uint32_t> node_of_;    // of the region: where a value is defined
  std::pmr::vector<uint32_t> uses_left_;  // in the block
  std::pmr::vector<BlockId> alive_after_;
  std::pmr::vector<uint32_t> order_;
  std::pmr::vector<Instruction> sorted_;
  std::pmr::vector<bool> feeds_fetch_;  // by node
  std::pmr::vector<uint32_t> carry_readers_;
  uint32_t carry_writer_ = kNoIndex;
  uint32_t first_ = 0;
  BlockId block_ = 0;
  unsigned alive_[2] = {0, 0};  // by ValueClass
};

}  // namespace

void schedule_values(Function& function, unsigned register_goal, unsigned fetch_register_goal) {
  ValueScheduler(function, register_goal, fetch_register_goal).run();
}

}  // namespace texlate::maxwell::machine
