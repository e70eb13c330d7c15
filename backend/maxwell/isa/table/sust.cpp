// SUST: store to a surface, raw (.D) or converted to the format (.P). docs/reference/maxwell.md 3.
//
//   63..53         52 51    50..49 48..36 or 46..39  35..33 25..24 23 22..20  19..16 15..8 7..0
//   1110 1011 001  D  bound clamp    index or Rh      dim   cache  BA  size    guard   Ra   data    .D
//                                                                  mask 23..20                      .P
#include "backend/maxwell/isa/table/surface.h"

namespace texlate::maxwell::table {

void add_sust(Builder& t) {
  using M = Modifier;
  const Slot data = reg_at(0).spans(Span::surface_data);
  for (const bool bound : {true, false}) {
    const Slot handle = bound ? surface_handle_index() : surface_handle_register();
    t.row(Opcode::sust_d, top(0xeb30) | at(bound, 51),
          {mod(M::ba, 23), mod(M::surface_dim, 33, 3), mod(M::store_cache, 24, 2), mod(M::memory_size, 20, 3),
           mod(M::surface_clamp, 49, 2)},
          {surface_coordinates(), data, handle});
    t.row(Opcode::sust_p, top(0xeb20) | at(bound, 51),
          {mod(M::surface_dim, 33, 3), mod(M::store_cache, 24, 2), mod(M::surface_mask, 20, 4),
           mod(M::surface_clamp, 49, 2)},
          {surface_coordinates(), data, handle});
  }
}

}  // namespace texlate::maxwell::table
