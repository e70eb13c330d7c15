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

bool is_constant_move(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard() != kPT) return false;
  switch (opcode(instruction.code)) {
    case Opcode::mov32i: return true;
    case Opcode::mov: {
      constexpr uint64_t kAllLanes = 15;
      const unsigned mask_at = form(instruction.code).operands[2].at;
      return instruction.value_count() == 1 && instruction.result_values == 1 &&
             (instruction.code.word >> mask_at & kAllLanes) == kAllLanes;
    }
    default: return false;
  }
}

bool is_constant_comparison(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard() != kPT) return false;
  const Opcode op = opcode(instruction.code);
  return (op == Opcode::isetp || op == Opcode::fsetp) && instruction.value_count() == 1 &&
         instruction.result_values == 1 && !reads_condition_code(instruction.code);
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
