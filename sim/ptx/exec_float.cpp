// f32, f16 and f64 arithmetic (PTX ISA 9.7.3, 9.7.4).
#include "sim/ptx/float_rules.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

enum class Binary { add, sub, mul, div };

template <Binary kOp, typename T>
T compute(T x, T y, Rounding mode) {
  if constexpr (kOp == Binary::add) return rounded_sum(x, y, mode);
  // A NaN keeps its sign.
  if constexpr (kOp == Binary::sub) return std::isnan(y) ? x - y : rounded_sum(x, -y, mode);
  if constexpr (kOp == Binary::mul) return rounded_product(x, y, mode);
  return rounded_quotient(x, y, mode);
}

template <Binary kOp, typename T>
void run_binary(Warp& w, const Instruction& i, uint32_t active) {
  const Rounding mode = rounding_mode(i);
  map2<T>(w, i, active,
          [&](T a, T b) { return finish(i, compute<kOp, T>(operand(i, a), operand(i, b), mode)); });
}

template <typename T>
void run_fma(Warp& w, const Instruction& i, uint32_t active) {
  const Rounding mode = rounding_mode(i);
  map3<T>(w, i, active, [&](T a, T b, T c) {
    return finish(i, rounded_fma(operand(i, a), operand(i, b), operand(i, c), mode));
  });
}

// 9.7.3.8: |b| in (2^126, 2^128) gives 0, or NaN for an infinite dividend.
void run_div_approx(Warp& w, const Instruction& i, uint32_t active) {
  map2<float>(w, i, active, [&](float a, float b) {
    const float x = operand(i, a), y = operand(i, b);
    const float magnitude = std::fabs(y);
    if (i.has(Mod::approx) && magnitude > 0x1p126f && std::isfinite(magnitude)) {
      return std::isinf(x) || std::isnan(x) ? std::bit_cast<float>(kCanonicalNan)
                                            : std::copysign(0.0f, x) * std::copysign(1.0f, y);
    }
    return finish(i, x / y);
  });
}

// neg and abs.f32 of a NaN give an unspecified NaN that is independent of the operand's. abs.f64 passes it
// through (9.7.3.9 abs, 9.7.3.10 neg).
template <typename T>
void run_float_neg(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [&](T a) { return finish(i, static_cast<T>(-operand(i, a))); });
}
template <typename T>
void run_float_abs(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [&](T a) { return std::isnan(a) ? finish(i, a) : std::fabs(operand(i, a)); });
}
template <typename T>
void run_float_min(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [&](T a, T b) {
    const T x = operand(i, a), y = operand(i, b);
    if (i.has(Mod::nan) && (std::isnan(x) || std::isnan(y))) return finish(i, x + y);
    return finish(i, float_min(x, y));
  });
}
template <typename T>
void run_float_max(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [&](T a, T b) {
    const T x = operand(i, a), y = operand(i, b);
    if (i.has(Mod::nan) && (std::isnan(x) || std::isnan(y))) return finish(i, x + y);
    return finish(i, float_max(x, y));
  });
}

// 9.7.3.2: copysign.f32 d, a, b: the sign of a on the magnitude of b.
template <typename T>
void run_copysign(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [](T a, T b) { return std::copysign(b, a); });
}

// One-operand functions. The approximate ones are computed in double and rounded once, which is within every
// error bound of the ISA. Special values are from its tables.
enum class Unary { rcp, sqrt, rsqrt, ex2, lg2, sin, cos };

template <Unary kOp>
double evaluate(double x) {
  if constexpr (kOp == Unary::rcp) return 1.0 / x;
  if constexpr (kOp == Unary::sqrt) return std::sqrt(x);
  if constexpr (kOp == Unary::rsqrt) return 1.0 / std::sqrt(x);
  if constexpr (kOp == Unary::ex2) return std::exp2(x);
  if constexpr (kOp == Unary::lg2) return std::log2(x);
  if constexpr (kOp == Unary::sin) return std::sin(x);
  return std::cos(x);
}

