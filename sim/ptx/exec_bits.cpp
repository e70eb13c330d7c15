// Logic and shifts (PTX ISA 9.7.8), bit fields and counts (9.7.1.14 - 9.7.1.20), prmt (9.7.9.7).
#include <algorithm>
#include <bit>

#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

template <typename T, Opcode kOp>
T logic(T a, T b) {
  if constexpr (kOp == Opcode::and_) return static_cast<T>(a & b);
  if constexpr (kOp == Opcode::or_) return static_cast<T>(a | b);
  return static_cast<T>(a ^ b);
}
/// Lanes in which `r` alone decides all bits of an `and` or `or`: the result is known whatever the other
/// operand holds.
template <typename T, Opcode kOp>
uint32_t deciding(Warp& w, uint32_t r, uint32_t active) {
  if constexpr (kOp == Opcode::xor_) return 0;
  uint32_t lanes = 0;
  const T decides = kOp == Opcode::and_ ? T{0} : static_cast<T>(~T{0});
  for_each_lane(active, [&](int lane) {
    if (from_bits<T>(w.reg(r)[lane]) == decides) lanes |= 1u << lane;
  });
  return lanes & ~w.poison(r);
}
template <typename T, Opcode kOp>
void run_logic(Warp& w, const Instruction& i, uint32_t active) {
  uint32_t poison = (w.poison(i.src[0]) | w.poison(i.src[1])) & active;
  if (poison != 0) poison &= ~(deciding<T, kOp>(w, i.src[0], active) | deciding<T, kOp>(w, i.src[1], active));
  map2<T>(w, i, active, [](T a, T b) { return logic<T, kOp>(a, b); });
  w.set_poison(i.dst[0], active, poison);
}
// Predicates are 0 or 1, and may be negated in the operand.
template <Opcode kOp>
void run_predicate_logic(Warp& w, const Instruction& i, uint32_t active) {
  const uint64_t invert_a = i.negated & 1, invert_b = i.negated >> 1 & 1;
  map2<uint64_t>(w, i, active, [=](uint64_t a, uint64_t b) {
    return logic<uint64_t, kOp>(a ^ invert_a, b ^ invert_b) & 1;
  });
}
template <typename T>
void run_not(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [](T a) { return static_cast<T>(~a); });
}
void run_predicate_not(Warp& w, const Instruction& i, uint32_t active) {
  const uint64_t invert = i.negated & 1;
  map1<uint64_t>(w, i, active, [=](uint64_t a) { return (a ^ invert ^ 1) & 1; });
}
template <typename T>
void run_cnot(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [](T a) { return static_cast<T>(a == 0 ? 1 : 0); });
}

// 9.7.8.6, 9.7.8.7: shift amounts greater than the register width are clamped to it. The amount is always
// .u32.
template <typename T>
void run_shift(Warp& w, const Instruction& i, uint32_t active) {
  constexpr uint32_t kWidth = sizeof(T) * 8;
  const bool left = i.opcode == Opcode::shl, arithmetic = is_signed(i.type);
  for_each_lane(active, [&](int lane) {
    const T a = from_bits<T>(w.reg(i.src[0])[lane]);
    const uint32_t n = std::min(static_cast<uint32_t>(w.reg(i.src[1])[lane]), kWidth);
    T result = 0;
    if (arithmetic && !left) {
      result = static_cast<T>(static_cast<std::make_signed_t<T>>(a) >> std::min(n, kWidth - 1));
    } else if (n < kWidth) {
      result = static_cast<T>(left ? a << n : a >> n);
    }
    w.reg(i.dst[0])[lane] = result;
  });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]) | w.poison(i.src[1]));
}

void run_shf(Warp& w, const Instruction& i, uint32_t active) {
  const bool left = i.has(Mod::l), wrap = i.has(Mod::wrap);
  map3<uint32_t>(w, i, active, [=](uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t pair = uint64_t{b} << 32 | a;
    const uint32_t n = wrap ? c & 31 : std::min(c, 32u);
    return static_cast<uint32_t>(left ? (pair << n) >> 32 : pair >> n);
  });
}

