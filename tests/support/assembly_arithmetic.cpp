// Arithmetic of the assembly machine on words: D3D11.3 functional specification 3.1 (floats), 22.6, 22.9
// to 22.13.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/assembly_words.h"

namespace texlate::test {

using sm4::Instruction;
using sm4::Opcode;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Word about(float value, float slack) {
  Word word = result(value);
  if (word.known != Known::exact || std::isinf(value) || value == 0) return word;
  return {word.bits, Known::close, slack};
}
/// 3.1: rcp, rsq, exp and log have 21 bits; devices divide floats by multiplying with a reciprocal.
Word relative(float value) {
  return about(value, std::fabs(value) * 0x1p-20f);
}

/// A result that may be computed in several ways is determined only if they agree.
Word agreed(std::initializer_list<float> ways) {
  Word first = result(*ways.begin());
  for (const float way : ways) {
    const Word other = result(way);
    if (other.known != first.known || (other.known == Known::exact && other.bits != first.bits))
      return Word::open();
  }
  return first;
}

Word minimum(const Word& a, const Word& b, bool max) {
  if (any_vague(a, b)) return Word::open();
  const float x = number(a);
  const float y = number(b);
  if (std::isnan(x) && std::isnan(y)) return {0x7fc00000u, Known::nan, 0};
  const Word& taken = std::isnan(x) ? b : std::isnan(y) ? a : (max ? x >= y : x < y) ? a : b;
  // The sign of a zero, and whether a denormal result is flushed, are not determined.
  const bool zeros = x == 0 && y == 0 && a.bits != b.bits;
  if (zeros || is_denormal(std::bit_cast<float>(taken.bits))) return Word::open();
  return taken;
}

Word multiply_add(const Word& a, const Word& b, const Word& c) {
  if (any_vague(a, b, c)) return Word::open();
  const float x = number(a);
  const float y = number(b);
  const float z = number(c);
  return agreed({flush(x * y) + z, std::fma(x, y, z)});
}

Word dot(const Vector& a, const Vector& b, uint32_t count) {
  std::array<float, 4> products{};
  for (uint32_t c = 0; c < count; ++c) {
    if (any_vague(a[c], b[c])) return Word::open();
    products[c] = flush(number(a[c]) * number(b[c]));
  }
  float forward = products[0];
  float backward = products[count - 1];
  float fused_forward = products[0];
  float fused_backward = products[count - 1];
  for (uint32_t c = 1; c < count; ++c) {
    const uint32_t d = count - 1 - c;
    forward = flush(forward + products[c]);
    backward = flush(backward + products[d]);
    fused_forward = flush(std::fma(number(a[c]), number(b[c]), fused_forward));
    fused_backward = flush(std::fma(number(a[d]), number(b[d]), fused_backward));
  }
  const float pairs = count == 4 ? (products[0] + products[1]) + (products[2] + products[3]) : forward;
  return agreed({forward, backward, fused_forward, fused_backward, pairs});
}

Word divide(const Word& a, const Word& b) {
  if (any_vague(a, b)) return Word::open();
  const float x = number(a);
  const float y = number(b);
  const float quotient = x / y;
  if (std::isnan(quotient) || quotient == 0 || std::isinf(quotient)) {
    // x * (1 / y) is also allowed. If the reciprocal is flushed or overflows, the result differs.
    return agreed({quotient, x * flush(1 / y)});
  }
  return std::fabs(y) > 0x1p125f || is_denormal(quotient) ? Word::open() : relative(quotient);
}

Word transcendental(Opcode opcode, const Word& source) {
  if (is_vague(source)) return Word::open();
  const float x = number(source);
  switch (opcode) {
    case Opcode::sqrt:
      return x > 0 && !std::isinf(x) ? about(std::sqrt(x), std::sqrt(x) * 0x1p-22f) : result(std::sqrt(x));
    case Opcode::rcp: return x != 0 && std::isfinite(x) ? relative(1 / x) : result(1 / x);
    case Opcode::rsq:
      if (x == 0) return result(std::copysign(kInfinity, x));
      return std::isfinite(x) ? relative(1 / std::sqrt(x)) : result(1 / std::sqrt(x));
    case Opcode::exp:
      if (x == 0 || !std::isfinite(x)) return result(std::exp2(x));
      return std::fabs(x) > 125 ? Word::open() : relative(std::exp2(x));
    case Opcode::log:
      if (x == 0) return result(-kInfinity);
      if (!std::isfinite(x) || x < 0) return result(std::log2(x));
      return about(std::log2(x), std::max(0x1p-20f, std::fabs(std::log2(x)) * 0x1p-20f));
    default: return Word::open();
  }
}

/// 22.10, sincos: 0.0008 within 100 pi.
Word sine_or_cosine(const Word& source, bool cosine) {
  if (is_vague(source)) return Word::open();
  const float x = number(source);
  if (!std::isfinite(x)) return {0x7fc00000u, Known::nan, 0};
  if (x == 0) return cosine ? Word{bits_of(1.0f), Known::close, 0.0008f} : result(x);
  if (std::fabs(x) > 314) return Word::open();
  const float value = cosine ? std::cos(x) : std::sin(x);
  return {bits_of(value), Known::close, 0.0009f};
}

Word rounded(Opcode opcode, const Word& source) {
  if (is_vague(source)) return Word::open();
  const float x = number(source);
  switch (opcode) {
    case Opcode::round_ne: return result(std::nearbyint(x));
    case Opcode::round_ni: return result(std::floor(x));
    case Opcode::round_pi: return result(std::ceil(x));
    case Opcode::round_z: return result(std::trunc(x));
    default: {
      if (!std::isfinite(x)) return {0x7fc00000u, Known::nan, 0};
      const float fraction = x - std::floor(x);  // 1 is not a fraction: a tiny negative number rounds to it
      return fraction >= 1 ? Word::open() : exact(bits_of(flush(fraction) + 0.0f));
    }
  }
}

Word compared(Opcode opcode, const Word& a, const Word& b) {
  if (any_vague(a, b)) return Word::open();
  const float x = number(a);
  const float y = number(b);
  bool holds = false;
  switch (opcode) {
    case Opcode::eq: holds = x == y; break;
    case Opcode::ne: holds = !(x == y); break;
    case Opcode::lt: holds = x < y; break;
    default: holds = x >= y; break;
  }
  return exact(holds ? kTrueMask : 0);
}

/// 22.13: toward zero, clamped, NaN gives 0.
Word to_integer(const Word& source, bool is_signed) {
  if (is_vague(source)) return Word::open();
  const double x = number(source);
  if (std::isnan(x)) return exact(0);
  const double least = is_signed ? -2147483648.0 : 0.0;
  const double most = is_signed ? 2147483647.0 : 4294967295.0;
  const auto whole = static_cast<int64_t>(std::trunc(std::clamp(x, least, most)));
  return exact(static_cast<uint32_t>(whole));
}

/// Rounding is free: the result is determined only if it is exact.
Word to_float(int64_t value) {
  const auto rounded_value = static_cast<float>(value);
  return static_cast<int64_t>(static_cast<double>(rounded_value)) == value
             ? result(rounded_value)
             : about(rounded_value, std::fabs(rounded_value) * 0x1p-23f);
}

/// 22.13, f32tof16: toward zero. A value that is too large becomes the largest; INF stays.
Word to_half(const Word& source) {
  if (is_vague(source) || source.known == Known::nan) return Word::open();
  const float x = std::bit_cast<float>(source.bits);
  const uint32_t sign = source.bits >> 16 & 0x8000u;
  if (std::isnan(x)) return Word::open();
  if (std::isinf(x)) return exact(sign | 0x7c00u);
  const double magnitude = std::fabs(static_cast<double>(flush(x)));
  if (magnitude >= 65504) return exact(sign | 0x7bffu);
  if (magnitude < 0x1p-14) return exact(sign | static_cast<uint32_t>(std::floor(magnitude * 0x1p24)));
  int exponent = 0;
  const double mantissa = std::frexp(magnitude, &exponent);  // 0.5 to 1
  const auto fraction = static_cast<uint32_t>(std::floor((mantissa * 2 - 1) * 1024));
  return exact(sign | static_cast<uint32_t>(exponent - 1 + 15) << 10 | fraction);
}

Word from_half(const Word& source) {
  if (source.known != Known::exact) return Word::open();
  const uint32_t half = source.bits & 0xffffu;
  const uint32_t exponent = half >> 10 & 31;
  const uint32_t fraction = half & 1023;
  const float sign = (half & 0x8000u) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction != 0 ? Word{0x7fc00000u, Known::nan, 0} : result(sign * kInfinity);
  const double value = exponent == 0 ? fraction * 0x1p-24
                                     : std::ldexp(1.0 + fraction / 1024.0, static_cast<int>(exponent) - 15);
  return result(sign * static_cast<float>(value));
}

uint32_t reversed(uint32_t value) {
  uint32_t out = 0;
  for (uint32_t i = 0; i < 32; ++i) out |= (value >> i & 1) << (31 - i);
  return out;
}

/// 22.12, msad: bytes of the reference that are 0 are not counted.
uint32_t masked_difference(uint32_t reference, uint32_t source, uint32_t sum) {
  for (uint32_t i = 0; i < 4; ++i) {
    const auto r = static_cast<int32_t>(reference >> (8 * i) & 255);
    const auto s = static_cast<int32_t>(source >> (8 * i) & 255);
    if (r != 0) sum += static_cast<uint32_t>(r > s ? r - s : s - r);
  }
  return sum;
}

uint32_t extract(uint32_t width, uint32_t offset, uint32_t value, bool is_signed) {
  width &= 31;
  offset &= 31;
  if (width == 0) return 0;
  if (width + offset >= 32) {
    return is_signed ? static_cast<uint32_t>(as_signed(value) >> offset) : value >> offset;
  }
  const uint32_t up = value << (32 - width - offset);
  return is_signed ? static_cast<uint32_t>(as_signed(up) >> (32 - width)) : up >> (32 - width);
}

uint32_t insert(uint32_t width, uint32_t offset, uint32_t value, uint32_t base) {
  width &= 31;
  offset &= 31;
  const uint32_t mask = ((1u << width) - 1) << offset;
  return ((value << offset) & mask) | (base & ~mask);
}

/// Integer operations with one result: 22.11, 22.12. Returns false for others.
bool integer_result(Opcode opcode, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t& out) {
  const int32_t x = as_signed(a);
  const int32_t y = as_signed(b);
  const auto truth = [](bool holds) { return holds ? kTrueMask : 0u; };
  switch (opcode) {
    case Opcode::iadd: out = a + b; return true;
    case Opcode::imad:
    case Opcode::umad: out = a * b + c; return true;
    case Opcode::ineg: out = 0u - a; return true;
    case Opcode::imin: out = x < y ? a : b; return true;
    case Opcode::imax: out = x > y ? a : b; return true;
    case Opcode::umin: out = std::min(a, b); return true;
    case Opcode::umax: out = std::max(a, b); return true;
    case Opcode::ieq: out = truth(a == b); return true;
    case Opcode::ine: out = truth(a != b); return true;
    case Opcode::ilt: out = truth(x < y); return true;
    case Opcode::ige: out = truth(x >= y); return true;
    case Opcode::ult: out = truth(a < b); return true;
    case Opcode::uge: out = truth(a >= b); return true;
    case Opcode::and_: out = a & b; return true;
    case Opcode::or_: out = a | b; return true;
    case Opcode::xor_: out = a ^ b; return true;
    case Opcode::not_: out = ~a; return true;
    case Opcode::ishl: out = a << (b & 31); return true;
    case Opcode::ishr: out = static_cast<uint32_t>(x >> (b & 31)); return true;
    case Opcode::ushr: out = a >> (b & 31); return true;
    case Opcode::ubfe: out = extract(a, b, c, false); return true;
    case Opcode::ibfe: out = extract(a, b, c, true); return true;
    case Opcode::bfi: out = insert(a, b, c, d); return true;
    case Opcode::bfrev: out = reversed(a); return true;
    case Opcode::countbits: out = static_cast<uint32_t>(std::popcount(a)); return true;
    case Opcode::firstbit_lo:
      out = a == 0 ? kTrueMask : static_cast<uint32_t>(std::countr_zero(a));
      return true;
    case Opcode::firstbit_hi:
      out = a == 0 ? kTrueMask : static_cast<uint32_t>(std::countl_zero(a));
      return true;
    case Opcode::firstbit_shi: {
      const uint32_t seen = x < 0 ? ~a : a;
      out = seen == 0 ? kTrueMask : static_cast<uint32_t>(std::countl_zero(seen));
      return true;
    }
    case Opcode::msad: out = masked_difference(a, b, c); return true;
    default: return false;
  }
}

}  // namespace

