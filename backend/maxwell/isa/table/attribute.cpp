// Shader input and output. Encodings: docs/reference/maxwell.md 6 ([A] there: no NVIDIA pair was
// recorded); text and legality by nvdisasm (docs/maxwell-isa.md). Attribute addresses are bytes: 70..7C
// position, 80+16n generic n ...
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

void add_attribute(Builder& t) {
  using M = Modifier;

  // Without an index register bits 8..15 are FF; nvdisasm refuses anything else there.
  constexpr uint64_t kNoRegister = at(0xff, 8);

  // Rd = interpolated attribute (times Rb = 1/w for the default mode); Rc = offset.
  t.row(Opcode::ipa, top(0xe000) | kNoRegister,
        {mod(M::interpolation, 54, 2), mod(M::interpolation_sample, 52, 2), mod(M::sat, 51)},
        {rd(), field(SlotKind::attribute, 28, 10, kOffsetOnly), rb().no_reuse(),
         rc().no_reuse().omit_if(Omit::rz), pred_result(47).omit_if(Omit::pt)});
  t.row(Opcode::ipa, top(0xe000) | at(1, 38),
        {lit("IDX"), mod(M::interpolation, 54, 2), mod(M::interpolation_sample, 52, 2), mod(M::sat, 51)},
        {rd(), field(SlotKind::attribute_index, 0, 0), rb().no_reuse(), rc().no_reuse().omit_if(Omit::rz),
         pred_result(47)});

  // An index register needs .P, whose address it is added to, or .PHYS, where it holds an address that AL2P
  // gave and the offset is 0. PHYS has no bit: it is the index register without .P.
  const Slot plain = field(SlotKind::attribute, 20, 10, kNoIndexRegister);
  const Slot indexed = field(SlotKind::attribute, 20, 10);
  const Slot physical = field(SlotKind::attribute_index, 0, 0);
  const Slot vertex = rc().no_reuse().omit_if(Omit::rz);
  const Slot d = rd().spans(Span::by_attribute_size);
  const Slot data = reg_at(0).spans(Span::by_attribute_size);
  const ModifierField size = mod(M::attribute_size, 47, 2);
  const ModifierField o = mod(M::o, 32), phys = lit("PHYS"), patch = lit("P");
  t.row(Opcode::ald, top(0xefd8) | kNoRegister, {o, size}, {d, plain, vertex});
  t.row(Opcode::ald, top(0xefd8), {o, phys, size}, {d, physical, vertex}).forbidden = kNoRegister;
  t.row(Opcode::ald, top(0xefd8) | at(1, 31), {o, patch, size}, {d, indexed, vertex});
  t.row(Opcode::ast, top(0xeff0) | kNoRegister, {size}, {plain, data, vertex});
  t.row(Opcode::ast, top(0xeff0), {phys, size}, {physical, data, vertex}).forbidden = kNoRegister;
  t.row(Opcode::ast, top(0xeff0) | at(1, 31), {patch, size}, {indexed, data, vertex});
  // Without a base register the offset is unsigned.
  t.row(Opcode::al2p, top(0xefa0) | kNoRegister, {mod(M::o, 32), size},
        {pred_result(44).omit_if(Omit::pt), rd(), uimm(20, 10).omit_if(Omit::zero)});
  t.row(Opcode::al2p, top(0xefa0), {mod(M::o, 32), size},
        {pred_result(44).omit_if(Omit::pt), rd(), ra().no_reuse(), simm(20, 11).omit_if(Omit::zero)})
      .forbidden = kNoRegister;

  t.row(Opcode::pixld, top(0xefe8), {mod(M::pixel, 31, 3)},
        {rd(), pred_result(45).omit_if(Omit::pt), address_at(20, 8)});
  t.row(Opcode::isberd, top(0xefd0),
        {mod(M::o, 32), mod(M::buffer_part, 33, 2), mod(M::skew, 31), mod(M::buffer_size, 47, 2)},
        {rd(), field(SlotKind::address, 0, 0)});
  t.rows(Opcode::out, {0xfbe0, 0xebe0, 0xf6e0}, SlotKind::imm20, {mod(M::emit, 39, 2)}, {rd(), ra(), b()});
  t.without_reuse({Opcode::out});
}

}  // namespace texlate::maxwell::table
