// Half precision, two values per register; sm_53 and later. docs/reference/maxwell.md lacks it: fields by
// sweeps of nvdisasm -b SM53 and the recorded sm_60 pairs (docs/maxwell-isa.md). A source selects its halves:
// both, one value as f32, or one half twice. An immediate is two values of 10 bits each, the upper half first
// in the text.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

constexpr Slot halves(Slot slot, uint8_t bit) {
  return slot.half(PartKind::pair_, bit);
}
constexpr Slot a() {
  return halves(ra(), 47);
}
constexpr Slot half_high() {
  return split(SlotKind::half10, 30, 9);
}
constexpr Slot half_low() {
  return field(SlotKind::half10, 20, 10);
}

void add_hadd2(Builder& t) {
  using M = Modifier;
  const ModifierField result = mod(M::half_result, 49, 2);
  const Slot signed_a = a().neg(43).abs(44);
  t.row(Opcode::hadd2, top(0x5d10), {result, mod(M::ftz, 39), mod(M::sat, 32)},
        {rd(), signed_a, in_third_port(halves(rb(), 28)).neg(31).abs(30)});
  t.row(Opcode::hadd2, top(0x7a80), {result, mod(M::ftz, 39), mod(M::sat, 52)},
        {rd(), signed_a, cbuf().neg(56).abs(54)}, Shape::cbuf);
  t.row(Opcode::hadd2, top(0x7a00), {result, mod(M::ftz, 39), mod(M::sat, 52)},
        {rd(), signed_a, half_high(), half_low()}, Shape::imm);
}

void add_hmul2(Builder& t) {
  using M = Modifier;
  const ModifierField result = mod(M::half_result, 49, 2);
  t.row(Opcode::hmul2, top(0x5d08), {result, mod(M::fmz, 39, 2), mod(M::sat, 32)},
        {rd(), a().abs(44), halves(rb(), 28).neg(31).abs(30)});
  t.row(Opcode::hmul2, top(0x7880), {result, mod(M::fmz, 39, 2), mod(M::sat, 52)},
        {rd(), a().abs(44), cbuf().neg(43).abs(54)}, Shape::cbuf);
  t.row(Opcode::hmul2, top(0x7800), {result, mod(M::fmz, 39, 2), mod(M::sat, 52)},
        {rd(), a().neg(43).abs(44), half_high(), half_low()}, Shape::imm);
}

void add_hfma2(Builder& t) {
  using M = Modifier;
  const ModifierField result = mod(M::half_result, 49, 2);
  const ModifierField fmz = mod(M::fmz, 57, 2);
  const ModifierField sat = mod(M::sat, 52);
  t.row(Opcode::hfma2, top(0x5d00), {result, mod(M::fmz, 37, 2), mod(M::sat, 32)},
        {rd(), a(), halves(rb(), 28).neg(31), halves(rc(), 35).neg(30)});
  t.row(Opcode::hfma2, top(0x7080), {result, fmz, sat}, {rd(), a(), cbuf().neg(56), halves(rc(), 53).neg(51)},
        Shape::cbuf);
  t.row(Opcode::hfma2, top(0x7000), {result, fmz, sat},
        {rd(), a(), half_high(), half_low(), halves(rc(), 53).neg(51)}, Shape::imm);
  t.row(Opcode::hfma2, top(0x6080), {result, fmz, sat},
        {rd(), a(), halves(reg_at(39, 2), 53).neg(56), cbuf().neg(51)}, Shape::reg_cbuf);
}

/// Two whole halves; the addend of HFMA2_32I is Rd itself.
void add_long_immediates(Builder& t) {
  using M = Modifier;
  const Slot high = field(SlotKind::half16, 36, 16), low = field(SlotKind::half16, 20, 16);
  const Slot a = halves(ra(), 53);
  t.row(Opcode::hmul2_32i, top(0x2a00), {mod(M::fmz, 55, 2), mod(M::sat, 52)}, {rd(), a, high, low},
        Shape::imm);
  t.row(Opcode::hfma2_32i, top(0x2800), {mod(M::fmz, 55, 2)},
        {rd().as(Role::both), a, high, low, in_third_port(field(SlotKind::same_as_rd, 0, 0).neg(52))},
        Shape::imm);
}

void add_hset2(Builder& t) {
  using M = Modifier;
  const Slot signed_a = a().neg(43).abs(44);
  const ModifierField boolean = mod(M::boolean, 45, 2);
  t.row(Opcode::hset2, top(0x5d18), {mod(M::bf, 49), mod(M::float_compare, 35, 4), mod(M::ftz, 50), boolean},
        {rd(), signed_a, halves(rb(), 28).neg(31).abs(30), pred_source()});
  const Modifiers other = {mod(M::bf, 53), mod(M::float_compare, 49, 4), mod(M::ftz, 54), boolean};
  t.row(Opcode::hset2, top(0x7c80), other, {rd(), signed_a, cbuf().neg(56), pred_source()}, Shape::cbuf);
  t.row(Opcode::hset2, top(0x7c00), other, {rd(), signed_a, half_high(), half_low(), pred_source()},
        Shape::imm);
}

void add_hsetp2(Builder& t) {
  using M = Modifier;
  const Slot signed_a = a().neg(43).abs(44);
  const ModifierField boolean = mod(M::boolean, 45, 2);
  const ModifierField ftz = mod(M::ftz, 6);
  t.row(Opcode::hsetp2, top(0x5d20), {mod(M::float_compare, 35, 4), mod(M::h_and, 49), ftz, boolean},
        {pred_result(3), pred_result(0), signed_a, halves(rb(), 28).neg(31).abs(30), pred_source()});
  const Modifiers other = {mod(M::float_compare, 49, 4), mod(M::h_and, 53), ftz, boolean};
  t.row(Opcode::hsetp2, top(0x7e80), other,
        {pred_result(3), pred_result(0), signed_a, cbuf().neg(56).abs(54), pred_source()}, Shape::cbuf);
  t.row(Opcode::hsetp2, top(0x7e00), other,
        {pred_result(3), pred_result(0), signed_a, half_high(), half_low(), pred_source()}, Shape::imm);
}

}  // namespace

void add_half(Builder& t) {
  add_hadd2(t);
  add_hmul2(t);
  add_hfma2(t);
  add_long_immediates(t);
  add_hset2(t);
  add_hsetp2(t);
}

}  // namespace texlate::maxwell::table