bool AssemblyMachine::integer(Lane& lane, const Instruction& instruction) {
  uint32_t ignored = 0;
  if (!integer_result(instruction.opcode, 0, 0, 0, 0, ignored)) return false;
  std::array<Vector, 4> sources{};
  const uint32_t count = instruction.operand_count - 1u;
  for (uint32_t i = 0; i < count; ++i) sources[i] = source(lane, instruction, i + 1);
  Vector out;
  for (uint32_t c = 0; c < 4; ++c) {
    bool known = true;
    for (uint32_t i = 0; i < count; ++i) known &= sources[i][c].known == Known::exact;
    out[c] = Word::open();
    uint32_t bits = 0;
    integer_result(instruction.opcode, sources[0][c].bits, sources[1][c].bits, sources[2][c].bits,
                   sources[3][c].bits, bits);
    if (known) out[c] = exact(bits);
  }
  write(lane, instruction, 0, out);
  return true;
}

/// Instructions with two destinations. All sources are read before anything is written.
bool AssemblyMachine::two_results(Lane& lane, const Instruction& instruction) {
  Vector first;
  Vector second;
  switch (instruction.opcode) {
    case Opcode::sincos: {
      const Vector x = source(lane, instruction, 2);
      for (uint32_t c = 0; c < 4; ++c) {
        first[c] = sine_or_cosine(x[c], false);
        second[c] = sine_or_cosine(x[c], true);
        if (!instruction.saturate()) continue;
        first[c] = saturate(first[c]);
        second[c] = saturate(second[c]);
      }
      break;
    }
    case Opcode::swapc: {
      const Vector condition = source(lane, instruction, 2);
      const Vector a = source(lane, instruction, 3);
      const Vector b = source(lane, instruction, 4);
      for (uint32_t c = 0; c < 4; ++c) {
        const bool vague = is_vague(condition[c]);
        const bool swapped = condition[c].bits != 0;
        first[c] = vague ? Word::open() : swapped ? b[c] : a[c];
        second[c] = vague ? Word::open() : swapped ? a[c] : b[c];
      }
      break;
    }
    case Opcode::imul:
    case Opcode::umul:
    case Opcode::udiv:
    case Opcode::uaddc:
    case Opcode::usubb: {
      const Vector a = source(lane, instruction, 2);
      const Vector b = source(lane, instruction, 3);
      for (uint32_t c = 0; c < 4; ++c) {
        const uint64_t x = a[c].bits;
        const uint64_t y = b[c].bits;
        uint64_t both = 0;  // low word: the second destination
        switch (instruction.opcode) {
          case Opcode::imul:
            both = static_cast<uint64_t>(int64_t{as_signed(a[c].bits)} * int64_t{as_signed(b[c].bits)});
            break;
          case Opcode::umul: both = x * y; break;
          case Opcode::udiv: both = y == 0 ? ~uint64_t{0} : (x / y) << 32 | x % y; break;
          case Opcode::uaddc: both = (x + y) << 32 | (x + y) >> 32; break;
          default: both = (x - y) << 32 | (x < y ? 1u : 0u); break;
        }
        const bool known = a[c].known == Known::exact && b[c].known == Known::exact;
        first[c] = known ? exact(static_cast<uint32_t>(both >> 32)) : Word::open();
        second[c] = known ? exact(static_cast<uint32_t>(both)) : Word::open();
      }
      break;
    }
    default: return false;
  }
  write(lane, instruction, 0, first);
  write(lane, instruction, 1, second);
  return true;
}

