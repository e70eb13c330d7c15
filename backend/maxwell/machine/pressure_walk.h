// Walks over a function with the set of live values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/last_uses.h"
#include "backend/maxwell/machine/spill.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

class PressureWalk {
 public:
  PressureWalk(Function& function, const Liveness& liveness)
      : function_(function),
        liveness_(liveness),
        place_(all_ones<uint32_t>(function.values.size(), function.scratch())),
        uses_(function, liveness),
        dying_(function.scratch()),
        alive_{std::pmr::vector<Value>(function.scratch()), std::pmr::vector<Value>(function.scratch())} {}

  /// The most within a block; with `predicates_only`, of predicates.
  Pressure count(BlockId id, bool predicates_only = false);

  /// visit(instruction index, Pressure): the most that the places before, in and after the instruction hold;
  /// for the end of the block, the index is one past its last instruction. During the walk, alive() is the
  /// set alive before the instruction, and remove() may take values out of it. With `predicates_only`,
  /// general registers are neither alive nor counted.
  template <typename Visit>
  void block(BlockId id, bool predicates_only, Visit visit);

  const std::pmr::vector<Value>& alive(ValueClass value_class) const {
    return alive_[static_cast<unsigned>(value_class)];
  }
  bool is_alive(Value v) const { return place_[v] != kNoIndex; }
  void remove(Value v) {
    if (place_[v] == kNoIndex) return;
    std::pmr::vector<Value>& list = set_of(v);
    place_[list.back()] = place_[v];
    std::swap(list[place_[v]], list.back());
    list.pop_back();
    place_[v] = kNoIndex;
  }

 private:
  using Counts = std::array<unsigned, 2>;  // by ValueClass

  std::pmr::vector<Value>& set_of(Value v) { return alive_[class_of(v)]; }
  void add(Value v, bool predicates_only) {
    if (place_[v] != kNoIndex || (predicates_only && class_of(v) == 0)) return;
    place_[v] = static_cast<uint32_t>(set_of(v).size());
    set_of(v).push_back(v);
  }

  unsigned class_of(Value v) const { return static_cast<unsigned>(function_.values[v]); }

  /// A call needs its registers and all predicates exclusively.
  static Pressure end_demand(const Block& block, const Counts& alive) {
    if (block.terminator != Terminator::call) return {alive[0], alive[1]};
    return {alive[0] + block.clobbers, alive[1] + kPredicateCount};
  }

  /// What an instruction needs beyond what is alive: `before` it for values that are copied, and `after` it
  /// for results. Returns how many more registers gaps between vectors may take.
  unsigned find_demand(const Instruction& instruction, uint32_t index, Counts& before, Counts& after) const;

  Function& function_;
  const Liveness& liveness_;
  std::pmr::vector<uint32_t> place_;  // in its list; kNoIndex: not alive
  LastUses uses_;
  std::pmr::vector<Value> dying_;     // in the instruction, each once
  std::pmr::vector<Value> alive_[2];  // by ValueClass
};

template <typename Visit>
void PressureWalk::block(BlockId id, bool predicates_only, Visit visit) {
  Block& b = function_.blocks[id];
  for (auto& list : alive_) {
    while (!list.empty()) remove(list.back());
  }
  uses_.enter(id, predicates_only);
  for (const Value v : liveness_[id]) add(v, predicates_only);
  for (const Value v : function_.parameters(b)) add(v, predicates_only);
  const auto sizes = [&] {
    return Counts{static_cast<unsigned>(alive_[0].size()), static_cast<unsigned>(alive_[1].size())};
  };
  const uint32_t end = b.first + b.count;
  for (uint32_t i = b.first; i < end; ++i) {
    const Instruction& instruction = function_.instructions[i];
    if (predicates_only && !has_predicates(instruction)) {
      visit(i, Pressure{0, sizes()[1]});
      continue;
    }
    dying_.clear();
    Counts before = sizes(), after = before;
    const unsigned gaps = find_demand(instruction, i, before, after);
    visit_uses(function_, instruction, [&](Value v) {
      if (!uses_.end(v, i) || !is_alive(v)) return;
      dying_.push_back(v);
      --after[class_of(v)];
    });
    visit(i, Pressure{std::max(before[0], after[0]) + gaps, std::max(before[1], after[1])});
    for (const Value v : dying_) remove(v);
    visit_results(function_, instruction, [&](Value v) {
      if (uses_.is_needed(v)) add(v, predicates_only);
    });
  }
  visit(end, end_demand(b, sizes()));
}

}  // namespace texlate::maxwell::machine
