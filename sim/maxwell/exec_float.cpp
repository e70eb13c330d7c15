// FADD, FMUL, FFMA, FMNMX, MUFU, RRO, FSWZADD.
#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

struct Rules {
  bool flushes, saturates;
  Rounding rounding;

  uint32_t operand(uint32_t bits) const { return flushes ? flush(bits) : bits; }
  uint32_t result(float value) const {
    uint32_t bits = as_bits(value);
    if (flushes) bits = flush(bits);
    if (saturates) return as_bits(saturate(as_float(bits)));
    return std::isnan(value) ? kCanonicalNan : bits;
  }
};

// With .FMZ, a factor of zero gives zero whatever the other factor is (Direct3D 9's multiplication).
bool is_zero(uint32_t bits) {
  return (bits & 0x7f800000u) == 0;
}

void run_fadd(Warp& w, const Instruction& i, uint32_t active) {
  const bool wide = i.opcode == Opcode::fadd32i;
  const Rules rules = wide ? Rules{i.bit(55), false, Rounding::nearest}
                           : Rules{i.bit(44), i.bit(50), rounding_of(i.field(39, 2))};
  const Sign a_sign = wide ? Sign(i.bit(54), i.bit(56)) : Sign(i.bit(46), i.bit(48));
  const Sign b_sign = wide ? Sign(i.bit(57), i.bit(53)) : Sign(i.bit(49), i.bit(45));
  map_ab(w, i, active, [&](uint32_t a, uint32_t b) {
    const float x = as_float(rules.operand(a_sign(a))), y = as_float(rules.operand(b_sign(b)));
    return rules.result(rounded_sum(x, y, rules.rounding));
  });
}

// .D2 .D4 .D8 divide the first factor by 2, 4, 8; .M8 .M4 .M2 multiply it.
constexpr float kScale[8] = {1.0f, 0.5f, 0.25f, 0.125f, 8.0f, 4.0f, 2.0f, 1.0f};

void run_fmul(Warp& w, const Instruction& i, uint32_t active) {
  const bool wide = i.opcode == Opcode::fmul32i;
  const Rules rules = wide ? Rules{i.bit(53) || i.bit(54), i.bit(55), Rounding::nearest}
                           : Rules{i.bit(44) || i.bit(45), i.bit(50), rounding_of(i.field(39, 2))};
  const bool zero_wins = wide ? i.bit(54) : i.bit(45);
  const Sign sign(false, !wide && i.bit(48));
  const float scale = wide ? 1.0f : kScale[i.field(41, 3)];
  map_ab(w, i, active, [&](uint32_t a, uint32_t b) {
    const uint32_t x = rules.operand(a), y = rules.operand(sign(b));
    if (zero_wins && (is_zero(x) || is_zero(y))) return 0u;
    return rules.result(rounded_product(as_float(x) * scale, as_float(y), rules.rounding));
  });
}

void run_ffma(Warp& w, const Instruction& i, uint32_t active) {
  const bool wide = i.opcode == Opcode::ffma32i;
  const bool zero_wins = i.bit(54);
  const Rules rules = wide ? Rules{i.bit(53) || i.bit(54), i.bit(55), Rounding::nearest}
                           : Rules{i.bit(53) || i.bit(54), i.bit(50), rounding_of(i.field(51, 2))};
  const Sign product(false, i.bit(wide ? 56 : 48)), addend(false, i.bit(wide ? 57 : 49));
  const Lanes a = w.a(i), b = w.b(i), c = wide ? w.lanes(i.rd()) : w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t x = rules.operand(a[lane]), y = rules.operand(product(b[lane]));
    const float z = as_float(rules.operand(addend(c[lane])));
    if (zero_wins && (is_zero(x) || is_zero(y))) {
      d[lane] = rules.result(z);
      return;
    }
    d[lane] = rules.result(rounded_fma(as_float(x), as_float(y), z, rules.rounding));
  });
}

void run_fmnmx(Warp& w, const Instruction& i, uint32_t active) {
  const Rules rules{i.bit(44), false, Rounding::nearest};
  const Sign a_sign(i.bit(46), i.bit(48)), b_sign(i.bit(49), i.bit(45));
  const uint32_t take_minimum = w.predicate_source(i, 39);
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const float x = as_float(rules.operand(a_sign(a[lane])));
    const float y = as_float(rules.operand(b_sign(b[lane])));
    d[lane] = rules.result((take_minimum >> lane & 1) != 0 ? minimum(x, y) : maximum(x, y));
  });
}

// The functions of MUFU, computed in double and rounded once, which is within every error bound that NVIDIA
// states (PTX ISA 9.7.3, the .approx operations). Subnormals are treated as zero.
enum Function : uint32_t {
  cosine,
  sine,
  exponent,
  logarithm,
  reciprocal,
  root_reciprocal,
  reciprocal_high,
  root_reciprocal_high,
  root
};