bool AssemblyMachine::arithmetic(Lane& lane, const Instruction& instruction) {
  if (integer(lane, instruction) || two_results(lane, instruction) || doubles(lane, instruction)) return true;
  const Opcode opcode = instruction.opcode;
  const sm4::OpcodeInfo& info = sm4::info(opcode);
  if (info.operand_count < 2 || info.shapes[0] != sm4::OperandShape::destination) return false;
  for (uint32_t i = 1; i < info.operand_count; ++i) {
    if (info.shapes[i] != sm4::OperandShape::source) return false;
  }
  std::array<Vector, 3> x{};
  for (uint32_t i = 1; i < info.operand_count; ++i) x[i - 1] = source(lane, instruction, i);
  Vector out;
  const auto each = [&](auto make) {
    for (uint32_t c = 0; c < 4; ++c) out[c] = make(c);
  };
  switch (opcode) {
    case Opcode::add:
      each([&](uint32_t c) {
        return any_vague(x[0][c], x[1][c]) ? Word::open() : result(number(x[0][c]) + number(x[1][c]));
      });
      break;
    case Opcode::mul:
      each([&](uint32_t c) {
        return any_vague(x[0][c], x[1][c]) ? Word::open() : result(number(x[0][c]) * number(x[1][c]));
      });
      break;
    case Opcode::div: each([&](uint32_t c) { return divide(x[0][c], x[1][c]); }); break;
    case Opcode::min: each([&](uint32_t c) { return minimum(x[0][c], x[1][c], false); }); break;
    case Opcode::max: each([&](uint32_t c) { return minimum(x[0][c], x[1][c], true); }); break;
    case Opcode::mad: each([&](uint32_t c) { return multiply_add(x[0][c], x[1][c], x[2][c]); }); break;
    case Opcode::dp2: each([&](uint32_t) { return dot(x[0], x[1], 2); }); break;
    case Opcode::dp3: each([&](uint32_t) { return dot(x[0], x[1], 3); }); break;
    case Opcode::dp4: each([&](uint32_t) { return dot(x[0], x[1], 4); }); break;
    case Opcode::exp:
    case Opcode::log:
    case Opcode::rsq:
    case Opcode::rcp:
    case Opcode::sqrt: each([&](uint32_t c) { return transcendental(opcode, x[0][c]); }); break;
    case Opcode::frc:
    case Opcode::round_ne:
    case Opcode::round_ni:
    case Opcode::round_pi:
    case Opcode::round_z: each([&](uint32_t c) { return rounded(opcode, x[0][c]); }); break;
    case Opcode::mov: out = x[0]; break;
    case Opcode::movc:
      each([&](uint32_t c) {
        return is_vague(x[0][c]) ? Word::open() : x[0][c].bits != 0 ? x[1][c] : x[2][c];
      });
      break;
    case Opcode::eq:
    case Opcode::ne:
    case Opcode::lt:
    case Opcode::ge: each([&](uint32_t c) { return compared(opcode, x[0][c], x[1][c]); }); break;
    case Opcode::ftoi: each([&](uint32_t c) { return to_integer(x[0][c], true); }); break;
    case Opcode::ftou: each([&](uint32_t c) { return to_integer(x[0][c], false); }); break;
    case Opcode::itof:
      each([&](uint32_t c) {
        return x[0][c].known != Known::exact ? Word::open() : to_float(as_signed(x[0][c].bits));
      });
      break;
    case Opcode::utof:
      each([&](uint32_t c) { return x[0][c].known != Known::exact ? Word::open() : to_float(x[0][c].bits); });
      break;
    case Opcode::f32tof16: each([&](uint32_t c) { return to_half(x[0][c]); }); break;
    case Opcode::f16tof32:
      each([&](uint32_t c) {
        Word word = from_half(x[0][c]);
        const auto modifier = static_cast<uint32_t>(operand(instruction, 1).modifier);
        if ((modifier & 2) != 0) word.bits &= 0x7fffffffu;
        if ((modifier & 1) != 0) word.bits ^= 0x80000000u;
        return word;
      });
      break;
    default: return false;
  }
  if (instruction.saturate()) each([&](uint32_t c) { return saturate(out[c]); });
  write(lane, instruction, 0, out);
  return true;
}

