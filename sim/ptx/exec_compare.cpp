// setp, set, selp, slct (PTX ISA 9.7.6), testp (9.7.3.1).
#include "sim/ptx/float_rules.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

constexpr Mod kComparisons[] = {Mod::eq,  Mod::ne,  Mod::lt,  Mod::le,  Mod::gt,  Mod::ge,
                                Mod::lo,  Mod::ls,  Mod::hi,  Mod::hs,  Mod::equ, Mod::neu,
                                Mod::ltu, Mod::leu, Mod::gtu, Mod::geu, Mod::num, Mod::nan};

Mod comparison_of(const Instruction& i) {
  for (Mod m : kComparisons) {
    if (i.has(m)) return m;
  }
  return Mod::count_;
}

bool is_float_only(Mod m) {
  return m >= Mod::equ || m == Mod::nan;
}

template <typename T>
bool compare_values(Mod op, T a, T b) {
  const bool unordered = a != a || b != b;  // never for integers
  switch (op) {
    case Mod::eq: return a == b;
    case Mod::ne: return a != b && !unordered;
    case Mod::lt:
    case Mod::lo: return a < b;
    case Mod::le:
    case Mod::ls: return a <= b;
    case Mod::gt:
    case Mod::hi: return a > b;
    case Mod::ge:
    case Mod::hs: return a >= b;
    case Mod::equ: return a == b || unordered;
    case Mod::neu: return a != b;
    case Mod::ltu: return a < b || unordered;
    case Mod::leu: return a <= b || unordered;
    case Mod::gtu: return a > b || unordered;
    case Mod::geu: return a >= b || unordered;
    case Mod::num: return !unordered;
    default: return unordered;
  }
}

template <typename T>
uint32_t compare_lanes(Warp& w, const Instruction& i, uint32_t active) {
  const Mod op = comparison_of(i);
  const uint64_t* a = w.reg(i.src[0]);
  const uint64_t* b = w.reg(i.src[1]);
  uint32_t result = 0;
  for_each_lane(active, [&](int lane) {
    T x = from_bits<T>(a[lane]), y = from_bits<T>(b[lane]);
    if constexpr (std::is_floating_point_v<T>) x = operand(i, x), y = operand(i, y);
    result |= (compare_values(op, x, y) ? 1u : 0u) << lane;
  });
  return result;
}

uint32_t compare_half(Warp& w, const Instruction& i, uint32_t active) {
  const Mod op = comparison_of(i);
  const auto value = [&](uint32_t source, int lane) {
    auto half = static_cast<uint16_t>(w.reg(source)[lane]);
    if (i.has(Mod::ftz) && (half & 0x7c00) == 0) half &= 0x8000;
    return half_to_float(half);
  };
  uint32_t result = 0;
  for_each_lane(active, [&](int lane) {
    const float x = value(i.src[0], lane), y = value(i.src[1], lane);
    result |= (compare_values(op, x, y) ? 1u : 0u) << lane;
  });
  return result;
}

// `lo`, `ls`, `hi`, `hs` compare unsigned whatever the type is.
uint32_t compare(Warp& w, const Instruction& i, Type type, uint32_t active) {
  switch (type) {
    case Type::b16:
    case Type::u16: return compare_lanes<uint16_t>(w, i, active);
    case Type::b32:
    case Type::u32: return compare_lanes<uint32_t>(w, i, active);
    case Type::b64:
    case Type::u64: return compare_lanes<uint64_t>(w, i, active);
    case Type::s16: return compare_lanes<int16_t>(w, i, active);
    case Type::s32: return compare_lanes<int32_t>(w, i, active);
    case Type::s64: return compare_lanes<int64_t>(w, i, active);
    case Type::f16: return compare_half(w, i, active);
    case Type::f32: return compare_lanes<float>(w, i, active);
    default: return compare_lanes<double>(w, i, active);
  }
}

uint32_t predicate_lanes(Warp& w, uint32_t r, bool negated) {
  uint32_t lanes = 0;
  const uint64_t* p = w.reg(r);
  for (int lane = 0; lane < kLanes; ++lane) lanes |= static_cast<uint32_t>(p[lane] & 1) << lane;
  return negated ? ~lanes : lanes;
}

// The comparison combined with predicate source 2, if there is one.
uint32_t combine(Warp& w, const Instruction& i, uint32_t compared, uint32_t& poison) {
  if (i.src[2] == kNone) return compared;
  const uint32_t c = predicate_lanes(w, i.src[2], (i.negated >> 2 & 1) != 0);
  poison |= w.poison(i.src[2]);
  return i.has(Mod::and_) ? compared & c : i.has(Mod::or_) ? compared | c : compared ^ c;
}

void write_predicate(Warp& w, uint32_t dst, uint32_t active, uint32_t lanes, uint32_t poison) {
  uint64_t* d = w.reg(dst);
  for_each_lane(active, [&](int lane) { d[lane] = lanes >> lane & 1; });
  w.set_poison(dst, active, poison);
}

void run_setp(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t compared = compare(w, i, i.type, active);
  uint32_t poison = w.poison(i.src[0]) | w.poison(i.src[1]);
  const uint32_t p = combine(w, i, compared, poison);
  const uint32_t q = combine(w, i, ~compared, poison);
  write_predicate(w, i.dst[0], active, p, poison);
  if (i.dst[1] != kNone) write_predicate(w, i.dst[1], active, q, poison);
}

