// TXD: sample with explicit derivatives; 1D, 2D and their arrays only. docs/reference/maxwell.md 3.
//
//   63..54        53..51 50 49    48..36  35    34..31 30..28 27..20 19..16 15..8 7..0
//   1101 1110 00    Pd   LC NODEP  index  AOFFI  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1110 01    Pd   LC NODEP  ----   AOFFI  mask   dim    Rb    guard   Ra    Rd      .B
//
//   Ra = [handle] x [y] [layer in bits 15..0 | offsets: x in 19..16, y in 23..20]
//   Rb = dx/dX, dx/dY [, dy/dX, dy/dY]
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_txd(Builder& t) {
  using M = Modifier;
  const Modifiers modifiers = {mod(M::lc, 50), mod(M::aoffi, 35), mod(M::nodep, 49)};
  const Slot gradients = extra().omit_if(Omit::never);
  t.row(Opcode::txd, long_form(0xde38), modifiers,
        {residency(), result(), coordinates(), gradients, header_index(), dim(), mask()});
  t.row(Opcode::txd_b, long_form(0xde78), modifiers,
        {residency(), result(), coordinates(), gradients, no_index(), dim(), mask()});
}

}  // namespace texlate::maxwell::table
