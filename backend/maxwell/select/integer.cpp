// Integers: sums with three operands, shifted sums, products of 16-bit halves, logic, shifts and bit
// fields.

#include <bit>

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

Source negated(Source source) {
  if (source.is_immediate()) return Source::immediate(0u - source.bits);
  source.flags ^= kNegate;
  source.plain = kNone;
  return source;
}

}  // namespace

void Arithmetic::select_integer(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  const auto in = [&](uint32_t i) { return word(operand(instruction, i)); };
  const auto minmax = [&](bool minimum, const ModifierSetting& sign) {
    const Predicate which = Predicate::constant(minimum);
    emit_to(result, assembler_.commuted({Opcode::imnmx, {Arg(), in(0), in(1), which}, {sign}}));
  };
  const auto leading = [&](const Source& source, const ModifierSetting& sign, ShiftAmount from_top) {
    emit_to(result, {Opcode::flo, {Arg(), source}, {sign, {Modifier::sh, from_top}}});
  };
  const auto reversed = [&](const Source& source) {
    return emit_word({Opcode::bfe,
                      {Arg(), source, Source::immediate(32u << 8)},
                      {kUnsigned, {Modifier::brev, BitReverse::on}}});
  };
  switch (instruction.op) {
    case Op::iadd:
    case Op::isub: return select_sum(instruction);
    case Op::ineg: return define(result, emit_integer_sum(negated(in(0)), Source::immediate(0)));
    case Op::imul:
      return define(result, multiply(operand(instruction, 0), operand(instruction, 1), Source::immediate(0)));
    case Op::imad: return define(result, multiply(operand(instruction, 0), operand(instruction, 1), in(2)));
    case Op::imulhi: return define(result, multiply_high(in(0), in(1), true));
    case Op::umulhi: return define(result, multiply_high(in(0), in(1), false));
    case Op::mad_wide: return select_wide_sum(instruction);
    case Op::imin: return minmax(true, kSigned);
    case Op::imax: return minmax(false, kSigned);
    case Op::umin: return minmax(true, kUnsigned);
    case Op::umax: return minmax(false, kUnsigned);
    case Op::and_: return select_bit_logic(instruction, Logic::and_);
    case Op::or_: return select_bit_logic(instruction, Logic::or_);
    case Op::xor_: return select_bit_logic(instruction, Logic::xor_);
    case Op::not_: {
      Source source = in(0);
      // An immediate has no inversion modifier.
      if (source.is_immediate()) {
        const uint32_t bits = module_.constant_bits(operand(instruction, 0));
        return define(result, assembler_.reg(Source::immediate(~bits)));
      }
      source.flags ^= kInvert;
      source.plain = kNone;
      return define(result, emit_word({Opcode::lop,
                                       {Arg(), Arg(), Source::immediate(0), source},
                                       {{Modifier::logic, Logic::pass_b}}},
                                      1));
    }
    case Op::shl:
    case Op::ishr:
    case Op::ushr: return select_shift(instruction);
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return select_bit_field(instruction);
    case Op::bitrev: return define(result, reversed(in(0)));
    case Op::popcount: return emit_to(result, {Opcode::popc, {Arg(), in(0)}});
    // FLO.SH counts from bit 31 and gives 0xffffffff for none, as Direct3D requires.
    case Op::firstbit_lo: return leading(Source::of(reversed(in(0))), kUnsigned, ShiftAmount::on);
    case Op::firstbit_hi: return leading(in(0), kUnsigned, ShiftAmount::on);
    case Op::firstbit_shi: return leading(in(0), kSigned, ShiftAmount::on);
    case Op::msb_u32: return leading(in(0), kUnsigned, ShiftAmount::off);
    case Op::msb_s32: return leading(in(0), kSigned, ShiftAmount::off);
    case Op::udiv:
    case Op::urem:
    case Op::msad: return refuse(instruction, "an operation that legalization expands");
    case Op::ieq:
    case Op::ine:
    case Op::ilt:
    case Op::ige:
    case Op::ult:
    case Op::uge: return select_compare(instruction);
#define IR_COVERED_integer
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

// ---- sums

void Arithmetic::select_sum(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  const bool difference = instruction.op == Op::isub;
  for (uint32_t i = 0; i < 2; ++i) {
    const Value inner = operand(instruction, i);
    Source other = integer_source(operand(instruction, 1 - i));
    if (difference && i == 0) other = negated(other);
    if (difference && i == 1) continue;  // the inner one would be subtracted
    // (x << n) + y
    if (const auto shift = constant_shift(absorbable(inner, Op::shl))) {
      const Draft scaled{Opcode::iscadd, {Arg(), word(shift->of), other, shift->by()}};
      if (assembler_.cost(scaled) == 0) return emit_to(result, scaled);
    }
    // x + y + z
    const ir::Instruction* sum = absorbable(inner, Op::iadd);
    if (sum != nullptr) {
      Source a = integer_source(operand(*sum, 0));
      Source b = integer_source(operand(*sum, 1));
      Source c = other;
      if (!a.is_value()) std::swap(a, b);
      if (!c.is_value() && b.is_value()) std::swap(b, c);
      const Draft three{Opcode::iadd3, {Arg(), a, b, c}};
      if (assembler_.cost(three) == 0) return emit_to(result, three);
    }
  }
  Source second = integer_source(operand(instruction, 1));
  if (difference) second = negated(second);
  define(result, emit_integer_sum(integer_source(operand(instruction, 0)), second));
}

// ---- products

// The multiplier takes 16-bit halves. a * b + c, low 32 bits:
//   t = a.lo * b.lo + c
//   u = (b.lo << 16) | low half of (a.lo * b.hi)              MRG
//   d = t + (a.hi * b.lo << 16) + (u << 16)                   PSL, CBCC
// With b of 16 bits: t, then d = t + (a.hi * b.lo << 16); with both: t alone.
MachineValue Arithmetic::multiply(Value x, Value y, const Source& addend) {
  bool is_x_short = greatest(x) <= 0xffff;
  bool is_y_short = greatest(y) <= 0xffff;
  if (module_.is_constant(x) || (is_x_short && !is_y_short && !module_.is_constant(y))) {
    std::swap(x, y);
    std::swap(is_x_short, is_y_short);
  }
  const Source a = Source::of(reg(x));
  const Source b = word(y);
  const Source t = emit_source(
      {Opcode::xmad, {Arg(), a, b, addend.is_immediate(0) ? addend : Source::of(assembler_.reg(addend))}});
  if (is_x_short && is_y_short) return t.value;
  if (is_y_short) {
    return emit_word({Opcode::xmad, {Arg(), a.half(kUpperHalf), b, t}, {kShiftLeft}});
  }
  return finish_product(a, b, t);
}

// a * b + c in 64 bits.
void Arithmetic::select_wide_sum(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  const Source number = Source::of(reg(operand(instruction, 0)));
  const Source factor = word(operand(instruction, 1));
  const Words addend = values_.words(operand(instruction, 2));
  if (factor.is_immediate() && std::has_single_bit(factor.bits)) {
    const auto shift = static_cast<unsigned>(std::countr_zero(factor.bits));
    return define(result, scaled_address(addend, number.value, shift));
  }
  define(result, add_product(addend, number, factor));
}

// ---- logic

namespace {

// A truth table has a bit for each combination of its inputs (docs/reference/maxwell.md 6, LOP3).
constexpr uint8_t kFirst = 0xf0;
constexpr uint8_t kSecond = 0xcc;
constexpr uint8_t kThird = 0xaa;

std::optional<Logic> logic_of(Op op) {
  switch (op) {
    case Op::and_: return Logic::and_;
    case Op::or_: return Logic::or_;
    case Op::xor_: return Logic::xor_;
    default: return std::nullopt;
  }
}

uint8_t combine(Logic how, uint8_t a, uint8_t b) {
  switch (how) {
    case Logic::and_: return a & b;
    case Logic::or_: return a | b;
    case Logic::xor_: return a ^ b;
    case Logic::pass_b: break;
  }
  return b;
}

/// An input of the table without its inversion, which becomes part of the table.
uint8_t table_input(Source& source, uint8_t pattern) {
  if ((source.flags & kInvert) == 0) return pattern;
  source.flags = 0;
  source.plain = kNone;
  return static_cast<uint8_t>(~pattern);
}

}  // namespace

/// Two operations as one LOP3, if its operands need no additional register.
bool Arithmetic::select_three_way_logic(const ir::Instruction& instruction, Logic outer) {
  for (uint32_t i = 0; i < 2; ++i) {
    const Value inner_value = operand(instruction, i);
    const ir::Instruction* inner = definition(inner_value);
    const auto how = inner != nullptr ? logic_of(inner->op) : std::nullopt;
    if (!how || absorbable(inner_value, inner->op) == nullptr) continue;
    std::array<Source, 3> inputs = {values_.logic_source(operand(*inner, 0)),
                                    values_.logic_source(operand(*inner, 1)),
                                    values_.logic_source(operand(instruction, 1 - i))};
    std::array<uint8_t, 3> patterns = {kFirst, kSecond, kThird};
    // An operand that is not in a register comes second.
    for (uint32_t k : {0u, 2u}) {
      if (inputs[k].is_value() || !inputs[1].is_value()) continue;
      std::swap(inputs[k], inputs[1]);
      std::swap(patterns[k], patterns[1]);
    }
    // patterns[k] is the role of input k; the table is composed of roles, in the order of the places.
    std::array<uint8_t, 3> places = {kFirst, kSecond, kThird};
    std::array<uint8_t, 3> roles{};
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t role = patterns[k] == kFirst ? 0 : patterns[k] == kSecond ? 1 : 2;
      roles[role] = table_input(inputs[k], places[k]);
    }
    const uint8_t table = combine(outer, combine(*how, roles[0], roles[1]), roles[2]);
    const Shape shape = inputs[1].is_value()       ? Shape::reg
                        : inputs[1].is_immediate() ? Shape::imm
                                                   : Shape::cbuf;
    const bool in_registers = shape == Shape::reg;
    const Draft registers{Opcode::lop3, {Arg(), Arg(), inputs[0], inputs[1], inputs[2], Arg::word(table)}};
    const Draft other{Opcode::lop3, {Arg(), inputs[0], inputs[1], inputs[2], Arg::word(table)}};
    Draft draft = in_registers ? registers : other;
    if (assembler_.cost(draft.only(shape)) != 0) continue;
    define(instruction.first_result, emit_word(draft, in_registers ? 1 : 0));
    return true;
  }
  return false;
}

/// An extracted field: (x >> n) & (2^w - 1).
bool Arithmetic::select_field(const ir::Instruction& instruction) {
  for (uint32_t i = 0; i < 2; ++i) {
    const Value mask = operand(instruction, 1 - i);
    const auto shift = constant_shift(definition(operand(instruction, i)), Op::ushr);
    if (!module_.is_constant(mask) || !shift) continue;
    const uint32_t bits = module_.constant_bits(mask);
    if (bits == 0 || (bits & (bits + 1)) != 0) continue;
    const uint32_t width = static_cast<uint32_t>(std::popcount(bits));
    emit_to(
        instruction.first_result,
        {Opcode::bfe, {Arg(), word(shift->of), Source::immediate(width << 8 | shift->count)}, {kUnsigned}});
    return true;
  }
  return false;
}

/// Joined fields: (x << n) | y, where y has n bits, is a sum.
bool Arithmetic::select_joined_fields(const ir::Instruction& instruction) {
  for (uint32_t i = 0; i < 2; ++i) {
    const auto shift = constant_shift(absorbable(operand(instruction, i), Op::shl));
    const Value low = operand(instruction, 1 - i);
    if (!shift || greatest(low) >> shift->count != 0) continue;
    const Draft joined{Opcode::iscadd, {Arg(), word(shift->of), word(low), shift->by()}};
    if (assembler_.cost(joined) != 0) continue;
    emit_to(instruction.first_result, joined);
    return true;
  }
  return false;
}

void Arithmetic::select_bit_logic(const ir::Instruction& instruction, Logic how) {
  if (how == Logic::and_ && select_field(instruction)) return;
  if (how == Logic::or_ && select_joined_fields(instruction)) return;
  if (select_three_way_logic(instruction, how)) return;
  Source a = values_.logic_source(operand(instruction, 0));
  Source b = values_.logic_source(operand(instruction, 1));
  if (a.is_immediate()) std::swap(a, b);
  const ModifierSetting logic{Modifier::logic, how};
  const Draft short_form = assembler_.commuted({Opcode::lop, {Arg(), Arg(), a, b}, {logic}}, 2);
  if (assembler_.cost(short_form) != 0) {
    const Draft wide{Opcode::lop32i, {Arg(), a, b}, {logic}};
    if (assembler_.cost(wide) < assembler_.cost(short_form)) return emit_to(instruction.first_result, wide);
  }
  define(instruction.first_result, emit_word(short_form, 1));
}

// ---- shifts and bit fields

// .W takes the count modulo 32; without it, counts of 32 and more shift everything out.
void Arithmetic::select_shift(const ir::Instruction& instruction) {
  const Value count = operand(instruction, 1);
  const Source by =
      module_.is_constant(count) ? Source::immediate(module_.constant_bits(count) & 31u) : word(count);
  const ModifierSetting wrap{Modifier::w, module_.is_constant(count) ? Wrap::off : Wrap::on};
  const Source value = word(operand(instruction, 0));
  if (instruction.op == Op::shl) {
    return emit_to(instruction.first_result, {Opcode::shl, {Arg(), value, by}, {wrap}});
  }
  emit_to(instruction.first_result,
          {Opcode::shr, {Arg(), value, by}, {instruction.op == Op::ishr ? kSigned : kUnsigned, wrap}});
}

/// Position in bits 7..0, length in 15..8. Both are modulo 32.
Source Arithmetic::bit_field(Value width, Value offset) {
  if (module_.is_constant(width) && module_.is_constant(offset)) {
    return Source::immediate((module_.constant_bits(width) & 31u) << 8 |
                             (module_.constant_bits(offset) & 31u));
  }
  // Byte 0 of the first source, byte 0 of the second (4), and the same again.
  return emit_source({Opcode::prmt, {Arg(), word(offset), Source::immediate(0x4040), word(width)}});
}

void Arithmetic::select_bit_field(const ir::Instruction& instruction) {
  const Source field = bit_field(operand(instruction, 0), operand(instruction, 1));
  const Source value = word(operand(instruction, 2));
  if (instruction.op == Op::bfi) {
    return emit_to(instruction.first_result,
                   {Opcode::bfi, {Arg(), value, field, word(operand(instruction, 3))}});
  }
  emit_to(instruction.first_result,
          {Opcode::bfe, {Arg(), value, field}, {instruction.op == Op::ibfe ? kSigned : kUnsigned}});
}

}  // namespace texlate::maxwell::select
