#include "backend/maxwell/machine/schedule.h"

#include <algorithm>
#include <array>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/timing.h"

namespace texlate::maxwell::machine {

namespace {

/// Longer blocks are ordered in pieces, so that time stays linear in the program.
constexpr uint32_t kMaxRegion = 400;
constexpr unsigned kPredicateGoal = 5;
/// How often a loop is assumed to turn, and most for loops within loops.
constexpr uint32_t kTurns = 8, kMostTurns = 512;

constexpr unsigned index_of(ValueClass value_class) {
  return static_cast<unsigned>(value_class);
}

void insert(std::span<uint64_t> set, uint32_t position) {
  set[position / 64] |= uint64_t{1} << (position % 64);
}
void remove(std::span<uint64_t> set, uint32_t position) {
  set[position / 64] &= ~(uint64_t{1} << (position % 64));
}

}  // namespace

// ---- what must follow what ----

class OrderBuilder {
 public:
  OrderBuilder(ValueOrders& orders, Function& function, const Liveness& liveness, bool fetches_apart)
      : orders_(orders),
        function_(function),
        liveness_(liveness),
        fetches_apart_(fetches_apart),
        graph_(function.scratch()),
        effects_(function.scratch()),
        users_(orders.users_),
        node_of_(function.values.size(), kNoIndex, function.scratch()),
        alive_(function, liveness),
        nodes_(function.scratch()),
        carry_readers_(function.scratch()) {}

  void run() {
    const size_t count = function_.instructions.size();
    orders_.first_use_.reserve(count + 1);
    // The arena takes nothing back, so nothing grows in it.
    orders_.uses_.reserve(function_.operands.size() + count);
    orders_.changes_.resize(count);
    orders_.blocks_.reserve(function_.blocks.size());
    for (BlockId b = 0; b < function_.blocks.size(); ++b) block(b);
    orders_.first_use_.push_back(static_cast<uint32_t>(orders_.uses_.size()));
    weigh_loops();
  }

 private:
  using Users = ValueOrders::Users;
  using Change = ValueOrders::Change;
  using Region = ValueOrders::Region;

  /// What is queried repeatedly for an instruction of the region.
  struct Node {
    bool feeds_fetch = false;  // it is a fetch, or one depends on it
    bool waits_for_barrier = false;
    uint8_t result = 0;  // cycles until a register result may be read by a reader that is not late
    uint8_t predicate = 0;
    uint8_t expected = 0;  // cycles, expected_latency()
  };

  bool lives_on(Value v) const { return alive_.lives_after(v, block_); }
  bool is_needed(Value v) const { return users_[v].count != 0 || lives_on(v); }

  void block(BlockId id) {
    Block& b = function_.blocks[id];
    block_ = id;
    alive_.enter(id);
    for (uint32_t i = b.first; i < b.first + b.count; ++i) list_uses(i);
    ValueOrders::BlockOrder order{
        static_cast<uint32_t>(orders_.regions_.size()), 0, b.first, b.count, {0, 0}, 1};
    const auto add = [&](Value v) {
      if (is_needed(v)) ++order.alive[index_of(function_.values[v])];
    };
    for (uint32_t n = liveness_.first[id]; n < liveness_.first[id + 1]; ++n) add(liveness_.values[n]);
    for (uint32_t i = 0; i < b.parameter_count; ++i) add(function_.operands[b.parameters + i]);
    for (uint32_t at = b.first; at < b.first + b.count; at += kMaxRegion) {
      region(at, std::min(kMaxRegion, b.first + b.count - at));
      ++order.region_count;
    }
    orders_.blocks_.push_back(order);
  }

  /// The values that the instruction uses, each once.
  void list_uses(uint32_t i) {
    auto& uses = orders_.uses_;
    const size_t first = uses.size();
    orders_.first_use_.push_back(static_cast<uint32_t>(first));
    visit_uses(function_, function_.instructions[i], [&](Value v) {
      for (size_t u = first; u < uses.size(); ++u) {
        if (uses[u].value == v) return;
      }
      uses.push_back({v, function_.values[v], lives_on(v)});
      ++users_[v].count;
    });
  }

  std::span<const ValueOrders::Use> uses_of(uint32_t i) const {
    const auto& first = orders_.first_use_;
    const size_t end = i + 1 < first.size() ? first[i + 1] : orders_.uses_.size();
    return std::span(orders_.uses_).subspan(first[i], end - first[i]);
  }

