// Double precision. A register operand is an aligned pair. Encodings: docs/reference/maxwell.md 6.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

void add_double(Builder& t) {
  using enum SlotKind;
  using M = Modifier;
  const auto two = [](Slot slot) { return slot.spans(Span::two); };

  t.rows(Opcode::dadd, {0x5c70, 0x4c70, 0x3870}, double20, {mod(M::rounding, 39, 2)},
         {two(rd().write_cc(47)), two(ra().neg(48).abs(46)), two(in_third_port(b().neg(45).abs(49)))});
  t.rows(Opcode::dmul, {0x5c80, 0x4c80, 0x3880}, double20, {mod(M::rounding, 39, 2)},
         {two(rd().write_cc(47)), two(ra()), two(b().neg(48))});
  t.rows(Opcode::dmnmx, {0x5c50, 0x4c50, 0x3850}, double20, {},
         {two(rd().write_cc(47)), two(ra().neg(48).abs(46)), two(b().neg(45).abs(49)), pred_source()});
  t.rows(Opcode::dfma, {0x5b70, 0x4b70, 0x3670, 0x5370}, double20, {mod(M::rounding, 50, 2)},
         {two(rd().write_cc(47)), two(ra()), two(b().neg(48)), two(c().neg(49))});
  t.rows(Opcode::dset, {0x5900, 0x4900, 0x3200}, double20,
         {mod(M::bf, 52), mod(M::float_compare, 48, 4), mod(M::boolean, 45, 2)},
         {rd().write_cc(47), two(ra().neg(43).abs(54)), two(b().neg(53).abs(44)), pred_source()});
  t.rows(Opcode::dsetp, {0x5b80, 0x4b80, 0x3680}, double20,
         {mod(M::float_compare, 48, 4), mod(M::boolean, 45, 2)},
         {pred_result(3), pred_result(0), two(ra().neg(43).abs(7)), two(b().neg(6).abs(44)), pred_source()});
}

}  // namespace texlate::maxwell::table
