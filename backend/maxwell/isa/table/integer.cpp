// Integer arithmetic and comparison. Encodings: docs/reference/maxwell.md 6.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

namespace {

/// Factors of 24 and 16 bits. The addend is signed if a factor is.
void add_imadsp(Builder& t) {
  using M = Modifier;
  for (const bool signed_a : {false, true}) {
    for (const bool signed_b : {false, true}) {
      const bool is_signed = signed_a || signed_b;
      t.rows(Opcode::imadsp, {0x5a80, 0x4a80, 0x3480, 0x5280}, SlotKind::imm20,
             {mod(signed_a ? M::imadsp_signed_a : M::imadsp_a, 49, 2),
              mod(signed_b ? M::imadsp_signed_b : M::imadsp_b, 54),
              mod(is_signed ? M::imadsp_signed_c : M::imadsp_c, 51, 2)},
             {rd().write_cc(47), ra(), b(), c()}, at(signed_a, 48) | at(signed_b, 53));
    }
  }
}

}  // namespace

void add_integer(Builder& t) {
  using enum SlotKind;
  using M = Modifier;

  // Negating both operands has another meaning: .PO adds one.
  t.rows(Opcode::iadd_po, {0x5c10, 0x4c10, 0x3810}, imm20, {mod(M::sat, 50), mod(M::x, 43)},
         {rd().write_cc(47), ra(), b()}, at(3, 48));
  t.rows(Opcode::iadd, {0x5c10, 0x4c10, 0x3810}, imm20, {mod(M::sat, 50), mod(M::x, 43)},
         {rd().write_cc(47), ra().neg(49), b().neg(48)}, 0, at(3, 48));
  t.row(Opcode::iadd32i_po, top(0x1d80), {mod(M::sat, 54), mod(M::x, 53)},
        {rd().write_cc(52), ra(), simm(20, 32)}, Shape::imm);
  t.row(Opcode::iadd32i, top(0x1c00), {mod(M::sat, 54), mod(M::x, 53)},
        {rd().write_cc(52), ra().neg(56), simm(20, 32)}, Shape::imm);

  // Rd = Ra + B + C; the register form can take halves and shift the first sum by 16.
  t.row(Opcode::iadd3, top(0x5cc0), {mod(M::iadd3_shift, 37, 2), mod(M::x, 48)},
        {rd().write_cc(47), ra().neg(51).half(PartKind::half, 35), rb().neg(50).half(PartKind::half, 33),
         rc().neg(49).half(PartKind::half, 31)});
  t.rows(Opcode::iadd3, {0, 0x4cc0, 0x38c0}, unsigned_imm20, {mod(M::x, 48)},
         {rd().write_cc(47), ra().neg(51), b().neg(50), c().neg(49)});

  t.rows(Opcode::imnmx, {0x5c20, 0x4c20, 0x3820}, imm20,
         {mod(M::is_signed, 48), mod(M::extended_minmax, 43, 2)},
         {rd().write_cc(47), ra(), b(), pred_source()});
  t.rows(Opcode::iset, {0x5b50, 0x4b50, 0x3650}, imm20,
         {mod(M::bf, 44), mod(M::integer_compare, 49, 3), mod(M::is_signed, 48), mod(M::x, 43),
          mod(M::boolean, 45, 2)},
         {rd().write_cc(47), ra(), b(), pred_source()});
  t.rows(Opcode::isetp, {0x5b60, 0x4b60, 0x3660}, imm20,
         {mod(M::integer_compare, 49, 3), mod(M::is_signed, 48), mod(M::x, 43), mod(M::boolean, 45, 2)},
         {pred_result(3), pred_result(0), ra(), b(), pred_source()});
  // Rd = (C compare 0) ? Ra : B
  t.rows(Opcode::icmp, {0x5b40, 0x4b40, 0x3640, 0x5340}, imm20,
         {mod(M::integer_compare, 49, 3), mod(M::is_signed, 48)}, {rd(), ra(), b(), c()});

  // Rd = (Ra << shift) + B
  t.rows(Opcode::iscadd_po, {0x5c18, 0x4c18, 0x3818}, imm20, {}, {rd().write_cc(47), ra(), b(), uimm(39, 5)},
         at(3, 48));
  t.rows(Opcode::iscadd, {0x5c18, 0x4c18, 0x3818}, imm20, {},
         {rd().write_cc(47), ra().neg(49), b().neg(48), uimm(39, 5)}, 0, at(3, 48));
  t.row(Opcode::iscadd32i, top(0x1400), {}, {rd().write_cc(52), ra(), simm(20, 32), uimm(53, 5)}, Shape::imm);
  t.rows(Opcode::lea, {0x5bd0, 0x4bd0, 0x36d0}, imm20, {mod(M::x, 46)},
         {pred_result(48).omit_if(Omit::pt), rd().write_cc(47), ra().neg(45), b(),
          uimm(39, 5).omit_if(Omit::zero)});
  t.row(Opcode::lea_hi, top(0x5bd8), {mod(M::x, 38)},
        {pred_result(48).omit_if(Omit::pt), rd().write_cc(47), ra().neg(37), rb(), rc(),
         uimm(28, 5).omit_if(Omit::zero)});
  t.row(Opcode::lea_hi, top(0x1800), {mod(M::x, 57)},
        {pred_result(48).omit_if(Omit::pt), rd().write_cc(47), ra().neg(56), cbuf(), rc(),
         uimm(51, 5).omit_if(Omit::zero)},
        Shape::cbuf);

  // Rd = 16 x 16 bit product + C: the multiplier of this machine. Four encodings with different fields.
  const Slot a = ra().half(PartKind::h1, 53);
  t.row(
      Opcode::xmad, top(0x5b00),
      {mod(M::xmad_signs, 48, 2), mod(M::psl, 36), mod(M::xmad_mode, 50, 3), mod(M::mrg, 37), mod(M::x, 38)},
      {rd().write_cc(47), a, rb().half(PartKind::h1, 35), rc()});
  t.row(
      Opcode::xmad, top(0x4e00),
      {mod(M::xmad_signs, 48, 2), mod(M::psl, 55), mod(M::xmad_mode, 50, 2), mod(M::mrg, 56), mod(M::x, 54)},
      {rd().write_cc(47), a, cbuf().half(PartKind::h1, 52).with_space(), rc()}, Shape::cbuf);
  // The immediate has the signedness of B.
  t.row(
      Opcode::xmad, top(0x3600),
      {mod(M::xmad_sign_u16, 48), mod(M::psl, 36), mod(M::xmad_mode, 50, 3), mod(M::mrg, 37), mod(M::x, 38)},
      {rd().write_cc(47), a, uimm(20, 16), rc()}, Shape::imm);
  t.row(
      Opcode::xmad, top(0x3602),
      {mod(M::xmad_sign_s16, 48), mod(M::psl, 36), mod(M::xmad_mode, 50, 3), mod(M::mrg, 37), mod(M::x, 38)},
      {rd().write_cc(47), a, simm(20, 16), rc()}, Shape::imm);
  t.row(Opcode::xmad, top(0x5100), {mod(M::xmad_signs, 48, 2), mod(M::xmad_mode, 50, 2), mod(M::x, 54)},
        {rd().write_cc(47), a, reg_at(39, 2).half(PartKind::h1, 52), cbuf()}, Shape::reg_cbuf);

  t.rows(Opcode::imul, {0x5c38, 0x4c38, 0x3838}, imm20, {mod(M::int_types, 40, 2), mod(M::hi, 39)},
         {rd().write_cc(47), ra(), b()});
  t.row(Opcode::imul32i, top(0x1f00), {mod(M::int_types, 54, 2), mod(M::hi, 53)},
        {rd().write_cc(52), ra(), simm(20, 32)}, Shape::imm);
  t.rows(Opcode::imad_po, {0x5a00, 0x4a00, 0x3400, 0x5200}, imm20,
         {mod(M::int_types, 48, 1, 53), mod(M::hi, 54), lit("PO"), mod(M::sat, 50), mod(M::x, 49)},
         {rd().write_cc(47), ra(), b(), c()}, at(3, 51));
  t.rows(Opcode::imad, {0x5a00, 0x4a00, 0x3400, 0x5200}, imm20,
         {mod(M::int_types, 48, 1, 53), mod(M::hi, 54), mod(M::sat, 50), mod(M::x, 49)},
         {rd().write_cc(47), ra().neg(52), b(), c().neg(51)}, 0, at(3, 51));
  add_imadsp(t);
  t.without_reuse({Opcode::imul, Opcode::imul32i, Opcode::imad, Opcode::imad_po, Opcode::imadsp});
}

}  // namespace texlate::maxwell::table
