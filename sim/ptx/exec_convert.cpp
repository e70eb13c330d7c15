// mov, cvta, cvt (PTX ISA 9.7.9.3 mov, 9.7.9.4 mov, 9.7.9.20 cvta, 9.7.9.21 cvt).
#include <algorithm>
#include <limits>

#include "sim/ptx/float_rules.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

void run_mov(Warp& w, const Instruction& i, uint32_t active) {
  const uint64_t invert = i.type == Type::pred ? i.negated & 1 : 0;
  const uint64_t* a = w.reg(i.src[0]);
  uint64_t* d = w.reg(i.dst[0]);
  for_each_lane(active, [&](int lane) { d[lane] = a[lane] ^ invert; });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]));
}

// mov.b64 {lo, hi}, d;  mov.b64 d, {lo, hi};  element 0 is the least significant.
void run_mov_unpack(Warp& w, const Instruction& i, uint32_t active) {
  const int bits = size_of(i.type) * 8 / i.vector;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const uint32_t poison = w.poison(i.src[0]);
  const uint64_t* source = w.reg(i.src[0]);  // wider than the destinations, so none of them
  for (int v = 0; v < i.vector; ++v) {
    uint64_t* d = w.reg(i.dst[v]);
    for_each_lane(active, [&](int lane) { d[lane] = source[lane] >> (bits * v) & mask; });
    w.set_poison(i.dst[v], active, poison);
  }
}
void run_mov_pack(Warp& w, const Instruction& i, uint32_t active) {
  const int bits = size_of(i.type) * 8 / i.vector;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  uint32_t poison = 0;
  for (int v = 0; v < i.vector; ++v) poison |= w.poison(i.src[v]);
  for_each_lane(active, [&](int lane) {
    uint64_t value = 0;
    for (int v = 0; v < i.vector; ++v) value |= (w.reg(i.src[v])[lane] & mask) << (bits * v);
    w.reg(i.dst[0])[lane] = value;
  });
  w.set_poison(i.dst[0], active, poison);
}

int64_t sign_extend(uint64_t bits, int bytes) {
  const int shift = 64 - bytes * 8;
  return static_cast<int64_t>(bits << shift) >> shift;
}
uint64_t zero_extend(uint64_t bits, int bytes) {
  return bytes == 8 ? bits : bits & ((uint64_t{1} << (bytes * 8)) - 1);
}

Rounding conversion_rounding(const Instruction& i) {
  if (i.has(Mod::rzi)) return Rounding::toward_zero;
  if (i.has(Mod::rmi)) return Rounding::down;
  if (i.has(Mod::rpi)) return Rounding::up;
  return rounding_mode(i);
}

double read_float(const Instruction& i, Type type, uint64_t bits) {
  switch (type) {
    case Type::f16: return half_to_float(static_cast<uint16_t>(bits));
    case Type::f32: return operand(i, from_bits<float>(bits));
    default: return from_bits<double>(bits);
  }
}

uint64_t write_float(const Instruction& i, double value, Rounding mode) {
  if (i.has(Mod::sat)) value = saturate_unit(value);
  switch (i.type) {
    case Type::f16: return double_to_half(value, mode);
    case Type::f32: {
      const float rounded = rounded_to_float(value, mode);
      return to_bits(canonical(i.has(Mod::ftz) ? flush(rounded) : rounded));
    }
    default: return to_bits(value);
  }
}

// Float to integer: out of range saturates. NaN gives 0, but 2^(n-1) if a 64-bit type is involved (9.7.9.21,
// notes).
uint64_t float_to_integer(const Instruction& i, double value) {
  const int bits = size_of(i.type) * 8;
  if (std::isnan(value)) {
    const bool wide = i.type2 == Type::f64 || bits == 64;
    return wide ? uint64_t{1} << (bits - 1) : 0;
  }
  const double rounded = rounded_to_integer(value, conversion_rounding(i));
  if (is_signed(i.type)) {
    const double limit = std::ldexp(1.0, bits - 1);
    if (rounded >= limit) return (uint64_t{1} << (bits - 1)) - 1;
    if (rounded < -limit) return static_cast<uint64_t>(sign_extend(uint64_t{1} << (bits - 1), bits / 8));
    return static_cast<uint64_t>(static_cast<int64_t>(rounded));
  }
  if (!(rounded > 0)) return 0;
  if (rounded >= std::ldexp(1.0, bits)) return zero_extend(~uint64_t{0}, bits / 8);
  return static_cast<uint64_t>(rounded);
}

