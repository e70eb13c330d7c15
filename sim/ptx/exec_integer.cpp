// Integer arithmetic (PTX ISA 9.7.1) and extended precision (9.7.2).
#include <algorithm>
#include <limits>
#include <type_traits>

#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
struct Twice;
template <>
struct Twice<uint16_t> {
  using type = uint32_t;
};
template <>
struct Twice<int16_t> {
  using type = int32_t;
};
template <>
struct Twice<uint32_t> {
  using type = uint64_t;
};
template <>
struct Twice<int32_t> {
  using type = int64_t;
};

// Wrapping arithmetic. 16-bit operands must not be promoted to int and overflow there.
template <typename T>
T wrap_mul(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
/// The upper half of a product, from the products of the operands' halves.
uint64_t high_of_product(uint64_t a, uint64_t b) {
  constexpr uint64_t kLow = 0xffffffff;
  const uint64_t low = (a & kLow) * (b & kLow);
  const uint64_t middle = (a >> 32) * (b & kLow) + (low >> 32);
  const uint64_t other = (a & kLow) * (b >> 32) + (middle & kLow);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}
template <typename T>
T high_mul(T a, T b) {
  if constexpr (sizeof(T) < sizeof(uint64_t)) {
    using W = typename Twice<T>::type;
    return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> (sizeof(T) * 8));
  } else {
    const auto first = static_cast<uint64_t>(a), second = static_cast<uint64_t>(b);
    uint64_t high = high_of_product(first, second);
    if constexpr (std::is_signed_v<T>) {  // as an unsigned number, a negative one is greater by 2^64
      if (a < 0) high -= second;
      if (b < 0) high -= first;
    }
    return static_cast<T>(high);
  }
}
template <typename T>
T saturate(typename Twice<T>::type value) {
  using W = typename Twice<T>::type;
  return static_cast<T>(std::clamp<W>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <typename T>
void run_add(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active,
          [](T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)); });
}
template <typename T>
void run_sub(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active,
          [](T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)); });
}
void run_add_sat(Warp& w, const Instruction& i, uint32_t active) {
  map2<int32_t>(w, i, active, [](int32_t a, int32_t b) { return saturate<int32_t>(int64_t{a} + b); });
}
void run_sub_sat(Warp& w, const Instruction& i, uint32_t active) {
  map2<int32_t>(w, i, active, [](int32_t a, int32_t b) { return saturate<int32_t>(int64_t{a} - b); });
}

// add.cc, addc, sub.cc, subc: the carry flag is register kCarry. A subtraction stores the borrow there.
template <typename U>
void run_carry(Warp& w, const Instruction& i, uint32_t active) {
  const bool subtract = i.opcode == Opcode::sub || i.opcode == Opcode::subc;
  const bool uses = i.opcode == Opcode::addc || i.opcode == Opcode::subc;
  const bool sets = i.has(Mod::cc);
  uint64_t* carry = w.reg(kCarry);
  const uint32_t poison = w.poison(i.src[0]) | w.poison(i.src[1]) | (uses ? w.poison(kCarry) : 0);
  for_each_lane(active, [&](int lane) {
    const U a = from_bits<U>(w.reg(i.src[0])[lane]), b = from_bits<U>(w.reg(i.src[1])[lane]);
    const U in = uses ? static_cast<U>(carry[lane] & 1) : U{0};
    const U partial = subtract ? a - b : a + b;
    const U full = subtract ? partial - in : partial + in;
    w.reg(i.dst[0])[lane] = full;
    // At most one of the two steps leaves the range.
    const bool out = subtract ? a < b || partial < in : partial < a || full < partial;
    if (sets) carry[lane] = out ? 1 : 0;
  });
  w.set_poison(i.dst[0], active, poison);
  if (sets) w.set_poison(kCarry, active, poison);
}

template <typename T>
void run_mul_lo(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [](T a, T b) { return wrap_mul(a, b); });
}
template <typename T>
void run_mul_hi(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [](T a, T b) { return high_mul(a, b); });
}
template <typename T>
void run_mul_wide(Warp& w, const Instruction& i, uint32_t active) {
  using W = typename Twice<T>::type;
  map2<T>(w, i, active, [](T a, T b) { return static_cast<W>(static_cast<W>(a) * static_cast<W>(b)); });
}
template <typename T>
void run_mad_lo(Warp& w, const Instruction& i, uint32_t active) {
  map3<T>(w, i, active, [](T a, T b, T c) {
    return static_cast<T>(static_cast<uint64_t>(wrap_mul(a, b)) + static_cast<uint64_t>(c));
  });
}
template <typename T>
void run_mad_hi(Warp& w, const Instruction& i, uint32_t active) {
  map3<T>(w, i, active, [](T a, T b, T c) {
    return static_cast<T>(static_cast<uint64_t>(high_mul(a, b)) + static_cast<uint64_t>(c));
  });
}
void run_mad_hi_sat(Warp& w, const Instruction& i, uint32_t active) {
  map3<int32_t>(w, i, active, [](int32_t a, int32_t b, int32_t c) {
    return saturate<int32_t>(int64_t{high_mul(a, b)} + c);
  });
}
template <typename T>
void run_mad_wide(Warp& w, const Instruction& i, uint32_t active) {
  using W = typename Twice<T>::type;
  const uint32_t poison = w.poison(i.src[0]) | w.poison(i.src[1]) | w.poison(i.src[2]);
  for_each_lane(active, [&](int lane) {
    const W product = static_cast<W>(static_cast<W>(from_bits<T>(w.reg(i.src[0])[lane])) *
                                     static_cast<W>(from_bits<T>(w.reg(i.src[1])[lane])));
    const W c = from_bits<W>(w.reg(i.src[2])[lane]);
    w.reg(i.dst[0])[lane] = to_bits(static_cast<W>(static_cast<std::make_unsigned_t<W>>(product) +
                                                   static_cast<std::make_unsigned_t<W>>(c)));
  });
  w.set_poison(i.dst[0], active, poison);
}

