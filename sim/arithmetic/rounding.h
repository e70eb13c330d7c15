// IEEE 754 arithmetic in its four rounding modes, without the processor's: WebAssembly has only one,
// compilers move operations across a change of mode, and a change costs more than most operations.
#pragma once

#include <cmath>
#include <cstdint>

#include "ir/base/fused.h"

namespace texlate::sim {

/// IEEE 754-2019, 4.3: roundTiesToEven, roundTowardNegative, roundTowardPositive, roundTowardZero.
enum class Rounding : uint8_t { nearest, down, up, toward_zero };

namespace directed {
float add(float x, float y, Rounding mode);
double add(double x, double y, Rounding mode);
float multiply(float x, float y, Rounding mode);
double multiply(double x, double y, Rounding mode);
float fma(float x, float y, float z, Rounding mode);
double fma(double x, double y, double z, Rounding mode);
float divide(float x, float y, Rounding mode);
double divide(double x, double y, Rounding mode);
float square_root(float x, Rounding mode);
double square_root(double x, Rounding mode);
float to_float(double x, Rounding mode);
}  // namespace directed

// The result of one operation on T (float or double), rounded once. NaN is the processor's.
template <typename T>
T rounded_sum(T x, T y, Rounding mode) {
  return mode == Rounding::nearest ? x + y : directed::add(x, y, mode);
}
template <typename T>
T rounded_product(T x, T y, Rounding mode) {
  return mode == Rounding::nearest ? x * y : directed::multiply(x, y, mode);
}
template <typename T>
T rounded_fma(T x, T y, T z, Rounding mode) {
  return mode == Rounding::nearest ? fused(x, y, z) : directed::fma(x, y, z, mode);
}
template <typename T>
T rounded_quotient(T x, T y, Rounding mode) {
  return mode == Rounding::nearest ? x / y : directed::divide(x, y, mode);
}
template <typename T>
T rounded_square_root(T x, Rounding mode) {
  return mode == Rounding::nearest ? std::sqrt(x) : directed::square_root(x, mode);
}
inline float rounded_to_float(double x, Rounding mode) {
  return mode == Rounding::nearest ? static_cast<float>(x) : directed::to_float(x, mode);
}
/// To an integer that is still a float.
double rounded_to_integer(double x, Rounding mode);
/// From an integer of 64 bits, signed or unsigned; T is float or double.
template <typename T>
T rounded_from_integer(uint64_t bits, bool is_signed, Rounding mode);

}  // namespace texlate::sim
