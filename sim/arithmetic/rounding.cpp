// A directed result is the nearest one or its neighbor. Which of them, is told by the sign of the exact
// result minus the nearest one. The exact result is a sum of a few doubles: a product of two floats is one
// double, and one of two doubles is two (Dekker's product, by fma), if no exponent is at the end of its
// range, for which doubles are scaled.
#include "sim/arithmetic/rounding.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "ir/base/fused.h"

namespace texlate::sim {

namespace {

/// The sign of the exact sum: -1, 0, 1. At most 8 finite terms, whose partial sums do not overflow.
/// Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997, figure 6: an expansion of terms that do not
/// overlap.
int sign_of_sum(std::initializer_list<double> terms) {
  std::array<double, 8> expansion{};
  size_t length = 0;
  for (double sum : terms) {
    size_t kept = 0;
    for (size_t i = 0; i < length; ++i) {
      const double other = expansion[i];
      const double total = sum + other;
      const double from_other = total - sum;
      const double rest = (sum - (total - from_other)) + (other - from_other);
      if (rest != 0) expansion[kept++] = rest;
      sum = total;
    }
    if (sum != 0) expansion[kept++] = sum;
    length = kept;
  }
  if (length == 0) return 0;
  return expansion[length - 1] > 0 ? 1 : -1;
}

/// `error`: the sign of the exact result minus `nearest`.
template <typename T>
T toward(T nearest, int error, Rounding mode) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const bool falls = mode == Rounding::down || (mode == Rounding::toward_zero && !std::signbit(nearest));
  const bool rises = mode == Rounding::up || (mode == Rounding::toward_zero && std::signbit(nearest));
  if (error < 0 && falls) return std::nextafter(nearest, -kInfinity);
  if (error > 0 && rises) return std::nextafter(nearest, kInfinity);
  return nearest;
}

/// The result where nothing is to be done: NaN, or an infinity among the operands. `true`: it is in
/// `nearest`.
template <typename T, typename... Operands>
bool is_exact(T nearest, Operands... operands) {
  return std::isnan(nearest) || (std::isinf(operands) || ...);
}
/// Finite operands: the exact result is less in magnitude than the infinity.
template <typename T>
int error_of_overflow(T infinity) {
  return infinity > 0 ? -1 : 1;
}

/// An exact sum of zero is -0 where results are rounded down, unless both terms are +0 (IEEE 754-2019, 6.3).
template <typename T>
T sum_of_zero(T nearest, bool both_positive, Rounding mode) {
  return mode == Rounding::down && !both_positive ? -std::fabs(nearest) : nearest;
}

struct Scaled {
  double significand;  // magnitude from 0.5 to below 1, or 0
  int exponent;
};
Scaled scaled(double x) {
  int exponent = 0;
  const double significand = std::frexp(x, &exponent);
  return {significand, exponent};
}

struct Product {
  double high, low;  // high + low is exact
};
Product product_of(double x, double y) {
  const double high = x * y;
  return {high, texlate::fused(x, y, -high)};
}

// The signs of errors. Floats: a product is exact in a double.
int error_of_product(float x, float y, float nearest) {
  return sign_of_sum({double{x} * double{y}, -double{nearest}});
}
int error_of_product(double x, double y, double nearest) {
  if (x == 0 || y == 0) return 0;
  const Scaled a = scaled(x), b = scaled(y);
  const Product exact = product_of(a.significand, b.significand);
  return sign_of_sum({exact.high, exact.low, -std::ldexp(nearest, -(a.exponent + b.exponent))});
}
int error_of_fma(float x, float y, float z, float nearest) {
  return sign_of_sum({double{x} * double{y}, double{z}, -double{nearest}});
}
int error_of_fma(double x, double y, double z, double nearest) {
  if (x == 0 || y == 0) return 0;  // z itself
  if (z == 0) return error_of_product(x, y, nearest);
  constexpr int kFar = 200;  // binary places: beyond both significands of a product
  const Scaled a = scaled(x), b = scaled(y), c = scaled(z);
  const int exponent = a.exponent + b.exponent;
  const Product exact = product_of(a.significand, b.significand);
  // The sum is z, up to less than half of its last place: the result is z.
  if (c.exponent - exponent > kFar) return exact.high > 0 ? 1 : -1;
  const double result = std::ldexp(nearest, -exponent);
  // Where z is far below the product, any number of its sign that is as well will do.
  const double addend = exponent - c.exponent > kFar ? std::copysign(0x1p-300, z)
                                                     : std::ldexp(c.significand, c.exponent - exponent);
  return sign_of_sum({exact.high, exact.low, addend, -result});
}
int error_of_quotient(float x, float y, float nearest) {
  return sign_of_sum({double{x}, -(double{nearest} * double{y})}) * (y < 0 ? -1 : 1);
}
int error_of_quotient(double x, double y, double nearest) {
  const Scaled a = scaled(x), b = scaled(y);
  const Product back = product_of(std::ldexp(nearest, b.exponent - a.exponent), b.significand);
  return sign_of_sum({a.significand, -back.high, -back.low}) * (y < 0 ? -1 : 1);
}
int error_of_root(float x, float nearest) {
  return sign_of_sum({double{x}, -(double{nearest} * double{nearest})});
}
int error_of_root(double x, double nearest) {
  const Scaled a = scaled(x);
  const int half = a.exponent / 2;
  const double root = std::ldexp(nearest, -half);
  const Product back = product_of(root, root);
  return sign_of_sum({std::ldexp(a.significand, a.exponent - 2 * half), -back.high, -back.low});
}

template <typename T>
T add(T x, T y, Rounding mode) {
  const T nearest = x + y;
  if (is_exact(nearest, x, y)) return nearest;
  if (std::isinf(nearest)) return toward(nearest, error_of_overflow(nearest), mode);
  if (nearest == 0)
    return sum_of_zero(nearest, x == 0 && y == 0 && !std::signbit(x) && !std::signbit(y), mode);
  return toward(nearest, sign_of_sum({double{x}, double{y}, -double{nearest}}), mode);
}
template <typename T>
T multiply(T x, T y, Rounding mode) {
  const T nearest = x * y;
  if (is_exact(nearest, x, y)) return nearest;
  if (std::isinf(nearest)) return toward(nearest, error_of_overflow(nearest), mode);
  return toward(nearest, error_of_product(x, y, nearest), mode);
}
template <typename T>
T fused(T x, T y, T z, Rounding mode) {
  const T nearest = texlate::fused(x, y, z);
  if (is_exact(nearest, x, y, z)) return nearest;
  if (std::isinf(nearest)) return toward(nearest, error_of_overflow(nearest), mode);
  const int error = error_of_fma(x, y, z, nearest);
  if (nearest == 0 && error == 0) {
    const bool product_is_positive = std::signbit(x) == std::signbit(y);
    return sum_of_zero(nearest, z == 0 && !std::signbit(z) && product_is_positive && (x == 0 || y == 0),
                       mode);
  }
  return toward(nearest, error, mode);
}
template <typename T>
T divide(T x, T y, Rounding mode) {
  const T nearest = x / y;
  if (is_exact(nearest, x, y) || y == 0 || x == 0) return nearest;
  if (std::isinf(nearest)) return toward(nearest, error_of_overflow(nearest), mode);
  return toward(nearest, error_of_quotient(x, y, nearest), mode);
}
template <typename T>
T square_root(T x, Rounding mode) {
  const T nearest = std::sqrt(x);
  if (is_exact(nearest, x) || x == 0) return nearest;
  return toward(nearest, error_of_root(x, nearest), mode);
}

}  // namespace

