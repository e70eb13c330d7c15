#include "backend/maxwell/machine/schedule.h"

#include <algorithm>
#include <array>
#include <bit>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/timing.h"
#include "ir/base/all_ones.h"
#include "ir/base/buffer.h"

namespace texlate::maxwell::machine {

namespace {

constexpr unsigned kPredicateGoal = 5;
/// A loop is assumed to turn 8 times, loops within loops at most 512 times.
constexpr unsigned kTurnBits = 3, kMostTurnBits = 9;

constexpr unsigned index_of(ValueClass value_class) {
  return static_cast<unsigned>(value_class);
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
        alive_(function, liveness),
        known_(function.values.size(), function.scratch()),
        uses_(function.scratch()),
        kept_uses_(function.scratch()),
        users_(function.scratch()),
        carry_readers_(function.scratch()) {}

  void run() {
    // The arena takes nothing back, so nothing grows in it.
    orders_.blocks_.reserve(function_.blocks.size());
    size_t regions = 0;
    for (const Block& b : function_.blocks) regions += (b.count + kMaxRegion - 1) / kMaxRegion;
    orders_.regions_.resize(regions);
    size_t most_users = 0;
    for (const BlockId b : Indices<BlockId>(function_.blocks)) block(b);
    for (const Region& region : orders_.regions_) most_users = std::max(most_users, region.users.size());
    orders_.users_.resize(most_users);
    weigh_loops();
  }

 private:
  using Region = ValueOrders::Region;
  using Short = Dependences::Short;

  /// What is known of a value.
  struct Known {
    uint32_t definition = 0;  // one more than the index of the instruction, of those visited
    uint32_t last_use = 0;    // the same of the instruction visited last that uses it
    Short users = 0;          // instructions of the region that use it
    Short list = 0;           // kAlone, kLivesOn, or its index in Region::users
  };
  static constexpr Short kAlone = 0xffff, kLivesOn = 0xfffe;

  /// A value that an instruction uses, each once.
  struct Use {
    Value value;
    uint8_t value_class;
    uint8_t in_vectors;  // as how many elements of vectors that are sources
  };
  /// An instruction of the region.
  struct Node {
    const Instruction* instruction;
    const FormFacts* known;
    uint32_t first_use;  // in uses_
    bool feeds_fetch;    // it is a fetch, or one depends on it
  };

  /// In or after the region.
  bool is_needed(Value v) const { return known_[v].last_use > first_ || alive_.lives_after(v, block_); }

  void block(BlockId id) {
    Block& b = function_.blocks[id];
    block_ = id;
    alive_.enter(id);
    ValueOrders::BlockOrder order{};
    order.first_region = next_region_;
    order.region_count = (b.count + kMaxRegion - 1) / kMaxRegion;
    order.first = b.first;
    order.count = b.count;
    order.newest = kNoIndex;
    if (b.terminator == Terminator::call) order.clobbers = b.clobbers;
    next_region_ += order.region_count;
    // The last one first, so that it is known what lives on after each.
    for (uint32_t r = order.region_count; r-- > 0;) {
      const uint32_t first = b.first + r * kMaxRegion;
      region(orders_.regions_[order.first_region + r], first,
             std::min(kMaxRegion, b.first + b.count - first));
    }
    first_ = b.first;
    const auto add = [&](Value v) {
      ++(is_needed(v) ? order.alive : order.unused)[index_of(function_.values[v])];
    };
    for (const Value v : liveness_[id]) add(v);
    for (const Value v : function_.parameters(b)) add(v);
    orders_.blocks_.push_back(order);
  }

  void region(Region& region, uint32_t first, uint32_t count) {
    first_ = region.first = first;
    count_ = count;
    graph_.reset(count);
    effects_.reset();
    uses_.clear();
    carry_writer_ = kNoIndex;
    carry_readers_.clear();
    for (uint32_t n = 0; n < count; ++n) add_node(n);
    nodes_[count].first_use = static_cast<uint32_t>(uses_.size());
    if (fetches_apart_) find_feeders();
    std::pmr::memory_resource& memory = orders_.memory_;
    region.graph = graph_.prepare(memory);
    region.demands = room_for<ValueOrders::Demand>(memory, count + 1);
    region.changes = room_for<ValueOrders::Change>(memory, count);
    kept_uses_.clear();
    users_.clear();
    for (uint32_t at = 0; at < count; ++at) add_demand(region, at);
    region.demands[count].first_use = static_cast<uint32_t>(kept_uses_.size());
    region.uses = copy_of(kept_uses_, memory);
    region.users = copy_of(users_, memory);
  }

  void add_node(uint32_t n) {
    const uint32_t i = first_ + n;
    const Instruction& instruction = function_.instructions[i];
    const FormFacts& known = facts(instruction.code);
    const Timing& timed = timing(known.opcode);
    nodes_[n] = {&instruction, &known, static_cast<uint32_t>(uses_.size()),
                 known.latency_class == LatencyClass::texture};
    visit_uses(function_, instruction, [&](Value v) { add_use(v, n, timed.late_read); });
    bool leaves = false;
    visit_results(function_, instruction, [&](Value v) {
      known_[v].definition = i + 1;
      leaves |= alive_.lives_after(v, block_);
    });
    if (leaves) graph_.set_height(n, timed.expected);
    effects_.add(n, timed.looks_at_other_lanes, instruction.effect, instruction.space,
                 [&](uint32_t earlier) { graph_.add(earlier, n, 1); });
    add_carry(n, instruction.code, known);
  }

  void add_use(Value v, uint32_t n, unsigned late) {
    Known& known = known_[v];
    const uint32_t number = first_ + n + 1;
    if (known.last_use == number) return;
    if (known.last_use <= first_ || known.last_use > first_ + count_) {
      const bool lives_on = known.last_use > first_ || alive_.lives_after(v, block_);
      known.list = lives_on ? kLivesOn : kAlone;
      known.users = 0;
    }
    known.last_use = number;
    ++known.users;
    const ValueClass value_class = function_.values[v];
    *uses_.extend(1) = {v, static_cast<uint8_t>(value_class), 0};
    if (known.definition <= first_) return;
    const uint32_t from = known.definition - 1 - first_;
    graph_.add(from, n, distance(*nodes_[from].known, value_class, late));
  }

  static unsigned distance(const FormFacts& from, ValueClass value_class, unsigned late) {
    if (from.times.write_barrier) return timing(from.opcode).expected;
    if (value_class == ValueClass::predicate) return from.times.predicate;
    return from.times.result > late ? from.times.result - late : 1;
  }

  void add_carry(uint32_t n, const Code& code, const FormFacts& known) {
    if (reads_condition_code(code, known)) {
      if (carry_writer_ != kNoIndex) graph_.add(carry_writer_, n, known.times.carry);
      carry_readers_.push_back(n);
    }
    if (writes_condition_code(code, known)) {
      if (carry_writer_ != kNoIndex) graph_.add(carry_writer_, n, 1);
      for (const uint32_t reader : carry_readers_) {
        if (reader != n) graph_.add(reader, n, 1);
      }
      carry_readers_.clear();
      carry_writer_ = n;
    }
  }

  void find_feeders() {
    for (uint32_t n = count_; n-- > 0;) {
      if (!nodes_[n].feeds_fetch) continue;
      for (const Use& use : uses_of(n)) {
        const uint32_t definition = known_[use.value].definition;
        if (definition > first_) nodes_[definition - 1 - first_].feeds_fetch = true;
      }
    }
  }

  std::span<Use> uses_of(uint32_t n) {
    return std::span(uses_).subspan(nodes_[n].first_use, nodes_[n + 1].first_use - nodes_[n].first_use);
  }

  /// What an instruction needs, and what it does to the number of live values.
  void add_demand(Region& region, uint32_t at) {
    const uint32_t n = region.graph.node_at[at];
    const Instruction& instruction = *nodes_[n].instruction;
    ValueOrders::Demand& demand = region.demands[at] = {};
    demand.first_use = static_cast<uint32_t>(kept_uses_.size());
    count_operands(instruction, *nodes_[n].known, uses_of(n), demand);
    ValueOrders::Change change;
    for (const Use& use : uses_of(n)) {
      Known& known = known_[use.value];
      if (known.list == kLivesOn) continue;
      if (known.users == 1) {
        --change.of[use.value_class];
        --demand.after[use.value_class];
        demand.before[0] = static_cast<int8_t>(demand.before[0] - use.in_vectors);
        continue;
      }
      if (known.list == kAlone) {
        known.list = static_cast<Short>(users_.size());
        users_.push_back({known.users, 0});
      }
      users_[known.list].sum = static_cast<Short>(users_[known.list].sum ^ at);
      kept_uses_.push_back({known.list, use.value_class, use.in_vectors});
    }
    visit_results(function_, instruction, [&](Value v) {
      if (is_needed(v)) ++change.of[index_of(function_.values[v])];
    });
    region.changes[at] = change;
    if (change.of[0] < 0) insert(region.frees, at);
    if (change.of[1] > 0) insert(region.takes_predicate, at);
    if (fetches_apart_ && nodes_[n].feeds_fetch) insert(region.feeds_fetch, at);
  }

  void count_operands(const Instruction& instruction, const FormFacts& known, std::span<Use> uses,
                      ValueOrders::Demand& demand) {
    constexpr uint32_t kAboveOneEach = 0xeeeeeeee;
    const unsigned predicates = known.destinations & known.predicates;
    // Mostly, no operand is a vector, and all results are of one class.
    if ((instruction.counts & kAboveOneEach) == 0 && (predicates == 0 || predicates == known.destinations)) {
      const unsigned value_class = predicates != 0 ? 1 : 0;
      demand.after[value_class] = static_cast<int8_t>(instruction.result_count);
      if (instruction.merge != kNoIndex) demand.before[value_class] = demand.after[value_class];
      return;
    }
    unsigned widest = 1;
    visit_lists(function_, instruction, [&](unsigned k, std::span<const Value> values) {
      const auto count = static_cast<unsigned>(values.size());
      widest = std::max(widest, count);
      const unsigned value_class = known.predicates >> k & 1;
      if ((known.destinations >> k & 1) != 0) {
        demand.after[value_class] = static_cast<int8_t>(demand.after[value_class] + count);
        // The value that an unwritten result leaves must be copied if it lives on.
        if (instruction.merge != kNoIndex)
          demand.before[value_class] = static_cast<int8_t>(demand.before[value_class] + count);
      } else if (count > 1) {
        // If a part of a vector lives on, it may have to be copied into the vector.
        demand.before[0] = static_cast<int8_t>(demand.before[0] + count);
        for (Use& use : uses)
          use.in_vectors = static_cast<uint8_t>(use.in_vectors + std::ranges::count(values, use.value));
      }
    });
    demand.gaps = static_cast<uint8_t>(widest > 2 ? 3 : widest - 1);
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
  AliveAfter alive_;
  std::pmr::vector<Known> known_;  // by value
  uint32_t next_region_ = 0;
  BlockId block_ = kEntryBlock;
  // Of the region.
  uint32_t first_ = 0, count_ = 0;
  std::array<Node, kMaxRegion + 1> nodes_;
  Buffer<Use> uses_;
  Buffer<ValueOrders::Use> kept_uses_;
  Buffer<ValueOrders::Users> users_;
  std::pmr::vector<uint32_t> carry_readers_;
  uint32_t carry_writer_ = kNoIndex;
};

ValueOrders::ValueOrders(Function& function, const Liveness& liveness, bool fetches_apart)
    : memory_(function.memory()),
      blocks_(&memory_),
      regions_(&memory_),
      users_(&memory_),
      kept_(function.memory()),
      order_(&memory_) {
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
        fetch_goal_(std::max(fetch_goal, goal)),
        most_(most),
        alive_{block.alive[0], block.alive[1]} {
    need(alive_[0], alive_[1]);
  }

  /// Call it for each region in turn.
  void begin(const ValueOrders::Region& region) {
    region_ = &region;
    frees_ = region.frees;
    takes_predicate_ = region.takes_predicate;
    std::copy_n(region.users.data(), region.users.size(), orders_.users_.data());
    std::copy_n(region.changes.data(), region.changes.size(), orders_.changes_.data());
  }

  bool prefers_all() const { return alive_[0] < goal_ && alive_[1] < kPredicateGoal; }
  /// While there are registers, all nodes. If they are short, the nodes that free some; the rest then comes
  /// in program order, which loads what it needs next.
  auto preferred() const {
    const uint64_t room = all_or_none(alive_[0] < goal_);
    const uint64_t fetch_room = all_or_none(alive_[0] < fetch_goal_);
    const uint64_t predicates_short = all_or_none(alive_[1] >= kPredicateGoal);
    return [this, room, fetch_room, predicates_short](uint32_t word) {
      const uint64_t with_room = room | (fetch_room & region_->feeds_fetch[word]);
      return (with_room & ~(predicates_short & takes_predicate_[word])) | (~with_room & frees_[word]);
    };
  }

  /// False: the pressure is too high.
  bool issued(uint32_t at) {
    if (alive_[0] < goal_) {
      below_ = std::max(below_, alive_[0]);
    } else {
      above_ = std::min(above_, alive_[0]);
    }
    const ValueOrders::Demand& demand = region_->demands[at];
    int before = demand.before[0];
    int after[2] = {demand.after[0], demand.after[1]};
    for (uint32_t u = demand.first_use; u < region_->demands[at + 1].first_use; ++u) {
      const ValueOrders::Use& use = region_->uses[u];
      ValueOrders::Users& users = orders_.users_[use.users];
      users.sum = static_cast<ValueOrders::Short>(users.sum ^ at);
      --users.count;
      if (users.count > 1) continue;
      if (users.count == 1) {
        leave_to(users.sum, use.value_class);
      } else {
        --after[use.value_class];
        before -= use.in_vectors;
      }
    }
    need(alive_[0] + static_cast<unsigned>(std::max(before, after[0])) + demand.gaps,
         alive_[1] + static_cast<unsigned>(std::max<int>(demand.before[1], after[1])));
    const ValueOrders::Change change = orders_.changes_[at];
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
    if (general > pressure_.general) pressure_.general = general;
    if (predicates > pressure_.predicates) pressure_.predicates = predicates;
  }

  static uint64_t all_or_none(bool all) { return all ? ~uint64_t{0} : 0; }

  /// The only remaining user ends the value.
  void leave_to(uint32_t last, unsigned value_class) {
    const int8_t change = --orders_.changes_[last].of[value_class];
    if (value_class == index_of(ValueClass::general)) {
      if (change < 0) insert(frees_, last);
    } else if (change <= 0) {
      remove(takes_predicate_, last);
    }
  }

  ValueOrders& orders_;
  const ValueOrders::BlockOrder& block_;
  ValueOrders::KeptOrder& kept_;
  const ValueOrders::Region* region_ = nullptr;
  NodeSet frees_, takes_predicate_;  // of what has not issued
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
    kept.is_complete = scheduler_.schedule(region.graph, policy, region.first, order, kept.cycles);
  }
  policy.end();
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
