#include "backend/maxwell/machine/liveness.h"

namespace texlate::maxwell::machine {
namespace {

/// Which blocks use each value, without repetition of neighbours.
struct UseBlocks {
  std::pmr::vector<uint32_t> first;
  std::pmr::vector<BlockId> list;
};

template <typename Visit>
void visit_block_uses(Function& function, BlockId block, Visit visit) {
  Block& b = function.blocks[block];
  for (uint32_t i = b.first; i < b.first + b.count; ++i)
    visit_uses(function, function.instructions[i], visit);
  visit_end_uses(function, b, visit);
}

UseBlocks find_use_blocks(Function& function, const std::pmr::vector<BlockId>& definition) {
  UseBlocks out{std::pmr::vector<uint32_t>(function.values.size() + 1, 0, function.memory()),
                std::pmr::vector<BlockId>(function.memory())};
  std::pmr::vector<BlockId> last(function.values.size(), kNoBlock, function.memory());
  const auto scan = [&](auto found) {
    last.assign(last.size(), kNoBlock);
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
      visit_block_uses(function, b, [&](Value v) {
        if (definition[v] == b || last[v] == b) return;
        last[v] = b;
        found(v, b);
      });
    }
  };
  scan([&](Value v, BlockId) { ++out.first[v + 1]; });
  for (size_t v = 0; v + 1 < out.first.size(); ++v) out.first[v + 1] += out.first[v];
  out.list.resize(out.first.back());
  std::pmr::vector<uint32_t> at(out.first.begin(), out.first.end() - 1, function.memory());
  scan([&](Value v, BlockId b) { out.list[at[v]++] = b; });
  return out;
}

}  // namespace

Liveness find_liveness(Function& function, const Predecessors& predecessors) {
  std::pmr::vector<BlockId> definition(function.values.size(), kNoBlock, function.memory());
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const Block& block = function.blocks[b];
    for (uint32_t i = 0; i < block.parameter_count; ++i) {
      definition[function.operands[block.parameters + i]] = b;
    }
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      visit_results(function, function.instructions[i], [&](Value v) { definition[v] = b; });
    }
  }
  const UseBlocks uses = find_use_blocks(function, definition);

  struct Pair {
    BlockId block;
    Value value;
  };
  std::pmr::vector<Pair> pairs(function.memory());
  std::pmr::vector<Value> stamp(function.blocks.size(), kNoValue, function.memory());
  std::pmr::vector<BlockId> work(function.memory());
  for (Value v = 0; v < function.values.size(); ++v) {
    for (uint32_t u = uses.first[v]; u < uses.first[v + 1]; ++u) work.push_back(uses.list[u]);
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (stamp[b] == v || b == definition[v]) continue;
      stamp[b] = v;
      pairs.push_back({b, v});
      for (uint32_t p = predecessors.first[b]; p < predecessors.first[b + 1]; ++p) {
        work.push_back(predecessors.list[p]);
      }
    }
  }

  Liveness out(function.memory());
  out.first.assign(function.blocks.size() + 1, 0);
  for (const Pair& pair : pairs) ++out.first[pair.block + 1];
  for (size_t b = 0; b < function.blocks.size(); ++b) out.first[b + 1] += out.first[b];
  out.values.resize(pairs.size());
  std::pmr::vector<uint32_t> at(out.first.begin(), out.first.end() - 1, function.memory());
  for (const Pair& pair : pairs) out.values[at[pair.block]++] = pair.value;
  return out;
}

}  // namespace texlate::maxwell::machine
