// IADD, IADD3, ISCADD, LEA, IMNMX, XMAD, VMNMX, VABSDIFF.
#include <algorithm>

#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

// A sum with its condition codes. `carry_in` is a third addend.
struct Sum {
  uint32_t value;
  bool carry, overflow;
};
Sum add(uint32_t a, uint32_t b, uint32_t carry_in) {
  const uint64_t wide = uint64_t{a} + b + carry_in;
  const auto value = static_cast<uint32_t>(wide);
  return {value, wide >> 32 != 0, ((~(a ^ b) & (a ^ value)) >> 31) != 0};
}

void set_codes(Warp& w, int lane, const Sum& sum) {
  const uint32_t bit = 1u << lane;
  ConditionCodes& cc = w.cc();
  const auto set = [bit](uint32_t& codes, bool value) { codes = value ? codes | bit : codes & ~bit; };
  set(cc.zero, sum.value == 0);
  set(cc.sign, sum.value >> 31 != 0);
  set(cc.carry, sum.carry);
  set(cc.overflow, sum.overflow);
}
uint32_t carry_of(Warp& w, int lane) {
  return w.cc().carry >> lane & 1;
}

// d = a + b in two's complement. A negated operand is its complement plus one, so that the carry out of a
// subtraction means "no borrow". With .X, CC replaces the one. .PO (both negated) adds one.
struct AddOptions {
  bool negate_a, negate_b, extended, saturates;
};
void run_sum(Warp& w, const Instruction& i, uint32_t active, Lanes a, Lanes b, const AddOptions& o) {
  uint32_t* d = w.target(i.rd());
  const bool plus_one = o.negate_a && o.negate_b;
  const uint32_t flip_a = o.negate_a && !plus_one ? 0xffffffffu : 0;
  const uint32_t flip_b = o.negate_b && !plus_one ? 0xffffffffu : 0;
  for_each_lane(active, [&](int lane) {
    const uint32_t one = o.extended ? carry_of(w, lane) : (o.negate_a || o.negate_b ? 1u : 0u);
    Sum sum = add(a[lane] ^ flip_a, b[lane] ^ flip_b, one);
    if (i.writes_cc) set_codes(w, lane, sum);
    if (o.saturates && sum.overflow) sum.value = (sum.value >> 31) != 0 ? 0x7fffffffu : 0x80000000u;
    d[lane] = sum.value;
  });
}

void run_iadd(Warp& w, const Instruction& i, uint32_t active) {
  run_sum(w, i, active, w.a(i), w.b(i), {i.bit(49), i.bit(48), i.bit(43), i.bit(50)});
}
// Bits 56 and 55 are the negations of Ra and of the immediate (.PO).
void run_iadd32i(Warp& w, const Instruction& i, uint32_t active) {
  run_sum(w, i, active, w.a(i), w.b(i), {i.bit(56), i.bit(55), i.bit(53), i.bit(54)});
}

void run_shifted_sum(Warp& w, const Instruction& i, uint32_t active, uint32_t shift,
                     const AddOptions& options) {
  std::array<uint32_t, kLanes> shifted;
  const Lanes a = w.a(i);
  for_each_lane(active, [&](int lane) { shifted[static_cast<size_t>(lane)] = a[lane] << shift; });
  run_sum(w, i, active, {shifted.data(), 1}, w.b(i), options);
}
void run_iscadd(Warp& w, const Instruction& i, uint32_t active) {
  run_shifted_sum(w, i, active, i.field(39, 5), {i.bit(49), i.bit(48), false, false});
}
void run_iscadd32i(Warp& w, const Instruction& i, uint32_t active) {
  run_shifted_sum(w, i, active, i.field(53, 5), {false, false, false, false});
}
void run_lea(Warp& w, const Instruction& i, uint32_t active) {
  run_shifted_sum(w, i, active, i.field(39, 5), {i.bit(45), false, i.bit(46), false});
}

// The high word of (C:A) << shift, plus B.
void run_lea_hi(Warp& w, const Instruction& i, uint32_t active) {
  const bool in_register = i.opcode == Opcode::lea_hi;
  const uint32_t shift = i.field(in_register ? 28 : 51, 5);
  const bool negates = i.bit(in_register ? 37 : 56), extended = i.bit(in_register ? 38 : 57);
  std::array<uint32_t, kLanes> shifted;
  const Lanes a = w.a(i), c = w.c(i);
  for_each_lane(active, [&](int lane) {
    uint64_t value = uint64_t{c[lane]} << 32 | a[lane];
    if (negates) value = ~value + 1;
    shifted[static_cast<size_t>(lane)] = static_cast<uint32_t>(value << shift >> 32);
  });
  run_sum(w, i, active, {shifted.data(), 1}, w.b(i), {false, false, extended, false});
}

// Three addends, each a register or half of one. .RS and .LS shift the sum of the first two by 16.
uint32_t half_of(uint32_t value, uint32_t select) {
  return select == 1 ? value & 0xffff : select == 2 ? value >> 16 : value;
}
void run_iadd3(Warp& w, const Instruction& i, uint32_t active) {
  const bool in_register = i.form == Form::b_register;
  const uint32_t shift = in_register ? i.field(37, 2) : 0;
  const uint32_t half_a = in_register ? i.field(35, 2) : 0, half_b = in_register ? i.field(33, 2) : 0,
                 half_c = in_register ? i.field(31, 2) : 0;
  const bool negate_a = i.bit(51), negate_b = i.bit(50), negate_c = i.bit(49), extended = i.bit(48);
  const Lanes a = w.a(i), b = w.b(i), c = w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    uint64_t x = half_of(a[lane], half_a), y = half_of(b[lane], half_b), z = half_of(c[lane], half_c);
    if (negate_a) x = static_cast<uint32_t>(0 - x);
    if (negate_b) y = static_cast<uint32_t>(0 - y);
    if (negate_c) z = static_cast<uint32_t>(0 - z);
    uint64_t sum = x + y;
    if (shift == 1) sum >>= 16;
    if (shift == 2) sum = static_cast<uint32_t>(sum << 16);
    sum += z + (extended ? carry_of(w, lane) : 0);
    if (i.writes_cc) {
      const auto low = static_cast<uint32_t>(sum);
      set_codes(w, lane, {low, sum >> 32 != 0, false});
    }
    d[lane] = static_cast<uint32_t>(sum);
  });
}

