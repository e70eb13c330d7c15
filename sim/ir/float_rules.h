// Direct3D's float rules (D3D11.3 3.1; docs/reference/direct3d.md 4.1).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/texture_unit/small_float.h"

namespace texlate::sim {

/// The NaN that all arithmetic produces.
constexpr uint32_t kNan = 0x7fffffffu;

inline uint32_t bits_of(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline float float_of(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// An operand of float arithmetic: a denormal becomes a zero of the same sign.
inline float flushed(uint32_t bits) {
  return float_of((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
/// A result of float arithmetic.
inline uint32_t finish(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t number = (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
  return (bits & 0x7fffffffu) > 0x7f800000u ? kNan : number;
}

/// min and max: if one operand is NaN, the result is the other; -0 is less than +0 (IEEE 754-2019
/// minimumNumber).
template <typename T>
inline T least(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
inline T greatest(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <typename T>
inline T saturate(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

/// Toward zero, saturating; NaN gives 0.
template <typename T>
inline uint32_t to_signed(T value) {
  if (value != value) return 0;
  if (value >= T{2147483648.0}) return 0x7fffffffu;
  if (value <= T{-2147483648.0}) return 0x80000000u;
  return static_cast<uint32_t>(static_cast<int32_t>(value));
}
template <typename T>
inline uint32_t to_unsigned(T value) {
  if (!(value > T{0})) return 0;
  if (value >= T{4294967296.0}) return 0xffffffffu;
  return static_cast<uint32_t>(value);
}

/// Toward zero: finite overflow gives 0x7bff. The upper half is 0.
inline uint32_t to_half(float value) {
  return value != value ? 0x7fffu : float_bits_to_half_toward_zero(bits_of(value));
}
/// The low half, exactly; half denormals become normal floats.
inline uint32_t from_half(uint32_t half) {
  const uint32_t bits = half_to_float_bits(half & 0xffffu);
  return (bits & 0x7fffffffu) > 0x7f800000u ? kNan : bits;
}

}  // namespace texlate::sim
