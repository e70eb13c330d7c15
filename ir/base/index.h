// Indices as types: an index into one array is no index into another one, and no plain number.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace texlate {

/// An index into one kind of array, which `Tag` names. It subscripts arrays and is compared with their sizes.
/// A number becomes an index, and an index a number(), only where that is spelled out. An index and a count
/// give an index, two indices a distance. Like a number, it has no value until it is given one. (Fill arrays
/// of them by a loop, or in a Buffer: of std::fill, GCC 12 makes neither a memset nor vectors if the type is
/// a class.)
template <typename Tag>
class Index {
 public:
  Index() = default;
  explicit constexpr Index(std::integral auto number) : number_(static_cast<uint32_t>(number)) {}

  constexpr uint32_t number() const { return number_; }

  // What standard containers and pointers take in brackets. Without the last one, both would convert on to
  // any number.
  constexpr operator std::size_t() const { return number_; }
  constexpr operator std::ptrdiff_t() const { return static_cast<std::ptrdiff_t>(number_); }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  operator Number() const = delete;

  constexpr Index& operator++() {
    ++number_;
    return *this;
  }
  constexpr Index operator++(int) { return Index(number_++); }
  friend constexpr Index operator+(Index index, std::integral auto count) {
    return Index(index.number_ + static_cast<uint32_t>(count));
  }
  friend constexpr Index operator-(Index index, std::integral auto count) {
    return Index(index.number_ - static_cast<uint32_t>(count));
  }
  friend constexpr uint32_t operator-(Index a, Index b) { return a.number_ - b.number_; }

  friend constexpr bool operator==(Index, Index) = default;
  // Spelled out, because clang-tidy 14 asks for nullptr in the default.
  friend constexpr std::strong_ordering operator<=>(Index a, Index b) { return a.number_ <=> b.number_; }
  friend constexpr bool operator==(Index index, std::same_as<std::size_t> auto size) {
    return index.number_ == size;
  }
  friend constexpr auto operator<=>(Index index, std::same_as<std::size_t> auto size) {
    return std::size_t{index.number_} <=> size;
  }

 private:
  uint32_t number_;
};

/// All indices into an array: `for (const BlockId id : Indices<BlockId>(blocks))`.
template <typename Each>
class Indices {
 public:
  template <typename Array>
  explicit constexpr Indices(const Array& array) : end_(std::size(array)) {}

  class Iterator {
   public:
    explicit constexpr Iterator(Each at) : at_(at) {}
    constexpr Each operator*() const { return at_; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    Each at_;
  };
  constexpr Iterator begin() const { return Iterator(Each(0)); }
  constexpr Iterator end() const { return Iterator(end_); }

 private:
  Each end_;
};

}  // namespace texlate
