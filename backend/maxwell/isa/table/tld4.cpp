// TLD4: gather one component of the four texels of a bilinear footprint. docs/reference/maxwell.md
// 3.
//
//   63..58    57..56 55..54 53..51 50 49    48..36  35  34..31 30..28 27..20 19..16 15..8 7..0
//   1100 10    comp  offset   Pd   DC NODEP  index  NDV  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1110 11              Pd   DC NODEP  ----   NDV  mask   dim    Rb    guard   Ra    Rd      .B
// .B: comp 39..38, offset 37..36.
//
//   Ra = [layer] x y [z]     Rb = [handle] [AOFFI word | two PTP words] [reference]
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_tld4(Builder& t) {
  using M = Modifier;
  t.row(Opcode::tld4, long_form(0xc838),
        {mod(M::gather_component, 56, 2), mod(M::gather_offset, 54, 2), mod(M::dc, 50), mod(M::ndv, 35),
         mod(M::nodep, 49)},
        {residency(), result(), coordinates(), extra(), header_index(), dim(), mask()});
  t.row(Opcode::tld4_b, long_form(0xdef8),
        {mod(M::gather_component, 38, 2), lit("B"), mod(M::gather_offset, 36, 2), mod(M::dc, 50),
         mod(M::ndv, 35), mod(M::nodep, 49)},
        {residency(), result(), coordinates(), extra(), no_index(), dim(), mask()});
}

}  // namespace texlate::maxwell::table
