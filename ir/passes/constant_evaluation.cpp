#include "ir/passes/constant_evaluation.h"

#include <bit>
#include <cmath>

#include "ir/base/fused.h"

namespace texlate::ir {

namespace {

using Result = std::optional<uint64_t>;

float real(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}
double real64(uint64_t bits) {
  return std::bit_cast<double>(bits);
}
uint32_t word(uint64_t bits) {
  return static_cast<uint32_t>(bits);
}
int32_t integer(uint64_t bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(bits));
}

float flushed(uint64_t bits) {
  return std::bit_cast<float>(flush_denormal(word(bits)));
}

Result from(float value) {
  if (std::isnan(value)) return std::nullopt;
  return flush_denormal(std::bit_cast<uint32_t>(value));
}
Result from(double value) {
  if (std::isnan(value)) return std::nullopt;
  return std::bit_cast<uint64_t>(value);
}
Result from(uint32_t value) {
  return value;
}
Result from(bool value) {
  return value ? 1u : 0u;
}

/// If one operand is NaN, the result is the other; which zero -0 and +0 give is undefined.
template <typename Float>
Result minimum(Float a, Float b, bool greatest) {
  if (a == Float{0} && b == Float{0} && std::signbit(a) != std::signbit(b)) return std::nullopt;
  return from(greatest ? std::fmax(a, b) : std::fmin(a, b));
}

/// min(1, max(0, v)): NaN gives 0. Which zero -0 gives is undefined.
template <typename Float>
Result saturated(Float value) {
  if (value == Float{0} && std::signbit(value)) return std::nullopt;
  if (!(value > Float{0})) return from(Float{0});
  return from(value < Float{1} ? value : Float{1});
}

template <typename Float>
Result to_signed(Float value) {
  if (std::isnan(value)) return 0u;
  if (value >= Float{2147483648.0}) return uint32_t{INT32_MAX};
  if (value <= Float{-2147483648.0}) return static_cast<uint32_t>(INT32_MIN);
  return static_cast<uint32_t>(static_cast<int32_t>(value));
}
template <typename Float>
Result to_unsigned(Float value) {
  if (!(value > Float{0})) return 0u;  // NaN too
  if (value >= Float{4294967296.0}) return UINT32_MAX;
  return static_cast<uint32_t>(value);
}

/// Toward zero; overflow gives the largest finite half; the upper half of the result is 0.
Result to_half(uint32_t bits) {
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return std::nullopt;
  if (magnitude == 0x7f800000u) return sign | 0x7c00u;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent > 15) return sign | 0x7bffu;
  if (exponent >= -14)
    return sign | (static_cast<uint32_t>(exponent + 15) << 10) | ((magnitude >> 13) & 0x3ffu);
  if (exponent < -24) return sign;
  const uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  return sign | (mantissa >> (-exponent - 1));
}

/// Exact; NaN is left to the target.
Result from_half(uint32_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 31) return mantissa != 0 ? Result() : Result(sign | 0x7f800000u);
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign | std::bit_cast<uint32_t>(magnitude);
  }
  return sign | ((exponent + 112) << 23) | (mantissa << 13);
}

/// Width and offset modulo 32; a field that reaches past the top ends there (22.11.6, 22.11.11).
uint32_t extract(uint32_t width, uint32_t offset, uint32_t value, bool is_signed) {
  width &= 31;
  offset &= 31;
  if (width == 0) return 0;
  const uint32_t top = width + offset < 32 ? 32 - width - offset : 0;
  const uint32_t aligned = value << top;
  const uint32_t shift = top + offset;
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(aligned) >> shift) : aligned >> shift;
}

uint32_t insert(uint32_t width, uint32_t offset, uint32_t value, uint32_t base) {
  const uint32_t mask = ((1u << (width & 31)) - 1u) << (offset & 31);
  return ((value << (offset & 31)) & mask) | (base & ~mask);
}

uint32_t reversed(uint32_t value) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 32; ++i) result |= ((value >> i) & 1u) << (31 - i);
  return result;
}

uint32_t counted(uint32_t zeros) {
  return zeros == 32 ? UINT32_MAX : zeros;
}

/// The nearest float, if it is the same for every value that a library with 4 correct bits less than a double
/// could have computed: the translation is then the same on every machine.
Result nearest(double value) {
  constexpr double kUncertainty = 0x1p-48;
  if (value == 0.0 || std::isinf(value)) return from(static_cast<float>(value));
  const Result result = from(static_cast<float>(value));
  const bool is_certain = result == from(static_cast<float>(value * (1.0 - kUncertainty))) &&
                          result == from(static_cast<float>(value * (1.0 + kUncertainty)));
  return is_certain ? result : std::nullopt;
}

