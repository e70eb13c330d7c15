// Single precision. Everything flushes denormals (.FTZ), as Direct3D requires, except the steps within
// divisions and square roots.

#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Value;

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
    case Op::fdiv:
    case Op::ffrac: return refuse(instruction, "an operation that legalization expands");
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

}  // namespace texlate::maxwell::select