template <Unary kOp>
void run_unary(Warp& w, const Instruction& i, uint32_t active) {
  map1<float>(w, i, active,
              [&](float a) { return finish(i, static_cast<float>(evaluate<kOp>(operand(i, a)))); });
}
// rcp.rnd and sqrt.rnd are correctly rounded: IEEE operations in the type itself.
template <Unary kOp, typename T>
void run_exact(Warp& w, const Instruction& i, uint32_t active) {
  const Rounding mode = rounding_mode(i);
  map1<T>(w, i, active, [&](T a) {
    const T x = operand(i, a);
    return finish(i, kOp == Unary::rcp ? rounded_quotient(T{1}, x, mode) : rounded_square_root(x, mode));
  });
}
// rsqrt.approx.f64: the exact result is one of the permitted results.
template <Unary kOp>
void run_double(Warp& w, const Instruction& i, uint32_t active) {
  map1<double>(w, i, active, [](double a) { return evaluate<kOp>(a); });
}
// rcp.approx.ftz.f64 (9.7.3.14) and rsqrt.approx.ftz.f64 (9.7.3.17): only the high words of operand and
// result count; the low word of the result is 0. Denormals are flushed, and there is one NaN.
double high_word(double value) {
  const uint64_t bits = to_bits(value) & 0xffffffff00000000u;
  if (std::isnan(from_bits<double>(bits))) return from_bits<double>(0x7fffffff00000000u);
  return from_bits<double>((bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits);
}
template <Unary kOp>
void run_high_word(Warp& w, const Instruction& i, uint32_t active) {
  map1<double>(w, i, active, [](double a) { return high_word(evaluate<kOp>(high_word(a))); });
}

template <typename F>
uint16_t half_result(const Instruction& i, F f) {
  double value = f();
  if (i.has(Mod::sat)) value = saturate_unit(value);
  uint16_t bits = std::isnan(value) ? uint16_t{0x7fff} : double_to_half(value, Rounding::nearest);
  if (i.has(Mod::ftz) && (bits & 0x7c00) == 0) bits &= 0x8000;
  return bits;
}

double half_operand(const Instruction& i, uint64_t bits) {
  auto half = static_cast<uint16_t>(bits);
  if (i.has(Mod::ftz) && (half & 0x7c00) == 0) half &= 0x8000;
  return half_to_float(half);
}

double half_compute(Opcode op, double a, double b, double c) {
  switch (op) {
    case Opcode::add: return a + b;
    case Opcode::sub: return a - b;
    case Opcode::mul: return a * b;
    case Opcode::fma: return a * b + c;  // exact in double, or too far apart to meet a tie
    case Opcode::min: return float_min(a, b);
    case Opcode::max: return float_max(a, b);
    case Opcode::neg: return -a;
    default: return std::fabs(a);
  }
}

// f16 and f16x2: exact in double, rounded once to half.
void run_half(Warp& w, const Instruction& i, uint32_t active) {
  const int halves = i.type == Type::f16x2 ? 2 : 1;
  uint32_t poison = w.poison(i.src[0]);
  for (int s = 1; s < 3; ++s) poison |= i.src[s] != kNone ? w.poison(i.src[s]) : 0;
  for_each_lane(active, [&](int lane) {
    uint64_t result = 0;
    for (int h = 0; h < halves; ++h) {
      const auto value = [&](int s) {
        return i.src[s] == kNone ? 0.0 : half_operand(i, w.reg(i.src[s])[lane] >> (16 * h));
      };
      const double a = value(0), b = value(1), c = value(2);
      const bool nan = i.has(Mod::nan) && (std::isnan(a) || std::isnan(b));
      result |= uint64_t{half_result(i, [&] { return nan ? a + b : half_compute(i.opcode, a, b, c); })}
                << (16 * h);
    }
    w.reg(i.dst[0])[lane] = result;
  });
  w.set_poison(i.dst[0], active, poison);
}

bool is_rounded(const Instruction& i) {
  return i.has(Mod::rn) || i.has(Mod::rz) || i.has(Mod::rm) || i.has(Mod::rp);
}

// Shared by f32 and f64.
template <typename T>
Handler common(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return run_binary<Binary::add, T>;
    case Opcode::sub: return run_binary<Binary::sub, T>;
    case Opcode::mul: return run_binary<Binary::mul, T>;
    case Opcode::fma:
    case Opcode::mad: return is_rounded(i) ? run_fma<T> : nullptr;  // sm_20 and later: mad is fma
    case Opcode::neg: return run_float_neg<T>;
    case Opcode::abs: return run_float_abs<T>;
    case Opcode::min: return run_float_min<T>;
    case Opcode::max: return run_float_max<T>;
    case Opcode::copysign: return run_copysign<T>;
    case Opcode::div: return is_rounded(i) ? run_binary<Binary::div, T> : nullptr;
    case Opcode::rcp: return is_rounded(i) ? run_exact<Unary::rcp, T> : nullptr;
    case Opcode::sqrt: return is_rounded(i) ? run_exact<Unary::sqrt, T> : nullptr;
    default: return nullptr;
  }
}

}  // namespace