void run_imnmx(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t take_minimum = w.predicate_source(i, 39);
  const uint32_t bias = i.bit(48) ? 0x80000000u : 0;  // makes unsigned comparison order signed numbers
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t x = a[lane] ^ bias, y = b[lane] ^ bias;
    d[lane] = ((take_minimum >> lane & 1) != 0 ? std::min(x, y) : std::max(x, y)) ^ bias;
  });
}

// A wide minimum or maximum. .XHI compares the high words, using CC from the difference of the low words, and
// leaves in CC which number is smaller, as a subtraction would. .XLO selects the low word of the same number.
constexpr uint32_t kLow = 1, kHigh = 3;
void run_wide_imnmx(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t take_minimum = w.predicate_source(i, 39);
  const bool low = i.field(43, 2) == kLow, is_signed = i.bit(48);
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const int64_t x = is_signed ? int64_t{static_cast<int32_t>(a[lane])} : int64_t{a[lane]};
    const int64_t y = is_signed ? int64_t{static_cast<int32_t>(b[lane])} : int64_t{b[lane]};
    const bool borrow = carry_of(w, lane) == 0, less = low ? borrow : x - y - (borrow ? 1 : 0) < 0;
    const bool take_a = less == ((take_minimum >> lane & 1) != 0);
    if (i.writes_cc) set_codes(w, lane, {a[lane] - b[lane], !less, false});
    d[lane] = take_a ? a[lane] : b[lane];
  });
}

// 16 x 16 bits plus an addend.
struct Xmad {
  bool signed_a, signed_b, high_a, high_b, shift_product, merge, extended;
  uint32_t mode;  // of the addend: C, low half, high half, sign fix-up, C + B << 16
};
Xmad xmad_of(const Instruction& i) {
  Xmad x{i.bit(48), i.bit(49), i.bit(53), false, false, false, false, 0};
  if (i.opcode == Opcode::xmad_constant) {
    x.mode = i.field(50, 2);
    x.high_b = i.bit(52);
    x.extended = i.bit(54);
    // The upper bits belong to the opcode if C is the constant.
    x.shift_product = i.form == Form::b_constant && i.bit(55);
    x.merge = i.form == Form::b_constant && i.bit(56);
    return x;
  }
  x.mode = i.field(50, 3);
  x.high_b = i.form == Form::b_register && i.bit(35);
  x.shift_product = i.bit(36);
  x.merge = i.bit(37);
  x.extended = i.bit(38);
  return x;
}
int64_t half(uint32_t value, bool high, bool is_signed) {
  const auto bits = static_cast<uint16_t>(high ? value >> 16 : value);
  return is_signed ? int64_t{static_cast<int16_t>(bits)} : int64_t{bits};
}
void run_xmad(Warp& w, const Instruction& i, uint32_t active) {
  const Xmad x = xmad_of(i);
  const Lanes a = w.a(i), b = w.b(i), c = w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    auto product =
        static_cast<uint32_t>(half(a[lane], x.high_a, x.signed_a) * half(b[lane], x.high_b, x.signed_b));
    if (x.shift_product) product <<= 16;
    uint32_t addend = c[lane];
    if (x.mode == 1) addend &= 0xffff;
    if (x.mode == 2) addend >>= 16;
    if (x.mode == 4) addend += b[lane] << 16;
    const Sum sum = add(product, addend, x.extended ? carry_of(w, lane) : 0);
    uint32_t value = sum.value;
    if (x.merge) value = (value & 0xffff) | b[lane] << 16;
    if (i.writes_cc) set_codes(w, lane, {value, sum.carry, sum.overflow});
    d[lane] = value;
  });
}

}  // namespace

Handler select_integer(Instruction& i) {
  switch (i.opcode) {
    case Opcode::iadd: return run_iadd;
    case Opcode::iadd32i: return run_iadd32i;
    case Opcode::iadd3: return run_iadd3;
    case Opcode::iscadd: return run_iscadd;
    case Opcode::iscadd32i: return run_iscadd32i;
    case Opcode::lea:
    case Opcode::lea_hi:
    case Opcode::lea_hi_constant:
      if (i.opcode != Opcode::lea_hi_constant && i.field(48, 3) != kTruePredicate) {
        i.why = "LEA with a predicate result";
        return nullptr;
      }
      return i.opcode == Opcode::lea ? run_lea : run_lea_hi;
    case Opcode::imnmx:
      if (i.field(43, 2) == kLow || i.field(43, 2) == kHigh) return run_wide_imnmx;
      if (i.field(43, 2) != 0 || i.writes_cc) {
        i.why = "IMNMX of more than two words";
        return nullptr;
      }
      return run_imnmx;
    case Opcode::xmad:
    case Opcode::xmad_constant:
      if (xmad_of(i).mode == 3 || xmad_of(i).mode > 4) {
        i.why = "XMAD.CSFU";
        return nullptr;
      }
      return run_xmad;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
