// Operations that need only their operands: one loop over the lanes for each (docs/reference/direct3d.md
// 4.1; D3D11.3 3.1, 22.6, 22.9 to 22.13). A NaN result is always the same NaN, so that executors agree about
// its bits.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/base/fused.h"
#include "sim/ir/decode.h"
#include "sim/ir/float_rules.h"

namespace texlate::sim {

namespace {

using ir::Op;

template <auto kFunction>
void map1(uint32_t* const* rows, uint32_t lanes) {
  uint32_t* out = rows[0];
  const uint32_t* a = rows[1];
  for (uint32_t i = 0; i < lanes; ++i) out[i] = kFunction(a[i]);
}
template <auto kFunction>
void map2(uint32_t* const* rows, uint32_t lanes) {
  uint32_t* out = rows[0];
  const uint32_t *a = rows[1], *b = rows[2];
  for (uint32_t i = 0; i < lanes; ++i) out[i] = kFunction(a[i], b[i]);
}
template <auto kFunction>
void map3(uint32_t* const* rows, uint32_t lanes) {
  uint32_t* out = rows[0];
  const uint32_t *a = rows[1], *b = rows[2], *c = rows[3];
  for (uint32_t i = 0; i < lanes; ++i) out[i] = kFunction(a[i], b[i], c[i]);
}
template <auto kFunction>
void map4(uint32_t* const* rows, uint32_t lanes) {
  uint32_t* out = rows[0];
  const uint32_t *a = rows[1], *b = rows[2], *c = rows[3], *d = rows[4];
  for (uint32_t i = 0; i < lanes; ++i) out[i] = kFunction(a[i], b[i], c[i], d[i]);
}

// The same for float values: operands and result are flushed.
template <auto kFunction>
constexpr auto kFloat1 = [](uint32_t a) { return finish(kFunction(flushed(a))); };
template <auto kFunction>
constexpr auto kFloat2 = [](uint32_t a, uint32_t b) { return finish(kFunction(flushed(a), flushed(b))); };
template <auto kFunction>
constexpr auto kFloat3 =
    [](uint32_t a, uint32_t b, uint32_t c) { return finish(kFunction(flushed(a), flushed(b), flushed(c))); };
template <auto kFunction>
constexpr auto kCompare =
    [](uint32_t a, uint32_t b) -> uint32_t { return kFunction(flushed(a), flushed(b)) ? 1 : 0; };

// 64-bit rows: two words per lane.
double load64(const uint32_t* row, uint32_t lane) {
  double value;
  std::memcpy(&value, row + 2 * lane, 8);
  return value;
}
template <typename T>
void store_lane(uint32_t* row, uint32_t lane, T value) {
  if constexpr (sizeof(T) == 8) {
    std::memcpy(row + 2 * lane, &value, 8);
  } else {
    row[lane] = value;
  }
}
template <auto kFunction>
void double1(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) store_lane(rows[0], i, kFunction(load64(rows[1], i)));
}
template <auto kFunction>
void double2(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i)
    store_lane(rows[0], i, kFunction(load64(rows[1], i), load64(rows[2], i)));
}
template <auto kFunction>
void double3(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) {
    store_lane(rows[0], i, kFunction(load64(rows[1], i), load64(rows[2], i), load64(rows[3], i)));
  }
}
template <auto kFunction>
void to_double(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) store_lane<double>(rows[0], i, kFunction(rows[1][i]));
}

void select64(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) {
    const uint32_t* from = rows[1][i] != 0 ? rows[2] : rows[3];
    std::memcpy(rows[0] + 2 * i, from + 2 * i, 8);
  }
}
void pack64(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) {
    rows[0][2 * i] = rows[1][i];
    rows[0][2 * i + 1] = rows[2][i];
  }
}
void unpack64(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) {
    rows[0][i] = rows[1][2 * i];
    rows[0][lanes + i] = rows[1][2 * i + 1];  // the second result is the next row
  }
}

// Differences over a quad with pixels 0 1 above 2 3. For coarse derivatives see QuadDerivatives.
template <uint32_t kStep>
void derivative(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) {
    const uint32_t low = i & ~kStep;
    rows[0][i] = finish(flushed(rows[1][low + kStep]) - flushed(rows[1][low]));
  }
}

void mad_wide(uint32_t* const* rows, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; ++i) {
    uint64_t sum = 0;
    std::memcpy(&sum, rows[3] + 2 * i, 8);
    sum += uint64_t{rows[1][i]} * rows[2][i];
    std::memcpy(rows[0] + 2 * i, &sum, 8);
  }
}

