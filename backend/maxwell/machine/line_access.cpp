#include "backend/maxwell/machine/line_access.h"

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

PlaceRange general_range(uint8_t reg, unsigned count) {
  return {reg, static_cast<uint8_t>(count)};
}

/// The range of one operand; a count of 0: it touches nothing.
PlaceRange operand_range(const maxwell::Instruction& code, unsigned index, const Slot& slot) {
  const Operand& operand = code.operands[index];
  switch (operand.kind) {
    case OperandKind::predicate:
      return {static_cast<Place>(kFirstPredicate + operand.reg),
              static_cast<uint8_t>(operand.reg == kPT ? 0 : 1)};
    case OperandKind::constant: return general_range(operand.reg, operand.reg == kRZ ? 0 : 1);
    case OperandKind::reg:
    case OperandKind::address:
      if (operand.reg == kRZ || slot.kind == SlotKind::pair_second) return {0, 0};
      if (slot.kind == SlotKind::same_as_rd) return general_range(code.operands[0].reg, 1);
      return general_range(operand.reg, register_count(code, index));
    case OperandKind::word:
      // PR: the predicates as one register.
      if (slot.kind == SlotKind::literal && slot.text == "PR") return {kFirstPredicate, 7};
      return {0, 0};
    case OperandKind::none:
    case OperandKind::immediate:
    case OperandKind::target: return {0, 0};
  }
  return {0, 0};
}

}  // namespace

LineAccess find_access(const maxwell::Instruction& code) {
  LineAccess out;
  const Form& f = form(code);
  const Opcode op = f.opcode;
  for (unsigned k = 0; k < f.operand_count; ++k) {
    const PlaceRange range = operand_range(code, k, f.operands[k]);
    if (range.count == 0) continue;
    const bool writes = f.operands[k].role != Role::source || (op == Opcode::r2p && k == 0);
    if (writes) out.writes[out.write_count++] = range;
    if (!writes || f.operands[k].role == Role::both) out.reads[out.read_count++] = range;
  }
  const uint8_t guard = code.guard & 7;
  if (guard != kPT) out.reads[out.read_count++] = {static_cast<Place>(kFirstPredicate + guard), 1};
  if (reads_condition_code(code)) out.reads[out.read_count++] = {kConditionCode, 1};
  if (writes_condition_code(code)) out.writes[out.write_count++] = {kConditionCode, 1};
  return out;
}

}  // namespace texlate::maxwell::machine
