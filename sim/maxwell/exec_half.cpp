// HADD2, HMUL2, HFMA2, HSET2, HSETP2 (sm_53): two half-precision numbers in a register.
#include "ir/base/fused.h"
#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

using Pair = std::array<double, 2>;

// How a source register is read: both halves, one 32-bit float for both, the low half twice, the high half
// twice.
enum class View : uint8_t { both, single, low, high };

double half_at(uint32_t bits, bool high, bool flushes) {
  auto half = static_cast<uint16_t>(high ? bits >> 16 : bits);
  if (flushes && (half & 0x7c00) == 0) half &= 0x8000;
  return double{half_to_float(half)};
}
Pair read_pair(uint32_t bits, View view, bool absolute, bool negate, bool flushes) {
  Pair p{};
  switch (view) {
    case View::both: p = {half_at(bits, false, flushes), half_at(bits, true, flushes)}; break;
    case View::single: p = {double{as_float(bits)}, double{as_float(bits)}}; break;
    case View::low: p = {half_at(bits, false, flushes), half_at(bits, false, flushes)}; break;
    case View::high: p = {half_at(bits, true, flushes), half_at(bits, true, flushes)}; break;
  }
  for (double& x : p) {
    if (absolute) x = std::fabs(x);
    if (negate) x = -x;
  }
  return p;
}

uint16_t half_result(double value, bool saturates, bool flushes) {
  if (saturates) value = saturate(value);
  uint16_t bits = std::isnan(value) ? uint16_t{0x7fff} : double_to_half(value, Rounding::nearest);
  if (flushes && (bits & 0x7c00) == 0) bits &= 0x8000;
  return bits;
}

// How the result is written: both halves, the first as a 32-bit float, or one half merged into Rd.
enum class Merge : uint8_t { both, single, low, high };
void write_pair(uint32_t& d, Merge merge, const Pair& value, bool saturates, bool flushes) {
  const uint32_t low = half_result(value[0], saturates, flushes);
  const uint32_t high = half_result(value[1], saturates, flushes);
  switch (merge) {
    case Merge::both: d = low | high << 16; break;
    case Merge::single:
      d = std::isnan(value[0]) ? kCanonicalNan
                               : as_bits(static_cast<float>(saturates ? saturate(value[0]) : value[0]));
      break;
    case Merge::low: d = (d & 0xffff0000u) | low; break;
    case Merge::high: d = (d & 0xffffu) | high << 16; break;
  }
}

struct Operands {
  View a = View::both, b = View::both, c = View::both;
  bool absolute_a = false, negate_a = false, absolute_b = false, negate_b = false, negate_c = false;
  bool flushes = false, saturates = false;
  Merge merge = Merge::both;
};

View view_at(const Instruction& i, int position) {
  return static_cast<View>(i.field(position, 2));
}

// HADD2 and HMUL2: the position of each field depends on the form of B.
Operands two_sources(const Instruction& i) {
  Operands o;
  const bool add = i.opcode == Opcode::hadd2;
  o.a = view_at(i, 47);
  o.merge = static_cast<Merge>(i.field(49, 2));
  o.absolute_a = i.bit(44);
  o.negate_a = i.bit(43) && (add || i.form != Form::b_register);  // HMUL2: negates the product
  o.flushes = add ? i.bit(39) : i.field(39, 2) != 0;
  if (i.form == Form::b_register) {
    o.b = view_at(i, 28);
    o.absolute_b = i.bit(30);
    o.negate_b = i.bit(31);
    o.saturates = i.bit(32);
  } else {
    o.saturates = i.bit(52);
    if (i.form == Form::b_constant) {
      o.b = View::single;
      o.absolute_b = i.bit(54);
      o.negate_b = add && i.bit(56);
    }
  }
  return o;
}

void run_two(Warp& w, const Instruction& i, uint32_t active) {
  const Operands o = two_sources(i);
  const bool add = i.opcode == Opcode::hadd2;
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const Pair x = read_pair(a[lane], o.a, o.absolute_a, o.negate_a, o.flushes);
    const Pair y = read_pair(b[lane], o.b, o.absolute_b, o.negate_b, o.flushes);
    const Pair value = add ? Pair{x[0] + y[0], x[1] + y[1]} : Pair{x[0] * y[0], x[1] * y[1]};
    write_pair(d[lane], o.merge, value, o.saturates, o.flushes);
  });
}

Operands three_sources(const Instruction& i) {
  Operands o;
  o.a = view_at(i, 47);
  o.merge = static_cast<Merge>(i.field(49, 2));
  if (i.form == Form::b_register) {
    o.b = view_at(i, 28);
    o.c = view_at(i, 35);
    o.negate_b = i.bit(31);
    o.negate_c = i.bit(30);
    o.saturates = i.bit(32);
    o.flushes = i.field(37, 2) != 0;
    return o;
  }
  o.saturates = i.bit(52);
  o.flushes = i.field(57, 2) != 0;
  o.negate_c = i.bit(51);
  switch (i.form) {
    case Form::b_constant:
      o.b = View::single;
      o.c = view_at(i, 53);
      o.negate_b = i.bit(56);
      break;
    case Form::c_constant:
      o.b = view_at(i, 53);
      o.c = View::single;
      o.negate_b = i.bit(56);
      break;
    default: o.c = view_at(i, 53); break;
  }
  return o;
}

