// PSET, PSETP, CSET, CSETP, P2R, R2P.
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

void run_psetp(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t first = combine(i.field(24, 2), w.predicate_source(i, 12), w.predicate_source(i, 29));
  set_compare(w, i, active, first);
}
void run_pset(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t first = combine(i.field(24, 2), w.predicate_source(i, 12), w.predicate_source(i, 29));
  const uint32_t result = combine(i.field(45, 2), first, w.predicate_source(i, 39));
  const uint32_t truth = i.bit(44) ? 0x3f800000u : 0xffffffffu;
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = (result >> lane & 1) != 0 ? truth : 0; });
}
void run_csetp(Warp& w, const Instruction& i, uint32_t active) {
  set_compare(w, i, active, w.cc_test(i.field(8, 5)));
}
void run_cset(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t result = combine(i.field(45, 2), w.cc_test(i.field(8, 5)), w.predicate_source(i, 39));
  const uint32_t truth = i.bit(44) ? 0x3f800000u : 0xffffffffu;
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = (result >> lane & 1) != 0 ? truth : 0; });
}

// The seven predicates, or the four codes (zero, sign, carry, overflow), as a byte of a register.
uint32_t packed(Warp& w, bool codes, int lane) {
  uint32_t value = 0;
  if (codes) {
    const ConditionCodes& cc = w.cc();
    return (cc.zero >> lane & 1) | (cc.sign >> lane & 1) << 1 | (cc.carry >> lane & 1) << 2 |
           (cc.overflow >> lane & 1) << 3;
  }
  for (uint32_t p = 0; p < kTruePredicate; ++p) value |= (w.predicate(p) >> lane & 1) << p;
  return value;
}
void run_p2r(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t shift = 8 * i.field(41, 2);
  const bool codes = i.bit(40);
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t mask = (b[lane] & 255) << shift;
    d[lane] = (a[lane] & ~mask) | (packed(w, codes, lane) << shift & mask);
  });
}
void run_r2p(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t shift = 8 * i.field(41, 2);
  const Lanes a = w.a(i), b = w.b(i);
  if (i.bit(40)) {
    ConditionCodes& cc = w.cc();
    uint32_t* const codes[] = {&cc.zero, &cc.sign, &cc.carry, &cc.overflow};
    for_each_lane(active, [&](int lane) {
      for (uint32_t c = 0; c < 4; ++c) {
        if ((b[lane] >> c & 1) == 0) continue;
        *codes[c] = (*codes[c] & ~(1u << lane)) | (a[lane] >> (shift + c) & 1) << lane;
      }
    });
    return;
  }
  for (uint32_t p = 0; p < kTruePredicate; ++p) {
    uint32_t chosen = 0, value = 0;
    for_each_lane(active, [&](int lane) {
      chosen |= (b[lane] >> p & 1) << lane;
      value |= (a[lane] >> (shift + p) & 1) << lane;
    });
    w.set_predicate(p, chosen, value);
  }
}

}  // namespace

Handler select_predicate(Instruction& i) {
  switch (i.opcode) {
    case Opcode::psetp: return run_psetp;
    case Opcode::pset: return run_pset;
    case Opcode::csetp: return run_csetp;
    case Opcode::cset: return run_cset;
    case Opcode::p2r: return run_p2r;
    case Opcode::r2p: return run_r2p;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
