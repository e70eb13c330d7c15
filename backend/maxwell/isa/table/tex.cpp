// TEX: sample through a sampler. docs/reference/maxwell.md 3.
//
//   63........55 54    53..51 50 49    48..36  35  34..31 30..28 27..20 19..16 15..8 7..0
//   1100 0 LC lod AOFFI  Pd   DC NODEP  index  NDV  mask   dim    Rb    guard   Ra    Rd      bound
//   1101 1110 10         Pd   DC NODEP  ----   NDV  mask   dim    Rb    guard   Ra    Rd      .B
// Bound: index into the texture bank. .B: the handle is Rb's first register; 36 AOFFI, 37..39 lod mode,
// 40 LC.
//
//   Ra = [layer] x [y] [z]     Rb = [handle] [lod or bias] [AOFFI word] [reference]
// Layer: low 16 bits of its register; with .LC the minimum LOD (8.8) shares it. Results: the components of
// the mask, packed from Rd. Pd is the residency predicate, PT when unused (docs/maxwell-isa.md: text "TEX P6,
// R0, ...").
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_tex(Builder& t) {
  using M = Modifier;
  t.row(Opcode::tex, long_form(0xc038),
        {mod(M::lod, 55, 3), mod(M::lc, 58), mod(M::aoffi, 54), mod(M::dc, 50), mod(M::ndv, 35),
         mod(M::nodep, 49)},
        {residency(), result(), coordinates(), extra(), header_index(), dim(), mask()});
  t.row(Opcode::tex_b, long_form(0xdeb8),
        {mod(M::lod, 37, 3), mod(M::lc, 40), mod(M::aoffi, 36), mod(M::dc, 50), mod(M::ndv, 35),
         mod(M::nodep, 49)},
        {residency(), result(), coordinates(), extra(), no_index(), dim(), mask()});
}

}  // namespace texlate::maxwell::table