void run_lop3(Warp& w, const Instruction& i, uint32_t active) {
  const uint64_t* a = w.reg(i.src[0]);
  const uint64_t* b = w.reg(i.src[1]);
  const uint64_t* c = w.reg(i.src[2]);
  const uint64_t* table = w.reg(i.src[3]);
  for_each_lane(active, [&](int lane) {
    uint32_t result = 0;
    for (int bit = 0; bit < 8; ++bit) {
      if ((table[lane] >> bit & 1) == 0) continue;
      const auto pick = [](uint64_t v, bool set) { return static_cast<uint32_t>(set ? v : ~v); };
      result |= pick(a[lane], (bit & 4) != 0) & pick(b[lane], (bit & 2) != 0) & pick(c[lane], (bit & 1) != 0);
    }
    w.reg(i.dst[0])[lane] = result;
  });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]) | w.poison(i.src[1]) | w.poison(i.src[2]));
}

uint32_t permute_selector(const Instruction& i, uint32_t c) {
  const uint32_t n = c & 3;
  if (i.has(Mod::f4e)) return n | (n + 1) << 4 | (n + 2) << 8 | (n + 3) << 12;
  if (i.has(Mod::b4e)) return n | ((n - 1) & 7) << 4 | ((n - 2) & 7) << 8 | ((n - 3) & 7) << 12;
  if (i.has(Mod::rc8)) return n * 0x1111;
  if (i.has(Mod::ecl)) return std::max(n, 0u) | std::max(n, 1u) << 4 | std::max(n, 2u) << 8 | 3u << 12;
  if (i.has(Mod::ecr)) return 0u | std::min(n, 1u) << 4 | std::min(n, 2u) << 8 | std::min(n, 3u) << 12;
  if (i.has(Mod::rc16)) return (n & 1) != 0 ? 0x3232 : 0x1010;
  return c;
}

void run_prmt(Warp& w, const Instruction& i, uint32_t active) {
  map3<uint32_t>(w, i, active, [&](uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    const uint32_t selector = permute_selector(i, c);
    uint32_t result = 0;
    for (int n = 0; n < 4; ++n) {
      const uint32_t s = selector >> (4 * n) & 15;
      uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (s & 7))) & 0xff;
      if ((s & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;  // replicate the sign
      result |= byte << (8 * n);
    }
    return result;
  });
}

// 9.7.1.19: position and length are the low 8 bits. Bits past the top are the sign, or zero for unsigned
// types.
template <typename T>
void run_bfe(Warp& w, const Instruction& i, uint32_t active) {
  constexpr uint32_t kTop = sizeof(T) * 8 - 1;
  const bool is_signed_type = is_signed(i.type);
  for_each_lane(active, [&](int lane) {
    const T a = from_bits<T>(w.reg(i.src[0])[lane]);
    const uint32_t pos = w.reg(i.src[1])[lane] & 0xff, len = w.reg(i.src[2])[lane] & 0xff;
    bool sign = false;
    if (is_signed_type && len != 0) sign = (a >> std::min(pos + len - 1, kTop) & 1) != 0;
    T result = 0;
    for (uint32_t bit = 0; bit <= kTop; ++bit) {
      const bool set = bit < len && pos + bit <= kTop ? (a >> (pos + bit) & 1) != 0 : sign;
      result = static_cast<T>(result | static_cast<T>(T{set} << bit));
    }
    w.reg(i.dst[0])[lane] = result;
  });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]) | w.poison(i.src[1]) | w.poison(i.src[2]));
}

