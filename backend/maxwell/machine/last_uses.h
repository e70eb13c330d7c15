// Where values are read for the last time, block by block.
#pragma once

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {

class LastUses {
 public:
  LastUses(Function& function, const Liveness& liveness)
      : function_(function),
        liveness_(liveness),
        last_use_(function.values.size(), kNoIndex, function.scratch()),
        alive_after_(function.values.size(), kNoBlock, function.scratch()) {}

  /// What follows is asked of the blocks that have been entered.
  void enter(BlockId id) {
    Block& b = function_.blocks[id];
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      visit_uses(function_, function_.instructions[i], [&](Value v) { last_use_[v] = i; });
    }
    visit_end_uses(function_, b, [&](Value v) { alive_after_[v] = id; });
    for (unsigned s = 0; s < successor_count(b); ++s) {
      const BlockId target = b.target[s];
      for (uint32_t n = liveness_.first[target]; n < liveness_.first[target + 1]; ++n) {
        alive_after_[liveness_.values[n]] = id;
      }
    }
  }

  /// The instruction that reads the value last, kNoIndex if none does.
  uint32_t of(Value v) const { return last_use_[v]; }
  /// Is the block the last one at whose end the value is alive?
  bool lives_after(Value v, BlockId id) const { return alive_after_[v] == id; }
  bool dies(Value v, BlockId id, uint32_t instruction) const {
    return !lives_after(v, id) && last_use_[v] == instruction;
  }
  bool is_needed(Value v, BlockId id) const { return last_use_[v] != kNoIndex || lives_after(v, id); }

 private:
  Function& function_;
  const Liveness& liveness_;
  std::pmr::vector<uint32_t> last_use_;
  std::pmr::vector<BlockId> alive_after_;
};

}  // namespace texlate::maxwell::machine