/// Beyond 100 pi Direct3D accepts anything in [-1, 1] (D3D11.3 22.10.20): left to the target.
bool is_defined_angle(float angle) {
  constexpr float kGreatest = 314.159f;
  return std::fabs(angle) <= kGreatest;
}

Result evaluate_float(Op op, std::span<const uint64_t> in) {
  const auto a = [&] { return flushed(in[0]); };
  const auto b = [&] { return flushed(in[1]); };
  switch (op) {
    case Op::fadd: return from(a() + b());
    case Op::fmul: return from(a() * b());
    case Op::ffma: return from(fused(a(), b(), flushed(in[2])));
    case Op::fdiv: return from(a() / b());
    case Op::fmin: return minimum(a(), b(), false);
    case Op::fmax: return minimum(a(), b(), true);
    case Op::fneg: return word(in[0]) ^ 0x80000000u;
    case Op::fabs: return word(in[0]) & 0x7fffffffu;
    case Op::fsat: return saturated(a());
    case Op::ffrac: {
      const float fraction = a() - std::floor(a());
      if (!(fraction < 1.0f)) return std::nullopt;  // rounded up to 1, which is out of range
      return from(fraction);
    }
    case Op::frint: return from(std::nearbyint(a()));
    case Op::ffloor: return from(std::floor(a()));
    case Op::fceil: return from(std::ceil(a()));
    case Op::ftrunc: return from(std::trunc(a()));
    case Op::feq: return from(a() == b());
    case Op::fne: return from(a() != b());
    case Op::flt: return from(a() < b());
    case Op::fge: return from(a() >= b());
    case Op::ftoi: return to_signed(a());
    case Op::ftou: return to_unsigned(a());
    case Op::itof: return from(static_cast<float>(integer(in[0])));
    case Op::utof: return from(static_cast<float>(word(in[0])));
    case Op::f32tof16: return to_half(flush_denormal(word(in[0])));
    case Op::f16tof32: return from_half(word(in[0]));
    // Direct3D gives these a tolerance, and targets differ. The nearest float is within it.
    case Op::fsqrt: return from(std::sqrt(a()));
    case Op::frsq: return nearest(1.0 / std::sqrt(double{a()}));
    case Op::frcp: return from(1.0f / a());
    case Op::fexp2: return nearest(std::exp2(double{a()}));
    case Op::flog2: return nearest(std::log2(double{a()}));
    case Op::fsin: return is_defined_angle(a()) ? nearest(std::sin(double{a()})) : std::nullopt;
    case Op::fcos: return is_defined_angle(a()) ? nearest(std::cos(double{a()})) : std::nullopt;
#define IR_COVERED_float32
#define IR_COVERED_conversion
#include "ir/op_cases.inc"
      return std::nullopt;
  }
  return std::nullopt;
}

Result evaluate_integer(Op op, std::span<const uint64_t> in) {
  const uint32_t a = word(in[0]);
  const uint32_t b = in.size() > 1 ? word(in[1]) : 0;
  const uint32_t c = in.size() > 2 ? word(in[2]) : 0;
  const uint32_t d = in.size() > 3 ? word(in[3]) : 0;
  const int32_t sa = static_cast<int32_t>(a);
  const int32_t sb = static_cast<int32_t>(b);
  switch (op) {
    case Op::iadd: return from(a + b);
    case Op::isub: return from(a - b);
    case Op::ineg: return from(0u - a);
    case Op::imul: return from(a * b);
    case Op::imulhi: return from(static_cast<uint32_t>((static_cast<int64_t>(sa) * sb) >> 32));
    case Op::umulhi: return from(static_cast<uint32_t>((uint64_t{a} * b) >> 32));
    case Op::imad: return from(a * b + c);
    case Op::mad_wide: return uint64_t{a} * b + in[2];
    case Op::udiv: return from(b == 0 ? UINT32_MAX : a / b);
    case Op::urem: return from(b == 0 ? UINT32_MAX : a % b);
    case Op::imin: return from(sa < sb ? a : b);
    case Op::imax: return from(sa > sb ? a : b);
    case Op::umin: return from(a < b ? a : b);
    case Op::umax: return from(a > b ? a : b);
    case Op::and_: return from(a & b);
    case Op::or_: return from(a | b);
    case Op::xor_: return from(a ^ b);
    case Op::not_: return from(~a);
    case Op::shl: return from(a << (b & 31));
    case Op::ishr: return from(static_cast<uint32_t>(sa >> (b & 31)));
    case Op::ushr: return from(a >> (b & 31));
    case Op::ubfe: return from(extract(a, b, c, false));
    case Op::ibfe: return from(extract(a, b, c, true));
    case Op::bfi: return from(insert(a, b, c, d));
    case Op::bitrev: return from(reversed(a));
    case Op::popcount: return from(static_cast<uint32_t>(std::popcount(a)));
    case Op::firstbit_lo: return from(counted(static_cast<uint32_t>(std::countr_zero(a))));
    case Op::firstbit_hi: return from(counted(static_cast<uint32_t>(std::countl_zero(a))));
    case Op::firstbit_shi: return from(counted(static_cast<uint32_t>(std::countl_zero(sa < 0 ? ~a : a))));
    case Op::msb_u32: return from(static_cast<uint32_t>(std::bit_width(a)) - 1);
    case Op::msb_s32: return from(static_cast<uint32_t>(std::bit_width(sa < 0 ? ~a : a)) - 1);
    case Op::ieq: return from(a == b);
    case Op::ine: return from(a != b);
    case Op::ilt: return from(sa < sb);
    case Op::ige: return from(sa >= sb);
    case Op::ult: return from(a < b);
    case Op::uge: return from(a >= b);
    case Op::msad:  // rare, and never with constants
#define IR_COVERED_integer
#include "ir/op_cases.inc"
      return std::nullopt;
  }
  return std::nullopt;
}

