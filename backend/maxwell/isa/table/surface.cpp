// The operand slots that surface instructions share (docs/reference/maxwell.md 3, "Surface
// instructions"). Coordinates are integers, the layer last. The handle is a word index into the texture-bound
// constant bank (bit 51 = 1: bits 48..36) or a register (bits 46..39).
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

using M = Modifier;

constexpr Slot surface_coordinates() {
  return field(SlotKind::address, 0, 0).spans(Span::surface_coordinates);
}
constexpr Slot surface_handle_register() {
  return rc().no_reuse();
}
constexpr Slot surface_handle_index() {
  return uimm(36, 13);
}
constexpr Slot surface_handle(bool bound) {
  return bound ? surface_handle_index() : surface_handle_register();
}
/// The residency predicate is stored inverted: 0 is PT, omitted (docs/maxwell-isa.md: bits 30..32 of SULD).
constexpr Slot surface_residency() {
  return field(SlotKind::predicate_inverted, 30, 3).as(Role::destination).omit_if(Omit::pt);
}

// SULD: load from a surface, raw (.D) or converted from the format (.P). docs/reference/maxwell.md
// 3.
//
//   63..53         52 51    50..49 48..36 or 46..39  35..33 32..30 25..24 23 22..20  19..16 15..8 7..0
//   1110 1011 000  D  bound clamp    index or Rh      dim    ~Pd   cache  BA  size    guard   Ra    Rd     .D
//                                                                         mask 23..20                      .P
void add_suld(Builder& t) {
  const Slot d = rd().spans(Span::surface_data);
  for (const bool bound : {true, false}) {
    t.row(Opcode::suld_d, top(0xeb10) | at(bound, 51),
          {mod(M::ba, 23), mod(M::surface_dim, 33, 3), mod(M::load_cache, 24, 2), mod(M::memory_size, 20, 3),
           mod(M::surface_clamp, 49, 2)},
          {surface_residency(), d, surface_coordinates(), surface_handle(bound)});
    t.row(Opcode::suld_p, top(0xeb00) | at(bound, 51),
          {mod(M::surface_dim, 33, 3), mod(M::load_cache, 24, 2), mod(M::surface_mask, 20, 4),
           mod(M::surface_clamp, 49, 2)},
          {surface_residency(), d, surface_coordinates(), surface_handle(bound)});
  }
}

// SUST: store to a surface, raw (.D) or converted to the format (.P). docs/reference/maxwell.md 3.
//
//   63..53         52 51    50..49 48..36 or 46..39  35..33 25..24 23 22..20  19..16 15..8 7..0
//   1110 1011 001  D  bound clamp    index or Rh      dim   cache  BA  size    guard   Ra   data    .D
//                                                                  mask 23..20                      .P
void add_sust(Builder& t) {
  const Slot data = reg_at(0).spans(Span::surface_data);
  for (const bool bound : {true, false}) {
    t.row(Opcode::sust_d, top(0xeb30) | at(bound, 51),
          {mod(M::ba, 23), mod(M::surface_dim, 33, 3), mod(M::store_cache, 24, 2), mod(M::memory_size, 20, 3),
           mod(M::surface_clamp, 49, 2)},
          {surface_coordinates(), data, surface_handle(bound)});
    t.row(Opcode::sust_p, top(0xeb20) | at(bound, 51),
          {mod(M::surface_dim, 33, 3), mod(M::store_cache, 24, 2), mod(M::surface_mask, 20, 4),
           mod(M::surface_clamp, 49, 2)},
          {surface_coordinates(), data, surface_handle(bound)});
  }
}

// SURED: reduction on a surface, no result. docs/reference/maxwell.md 3; op at 24 (not 21) is
// confirmed by nvdisasm.
//
//   63..53         52 51    50..49 48..36 or 46..39  35..33 26..24 23 22..20  19..16 15..8 7..0
//   1110 1011 010  1  bound clamp    index or Rh      dim    op    BA  type    guard   Ra   data
void add_sured(Builder& t) {
  for (const bool bound : {true, false}) {
    t.row(Opcode::sured, top(0xeb50) | at(bound, 51),
          {mod(M::ba, 23), mod(M::surface_dim, 33, 3), mod(M::reduction, 24, 3),
           mod(M::surface_atomic_type, 20, 3), mod(M::surface_clamp, 49, 2)},
          {surface_coordinates(), reg_at(0).spans(Span::by_atomic_type), surface_handle(bound)});
  }
}

// SUATOM: atomic on a surface, with the old value as its result. docs/reference/maxwell.md 3.
//
//   63..53 ...           50..49 46..39  38..36 35..33 32..29 28 27..20 19..16 15..8 7..0
//   1110 1010 011 1 0    clamp    Rh     type   dim    op    BA  data   guard   Ra    Rd      register
//   1110 1010 110 1 0    clamp    Rh     type   dim   ~Pd    BA  data   guard   Ra    Rd      register, CAS
//   1110 1010 00         clamp  48..36   53..51 dim    op    BA  data   guard   Ra    Rd      index
//   1110 1010 10         clamp  48..36   53..51 dim   ~Pd    BA  data   guard   Ra    Rd      index, CAS
// The handle is in a register or an index into the texture bank. CAS: data = compare, new value.
void add_suatom(Builder& t) {
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

}  // namespace

void add_surface(Builder& t) {
  add_suld(t);
  add_sust(t);
  add_sured(t);
  add_suatom(t);
}

}  // namespace texlate::maxwell::table