Handler select_float(const Instruction& i) {
  if (i.has(Mod::lo) || i.has(Mod::hi) || i.has(Mod::wide) || i.has(Mod::cc)) return nullptr;
  if (i.type != Type::f32) {
    // 9.7.4: to nearest only, which fma has to say.
    if (i.has(Mod::rz) || i.has(Mod::rm) || i.has(Mod::rp) || (i.opcode == Opcode::fma && !i.has(Mod::rn)))
      return nullptr;
    switch (i.opcode) {
      case Opcode::add:
      case Opcode::sub:
      case Opcode::mul:
      case Opcode::fma:
      case Opcode::min:
      case Opcode::max:
      case Opcode::neg:
      case Opcode::abs: return run_half;
      default: return nullptr;
    }
  }
  if (i.has(Mod::approx) || i.has(Mod::full)) {
    if (is_rounded(i) || (i.has(Mod::approx) && i.has(Mod::full))) return nullptr;
    switch (i.opcode) {
      case Opcode::div: return run_div_approx;
      case Opcode::rcp: return run_unary<Unary::rcp>;
      case Opcode::sqrt: return run_unary<Unary::sqrt>;
      case Opcode::rsqrt: return run_unary<Unary::rsqrt>;
      case Opcode::ex2: return run_unary<Unary::ex2>;
      case Opcode::lg2: return run_unary<Unary::lg2>;
      case Opcode::sin: return run_unary<Unary::sin>;
      case Opcode::cos: return run_unary<Unary::cos>;
      default: return nullptr;
    }
  }
  return common<float>(i);
}

Handler select_double(const Instruction& i) {
  if (i.has(Mod::lo) || i.has(Mod::hi) || i.has(Mod::wide) || i.has(Mod::cc) || i.has(Mod::sat) ||
      i.has(Mod::nan) || i.has(Mod::full))
    return nullptr;
  if (i.has(Mod::approx)) {
    if (i.opcode == Opcode::rcp) return i.has(Mod::ftz) ? run_high_word<Unary::rcp> : nullptr;
    if (i.opcode != Opcode::rsqrt) return nullptr;
    return i.has(Mod::ftz) ? run_high_word<Unary::rsqrt> : run_double<Unary::rsqrt>;
  }
  return i.has(Mod::ftz) ? nullptr : common<double>(i);
}

float half_to_float(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int mantissa = half & 0x3ff;
  float magnitude;
  if (exponent == 31) {
    magnitude =
        mantissa != 0 ? std::bit_cast<float>(0x7f800000u | static_cast<uint32_t>(mantissa) << 13) : HUGE_VALF;
  } else {
    magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                              : std::ldexp(static_cast<float>(mantissa | 0x400), exponent - 25);
  }
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | static_cast<uint32_t>(half & 0x8000)
                                                                       << 16);
}

uint16_t double_to_half(double value, Rounding mode) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return 0x7fff;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | 0x7c00;
  // Counted in units of the last place; ilogb of a subnormal result is that of the smallest normal half.
  const int exponent = magnitude == 0 ? -14 : std::max(std::ilogb(magnitude), -14);
  const double units = rounded_to_integer(std::ldexp(std::copysign(magnitude, value), 10 - exponent), mode);
  const double rounded = std::ldexp(std::fabs(units), exponent - 10);
  if (rounded > 65504.0) {
    const bool to_infinity = mode == Rounding::nearest || (mode == Rounding::up && sign == 0) ||
                             (mode == Rounding::down && sign != 0);
    return static_cast<uint16_t>(sign | (to_infinity ? 0x7c00 : 0x7bff));
  }
  if (rounded == 0) return sign;
  const int e = std::max(std::ilogb(rounded), -14);
  const auto significand = static_cast<uint32_t>(std::ldexp(rounded, 10 - e));  // 0..0x7ff
  const uint32_t biased = significand < 0x400 ? 0 : static_cast<uint32_t>(e + 15);
  return static_cast<uint16_t>(sign | biased << 10 | (significand & 0x3ff));
}

}  // namespace texlate::sim::ptx
