#include "ir/base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <memory_resource>
#include <span>
#include <type_traits>
#include <vector>

#include "ir/base/buffer.h"

namespace texlate {
namespace {

using Apple = Index<struct AppleTag>;
using Pear = Index<struct PearTag>;

template <typename A, typename B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <typename A, typename B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <typename A, typename B>
concept Comparable = requires(A a, B b) {
  a == b;
}
|| requires(A a, B b) {
  a < b;
};
template <typename A, typename B>
concept Assignable = requires(A a, B b) {
  a = b;
};

// Numbers.
static_assert(!std::convertible_to<uint32_t, Apple> && !std::convertible_to<int, Apple>);
static_assert(!std::convertible_to<size_t, Apple> && std::constructible_from<Apple, size_t>);
static_assert(!Assignable<Apple&, uint32_t>);
static_assert(!std::convertible_to<Apple, int> && !std::convertible_to<Apple, bool>);
static_assert(!std::convertible_to<Apple, uint16_t> && !std::convertible_to<Apple, float>);
#if SIZE_MAX > UINT32_MAX  // where not, an array is subscripted with a uint32_t
static_assert(!std::convertible_to<Apple, uint32_t> && !Comparable<Apple, uint32_t>);
#endif
static_assert(!Comparable<Apple, int>);

// Other indices.
static_assert(!std::convertible_to<Pear, Apple> && !std::constructible_from<Apple, Pear>);
static_assert(!Assignable<Apple&, Pear> && !Comparable<Apple, Pear>);
static_assert(!Addable<Apple, Pear> && !Subtractable<Apple, Pear> && !Addable<Apple, Apple>);

// It costs what a number does.
static_assert(sizeof(Apple) == sizeof(uint32_t) && std::is_trivial_v<Apple>);

static_assert(Apple(3) + 2 == Apple(5) && Apple(3) - 2u == Apple(1));
static_assert(std::same_as<decltype(Apple(3) + 2), Apple>);
static_assert(std::same_as<decltype(Apple(3) - Apple(1)), uint32_t> && Apple(3) - Apple(1) == 2);
static_assert(Apple(3) < Apple(4) && Apple(3) < sizeof(uint32_t) && sizeof(uint32_t) == Apple(4));

TEST(Index, SubscriptsArrays) {
  std::array<int, 3> array{1, 2, 3};
  int* const pointer = array.data();
  const std::span<int> span(array);
  const std::pmr::vector<int> vector(array.begin(), array.end());
  for (Apple apple(0); apple < array.size(); ++apple) {
    const int expected = static_cast<int>(apple.number()) + 1;
    EXPECT_EQ(array[apple], expected);
    EXPECT_EQ(pointer[apple], expected);
    EXPECT_EQ(*(pointer + apple), expected);
    EXPECT_EQ(span[apple], expected);
    EXPECT_EQ(vector[apple], expected);
  }
}

TEST(Index, CountsThroughAnArray) {
  std::vector<uint32_t> numbers;
  for (const Apple apple : Indices<Apple>(std::array<int, 3>{})) numbers.push_back(apple.number());
  EXPECT_EQ(numbers, (std::vector<uint32_t>{0, 1, 2}));
  for (const Apple apple : Indices<Apple>(std::vector<int>{})) FAIL() << apple.number();
}

TEST(Index, IsAnElement) {
  Buffer<Apple> apples(2, Apple(7), std::pmr::get_default_resource());
  apples.push_back(Apple(5));
  std::ranges::sort(apples);
  EXPECT_EQ(std::ranges::find(apples, Apple(7)) - apples.begin(), 1);
  EXPECT_EQ(apples.back(), Apple(7));
  EXPECT_EQ(std::pmr::vector<Apple>(1).front(), Apple(0));
}

}  // namespace
}  // namespace texlate
