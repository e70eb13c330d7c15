#include "backend/maxwell/machine/pressure_walk.h"

namespace texlate::maxwell::machine {

PressureWalk::Demand PressureWalk::demand(Instruction& instruction, BlockId id, uint32_t index) {
  Demand before{static_cast<unsigned>(alive_[0].size()), static_cast<unsigned>(alive_[1].size())};
  Demand after = before;
  std::array<Value, 48> dead;
  unsigned dead_count = 0;
  visit_uses(function_, instruction, [&](Value v) {
    if (!dies(v, id, index) || !is_alive(v)) return;
    if (std::find(dead.begin(), dead.begin() + dead_count, v) != dead.begin() + dead_count) return;
    dead[dead_count++] = v;
    --(function_.values[v] == ValueClass::general ? after.general : after.predicates);
  });
  unsigned widest = 1;
  visit_operands(function_, instruction, [&](unsigned k, unsigned, Value v, bool is_result) {
    const bool is_predicate = instruction.code.operands[k].kind == OperandKind::predicate;
    if (is_result) {
      ++(is_predicate ? after.predicates : after.general);
      // What the result replaces where it is not written has to be copied when it lives on.
      if (instruction.merge != kNoIndex) ++(is_predicate ? before.predicates : before.general);
      return;
    }
    widest = std::max<unsigned>(widest, instruction.counts[k]);
    // A part of a vector that lives on may have to be copied into it.
    if (instruction.counts[k] > 1 && (v == kNoValue || !dies(v, id, index))) ++before.general;
  });
  for (unsigned k = 0; k < kMaxOperands; ++k) widest = std::max<unsigned>(widest, instruction.counts[k]);
  const unsigned gaps = widest > 2 ? 3 : widest - 1;
  return {std::max(before.general, after.general) + gaps, std::max(before.predicates, after.predicates)};
}

}  // namespace texlate::maxwell::machine
