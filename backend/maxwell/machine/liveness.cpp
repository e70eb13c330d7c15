#include "backend/maxwell/machine/liveness.h"

#include "ir/base/all_ones.h"
#include "ir/base/buffer.h"

namespace texlate::maxwell::machine {
namespace {

struct Pair {
  BlockId block;
  Value value;
};

/// For each value, the blocks that use it and do not define it.
using UseBlocks = Lists<Value, BlockId>;

UseBlocks find_use_blocks(Function& function, std::pmr::vector<BlockId>& definition) {
  std::pmr::memory_resource* const memory = function.scratch();
  UseBlocks out(memory);
  // The last block that mentions the value. Definitions come before uses, so a value defined in a block is
  // known by the time of its use.
  auto last = all_ones<BlockId>(function.values.size(), memory);
  Buffer<Pair> pairs(memory);
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    Block& block = function.blocks[b];
    const auto define = [&](Value v) { definition[v] = last[v] = b; };
    const auto use = [&](Value v) {
      if (last[v] == b) return;
      last[v] = b;
      pairs.push_back({b, v});
    };
    for (const Value p : function.parameters(block)) define(p);
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      visit_uses(function, function.instructions[i], use);
      visit_results(function, function.instructions[i], define);
    }
    visit_end_uses(function, block, use);
  }
  out.assign(function.values.size(), [&](auto add) {
    for (const Pair& pair : pairs) add(pair.value, pair.block);
  });
  return out;
}

}  // namespace

Liveness find_liveness(Function& function, const Predecessors& predecessors) {
  Liveness out(function.memory());
  if (function.blocks.size() == 1) {  // nothing is alive at its start
    out.assign(1, [](auto) {});
    return out;
  }
  auto definition = all_ones<BlockId>(function.values.size(), function.scratch());
  const UseBlocks uses = find_use_blocks(function, definition);

  Buffer<Pair> pairs(function.scratch());
  auto stamp = all_ones<Value>(function.blocks.size(), function.scratch());
  for (const Value v : Indices<Value>(function.values)) {
    const auto enter = [&](BlockId b) {
      if (stamp[b] == v || b == definition[v]) return;
      stamp[b] = v;
      pairs.push_back({b, v});
    };
    size_t next = pairs.size();
    for (const BlockId use : uses[v]) enter(use);
    for (; next < pairs.size(); ++next) {
      for (const BlockId from : predecessors[pairs[next].block]) enter(from);
    }
  }

  out.assign(function.blocks.size(), [&](auto add) {
    for (const Pair& pair : pairs) add(pair.block, pair.value);
  });
  return out;
}

}  // namespace texlate::maxwell::machine
