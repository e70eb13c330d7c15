// Minimum, maximum and difference of bytes, halves and words, combined with a third operand. Fields by sweeps
// of nvdisasm (docs/maxwell-isa.md). ptxas emits VMNMX for a max followed by a min, VABSDIFF for `sad`.
//
//   63..57   56 55  54 53..51 50 49 48 47 46..39 38..36 35..20            19..16 15..8 7..0
//   0011101  MX SAT D  second R  sB sA CC  Rc    selA   immediate of b    guard   Ra    Rd    VMNMX
//   0101010  0  SAT D  second 1  sB sA CC  Rc    selA   selB 30..28  Rb                       VABSDIFF
//
//   sel: 0..3 a byte, 4 and 5 a half, 6 the word; s: signed. D: VMNMX 0 .UD, VABSDIFF 1 .SD.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

/// A byte, a half or a word of a source: the spelling of its sign and of its selection in the text.
struct Part {
  Modifier sign_a, sign_b;
  uint64_t select;  // the fixed bits of the selector
  PartKind kind;
};
constexpr Part kParts[] = {
    {Modifier::source_sign_8, Modifier::second_sign_8, 0, PartKind::byte_},
    {Modifier::source_sign_16, Modifier::second_sign_16, 4, PartKind::h1},
    {Modifier::source_sign_32, Modifier::second_sign_32, 6, PartKind::none},
};
constexpr uint8_t kSelectA = 36, kSelectB = 28;

constexpr Slot selected(Slot slot, const Part& part, uint8_t at) {
  return part.kind == PartKind::none ? slot : slot.half(part.kind, at);
}

struct Operation {
  Opcode opcode;
  uint64_t base;
  ModifierField result;
  bool has_maximum;
};

void add_row(Builder& t, const Operation& operation, uint64_t bits, Modifiers types, Slot a, Slot b,
             Shape shape) {
  using M = Modifier;
  Form& form = t.row(operation.opcode, operation.base | bits, {operation.result},
                     {rd().write_cc(47), a, b, rc()}, shape);
  const auto add = [&form](ModifierField field) { form.modifiers[form.modifier_count++] = field; };
  for (const ModifierField& type : types) add(type);
  if (operation.has_maximum) add(mod(M::mx, 56));
  add(mod(M::sat, 55));
  add(mod(M::video_second, 51, 3));
}

/// Registers: if both are words and signed, the text omits the types.
void add_registers(Builder& t, const Operation& operation, const Part& a) {
  for (const Part& b : kParts) {
    const uint64_t bits = at(1, 50) | at(a.select, kSelectA) | at(b.select, kSelectB);
    const Slot first = selected(ra(), a, kSelectA), second = selected(rb(), b, kSelectB);
    if (a.kind == PartKind::none && b.kind == PartKind::none) {
      add_row(t, operation, bits, {mod(Modifier::int_types, 48, 2)}, first, second, Shape::reg);
    } else {
      add_row(t, operation, bits, {mod(a.sign_a, 48), mod(b.sign_b, 49)}, first, second, Shape::reg);
    }
  }
}

/// 16 bits, with the signedness of the type.
void add_immediates(Builder& t, const Operation& operation, const Part& a) {
  const uint64_t bits = at(a.select, kSelectA), is_signed = at(1, 49);
  const Slot first = selected(ra(), a, kSelectA);
  add_row(t, operation, bits, {mod(a.sign_a, 48), lit("U16")}, first, uimm(20, 16), Shape::imm);
  if (a.kind != PartKind::none) {
    add_row(t, operation, bits | is_signed, {mod(a.sign_a, 48), lit("S16")}, first, simm(20, 16), Shape::imm);
    return;
  }
  add_row(t, operation, bits | is_signed, {lit("U32"), lit("S16")}, first, simm(20, 16), Shape::imm);
  add_row(t, operation, bits | is_signed | at(1, 48), {}, first, simm(20, 16), Shape::imm);
}

}  // namespace

void add_video(Builder& t) {
  const Operation operations[] = {
      {Opcode::vmnmx, top(0x3a00), mod(Modifier::unsigned_result, 54), true},
      {Opcode::vabsdiff, top(0x5400), mod(Modifier::signed_result, 54), false},
  };
  for (const Operation& operation : operations) {
    for (const Part& a : kParts) {
      add_registers(t, operation, a);
      add_immediates(t, operation, a);
    }
  }
}

}  // namespace texlate::maxwell::table