  void region(uint32_t first, uint32_t count) {
    first_ = first;
    graph_.reset(count);
    effects_.reset();
    nodes_.assign(count, Node{});
    carry_writer_ = kNoIndex;
    carry_readers_.clear();
    for (uint32_t n = 0; n < count; ++n) add_node(n);
    if (fetches_apart_) find_feeders();
    std::pmr::memory_resource& memory = orders_.memory_;
    Region& region = orders_.regions_.emplace_back();
    region.first = first;
    region.graph = graph_.prepare(memory);
    for (auto* set : {&region.frees, &region.takes_predicate, &region.feeds_fetch}) {
      *set = room_for<uint64_t>(memory, region.graph.words());
      std::ranges::fill(*set, 0);
    }
    for (uint32_t n = 0; n < count; ++n) {
      const uint32_t position = region.graph.position[n];
      const Change& change = orders_.changes_[first + n];
      if (change.of[0] < 0) insert(region.frees, position);
      if (change.of[1] > 0) insert(region.takes_predicate, position);
      if (nodes_[n].feeds_fetch) insert(region.feeds_fetch, position);
    }
    // The next region finds the uses that are left.
    for (uint32_t n = 0; n < count; ++n) {
      for (const ValueOrders::Use& use : uses_of(first + n)) --users_[use.value].count;
      visit_results(function_, function_.instructions[first + n], [&](Value v) { node_of_[v] = kNoIndex; });
    }
  }

  void add_node(uint32_t n) {
    const Instruction& instruction = function_.instructions[first_ + n];
    Node& node = nodes_[n];
    Change& change = orders_.changes_[first_ + n];
    const Opcode op = opcode(instruction.code);
    const Latency& times = latency(instruction.code);
    node.waits_for_barrier = times.write_barrier;
    node.result = times.result;
    node.predicate = times.predicate;
    node.expected = static_cast<uint8_t>(expected_latency(op, times));
    const unsigned late = late_read(op);
    for (const ValueOrders::Use& use : uses_of(first_ + n)) {
      const uint32_t from = node_of_[use.value];
      if (from != kNoIndex) graph_.add(from, n, distance(nodes_[from], use.value_class, late));
      if (users_[use.value].count == 1 && !use.lives_on) --change.of[index_of(use.value_class)];
    }
    bool leaves = false;
    visit_results(function_, instruction, [&](Value v) {
      node_of_[v] = n;
      leaves |= lives_on(v);
      if (is_needed(v)) ++change.of[index_of(function_.values[v])];
    });
    if (leaves) graph_.set_height(n, node.expected);
    effects_.add(n, op, instruction.effect, instruction.space, graph_);
    add_carry(n, instruction.code, times.carry);
  }

  void add_carry(uint32_t n, const Code& code, unsigned latency) {
    if (reads_condition_code(code)) {
      if (carry_writer_ != kNoIndex) graph_.add(carry_writer_, n, latency);
      carry_readers_.push_back(n);
    }
    if (writes_condition_code(code)) {
      if (carry_writer_ != kNoIndex) graph_.add(carry_writer_, n, 1);
      for (const uint32_t reader : carry_readers_) graph_.add(reader, n, 1);
      carry_readers_.clear();
      carry_writer_ = n;
    }
  }

  static unsigned distance(const Node& from, ValueClass value_class, unsigned late) {
    if (from.waits_for_barrier) return from.expected;
    if (value_class == ValueClass::predicate) return from.predicate;
    return from.result > late ? from.result - late : 1;
  }

  void find_feeders() {
    for (uint32_t n = static_cast<uint32_t>(nodes_.size()); n-- > 0;) {
      const Instruction& instruction = function_.instructions[first_ + n];
      if (latency_class(instruction.code) != LatencyClass::texture && !nodes_[n].feeds_fetch) continue;
      nodes_[n].feeds_fetch = true;
      for (const ValueOrders::Use& use : uses_of(first_ + n)) {
        if (node_of_[use.value] != kNoIndex) nodes_[node_of_[use.value]].feeds_fetch = true;
      }
    }
  }

  void weigh_loops() {
    auto& blocks = orders_.blocks_;
    for (BlockId b = 0; b < blocks.size(); ++b) {
      const Block& header = function_.blocks[b];
      if (header.construct != Construct::loop) continue;
      for (BlockId in = b + 1; in < header.merge; ++in)
        blocks[in].weight = std::min(blocks[in].weight * kTurns, kMostTurns);
    }
  }

