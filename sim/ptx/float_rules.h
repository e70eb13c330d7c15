// PTX's float rules beyond IEEE 754 (PTX ISA 9.3.1.2, 9.7.3).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/arithmetic/rounding.h"
#include "sim/ptx/module.h"

namespace texlate::sim::ptx {

/// Single-precision instructions always return this NaN, whatever the operands are.
constexpr uint32_t kCanonicalNan = 0x7fffffffu;

/// .ftz: subnormal operands and results become sign-preserving zero.
inline float flush(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : value;
}
/// .sat: clamps to [0, 1]; NaN gives +0.
template <typename T>
inline T saturate_unit(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}
inline float canonical(float value) {
  return std::isnan(value) ? std::bit_cast<float>(kCanonicalNan) : value;
}

/// Applied to every f32 arithmetic result: flush, saturate, canonical NaN.
inline float finish(const Instruction& i, float value) {
  if (i.has(Mod::ftz)) value = flush(value);
  if (i.has(Mod::sat)) return saturate_unit(value);
  return canonical(value);
}
inline double finish(const Instruction& i, double value) {
  return i.has(Mod::sat) ? saturate_unit(value) : value;
}
inline float operand(const Instruction& i, float value) {
  return i.has(Mod::ftz) ? flush(value) : value;
}
inline double operand(const Instruction&, double value) {
  return value;
}

inline Rounding rounding_mode(const Instruction& i) {
  return i.has(Mod::rz)   ? Rounding::toward_zero
         : i.has(Mod::rm) ? Rounding::down
         : i.has(Mod::rp) ? Rounding::up
                          : Rounding::nearest;
}

float half_to_float(uint16_t half);
/// Correctly rounded.
uint16_t double_to_half(double value, Rounding mode);

/// min and max: if one operand is NaN, the result is the other (with .NaN it is NaN); -0 is less than +0.
template <typename T>
inline T float_min(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
inline T float_max(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace texlate::sim::ptx
