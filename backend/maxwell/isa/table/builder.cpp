#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

uint64_t bits(unsigned at, unsigned width) {
  return width == 0 ? 0 : (~uint64_t{0} >> (64 - width)) << at;
}
uint64_t bit(unsigned at) {
  return at == 0 ? 0 : uint64_t{1} << at;
}

/// The bits of the word that a slot's fields hold.
uint64_t slot_bits(const Slot& slot) {
  uint64_t mask = bit(slot.negate) | bit(slot.absolute) | bit(slot.invert) | bit(slot.cc);
  if (slot.part == PartKind::h1) mask |= bits(slot.part_at, 1);
  if (slot.part != PartKind::none && slot.part != PartKind::h1) mask |= bits(slot.part_at, 2);
  switch (slot.kind) {
    case SlotKind::constant: return mask | bits(slot.at, 14) | bits(slot.at + 14u, 5);
    case SlotKind::constant_index: return mask | bits(20, 16) | bits(36, 5) | bits(8, 8);
    case SlotKind::constant_target: return mask | bits(20, 16) | bits(36, 5);
    case SlotKind::imm20:
    case SlotKind::unsigned_imm20:
    case SlotKind::float20:
    case SlotKind::double20: return mask | bits(20, 19) | bits(56, 1);
    case SlotKind::float32: return mask | bits(20, 32);
    case SlotKind::half10: return mask | (slot.at == 20 ? bits(20, 10) : bits(30, 9) | bits(56, 1));
    case SlotKind::attribute: return mask | bits(slot.at, slot.width) | (slot.scale != 0 ? 0 : bits(8, 8));
    case SlotKind::address:
    case SlotKind::register_offset: return mask | bits(slot.at, slot.width) | bits(8, 8);
    case SlotKind::attribute_index: return mask | bits(8, 8);
    default: return mask | bits(slot.at, slot.width);
  }
}

}  // namespace

Form& Builder::row(Opcode opcode, uint64_t value, Modifiers modifiers, Slots slots, Shape shape) {
  Form form;
  form.opcode = opcode;
  form.shape = shape;
  form.value = value;
  form.known = bits(16, 4);
  for (const Form& other : forms) {
    if (other.opcode == opcode && other.shape == shape) ++form.variant;
  }
  for (const ModifierField& modifier : modifiers) {
    form.modifiers[form.modifier_count++] = modifier;
    form.known |= bits(modifier.at, modifier.width) | bit(modifier.high);
  }
  for (const Slot& slot : slots) {
    form.operands[form.operand_count++] = slot;
    form.known |= slot_bits(slot);
  }
  forms.push_back(form);
  return forms.back();
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
    form.known = bits(16, 4);
    for (const ModifierField& modifier : modifiers)
      form.known |= bits(modifier.at, modifier.width) | bit(modifier.high);
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
      form.known |= slot_bits(slot);
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