// 9.7.1.20: f = b with `len` bits of a inserted at pos.
template <typename T>
void run_bfi(Warp& w, const Instruction& i, uint32_t active) {
  constexpr uint32_t kWidth = sizeof(T) * 8;
  uint32_t poison = 0;
  for (int s = 0; s < 4; ++s) poison |= w.poison(i.src[s]);
  for_each_lane(active, [&](int lane) {
    const T a = from_bits<T>(w.reg(i.src[0])[lane]), b = from_bits<T>(w.reg(i.src[1])[lane]);
    const uint32_t pos = w.reg(i.src[2])[lane] & 0xff, len = w.reg(i.src[3])[lane] & 0xff;
    T mask = len >= kWidth ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << len) - 1);
    mask = pos >= kWidth ? T{0} : static_cast<T>(mask << pos);
    const T moved = pos >= kWidth ? T{0} : static_cast<T>(a << pos);
    w.reg(i.dst[0])[lane] = static_cast<T>((moved & mask) | (b & ~mask));
  });
  w.set_poison(i.dst[0], active, poison);
}

template <typename T>
void run_brev(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [](T a) {
    T result = 0;
    for (size_t bit = 0; bit < sizeof(T) * 8; ++bit) result = static_cast<T>(result << 1 | (a >> bit & 1));
    return result;
  });
}
template <typename T>
void run_popc(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [](T a) { return static_cast<uint32_t>(std::popcount(a)); });
}
template <typename T>
void run_clz(Warp& w, const Instruction& i, uint32_t active) {
  map1<T>(w, i, active, [](T a) { return static_cast<uint32_t>(std::countl_zero(a)); });
}
// 9.7.1.17: the most significant non-sign bit; 0xffffffff if there is none.
template <typename T>
void run_bfind(Warp& w, const Instruction& i, uint32_t active) {
  constexpr int kTop = sizeof(T) * 8 - 1;
  const bool is_signed_type = is_signed(i.type), shift = i.has(Mod::shiftamt);
  map1<T>(w, i, active, [=](T a) {
    if (is_signed_type && (a >> kTop & 1) != 0) a = static_cast<T>(~a);
    if (a == 0) return 0xffffffffu;
    const int position = kTop - std::countl_zero(a);
    return static_cast<uint32_t>(shift ? kTop - position : position);
  });
}

template <typename T>
Handler for_width(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::and_: return run_logic<T, Opcode::and_>;
    case Opcode::or_: return run_logic<T, Opcode::or_>;
    case Opcode::xor_: return run_logic<T, Opcode::xor_>;
    case Opcode::not_: return run_not<T>;
    case Opcode::cnot: return run_cnot<T>;
    case Opcode::shl:
    case Opcode::shr: return run_shift<T>;
    default: break;
  }
  if constexpr (sizeof(T) >= 4) {
    switch (i.opcode) {
      case Opcode::bfe: return run_bfe<T>;
      case Opcode::bfi: return run_bfi<T>;
      case Opcode::brev: return run_brev<T>;
      case Opcode::popc: return run_popc<T>;
      case Opcode::clz: return run_clz<T>;
      case Opcode::bfind: return run_bfind<T>;
      default: break;
    }
  }
  if (sizeof(T) != 4) return nullptr;
  switch (i.opcode) {
    case Opcode::shf:
      return i.has(Mod::l) == i.has(Mod::r) || i.has(Mod::clamp) == i.has(Mod::wrap) ? nullptr : run_shf;
    case Opcode::lop3: return run_lop3;
    case Opcode::prmt: return run_prmt;
    default: return nullptr;
  }
}

}  // namespace

Handler select_bits(const Instruction& i) {
  switch (i.type) {
    case Type::pred:
      switch (i.opcode) {
        case Opcode::and_: return run_predicate_logic<Opcode::and_>;
        case Opcode::or_: return run_predicate_logic<Opcode::or_>;
        case Opcode::xor_: return run_predicate_logic<Opcode::xor_>;
        case Opcode::not_: return run_predicate_not;
        default: return nullptr;
      }
    case Type::b16:
    case Type::u16:
    case Type::s16: return for_width<uint16_t>(i);
    case Type::b32:
    case Type::u32:
    case Type::s32: return for_width<uint32_t>(i);
    case Type::b64:
    case Type::u64:
    case Type::s64: return for_width<uint64_t>(i);
    default: return nullptr;
  }
}

}  // namespace texlate::sim::ptx
