// SHL, SHR, SHF, LOP, LOP3, BFE, BFI, PRMT, FLO, POPC, SEL, MOV.
#include <algorithm>

#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

uint32_t reverse_bits(uint32_t v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(v);
}

void set_codes(Warp& w, const Instruction& i, int lane, uint32_t value) {
  if (!i.writes_cc) return;
  const uint32_t bit = 1u << lane;
  ConditionCodes& cc = w.cc();
  cc.zero = value == 0 ? cc.zero | bit : cc.zero & ~bit;
  cc.sign = value >> 31 != 0 ? cc.sign | bit : cc.sign & ~bit;
  cc.carry &= ~bit;
  cc.overflow &= ~bit;
}
template <typename F>
void map_codes(Warp& w, const Instruction& i, uint32_t active, F f) {
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t value = f(a[lane], b[lane]);
    set_codes(w, i, lane, value);
    d[lane] = value;
  });
}

void run_shl(Warp& w, const Instruction& i, uint32_t active) {
  const bool wraps = i.bit(39);
  map_codes(w, i, active, [&](uint32_t a, uint32_t b) {
    if (wraps) b &= 31;
    return b < 32 ? a << b : 0;
  });
}

void run_shr(Warp& w, const Instruction& i, uint32_t active) {
  const bool wraps = i.bit(39), reverses = i.bit(40), is_signed = i.bit(48);
  map_codes(w, i, active, [&](uint32_t a, uint32_t b) {
    if (reverses) a = reverse_bits(a);
    if (wraps) b &= 31;
    if (is_signed) return static_cast<uint32_t>(static_cast<int32_t>(a) >> std::min(b, 31u));
    return b < 32 ? a >> b : 0;
  });
}

// The 64 bits of C:A shifted. The left shift returns the upper word; the right shift returns the lower word,
// or the upper with .HI. Counts wrap or saturate at the width of the type.
void run_shf(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t type = i.field(37, 2);  // 0: 32 bits, 2: U64, 3: S64
  const bool left = i.opcode == Opcode::shf_left, wraps = i.bit(50), high = i.bit(48);
  const uint32_t limit = type == 0 ? 32 : 63;
  map_abc(w, i, active, [&](uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t value = uint64_t{c} << 32 | a;
    const uint32_t count = wraps ? b & (type == 0 ? 31 : 63) : std::min(b, limit);
    if (left) return static_cast<uint32_t>(value << count >> 32);
    const uint64_t shifted =
        type == 3 ? static_cast<uint64_t>(static_cast<int64_t>(value) >> count) : value >> count;
    return static_cast<uint32_t>(high ? shifted >> 32 : shifted);
  });
}

uint32_t logic(uint32_t op, uint32_t a, uint32_t b) {
  switch (op) {
    case 0: return a & b;
    case 1: return a | b;
    case 2: return a ^ b;
    default: return b;
  }
}
// Pd @48 tests the result: 1 always, 2 zero, 3 not zero.
void set_test(Warp& w, const Instruction& i, uint32_t active, uint32_t test, uint32_t zero) {
  const uint32_t holds = test == 1 ? 0xffffffffu : test == 2 ? zero : test == 3 ? ~zero : 0;
  w.set_predicate(i.field(48, 3), active, holds);
}

void run_lop(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t op = i.field(41, 2), flip_a = i.bit(39) ? 0xffffffffu : 0,
                 flip_b = i.bit(40) ? 0xffffffffu : 0;
  uint32_t zero = 0;
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t value = logic(op, a[lane] ^ flip_a, b[lane] ^ flip_b);
    set_codes(w, i, lane, value);
    d[lane] = value;
    zero |= (value == 0 ? 1u : 0u) << lane;
  });
  set_test(w, i, active, i.field(44, 2), zero);
}
void run_lop32i(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t op = i.field(53, 2), flip_a = i.bit(55) ? 0xffffffffu : 0,
                 flip_b = i.bit(56) ? 0xffffffffu : 0;
  map_codes(w, i, active, [&](uint32_t a, uint32_t b) { return logic(op, a ^ flip_a, b ^ flip_b); });
}

// Bit 4a + 2b + c of the table is the result for source bits a, b, c.
uint32_t look_up(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t value = 0;
  for (uint32_t k = 0; k < 8; ++k) {
    if ((table >> k & 1) == 0) continue;
    value |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
  }
  return value;
}
void run_lop3(Warp& w, const Instruction& i, uint32_t active) {
  const bool narrow = i.opcode == Opcode::lop3;
  const uint32_t table = i.field(narrow ? 28 : 48, 8);
  uint32_t zero = 0;
  const Lanes a = w.a(i), b = w.b(i), c = w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t value = look_up(table, a[lane], b[lane], c[lane]);
    set_codes(w, i, lane, value);
    d[lane] = value;
    zero |= (value == 0 ? 1u : 0u) << lane;
  });
  if (narrow) set_test(w, i, active, i.field(36, 2), zero);
}