uint64_t integer_to_integer(const Instruction& i, uint64_t source) {
  const bool from_signed = is_signed(i.type2);
  const int bytes = size_of(i.type);
  if (i.has(Mod::sat)) {
    const uint64_t high = zero_extend(~uint64_t{0}, bytes) >> (is_signed(i.type) ? 1 : 0);
    const auto value = static_cast<int64_t>(source);
    if (!from_signed || value >= 0) return std::min(source, high);
    const int64_t low = is_signed(i.type) ? -static_cast<int64_t>(high) - 1 : 0;
    return static_cast<uint64_t>(std::max(value, low));
  }
  return is_signed(i.type) ? static_cast<uint64_t>(sign_extend(source, bytes)) : zero_extend(source, bytes);
}

uint64_t integer_to_float(const Instruction& i, uint64_t source, Rounding mode) {
  const bool from_signed = is_signed(i.type2);
  if (i.type == Type::f32) {
    return to_bits(finish(i, rounded_from_integer<float>(source, from_signed, mode)));
  }
  return write_float(i, rounded_from_integer<double>(source, from_signed, mode), mode);
}

bool rounds_to_integer(const Instruction& i) {
  return i.has(Mod::rni) || i.has(Mod::rzi) || i.has(Mod::rmi) || i.has(Mod::rpi);
}

void run_cvt(Warp& w, const Instruction& i, uint32_t active) {
  const Rounding mode = conversion_rounding(i);
  const uint64_t* a = w.reg(i.src[0]);
  uint64_t* d = w.reg(i.dst[0]);
  const bool from_float = is_float(i.type2), to_float = is_float(i.type);
  const int bytes = size_of(i.type2);
  for_each_lane(active, [&](int lane) {
    const uint64_t integer =
        is_signed(i.type2) ? static_cast<uint64_t>(sign_extend(a[lane], bytes)) : zero_extend(a[lane], bytes);
    if (!from_float) {
      d[lane] = to_float ? integer_to_float(i, integer, mode) : integer_to_integer(i, integer);
      return;
    }
    const double value = read_float(i, i.type2, a[lane]);
    if (!to_float) {
      d[lane] = float_to_integer(i, value);
    } else {
      d[lane] = write_float(i, rounds_to_integer(i) ? rounded_to_integer(value, mode) : value, mode);
    }
  });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]));
}

void run_cvta(Warp& w, const Instruction& i, uint32_t active) {
  const uint64_t window = i.space == Space::shared  ? kSharedWindow
                          : i.space == Space::local ? kLocalWindow
                          : i.space == Space::param ? kParamWindow
                                                    : 0;
  const uint64_t shift = i.has(Mod::to) ? 0 - window : window;
  map1<uint64_t>(w, i, active, [=](uint64_t a) { return a + shift; });
}

// Which conversions need a rounding modifier, and of which kind (9.7.9.21).
Handler select_cvt(const Instruction& i) {
  const auto number = [](Type t) {
    return t != Type::none && t != Type::pred && t != Type::f16x2 && (t < Type::b8 || t > Type::b64);
  };
  if (!number(i.type) || !number(i.type2)) return nullptr;
  if (i.has(Mod::ftz) && i.type != Type::f32 && i.type2 != Type::f32) return nullptr;
  const bool from_float = is_float(i.type2), to_float = is_float(i.type);
  const bool float_rounding = i.has(Mod::rn) || i.has(Mod::rz) || i.has(Mod::rm) || i.has(Mod::rp);
  if (from_float && !to_float) return rounds_to_integer(i) && !float_rounding ? run_cvt : nullptr;
  if (!from_float && to_float) return float_rounding && !rounds_to_integer(i) ? run_cvt : nullptr;
  if (!to_float) return float_rounding || rounds_to_integer(i) ? nullptr : run_cvt;
  const bool narrows = size_of(i.type) < size_of(i.type2);
  if (narrows) return float_rounding && !rounds_to_integer(i) ? run_cvt : nullptr;
  return float_rounding || (rounds_to_integer(i) && i.type != i.type2) ? nullptr : run_cvt;
}

}  // namespace

Handler select_convert(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::mov:
      if (i.type == Type::none || i.type == Type::b8 || i.type == Type::u8 || i.type == Type::s8)
        return nullptr;
      if (i.vector == 1) return run_mov;
      if ((i.vector != 2 && i.vector != 4) || i.type < Type::b16 || i.type > Type::b64) return nullptr;
      return i.dst[1] != kNone ? run_mov_unpack : run_mov_pack;
    case Opcode::cvt: return select_cvt(i);
    default: return size_of(i.type) == 8 && i.space != Space::generic ? run_cvta : nullptr;
  }
}

}  // namespace texlate::sim::ptx
