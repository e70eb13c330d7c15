// Where values are read for the last time, block by block.
#pragma once

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/liveness.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

/// The values that are alive at the end of a block.
class AliveAfter {
 public:
  AliveAfter(Function& function, const Liveness& liveness)
      : function_(function),
        liveness_(liveness),
        last_block_(all_ones<BlockId>(function.values.size(), function.scratch())) {}

  void enter(BlockId id) {
    Block& b = function_.blocks[id];
    visit_end_uses(function_, b, [&](Value v) { last_block_[v] = id; });
    for (unsigned s = 0; s < successor_count(b); ++s) {
      for (const Value v : liveness_[b.target[s]]) last_block_[v] = id;
    }
  }

  /// Is `id` the last entered block at whose end the value is alive?
  bool lives_after(Value v, BlockId id) const { return last_block_[v] == id; }

 protected:
  Function& function_;

 private:
  const Liveness& liveness_;
  std::pmr::vector<BlockId> last_block_;
};

class LastUses : public AliveAfter {
 public:
  LastUses(Function& function, const Liveness& liveness)
      : AliveAfter(function, liveness),
        last_use_(all_ones<uint32_t>(function.values.size(), function.scratch())) {}

  /// What follows is asked of the blocks that have been entered.
  void enter(BlockId id) {
    const Block& b = function_.blocks[id];
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      visit_uses(function_, function_.instructions[i], [&](Value v) { last_use_[v] = i; });
    }
    AliveAfter::enter(id);
  }

  /// The instruction that reads the value last, kNoIndex if none does.
  uint32_t of(Value v) const { return last_use_[v]; }
  bool dies(Value v, BlockId id, uint32_t instruction) const {
    return last_use_[v] == instruction && !lives_after(v, id);
  }
  bool is_needed(Value v, BlockId id) const { return last_use_[v] != kNoIndex || lives_after(v, id); }

 private:
  std::pmr::vector<uint32_t> last_use_;
};

}  // namespace texlate::maxwell::machine
