#include "backend/maxwell/machine/line_access.h"

#include <array>
#include <vector>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

/// The range of one operand; if its count is 0, nothing is accessed.
PlaceRange operand_range(const maxwell::Instruction& code, unsigned index, const FormFacts& known) {
  const Operand& operand = code.operands[index];
  switch (operand.kind) {
    case OperandKind::predicate: return PlaceRange(kFirstPredicate + operand.reg, operand.reg == kPT ? 0 : 1);
    case OperandKind::constant: return PlaceRange(kFirstRegister + operand.reg, operand.reg == kRZ ? 0 : 1);
    case OperandKind::reg:
    case OperandKind::address:
      if (operand.reg == kRZ || (known.pair_seconds >> index & 1) != 0) return {};
      if ((known.same_as_rd >> index & 1) != 0) return PlaceRange(kFirstRegister + code.operands[0].reg, 1);
      return PlaceRange(kFirstRegister + operand.reg,
                        (known.scalars >> index & 1) != 0 ? 1 : register_count(code, index));
    case OperandKind::word: {
      // PR: the predicates as one register.
      const Slot& slot = form(code).operands[index];
      return slot.kind == SlotKind::literal && slot.text == "PR"
                 ? PlaceRange(kFirstPredicate, kPredicateCount)
                 : PlaceRange();
    }
    case OperandKind::none:
    case OperandKind::immediate:
    case OperandKind::target: return {};
  }
  return {};
}

/// The operands of a form, if each is at most one register or predicate: then the word alone says which.
struct ScalarForm {
  struct Field {
    uint8_t at = 0;
    bool is_predicate = false;
    bool is_inverted = false;  // holds 7 - p
    bool is_read = false;
    bool is_written = false;
  };
  bool is_scalar = true;
  bool is_guarded = false;
  uint8_t count = 0;
  std::array<Field, kMaxOperands> fields;

  void add(const Slot& slot, const FormFacts& known, unsigned k) {
    const auto has = [k](uint8_t operands) { return (operands >> k & 1) != 0; };
    Field field;
    field.at = known.register_at[k];
    field.is_predicate = has(known.predicates);
    field.is_inverted = has(known.inverted);
    field.is_read = slot.role != Role::destination;
    field.is_written = slot.role != Role::source;
    is_scalar &= (field.is_predicate || has(known.scalars)) && !has(known.pair_seconds | known.same_as_rd);
    fields[count++] = field;
  }
};

/// Does the word name a register or predicate for the operand?
bool has_place(const Slot& slot, OperandKind kind) {
  switch (kind) {
    case OperandKind::reg:
    case OperandKind::predicate: return true;
    case OperandKind::address: return slot.kind != SlotKind::attribute || slot.scale == 0;
    case OperandKind::constant: return slot.kind == SlotKind::constant_index;
    case OperandKind::none:
    case OperandKind::immediate:
    case OperandKind::target:
    case OperandKind::word: return false;
  }
  return false;
}

const ScalarForm& scalar_form(FormId id) {
  static const std::vector<ScalarForm> all = [] {
    std::vector<ScalarForm> list(forms().size());
    for (size_t i = 0; i < list.size(); ++i) {
      const Form& f = forms()[i];
      list[i].is_guarded = f.guarded;
      list[i].is_scalar = f.opcode != Opcode::r2p;
      const FormFacts& known = facts(static_cast<FormId>(i));
      const auto& operands = make_instruction(static_cast<FormId>(i)).operands;
      for (unsigned k = 0; k < f.operand_count; ++k) {
        const Slot& slot = f.operands[k];
        list[i].is_scalar &= slot.kind != SlotKind::literal;  // some are the predicates
        if (has_place(slot, operands[k].kind)) list[i].add(slot, known, k);
      }
    }
    return list;
  }();
  return all[id];
}

LineAccess find_scalar_access(const Code& code, const ScalarForm& known) {
  LineAccess out;
  for (unsigned k = 0; k < known.count; ++k) {
    const ScalarForm::Field& field = known.fields[k];
    Place place = kNoPlace;
    if (field.is_predicate) {
      unsigned number = static_cast<unsigned>(code.word >> field.at & 7);
      if (field.is_inverted) number = 7 - number;
      if (number == kPT) continue;
      place = kFirstPredicate + number;
    } else {
      const unsigned number = static_cast<unsigned>(code.word >> field.at & 0xff);
      if (number == kRZ) continue;
      place = kFirstRegister + number;
    }
    if (field.is_written) out.writes[out.write_count++] = PlaceRange(place, 1);
    if (field.is_read) out.reads[out.read_count++] = PlaceRange(place, 1);
  }
  const unsigned guard = code.guard() & 7;
  if (known.is_guarded && guard != kPT) out.reads[out.read_count++] = PlaceRange(kFirstPredicate + guard, 1);
  return out;
}

void add_condition_code(const Code& code, LineAccess& out) {
  if (reads_condition_code(code)) out.reads[out.read_count++] = PlaceRange(kConditionCode, 1);
  if (writes_condition_code(code)) out.writes[out.write_count++] = PlaceRange(kConditionCode, 1);
}

LineAccess find_decoded_access(const maxwell::Instruction& code) {
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
  return out;
}

}  // namespace

LineAccess find_access(const Code& code) {
  const ScalarForm& known = scalar_form(code.form);
  LineAccess out = known.is_scalar ? find_scalar_access(code, known) : find_decoded_access(code.decode());
  add_condition_code(code, out);
  return out;
}

}  // namespace texlate::maxwell::machine
