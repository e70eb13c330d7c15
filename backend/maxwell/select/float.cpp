// Single precision. Everything flushes denormals (.FTZ), as Direct3D requires, except the steps within
// divisions and square roots.

#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Value;

constexpr uint32_t kOne = 0x3f800000;
constexpr uint32_t kHalf = 0x3f000000;
constexpr uint32_t kMinusZero = 0x80000000;

const ModifierSetting kFtz{Modifier::ftz, Ftz::on};
const ModifierSetting kFmzFtz{Modifier::fmz, Fmz::ftz};

/// A sign change of a product's operand is one of the product: on B, or in an immediate.
void move_signs(Source& a, Source& b) {
  const uint8_t sign = (a.flags ^ b.flags) & kNegate;
  // An operand with a magnitude, too, keeps all its modifiers in a register.
  if (((a.flags | b.flags) & kAbsolute) != 0) return;
  if (a.is_value() || a.kind == Source::Kind::constant) a.flags = 0;
  b.flags = 0;
  if (sign == 0) return;
  if (b.is_immediate()) {
    b.bits ^= kMinusZero;
  } else if (a.is_immediate()) {
    a.bits ^= kMinusZero;
  } else {
    b.flags = kNegate;
    b.plain = kNone;
  }
}

bool is_negated(const Source& source) {
  return (source.flags & kNegate) != 0;
}

}  // namespace

