// TLD: fetch a texel by integer coordinates, no sampler. docs/reference/maxwell.md 3.
//
//   63..56     55 54  53..51 50 49    48..36  35    34..31 30..28 27..20 19..16 15..8 7..0
//   1101 1100  LL CL    Pd   MS NODEP  index  AOFFI  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1101  LL CL    Pd   MS NODEP  ----   AOFFI  mask   dim    Rb    guard   Ra    Rd      .B
//
//   Ra = [layer] x [y] [z]     Rb = [handle] [lod if .LL] [AOFFI word] [sample if .MS]
// For the order with both MS and AOFFI the sources disagree; ptxas puts the offset first
// (docs/maxwell-isa.md).
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_tld(Builder& t) {
  using M = Modifier;
  const Modifiers modifiers = {mod(M::fetch_lod, 55), mod(M::aoffi, 35), mod(M::ms, 50), mod(M::cl, 54),
                               mod(M::nodep, 49)};
  t.row(Opcode::tld, long_form(0xdc38), modifiers,
        {residency(), result(), coordinates(), extra(), header_index(), dim(), mask()});
  t.row(Opcode::tld_b, long_form(0xdd38), modifiers,
        {residency(), result(), coordinates(), extra(), no_index(), dim(), mask()});
}

}  // namespace texlate::maxwell::table
