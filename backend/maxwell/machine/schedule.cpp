#include "backend/maxwell/machine/schedule.h"

#include <algorithm>
#include <array>
#include <bit>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/timing.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

namespace {

constexpr unsigned kPredicateGoal = 5;
/// A loop is assumed to turn 8 times, loops within loops at most 512 times.
constexpr unsigned kTurnBits = 3, kMostTurnBits = 9;

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
        node_of_(all_ones<uint32_t>(function.values.size(), function.scratch())),
        alive_(function, liveness),
        nodes_(function.scratch()),
        carry_readers_(function.scratch()) {}

  void run() {
    const size_t count = function_.instructions.size();
    orders_.first_use_.reserve(count + 1);
    orders_.first_use_.push_back(0);
    // The arena takes nothing back, so nothing grows in it.
    orders_.uses_.reserve(function_.operands.size() + count);
    orders_.changes_.resize(count);
    orders_.demands_.resize(count);
    orders_.blocks_.reserve(function_.blocks.size());
    for (const BlockId b : Indices<BlockId>(function_.blocks)) block(b);
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
    ValueOrders::BlockOrder order{};
    order.first_region = static_cast<uint32_t>(orders_.regions_.size());
    order.first = b.first;
    order.count = b.count;
    order.newest = kNoIndex;
    if (b.terminator == Terminator::call) order.clobbers = b.clobbers;
    const auto add = [&](Value v) {
      ++(is_needed(v) ? order.alive : order.unused)[index_of(function_.values[v])];
    };
    for (const Value v : liveness_[id]) add(v);
    for (const Value v : function_.parameters(b)) add(v);
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
    visit_uses(function_, function_.instructions[i], [&](Value v) {
      for (size_t u = first; u < uses.size(); ++u) {
        if (uses[u].value == v) return;
      }
      uses.push_back({v, function_.values[v], lives_on(v)});
      ++users_[v].count;
    });
    orders_.first_use_.push_back(static_cast<uint32_t>(uses.size()));
    find_demand(i, first);
  }

  void find_demand(uint32_t i, size_t first_use) {
    const Instruction& instruction = function_.instructions[i];
    ValueOrders::Demand& demand = orders_.demands_[i];
    const FormFacts& known = facts(instruction.code);
    unsigned widest = 1;
    visit_lists(function_, instruction, [&](unsigned k, std::span<const Value> values) {
      const auto count = static_cast<unsigned>(values.size());
      widest = std::max(widest, count);
      const unsigned value_class = known.predicates >> k & 1;
      if ((known.destinations >> k & 1) != 0) {
        demand.results[value_class] = static_cast<uint8_t>(demand.results[value_class] + count);
        // The value that an unwritten result leaves must be copied if it lives on.
        if (instruction.merge != kNoIndex)
          demand.merged[value_class] = static_cast<uint8_t>(demand.merged[value_class] + count);
      } else if (count > 1) {
        count_elements(values, first_use);
        demand.vector_elements = static_cast<uint8_t>(demand.vector_elements + count);
      }
    });
    demand.gaps = static_cast<uint8_t>(widest > 2 ? 3 : widest - 1);
  }

  void count_elements(std::span<const Value> values, size_t first_use) {
    for (size_t u = first_use; u < orders_.uses_.size(); ++u) {
      ValueOrders::Use& use = orders_.uses_[u];
      use.in_vectors = static_cast<uint8_t>(use.in_vectors + std::ranges::count(values, use.value));
    }
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
      for (const ValueOrders::Use& use : orders_.uses_of(first + n)) --users_[use.value].count;
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
    for (const ValueOrders::Use& use : orders_.uses_of(first_ + n)) {
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
      for (const ValueOrders::Use& use : orders_.uses_of(first_ + n)) {
        if (node_of_[use.value] != kNoIndex) nodes_[node_of_[use.value]].feeds_fetch = true;
      }
    }
  }