int32_t as_signed(uint32_t value) {
  return static_cast<int32_t>(value);
}

uint32_t shift_signed(uint32_t a, uint32_t count) {
  return static_cast<uint32_t>(as_signed(a) >> (count & 31));
}
uint32_t shift_right(uint32_t a, uint32_t count) {
  return a >> (count & 31);
}
uint32_t high_signed(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((int64_t{as_signed(a)} * as_signed(b)) >> 32);
}
uint32_t high_unsigned(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((uint64_t{a} * b) >> 32);
}

float fraction(float x) {
  const float result = x - std::floor(x);  // INF - INF: NaN
  return result >= 1.0f ? std::bit_cast<float>(0x3f7fffffu) : result;
}

uint32_t bit_field(uint32_t width, uint32_t offset, uint32_t value, bool is_signed) {
  width &= 31;
  offset &= 31;
  if (width == 0) return 0;
  if (width + offset >= 32)
    return is_signed ? static_cast<uint32_t>(as_signed(value) >> offset) : value >> offset;
  const uint32_t top = value << (32 - width - offset);
  return is_signed ? static_cast<uint32_t>(as_signed(top) >> (32 - width)) : top >> (32 - width);
}

uint32_t insert_bits(uint32_t width, uint32_t offset, uint32_t insert, uint32_t base) {
  const uint32_t mask = ((1u << (width & 31)) - 1u) << (offset & 31);
  return ((insert << (offset & 31)) & mask) | (base & ~mask);
}

uint32_t reverse_bits(uint32_t v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(v);
}

uint32_t leading(uint32_t v) {
  return v == 0 ? 0xffffffffu : static_cast<uint32_t>(std::countl_zero(v));
}

uint32_t highest(uint32_t v) {
  return v == 0 ? 0xffffffffu : 31 - static_cast<uint32_t>(std::countl_zero(v));
}

// Bytes of the reference that are 0 are not counted (D3D11.3 22.12.15).
uint32_t masked_differences(uint32_t reference, uint32_t source, uint32_t sum) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    const uint32_t r = (reference >> shift) & 0xff, s = (source >> shift) & 0xff;
    if (r != 0) sum += r > s ? r - s : s - r;
  }
  return sum;
}

template <double (*kFunction)(double)>
constexpr auto kThroughDouble = [](float x) { return static_cast<float>(kFunction(x)); };

PureFunction float_function(Op op) {
  switch (op) {
    case Op::fadd: return map2<kFloat2<[](float a, float b) { return a + b; }>>;
    case Op::fmul: return map2<kFloat2<[](float a, float b) { return a * b; }>>;
    case Op::ffma: return map3<kFloat3<[](float a, float b, float c) { return fused(a, b, c); }>>;
    case Op::fdiv: return map2<kFloat2<[](float a, float b) { return a / b; }>>;
    case Op::fmin: return map2<kFloat2<least<float>>>;
    case Op::fmax: return map2<kFloat2<greatest<float>>>;
    case Op::fneg: return map1<[](uint32_t a) { return a ^ 0x80000000u; }>;
    case Op::fabs: return map1<[](uint32_t a) { return a & 0x7fffffffu; }>;
    case Op::fsat: return map1<kFloat1<saturate<float>>>;
    case Op::fsqrt: return map1<kFloat1<[](float x) { return std::sqrt(x); }>>;
    case Op::frsq:
      return map1<kFloat1<[](float x) { return static_cast<float>(1.0 / std::sqrt(double{x})); }>>;
    case Op::frcp: return map1<kFloat1<[](float x) { return 1.0f / x; }>>;
    case Op::fexp2: return map1<kFloat1<kThroughDouble<std::exp2>>>;
    case Op::flog2: return map1<kFloat1<kThroughDouble<std::log2>>>;
    case Op::fsin: return map1<kFloat1<kThroughDouble<std::sin>>>;
    case Op::fcos: return map1<kFloat1<kThroughDouble<std::cos>>>;
    case Op::ffrac: return map1<kFloat1<fraction>>;
    case Op::frint: return map1<kFloat1<[](float x) { return std::nearbyint(x); }>>;
    case Op::ffloor: return map1<kFloat1<[](float x) { return std::floor(x); }>>;
    case Op::fceil: return map1<kFloat1<[](float x) { return std::ceil(x); }>>;
    case Op::ftrunc: return map1<kFloat1<[](float x) { return std::trunc(x); }>>;
    case Op::feq: return map2<kCompare<[](float a, float b) { return a == b; }>>;
    case Op::fne: return map2<kCompare<[](float a, float b) { return a != b; }>>;
    case Op::flt: return map2<kCompare<[](float a, float b) { return a < b; }>>;
    case Op::fge: return map2<kCompare<[](float a, float b) { return a >= b; }>>;
    case Op::ftoi: return map1<[](uint32_t a) { return to_signed(flushed(a)); }>;
    case Op::ftou: return map1<[](uint32_t a) { return to_unsigned(flushed(a)); }>;
    case Op::itof: return map1<[](uint32_t a) { return bits_of(static_cast<float>(as_signed(a))); }>;
    case Op::utof: return map1<[](uint32_t a) { return bits_of(static_cast<float>(a)); }>;
    case Op::f32tof16: return map1<[](uint32_t a) { return to_half(flushed(a)); }>;
    case Op::f16tof32: return map1<[](uint32_t a) { return from_half(a); }>;
    case Op::ddx_coarse:
    case Op::ddx_fine: return derivative<1>;
    case Op::ddy_coarse:
    case Op::ddy_fine: return derivative<2>;
#define IR_COVERED_float32
#define IR_COVERED_conversion
#define IR_COVERED_derivative
#include "ir/op_cases.inc"
      return nullptr;
  }
  return nullptr;
}

