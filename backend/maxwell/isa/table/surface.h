// The operand slots that surface instructions share (docs/reference/maxwell.md 3, "Surface
// instructions"). Coordinates are integers, the layer last. The handle is a word index into the texture-bound
// constant bank (bit 51 = 1: bits 48..36) or a register (bits 46..39).
#pragma once

#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

constexpr Slot surface_coordinates() {
  return field(SlotKind::address, 0, 0).spans(Span::surface_coordinates);
}
constexpr Slot surface_handle_register() {
  return rc().no_reuse();
}
constexpr Slot surface_handle_index() {
  return uimm(36, 13);
}
/// The residency predicate is stored inverted: 0 is PT, omitted (docs/maxwell-isa.md: bits 30..32 of SULD).
constexpr Slot surface_residency() {
  return field(SlotKind::predicate_inverted, 30, 3).as(Role::destination).omit_if(Omit::pt);
}

}  // namespace texlate::maxwell::table
