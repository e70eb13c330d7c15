#include "backend/maxwell/machine/access.h"

#include <algorithm>

#include "backend/maxwell/isa/constraints.h"

namespace texlate::maxwell::machine {

bool finds_condition_code(const maxwell::Instruction& code) {
  const uint8_t half = get_modifier(code, Modifier::funnel_half);
  if (half == static_cast<uint8_t>(FunnelHalf::x) || half == static_cast<uint8_t>(FunnelHalf::xhi))
    return true;
  const Form& f = form(code);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    const Slot& slot = f.operands[i];
    if (slot.kind == SlotKind::literal && slot.text == "CC") return true;
    if (slot.kind == SlotKind::condition && code.operands[i].value != static_cast<int32_t>(Condition::t)) {
      return true;
    }
  }
  return false;
}

[[gnu::noinline]] bool finds_condition_code(const Code& code) {
  return finds_condition_code(code.decode());
}

bool is_move_of_constant(const Instruction& mov) {
  constexpr uint64_t kAllLanes = 15;
  const unsigned mask_at = form(mov.code).operands[2].at;
  return mov.value_count == 1 && mov.result_count == 1 && (mov.code.word >> mask_at & kAllLanes) == kAllLanes;
}

Predecessors find_predecessors(const Function& function) {
  Predecessors out(function.scratch());
  out.assign(function.blocks.size(), [&](auto add) {
    for (const BlockId b : Indices<BlockId>(function.blocks)) {
      const Block& block = function.blocks[b];
      for (unsigned s = 0; s < successor_count(block); ++s) add(block.target[s], b);
    }
  });
  return out;
}

std::pmr::vector<uint8_t> find_loop_depths(const Function& function) {
  // The blocks of a loop are those between the block that enters it and its merge block.
  std::pmr::vector<int32_t> change(function.blocks.size() + 1, 0, function.scratch());
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    if (function.blocks[b].construct != Construct::loop) continue;
    ++change[b + 1];
    --change[function.blocks[b].merge];
  }
  std::pmr::vector<uint8_t> depth(function.blocks.size(), 0, function.scratch());
  int32_t sum = 0;
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    sum += change[b];
    depth[b] = static_cast<uint8_t>(std::min(sum, 255));
  }
  return depth;
}

}  // namespace texlate::maxwell::machine
