// TLDS: the short form of TLD. Bound textures only, 9 combinations of LOD, offset, sample and dimension.
// docs/reference/maxwell.md 2.1 and 2.3.
//
//   63..60 59  58..57 56..53 52..50 49    48..36 35..28 27..20 19..16 15..8 7..0
//   1101   F32   01    form  mask   NODEP  index  Rd1    Rb    guard   Ra    Rd0       F32 = 0: .F16 results
//
// What Ra and Rb hold for each form: scalar_texture.cpp.
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_tlds(Builder& t) {
  using M = Modifier;
  t.row(Opcode::tlds, top(0xd200), {mod(M::f32_result, 59), mod(M::tlds_form, 53, 4), mod(M::nodep, 49)},
        {scalar_result_high(), scalar_result_low(), scalar_first(), scalar_second(), header_index(),
         field(SlotKind::tlds_dim, 0, 0), scalar_mask()});
}

}  // namespace texlate::maxwell::table
