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
  const Value* at = function_.operands.data() + instruction.values;
  for (unsigned k = 0; k < facts(instruction.code).operand_count; ++k) {
    const unsigned count = instruction.counts[k];
    if (count == 0) continue;
    widest = std::max(widest, count);
    const bool is_predicate = instruction.code.operands[k].kind == OperandKind::predicate;
    if ((instruction.results >> k & 1) != 0) {
      (is_predicate ? after.predicates : after.general) += count;
      // What the result replaces where it is not written has to be copied when it lives on.
      if (instruction.merge != kNoIndex) (is_predicate ? before.predicates : before.general) += count;
    } else if (count > 1) {
      // A part of a vector that lives on may have to be copied into it.
      for (unsigned e = 0; e < count; ++e) before.general += at[e] == kNoValue || !dies(at[e], id, index);
    }
    at += count;
  }
  const unsigned gaps = widest > 2 ? 3 : widest - 1;
  return {std::max(before.general, after.general) + gaps, std::max(before.predicates, after.predicates)};
}

}  // namespace texlate::maxwell::machine
