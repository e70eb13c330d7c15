// The operand slots that the long texture forms share (docs/reference/maxwell.md 3, "Common"), and
// those of the scalar forms (section 2.1).
#pragma once

#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

constexpr Slot residency() {
  return pred_result(51).omit_if(Omit::pt);
}
constexpr Slot result() {
  return rd().spans(Span::texture_result);
}
constexpr Slot coordinates() {
  return ra().no_reuse().spans(Span::texture_coordinates);
}
constexpr Slot extra() {
  return rb().no_reuse().spans(Span::texture_extra).omit_if(Omit::rz);
}
/// Word index into the texture-bound constant bank (tsPtrIdxU13); the bindless forms print 0x0 in its place.
constexpr Slot header_index() {
  return uimm(36, 13);
}
constexpr Slot no_index() {
  return uimm(0, 0);
}
constexpr Slot dim() {
  return field(SlotKind::texture_dim, 28, 3);
}
constexpr Slot mask() {
  return uimm(31, 4);
}

/// The document's bases (0xC038, 0xDEB8 ...) contain Pd = PT; here Pd is a field.
constexpr uint64_t long_form(uint16_t base_of_sheet) {
  return top(base_of_sheet & ~0x38);
}

// ---- scalar forms: two result registers, the second one comes first in the text
constexpr Slot scalar_result_high() {
  return reg_at(28).as(Role::destination).spans(Span::scalar_result_high);
}
constexpr Slot scalar_result_low() {
  return rd().spans(Span::scalar_result_low);
}
constexpr Slot scalar_first() {
  return ra().no_reuse().spans(Span::scalar_first);
}
constexpr Slot scalar_second() {
  return rb().no_reuse().spans(Span::scalar_second).omit_if(Omit::rz);
}
constexpr Slot scalar_mask() {
  return field(SlotKind::scalar_mask, 50, 3);
}

}  // namespace texlate::maxwell::table
