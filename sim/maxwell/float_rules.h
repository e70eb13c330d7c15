// Float behavior beyond IEEE 754: flushing, saturation, a single NaN, four rounding modes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/arithmetic/rounding.h"

namespace texlate::sim::maxwell {

/// Single-precision arithmetic always returns this NaN, whatever the operands are (PTX ISA 9.7.3).
constexpr uint32_t kCanonicalNan = 0x7fffffffu;

inline float as_float(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline uint32_t as_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline double as_double(uint64_t bits) {
  return std::bit_cast<double>(bits);
}
inline uint64_t as_bits(double value) {
  return std::bit_cast<uint64_t>(value);
}

inline uint32_t flush(uint32_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}
/// Clamps to [0, 1]; NaN gives +0.
template <typename T>
inline T saturate(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

/// |x| and -x of an operand, applied in this order.
struct Sign {
  uint32_t keep = 0xffffffffu, flip = 0;
  Sign(bool absolute, bool negate)
      : keep(absolute ? 0x7fffffffu : 0xffffffffu), flip(negate ? 0x80000000u : 0) {}
  uint32_t operator()(uint32_t bits) const { return (bits & keep) ^ flip; }
  uint64_t operator()(uint64_t bits) const {
    return (bits & (uint64_t{keep} << 32 | 0xffffffffu)) ^ uint64_t { flip } << 32;
  }
};

/// The two-bit rounding field: nearest, down, up, toward zero.
inline Rounding rounding_of(uint32_t field) {
  constexpr Rounding kModes[] = {Rounding::nearest, Rounding::down, Rounding::up, Rounding::toward_zero};
  return kModes[field & 3];
}

/// If one operand is NaN, the result is the other; -0 is less than +0.
template <typename T>
inline T minimum(T x, T y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == y) return std::signbit(x) ? x : y;
  return x < y ? x : y;
}
template <typename T>
inline T maximum(T x, T y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == y) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

/// The 16 float comparisons: 0..7 ordered (F LT EQ LE GT NE GE NUM), 8..15 the same, or unordered.
template <typename T>
inline bool compare_floats(uint32_t test, T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return (test & 8) != 0;
  const uint32_t is = x < y ? 1 : x == y ? 2 : 4;
  return (test & 7 & is) != 0;
}

/// IEEE half precision.
float half_to_float(uint16_t half);
uint16_t double_to_half(double value, Rounding mode);

}  // namespace texlate::sim::maxwell