  ValueOrders& orders_;
  Function& function_;
  const Liveness& liveness_;
  const bool fetches_apart_;
  DependenceGraph graph_;
  EffectOrder effects_;
  std::pmr::vector<Users>& users_;      // of the block, in this region and later ones
  std::pmr::vector<uint32_t> node_of_;  // of the region: where a value is defined
  AliveAfter alive_;
  std::pmr::vector<Node> nodes_;  // of the region
  std::pmr::vector<uint32_t> carry_readers_;
  uint32_t carry_writer_ = kNoIndex;
  uint32_t first_ = 0;
  BlockId block_ = 0;
};

ValueOrders::ValueOrders(Function& function, const Liveness& liveness, bool fetches_apart)
    : memory_(function.memory()),
      blocks_(&memory_),
      regions_(&memory_),
      first_use_(&memory_),
      uses_(&memory_),
      changes_(&memory_),
      users_(function.values.size(), Users{}, &memory_),
      region_changes_(&memory_),
      frees_(&memory_),
      takes_predicate_(&memory_),
      order_(&memory_),
      scheduler_(&memory_) {
  OrderBuilder(*this, function, liveness, fetches_apart).run();
  order_.resize(function.instructions.size());
}

// ---- an order ----

/// The policy of ListScheduler for one block.
class OrderPolicy {
 public:
  OrderPolicy(ValueOrders& orders, const ValueOrders::BlockOrder& block, unsigned goal, unsigned fetch_goal)
      : orders_(orders), goal_(goal), fetch_goal_(fetch_goal), alive_{block.alive[0], block.alive[1]} {
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      for (const ValueOrders::Use& use : orders_.uses_of(i)) {
        ValueOrders::Users& users = orders_.users_[use.value];
        ++users.count;
        users.sum ^= i;
      }
    }
  }

  /// Call it for each region in turn.
  void begin(const ValueOrders::Region& region) {
    region_ = &region;
    orders_.frees_.assign(region.frees.begin(), region.frees.end());
    orders_.takes_predicate_.assign(region.takes_predicate.begin(), region.takes_predicate.end());
    const auto first = orders_.changes_.begin() + region.first;
    orders_.region_changes_.assign(first, first + region.graph.size());
  }

  /// While there are registers, all nodes. If they are short, the nodes that free some; the rest then comes
  /// in program order, which loads what it needs next.
  uint64_t preferred(uint32_t word) const {
    const uint64_t with_room = alive_[1] < kPredicateGoal ? ~uint64_t{0} : ~orders_.takes_predicate_[word];
    const uint64_t frees = orders_.frees_[word];
    const uint64_t feeds = fetch_goal_ > goal_ ? region_->feeds_fetch[word] : 0;
    return (alive_[0] < fetch_goal_ ? with_room & feeds : frees & feeds) |
           (alive_[0] < goal_ ? with_room & ~feeds : frees & ~feeds);
  }

  void issued(uint32_t n) {
    const ValueOrders::Change change = orders_.region_changes_[n];
    alive_[0] += static_cast<unsigned>(change.of[0]);
    alive_[1] += static_cast<unsigned>(change.of[1]);
    const uint32_t i = region_->first + n;
    for (const ValueOrders::Use& use : orders_.uses_of(i)) {
      ValueOrders::Users& users = orders_.users_[use.value];
      users.sum ^= i;
      if (--users.count == 1 && !use.lives_on) leave_to(users.sum - region_->first, use.value_class);
    }
  }

 private:
  /// The only remaining user ends the value. A user in a later region is counted there.
  void leave_to(uint32_t last, ValueClass value_class) {
    if (last >= orders_.region_changes_.size()) return;
    int8_t& change = orders_.region_changes_[last].of[index_of(value_class)];
    --change;
    const uint32_t position = region_->graph.position[last];
    if (value_class == ValueClass::general) {
      if (change < 0) insert(orders_.frees_, position);
    } else if (change <= 0) {
      remove(orders_.takes_predicate_, position);
    }
  }

  ValueOrders& orders_;
  const ValueOrders::Region* region_ = nullptr;
  const unsigned goal_, fetch_goal_;
  unsigned alive_[2];  // by ValueClass
};

OrderCost ValueOrders::find(unsigned register_goal, unsigned fetch_goal) {
  OrderCost cost;
  for (const BlockOrder& block : blocks_) {
    OrderPolicy policy(*this, block, register_goal, fetch_goal);
    uint32_t cycles = 0;
    for (uint32_t r = block.first_region; r < block.first_region + block.region_count; ++r) {
      const Region& region = regions_[r];
      policy.begin(region);
      const auto order = std::span(order_).subspan(region.first, region.graph.size());
      cycles += scheduler_.schedule(region.graph, policy, order);
      for (uint32_t& i : order) i += region.first;
    }
    cost.cycles += uint64_t{cycles} * block.weight;
    cost.instructions += uint64_t{block.count} * block.weight;
  }
  return cost;
}

}  // namespace texlate::maxwell::machine
