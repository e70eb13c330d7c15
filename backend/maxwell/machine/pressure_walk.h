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
        alive_{std::pmr::vector<Value>(function.scratch()), std::pmr::vector<Value>(function.scratch())} {}

  /// The most within a block.
  Pressure count(BlockId id);

  /// visit(instruction index, Pressure): the most that the places before, in and after the instruction hold;
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
  std::pmr::vector<Value>& set_of(Value v) { return alive_[static_cast<unsigned>(function_.values[v])]; }
  void add(Value v) {
    if (place_[v] != kNoIndex) return;
    place_[v] = static_cast<uint32_t>(set_of(v).size());
    set_of(v).push_back(v);
  }

  /// The values that end in an instruction, each once, and how many they are by ValueClass.
  struct Dying {
    std::array<Value, 48> values;
    unsigned count = 0;
    unsigned of[2] = {0, 0};
  };
  Dying find_dying(Instruction& instruction, uint32_t index) const {
    Dying out;
    visit_uses(function_, instruction, [&](Value v) {
      if (!uses_.dies(v, index) || !is_alive(v)) return;
      const auto end = out.values.begin() + out.count;
      if (std::find(out.values.begin(), end, v) != end) return;
      out.values[out.count++] = v;
      ++out.of[static_cast<unsigned>(function_.values[v])];
    });
    return out;
  }

  /// A call needs its registers and all predicates exclusively.
  static Pressure end_demand(const Block& block, Pressure alive) {
    if (block.terminator != Terminator::call) return alive;
    return {alive.general + block.clobbers, alive.predicates + kPredicateCount};
  }

  /// `dying`: how many of the values alive before the instruction end in it.
  Pressure demand(const Instruction& instruction, uint32_t index, Pressure before, Pressure dying) const;

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
  for (const Value v : liveness_[id]) add(v);
  for (const Value v : function_.parameters(b)) add(v);
  const auto sizes = [&] {
    return Pressure{static_cast<unsigned>(alive_[0].size()), static_cast<unsigned>(alive_[1].size())};
  };
  const uint32_t end = b.first + b.count;
  for (uint32_t i = b.first; i < end; ++i) {
    Instruction& instruction = function_.instructions[i];
    const Dying dying = find_dying(instruction, i);
    visit(i, demand(instruction, i, sizes(), {dying.of[0], dying.of[1]}));
    for (unsigned n = 0; n < dying.count; ++n) remove(dying.values[n]);
    visit_results(function_, instruction, [&](Value v) {
      if (uses_.is_needed(v)) add(v);
    });
  }
  visit(end, end_demand(b, sizes()));
}

}  // namespace texlate::maxwell::machine
