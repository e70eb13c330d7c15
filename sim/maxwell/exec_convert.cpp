// F2F, F2I, I2F, I2I.
#include <algorithm>
#include <limits>

#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

// Sizes: 0 byte, 1 half, 2 word, 3 two words.
constexpr int kBits[4] = {8, 16, 32, 64};

double float_source(Warp& w, const Instruction& i, int lane, uint32_t size, const Sign& sign, bool flushes) {
  if (size == 3) return as_double(sign(w.wide(i.b, lane)));
  uint32_t bits = w.b(i)[lane];
  if (size == 1) {
    const auto half = static_cast<uint16_t>(i.bit(41) ? bits >> 16 : bits);
    bits = as_bits(half_to_float(half));
  } else if (flushes) {
    bits = flush(bits);
  }
  return double{as_float(sign(bits))};
}

void write_float(Warp& w, const Instruction& i, int lane, uint32_t size, double value, Rounding rounding,
                 bool flushes) {
  if (size == 3) {
    w.set_wide(i.rd(), lane, as_bits(value));
    return;
  }
  uint32_t bits = 0;
  if (size == 1) {
    bits = std::isnan(value) ? 0x7fffu : double_to_half(value, rounding);
  } else if (std::isnan(value)) {
    bits = kCanonicalNan;
  } else {
    bits = as_bits(rounded_to_float(value, rounding));
    if (flushes) bits = flush(bits);
  }
  w.target(i.rd())[lane] = bits;
}

// @39: the rounding mode. Bit 42 rounds to an integer; only conversions between equal sizes have it.
void run_f2f(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t to = i.field(8, 2), from = i.field(10, 2);
  const Sign sign(i.bit(49), i.bit(45));
  const bool flushes = i.bit(44), saturates = i.bit(50), to_integer = i.bit(42);
  for_each_lane(active, [&](int lane) {
    double value = float_source(w, i, lane, from, sign, flushes);
    if (to_integer) value = rounded_to_integer(value, rounding_of(i.field(39, 2)));
    if (saturates) value = saturate(value);
    write_float(w, i, lane, to, value, rounding_of(i.field(39, 2)), flushes);
  });
}

// Out-of-range values are clamped; NaN gives 0 (64 bits: the smallest or largest number).
uint64_t to_integer(double value, uint32_t size, bool is_signed) {
  const int bits = kBits[size];
  if (std::isnan(value)) return bits == 64 ? uint64_t{1} << 63 : 0;
  const double limit = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  const double least = is_signed ? -limit : 0;
  if (value >= limit) return is_signed ? (uint64_t{1} << (bits - 1)) - 1 : ~uint64_t{0} >> (64 - bits);
  if (value <= least) return is_signed ? static_cast<uint64_t>(-(int64_t{1} << (bits - 2)) * 2) : 0;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
}
void write_integer(Warp& w, const Instruction& i, int lane, uint32_t size, uint64_t value) {
  if (size == 3) {
    w.set_wide(i.rd(), lane, value);
  } else {
    w.target(i.rd())[lane] = static_cast<uint32_t>(value);
  }
}
void run_f2i(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t to = i.field(8, 2), from = i.field(10, 2);
  const Sign sign(i.bit(49), i.bit(45));
  for_each_lane(active, [&](int lane) {
    const double value = float_source(w, i, lane, from, sign, i.bit(44));
    write_integer(w, i, lane, to,
                  to_integer(rounded_to_integer(value, rounding_of(i.field(39, 2))), to, i.bit(12)));
  });
}

// An integer of `size` at byte `part` of the word, widened.
int64_t integer_source(Warp& w, const Instruction& i, int lane, uint32_t size, bool is_signed) {
  if (size == 3) return static_cast<int64_t>(w.wide(i.b, lane));
  const uint32_t bits = w.b(i)[lane] >> (8 * (size < 2 ? i.field(41, 2) : 0));
  switch (size) {
    case 0: return is_signed ? int64_t{static_cast<int8_t>(bits)} : int64_t{static_cast<uint8_t>(bits)};
    case 1: return is_signed ? int64_t{static_cast<int16_t>(bits)} : int64_t{static_cast<uint16_t>(bits)};
    default: return is_signed ? int64_t{static_cast<int32_t>(bits)} : int64_t{bits};
  }
}
int64_t with_sign(const Instruction& i, int64_t value) {
  if (i.bit(49) && value < 0) value = static_cast<int64_t>(0 - static_cast<uint64_t>(value));
  if (i.bit(45)) value = static_cast<int64_t>(0 - static_cast<uint64_t>(value));
  return value;
}