  void weigh_loops() {
    const std::pmr::vector<uint8_t> depths = find_loop_depths(function_);
    for (const BlockId b : Indices<BlockId>(depths))
      orders_.blocks_[b].weight = 1u << std::min(kTurnBits * depths[b], kMostTurnBits);
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
  BlockId block_ = kEntryBlock;
};

ValueOrders::ValueOrders(Function& function, const Liveness& liveness, bool fetches_apart)
    : memory_(function.memory()),
      blocks_(&memory_),
      regions_(&memory_),
      first_use_(&memory_),
      uses_(&memory_),
      changes_(&memory_),
      demands_(&memory_),
      users_(function.values.size(), Users{}, &memory_),
      region_changes_(&memory_),
      frees_(&memory_),
      takes_predicate_(&memory_),
      kept_(function.memory()),
      order_(&memory_),
      scheduler_(&memory_) {
  OrderBuilder(*this, function, liveness, fetches_apart).run();
  order_.resize(function.instructions.size());
}

// ---- an order ----

/// The policy of ListScheduler for one block. Finds the pressure of the order as well, because the order ends
/// values: what PressureWalk finds in a function that has this order.
class OrderPolicy {
 public:
  OrderPolicy(ValueOrders& orders, const ValueOrders::BlockOrder& block, ValueOrders::KeptOrder& kept,
              unsigned goal, unsigned fetch_goal, unsigned most)
      : orders_(orders),
        block_(block),
        kept_(kept),
        goal_(goal),
        fetch_goal_(fetch_goal),
        most_(most),
        alive_{block.alive[0], block.alive[1]} {
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      for (const ValueOrders::Use& use : orders_.uses_of(i)) {
        ValueOrders::Users& users = orders_.users_[use.value];
        ++users.count;
        users.sum ^= i;
      }
    }
    need(alive_[0], alive_[1]);
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

  /// False: the pressure is too high.
  bool issued(uint32_t n) {
    if (alive_[0] < goal_) {
      below_ = std::max(below_, alive_[0]);
    } else {
      above_ = std::min(above_, alive_[0]);
    }
    const uint32_t i = region_->first + n;
    const ValueOrders::Change change = orders_.region_changes_[n];
    const ValueOrders::Demand& demand = orders_.demands_[i];
    unsigned dying[2] = {0, 0};
    unsigned kept_elements = demand.vector_elements;
    for (const ValueOrders::Use& use : orders_.uses_of(i)) {
      ValueOrders::Users& users = orders_.users_[use.value];
      users.sum ^= i;
      --users.count;
      if (users.count > 1 || use.lives_on) continue;
      if (users.count == 1) {
        leave_to(users.sum - region_->first, use.value_class);
      } else {
        ++dying[index_of(use.value_class)];
        // If a part of a vector lives on, it may have to be copied into the vector.
        kept_elements -= use.in_vectors;
      }
    }
    const unsigned before = alive_[0] + demand.merged[0] + kept_elements;
    const unsigned after = alive_[0] - dying[0] + demand.results[0];
    need(std::max(before, after) + demand.gaps,
         std::max(alive_[1] + demand.merged[1], alive_[1] - dying[1] + demand.results[1]));
    alive_[0] += static_cast<unsigned>(change.of[0]);
    alive_[1] += static_cast<unsigned>(change.of[1]);
    return pressure_.general + block_.unused[0] <= most_;
  }

  /// After the last region, or when issued() has stopped.
  void end() {
    need(alive_[0] + block_.clobbers, alive_[1] + (block_.clobbers != 0 ? kPredicateCount : 0));
    kept_.pressure.general = pressure_.general + block_.unused[0];
    kept_.pressure.predicates = pressure_.predicates + block_.unused[1];
    kept_.below = below_;
    // Where fetches have a goal of their own, orders are not compared.
    kept_.above = fetch_goal_ > goal_ ? below_ : above_;
  }

