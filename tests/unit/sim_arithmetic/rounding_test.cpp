// Every operation and mode against the processor's, over edges and random patterns of bits.
#include "sim/arithmetic/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <limits>
#include <random>
#include <vector>

namespace texlate::sim {
namespace {

constexpr Rounding kModes[] = {Rounding::nearest, Rounding::down, Rounding::up, Rounding::toward_zero};

/// The processor's result. Volatile operands keep the compiler from moving the operation across the changes
/// of mode.
template <typename F>
auto on_processor(Rounding mode, F f) {
  constexpr int kProcessor[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  std::fesetround(kProcessor[static_cast<size_t>(mode)]);
  const auto volatile result = f();
  std::fesetround(FE_TONEAREST);
  return static_cast<std::remove_cv_t<decltype(result)>>(result);
}

template <typename T>
struct Bits;
template <>
struct Bits<float> {
  using Word = uint32_t;
};
template <>
struct Bits<double> {
  using Word = uint64_t;
};

template <typename T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<typename Bits<T>::Word>(a) == std::bit_cast<typename Bits<T>::Word>(b);
}

/// Zeros, subnormals, powers of two and their neighbors, the largest numbers, infinities, NaN; each with both
/// signs.
template <typename T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> positive = {T{0},
                             Limits::denorm_min(),
                             Limits::denorm_min() * 3,
                             Limits::min(),
                             std::nextafter(Limits::min(), T{0}),
                             T{1},
                             std::nextafter(T{1}, T{2}),
                             std::nextafter(T{1}, T{0}),
                             T{3},
                             T{1} / 3,
                             static_cast<T>(16777219),
                             std::sqrt(Limits::min()),
                             std::sqrt(Limits::max()),
                             Limits::epsilon(),
                             Limits::epsilon() / 2,
                             Limits::max() / 2,
                             std::nextafter(Limits::max(), T{0}),
                             Limits::max(),
                             Limits::infinity(),
                             Limits::quiet_NaN()};
  std::vector<T> all;
  for (const T x : positive) all.insert(all.end(), {x, -x});
  return all;
}

template <typename T>
class Rounded : public testing::Test {
 protected:
  void compare(T x, T y, T z) {
    [[maybe_unused]] const volatile T vx = x, vy = y, vz = z;
    for (const Rounding mode : kModes) {
      const auto expect = [&](const char* what, T found, T expected) {
        ASSERT_TRUE(same(found, expected))
            << std::hexfloat << what << " of " << x << ", " << y << ", " << z << " in mode "
            << static_cast<int>(mode) << ": " << found << " instead of " << expected;
      };
      expect("sum", rounded_sum(x, y, mode), on_processor(mode, [&] { return T{vx + vy}; }));
      expect("product", rounded_product(x, y, mode), on_processor(mode, [&] { return T{vx * vy}; }));
      expect("root", rounded_square_root(x, mode), on_processor(mode, [&] { return std::sqrt(T{vx}); }));
      expect("quotient", rounded_quotient(x, y, mode), on_processor(mode, [&] { return T{vx / vy}; }));
#ifdef __MINGW32__
      // The C library's rounds twice (ir/base/fused.h).
      if (mode != Rounding::nearest) continue;
      expect("fma", rounded_fma(x, y, z, mode), fused_in_integers(x, y, z));
#else
      expect("fma", rounded_fma(x, y, z, mode),
             on_processor(mode, [&] { return std::fma(T{vx}, T{vy}, T{vz}); }));
#endif
    }
  }
  T random() {
    return std::bit_cast<T>(static_cast<typename Bits<T>::Word>(random_()));
  }
  /// Near to others: sums of these cancel, and products are near the ends of the range.
  T near(T x) {
    const int shift = static_cast<int>(random_() % 61) - 30;
    return std::ldexp(random_() % 2 != 0 ? x : -x, shift);
  }
  std::mt19937_64 random_{20261126};
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Rounded, Types);

TYPED_TEST(Rounded, EdgesAreTheProcessors) {
  const auto all = edges<TypeParam>();
  for (const auto x : all) {
    for (const auto y : all) {
      for (const auto z : all) this->compare(x, y, z);
    }
  }
}

TYPED_TEST(Rounded, RandomBitsAreTheProcessors) {
  for (int i = 0; i < 100000; ++i) {
    const TypeParam x = this->random(), y = this->random();
    this->compare(x, y, this->random());
    this->compare(x, this->near(x), y);
    this->compare(x, y, this->near(x * y));
    this->compare(x, TypeParam{1} / x, this->near(TypeParam{1}));
  }
}

TEST(RoundedToFloat, IsTheProcessors) {
  std::mt19937_64 random(1);
  auto all = edges<double>();
  for (const float x : edges<float>()) {
    for (const double step : {-0x1p-30, 0.0, 0x1p-30}) all.push_back(double{x} * (1 + step));
  }
  for (int i = 0; i < 100000; ++i) {
    all.push_back(std::bit_cast<double>(random()));
    all.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 300) - 214));
  }
  for (const double x : all) {
    const volatile double v = x;
    for (const Rounding mode : kModes) {
      ASSERT_TRUE(same(rounded_to_float(x, mode), on_processor(mode, [&] { return static_cast<float>(v); })))
          << std::hexfloat << x << " in mode " << static_cast<int>(mode);
    }
  }
}

TEST(RoundedToInteger, IsTheProcessors) {
  std::mt19937_64 random(2);
  auto all = edges<double>();
  for (int i = 0; i < 100000; ++i)
    all.push_back(static_cast<double>(static_cast<int64_t>(random() >> 40)) / 256 - 32768);
  for (const double x : all) {
    const volatile double v = x;
    for (const Rounding mode : kModes) {
      ASSERT_TRUE(
          same(rounded_to_integer(x, mode), on_processor(mode, [&] { return std::nearbyint(double{v}); })))
          << x << " in mode " << static_cast<int>(mode);
    }
  }
}

template <typename T>
void compare_integers(uint64_t bits) {
  const volatile uint64_t v = bits;
  for (const Rounding mode : kModes) {
    // clang's code subtracts two equal numbers for an unsigned 0, which gives -0 where results are rounded
    // down.
    const T is_unsigned = bits == 0 ? T{0} : on_processor(mode, [&] { return static_cast<T>(uint64_t{v}); });
    ASSERT_TRUE(same(rounded_from_integer<T>(bits, false, mode), is_unsigned))
        << bits << " in mode " << static_cast<int>(mode);
    ASSERT_TRUE(same(rounded_from_integer<T>(bits, true, mode),
                     on_processor(mode, [&] { return static_cast<T>(static_cast<int64_t>(v)); })))
        << static_cast<int64_t>(bits) << " in mode " << static_cast<int>(mode);
  }
}

TEST(RoundedFromInteger, IsTheProcessors) {
  std::mt19937_64 random(3);
  for (int place = 0; place < 64; ++place) {
    for (const int more : {-1, 0, 1}) {
      compare_integers<float>((uint64_t{1} << place) + static_cast<uint64_t>(more));
      compare_integers<double>((uint64_t{1} << place) + static_cast<uint64_t>(more));
    }
  }
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random() >> random() % 64;
    compare_integers<float>(bits);
    compare_integers<double>(bits);
  }
}

}  // namespace
}  // namespace texlate::sim
