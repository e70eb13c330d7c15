#include "backend/maxwell/machine/liveness.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

struct Pair {
  BlockId block;
  Value value;
};

/// For each value, the blocks that use it and do not define it.
struct UseBlocks {
  std::pmr::vector<uint32_t> first;
  std::pmr::vector<BlockId> list;
};

UseBlocks find_use_blocks(Function& function, std::pmr::vector<BlockId>& definition) {
  std::pmr::memory_resource* const memory = function.scratch();
  UseBlocks out{std::pmr::vector<uint32_t>(function.values.size() + 1, 0, memory),
                std::pmr::vector<BlockId>(memory)};
  // Definitions come before uses, so a value defined in the block is known by the time of its use.
  auto last = all_ones<BlockId>(function.values.size(), memory);
  std::pmr::vector<Pair> pairs(memory);
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    Block& block = function.blocks[b];
    for (uint32_t i = 0; i < block.parameter_count; ++i) {
      definition[function.operands[block.parameters + i]] = b;
    }
    const auto use = [&](Value v) {
      if (definition[v] == b || last[v] == b) return;
      last[v] = b;
      pairs.push_back({b, v});
    };
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      visit_uses(function, function.instructions[i], use);
      visit_results(function, function.instructions[i], [&](Value v) { definition[v] = b; });
    }
    visit_end_uses(function, block, use);
  }
  if (pairs.empty()) return out;
  for (const Pair& pair : pairs) ++out.first[pair.value + 1];
  for (size_t v = 0; v + 1 < out.first.size(); ++v) out.first[v + 1] += out.first[v];
  out.list.resize(pairs.size());
  // Backwards, so that `first` ends with its old values.
  for (size_t n = pairs.size(); n-- > 0;) out.list[--out.first[pairs[n].value + 1]] = pairs[n].block;
  out.first.erase(out.first.begin());
  out.first.push_back(static_cast<uint32_t>(pairs.size()));
  return out;
}

}  // namespace

Liveness find_liveness(Function& function, const Predecessors& predecessors) {
  Liveness out(function.memory());
  out.first.assign(function.blocks.size() + 1, 0);
  auto definition = all_ones<BlockId>(function.values.size(), function.scratch());
  const UseBlocks uses = find_use_blocks(function, definition);
  if (uses.list.empty()) return out;

  std::pmr::vector<Pair> pairs(function.scratch());
  auto stamp = all_ones<Value>(function.blocks.size(), function.scratch());
  std::pmr::vector<BlockId> work(function.scratch());
  for (const Value v : Indices<Value>(function.values)) {
    const auto enter = [&](BlockId b) {
      if (stamp[b] == v || b == definition[v]) return;
      stamp[b] = v;
      pairs.push_back({b, v});
      work.push_back(b);
    };
    for (uint32_t u = uses.first[v]; u < uses.first[v + 1]; ++u) enter(uses.list[u]);
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (uint32_t p = predecessors.first[b]; p < predecessors.first[b + 1]; ++p) {
        enter(predecessors.list[p]);
      }
    }
  }

  for (const Pair& pair : pairs) ++out.first[pair.block + 1];
  for (size_t b = 0; b < function.blocks.size(); ++b) out.first[b + 1] += out.first[b];
  out.values.resize(pairs.size());
  std::pmr::vector<uint32_t> at(out.first.begin(), out.first.end() - 1, function.scratch());
  for (const Pair& pair : pairs) out.values[at[pair.block]++] = pair.value;
  return out;
}

}  // namespace texlate::maxwell::machine
