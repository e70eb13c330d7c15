#include "backend/maxwell/machine/schedule_values.h"

#include <algorithm>
#include <array>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/list_schedule.h"
#include "backend/maxwell/machine/timing.h"

namespace texlate::maxwell::machine {
namespace {

/// Longer blocks are ordered in pieces, so that time stays linear in the program.
constexpr uint32_t kMaxRegion = 400;
constexpr unsigned kPredicateGoal = 5;
/// How often a loop is assumed to turn, and most for loops within loops.
constexpr uint32_t kTurns = 8, kMostTurns = 512;

class ValueScheduler {
 public:
  ValueScheduler(Function& function, const Liveness& liveness, unsigned goal, unsigned fetch_goal)
      : function_(function),
        goal_(goal),
        fetch_goal_(fetch_goal),
        liveness_(liveness),
        graph_(function.scratch()),
        effects_(function.scratch()),
        node_of_(function.values.size(), kNoIndex, function.scratch()),
        users_(function.values.size(), Users{}, function.scratch()),
        alive_after_(function.values.size(), kNoBlock, function.scratch()),
        nodes_(function.scratch()),
        frees_(function.scratch()),
        takes_predicate_(function.scratch()),
        feeds_(function.scratch()),
        order_(function.scratch()),
        sorted_(function.scratch()),
        weights_(function.scratch()),
        carry_readers_(function.scratch()) {}

  OrderCost run() {
    find_weights();
    OrderCost cost;
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      cycles_ = 0;
      block(b);
      cost.cycles += uint64_t{cycles_} * weights_[b];
      cost.instructions += uint64_t{function_.blocks[b].count} * weights_[b];
    }
    return cost;
  }

  // ---- the policy of DependenceGraph::schedule

