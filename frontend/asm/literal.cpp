#include "frontend/asm/literal.h"

#include <bit>
#include <charconv>
#include <limits>
#include <string_view>

#include "ir/base/characters.h"

namespace texlate::assembly {

namespace {

bool starts_with_word(const char* at, const char* end, std::string_view word) {
  if (static_cast<size_t>(end - at) < word.size()) return false;
  for (char c : word) {
    if ((*at++ | 0x20) != (c | 0x20)) return false;
  }
  return true;
}

/// `inf`, `nan`, and what MSVC's printf prints after "1.": #INF00, #QNAN0, #SNAN0, #IND00.
template <typename Float>
bool read_non_finite(const char*& at, const char* end, Float& value) {
  struct Spelling {
    std::string_view name;
    bool infinite;
  };
  constexpr Spelling kSpellings[] = {
      {"1.#INF", true},  {"1.#QNAN", false}, {"1.#SNAN", false},
      {"1.#IND", false}, {"inf", true},      {"nan", false},
  };
  for (const Spelling& spelling : kSpellings) {
    if (!starts_with_word(at, end, spelling.name)) continue;
    at += spelling.name.size();
    while (at < end && (is_digit(*at) || is_letter(*at))) ++at;  // "00", "inity"
    if (at < end && *at == '(') {                                // nan(ind), nan(snan)
      while (at < end && *at != ')') ++at;
      if (at < end) ++at;
    }
    value =
        spelling.infinite ? std::numeric_limits<Float>::infinity() : std::numeric_limits<Float>::quiet_NaN();
    return true;
  }
  return false;
}

template <typename Float>
bool read_float(const char*& at, const char* end, Float& value) {
  if (read_non_finite(at, end, value)) return true;
  auto [rest, status] = std::from_chars(at, end, value);
  if (status == std::errc::invalid_argument) return false;
  if (status == std::errc::result_out_of_range) {
    // Too large or too small. from_chars does not set the value; a negative exponent or a leading zero means
    // too small.
    std::string_view text(at, static_cast<size_t>(rest - at));
    size_t exponent = text.find_first_of("eE");
    bool small = exponent != std::string_view::npos ? text.substr(exponent + 1).starts_with('-')
                                                    : text.starts_with('0');
    value = small ? Float{0} : std::numeric_limits<Float>::infinity();
  }
  at = rest;
  return true;
}

/// The sign of a number. Old 3Dmigoto dumps doubled it.
bool read_sign(const char*& at, const char* end) {
  bool negative = false;
  while (at < end && (*at == '-' || *at == '+')) negative |= *at++ == '-';
  return negative;
}

/// The common case. It is exact because both sides of the division are exact floats (Clinger 1990): digits up
/// to 2^24, up to ten decimals.
bool read_short_decimal(const char*& at, const char* end, uint32_t& bits) {
  constexpr float kPowers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
  const char* p = at;
  uint32_t mantissa = 0;
  while (p < end && is_digit(*p) && mantissa < (1u << 24))
    mantissa = mantissa * 10 + static_cast<uint32_t>(*p++ - '0');
  if (p >= end || *p != '.') return false;
  const char* point = p++;
  while (p < end && is_digit(*p) && mantissa < (1u << 24))
    mantissa = mantissa * 10 + static_cast<uint32_t>(*p++ - '0');
  const auto decimals = static_cast<size_t>(p - point - 1);
  if (mantissa > (1u << 24) || decimals > 10 || decimals == 0) return false;
  if (p < end && (is_digit(*p) || *p == 'e' || *p == 'E' || *p == '#')) return false;
  bits = std::bit_cast<uint32_t>(static_cast<float>(mantissa) / kPowers[decimals]);
  at = p;
  return true;
}

bool ends_number(const char* at, const char* end) {
  return at >= end || (!is_letter(*at) && !is_digit(*at) && *at != '.' && *at != '#');
}

}  // namespace

LiteralError read_literal(const char*& at, const char* end, uint32_t& bits) {
  const bool negative = read_sign(at, end);
  if (at >= end) return LiteralError::not_a_number;
  const uint32_t sign = negative ? 0x80000000u : 0;
  if (read_short_decimal(at, end, bits)) {
    bits |= sign;
    if (at < end && (*at == 'f' || *at == 'F')) ++at;
    return ends_number(at, end) ? LiteralError::none : LiteralError::not_a_number;
  }
  const char* p = at;
  if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    p += 2;
    auto [rest, status] = std::from_chars(p, end, bits, 16);
    if (status == std::errc::result_out_of_range) return LiteralError::too_large;
    if (status != std::errc{}) return LiteralError::not_a_number;
    if (negative) bits = 0u - bits;
    at = rest;
    return ends_number(at, end) ? LiteralError::none : LiteralError::not_a_number;
  }
  while (p < end && is_digit(*p)) ++p;
  const bool is_float = p == at || (p < end && (*p == '.' || *p == 'e' || *p == 'E' || *p == 'f'));
  if (is_float) {
    float value = 0;
    if (!read_float(at, end, value)) return LiteralError::not_a_number;
    bits = std::bit_cast<uint32_t>(value) | sign;
    if (at < end && (*at == 'f' || *at == 'F')) ++at;
    return ends_number(at, end) ? LiteralError::none : LiteralError::not_a_number;
  }
  uint64_t value = 0;
  auto [rest, status] = std::from_chars(at, p, value);
  if (status != std::errc{} || value > (negative ? 0x80000000u : 0xffffffffu)) return LiteralError::too_large;
  bits = static_cast<uint32_t>(negative ? 0 - value : value);
  at = rest;
  return ends_number(at, end) ? LiteralError::none : LiteralError::not_a_number;
}

LiteralError read_unsigned(const char*& at, const char* end, uint32_t& value) {
  auto [rest, status] = std::from_chars(at, end, value);
  at = rest;
  if (status == std::errc::result_out_of_range) return LiteralError::too_large;
  return status == std::errc{} ? LiteralError::none : LiteralError::not_a_number;
}

LiteralError read_double(const char*& at, const char* end, uint64_t& bits) {
  const bool negative = read_sign(at, end);
  if (at >= end) return LiteralError::not_a_number;
  if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    at += 2;
    auto [rest, status] = std::from_chars(at, end, bits, 16);
    if (status == std::errc::result_out_of_range) return LiteralError::too_large;
    if (status != std::errc{}) return LiteralError::not_a_number;
    at = rest;
  } else {
    double value = 0;
    if (!read_float(at, end, value)) return LiteralError::not_a_number;
    bits = std::bit_cast<uint64_t>(value) | (negative ? 1ull << 63 : 0);
  }
  if (at < end && (*at == 'l' || *at == 'L')) ++at;
  return ends_number(at, end) ? LiteralError::none : LiteralError::not_a_number;
}

}  // namespace texlate::assembly
