#include "backend/maxwell/machine/liveness.h"

#include "ir/base/all_ones.h"
#include "ir/base/buffer.h"

namespace texlate::maxwell::machine {
namespace {

struct Pair {
  BlockId block;
  Value value;
};

/// A block that uses a value and does not define it, and the next such use of the same value.
struct Use {
  BlockId block;
  uint32_t next;
};

Buffer<Use> find_uses(Function& function, std::pmr::vector<BlockId>& definition,
                      std::pmr::vector<uint32_t>& first_use) {
  Buffer<Use> out(function.scratch());
  // The last block that mentions the value. Definitions come before uses, so a value defined in a block is
  // known by the time of its use.
  auto last = all_ones<BlockId>(function.values.size(), function.scratch());
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    Block& block = function.blocks[b];
    const auto define = [&](Value v) { definition[v] = last[v] = b; };
    const auto use = [&](Value v) {
      if (last[v] == b) return;
      last[v] = b;
      out.push_back({b, first_use[v]});
      first_use[v] = static_cast<uint32_t>(out.size() - 1);
    };
    for (const Value p : function.parameters(block)) define(p);
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      visit_uses(function, function.instructions[i], use);
      visit_results(function, function.instructions[i], define);
    }
    visit_end_uses(function, block, use);
  }
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
  auto first_use = all_ones<uint32_t>(function.values.size(), function.scratch());
  const Buffer<Use> uses = find_uses(function, definition, first_use);

  Buffer<Pair> pairs(function.scratch());
  auto stamp = all_ones<Value>(function.blocks.size(), function.scratch());
  for (const Value v : Indices<Value>(function.values)) {
    const auto enter = [&](BlockId b) {
      if (stamp[b] == v || b == definition[v]) return;
      stamp[b] = v;
      pairs.push_back({b, v});
    };
    if (first_use[v] == kNoIndex) continue;
    size_t next = pairs.size();
    for (uint32_t u = first_use[v]; u != kNoIndex; u = uses[u].next) enter(uses[u].block);
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