void Selector::select_float(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  // The saturation of a value that nothing else reads is part of the instruction that computes the value.
  const ir::Instruction* user = only_user(result);
  const bool saturates =
      user != nullptr && user->op == Op::fsat && absorbable(result, instruction.op) != nullptr;
  const uint8_t sat = saturates ? 1 : 0;
  const auto done = [&](MachineValue value) {
    define(result, value);
    if (!saturates) return;
    define(user->first_result, value);
    skip(*user);
  };
  const auto in = [&](uint32_t i) { return float_source(operand(instruction, i)); };
  switch (instruction.op) {
    case Op::fadd: return done(emit_sum(in(0), in(1), sat));
    case Op::fmul: return done(emit_product(in(0), in(1), sat));
    case Op::ffma: {
      const bool addend_ends = has_one_use(operand(instruction, 2));
      return done(emit_fused(in(0), in(1), in(2), sat, Fmz::ftz, addend_ends));
    }
    case Op::fdiv: return define(result, emit_division(in(0), in(1)));
    case Op::fmin:
    case Op::fmax: {
      const Predicate minimum = Predicate::constant(instruction.op == Op::fmin);
      const Draft straight{Opcode::fmnmx, {Arg(), in(0), in(1), minimum}, {kFtz}};
      const Draft swapped{Opcode::fmnmx, {Arg(), in(1), in(0), minimum}, {kFtz}};
      return emit_to(result, assembler.cheaper(straight, swapped));
    }
    // Bits change, and nothing is flushed; float operations include the sign change in their operand.
    case Op::fneg:
      return emit_to(result, {Opcode::lop32i,
                              {Arg(), word(operand(instruction, 0)), Source::immediate(kMinusZero)},
                              {{Modifier::logic, Logic::xor_}}});
    case Op::fabs:
      return emit_to(result, {Opcode::lop32i,
                              {Arg(), word(operand(instruction, 0)), Source::immediate(~kMinusZero)},
                              {{Modifier::logic, Logic::and_}}});
    case Op::fsat:
      return emit_to(result, {Opcode::fadd, {Arg(), in(0), minus_zero()}, {kFtz, {Modifier::sat, Sat::on}}});
    case Op::fsqrt: return define(result, emit_square_root(in(0)));
    case Op::frsq: return define(result, emit_function(Function::rsq, in(0)));
    case Op::frcp: return define(result, emit_function(Function::rcp, in(0)));
    case Op::flog2: return define(result, emit_function(Function::lg2, in(0)));
    case Op::fexp2: return define(result, emit_reduced(Function::ex2, RangeReduction::ex2, in(0)));
    case Op::fsin: return define(result, emit_reduced(Function::sin, RangeReduction::sincos, in(0)));
    case Op::fcos: return define(result, emit_reduced(Function::cos, RangeReduction::sincos, in(0)));
    case Op::ffrac: return refuse(instruction, "an operation that legalisation expands");
    case Op::frint: return define(result, emit_rounding(IntegerRounding::round, in(0)));
    case Op::ffloor: return define(result, emit_rounding(IntegerRounding::floor, in(0)));
    case Op::fceil: return define(result, emit_rounding(IntegerRounding::ceil, in(0)));
    case Op::ftrunc: return define(result, emit_rounding(IntegerRounding::trunc, in(0)));
    case Op::feq:
    case Op::fne:
    case Op::flt:
    case Op::fge: return select_compare(instruction);
#define IR_COVERED_float32
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

/// -0: RZ with its sign changed, the neutral element of addition.
Source Selector::minus_zero() {
  return Source::immediate(kMinusZero);
}

MachineValue Selector::emit_sum(Source a, Source b, uint8_t sat) {
  if (a.is_immediate()) std::swap(a, b);
  const ModifierSetting saturation{Modifier::sat, sat};
  const Draft straight{Opcode::fadd, {Arg(), a, b}, {kFtz, saturation}};
  const Draft swapped{Opcode::fadd, {Arg(), b, a}, {kFtz, saturation}};
  const Draft wide{Opcode::fadd32i, {Arg(), a, b}, {kFtz, saturation}};
  const Draft& short_form = assembler.cheaper(straight, swapped);
  return assembler.emit_word(assembler.cheaper(short_form, wide));
}

MachineValue Selector::emit_product(Source a, Source b, uint8_t sat) {
  if (a.is_immediate()) std::swap(a, b);
  move_signs(a, b);
  const ModifierSetting saturation{Modifier::sat, sat};
  const Draft straight{Opcode::fmul, {Arg(), a, b}, {kFmzFtz, saturation}};
  const Draft swapped{Opcode::fmul, {Arg(), b, a}, {kFmzFtz, saturation}};
  const Draft wide{Opcode::fmul32i, {Arg(), a, b}, {kFmzFtz, saturation}};
  const Draft& short_form = assembler.cheaper(straight, swapped);
  return assembler.emit_word(assembler.cheaper(short_form, wide));
}

MachineValue Selector::emit_fused(Source a, Source b, Source c, uint8_t sat, Fmz flush, bool addend_ends) {
  if (a.is_immediate()) std::swap(a, b);
  move_signs(a, b);
  const ModifierSetting saturation{Modifier::sat, sat};
  const ModifierSetting flushing{Modifier::fmz, flush};
  const Draft straight{Opcode::ffma, {Arg(), a, b, c}, {flushing, saturation}};
  // The sign is on B; the swapped form gets it from A.
  Source first = b;
  Source second = a;
  if (is_negated(first) && !first.is_immediate() && (first.flags & kAbsolute) == 0) {
    first.flags = 0;
    second.flags ^= kNegate;
  }
  const Draft swapped{Opcode::ffma, {Arg(), first, second, c}, {flushing, saturation}};
  const Draft& best = assembler.cheaper(straight, swapped);
  // FFMA32I holds any immediate; its result takes over the register of the addend.
  if (addend_ends && b.is_immediate() && c.is_value()) {
    const Draft wide{Opcode::ffma32i, {Arg(), a, b, c}, {flushing, saturation}};
    return assembler.emit_word(assembler.cheaper(best, wide));
  }
  return assembler.emit_word(best);
}

MachineValue Selector::emit_function(Function function, const Source& x) {
  return assembler.emit_word({Opcode::mufu, {Arg(), x}, {{Modifier::function, function}}});
}

MachineValue Selector::emit_reduced(Function function, RangeReduction reduction, const Source& x) {
  const MachineValue reduced =
      assembler.emit_word({Opcode::rro, {Arg(), x}, {{Modifier::range_reduction, reduction}}});
  return emit_function(function, Source::of(reduced));
}

MachineValue Selector::emit_rounding(IntegerRounding rounding, const Source& x) {
  return assembler.emit_word(
      Draft{Opcode::f2f, {Arg(), x}, {kFtz, {Modifier::integer_rounding, rounding}}}.spelled("F32", "F32"));
}

// s = x / sqrt(x), then one step of Newton's method: s + (x - s * s) / (2 sqrt(x)), within one unit in the
// last place (D3D11.3 3.1.3.3). If x is zero, infinite, negative or NaN, the step gives NaN. FMNMX then
// returns the other operand, 1 / (0.5 / sqrt(x)), which is 0, INF or NaN in these cases and otherwise greater
// than the root.
MachineValue Selector::emit_square_root(const Source& x) {
  const Source root = Source::of(assembler.reg(x));
  const Source inverse = Source::of(emit_function(Function::rsq, root));
  const MachineValue s = emit_product(root, inverse, 0);
  const MachineValue half = emit_product(inverse, Source::immediate(kHalf), 0);
  const Source bound = Source::of(emit_function(Function::rcp, Source::of(half)));
  Source minus = Source::of(s);
  minus.flags = kNegate;
  const MachineValue rest = emit_fused(Source::of(s), minus, root, 0, Fmz::off);
  const MachineValue better = emit_fused(Source::of(rest), Source::of(half), Source::of(s), 0, Fmz::off);
  return assembler.emit_word(
      {Opcode::fmnmx, {Arg(), Source::of(better), bound, Predicate::constant(true)}, {kFtz}});
}

// Correctly rounded: a reciprocal of sufficient precision, a quotient, its remainder, the corrected quotient.
// FCHK detects exponents outside the range in which the steps neither overflow nor underflow; these quotients
// are computed from the significands.
MachineValue Selector::emit_division(const Source& dividend, const Source& divisor) {
  const Source a = Source::of(assembler.reg(dividend));
  const Source b = Source::of(assembler.reg(divisor));
  const MachineValue check = assembler.predicate();
  const MachineValue near = emit_quotient(a, b);
  emit({Opcode::fchk, {Predicate{check, false}, a, b}});

  machine::Builder& builder = assembler.builder();
  const machine::BlockId slow = builder.block();
  const machine::BlockId fast = builder.block();
  const machine::BlockId merge = builder.block();
  builder.selection(merge);
  builder.branch(check, false, slow, fast);
  assembler.enter_region();
  builder.begin(slow);
  const MachineValue far = emit_extreme_quotient(a, b);
  builder.jump(merge, std::array{far});
  assembler.leave_region();
  builder.begin(fast);
  builder.jump(merge, std::array{near});
  const MachineValue result = assembler.general();
  builder.begin(merge, std::array{result});
  return result;
}

MachineValue Selector::emit_quotient(const Source& a, const Source& b) {
  const auto negated = [](MachineValue value) {
    Source source = Source::of(value);
    source.flags = kNegate;
    return source;
  };
  const auto fused = [&](const Source& x, const Source& y, const Source& z) {
    return emit_fused(x, y, z, 0, Fmz::off);
  };
  const MachineValue r = emit_function(Function::rcp, b);
  const MachineValue r_rest = fused(b, negated(r), Source::immediate(kOne));
  const Source inverse = Source::of(fused(Source::of(r), Source::of(r_rest), Source::of(r)));
  const MachineValue q = fused(a, inverse, Source::immediate(0));
  const MachineValue rest = fused(b, negated(q), a);
  return fused(inverse, Source::of(rest), Source::of(q));
}

// |a| / |b| from the significands, in [1/2, 2), times two powers of two whose product is 2^(exponent of a -
// exponent of b). If an exponent is 0 (zero, denormal) or 255 (INF, NaN): a times 1/b, where a normal b is
// replaced by its significand, so that the result is that of IEEE 754 for these operands.
MachineValue Selector::emit_extreme_quotient(const Source& a, const Source& b) {
  const auto significand = [&](const Source& x) {
    const MachineValue fraction = assembler.emit_word(
        {Opcode::lop32i, {Arg(), x, Source::immediate(0x807fffff)}, {{Modifier::logic, Logic::and_}}});
    return Source::of(assembler.emit_word({Opcode::lop32i,
                                           {Arg(), Source::of(fraction), Source::immediate(kOne)},
                                           {{Modifier::logic, Logic::or_}}}));
  };
  const auto exponent = [&](const Source& x) {
    return assembler.emit_word(
        {Opcode::bfe, {Arg(), x, Source::immediate(8u << 8 | 23u)}, {{Modifier::is_signed, IsSigned::u32}}});
  };
  const auto is_special = [&](MachineValue biased, Predicate other) {
    const MachineValue less =
        assembler.emit_word({Opcode::iadd, {Arg(), Source::of(biased), Source::immediate(0xffffffff)}});
    const MachineValue special = assembler.predicate();
    emit({Opcode::isetp,
          {Predicate{special, false}, Arg(), Source::of(less), Source::immediate(0xfd), other},
          {{Modifier::integer_compare, IntegerCompare::gt}, {Modifier::boolean, Boolean::or_}}});
    return Predicate{special, false};
  };
  const MachineValue ea = exponent(a);
  const MachineValue eb = exponent(b);
  const Predicate b_special = is_special(eb, Predicate::constant(false));
  const Predicate special = is_special(ea, b_special);
  const Source mb = significand(b);
  const MachineValue quotient = emit_quotient(significand(a), mb);

  Source minus = Source::of(eb);
  minus.flags = kNegate;
  const MachineValue total = assembler.emit_word({Opcode::iadd, {Arg(), Source::of(ea), minus}});
  const MachineValue first = assembler.emit_word({Opcode::shr,
                                                  {Arg(), Source::of(total), Source::immediate(1)},
                                                  {{Modifier::is_signed, IsSigned::s32}}});
  Source minus_first = Source::of(first);
  minus_first.flags = kNegate;
  const MachineValue second = assembler.emit_word({Opcode::iadd, {Arg(), Source::of(total), minus_first}});
  const auto power = [&](MachineValue n) {
    const MachineValue shifted =
        assembler.emit_word({Opcode::shl, {Arg(), Source::of(n), Source::immediate(23)}});
    return Source::of(
        assembler.emit_word({Opcode::iadd32i, {Arg(), Source::of(shifted), Source::immediate(kOne)}}));
  };
  const MachineValue scaled = emit_product(Source::of(quotient), power(first), 0);
  const MachineValue finite = emit_product(Source::of(scaled), power(second), 0);

  const MachineValue known_b = emit_select(b_special, b, mb);
  const MachineValue inverse = emit_function(Function::rcp, Source::of(known_b));
  const MachineValue limit = emit_product(a, Source::of(inverse), 0);
  return emit_select(special, Source::of(limit), Source::of(finite));
}

}  // namespace texlate::maxwell::select
