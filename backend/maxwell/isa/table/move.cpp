// Moves, predicates, special registers, exchange between lanes. Encodings: docs/reference/maxwell.md
// 6.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

// The registers with all predicates (PR) or the condition code (CC), as bits of one register.
void add_predicate_words(Builder& t) {
  using M = Modifier;
  for (const bool cc : {false, true}) {
    const Slot word = fixed_word(cc ? "CC" : "PR");
    t.rows(Opcode::p2r, {0x5ce8, 0x4ce8, 0x38e8}, SlotKind::imm20, {mod(M::byte_select, 41, 2)},
           {rd(), word, ra(), b()}, at(cc, 40));
    // The immediate is a mask of the bits to copy; a mask of all 16 is omitted.
    const Slot source = ra().half(PartKind::byte_, 41);
    const Slot written = cc ? word : word.as(Role::destination);
    t.rows(Opcode::r2p, {0x5cf0, 0x4cf0, 0}, SlotKind::none, {}, {written, source, b()}, at(cc, 40));
    t.row(Opcode::r2p, top(0x38f0) | at(cc, 40), {},
          {written, source, imm(SlotKind::unsigned_imm20).omit_if(Omit::low_16_bits)}, Shape::imm);
  }
}

}  // namespace

void add_move(Builder& t) {
  using enum SlotKind;
  using M = Modifier;

  // The lane mask of a quad: 15 = all, omitted.
  t.rows(Opcode::mov, {0x5c98, 0x4c98, 0x3898}, imm20, {}, {rd(), b(), uimm(39, 4).omit_if(Omit::all_lanes)});
  t.row(Opcode::mov32i, top(0x0100), {}, {rd(), uimm(20, 32), uimm(12, 4).omit_if(Omit::all_lanes)},
        Shape::imm);
  t.rows(Opcode::sel, {0x5ca0, 0x4ca0, 0x38a0}, imm20, {}, {rd(), ra(), b(), pred_source()});

  t.row(Opcode::psetp, top(0x5090), {mod(M::boolean, 24, 2), mod(M::boolean_b, 45, 2)},
        {pred_result(3), pred_result(0), pred_source(12, 15), pred_source(29, 32), pred_source()});
  t.row(Opcode::pset, top(0x5088), {mod(M::bf, 44), mod(M::boolean, 24, 2), mod(M::boolean_b, 45, 2)},
        {rd().write_cc(47), pred_source(12, 15), pred_source(29, 32), pred_source()});
  t.row(Opcode::csetp, top(0x50a0), {mod(M::condition, 8, 5), mod(M::boolean, 45, 2)},
        {pred_result(3), pred_result(0), fixed_word("CC"), pred_source()});
  t.row(Opcode::cset, top(0x5098), {mod(M::bf, 44), mod(M::condition, 8, 5), mod(M::boolean, 45, 2)},
        {rd().write_cc(47), fixed_word("CC"), pred_source()});
  add_predicate_words(t);

  t.row(Opcode::s2r, top(0xf0c8), {}, {rd(), field(special_register, 20, 8)});
  t.row(Opcode::cs2r, top(0x50c8), {}, {rd(), field(special_register, 20, 8)});

  // Lane (bit 28) and clamp (bit 29) are each a register or an immediate; clamp = segment mask << 8 | last
  // lane.
  const Slot pd = pred_result(48);
  const ModifierField mode = mod(M::shuffle, 30, 2);
  t.row(Opcode::shfl, top(0xef10), {mode}, {pd, rd(), ra(), rb(), rc()});
  t.row(Opcode::shfl, top(0xef10) | at(1, 28), {mode}, {pd, rd(), ra(), uimm(20, 5), rc()});
  t.row(Opcode::shfl, top(0xef10) | at(1, 29), {mode}, {pd, rd(), ra(), rb(), uimm(34, 13)});
  t.row(Opcode::shfl, top(0xef10) | at(3, 28), {mode}, {pd, rd(), ra(), uimm(20, 5), uimm(34, 13)});

  t.row(Opcode::vote, top(0x50d8), {mod(M::vote, 48, 2)},
        {rd().omit_if(Omit::rz), pred_result(45), pred_source()});
  t.without_reuse({Opcode::shfl});
}

}  // namespace texlate::maxwell::table
