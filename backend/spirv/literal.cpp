#include "backend/spirv/literal.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

namespace texlate::spirv {

namespace {

/// Widths in bits of the fields of a binary floating-point format.
struct FloatFormat {
  uint32_t exponent;
  uint32_t fraction;
};
constexpr FloatFormat kHalf = {5, 10};
constexpr FloatFormat kFloat = {8, 23};
constexpr FloatFormat kDouble = {11, 52};

/// 0x1.8p+128: the exponent of infinities and NaNs counts on; a denormal is normalized.
void append_hexadecimal(uint64_t bits, const FloatFormat& format, std::pmr::string& text) {
  const uint64_t fraction_mask = (uint64_t{1} << format.fraction) - 1;
  const uint32_t exponent_mask = (1u << format.exponent) - 1;
  const int bias = static_cast<int>(exponent_mask >> 1);
  const bool negative = (bits >> (format.exponent + format.fraction) & 1) != 0;
  const uint32_t biased = static_cast<uint32_t>(bits >> format.fraction) & exponent_mask;
  uint64_t fraction = bits & fraction_mask;
  int exponent = static_cast<int>(biased) - bias;
  const bool is_zero = biased == 0 && fraction == 0;
  if (is_zero) exponent = 0;
  if (biased == 0 && !is_zero) {
    const int shift = std::countl_zero(fraction) - static_cast<int>(63 - format.fraction);
    exponent -= shift - 1;
    fraction = fraction << shift & fraction_mask;
  }
  uint32_t digits = (format.fraction + 3) / 4;
  fraction <<= 4 * digits - format.fraction;
  for (; digits > 0 && (fraction & 15) == 0; --digits) fraction >>= 4;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}0x{}", negative ? "-" : "", is_zero ? 0 : 1);
  if (digits > 0) fmt::format_to(out, ".{:0{}x}", fraction, digits);
  fmt::format_to(out, "p{:+}", exponent);
}

/// Has the number decimal digits: is it 0 or normal?
bool is_decimal(uint64_t bits, const FloatFormat& format) {
  const uint32_t exponent_mask = (1u << format.exponent) - 1;
  const uint32_t exponent = static_cast<uint32_t>(bits >> format.fraction) & exponent_mask;
  const uint64_t magnitude = bits & ((uint64_t{1} << (format.exponent + format.fraction)) - 1);
  return magnitude == 0 || (exponent != 0 && exponent != exponent_mask);
}

void append_float(uint64_t bits, uint32_t width, std::pmr::string& text) {
  const FloatFormat& format = width == 64 ? kDouble : width == 32 ? kFloat : kHalf;
  if (width == 16 || !is_decimal(bits, format)) return append_hexadecimal(bits, format, text);
  if (width == 64) {
    fmt::format_to(std::back_inserter(text), "{:.17g}", std::bit_cast<double>(bits));
  } else {
    fmt::format_to(std::back_inserter(text), "{:.9g}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
}

}  // namespace

void append_integer(uint64_t value, std::pmr::string& text) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

std::string_view characters(std::span<const uint32_t> words) {
  const char* const text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size_bytes())};
}

void append_number(NumberType type, std::span<const uint32_t> words, std::pmr::string& text) {
  const uint64_t low = words[0];
  const uint64_t bits = words.size() > 1 ? low | uint64_t{words[1]} << 32 : low;
  switch (type.kind) {
    case NumberType::Kind::none:
    case NumberType::Kind::unsigned_: return append_integer(bits, text);
    case NumberType::Kind::signed_: {
      // Narrow literals are sign-extended to a word (SPIR-V, 2.2.1 "Literal").
      const int64_t value = words.size() > 1 ? static_cast<int64_t>(bits) : static_cast<int32_t>(words[0]);
      fmt::format_to(std::back_inserter(text), "{}", value);
      return;
    }
    case NumberType::Kind::float_: return append_float(bits, type.width, text);
  }
}

}  // namespace texlate::spirv
