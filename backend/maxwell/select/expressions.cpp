// Floats flush denormals (.FTZ), as Direct3D requires, except the steps within square roots.
#include "backend/maxwell/select/expressions.h"

#include <utility>

namespace texlate::maxwell::select {

namespace {

constexpr uint32_t kHalf = 0x3f000000;
constexpr uint32_t kMinusZero = 0x80000000;

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

void Expressions::emit_access(Draft draft, Predicate guard, machine::Effect effect, uint8_t space) {
  machine::Instruction& code = emit(draft.under(guard));
  code.effect = effect;
  code.space = space;
}

// ---- conditions

/// Stores one after the other have the same guard.
Predicate Expressions::both(Predicate first, Predicate second) {
  if (first.value == kNone) return first.is_true() ? second : first;
  if (second.value == kNone) return second.is_true() ? first : second;
  const auto part = [](const Predicate& one) { return 2 * one.value.number() + (one.negated ? 1 : 0); };
  const auto make = [&] {
    const MachineValue result = assembler_.predicate();
    emit({Opcode::psetp, {Predicate{result, false}, Arg(), first, second, kAlways}});
    return result;
  };
  return {assembler_.once_nearby({Shared::both, part(second), part(first)}, make), false};
}

MachineValue Expressions::emit_select(Predicate condition, const Source& yes, const Source& no) {
  const Draft straight{Opcode::sel, {Arg(), yes, no, condition}};
  if (Assembler::cost(straight) == 0) return emit_word(straight);
  const Draft swapped{Opcode::sel, {Arg(), no, yes, !condition}};
  return emit_word(assembler_.cheaper(straight, swapped));
}

Predicate Expressions::is_not_zero(const Source& low, const Source& high) {
  const MachineValue result = assembler_.predicate();
  emit({Opcode::lop,
        {Predicate{result, false}, Arg(), Source::of(assembler_.reg(low)), high},
        {{Modifier::logic, Logic::or_}, {Modifier::logic_test, LogicTest::nz}}});
  return {result, false};
}

Predicate Expressions::compare_words(const Source& a, IntegerCompare relation, const Source& b,
                                     Predicate also) {
  const MachineValue result = assembler_.predicate();
  emit({Opcode::isetp,
        {Predicate{result, false}, Arg(), a, b, also},
        {{Modifier::integer_compare, relation}, kUnsigned}});
  return {result, false};
}

/// An instruction whose operands 1 and 2 may change places; `wide` takes any immediate.
MachineValue Expressions::emit_commuting(const Draft& draft, Opcode wide) {
  if (Assembler::cost(draft) == 0) return emit_word(draft);
  Draft other = draft;
  other.opcode = wide;
  other.fit.reset();
  return emit_word(Assembler::cheaper(Assembler::commuted(draft), other));
}

// ---- floats

/// -0: RZ with its sign changed, the neutral element of addition.
Source Expressions::minus_zero() {
  return Source::immediate(kMinusZero);
}

MachineValue Expressions::emit_sum(Source a, Source b, uint8_t sat) {
  if (a.is_immediate()) std::swap(a, b);
  const ModifierSetting saturation{Modifier::sat, sat};
  return emit_commuting({Opcode::fadd, {Arg(), a, b}, {kFtz, saturation}}, Opcode::fadd32i);
}

MachineValue Expressions::emit_product(Source a, Source b, uint8_t sat) {
  if (a.is_immediate()) std::swap(a, b);
  move_signs(a, b);
  const ModifierSetting saturation{Modifier::sat, sat};
  return emit_commuting({Opcode::fmul, {Arg(), a, b}, {kFmzFtz, saturation}}, Opcode::fmul32i);
}

MachineValue Expressions::emit_fused(Source a, Source b, Source c, uint8_t sat, Fmz flush, bool addend_ends) {
  if (a.is_immediate()) std::swap(a, b);
  move_signs(a, b);
  const ModifierSetting saturation{Modifier::sat, sat};
  const ModifierSetting flushing{Modifier::fmz, flush};
  const Draft straight{Opcode::ffma, {Arg(), a, b, c}, {flushing, saturation}};
  if (Assembler::cost(straight) == 0) return emit_word(straight);
  // The sign is on B; the swapped form gets it from A.
  Source first = b;
  Source second = a;
  if (is_negated(first) && !first.is_immediate() && (first.flags & kAbsolute) == 0) {
    first.flags = 0;
    second.flags ^= kNegate;
  }
  const Draft swapped{Opcode::ffma, {Arg(), first, second, c}, {flushing, saturation}};
  const Draft& best = assembler_.cheaper(straight, swapped);
  // FFMA32I holds any immediate; its result takes over the register of the addend.
  if (addend_ends && b.is_immediate() && c.is_value()) {
    const Draft wide{Opcode::ffma32i, {Arg(), a, b, c}, {flushing, saturation}};
    return emit_word(assembler_.cheaper(best, wide));
  }
  return emit_word(best);
}

MachineValue Expressions::emit_function(Function function, const Source& x) {
  return emit_word({Opcode::mufu, {Arg(), x}, {{Modifier::function, function}}});
}

MachineValue Expressions::emit_reduced(Function function, RangeReduction reduction, const Source& x) {
  const MachineValue reduced = emit_word({Opcode::rro, {Arg(), x}, {{Modifier::range_reduction, reduction}}});
  return emit_function(function, Source::of(reduced));
}

MachineValue Expressions::emit_rounding(IntegerRounding rounding, const Source& x) {
  return emit_word(
      Draft{Opcode::f2f, {Arg(), x}, {kFtz, {Modifier::integer_rounding, rounding}}}.spelled("F32", "F32"));
}

// s = x / sqrt(x), then one step of Newton's method: s + (x - s * s) / (2 sqrt(x)), within one unit in the
// last place (D3D11.3 3.1.3.2). If x is zero, infinite, negative or NaN, the step gives NaN. FMNMX then
// returns the other operand, 1 / (0.5 / sqrt(x)), which is 0, INF or NaN in these cases and otherwise greater
// than the root.
MachineValue Expressions::emit_square_root(const Source& x) {
  const Source root = Source::of(assembler_.reg(x));
  const Source inverse = Source::of(emit_function(Function::rsq, root));
  const MachineValue s = emit_product(root, inverse, 0);
  const MachineValue half = emit_product(inverse, Source::immediate(kHalf), 0);
  const Source bound = Source::of(emit_function(Function::rcp, Source::of(half)));
  Source minus = Source::of(s);
  minus.flags = kNegate;
  const MachineValue rest = emit_fused(Source::of(s), minus, root, 0, Fmz::off);
  const MachineValue better = emit_fused(Source::of(rest), Source::of(half), Source::of(s), 0, Fmz::off);
  return emit_word({Opcode::fmnmx, {Arg(), Source::of(better), bound, kAlways}, {kFtz}});
}

/// The coordinates of a cube: the direction divided by its greatest magnitude, as the texture unit requires
/// (docs/maxwell-isa.md: ptxas does the same).
std::array<MachineValue, 3> Expressions::cube_coordinates(const std::array<Source, 3>& direction) {
  std::array<Source, 3> magnitude = direction;
  for (Source& source : magnitude) {
    if (source.is_immediate()) {
      source.bits &= 0x7fffffff;
    } else {
      source.flags = static_cast<uint8_t>((source.flags & ~kNegate) | kAbsolute);
      source.plain = kNone;
    }
    // Constants of a bank take the modifier, too; RZ needs none.
  }
  const Predicate maximum = Predicate::constant(false);
  const auto greater = [&](Source a, Source b) {
    if (!a.is_value()) std::swap(a, b);
    return emit_source({Opcode::fmnmx, {Arg(), a, b, maximum}});
  };
  const Source largest = greater(greater(magnitude[0], magnitude[1]), magnitude[2]);
  const Source scale = Source::of(emit_function(Function::rcp, largest));
  std::array<MachineValue, 3> result;
  for (uint32_t i = 0; i < 3; ++i) result[i] = emit_product(direction[i], scale, 0);
  return result;
}

// ---- integers

MachineValue Expressions::emit_integer_sum(Source a, Source b) {
  if (a.is_immediate()) std::swap(a, b);
  // Negating both operands would be .PO: for -(a + b), one of them goes to a register.
  if ((a.flags & kNegate) != 0 && (b.flags & kNegate) != 0) {
    a = a.plain != kNone ? Source::of(a.plain)
                         : emit_source({Opcode::iadd, {Arg(), a, Source::immediate(0)}});
  }
  return emit_commuting({Opcode::iadd, {Arg(), a, b}}, Opcode::iadd32i);
}

// The two products that involve upper halves.
MachineValue Expressions::finish_product(const Source& a, const Source& b, const Source& t) {
  const Source u = emit_source(
      {Opcode::xmad, {Arg(), a, b.half(kUpperHalf), Source::immediate(0)}, {{Modifier::mrg, Merge::on}}});
  return emit_word({Opcode::xmad,
                    {Arg(), a.half(kUpperHalf), u.half(kUpperHalf), t},
                    {kShiftLeft, {Modifier::xmad_mode, XmadMode::cbcc}}});
}

/// The low half of a product of two words without known properties.
MachineValue Expressions::multiply_words(const Source& a, const Source& b) {
  return finish_product(a, b, emit_source({Opcode::xmad, {Arg(), a, b, Source::immediate(0)}}));
}

// The upper half of a product: four products of halves; the two in the middle are added, shifted and added to
// the upper one (IADD3.RS). Signed: the machine's own, slow multiplication.
MachineValue Expressions::multiply_high(const Source& x, const Source& y, bool is_signed) {
  const Source a = Source::of(assembler_.reg(x));
  const Source b = Source::of(assembler_.reg(y));
  if (is_signed) {
    return emit_word(
        {Opcode::imul, {Arg(), a, b}, {{Modifier::int_types, IntTypes::s32_s32}, {Modifier::hi, High::on}}});
  }
  const auto product = [&](const Source& p, const Source& q, const Source& c, XmadMode mode) {
    return emit_source({Opcode::xmad, {Arg(), p, q, c}, {{Modifier::xmad_mode, mode}}});
  };
  const Source zero = Source::immediate(0);
  const Source low = product(a, b, zero, XmadMode::none);
  const Source middle = product(a, b.half(kUpperHalf), zero, XmadMode::none);
  const Source other = product(a.half(kUpperHalf), b, low, XmadMode::chi);
  const Source high = product(a.half(kUpperHalf), b.half(kUpperHalf), zero, XmadMode::none);
  return emit_word({Opcode::iadd3, {Arg(), other, middle, high}, {{Modifier::iadd3_shift, Iadd3Shift::rs}}});
}

MachineValue Expressions::special_register(int32_t number, bool is_constant) {
  const auto read = [&] { return emit_word({Opcode::s2r, {Arg(), Arg::word(number)}}); };
  return is_constant ? assembler_.once({Shared::special_register, static_cast<uint32_t>(number)}, read)
                     : read();
}

// ---- addresses

// Two instructions: the low word with its carry, the high word.
Pair Expressions::scaled_address(const Words& base, MachineValue index, unsigned shift,
                                 const Source& index_high) {
  Pair result;
  const Arg by = Arg::word(static_cast<int32_t>(shift));
  Draft sum{Opcode::lea, {Arg(), Arg(), Source::of(index), base[0], by}};
  sum.args[1].flags = kWriteCC;
  result.low = emit_word(sum, 1);
  result.high =
      emit_word({Opcode::lea_hi, {Arg(), Arg(), Source::of(index), base[1], index_high, by}, {kCarried}}, 1);
  return result;
}

/// Sets the results of a load whose guard is false to separate zeros. Called after the load was appended.
void Expressions::leave_zeros(std::span<const MachineValue> zeros) {
  if (!zeros.empty()) assembler_.builder().merge(zeros);
}

/// The sum of two numbers of 64 bits, of which the first is in registers.
Pair Expressions::add_words(const Words& a, const Words& b) {
  Draft sum{Opcode::iadd, {Arg(), a[0], b[0]}};
  sum.args[0].flags = kWriteCC;
  Pair result;
  result.low = emit_word(sum);
  result.high = emit_word({Opcode::iadd, {Arg(), a[1], b[1]}, {kCarried}});
  return result;
}

/// base + a * b, the product in 64 bits.
Pair Expressions::add_product(const Words& base, const Source& a, const Source& b) {
  const Source x = Source::of(assembler_.reg(a));
  if (!b.is_immediate() || b.bits > 0xffff) {
    const Source y = Source::of(assembler_.reg(b));
    const Source low = Source::of(multiply_words(x, y));
    return add_words({low, Source::of(multiply_high(x, y, false))}, base);
  }
  // With 16 bits, the upper word is the carry of the upper half's product.
  const auto product = [&](const Source& half, const Source& c, const ModifierSetting& how) {
    return emit_source({Opcode::xmad, {Arg(), half, b, c}, {how}});
  };
  const Source t = product(x, Source::immediate(0), {Modifier::xmad_mode, XmadMode::none});
  const Source upper = x.half(kUpperHalf);
  const Source low = product(upper, t, kShiftLeft);
  const Source carried = product(upper, t, {Modifier::xmad_mode, XmadMode::chi});
  const Source high = emit_source({Opcode::shr, {Arg(), carried, Source::immediate(16)}, {kUnsigned}});
  return add_words({low, high}, base);
}

/// base + offset: part of the instruction if it can reach that far.
Arg Expressions::global_address(Pair base, uint32_t offset) {
  if (offset < kReach) return Arg::address(base, static_cast<int32_t>(offset));
  return Arg::address(scaled_address(base, assembler_.immediate(offset), 0), 0);
}

}  // namespace texlate::maxwell::select
