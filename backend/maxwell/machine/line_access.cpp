#include "backend/maxwell/machine/line_access.h"

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

/// The range of one operand; if its count is 0, nothing is accessed.
PlaceRange operand_range(const maxwell::Instruction& code, unsigned index, const FormFacts& known) {
  const Operand& operand = code.operands[index];
  switch (operand.kind) {
    case OperandKind::predicate:
      return PlaceRange(static_cast<unsigned>(kFirstPredicate) + operand.reg, operand.reg == kPT ? 0 : 1);
    case OperandKind::constant: return PlaceRange(operand.reg, operand.reg == kRZ ? 0 : 1);
    case OperandKind::reg:
    case OperandKind::address:
      if (operand.reg == kRZ || (known.pair_seconds >> index & 1) != 0) return {};
      if ((known.same_as_rd >> index & 1) != 0) return PlaceRange(code.operands[0].reg, 1);
      return PlaceRange(operand.reg, (known.scalars >> index & 1) != 0 ? 1 : register_count(code, index));
    case OperandKind::word: {
      // PR: the predicates as one register.
      const Slot& slot = form(code).operands[index];
      return slot.kind == SlotKind::literal && slot.text == "PR" ? PlaceRange(kFirstPredicate, 7)
                                                                 : PlaceRange();
    }
    case OperandKind::none:
    case OperandKind::immediate:
    case OperandKind::target: return {};
  }
  return {};
}

}  // namespace

LineAccess find_access(const maxwell::Instruction& code) {
  LineAccess out;
  const FormFacts& known = facts(code);
  for (unsigned k = 0; k < known.operand_count; ++k) {
    const PlaceRange range = operand_range(code, k, known);
    if (range.count() == 0) continue;
    const bool is_destination = (known.destinations >> k & 1) != 0;
    const bool writes = is_destination || (known.opcode == Opcode::r2p && k == 0);
    if (writes) out.writes[out.write_count++] = range;
    if (!writes || (is_destination && form(code).operands[k].role == Role::both))
      out.reads[out.read_count++] = range;
  }
  const unsigned guard = code.guard & 7;
  if (guard != kPT) out.reads[out.read_count++] = PlaceRange(kFirstPredicate + guard, 1);
  if (reads_condition_code(code)) out.reads[out.read_count++] = PlaceRange(kConditionCode, 1);
  if (writes_condition_code(code)) out.writes[out.write_count++] = PlaceRange(kConditionCode, 1);
  return out;
}

}  // namespace texlate::maxwell::machine
