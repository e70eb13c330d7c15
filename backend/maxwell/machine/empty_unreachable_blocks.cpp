#include "backend/maxwell/machine/empty_unreachable_blocks.h"

#include <algorithm>

#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {

void empty_unreachable_blocks(Function& function) {
  std::pmr::vector<bool> reached(function.blocks.size(), false, function.scratch());
  std::pmr::vector<BlockId> work(1, kEntryBlock, function.scratch());
  reached[kEntryBlock] = true;
  while (!work.empty()) {
    const Block& b = function.blocks[work.back()];
    work.pop_back();
    for (unsigned s = 0; s < successor_count(b); ++s) {
      if (reached[b.target[s]]) continue;
      reached[b.target[s]] = true;
      work.push_back(b.target[s]);
    }
  }
  if (std::ranges::find(reached, false) == reached.end()) return;
  uint32_t to = 0;
  for (const BlockId id : Indices<BlockId>(function.blocks)) {
    Block& b = function.blocks[id];
    if (!reached[id]) {
      b.count = b.parameter_count = b.argument_count = 0;
      b.terminator = Terminator::exit;
      b.construct = Construct::none;
    }
    const uint32_t first = to;
    for (uint32_t i = b.first; i < b.first + b.count; ++i)
      function.instructions[to++] = function.instructions[i];
    b.first = first;
  }
  function.instructions.shrink(function.instructions.size() - to);
}

}  // namespace texlate::maxwell::machine