Result evaluate_double(Op op, std::span<const uint64_t> in) {
  const auto a = [&] { return real64(in[0]); };
  const auto b = [&] { return real64(in[1]); };
  switch (op) {
    case Op::dadd: return from(a() + b());
    case Op::dmul: return from(a() * b());
    case Op::dfma: return from(fused(a(), b(), real64(in[2])));
    case Op::ddiv: return from(a() / b());
    case Op::dmin: return minimum(a(), b(), false);
    case Op::dmax: return minimum(a(), b(), true);
    case Op::dneg: return in[0] ^ (uint64_t{1} << 63);
    case Op::dabs: return in[0] & ~(uint64_t{1} << 63);
    case Op::dsat: return saturated(a());
    case Op::deq: return from(a() == b());
    case Op::dne: return from(a() != b());
    case Op::dlt: return from(a() < b());
    case Op::dge: return from(a() >= b());
    case Op::dtoi: return to_signed(a());
    case Op::dtou: return to_unsigned(a());
    case Op::itod: return from(static_cast<double>(integer(in[0])));
    case Op::utod: return from(static_cast<double>(word(in[0])));
    // A float denormal on either side may be flushed or not.
    case Op::dtof: {
      const float narrow = static_cast<float>(a());
      return std::isnan(narrow) || std::fpclassify(narrow) == FP_SUBNORMAL
                 ? Result()
                 : Result(std::bit_cast<uint32_t>(narrow));
    }
    case Op::ftod:
      return std::fpclassify(real(in[0])) == FP_SUBNORMAL ? Result() : from(static_cast<double>(real(in[0])));
    case Op::pack64: return (in[1] << 32) | word(in[0]);
    case Op::drcp:      // its last bit is undefined
    case Op::unpack64:  // two results
#define IR_COVERED_float64
#include "ir/op_cases.inc"
      return std::nullopt;
  }
  return std::nullopt;
}

Result evaluate_predicate(Op op, std::span<const uint64_t> in) {
  switch (op) {
    case Op::pand: return in[0] & in[1];
    case Op::por: return in[0] | in[1];
    case Op::pxor: return in[0] ^ in[1];
    case Op::pnot: return in[0] ^ 1u;
    case Op::mask: return in[0] != 0 ? UINT32_MAX : 0u;
    case Op::select:
    case Op::select64: return in[0] != 0 ? in[1] : in[2];
#define IR_COVERED_predicate
#include "ir/op_cases.inc"
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

uint32_t flush_denormal(uint32_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

std::optional<uint64_t> evaluate(Op op, std::span<const uint64_t> operands) {
  if (operands.empty()) return std::nullopt;
  switch (info(op).family) {
    case Family::float32:
    case Family::conversion: return evaluate_float(op, operands);
    case Family::integer: return evaluate_integer(op, operands);
    case Family::predicate: return evaluate_predicate(op, operands);
    case Family::float64: return evaluate_double(op, operands);
    case Family::derivative: return from(real(operands[0]) - real(operands[0]));  // as in all pixels
    case Family::source_register:
    case Family::interface:
    case Family::memory:
    case Family::texture:
    case Family::surface:
    case Family::buffer:
    case Family::binding:
    case Family::control:
    case Family::effect: return std::nullopt;  // more than their operands determines the result
  }
  return std::nullopt;
}

}  // namespace texlate::ir
