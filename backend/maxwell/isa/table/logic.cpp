// Shifts, logic and bit fields. Encodings: docs/reference/maxwell.md 6.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

void add_logic(Builder& t) {
  using enum SlotKind;
  using M = Modifier;

  t.rows(Opcode::shl, {0x5c48, 0x4c48, 0x3848}, imm20, {mod(M::w, 39), mod(M::x, 43)},
         {rd().write_cc(47), ra(), b()});
  t.rows(Opcode::shr, {0x5c28, 0x4c28, 0x3828}, imm20,
         {mod(M::is_signed, 48), mod(M::w, 39), mod(M::x, 44), mod(M::brev, 40)},
         {rd().write_cc(47), ra(), b()});

  // Funnel shifts of the pair Rc:Ra; no constant encoding, a 6-bit immediate.
  t.row(Opcode::shf_l, top(0x5bf8), {mod(M::w, 50), mod(M::funnel_type, 37, 2), mod(M::funnel_half, 48, 2)},
        {rd().write_cc(47), ra(), rb(), rc()});
  t.row(Opcode::shf_l, top(0x36f8), {mod(M::w, 50), mod(M::funnel_type, 37, 2), mod(M::funnel_half, 48, 2)},
        {rd().write_cc(47), ra(), uimm(20, 6), rc()}, Shape::imm);
  t.row(Opcode::shf_r, top(0x5cf8), {mod(M::w, 50), mod(M::funnel_type, 37, 2), mod(M::funnel_half, 48, 2)},
        {rd().write_cc(47), ra(), rb(), rc()});
  t.row(Opcode::shf_r, top(0x38f8), {mod(M::w, 50), mod(M::funnel_type, 37, 2), mod(M::funnel_half, 48, 2)},
        {rd().write_cc(47), ra(), uimm(20, 6), rc()}, Shape::imm);

  t.rows(Opcode::lop, {0x5c40, 0x4c40, 0x3840}, imm20,
         {mod(M::logic, 41, 2), mod(M::x, 43), mod(M::logic_test, 44, 2)},
         {pred_result(48).omit_if(Omit::pt), rd().write_cc(47), ra().inv(39), b().inv(40)});
  t.row(Opcode::lop32i, top(0x0400), {mod(M::logic, 53, 2), mod(M::x, 57)},
        {rd().write_cc(52), ra().inv(55), uimm(20, 32).inv(56)}, Shape::imm);

  // Rd = table[a*4 + b*2 + c] bit by bit; only the register form can write a predicate.
  t.row(Opcode::lop3, top(0x5be0), {mod(M::x, 38), mod(M::logic_test, 36, 2)},
        {pred_result(48).omit_if(Omit::pt), rd().write_cc(47), ra(), rb(), rc(), uimm(28, 8)});
  t.row(Opcode::lop3, top(0x0200), {mod(M::x, 56)}, {rd().write_cc(47), ra(), cbuf(), rc(), uimm(48, 8)},
        Shape::cbuf);
  t.row(Opcode::lop3, top(0x3c00), {mod(M::x, 57)}, {rd().write_cc(47), ra(), imm(imm20), rc(), uimm(48, 8)},
        Shape::imm);

  // B = position | length << 8
  t.rows(Opcode::bfe, {0x5c00, 0x4c00, 0x3800}, imm20, {mod(M::is_signed, 48), mod(M::brev, 40)},
         {rd().write_cc(47), ra(), b()});
  t.rows(Opcode::bfi, {0x5bf0, 0x4bf0, 0x36f0, 0x53f0}, imm20, {}, {rd().write_cc(47), ra(), b(), c()});
  t.rows(Opcode::prmt, {0x5bc0, 0x4bc0, 0x36c0, 0x53c0}, imm20, {mod(M::permute, 48, 4)},
         {rd(), ra(), b(), c()});

  t.rows(Opcode::flo, {0x5c30, 0x4c30, 0x3830}, imm20, {mod(M::is_signed, 48), mod(M::sh, 41)},
         {rd().write_cc(47), b().inv(40)});
  t.rows(Opcode::popc, {0x5c08, 0x4c08, 0x3808}, imm20, {}, {rd(), b().inv(40)});
  t.without_reuse({Opcode::flo, Opcode::popc});
}

}  // namespace texlate::maxwell::table
