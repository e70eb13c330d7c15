#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "frontend/asm/literal.h"

namespace texlate::assembly {

namespace {

constexpr int kDecimals = 6;

void append_hex(uint64_t bits, int digits, std::pmr::string& out) {
  out += "0x";
  for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[(bits >> (4 * i)) & 0xf];
}

void append_decimal(int32_t value, std::pmr::string& out) {
  char text[16];
  auto [end, status] = std::to_chars(text, text + sizeof text, value);
  out.append(text, static_cast<size_t>(end - text));
}

/// True if the digits dropped after `kept` round the last kept digit up. Both are decimal digits.
bool rounds_up(std::string_view dropped, char last, bool ties_to_even) {
  if (dropped.empty() || dropped[0] < '5') return false;
  const bool tie = dropped[0] == '5' && dropped.find_first_not_of('0', 1) == std::string_view::npos;
  return !tie || !ties_to_even || (last - '0') % 2 != 0;
}

/// printf("%f") of the Microsoft C runtime with which the disassembler was built: 17 significant digits
/// followed by zeros (FLT_MAX prints as 34028234663852886 and 22 zeros). The old runtime rounds ties away
/// from zero (1/128 prints as 0.007813), the one of Windows 10 to even (0.007812).
void append_fixed(double value, bool ties_to_even, std::pmr::string& out) {
  if (std::isnan(value) || std::isinf(value)) {
    if (std::signbit(value)) out += '-';
    out += std::isinf(value) ? "1.#INF00" : "1.#QNAN0";
    return;
  }
  if (std::signbit(value)) {
    out += '-';
    value = -value;
  }
  // d.dddddddddddddddde+xx
  char text[40];
  auto [end, status] = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 16);
  int exponent = 0;
  const char* e = static_cast<const char*>(std::memchr(text, 'e', static_cast<size_t>(end - text)));
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  char digits[17];
  digits[0] = text[0];
  std::memcpy(digits + 1, text + 2, 16);
  if (value == 0) exponent = 0;

  // The digits down to the sixth decimal, with a leading zero for a carry and at least one digit before the
  // point.
  char whole[400];
  size_t count = 0;
  whole[count++] = '0';
  for (int place = std::max(exponent, 0); place >= -kDecimals; --place) {
    const int digit = exponent - place;
    whole[count++] = digit >= 0 && digit < 17 ? digits[digit] : '0';
  }
  const int next = exponent + kDecimals + 1;
  const std::string_view all(digits, sizeof digits);
  bool carry = next >= 0 && next < 17 &&
               rounds_up(all.substr(static_cast<size_t>(next)), whole[count - 1], ties_to_even);
  for (size_t i = count; carry && i-- > 0;) {
    carry = whole[i] == '9';
    whole[i] = carry ? '0' : static_cast<char>(whole[i] + 1);
  }
  std::string_view kept(whole, count);
  if (kept[0] == '0') kept.remove_prefix(1);
  out += kept.substr(0, kept.size() - kDecimals);
  out += '.';
  out += kept.substr(kept.size() - kDecimals);
}

template <typename Float, typename Bits>
bool reads_back(const std::pmr::string& out, size_t from, Bits bits) {
  Float value = 0;
  auto [end, status] = std::from_chars(out.data() + from, out.data() + out.size(), value);
  return status == std::errc{} && end == out.data() + out.size() && std::bit_cast<Bits>(value) == bits;
}

template <typename Float, typename Bits>
void append_float(Bits bits, LiteralStyle style, std::pmr::string& out) {
  const Float value = std::bit_cast<Float>(bits);
  const size_t from = out.size();
  append_fixed(static_cast<double>(value), style.ties_to_even, out);
  if (!style.exact || reads_back<Float>(out, from, bits)) return;
  out.resize(from);
  if (std::isnan(value) || std::isinf(value)) return append_hex(bits, 2 * sizeof bits, out);
  char text[40];
  auto [end, status] = std::to_chars(text, text + sizeof text, value);
  const std::string_view shortest(text, static_cast<size_t>(end - text));
  out += shortest;
  if (shortest.find_first_of(".e") == std::string_view::npos) out += ".0";
}

constexpr bool is_small_integer(uint32_t bits) {
  const auto value = static_cast<int32_t>(bits);
  return value > -10000 && value < 10000;
}

}  // namespace

void print_literal(uint32_t bits, LiteralKind kind, LiteralStyle style, std::pmr::string& out) {
  if (kind == LiteralKind::float_) return append_float<float>(bits, style, out);
  if (is_small_integer(bits)) return append_decimal(static_cast<int32_t>(bits), out);
  // The exponent is that of a normal float: neither denormal, NaN nor infinity.
  const uint32_t exponent = (bits >> 23) & 0xff;
  const bool looks_like_float = bits == 0x80000000u || (exponent != 0 && exponent != 255);
  if (kind == LiteralKind::untyped && looks_like_float) return append_float<float>(bits, style, out);
  append_hex(bits, 8, out);
}

void append_hex(uint32_t bits, std::pmr::string& out) {
  append_hex(bits, 8, out);
}

void print_double(uint64_t bits, LiteralStyle style, std::pmr::string& out) {
  append_float<double>(bits, style, out);
  out += 'l';
}

}  // namespace texlate::assembly
