#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

Form& Builder::row(Opcode opcode, uint64_t value, Modifiers modifiers, Slots slots, Shape shape) {
  Form& form = forms.emplace_back();
  form.opcode = opcode;
  form.shape = shape;
  form.value = value;
  for (const ModifierField& modifier : modifiers) form.modifiers[form.modifier_count++] = modifier;
  for (const Slot& slot : slots) form.operands[form.operand_count++] = slot;
  return form;
}

void Builder::rows(Opcode opcode, Encodings encodings, SlotKind immediate, Modifiers modifiers, Slots slots,
                   uint64_t fixed, uint64_t forbidden, bool spaced) {
  // Copies B's flags to the slot that replaces it.
  const auto replace = [](const Slot& from, Slot to) {
    to.negate = from.negate;
    to.absolute = from.absolute;
    to.invert = from.invert;
    to.part = from.part;
    to.part_at = from.part_at;
    to.span = from.span;
    return to;
  };
  const auto encoding = [&](uint16_t value, Shape shape) {
    if (value == 0) return;
    Form& form = row(opcode, top(value) | fixed, modifiers, slots, shape);
    form.forbidden = forbidden;
    if (shape == Shape::reg) return;
    for (unsigned i = 0; i < form.operand_count; ++i) {
      Slot& slot = form.operands[i];
      if (slot.kind == SlotKind::reg && slot.at == 39 && shape == Shape::reg_cbuf) {
        slot = replace(slot, cbuf());
      } else if (slot.kind == SlotKind::reg && slot.at == 20) {
        if (shape == Shape::cbuf) slot = replace(slot, cbuf());
        if (shape == Shape::imm) slot = replace(slot, imm(immediate));
        if (shape == Shape::reg_cbuf) slot = replace(slot, reg_at(39, 2));
      }
      if (slot.kind == SlotKind::constant) slot.spaced = spaced;
    }
  };
  encoding(encodings.r, Shape::reg);
  encoding(encodings.c, Shape::cbuf);
  encoding(encodings.i, Shape::imm);
  encoding(encodings.rc, Shape::reg_cbuf);
}

void Builder::without_reuse(std::initializer_list<Opcode> opcodes) {
  for (Form& form : forms) {
    for (const Opcode opcode : opcodes) {
      if (form.opcode != opcode) continue;
      for (Slot& slot : form.operands) slot.reuse = 0;
    }
  }
}

}  // namespace texlate::maxwell::table