 private:
  void need(unsigned general, unsigned predicates) {
    pressure_.general = std::max(pressure_.general, general);
    pressure_.predicates = std::max(pressure_.predicates, predicates);
  }

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
  const ValueOrders::BlockOrder& block_;
  ValueOrders::KeptOrder& kept_;
  const ValueOrders::Region* region_ = nullptr;
  const unsigned goal_, fetch_goal_, most_;
  unsigned alive_[2];  // by ValueClass
  Pressure pressure_;  // without unused parameters
  // The numbers of live values nearest to the goal at which it was asked for.
  unsigned below_ = 0, above_ = ~0u;
};

void ValueOrders::order_block(const BlockOrder& block, KeptOrder& kept, unsigned register_goal,
                              unsigned fetch_goal, unsigned most) {
  OrderPolicy policy(*this, block, kept, register_goal, fetch_goal, most);
  kept.number = made_++;
  kept.cycles = 0;
  kept.is_complete = true;
  for (uint32_t r = block.first_region; kept.is_complete && r < block.first_region + block.region_count;
       ++r) {
    const Region& region = regions_[r];
    policy.begin(region);
    const auto order = kept.order.subspan(region.first - block.first, region.graph.size());
    kept.is_complete = scheduler_.schedule(region.graph, policy, order, kept.cycles);
    for (uint32_t& i : order) i += region.first;
  }
  policy.end();
  if (kept.is_complete) return;
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    for (const Use& use : uses_of(i)) users_[use.value] = {};
  }
}

ValueOrders::KeptOrder& ValueOrders::new_order(BlockOrder& block) {
  const uint32_t most = order_.size() <= kMostForAll ? kMostKept : kFewKept;
  // The oldest of several is the first that was asked for, or one like it; the newest one makes room.
  if (block.kept == most) return kept_[block.newest];
  ++block.kept;
  KeptOrder& kept = kept_.emplace_back();
  kept.before = block.newest;
  kept.order = room_for<uint32_t>(memory_, block.count);
  block.newest = static_cast<uint32_t>(kept_.size() - 1);
  return kept;
}

ValueOrders::KeptOrder& ValueOrders::order_of(BlockOrder& block, unsigned register_goal, unsigned fetch_goal,
                                              unsigned most) {
  KeptOrder* found = nullptr;
  for (uint32_t k = block.newest; k != kNoIndex && found == nullptr; k = kept_[k].before) {
    KeptOrder& kept = kept_[k];
    if (fetch_goal > register_goal || register_goal <= kept.below || register_goal > kept.above) continue;
    if (kept.is_complete || kept.pressure.general > most) {
      block.current = k;
      return kept;
    }
    found = &kept;
  }
  if (found == nullptr) found = &new_order(block);
  order_block(block, *found, register_goal, fetch_goal, most);
  block.current = static_cast<uint32_t>(found - kept_.data());
  return *found;
}

OrderCost ValueOrders::find(unsigned register_goal, unsigned fetch_goal, unsigned most) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15u;
  OrderCost cost;
  for (BlockOrder& block : blocks_) {
    const KeptOrder& kept = order_of(block, register_goal, fetch_goal, most);
    cost.cycles += uint64_t{kept.cycles} * block.weight;
    cost.instructions += uint64_t{block.count} * block.weight;
    cost.pressure.general = std::max(cost.pressure.general, kept.pressure.general);
    cost.pressure.predicates = std::max(cost.pressure.predicates, kept.pressure.predicates);
    cost.order = (std::rotl(cost.order, 5) ^ kept.number) * kMix;
    if (cost.pressure.general > most) break;
  }
  return cost;
}

std::pmr::vector<Pressure> ValueOrders::pressures() const {
  std::pmr::vector<Pressure> out(kept_.get_allocator());
  out.reserve(blocks_.size());
  for (const BlockOrder& block : blocks_) out.push_back(kept_[block.current].pressure);
  return out;
}

std::span<const uint32_t> ValueOrders::order() {
  for (const BlockOrder& block : blocks_) {
    if (block.count != 0) std::ranges::copy(kept_[block.current].order, order_.begin() + block.first);
  }
  return order_;
}

}  // namespace texlate::maxwell::machine
