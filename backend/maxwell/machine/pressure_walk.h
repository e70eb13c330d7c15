// Walks over a function with the set of live values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/last_uses.h"

namespace texlate::maxwell::machine {

class PressureWalk {
 public:
  static constexpr unsigned kPredicatePlaces = 7;

  PressureWalk(Function& function, const Liveness& liveness)
      : function_(function),
        liveness_(liveness),
        place_(function.values.size(), kNoIndex, function.scratch()),
        uses_(function, liveness),
        alive_{std::pmr::vector<Value>(function.scratch()), std::pmr::vector<Value>(function.scratch())} {}

  struct Demand {
    unsigned general = 0;
    unsigned predicates = 0;
  };

  /// The largest demand within a block.
  Demand count(BlockId id);

  /// visit(instruction index, Demand): the most that the places before, in and after the instruction hold;
  /// for the end of the block, the index is one past its last instruction. During the walk, alive() is the
  /// set alive before the instruction, and remove() may take values out of it.
  template <typename Visit>
  void block(BlockId id, Visit visit);

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
  unsigned class_of(Value v) const { return static_cast<unsigned>(function_.values[v]); }
  std::pmr::vector<Value>& set_of(Value v) { return alive_[static_cast<unsigned>(function_.values[v])]; }
  void add(Value v) {
    if (place_[v] != kNoIndex) return;
    place_[v] = static_cast<uint32_t>(set_of(v).size());
    set_of(v).push_back(v);
  }

  /// A call needs its registers and all predicates exclusively.
  static Demand end_demand(const Block& block, Demand alive) {
    if (block.terminator != Terminator::call) return alive;
    return {alive.general + block.clobbers, alive.predicates + kPredicatePlaces};
  }

  /// `dying`: how many of the values alive before the instruction end in it.
  Demand demand(const Instruction& instruction, BlockId id, uint32_t index, Demand before,
                Demand dying) const;

  Function& function_;
  const Liveness& liveness_;
  std::pmr::vector<uint32_t> place_;  // in its list; kNoIndex: not alive
  LastUses uses_;
  std::pmr::vector<Value> alive_[2];  // by ValueClass
};

template <typename Visit>
void PressureWalk::block(BlockId id, Visit visit) {
  Block& b = function_.blocks[id];
  for (auto& list : alive_) {
    while (!list.empty()) remove(list.back());
  }
  uses_.enter(id);
  for (uint32_t n = liveness_.first[id]; n < liveness_.first[id + 1]; ++n) add(liveness_.values[n]);
  for (uint32_t i = 0; i < b.parameter_count; ++i) add(function_.operands[b.parameters + i]);
  const auto sizes = [&] {
    return Demand{static_cast<unsigned>(alive_[0].size()), static_cast<unsigned>(alive_[1].size())};
  };
  const uint32_t end = b.first + b.count;
  for (uint32_t i = b.first; i < end; ++i) {
    Instruction& instruction = function_.instructions[i];
    // Removed so that each is counted once, and put back afterwards.
    std::array<Value, 48> dead;
    unsigned dead_count = 0;
    const Demand before = sizes();
    visit_uses(function_, instruction, [&](Value v) {
      if (!uses_.dies(v, id, i) || !is_alive(v)) return;
      remove(v);
      dead[dead_count++] = v;
    });
    const Demand left = sizes();
    for (unsigned n = 0; n < dead_count; ++n) add(dead[n]);
    visit(i, demand(instruction, id, i, before,
                    {before.general - left.general, before.predicates - left.predicates}));
    for (unsigned n = 0; n < dead_count; ++n) remove(dead[n]);
    visit_results(function_, instruction, [&](Value v) {
      if (uses_.is_needed(v, id)) add(v);
    });
  }
  visit(end, end_demand(b, sizes()));
}

}  // namespace texlate::maxwell::machine
