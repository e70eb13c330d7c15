// What the parts of the assembly machine know about words: floats by D3D11.3 functional specification 3.1.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/support/assembly_machine.h"

namespace texlate::test {

inline constexpr uint32_t kTrueMask = 0xffffffffu;

inline uint32_t bits_of(float value) {
  return std::bit_cast<uint32_t>(value);
}

inline bool is_denormal(float value) {
  return value != 0 && std::fabs(value) < std::numeric_limits<float>::min();
}
/// 3.1: denormals count as zeros of the same sign, as operands and as results.
inline float flush(float value) {
  return is_denormal(value) ? std::copysign(0.0f, value) : value;
}
/// A float that an operation uses.
inline float number(const Word& word) {
  return word.known == Known::nan ? std::numeric_limits<float>::quiet_NaN()
                                  : flush(std::bit_cast<float>(word.bits));
}
/// A result about which nothing is known.
inline bool is_vague(const Word& word) {
  return word.known == Known::open || word.known == Known::close;
}
template <typename... Words>
inline bool any_vague(const Words&... words) {
  return (is_vague(words) || ...);
}

inline Word result(float value) {
  if (std::isnan(value)) return {0x7fc00000u, Known::nan, 0};
  return exact(bits_of(flush(value)));
}
inline Word saturate(const Word& word) {
  if (word.known == Known::nan) return exact(0);
  if (word.known == Known::open) return word;
  const float value = std::bit_cast<float>(word.bits);
  const float clamped = std::min(1.0f, std::max(0.0f, flush(value)));
  if (word.known == Known::close) return {bits_of(clamped), Known::close, word.slack};
  return exact(bits_of(clamped + 0.0f));
}

/// The same bits.
inline int32_t as_signed(uint32_t bits) {
  return static_cast<int32_t>(bits);
}

}  // namespace texlate::test