void run_fma(Warp& w, const Instruction& i, uint32_t active) {
  const Operands o = three_sources(i);
  const Lanes a = w.a(i), b = w.b(i), c = w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const Pair x = read_pair(a[lane], o.a, false, false, o.flushes);
    const Pair y = read_pair(b[lane], o.b, false, o.negate_b, o.flushes);
    const Pair z = read_pair(c[lane], o.c, false, o.negate_c, o.flushes);
    // The product of two halves is exact in a double, and the sum nearly so: fma rounds once.
    write_pair(d[lane], o.merge, {fused(x[0], y[0], z[0]), fused(x[1], y[1], z[1])}, o.saturates, o.flushes);
  });
}

// HADD2_32I, HMUL2_32I, HFMA2_32I: two halves as a 32-bit immediate.
void run_immediate(Warp& w, const Instruction& i, uint32_t active) {
  const bool adds = i.opcode == Opcode::hadd2_32i, fuses = i.opcode == Opcode::hfma2_32i;
  const bool flushes = i.bit(55) || (!adds && i.bit(56)), saturates = !fuses && i.bit(52);
  const View view = view_at(i, 53);
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const Pair x = read_pair(a[lane], view, false, adds && i.bit(56), flushes);
    const Pair y = read_pair(b[lane], View::both, false, false, flushes);
    const Pair z = read_pair(d[lane], View::both, false, fuses && i.bit(52), flushes);
    Pair value{};
    for (size_t k = 0; k < 2; ++k) {
      value[k] = adds ? x[k] + y[k] : fuses ? fused(x[k], y[k], z[k]) : x[k] * y[k];
    }
    write_pair(d[lane], Merge::both, value, saturates, flushes);
  });
}

struct Comparison {
  Pair x, y;
};
struct CompareOperands {
  Operands o;
  uint32_t test;
};
CompareOperands compare_operands(const Instruction& i) {
  CompareOperands c;
  c.o.a = view_at(i, 47);
  c.o.absolute_a = i.bit(44);
  c.o.negate_a = i.bit(43);
  if (i.form == Form::b_register) {
    c.o.b = view_at(i, 28);
    c.o.absolute_b = i.bit(30);
    c.o.negate_b = i.bit(31);
    c.test = i.field(35, 4);
  } else {
    c.test = i.field(49, 4);
    if (i.form == Form::b_constant) {
      c.o.b = View::single;
      c.o.absolute_b = i.bit(54);
      c.o.negate_b = i.bit(56);
    }
  }
  return c;
}

void run_compare(Warp& w, const Instruction& i, uint32_t active) {
  const CompareOperands c = compare_operands(i);
  const bool to_predicates = i.opcode == Opcode::hsetp2;
  const bool flushes = i.bit(to_predicates ? 6 : i.form == Form::b_register ? 50 : 54);
  const Lanes a = w.a(i), b = w.b(i);
  std::array<uint32_t, 2> holds{};
  for_each_lane(active, [&](int lane) {
    const Pair x = read_pair(a[lane], c.o.a, c.o.absolute_a, c.o.negate_a, flushes);
    const Pair y = read_pair(b[lane], c.o.b, c.o.absolute_b, c.o.negate_b, flushes);
    for (size_t k = 0; k < 2; ++k) holds[k] |= (compare_floats(c.test, x[k], y[k]) ? 1u : 0u) << lane;
  });
  const uint32_t with = w.predicate_source(i, 39), op = i.field(45, 2);
  if (to_predicates) {
    const bool both =
        i.form == Form::b_register ? i.bit(49) : i.bit(53);  // .H_AND: Pd of both, Pq its inverse
    const uint32_t first = both ? holds[0] & holds[1] : holds[0];
    const uint32_t second = both ? ~(holds[0] & holds[1]) : holds[1];
    w.set_predicate(i.field(3, 3), active, combine(op, first, with));
    w.set_predicate(i.field(0, 3), active, combine(op, second, with));
    return;
  }
  const bool as_number = i.form == Form::b_register ? i.bit(49) : i.bit(53);
  const uint32_t truth = as_number ? 0x3c00 : 0xffff;
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const auto part = [&](size_t k) { return (combine(op, holds[k], with) >> lane & 1) != 0 ? truth : 0; };
    d[lane] = part(0) | part(1) << 16;
  });
}

}  // namespace

Handler select_half(Instruction& i) {
  switch (i.opcode) {
    case Opcode::hadd2:
    case Opcode::hmul2: return run_two;
    case Opcode::hfma2: return run_fma;
    case Opcode::hadd2_32i:
    case Opcode::hmul2_32i:
    case Opcode::hfma2_32i: return run_immediate;
    case Opcode::hset2:
    case Opcode::hsetp2: return run_compare;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
