#include "backend/maxwell/machine/pressure_walk.h"

namespace texlate::maxwell::machine {

Pressure PressureWalk::count(BlockId id) {
  Pressure most;
  block(id, [&](uint32_t, Pressure here) {
    most.general = std::max(most.general, here.general);
    most.predicates = std::max(most.predicates, here.predicates);
  });
  return most;
}

Pressure PressureWalk::demand(const Instruction& instruction, uint32_t index, Pressure before,
                              Pressure dying) const {
  Pressure after{before.general - dying.general, before.predicates - dying.predicates};
  unsigned widest = 1;
  const FormFacts& known = facts(instruction.code);
  visit_lists(function_, instruction, [&](unsigned k, std::span<const Value> values) {
    const auto count = static_cast<unsigned>(values.size());
    widest = std::max(widest, count);
    const bool is_predicate = (known.predicates >> k & 1) != 0;
    if ((known.destinations >> k & 1) != 0) {
      (is_predicate ? after.predicates : after.general) += count;
      // The value that an unwritten result leaves must be copied if it lives on.
      if (instruction.merge != kNoIndex) (is_predicate ? before.predicates : before.general) += count;
    } else if (count > 1) {
      // If a part of a vector lives on, it may have to be copied into the vector.
      for (const Value v : values) before.general += v == kNoValue || !uses_.dies(v, index);
    }
  });
  const unsigned gaps = widest > 2 ? 3 : widest - 1;
  return {std::max(before.general, after.general) + gaps, std::max(before.predicates, after.predicates)};
}

}  // namespace texlate::maxwell::machine