double evaluate(uint32_t function, double x) {
  switch (function) {
    case cosine: return std::cos(x);
    case sine: return std::sin(x);
    case exponent: return std::exp2(x);
    case logarithm: return std::log2(x);
    case reciprocal: return 1.0 / x;
    case root_reciprocal: return 1.0 / std::sqrt(x);
    default: return std::sqrt(x);
  }
}

void check_prepared(Warp& w, const Instruction& i, uint32_t function, uint32_t active) {
  const auto needed = function == exponent         ? Warp::Prepared::exponent
                      : function <= Function::sine ? Warp::Prepared::sine
                                                   : Warp::Prepared::no;
  if (needed == Warp::Prepared::no || w.prepared(i.ra()) == needed) return;
  w.fault(FaultKind::range_reduction, i, std::countr_zero(active),
          "the operand does not come from the RRO that this function needs");
}

void run_mufu(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t function = i.field(20, 4);
  const Sign sign(i.bit(46), i.bit(48));
  check_prepared(w, i, function, active);
  const Lanes a = w.a(i);
  uint32_t* d = w.target(i.rd());
  const Rules rules{true, i.bit(50), Rounding::nearest};
  const bool reciprocates = function == reciprocal || function == root_reciprocal;
  const auto error = static_cast<uint32_t>(reciprocates ? w.options().reciprocal_error : 0);
  for_each_lane(active, [&](int lane) {
    const uint32_t x = flush(sign(a[lane]));
    const auto value = static_cast<float>(evaluate(function, double{as_float(x)}));
    const bool is_off = error != 0 && std::isnormal(value);
    d[lane] = rules.result(is_off ? as_float(as_bits(value) + error) : value);
  });
}

// .RCP64H, .RSQ64H: source and result are the high words of doubles.
void run_mufu_high(Warp& w, const Instruction& i, uint32_t active) {
  const Sign sign(i.bit(46), i.bit(48));
  const Lanes a = w.a(i);
  uint32_t* d = w.target(i.rd());
  const bool root_of = i.field(20, 4) == root_reciprocal_high;
  for_each_lane(active, [&](int lane) {
    const double x = as_double(uint64_t{sign(a[lane])} << 32);
    const double value = 1.0 / (root_of ? std::sqrt(x) : x);
    d[lane] = static_cast<uint32_t>(as_bits(value) >> 32);
  });
}

// Range reduction returns a number in a special format that only MUFU reads. Here it is the operand itself,
// with a mark.
void run_rro(Warp& w, const Instruction& i, uint32_t active) {
  const Sign sign(i.bit(49), i.bit(45));
  map_b(w, i, active, [&](uint32_t b) { return sign(b); });
  w.set_prepared(i.rd(), i.bit(39) ? Warp::Prepared::exponent : Warp::Prepared::sine);
}

// Each lane of a quad has its own signs: 0 a + b, 1 b - a, 2 a - b, 3 b. The first lane uses the highest
// bits.
void run_fswzadd(Warp& w, const Instruction& i, uint32_t active) {
  const Rules rules{i.bit(44), false, rounding_of(i.field(39, 2))};
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t how = i.field(34 - 2 * (lane & 3), 2);
    uint32_t x = rules.operand(a[lane]), y = rules.operand(b[lane]);
    if (how == 1) x ^= 0x80000000u;
    if (how == 2) y ^= 0x80000000u;
    if (how == 3) x = 0;
    d[lane] = rules.result(rounded_sum(as_float(x), as_float(y), rules.rounding));
  });
}

}  // namespace

Handler select_float(Instruction& i) {
  Handler handler = nullptr;
  switch (i.opcode) {
    case Opcode::fadd:
    case Opcode::fadd32i: handler = run_fadd; break;
    case Opcode::fmul:
    case Opcode::fmul32i: handler = run_fmul; break;
    case Opcode::ffma:
    case Opcode::ffma32i: handler = run_ffma; break;
    case Opcode::fmnmx: handler = run_fmnmx; break;
    case Opcode::fswzadd: handler = run_fswzadd; break;
    case Opcode::rro: return run_rro;
    case Opcode::mufu:
      if (i.field(20, 4) > root) {
        i.why = "unknown function of MUFU";
        return nullptr;
      }
      return i.field(20, 4) == reciprocal_high || i.field(20, 4) == root_reciprocal_high ? run_mufu_high
                                                                                         : run_mufu;
    default: return nullptr;
  }
  if (i.writes_cc) {
    i.why = "condition codes of a float result";
    return nullptr;
  }
  return handler;
}

}  // namespace texlate::sim::maxwell