// B: position in bits 7:0, length in 15:8.
void run_bfe(Warp& w, const Instruction& i, uint32_t active) {
  const bool reverses = i.bit(40), is_signed = i.bit(48);
  map_codes(w, i, active, [&](uint32_t a, uint32_t b) {
    if (reverses) a = reverse_bits(a);
    const uint32_t position = b & 255, length = b >> 8 & 255;
    if (length == 0) return 0u;
    const uint64_t source = is_signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)}) : uint64_t{a};
    const uint64_t shifted = position < 63 ? static_cast<uint64_t>(static_cast<int64_t>(source) >> position)
                                           : (is_signed && (a >> 31) != 0 ? ~uint64_t{0} : 0);
    if (length >= 32) return static_cast<uint32_t>(shifted);
    const auto field = static_cast<uint32_t>(shifted) & ((1u << length) - 1);
    if (!is_signed) return field;
    // The sign is the field's last bit, or the word's if the field extends past it.
    const uint32_t last = std::min(position + length - 1, 31u);
    return (a >> last & 1) != 0 ? field | ~((1u << length) - 1) : field;
  });
}
void run_bfi(Warp& w, const Instruction& i, uint32_t active) {
  map_abc(w, i, active, [](uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t position = b & 255, length = b >> 8 & 255;
    if (position >= 32 || length == 0) return c;
    const uint32_t mask = (length >= 32 ? 0xffffffffu : (1u << length) - 1) << position;
    return (c & ~mask) | (a << position & mask);
  });
}

// Bytes of C:A, starting with A's (PTX ISA 9.7.9.7, prmt).
uint32_t permute(uint32_t mode, uint32_t a, uint32_t selector, uint32_t c) {
  const uint64_t bytes = uint64_t{c} << 32 | a;
  const auto byte = [&](uint32_t n) { return static_cast<uint32_t>(bytes >> (8 * (n & 7)) & 255); };
  const uint32_t s = selector & 3;
  uint32_t value = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    uint32_t part = 0;
    switch (mode) {
      case 0: {
        const uint32_t select = selector >> (4 * k) & 15;
        part = byte(select);
        if ((select & 8) != 0) part = (part & 0x80) != 0 ? 255 : 0;
        break;
      }
      case 1: part = byte(s + k); break;                   // .F4E
      case 2: part = byte(s + 8 - k); break;               // .B4E
      case 3: part = byte(s); break;                       // .RC8
      case 4: part = byte(std::max(s, k)); break;          // .ECL
      case 5: part = byte(std::min(s, k)); break;          // .ECR
      default: part = byte((s & 1) * 2 + (k & 1)); break;  // .RC16
    }
    value |= part << (8 * k);
  }
  return value;
}
void run_prmt(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t mode = i.field(48, 4);
  map_abc(w, i, active, [&](uint32_t a, uint32_t b, uint32_t c) { return permute(mode, a, b, c); });
}

// The highest set bit (of a signed number: the highest that differs from the sign); ~0 if there is none.
void run_flo(Warp& w, const Instruction& i, uint32_t active) {
  const bool inverts = i.bit(40), counts_from_top = i.bit(41), is_signed = i.bit(48);
  map_b(w, i, active, [&](uint32_t b) {
    if (inverts) b = ~b;
    if (is_signed && (b >> 31) != 0) b = ~b;
    if (b == 0) return 0xffffffffu;
    const auto zeros = static_cast<uint32_t>(std::countl_zero(b));
    return counts_from_top ? zeros : 31 - zeros;
  });
}
void run_popc(Warp& w, const Instruction& i, uint32_t active) {
  const bool inverts = i.bit(40);
  map_b(w, i, active, [&](uint32_t b) { return static_cast<uint32_t>(std::popcount(inverts ? ~b : b)); });
}

void run_sel(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t first = w.predicate_source(i, 39);
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = (first >> lane & 1) != 0 ? a[lane] : b[lane]; });
}

// The lane mask selects lanes of each quad.
void run_mov(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t lanes = i.field(i.opcode == Opcode::mov ? 39 : 12, 4) * 0x11111111u;
  map_b(w, i, active & lanes, [](uint32_t b) { return b; });
  w.set_prepared(i.rd(), i.opcode == Opcode::mov && i.b.kind == Operand::Kind::register_
                             ? w.prepared(i.b.reg)
                             : Warp::Prepared::no);
}

bool refuse(Instruction& i, bool condition, std::string_view why) {
  if (condition) i.why = why;
  return condition;
}

}  // namespace

Handler select_bits(Instruction& i) {
  switch (i.opcode) {
    case Opcode::shl: return refuse(i, i.bit(43), "SHL.X") ? nullptr : run_shl;
    case Opcode::shr: return refuse(i, i.bit(44), "SHR.X") ? nullptr : run_shr;
    case Opcode::shf_left:
    case Opcode::shf_right:
      return refuse(i, i.bit(49) || i.writes_cc, "SHF with condition codes") ? nullptr : run_shf;
    case Opcode::lop: return refuse(i, i.bit(43), "LOP.X") ? nullptr : run_lop;
    case Opcode::lop32i: return refuse(i, i.bit(57), "LOP32I.X") ? nullptr : run_lop32i;
    case Opcode::lop3:
    case Opcode::lop3_constant:
    case Opcode::lop3_immediate: return refuse(i, i.reads_cc, "LOP3.X") ? nullptr : run_lop3;
    case Opcode::bfe: return run_bfe;
    case Opcode::bfi: return refuse(i, i.writes_cc, "BFI.CC") ? nullptr : run_bfi;
    case Opcode::prmt: return refuse(i, i.field(48, 4) > 6, "the mode of PRMT") ? nullptr : run_prmt;
    case Opcode::flo: return refuse(i, i.writes_cc, "FLO.CC") ? nullptr : run_flo;
    case Opcode::popc: return run_popc;
    case Opcode::sel: return run_sel;
    case Opcode::mov:
    case Opcode::mov32i: return run_mov;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
