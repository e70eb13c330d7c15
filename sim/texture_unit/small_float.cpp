#include "sim/texture_unit/small_float.h"

#include <bit>

namespace texlate::sim {

namespace {

constexpr int kSmallBias = 15;  // half and the unsigned formats both have 5 exponent bits
constexpr uint32_t kSmallMaxExponent = 31;

// `bits` without its sign: 5 exponent bits above `mantissa_bits` bits of mantissa.
uint32_t widen(uint32_t bits, int mantissa_bits) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const uint32_t exponent = (bits >> mantissa_bits) & kSmallMaxExponent;
  const int shift = 23 - mantissa_bits;
  if (exponent == kSmallMaxExponent) return 0x7f800000u | (mantissa << shift);
  if (exponent != 0) return ((exponent + 127 - kSmallBias) << 23) | (mantissa << shift);
  if (mantissa == 0) return 0;
  // A denormal: move its leading one to the hidden position.
  const int leading = 31 - std::countl_zero(mantissa);
  const int up = mantissa_bits - leading;
  const uint32_t fraction = (mantissa << up) & ((1u << mantissa_bits) - 1);
  return (static_cast<uint32_t>(1 - up + 127 - kSmallBias) << 23) | (fraction << shift);
}

// `bits` without its sign, rounded toward zero.
uint32_t narrow(uint32_t bits, int mantissa_bits) {
  const int shift = 23 - mantissa_bits;
  const uint32_t infinity = kSmallMaxExponent << mantissa_bits;
  if (bits > 0x7f800000u) {
    const uint32_t payload = (bits & 0x7fffffu) >> shift;
    return infinity | (payload != 0 ? payload : 1u << (mantissa_bits - 1));
  }
  if (bits == 0x7f800000u) return infinity;
  const int exponent = static_cast<int>(bits >> 23) - 127 + kSmallBias;
  if (exponent >= static_cast<int>(kSmallMaxExponent)) return infinity - 1;
  const uint32_t significand = (bits & 0x7fffffu) | 0x800000u;
  if (exponent > 0)
    return (static_cast<uint32_t>(exponent) << mantissa_bits) | ((significand & 0x7fffffu) >> shift);
  const int down = shift + 1 - exponent;
  return down >= 32 || (bits >> 23) == 0 ? 0 : significand >> down;
}

}  // namespace

uint32_t half_to_float_bits(uint32_t half) {
  return ((half & 0x8000u) << 16) | widen(half & 0x7fffu, 10);
}

uint32_t unsigned_float_to_float_bits(uint32_t bits, int mantissa_bits) {
  return widen(bits, mantissa_bits);
}

uint32_t float_bits_to_half_toward_zero(uint32_t bits) {
  return ((bits >> 16) & 0x8000u) | narrow(bits & 0x7fffffffu, 10);
}

uint32_t float_bits_to_unsigned_float(uint32_t bits, int mantissa_bits) {
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  if ((bits >> 31) != 0 && !nan) return 0;
  return narrow(bits & 0x7fffffffu, mantissa_bits);
}

}  // namespace texlate::sim
