// Numbers as text, for a writer that has reserved the space.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace texlate::ptx {

namespace detail {
/// "00" to "99".
inline constexpr auto kPairs = [] {
  std::array<char, 200> pairs{};
  for (unsigned i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();
}  // namespace detail

/// In decimal, at most ten characters; returns the end. Registers usually have up to four digits.
inline char* write_number(char* at, uint32_t number) {
  const auto pair = [](char* to, uint32_t two) { std::memcpy(to, &detail::kPairs[2 * size_t{two}], 2); };
  if (number < 10) {
    *at = static_cast<char>('0' + number);
    return at + 1;
  }
  if (number < 100) {
    pair(at, number);
    return at + 2;
  }
  if (number < 1000) {
    *at = static_cast<char>('0' + number / 100);
    pair(at + 1, number % 100);
    return at + 3;
  }
  if (number < 10000) {
    pair(at, number / 100);
    pair(at + 2, number % 100);
    return at + 4;
  }
  return std::to_chars(at, at + 10, number).ptr;
}

/// `digits` of the lowest hexadecimal digits, in capitals; returns the end.
inline char* write_hex(char* at, uint64_t bits, uint32_t digits) {
  for (uint32_t i = digits; i-- != 0;) *at++ = "0123456789ABCDEF"[(bits >> (4 * i)) & 15];
  return at;
}

}  // namespace texlate::ptx
