// SUATOM: atomic on a surface, with the old value as its result. docs/reference/maxwell.md 3.
//
//   63..53 ...           50..49 46..39  38..36 35..33 32..29 28 27..20 19..16 15..8 7..0
//   1110 1010 011 1 0    clamp    Rh     type   dim    op    BA  data   guard   Ra    Rd      register
//   1110 1010 110 1 0    clamp    Rh     type   dim   ~Pd    BA  data   guard   Ra    Rd      register, CAS
//   1110 1010 00         clamp  48..36   53..51 dim    op    BA  data   guard   Ra    Rd      index
//   1110 1010 10         clamp  48..36   53..51 dim   ~Pd    BA  data   guard   Ra    Rd      index, CAS
// The handle is in a register or an index into the texture bank. CAS: data = compare, new value.
#include "backend/maxwell/isa/table/surface.h"

namespace texlate::maxwell::table {

void add_suatom(Builder& t) {
  using M = Modifier;
  const Slot d = rd().spans(Span::by_atomic_type);
  const Slot data = rb().no_reuse().spans(Span::by_atomic_type);
  const Slot pair = rb().no_reuse().spans(Span::cas_pair);
  const ModifierField ba = mod(M::ba, 28);
  const ModifierField surface = mod(M::surface_dim, 33, 3);
  const ModifierField clamp = mod(M::surface_clamp, 49, 2);

  t.row(Opcode::suatom, top(0xea70),
        {ba, surface, mod(M::atomic, 29, 4), mod(M::surface_atomic_type, 36, 3), clamp},
        {d, surface_coordinates(), data, surface_handle_register()});
  t.row(Opcode::suatom, top(0xea00),
        {ba, surface, mod(M::atomic, 29, 4), mod(M::surface_atomic_type, 51, 3), clamp},
        {d, surface_coordinates(), data, surface_handle_index()});
  t.row(Opcode::suatom_cas, top(0xead0), {ba, surface, lit("CAS"), mod(M::surface_atomic_type, 36, 3), clamp},
        {surface_residency(), d, surface_coordinates(), pair, surface_handle_register()});
  t.row(Opcode::suatom_cas, top(0xea80), {ba, surface, lit("CAS"), mod(M::surface_atomic_type, 51, 3), clamp},
        {surface_residency(), d, surface_coordinates(), pair, surface_handle_index()});
}

}  // namespace texlate::maxwell::table
