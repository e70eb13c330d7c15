// Where values are read for the last time, block by block.
#pragma once

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/liveness.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

/// visit(Value) for every value that the end of the block uses, or that is alive at the start of a block that
/// follows it.
template <typename Visit>
void visit_alive_after(Function& function, const Liveness& liveness, BlockId id, Visit visit) {
  Block& b = function.blocks[id];
  visit_end_uses(function, b, visit);
  for (unsigned s = 0; s < successor_count(b); ++s) {
    for (const Value v : liveness[b.target[s]]) visit(v);
  }
}

/// The values that are alive at the end of a block.
class AliveAfter {
 public:
  AliveAfter(Function& function, const Liveness& liveness)
      : function_(function),
        liveness_(liveness),
        last_block_(all_ones<BlockId>(function.values.size(), function.scratch())) {}

  void enter(BlockId id) {
    visit_alive_after(function_, liveness_, id, [&](Value v) { last_block_[v] = id; });
  }

  /// Is `id` the last entered block at whose end the value is alive?
  bool lives_after(Value v, BlockId id) const { return last_block_[v] == id; }

 private:
  Function& function_;
  const Liveness& liveness_;
  std::pmr::vector<BlockId> last_block_;
};

class LastUses {
 public:
  LastUses(Function& function, const Liveness& liveness)
      : function_(function),
        liveness_(liveness),
        last_use_(all_ones<uint32_t>(function.values.size(), function.scratch())) {}

  /// What follows is asked of values that are alive in the block entered last; with `predicates_only`, of
  /// predicates.
  void enter(BlockId id, bool predicates_only = false) {
    const Block& b = function_.blocks[id];
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      if (predicates_only && !has_predicates(function_.instructions[i])) continue;
      visit_uses(function_, function_.instructions[i], [&](Value v) { last_use_[v] = i; });
    }
    visit_alive_after(function_, liveness_, id, [&](Value v) { last_use_[v] = kAfterBlock; });
  }

  /// Is the instruction, or an earlier one, the last that reads the value?
  bool ends_by(Value v, uint32_t instruction) const { return last_use_[v] <= instruction; }
  bool dies(Value v, uint32_t instruction) const { return last_use_[v] == instruction; }
  /// The same, but only once.
  bool end(Value v, uint32_t instruction) {
    if (last_use_[v] != instruction) return false;
    last_use_[v] = kEnded;
    return true;
  }
  bool is_needed(Value v) const { return last_use_[v] != kNoIndex; }
  bool lives_after(Value v) const { return last_use_[v] == kAfterBlock; }

 private:
  static constexpr uint32_t kAfterBlock = kNoIndex - 1, kEnded = kNoIndex - 2;

  Function& function_;
  const Liveness& liveness_;
  std::pmr::vector<uint32_t> last_use_;
};

}  // namespace texlate::maxwell::machine