PureFunction integer_function(Op op) {
  switch (op) {
    case Op::iadd: return map2<[](uint32_t a, uint32_t b) { return a + b; }>;
    case Op::isub: return map2<[](uint32_t a, uint32_t b) { return a - b; }>;
    case Op::ineg: return map1<[](uint32_t a) { return 0u - a; }>;
    case Op::imul: return map2<[](uint32_t a, uint32_t b) { return a * b; }>;
    case Op::imulhi: return map2<high_signed>;
    case Op::umulhi: return map2<high_unsigned>;
    case Op::mad_wide: return mad_wide;
    case Op::imad: return map3<[](uint32_t a, uint32_t b, uint32_t c) { return a * b + c; }>;
    case Op::udiv: return map2<[](uint32_t a, uint32_t b) { return b == 0 ? 0xffffffffu : a / b; }>;
    case Op::urem: return map2<[](uint32_t a, uint32_t b) { return b == 0 ? 0xffffffffu : a % b; }>;
    case Op::imin: return map2<[](uint32_t a, uint32_t b) { return as_signed(a) < as_signed(b) ? a : b; }>;
    case Op::imax: return map2<[](uint32_t a, uint32_t b) { return as_signed(a) < as_signed(b) ? b : a; }>;
    case Op::umin: return map2<[](uint32_t a, uint32_t b) { return a < b ? a : b; }>;
    case Op::umax: return map2<[](uint32_t a, uint32_t b) { return a < b ? b : a; }>;
    case Op::and_: return map2<[](uint32_t a, uint32_t b) { return a & b; }>;
    case Op::or_: return map2<[](uint32_t a, uint32_t b) { return a | b; }>;
    case Op::xor_: return map2<[](uint32_t a, uint32_t b) { return a ^ b; }>;
    case Op::not_: return map1<[](uint32_t a) { return ~a; }>;
    case Op::shl: return map2<[](uint32_t a, uint32_t b) { return a << (b & 31); }>;
    case Op::ishr: return map2<shift_signed>;
    case Op::ushr: return map2<shift_right>;
    case Op::ubfe: return map3<[](uint32_t w, uint32_t o, uint32_t v) { return bit_field(w, o, v, false); }>;
    case Op::ibfe: return map3<[](uint32_t w, uint32_t o, uint32_t v) { return bit_field(w, o, v, true); }>;
    case Op::bfi: return map4<insert_bits>;
    case Op::bitrev: return map1<reverse_bits>;
    case Op::popcount: return map1<[](uint32_t a) { return static_cast<uint32_t>(std::popcount(a)); }>;
    case Op::firstbit_lo:
      return map1<[](uint32_t a) {
        return a == 0 ? 0xffffffffu : static_cast<uint32_t>(std::countr_zero(a));
      }>;
    case Op::firstbit_hi: return map1<leading>;
    case Op::firstbit_shi: return map1<[](uint32_t a) { return leading(as_signed(a) < 0 ? ~a : a); }>;
    case Op::msb_u32: return map1<highest>;
    case Op::msb_s32: return map1<[](uint32_t a) { return highest(as_signed(a) < 0 ? ~a : a); }>;
    case Op::msad: return map3<masked_differences>;
    case Op::ieq: return map2<[](uint32_t a, uint32_t b) { return uint32_t{a == b}; }>;
    case Op::ine: return map2<[](uint32_t a, uint32_t b) { return uint32_t{a != b}; }>;
    case Op::ilt: return map2<[](uint32_t a, uint32_t b) { return uint32_t{as_signed(a) < as_signed(b)}; }>;
    case Op::ige: return map2<[](uint32_t a, uint32_t b) { return uint32_t{as_signed(a) >= as_signed(b)}; }>;
    case Op::ult: return map2<[](uint32_t a, uint32_t b) { return uint32_t{a < b}; }>;
    case Op::uge: return map2<[](uint32_t a, uint32_t b) { return uint32_t{a >= b}; }>;
#define IR_COVERED_integer
#include "ir/op_cases.inc"
      return nullptr;
  }
  return nullptr;
}