// 9.7.1.5, 9.7.1.6: division by zero "yields an unspecified, machine-specific value".
template <typename T>
void run_div(Warp& w, const Instruction& i, uint32_t active) {
  const bool remainder = i.opcode == Opcode::rem;
  uint32_t poison = w.poison(i.src[0]) | w.poison(i.src[1]);
  for_each_lane(active, [&](int lane) {
    const T a = from_bits<T>(w.reg(i.src[0])[lane]), b = from_bits<T>(w.reg(i.src[1])[lane]);
    T result = 0;
    bool overflow = false;
    if constexpr (std::is_signed_v<T>) overflow = a == std::numeric_limits<T>::min() && b == -1;
    if (b == 0 || (overflow && !remainder)) {
      poison |= 1u << lane;
    } else if (!overflow) {
      result = static_cast<T>(remainder ? a % b : a / b);
    }
    w.reg(i.dst[0])[lane] = to_bits(result);
  });
  w.set_poison(i.dst[0], active, poison);
}

template <typename T>
void run_integer_neg(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [](T a) { return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a)); });
}
template <typename T>
void run_integer_abs(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active,
          [](T a) { return a < 0 ? static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a)) : a; });
}
template <typename T>
void run_integer_min(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [](T a, T b) { return std::min(a, b); });
}
template <typename T>
void run_integer_max(Warp& w, const Instruction& i, uint32_t active) {
  map2<T>(w, i, active, [](T a, T b) { return std::max(a, b); });
}
template <typename T>
void run_sad(Warp& w, const Instruction& i, uint32_t active) {
  map3<T>(w, i, active, [](T a, T b, T c) {
    const auto x = static_cast<Unsigned<T>>(a), y = static_cast<Unsigned<T>>(b);
    return static_cast<T>(static_cast<Unsigned<T>>(c) + static_cast<Unsigned<T>>(a < b ? y - x : x - y));
  });
}

template <typename T>
Handler for_type(const Instruction& i) {
  const bool half_of_product = i.has(Mod::lo) + i.has(Mod::hi) + i.has(Mod::wide) == 1;
  const bool saturates = i.has(Mod::sat);
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
      if (i.has(Mod::cc)) return sizeof(T) == 2 || saturates ? nullptr : run_carry<Unsigned<T>>;
      if (!saturates) return i.opcode == Opcode::add ? run_add<T> : run_sub<T>;
      if (!std::is_same_v<T, int32_t>) return nullptr;
      return i.opcode == Opcode::add ? run_add_sat : run_sub_sat;
    case Opcode::addc:
    case Opcode::subc: return sizeof(T) == 2 ? nullptr : run_carry<Unsigned<T>>;
    case Opcode::mul:
      if (!half_of_product || saturates) return nullptr;
      if (i.has(Mod::wide)) {
        if constexpr (sizeof(T) < 8) return run_mul_wide<T>;
        return nullptr;
      }
      return i.has(Mod::hi) ? run_mul_hi<T> : run_mul_lo<T>;
    case Opcode::mad:
      if (!half_of_product || (saturates && !i.has(Mod::hi))) return nullptr;
      if (i.has(Mod::wide)) {
        if constexpr (sizeof(T) < 8) return run_mad_wide<T>;
        return nullptr;
      }
      if (saturates) return std::is_same_v<T, int32_t> ? run_mad_hi_sat : nullptr;
      return i.has(Mod::hi) ? run_mad_hi<T> : run_mad_lo<T>;
    case Opcode::div:
    case Opcode::rem: return run_div<T>;
    case Opcode::neg: return std::is_signed_v<T> ? run_integer_neg<T> : nullptr;
    case Opcode::abs: return std::is_signed_v<T> ? run_integer_abs<T> : nullptr;
    case Opcode::min: return run_integer_min<T>;
    case Opcode::max: return run_integer_max<T>;
    case Opcode::sad: return run_sad<T>;
    default: return nullptr;
  }
}

}  // namespace

Handler select_integer(const Instruction& i) {
  // Rounding and the treatment of denormals and NaNs belong to float arithmetic.
  for (const Mod m : {Mod::rn, Mod::rz, Mod::rm, Mod::rp, Mod::ftz, Mod::approx, Mod::full, Mod::nan}) {
    if (i.has(m)) return nullptr;
  }
  switch (i.type) {
    case Type::u16: return for_type<uint16_t>(i);
    case Type::u32: return for_type<uint32_t>(i);
    case Type::u64: return for_type<uint64_t>(i);
    case Type::s16: return for_type<int16_t>(i);
    case Type::s32: return for_type<int32_t>(i);
    case Type::s64: return for_type<int64_t>(i);
    default: return nullptr;
  }
}

}  // namespace texlate::sim::ptx
