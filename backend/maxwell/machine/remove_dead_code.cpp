#include "backend/maxwell/machine/remove_dead_code.h"

#include <span>

#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {

void remove_dead_code(Function& function) {
  // Definitions come before uses, so that a walk from the end knows all uses of a result. What jumps pass on
  // counts as used. This keeps dead cycles of a loop, which the IR's own passes have removed.
  std::pmr::vector<uint8_t> is_used(function.values.size(), 0, function.scratch());
  const auto use = [&](Value v) { is_used[v] = 1; };
  auto first = static_cast<uint32_t>(function.instructions.size());  // of what stays, at the end
  for (size_t id = function.blocks.size(); id-- > 0;) {
    Block& b = function.blocks[id];
    visit_end_uses(function, b, use);
    const uint32_t end = first;
    for (uint32_t i = b.first + b.count; i-- > b.first;) {
      const Instruction& instruction = function.instructions[i];
      bool stays = instruction.result_count == 0 || instruction.effect == Effect::write ||
                   instruction.effect == Effect::barrier || writes_condition_code(instruction.code);
      for (Value& v : std::span(function.operands).subspan(instruction.values, instruction.result_count)) {
        // An unused result may hold anything, and needs no place in a vector.
        if (v != kNoValue && is_used[v] == 0) v = kNoValue;
        stays |= v != kNoValue;
      }
      if (!stays) continue;
      visit_uses(function, instruction, use);
      if (--first != i) function.instructions[first] = instruction;
    }
    b.first = first;
    b.count = end - first;
  }
  for (Block& b : function.blocks) b.first -= first;
  function.instructions.drop_front(first);
}

}  // namespace texlate::maxwell::machine