  void begin() {
    for (auto* set : {&frees_, &takes_predicate_, &feeds_}) set->assign((nodes_.size() + 63) / 64, 0);
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].change[0] < 0) insert(frees_, n);
      if (nodes_[n].change[1] > 0) insert(takes_predicate_, n);
      if (nodes_[n].feeds_fetch) insert(feeds_, n);
    }
  }

  /// While there are registers, all nodes. If they are short, the nodes that free some; the rest then comes
  /// in program order, which loads what it needs next.
  uint64_t preferred(uint32_t word) const {
    const uint64_t with_room = alive_[1] < kPredicateGoal ? ~uint64_t{0} : ~takes_predicate_[word];
    const uint64_t frees = frees_[word];
    const uint64_t feeds = feeds_[word];
    return (alive_[0] < fetch_goal_ ? with_room & feeds : frees & feeds) |
           (alive_[0] < goal_ ? with_room & ~feeds : frees & ~feeds);
  }

  void issued(uint32_t n) {
    alive_[0] += static_cast<unsigned>(nodes_[n].change[0]);
    alive_[1] += static_cast<unsigned>(nodes_[n].change[1]);
    visit_distinct_uses(function_.instructions[first_ + n], [&](Value v) {
      Users& users = users_[v];
      users.sum ^= first_ + n;
      if (--users.count != 1 || alive_after_[v] == block_) return;
      // The only remaining user ends the value. A user in a later region is counted there.
      const uint32_t last = users.sum - first_;
      if (last >= nodes_.size()) return;
      int8_t& change = nodes_[last].change[class_of(v)];
      --change;
      if (function_.values[v] == ValueClass::general) {
        if (change < 0) insert(frees_, last);
      } else if (change <= 0) {
        remove(takes_predicate_, last);
      }
    });
  }

 private:
  /// What is queried repeatedly for an instruction of the region.
  struct Node {
    int8_t change[2] = {0, 0};  // of the values alive, by ValueClass
    bool feeds_fetch = false;   // if fetches have their own goal: it is one, or a fetch depends on it
    bool waits_for_barrier = false;
    uint8_t result = 0;  // cycles until a register result may be read by a reader that is not late
    uint8_t predicate = 0;
    uint8_t expected = 0;  // cycles, expected_latency()
  };
  /// The unissued instructions of the block that use a value: their number, and the exclusive or of their
  /// indices, which identifies the last one.
  struct Users {
    uint32_t count = 0;
    uint32_t sum = 0;
  };

  /// Sets of nodes, by position.
  using Set = std::pmr::vector<uint64_t>;
  void insert(Set& set, uint32_t n) const {
    set[graph_.position(n) / 64] |= uint64_t{1} << (graph_.position(n) % 64);
  }
  void remove(Set& set, uint32_t n) const {
    set[graph_.position(n) / 64] &= ~(uint64_t{1} << (graph_.position(n) % 64));
  }

  unsigned class_of(Value v) const { return static_cast<unsigned>(function_.values[v]); }

  /// visit_uses() without repetitions.
  template <typename Visit>
  void visit_distinct_uses(Instruction& instruction, Visit visit) {
    std::array<Value, 48> seen;
    unsigned count = 0;
    visit_uses(function_, instruction, [&](Value v) {
      for (unsigned i = 0; i < count; ++i) {
        if (seen[i] == v) return;
      }
      seen[count++] = v;
      visit(v);
    });
  }

  void find_feeders() {
    if (fetch_goal_ <= goal_) return;
    for (size_t n = nodes_.size(); n-- > 0;) {
      Instruction& instruction = function_.instructions[first_ + n];
      if (latency_class(instruction.code) != LatencyClass::texture && !nodes_[n].feeds_fetch) continue;
      nodes_[n].feeds_fetch = true;
      visit_uses(function_, instruction, [&](Value v) {
        if (node_of_[v] != kNoIndex) nodes_[node_of_[v]].feeds_fetch = true;
      });
    }
  }

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
      visit_distinct_uses(function_.instructions[i], [&](Value v) {
        ++users_[v].count;
        users_[v].sum ^= i;
      });
    }
    alive_[0] = alive_[1] = 0;
    const auto add = [&](Value v) {
      if (is_needed(v)) ++alive_[class_of(v)];
    };
    for (uint32_t n = liveness_.first[id]; n < liveness_.first[id + 1]; ++n) add(liveness_.values[n]);
    for (uint32_t i = 0; i < b.parameter_count; ++i) add(function_.operands[b.parameters + i]);
    for (uint32_t at = b.first; at < b.first + b.count; at += kMaxRegion) {
      region(at, std::min(kMaxRegion, b.first + b.count - at));
    }
  }

  void find_weights() {
    weights_.assign(function_.blocks.size(), 1);
    for (BlockId b = 0; b < function_.blocks.size(); ++b) {
      const Block& header = function_.blocks[b];
      if (header.construct != Construct::loop) continue;
      for (BlockId in = b + 1; in < header.merge; ++in)
        weights_[in] = std::min(weights_[in] * kTurns, kMostTurns);
    }
  }

  bool is_needed(Value v) const { return users_[v].count != 0 || alive_after_[v] == block_; }

  void region(uint32_t first, uint32_t count) {
    first_ = first;
    graph_.reset(count);
    effects_.reset();
    nodes_.assign(count, Node{});
    carry_writer_ = kNoIndex;
    carry_readers_.clear();
    for (uint32_t n = 0; n < count; ++n) add_node(n);
    find_feeders();
    cycles_ += graph_.schedule(*this, order_);
    sorted_.clear();
    for (const uint32_t n : order_) sorted_.push_back(function_.instructions[first + n]);
    std::copy(sorted_.begin(), sorted_.end(), function_.instructions.begin() + first);
    for (uint32_t n = 0; n < count; ++n) {
      visit_results(function_, function_.instructions[first + n], [&](Value v) { node_of_[v] = kNoIndex; });
    }
  }

  void add_node(uint32_t n) {
    Instruction& instruction = function_.instructions[first_ + n];
    Node& node = nodes_[n];
    const Opcode op = opcode(instruction.code);
    const Latency& times = latency(instruction.code);
    node.waits_for_barrier = times.write_barrier;
    node.result = times.result;
    node.predicate = times.predicate;
    node.expected = static_cast<uint8_t>(expected_latency(op, times));
    const unsigned late = late_read(op);
    visit_distinct_uses(instruction, [&](Value v) {
      const uint32_t from = node_of_[v];
      if (from != kNoIndex) graph_.add(from, n, distance(nodes_[from], v, late));
      if (users_[v].count == 1 && alive_after_[v] != block_) --node.change[class_of(v)];
    });
    bool leaves = false;
    visit_results(function_, instruction, [&](Value v) {
      node_of_[v] = n;
      leaves |= alive_after_[v] == block_;
      if (is_needed(v)) ++node.change[class_of(v)];
    });
    if (leaves) graph_.set_height(n, node.expected);
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

  unsigned distance(const Node& from, Value v, unsigned late) const {
    if (from.waits_for_barrier) return from.expected;
    if (function_.values[v] == ValueClass::predicate) return from.predicate;
    return from.result > late ? from.result - late : 1;
  }

  Function& function_;
  unsigned goal_, fetch_goal_;
  const Liveness& liveness_;
  DependenceGraph graph_;
  EffectOrder effects_;
  std::pmr::vector<uint32_t> node_of_;  // of the region: where a value is defined
  std::pmr::vector<Users> users_;       // by value
  std::pmr::vector<BlockId> alive_after_;
  std::pmr::vector<Node> nodes_;  // of the region
  Set frees_;                     // gives general registers back
  Set takes_predicate_;
  Set feeds_;  // Node::feeds_fetch
  std::pmr::vector<uint32_t> order_;
  std::pmr::vector<Instruction> sorted_;
  std::pmr::vector<uint32_t> weights_;  // by block: how often it is assumed to run
  std::pmr::vector<uint32_t> carry_readers_;
  uint32_t carry_writer_ = kNoIndex;
  uint32_t first_ = 0;
  uint32_t cycles_ = 0;  // of the block
  BlockId block_ = 0;
  unsigned alive_[2] = {0, 0};  // by ValueClass
};

}  // namespace

OrderCost schedule_values(Function& function, const Liveness& liveness, unsigned register_goal,
                          unsigned fetch_register_goal) {
  return ValueScheduler(function, liveness, register_goal, fetch_register_goal).run();
}

}  // namespace texlate::maxwell::machine
