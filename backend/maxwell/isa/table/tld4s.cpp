// TLD4S: the short form of TLD4. Bound 2D textures only; always four results, in two pairs (.F16: two
// registers).
// docs/reference/maxwell.md 2.1 and 2.4.
//
//   63..56     55  54 53..52 51    50 49    48..36 35..28 27..20 19..16 15..8 7..0
//   1101 1111  F16  0  comp  AOFFI DC NODEP  index  Rd1    Rb    guard   Ra    Rd0
// F16 = 1: .F16 results (in TEXS it is the opposite).
//
//   AOFFI DC   Ra     Rb
//    -    -    x      y
//    x    -    x,y    offsets
//    -    x    x,y    reference
//    x    x    x,y    offsets, reference
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_tld4s(Builder& t) {
  using M = Modifier;
  t.row(Opcode::tld4s, top(0xdf00),
        {mod(M::f16_result, 55), mod(M::gather_component, 52, 2), mod(M::aoffi, 51), mod(M::dc, 50),
         mod(M::nodep, 49)},
        {scalar_result_high(), scalar_result_low(), scalar_first(), scalar_second().omit_if(Omit::never),
         header_index()});
}

}  // namespace texlate::maxwell::table
