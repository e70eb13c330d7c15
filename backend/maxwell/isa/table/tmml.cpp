// TMML.LOD: the LOD that a sample would use. docs/reference/maxwell.md 3, results in 6b.
//
//   63..48                49    48..36  35  34..31 30..28 27..20 19..16 15..8 7..0
//   1101 1111 0101 1000  NODEP  index  NDV  mask   dim     FF   guard   Ra    Rd      bound
//   1101 1111 0110 0000  NODEP  ----   NDV  mask   dim     Rb   guard   Ra    Rd      .B: Rb = handle
// Bound: bit 49 is within the top 16.
//
// TMML page: a mask that is left out is 0xf; a register as the bound form's Rb is no error (the word has RZ
// there); .B ignores the index.
//
//   R = unclamped LOD s8.8, G = clamped LOD u8.8, B = major axis, A = log2(minor/major) s4.12, each in the
//   low 16 bits.
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_tmml(Builder& t) {
  using M = Modifier;
  const Slot optional_mask = mask().omit_if(Omit::all_components);
  const Modifiers modifiers = {mod(M::ndv, 35), mod(M::nodep, 49)};
  t.row(Opcode::tmml, top(0xdf58) | at(0xff, 20), modifiers,
        {result(), coordinates(), header_index(), dim(), optional_mask});
  t.row(Opcode::tmml_b, top(0xdf60), modifiers,
        {result(), coordinates(), extra(), no_index().ignores_number(), dim(), optional_mask});
}

}  // namespace texlate::maxwell::table