/// 22.5: right minus left, lower minus upper. A coarse one may be from any row or column of the quad.
void AssemblyMachine::derivative(const Instruction& instruction, Mask mask) {
  const Opcode opcode = instruction.opcode;
  const bool along_x =
      opcode == Opcode::deriv_rtx || opcode == Opcode::deriv_rtx_coarse || opcode == Opcode::deriv_rtx_fine;
  const bool fine = opcode == Opcode::deriv_rtx_fine || opcode == Opcode::deriv_rty_fine;
  const uint32_t step = along_x ? 1 : 2;
  std::vector<Vector> results(lanes_->size());
  for (uint32_t quad = 0; quad + 4 <= lanes_->size(); quad += 4) {
    const bool whole = (mask >> quad & 15) == 15;
    for (uint32_t i = 0; i < 4; ++i) {
      const auto difference = [&](uint32_t first, uint32_t c) {
        const Word a = source((*lanes_)[quad + first], instruction, 1, c);
        const Word b = source((*lanes_)[quad + first + step], instruction, 1, c);
        return any_vague(a, b) ? Word::open() : result(number(b) - number(a));
      };
      for (uint32_t c = 0; c < 4; ++c) {
        Word& out = results[quad + i][c];
        out = whole ? difference(i & ~step, c) : Word::open();
        if (!fine && out.known == Known::exact) {
          const Word other = difference((i & ~step) ^ (along_x ? 2 : 1), c);
          if (other.known != Known::exact || other.bits != out.bits) out = Word::open();
        }
        if (instruction.saturate()) out = saturate(out);
      }
    }
  }
  for (uint32_t i = 0; i < lanes_->size(); ++i) {
    if ((mask >> i & 1) != 0) write((*lanes_)[i], instruction, 0, results[i]);
  }
}

}  // namespace texlate::test
