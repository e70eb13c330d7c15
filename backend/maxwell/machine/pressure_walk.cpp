#include "backend/maxwell/machine/pressure_walk.h"

namespace texlate::maxwell::machine {

Pressure PressureWalk::count(BlockId id, bool predicates_only) {
  Pressure most;
  block(id, predicates_only, [&](uint32_t, Pressure here) {
    most.general = std::max(most.general, here.general);
    most.predicates = std::max(most.predicates, here.predicates);
  });
  return most;
}

unsigned PressureWalk::find_demand(const Instruction& instruction, uint32_t index, Counts& before,
                                   Counts& after) const {
  unsigned k = 0, at = 0;
  for (; at < instruction.result_count; ++k) {
    const unsigned count = instruction.count(k);
    const unsigned value_class = facts(instruction.code).predicates >> k & 1;
    after[value_class] += count;
    // The value that an unwritten result leaves must be copied if it lives on.
    if (instruction.merge != kNoIndex) before[value_class] += count;
    at += count;
  }
  unsigned widest = 1;
  visit_vectors(function_, instruction, [&](std::span<const Value> values, bool is_result) {
    widest = std::max(widest, static_cast<unsigned>(values.size()));
    if (is_result) return;
    // If a part of a vector lives on, it may have to be copied into the vector.
    for (const Value v : values) before[0] += v == kNoValue || !uses_.dies(v, index);
  });
  return widest > 2 ? 3 : widest - 1;
}

}  // namespace texlate::maxwell::machine
