// TEXS: the short form of TEX. Bound textures only, no offset, 14 combinations of LOD mode, comparison and
// dimension.
// docs/reference/maxwell.md 2.1 and 2.2.
//
//   63..60 59  58..57 56..53 52..50 49    48..36 35..28 27..20 19..16 15..8 7..0
//   1101   F32   00    form  mask   NODEP  index  Rd1    Rb    guard   Ra    Rd0       F32 = 0: .F16 results
//
// What Ra and Rb hold for each form: scalar_texture.cpp. The meaning of the mask code depends on Rd1 (RZ or
// not): masks of one and two components, or of three and four, among which RGBA may be left out (TEXS page).
// The first two components go to Rd0, Rd0+1, the others to Rd1, Rd1+1.
#include "backend/maxwell/isa/table/texture.h"

namespace texlate::maxwell::table {

void add_texs(Builder& t) {
  using M = Modifier;
  t.row(Opcode::texs, top(0xd000), {mod(M::f32_result, 59), mod(M::texs_form, 53, 4), mod(M::nodep, 49)},
        {scalar_result_high(), scalar_result_low(), scalar_first(), scalar_second(), header_index(),
         field(SlotKind::texs_dim, 0, 0), scalar_mask().omit_if(Omit::rgba)});
}

}  // namespace texlate::maxwell::table