void run_i2f(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t to = i.field(8, 2), from = i.field(10, 2);
  const bool is_signed = i.bit(13);
  const Rounding mode = rounding_of(i.field(39, 2));
  for_each_lane(active, [&](int lane) {
    const auto value = static_cast<uint64_t>(with_sign(i, integer_source(w, i, lane, from, is_signed)));
    const bool unsigned_wide = from == 3 && !is_signed;
    // Rounds once, from the integer to the type.
    if (to == 2) {
      w.target(i.rd())[lane] = as_bits(rounded_from_integer<float>(value, !unsigned_wide, mode));
      return;
    }
    write_float(w, i, lane, to, rounded_from_integer<double>(value, !unsigned_wide, mode), mode, false);
  });
}

void run_i2i(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t to = i.field(8, 2), from = i.field(10, 2);
  const bool to_signed = i.bit(12), from_signed = i.bit(13), saturates = i.bit(50);
  const int bits = kBits[to];
  const int64_t most = (int64_t{1} << (to_signed ? bits - 1 : bits)) - 1;
  const int64_t least = to_signed ? -(int64_t{1} << (bits - 1)) : 0;
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    int64_t value = with_sign(i, integer_source(w, i, lane, from, from_signed));
    if (saturates) value = std::clamp(value, least, most);
    // The result is extended to the width of the register.
    const auto word = static_cast<uint32_t>(value);
    switch (to) {
      case 0: d[lane] = to_signed ? static_cast<uint32_t>(static_cast<int8_t>(word)) : word & 0xff; break;
      case 1: d[lane] = to_signed ? static_cast<uint32_t>(static_cast<int16_t>(word)) : word & 0xffff; break;
      default: d[lane] = word; break;
    }
  });
}

}  // namespace

Handler select_convert(Instruction& i) {
  const uint32_t to = i.field(8, 2), from = i.field(10, 2);
  switch (i.opcode) {
    case Opcode::f2f:
    case Opcode::f2i:
    case Opcode::i2f:
    case Opcode::i2i: break;
    default: return nullptr;
  }
  if (i.writes_cc) i.why = "a conversion with condition codes";
  if (i.opcode == Opcode::f2f && (to == 0 || from == 0)) i.why = "a float of eight bits";
  if (i.opcode == Opcode::f2i && from == 0) i.why = "a float of eight bits";
  if (i.opcode == Opcode::i2f && to == 0) i.why = "a float of eight bits";
  if (i.opcode == Opcode::i2i && (to == 3 || from == 3)) i.why = "I2I of 64 bits";
  if (!i.why.empty()) return nullptr;
  switch (i.opcode) {
    case Opcode::f2f: return run_f2f;
    case Opcode::f2i: return run_f2i;
    case Opcode::i2f: return run_i2f;
    default: return run_i2i;
  }
}

float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t exponent = half >> 10 & 31, fraction = half & 0x3ff;
  if (exponent == 31) return as_float(sign | 0x7f800000u | fraction << 13);
  const float magnitude =
      exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                    : std::ldexp(static_cast<float>(fraction | 0x400), static_cast<int>(exponent) - 25);
  return as_float(as_bits(magnitude) | sign);
}

uint16_t double_to_half(double value, Rounding mode) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return 0x7fff;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = std::max(exponent - 11, -24);  // of the last place
  const double rounded = rounded_to_integer(std::ldexp(value, -unit), mode);
  const double result = std::fabs(std::ldexp(rounded, unit));
  if (result > 65504.0) {
    const bool to_infinity = mode == Rounding::nearest || (mode == Rounding::up && sign == 0) ||
                             (mode == Rounding::down && sign != 0);
    return static_cast<uint16_t>(sign | (to_infinity ? 0x7c00 : 0x7bff));
  }
  if (result < std::ldexp(1.0, -14))
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::ldexp(result, 24)));
  std::frexp(result, &exponent);
  const auto fraction = static_cast<uint32_t>(std::ldexp(result, 11 - exponent)) & 0x3ff;
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent + 14) << 10 | fraction);
}

}  // namespace texlate::sim::maxwell
