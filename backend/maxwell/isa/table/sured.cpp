// SURED: reduction on a surface, no result. docs/reference/maxwell.md 3; op at 24 (not 21) is
// confirmed by nvdisasm.
//
//   63..53         52 51    50..49 48..36 or 46..39  35..33 26..24 23 22..20  19..16 15..8 7..0
//   1110 1011 010  1  bound clamp    index or Rh      dim    op    BA  type    guard   Ra   data
#include "backend/maxwell/isa/table/surface.h"

namespace texlate::maxwell::table {

void add_sured(Builder& t) {
  using M = Modifier;
  for (const bool bound : {true, false}) {
    t.row(Opcode::sured, top(0xeb50) | at(bound, 51),
          {mod(M::ba, 23), mod(M::surface_dim, 33, 3), mod(M::reduction, 24, 3),
           mod(M::surface_atomic_type, 20, 3), mod(M::surface_clamp, 49, 2)},
          {surface_coordinates(), reg_at(0).spans(Span::by_atomic_type),
           bound ? surface_handle_index() : surface_handle_register()});
  }
}

}  // namespace texlate::maxwell::table
