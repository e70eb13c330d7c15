#include "ir/base/fused.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace texlate {
namespace {

template <typename T>
bool same(T a, T b) {
  using Word = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Word>(a) == std::bit_cast<Word>(b);
}

TEST(Fused, RoundsOnce) {
  // 1 + 2^-11 + 2^-24, half way between two numbers, and a little more, which 64 bits do not hold.
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(fused(x, x, 0x1p-80f), 1 + 0x1p-11f + 0x1p-23f);
  const double y = 1 + 0x1p-30;
  EXPECT_EQ(fused(y, y, -1.0 - 0x1p-29), 0x1p-60);
  EXPECT_EQ(fused(0x1p-1000, -0x1p-1000, 0.0), -0.0);
  EXPECT_TRUE(std::signbit(fused(0x1p-1000, -0x1p-1000, 0.0)));
  EXPECT_FALSE(std::signbit(fused(1.0, -1.0, 1.0)));
}

#ifndef __MINGW32__
template <typename T>
class FusedInIntegers : public testing::Test {
 protected:
  void compare(T x, T y, T z) {
    const T expected = std::fma(x, y, z), found = fused_in_integers(x, y, z);
    ASSERT_TRUE(same(found, expected))
        << std::hexfloat << x << " * " << y << " + " << z << " is " << expected << ", not " << found;
  }
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FusedInIntegers, FloatTypes);

TYPED_TEST(FusedInIntegers, AreTheProcessorsAtEdges) {
  using Limits = std::numeric_limits<TypeParam>;
  std::vector<TypeParam> all;
  for (const TypeParam x :
       {TypeParam{0}, Limits::denorm_min(), Limits::denorm_min() * 3, Limits::min(),
        std::nextafter(Limits::min(), TypeParam{0}), TypeParam{1}, std::nextafter(TypeParam{1}, TypeParam{2}),
        std::nextafter(TypeParam{1}, TypeParam{0}), TypeParam{3}, TypeParam{1} / 3, std::sqrt(Limits::min()),
        std::sqrt(Limits::max()), Limits::epsilon(), Limits::epsilon() / 2, Limits::max() / 2,
        std::nextafter(Limits::max(), TypeParam{0}), Limits::max(), Limits::infinity(), Limits::quiet_NaN()})
    all.insert(all.end(), {x, -x});
  for (const TypeParam x : all) {
    for (const TypeParam y : all) {
      for (const TypeParam z : all) this->compare(x, y, z);
    }
  }
}

TYPED_TEST(FusedInIntegers, AreTheProcessorsOnRandomBits) {
  using Word = std::conditional_t<sizeof(TypeParam) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(20261126);
  const auto number = [&] { return std::bit_cast<TypeParam>(static_cast<Word>(random())); };
  for (int i = 0; i < 300000; ++i) {
    const TypeParam x = number(), y = number();
    this->compare(x, y, number());
    // Near to the product, whose bits then cancel, or to its last place.
    const int shift = static_cast<int>(random() % 131) - 65;
    this->compare(x, y, std::ldexp(random() % 2 != 0 ? x * y : -x * y, shift));
    this->compare(x, y, -x * y);
    this->compare(x, TypeParam{1} / x, TypeParam{-1});
    // Products that become subnormal. Zeros, infinities and NaNs have no exponent to start from.
    if (!std::isfinite(x) || !std::isfinite(y) || x == 0 || y == 0) continue;
    const TypeParam small =
        std::ldexp(y, -std::ilogb(y) - std::ilogb(x) + std::numeric_limits<TypeParam>::min_exponent -
                          static_cast<int>(random() % 60));
    if (std::isfinite(small))
      this->compare(x, small,
                    random() % 2 != 0 ? TypeParam{0} : std::numeric_limits<TypeParam>::denorm_min());
  }
}
#endif

}  // namespace
}  // namespace texlate
