// The order of a function's instructions before they have registers: longest paths first, so that fetches are
// in flight together, as far as registers allow. ValueOrders finds orders of one function for different
// numbers of registers. What must follow what is found once, for all of them.
//
// Before:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     TEXS.LZ RZ, v1:v2, v0, v0, 0x10, 2D, RG
//     FADD v3, v1, v2
//     TEXS.LZ RZ, v4:v5, v0, v0, 0x20, 2D, RG
//     FADD v6, v4, v5
//     FADD v7, v3, v6
//     exit(v7)
//
// After:
//   values
//   block0:
//     S2R v0, SR_TID.X
//     TEXS.LZ RZ, v1:v2, v0, v0, 0x10, 2D, RG
//     TEXS.LZ RZ, v4:v5, v0, v0, 0x20, 2D, RG
//     FADD v3, v1, v2
//     FADD v6, v4, v5
//     FADD v7, v3, v6
//     exit(v7)
//
#pragma once

#include <array>
#include <memory_resource>
#include <span>
#include <vector>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/list_schedule.h"
#include "backend/maxwell/machine/liveness.h"
#include "backend/maxwell/machine/spill.h"

namespace texlate::maxwell::machine {

/// What a warp needs for an order, loops counted as often as they are assumed to turn.
struct OrderCost {
  uint64_t cycles = 0;  // if it runs alone
  uint64_t instructions = 0;
  Pressure pressure;   // find_pressure() of the function with this order
  uint64_t order = 0;  // a number for the order: the same for the same order
};

class ValueOrders {
 public:
  /// `function` has scratch memory during this call only, and does not change as long as this is used.
  /// `fetches_apart`: orders may have a higher goal for what fetches need than for the rest.
  ValueOrders(Function& function, const Liveness& liveness, bool fetches_apart);
  ValueOrders(const ValueOrders&) = delete;
  ValueOrders& operator=(const ValueOrders&) = delete;

  /// Finds the order for these goals: from `register_goal` live values on, it frees registers instead of
  /// hiding latency; fetches and what they depend on do so from `fetch_goal` on, if that is more. The values
  /// alive between blocks stay as they were. Stops when the pressure is above `most`: then there is no order,
  /// and of the cost only that this pressure is above `most` is known.
  OrderCost find(unsigned register_goal, unsigned fetch_goal, unsigned most = ~0u);
  /// The order found last, by place: the index of the instruction in the function. See Function::assign().
  std::span<const uint32_t> order();
  /// The pressure of each block in this order.
  std::pmr::vector<Pressure> pressures() const;

 private:
  friend class OrderBuilder;
  friend class OrderPolicy;

  using Short = Dependences::Short;
  /// A use of a value that ends in the region, after several uses there.
  struct Use {
    Short users;  // Region::users
    uint8_t value_class;
    uint8_t in_vectors;  // as how many elements of vectors that are sources
  };
  /// The unissued instructions of the region that use a value: their number, and the exclusive or of their
  /// positions, which identifies the last one.
  struct Users {
    Short count, sum;
  };
  /// How many values, by ValueClass, an instruction adds to those alive.
  struct Change {
    int8_t of[2] = {0, 0};
  };
  /// How many values an instruction needs besides those alive before it, by ValueClass (PressureWalk).
  struct Demand {
    uint32_t first_use = 0;     // Region::uses
    int8_t before[2] = {0, 0};  // for what it merges with, and elements of vectors that do not end
    int8_t after[2] = {0, 0};   // for results, less what only it uses
    uint8_t gaps = 0;
  };
  /// At most kMaxRegion instructions of a block. All but the first is by position.
  struct Region {
    uint32_t first;  // instruction
    Dependences graph;
    std::span<Demand> demands;  // one more at the end
    std::span<Change> changes;
    std::span<const Use> uses;
    std::span<const Users> users;
    // They give general registers back; need a predicate more; are a fetch or something that a fetch depends
    // on.
    NodeSet frees{}, takes_predicate{}, feeds_fetch{};
  };
  struct BlockOrder {
    uint32_t first_region, region_count;
    uint32_t first, count;  // instructions
    uint32_t alive[2];      // at the start, by ValueClass
    uint32_t unused[2];     // parameters that nothing reads, by ValueClass
    uint32_t weight;        // how often it is assumed to run
    uint32_t clobbers;      // of a call at the end, which also needs all predicates; 0: there is none
    uint32_t newest;        // of its orders that are kept, kNoIndex: none
    uint32_t kept;          // their number
    uint32_t current;       // the one that find() has chosen
  };
  /// An order of a block, which all goals above `below` and up to `above` lead to.
  struct KeptOrder {
    unsigned below, above;
    bool is_complete;  // false: it was given up at this pressure
    Pressure pressure;
    uint32_t cycles;
    uint32_t number;  // in the order of making
    uint32_t before;  // the next older one, kNoIndex: none
    std::span<uint32_t> order;
  };
  /// How many orders of a block are kept, and up to how many instructions all that are asked for.
  static constexpr uint32_t kFewKept = 2, kMostKept = 32, kMostForAll = 20000;

  KeptOrder& order_of(BlockOrder& block, unsigned register_goal, unsigned fetch_goal, unsigned most);
  KeptOrder& new_order(BlockOrder& block);
  void order_block(const BlockOrder& block, KeptOrder& kept, unsigned register_goal, unsigned fetch_goal,
                   unsigned most);

  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::vector<BlockOrder> blocks_;
  std::pmr::vector<Region> regions_;
  // Of the region, while it is ordered.
  std::pmr::vector<Users> users_;
  std::array<Change, kMaxRegion> changes_;
  std::pmr::vector<KeptOrder> kept_;
  uint32_t made_ = 0;  // orders
  std::pmr::vector<uint32_t> order_;
  ListScheduler scheduler_;
};

}  // namespace texlate::maxwell::machine
