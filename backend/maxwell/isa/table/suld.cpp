// SULD: load from a surface, raw (.D) or converted from the format (.P). docs/reference/maxwell.md
// 3.
//
//   63..53         52 51    50..49 48..36 or 46..39  35..33 32..30 25..24 23 22..20  19..16 15..8 7..0
//   1110 1011 000  D  bound clamp    index or Rh      dim    ~Pd   cache  BA  size    guard   Ra    Rd     .D
//                                                                         mask 23..20                      .P
#include "backend/maxwell/isa/table/surface.h"

namespace texlate::maxwell::table {

void add_suld(Builder& t) {
  using M = Modifier;
  const Slot d = rd().spans(Span::surface_data);
  for (const bool bound : {true, false}) {
    const Slot handle = bound ? surface_handle_index() : surface_handle_register();
    t.row(Opcode::suld_d, top(0xeb10) | at(bound, 51),
          {mod(M::ba, 23), mod(M::surface_dim, 33, 3), mod(M::load_cache, 24, 2), mod(M::memory_size, 20, 3),
           mod(M::surface_clamp, 49, 2)},
          {surface_residency(), d, surface_coordinates(), handle});
    t.row(Opcode::suld_p, top(0xeb00) | at(bound, 51),
          {mod(M::surface_dim, 33, 3), mod(M::load_cache, 24, 2), mod(M::surface_mask, 20, 4),
           mod(M::surface_clamp, 49, 2)},
          {surface_residency(), d, surface_coordinates(), handle});
  }
}

}  // namespace texlate::maxwell::table
