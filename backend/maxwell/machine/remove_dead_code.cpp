#include "backend/maxwell/machine/remove_dead_code.h"

#include <bit>

#include "backend/maxwell/machine/access.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

void remove_dead_code(Function& function) {
  std::pmr::vector<uint32_t> uses(function.values.size(), 0, function.scratch());
  auto definition = all_ones<uint32_t>(function.values.size(), function.scratch());
  // A parameter is alive if anything other than jumps that pass it on uses it. Counting uses keeps dead
  // cycles of a loop, which the IR's own passes have removed.
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    visit_uses(function, function.instructions[i], [&](Value v) { ++uses[v]; });
    visit_results(function, function.instructions[i], [&](Value v) { definition[v] = i; });
  }
  for (Block& b : function.blocks) visit_end_uses(function, b, [&](Value v) { ++uses[v]; });

  std::pmr::vector<bool> dead(function.instructions.size(), false, function.scratch());
  std::pmr::vector<uint32_t> work(function.scratch());
  const auto is_dead = [&](const Instruction& i) {
    bool used = i.result_values == 0;
    visit_results(function, i, [&](Value v) { used |= uses[v] != 0; });
    return !used && i.effect != Effect::write && i.effect != Effect::barrier &&
           !writes_condition_code(i.code);
  };
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (is_dead(function.instructions[i])) work.push_back(i);
  }
  while (!work.empty()) {
    const uint32_t i = work.back();
    work.pop_back();
    if (dead[i]) continue;
    dead[i] = true;
    visit_uses(function, function.instructions[i], [&](Value v) {
      if (--uses[v] != 0 || definition[v] == kNoIndex) return;
      if (is_dead(function.instructions[definition[v]])) work.push_back(definition[v]);
    });
  }

  uint32_t to = 0;
  for (Block& b : function.blocks) {
    const uint32_t first = to;
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      if (dead[i]) continue;
      if (to != i) function.instructions[to] = function.instructions[i];
      ++to;
    }
    b.first = first;
    b.count = to - first;
  }
  function.instructions.resize(to);
  // An unused result may hold anything, and needs no place in a vector.
  for (const Instruction& i : function.instructions) {
    for (uint32_t left = i.result_values; left != 0; left &= left - 1) {
      Value& v = function.operands[i.values + static_cast<uint32_t>(std::countr_zero(left))];
      if (v != kNoValue && uses[v] == 0) v = kNoValue;
    }
  }
}

}  // namespace texlate::maxwell::machine