namespace directed {

float add(float x, float y, Rounding mode) {
  return sim::add(x, y, mode);
}
double add(double x, double y, Rounding mode) {
  return sim::add(x, y, mode);
}
float multiply(float x, float y, Rounding mode) {
  return sim::multiply(x, y, mode);
}
double multiply(double x, double y, Rounding mode) {
  return sim::multiply(x, y, mode);
}
float fma(float x, float y, float z, Rounding mode) {
  return fused(x, y, z, mode);
}
double fma(double x, double y, double z, Rounding mode) {
  return fused(x, y, z, mode);
}
float divide(float x, float y, Rounding mode) {
  return sim::divide(x, y, mode);
}
double divide(double x, double y, Rounding mode) {
  return sim::divide(x, y, mode);
}
float square_root(float x, Rounding mode) {
  return sim::square_root(x, mode);
}
double square_root(double x, Rounding mode) {
  return sim::square_root(x, mode);
}

float to_float(double x, Rounding mode) {
  const auto nearest = static_cast<float>(x);
  if (is_exact(nearest, x)) return nearest;
  return toward(nearest, x > double{nearest} ? 1 : x < double{nearest} ? -1 : 0, mode);
}

}  // namespace directed

double rounded_to_integer(double x, Rounding mode) {
  switch (mode) {
    case Rounding::nearest: return std::nearbyint(x);
    case Rounding::down: return std::floor(x);
    case Rounding::up: return std::ceil(x);
    case Rounding::toward_zero: return std::trunc(x);
  }
  return x;
}

template <typename T>
T rounded_from_integer(uint64_t bits, bool is_signed, Rounding mode) {
  const bool negative = is_signed && bits >> 63 != 0;
  const uint64_t magnitude = negative ? uint64_t{0} - bits : bits;
  const T nearest = static_cast<T>(magnitude);
  // 2^64 is the one result that is not an integer of 64 bits.
  constexpr T kBeyond = static_cast<T>(0x1p64);
  int error = -1;
  if (nearest < kBeyond) {
    const auto back = static_cast<uint64_t>(nearest);
    error = magnitude > back ? 1 : magnitude < back ? -1 : 0;
  }
  return negative ? toward(-nearest, -error, mode) : toward(nearest, error, mode);
}
template float rounded_from_integer<float>(uint64_t, bool, Rounding);
template double rounded_from_integer<double>(uint64_t, bool, Rounding);

}  // namespace texlate::sim