void run_set(Warp& w, const Instruction& i, uint32_t active) {
  uint32_t poison = w.poison(i.src[0]) | w.poison(i.src[1]);
  const uint32_t lanes = combine(w, i, compare(w, i, i.type2, active), poison);
  const uint64_t yes = i.type == Type::f32 ? 0x3f800000u : 0xffffffffu;
  for_each_lane(active, [&](int lane) { w.reg(i.dst[0])[lane] = (lanes >> lane & 1) != 0 ? yes : 0; });
  w.set_poison(i.dst[0], active, poison);
}

// Only poison in the selected value counts.
void choose(Warp& w, const Instruction& i, uint32_t active, uint32_t first, uint32_t selector_poison) {
  const uint64_t* a = w.reg(i.src[0]);
  const uint64_t* b = w.reg(i.src[1]);
  const uint32_t poison = (w.poison(i.src[0]) & first) | (w.poison(i.src[1]) & ~first) | selector_poison;
  uint64_t* d = w.reg(i.dst[0]);
  for_each_lane(active, [&](int lane) { d[lane] = (first >> lane & 1) != 0 ? a[lane] : b[lane]; });
  w.set_poison(i.dst[0], active, poison);
}

void run_selp(Warp& w, const Instruction& i, uint32_t active) {
  choose(w, i, active, predicate_lanes(w, i.src[2], (i.negated >> 2 & 1) != 0), w.poison(i.src[2]));
}

// 9.7.6.4: a if c >= 0; NaN selects b; -0 counts as 0.
void run_slct(Warp& w, const Instruction& i, uint32_t active) {
  uint32_t first = 0;
  for_each_lane(active, [&](int lane) {
    const auto c = static_cast<uint32_t>(w.reg(i.src[2])[lane]);
    const bool at_least_zero =
        i.type2 == Type::f32 ? operand(i, std::bit_cast<float>(c)) >= 0.0f : static_cast<int32_t>(c) >= 0;
    first |= (at_least_zero ? 1u : 0u) << lane;
  });
  choose(w, i, active, first, w.poison(i.src[2]));
}

bool test(const Instruction& i, double value, bool subnormal) {
  if (i.has(Mod::finite)) return std::isfinite(value);
  if (i.has(Mod::infinite)) return std::isinf(value);
  if (i.has(Mod::number)) return !std::isnan(value);
  if (i.has(Mod::notanumber)) return std::isnan(value);
  if (i.has(Mod::subnormal)) return subnormal;
  return std::isfinite(value) && !subnormal;  // normal; zero counts as normal
}

void run_testp(Warp& w, const Instruction& i, uint32_t active) {
  uint32_t lanes = 0;
  for_each_lane(active, [&](int lane) {
    const uint64_t bits = w.reg(i.src[0])[lane];
    const bool is_double = i.type == Type::f64;
    const double value = is_double ? from_bits<double>(bits) : from_bits<float>(bits);
    const bool subnormal = is_double ? std::fpclassify(value) == FP_SUBNORMAL
                                     : std::fpclassify(from_bits<float>(bits)) == FP_SUBNORMAL;
    lanes |= (test(i, value, subnormal) ? 1u : 0u) << lane;
  });
  write_predicate(w, i.dst[0], active, lanes, w.poison(i.src[0]));
}

bool is_comparable(Mod op, Type type) {
  switch (type) {
    case Type::f16:
    case Type::f32:
    case Type::f64: return op != Mod::lo && op != Mod::ls && op != Mod::hi && op != Mod::hs;
    case Type::b16:
    case Type::b32:
    case Type::b64: return op == Mod::eq || op == Mod::ne;
    case Type::u16:
    case Type::u32:
    case Type::u64: return !is_float_only(op);
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return op == Mod::eq || op == Mod::ne || op == Mod::lt || op == Mod::le || op == Mod::gt ||
             op == Mod::ge;
    default: return false;
  }
}

}  // namespace

Handler select_compare(const Instruction& i) {
  const Mod op = comparison_of(i);
  const bool combines = i.has(Mod::and_) || i.has(Mod::or_) || i.has(Mod::xor_);
  const Type compared = i.opcode == Opcode::set || i.opcode == Opcode::slct ? i.type2 : i.type;
  if (i.has(Mod::ftz) && compared != Type::f32 && compared != Type::f16) return nullptr;
  const bool is_half = i.type == Type::f16 || i.type == Type::f16x2;
  switch (i.opcode) {
    case Opcode::setp:
      if (is_half && i.dst[1] != kNone) return nullptr;
      if (op == Mod::count_ || !is_comparable(op, i.type) || combines != (i.src[2] != kNone)) return nullptr;
      return run_setp;
    case Opcode::set:
      if (op == Mod::count_ || !is_comparable(op, i.type2) || combines != (i.src[2] != kNone)) return nullptr;
      return i.type == Type::u32 || i.type == Type::s32 || i.type == Type::f32 ? run_set : nullptr;
    case Opcode::selp: return i.type == Type::pred || is_half || size_of(i.type) < 2 ? nullptr : run_selp;
    case Opcode::slct:
      if (i.type == Type::pred || is_half || size_of(i.type) < 2) return nullptr;
      return i.type2 == Type::s32 || i.type2 == Type::f32 ? run_slct : nullptr;
    default: return run_testp;
  }
}

}  // namespace texlate::sim::ptx
