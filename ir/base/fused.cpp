#include "ir/base/fused.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace texlate {

namespace {

/// Unsigned, 128 bits.
struct Wide {
  uint64_t high = 0, low = 0;

  bool is_zero() const { return (high | low) == 0; }
  int width() const { return high != 0 ? 64 + std::bit_width(high) : std::bit_width(low); }
};

Wide operator<<(Wide x, int count) {
  if (count == 0) return x;
  if (count >= 64) return {x.low << (count - 64), 0};
  return {x.high << count | x.low >> (64 - count), x.low << count};
}

/// Shifts to the right. The last bit of the result also stands for all that was shifted out.
Wide shifted_out(Wide x, int count) {
  if (count == 0 || x.is_zero()) return x;
  if (count > 127) return {0, 1};
  Wide kept = count >= 64 ? Wide{0, x.high >> (count - 64)}
                          : Wide{x.high >> count, x.high << (64 - count) | x.low >> count};
  const Wide back = kept << count;
  if (back.high != x.high || back.low != x.low) kept.low |= 1;
  return kept;
}

Wide product(uint64_t a, uint64_t b) {
  constexpr uint64_t kLow = 0xffffffff;
  const uint64_t low = (a & kLow) * (b & kLow);
  const uint64_t middle = (a >> 32) * (b & kLow) + (low >> 32);
  const uint64_t other = (a & kLow) * (b >> 32) + (middle & kLow);
  return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), other << 32 | (low & kLow)};
}

bool is_less(Wide a, Wide b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}
Wide operator+(Wide a, Wide b) {
  const uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1 : 0), low};
}
Wide operator-(Wide a, Wide b) {
  return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}

/// (-1)^negative * magnitude * 2^exponent.
struct Number {
  bool negative;
  Wide magnitude;
  int exponent;
};

template <typename Float>
struct Format;
template <>
struct Format<float> {
  using Word = uint32_t;
  static constexpr int kDigits = 24, kLeast = -149;  // the exponent of the smallest number
};
template <>
struct Format<double> {
  using Word = uint64_t;
  static constexpr int kDigits = 53, kLeast = -1074;
};

template <typename Float>
Number number_of(Float x) {
  constexpr int kFraction = Format<Float>::kDigits - 1;
  const auto bits = std::bit_cast<typename Format<Float>::Word>(std::fabs(x));
  const auto exponent = static_cast<int>(bits >> kFraction);
  const uint64_t fraction = bits & ((uint64_t{1} << kFraction) - 1);
  if (exponent == 0) return {std::signbit(x), {0, fraction}, Format<Float>::kLeast};
  return {std::signbit(x), {0, fraction | uint64_t{1} << kFraction}, exponent - 1 + Format<Float>::kLeast};
}

/// To nearest, ties to even.
template <typename Float>
Float rounded(const Number& x) {
  const int most = Format<Float>::kDigits;
  const int excess = std::max(x.magnitude.width() - most, Format<Float>::kLeast - x.exponent);
  // Two bits more than the result has: a half, and whether there is anything below it.
  const Wide kept = excess >= 2 ? shifted_out(x.magnitude, excess - 2) : x.magnitude << (2 - excess);
  uint64_t digits = kept.low >> 2;
  const uint64_t rest = kept.low & 3;
  if (rest > 2 || (rest == 2 && (digits & 1) != 0)) ++digits;
  // A power of two at most, or fewer digits than the format has: the conversions are exact, or an overflow.
  const Float result = std::ldexp(static_cast<Float>(digits), x.exponent + excess);
  return x.negative ? -result : result;
}

/// Moves the first bit to place 124, where a sum has room above it.
void normalize(Number& x) {
  const int count = 125 - x.magnitude.width();
  x.magnitude = x.magnitude << count;
  x.exponent -= count;
}

/// Of numbers that are not 0. A product has 106 bits at most: where the operands are so near that a
/// difference cancels more than one bit, nothing has been shifted out.
Number sum(Number a, Number b) {
  normalize(a);
  normalize(b);
  if (a.exponent < b.exponent) std::swap(a, b);
  b.magnitude = shifted_out(b.magnitude, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.magnitude + b.magnitude, a.exponent};
  if (is_less(a.magnitude, b.magnitude)) std::swap(a.magnitude, b.magnitude), a.negative = b.negative;
  return {a.negative, a.magnitude - b.magnitude, a.exponent};
}

template <typename Float>
Float fused_of(Float x, Float y, Float z) {
  if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0) return x * y + z;  // an exact product
  if (!std::isfinite(z)) return z;
  const Number a = number_of(x), b = number_of(y);
  const Number exact{a.negative != b.negative, product(a.magnitude.low, b.magnitude.low),
                     a.exponent + b.exponent};
  if (z == 0) return rounded<Float>(exact);
  const Number all = sum(exact, number_of(z));
  return all.magnitude.is_zero() ? Float{0} : rounded<Float>(all);
}

}  // namespace

float fused_in_integers(float x, float y, float z) {
  return fused_of(x, y, z);
}
double fused_in_integers(double x, double y, double z) {
  return fused_of(x, y, z);
}

}  // namespace texlate
