// FSET, FSETP, FCMP, FCHK, DSET, DSETP, ISET, ISETP, ICMP.
#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

// The result of a set: all ones, or 1.0 with .BF.
void write_set(Warp& w, const Instruction& i, uint32_t active, uint32_t holds, bool as_number) {
  const uint32_t result = combine(i.field(45, 2), holds, w.predicate_source(i, 39));
  uint32_t* d = w.target(i.rd());
  const uint32_t truth = as_number ? 0x3f800000u : 0xffffffffu;
  for_each_lane(active, [&](int lane) { d[lane] = (result >> lane & 1) != 0 ? truth : 0; });
  if (i.writes_cc) {
    w.cc().zero = (w.cc().zero & ~active) | (~result & active);
    w.cc().sign = (w.cc().sign & ~active) | (as_number ? 0 : result & active);
    w.cc().carry &= ~active;
    w.cc().overflow &= ~active;
  }
}

uint32_t compare_singles(Warp& w, const Instruction& i, uint32_t active, Sign a_sign, Sign b_sign,
                         bool flushes) {
  const Lanes a = w.a(i), b = w.b(i);
  const uint32_t test = i.field(48, 4);
  uint32_t holds = 0;
  for_each_lane(active, [&](int lane) {
    uint32_t x = a_sign(a[lane]), y = b_sign(b[lane]);
    if (flushes) x = flush(x), y = flush(y);
    holds |= (compare_floats(test, as_float(x), as_float(y)) ? 1u : 0u) << lane;
  });
  return holds;
}

uint32_t compare_doubles(Warp& w, const Instruction& i, uint32_t active, Sign a_sign, Sign b_sign) {
  const uint32_t test = i.field(48, 4);
  uint32_t holds = 0;
  for_each_lane(active, [&](int lane) {
    const double x = as_double(a_sign(w.wide(i.ra(), lane))), y = as_double(b_sign(w.wide(i.b, lane)));
    holds |= (compare_floats(test, x, y) ? 1u : 0u) << lane;
  });
  return holds;
}

void run_fset(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t holds =
      compare_singles(w, i, active, Sign(i.bit(54), i.bit(43)), Sign(i.bit(44), i.bit(53)), i.bit(55));
  write_set(w, i, active, holds, i.bit(52));
}
void run_fsetp(Warp& w, const Instruction& i, uint32_t active) {
  set_compare(w, i, active,
              compare_singles(w, i, active, Sign(i.bit(7), i.bit(43)), Sign(i.bit(44), i.bit(6)), i.bit(47)));
}
void run_dset(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t holds =
      compare_doubles(w, i, active, Sign(i.bit(54), i.bit(43)), Sign(i.bit(44), i.bit(53)));
  write_set(w, i, active, holds, i.bit(52));
}
void run_dsetp(Warp& w, const Instruction& i, uint32_t active) {
  set_compare(w, i, active,
              compare_doubles(w, i, active, Sign(i.bit(7), i.bit(43)), Sign(i.bit(44), i.bit(6))));
}

// FCMP, ICMP: the comparison of C with zero selects A or B.
void run_fcmp(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t test = i.field(48, 4);
  const bool flushes = i.bit(47);
  map_abc(w, i, active, [&](uint32_t a, uint32_t b, uint32_t c) {
    return compare_floats(test, as_float(flushes ? flush(c) : c), 0.0f) ? a : b;
  });
}

// True if a / b needs the slow path: wherever a reciprocal, a quotient or a remainder of the fast path could
// leave the normal range. The slow path is correct everywhere.
bool needs_long_division(uint32_t a, uint32_t b) {
  const auto ea = static_cast<int>(a >> 23 & 255), eb = static_cast<int>(b >> 23 & 255);
  return eb < 4 || eb > 250 || ea < 28 || ea > 250 || ea - eb > 120 || ea - eb < -120;
}
void run_fchk(Warp& w, const Instruction& i, uint32_t active) {
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t holds = 0;
  for_each_lane(active,
                [&](int lane) { holds |= (needs_long_division(a[lane], b[lane]) ? 1u : 0u) << lane; });
  w.set_predicate(i.field(3, 3), active, holds);
}

bool test_order(uint32_t test, bool less, bool equal) {
  const uint32_t is = less ? 1 : equal ? 2 : 4;
  return (test & is) != 0;
}

// .X: compares the high words; the low words were subtracted into CC.
uint32_t compare_integers(Warp& w, const Instruction& i, uint32_t active) {
  const Lanes a = w.a(i), b = w.b(i);
  const uint32_t test = i.field(49, 3);
  const bool is_signed = i.bit(48), extended = i.bit(43);
  uint32_t holds = 0;
  for_each_lane(active, [&](int lane) {
    const int64_t x = is_signed ? int64_t{static_cast<int32_t>(a[lane])} : int64_t{a[lane]};
    const int64_t y = is_signed ? int64_t{static_cast<int32_t>(b[lane])} : int64_t{b[lane]};
    bool less = x < y, equal = x == y;
    if (extended) {
      const bool borrow = (w.cc().carry >> lane & 1) == 0;
      less = x - y - (borrow ? 1 : 0) < 0;
      equal = equal && (w.cc().zero >> lane & 1) != 0;
    }
    holds |= (test_order(test, less, equal) ? 1u : 0u) << lane;
  });
  return holds;
}
void run_iset(Warp& w, const Instruction& i, uint32_t active) {
  write_set(w, i, active, compare_integers(w, i, active), i.bit(44));
}
void run_isetp(Warp& w, const Instruction& i, uint32_t active) {
  set_compare(w, i, active, compare_integers(w, i, active));
}
void run_icmp(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t test = i.field(49, 3);
  const bool is_signed = i.bit(48);
  map_abc(w, i, active, [&](uint32_t a, uint32_t b, uint32_t c) {
    return test_order(test, is_signed && static_cast<int32_t>(c) < 0, c == 0) ? a : b;
  });
}

}  // namespace

Handler select_compare(Instruction& i) {
  switch (i.opcode) {
    case Opcode::fset: return run_fset;
    case Opcode::fsetp: return run_fsetp;
    case Opcode::fcmp: return run_fcmp;
    case Opcode::fchk: return run_fchk;
    case Opcode::dset: return run_dset;
    case Opcode::dsetp: return run_dsetp;
    case Opcode::iset: return run_iset;
    case Opcode::isetp: return run_isetp;
    case Opcode::icmp: return run_icmp;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
