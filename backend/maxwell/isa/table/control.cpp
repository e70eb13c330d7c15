// Control flow and barriers. Encodings: docs/reference/maxwell.md 6. Branch offsets count from the
// following word.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

constexpr Slot target() {
  return field(SlotKind::target, 20, 24);
}
constexpr Slot constant_target() {
  return field(SlotKind::constant_target, 20, 16);
}
constexpr Slot condition() {
  return field(SlotKind::condition, 0, 5).omit_if(Omit::always_true);
}

/// Instructions that push a target; they have no guard predicate and leave those bits 0.
void push(Builder& t, Opcode opcode, uint16_t encoding, Modifiers modifiers, Slot where) {
  t.row(opcode, top(encoding), modifiers, {where}).guarded = false;
  Form& indirect = t.row(opcode, top(encoding) | at(1, 5), modifiers, {constant_target()}, Shape::cbuf);
  indirect.guarded = false;
}

void add_bar(Builder& t) {
  using M = Modifier;
  // Bit 43: thread count immediate; bit 44: barrier immediate. Each absent bit names a register instead.
  for (unsigned immediates = 0; immediates < 4; ++immediates) {
    const uint64_t value = top(0xf0a8) | at(immediates, 43);
    const Slot barrier = immediates & 2 ? uimm(8, 8) : ra().no_reuse();
    const Slot count = immediates & 1 ? uimm(20, 12) : rb().no_reuse();
    // SYNC and RED omit a count of 0 (all threads), whether immediate or not; the register is then not
    // RZ.
    const Slot optional = immediates & 1 ? count.omit_if(Omit::zero) : count;
    t.row(Opcode::bar_sync, value | at(7, 39), {}, {barrier, optional});
    t.row(Opcode::bar_arv, value | at(7, 39) | at(1, 32), {}, {barrier, count});
    t.row(Opcode::bar_red, value | at(2, 32), {mod(M::barrier_reduction, 35, 2)},
          {barrier, optional, pred_source()});
    t.row(Opcode::bar_scan, value | at(3, 32), {}, {barrier, count, pred_source()});
  }
}

}  // namespace

void add_control(Builder& t) {
  using M = Modifier;

  t.row(Opcode::bra, top(0xe240), {mod(M::u, 7), mod(M::lmt, 6)}, {condition(), target()});
  t.row(Opcode::bra, top(0xe240) | at(1, 5), {mod(M::u, 7), mod(M::lmt, 6)}, {condition(), constant_target()},
        Shape::cbuf);
  t.row(Opcode::brx, top(0xe250), {mod(M::lmt, 6)}, {condition(), field(SlotKind::register_offset, 20, 24)});
  t.row(Opcode::brx, top(0xe250) | at(1, 5), {mod(M::lmt, 6)},
        {condition(), field(SlotKind::constant_index, 20, 16)}, Shape::cbuf);
  t.row(Opcode::jmx, top(0xe200), {mod(M::lmt, 6)}, {condition(), field(SlotKind::register_offset, 20, 32)});

  push(t, Opcode::ssy, 0xe290, {}, target());
  push(t, Opcode::pbk, 0xe2a0, {}, target());
  push(t, Opcode::pcnt, 0xe2b0, {}, target());
  push(t, Opcode::cal, 0xe260, {mod(M::inc, 6)}, target());
  push(t, Opcode::pret, 0xe270, {mod(M::inc, 6)}, target());
  push(t, Opcode::jcal, 0xe220, {mod(M::inc, 6)}, field(SlotKind::absolute, 20, 32));

  t.row(Opcode::sync, top(0xf0f8), {}, {condition()});
  t.row(Opcode::brk, top(0xe340), {}, {condition()});
  t.row(Opcode::cont, top(0xe350), {}, {condition()});
  t.row(Opcode::ret, top(0xe320), {}, {condition()});
  t.row(Opcode::exit, top(0xe300), {mod(M::keeprefcount, 5)}, {condition()});
  t.row(Opcode::kil, top(0xe330), {}, {condition()});
  // Turns on all lanes of the quad, and restores them: nouveau's QUADON and QUADPOP.
  t.row(Opcode::sam, top(0xe370), {}, {}).guarded = false;
  t.row(Opcode::ram, top(0xe380), {}, {}).guarded = false;
  t.row(Opcode::bpt, top(0xe3a0), {mod(M::breakpoint, 6, 3)}, {uimm(20, 20).omit_if(Omit::zero)}).guarded =
      false;
  t.row(Opcode::nop, top(0x50b0), {mod(M::trig, 13)},
        {field(SlotKind::condition, 8, 5).omit_if(Omit::always_true), uimm(20, 16).omit_if(Omit::zero)});

  add_bar(t);
  // The named barrier of B2R is in bits 8..15; RESULT and WARP read none, and NVIDIA's tools write FF there.
  t.row(Opcode::b2r, top(0xf0b8) | at(7, 45), {}, {rd(), uimm(8, 8)});
  t.row(Opcode::r2b, top(0xf0c0), {mod(M::barrier_word, 32, 2)}, {uimm(28, 4), reg_at(20)});
  t.row(Opcode::b2r_result, top(0xf0b8) | at(0xff, 8) | at(1, 32), {},
        {rd(), pred_result(45).omit_if(Omit::pt)});
  t.row(Opcode::b2r_warp, top(0xf0b8) | at(0xff, 8) | at(2, 32) | at(7, 45), {}, {rd()});

  t.row(Opcode::depbar, top(0xf0f0), {}, {field(SlotKind::scoreboard_set, 0, 6).omit_if(Omit::empty_set)});
  t.row(Opcode::depbar_le, top(0xf0f0) | at(1, 29), {},
        {field(SlotKind::scoreboard, 26, 3), uimm(20, 6),
         field(SlotKind::scoreboard_set, 0, 6).omit_if(Omit::empty_set)});
}

}  // namespace texlate::maxwell::table