PureFunction predicate_function(Op op) {
  switch (op) {
    case Op::pand: return map2<[](uint32_t a, uint32_t b) { return a & b; }>;
    case Op::por: return map2<[](uint32_t a, uint32_t b) { return a | b; }>;
    case Op::pxor: return map2<[](uint32_t a, uint32_t b) { return a ^ b; }>;
    case Op::pnot: return map1<[](uint32_t a) { return a ^ 1u; }>;
    case Op::mask: return map1<[](uint32_t a) { return 0u - a; }>;
    case Op::select: return map3<[](uint32_t p, uint32_t a, uint32_t b) { return p != 0 ? a : b; }>;
    case Op::select64: return select64;
#define IR_COVERED_predicate
#include "ir/op_cases.inc"
      return nullptr;
  }
  return nullptr;
}

PureFunction double_function(Op op) {
  switch (op) {
    case Op::pack64: return pack64;
    case Op::unpack64: return unpack64;
    case Op::dadd: return double2<[](double a, double b) { return a + b; }>;
    case Op::dmul: return double2<[](double a, double b) { return a * b; }>;
    case Op::dfma: return double3<[](double a, double b, double c) { return fused(a, b, c); }>;
    case Op::ddiv: return double2<[](double a, double b) { return a / b; }>;
    case Op::drcp: return double1<[](double a) { return 1.0 / a; }>;
    case Op::dmin: return double2<least<double>>;
    case Op::dmax: return double2<greatest<double>>;
    case Op::dneg: return double1<[](double a) { return std::bit_cast<uint64_t>(a) ^ (uint64_t{1} << 63); }>;
    case Op::dabs: return double1<[](double a) { return std::bit_cast<uint64_t>(a) & ~(uint64_t{1} << 63); }>;
    case Op::dsat: return double1<saturate<double>>;
    case Op::deq: return double2<[](double a, double b) { return uint32_t{a == b}; }>;
    case Op::dne: return double2<[](double a, double b) { return uint32_t{a != b}; }>;
    case Op::dlt: return double2<[](double a, double b) { return uint32_t{a < b}; }>;
    case Op::dge: return double2<[](double a, double b) { return uint32_t{a >= b}; }>;
    case Op::dtof: return double1<[](double a) { return finish(static_cast<float>(a)); }>;
    case Op::dtoi: return double1<[](double a) { return to_signed(a); }>;
    case Op::dtou: return double1<[](double a) { return to_unsigned(a); }>;
    case Op::ftod: return to_double<[](uint32_t a) { return double{flushed(a)}; }>;
    case Op::itod: return to_double<[](uint32_t a) { return double(as_signed(a)); }>;
    case Op::utod: return to_double<[](uint32_t a) { return double(a); }>;
#define IR_COVERED_float64
#include "ir/op_cases.inc"
      return nullptr;
  }
  return nullptr;
}

}  // namespace

PureFunction pure_function(Op op) {
  if (op == Op::mapped) return map1<[](uint32_t status) { return uint32_t{status == ir::kAllMapped}; }>;
  switch (ir::info(op).family) {
    case ir::Family::float32:
    case ir::Family::conversion:
    case ir::Family::derivative: return float_function(op);
    case ir::Family::integer: return integer_function(op);
    case ir::Family::predicate: return predicate_function(op);
    case ir::Family::float64: return double_function(op);
    case ir::Family::source_register:
    case ir::Family::interface:
    case ir::Family::memory:
    case ir::Family::texture:
    case ir::Family::surface:
    case ir::Family::buffer:
    case ir::Family::binding:
    case ir::Family::control:
    case ir::Family::effect: return nullptr;
  }
  return nullptr;
}

}  // namespace texlate::sim
