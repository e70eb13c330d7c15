// Comparisons: FSETP, ISETP, DSETP, alone or combined with another predicate; FSET and ISET if the result is
// needed as a word.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;

enum class Kind : uint8_t { none, float_, signed_, unsigned_, double_ };

struct Comparison {
  Kind kind = Kind::none;
  FloatCompare floats = FloatCompare::f;  // ordered, except `ne`
  IntegerCompare integers = IntegerCompare::f;
};

constexpr Comparison comparison(Op op) {
  switch (op) {
    case Op::feq: return {Kind::float_, FloatCompare::eq, {}};
    case Op::fne: return {Kind::float_, FloatCompare::neu, {}};
    case Op::flt: return {Kind::float_, FloatCompare::lt, {}};
    case Op::fge: return {Kind::float_, FloatCompare::ge, {}};
    case Op::deq: return {Kind::double_, FloatCompare::eq, {}};
    case Op::dne: return {Kind::double_, FloatCompare::neu, {}};
    case Op::dlt: return {Kind::double_, FloatCompare::lt, {}};
    case Op::dge: return {Kind::double_, FloatCompare::ge, {}};
    case Op::ieq: return {Kind::unsigned_, {}, IntegerCompare::eq};
    case Op::ine: return {Kind::unsigned_, {}, IntegerCompare::ne};
    case Op::ilt: return {Kind::signed_, {}, IntegerCompare::lt};
    case Op::ige: return {Kind::signed_, {}, IntegerCompare::ge};
    case Op::ult: return {Kind::unsigned_, {}, IntegerCompare::lt};
    case Op::uge: return {Kind::unsigned_, {}, IntegerCompare::ge};
    default: return {};
  }
}

constexpr FloatCompare mirrored(FloatCompare relation) {
  switch (relation) {
    case FloatCompare::lt: return FloatCompare::gt;
    case FloatCompare::ge: return FloatCompare::le;
    default: return relation;  // eq, neu
  }
}
constexpr IntegerCompare mirrored(IntegerCompare relation) {
  switch (relation) {
    case IntegerCompare::lt: return IntegerCompare::gt;
    case IntegerCompare::ge: return IntegerCompare::le;
    default: return relation;  // eq, ne
  }
}

/// The first operand of a comparison of doubles: an immediate only if the two may change places.
Arg first_double(const ir::Module& module, const Values& values, ir::Value first, ir::Value second) {
  const bool both = module.is_constant(first) && module.is_constant(second);
  return both ? Arg::pair(values.pair(first)) : values.double_arg(first);
}

}  // namespace

bool is_compare(Op op) {
  return comparison(op).kind != Kind::none;
}

Predicate Values::compare(const ir::Instruction& instruction, Predicate combined, Boolean how) {
  const Comparison what = comparison(instruction.op);
  const MachineValue result = assembler_.predicate();
  const Arg to = Predicate{result, false};
  const ModifierSetting boolean{Modifier::boolean, how};
  const ir::Value x = operand(instruction, 0);
  const ir::Value y = operand(instruction, 1);
  if (what.kind == Kind::double_) {
    const Arg a = first_double(module_, *this, x, y);
    const Arg b = double_arg(y);
    assembler_.emit_cheaper(
        {Opcode::dsetp, {to, Arg(), a, b, combined}, {{Modifier::float_compare, what.floats}, boolean}},
        {Opcode::dsetp,
         {to, Arg(), b, a, combined},
         {{Modifier::float_compare, mirrored(what.floats)}, boolean}});
    return {result, false};
  }
  if (what.kind == Kind::float_) {
    const Source a = float_source(x);
    const Source b = float_source(y);

    const Draft straight{
        Opcode::fsetp, {to, Arg(), a, b, combined}, {{Modifier::float_compare, what.floats}, kFtz, boolean}};
    const Draft swapped{Opcode::fsetp,
                        {to, Arg(), b, a, combined},
                        {{Modifier::float_compare, mirrored(what.floats)}, kFtz, boolean}};
    assembler_.emit_cheaper(straight, swapped);
    return {result, false};
  }
  const Source a = word(x);
  const Source b = word(y);
  const ModifierSetting sign{Modifier::is_signed, what.kind == Kind::signed_ ? IsSigned::s32 : IsSigned::u32};
  const Draft straight{Opcode::isetp,
                       {to, Arg(), a, b, combined},
                       {{Modifier::integer_compare, what.integers}, sign, boolean}};
  const Draft swapped{Opcode::isetp,
                      {to, Arg(), b, a, combined},
                      {{Modifier::integer_compare, mirrored(what.integers)}, sign, boolean}};
  assembler_.emit_cheaper(straight, swapped);
  return {result, false};
}

/// Index of the operand that is compared with a constant 0; nothing if neither is.
std::optional<uint32_t> Predicates::compared_with_zero(const ir::Instruction& instruction) const {
  const Comparison what = comparison(instruction.op);
  const auto is_zero = [&](uint32_t i) {
    const ir::Value value = operand(instruction, i);
    if (!module_.is_constant(value)) return false;
    const uint32_t bits = module_.constant_bits(value);
    return what.kind == Kind::float_ ? (bits & 0x7fffffffu) == 0 : bits == 0;
  };
  switch (what.kind) {
    case Kind::none:
    case Kind::double_: return std::nullopt;
    case Kind::float_:
    case Kind::signed_: break;
    case Kind::unsigned_:
      if (what.integers != IntegerCompare::eq && what.integers != IntegerCompare::ne) return std::nullopt;
      break;
  }
  if (is_zero(1)) return 0;
  if (is_zero(0)) return 1;
  return std::nullopt;
}

// Rd = (C compared with 0) ? A : B, without a predicate.
bool Predicates::select_by_zero(const ir::Instruction& instruction) {
  const ir::Value condition = operand(instruction, 0);
  const ir::Instruction* compared = module_.is_constant(condition) ? nullptr : definition(condition);
  if (compared == nullptr || !is_compare(compared->op) || absorbable(condition, compared->op) == nullptr)
    return false;
  const std::optional<uint32_t> tested = compared_with_zero(*compared);
  if (!tested) return false;
  const Comparison what = comparison(compared->op);
  const bool swapped = *tested == 1;
  ir::Value number = operand(*compared, *tested);
  // |x| > 0 holds for numbers other than zero.
  const ir::Instruction* magnitude = swapped && compared->op == Op::flt ? definition(number) : nullptr;
  const bool is_nonzero = magnitude != nullptr && magnitude->op == Op::fabs;
  if (is_nonzero) number = operand(*magnitude, 0);
  const Source c = Source::of(reg(number));
  const Source yes = word(operand(instruction, 1));
  const Source no = word(operand(instruction, 2));
  if (what.kind == Kind::float_) {
    const FloatCompare relation = is_nonzero ? FloatCompare::ne
                                  : swapped  ? mirrored(what.floats)
                                             : what.floats;
    const Draft draft{Opcode::fcmp, {Arg(), yes, no, c}, {{Modifier::float_compare_gt, relation}, kFtz}};
    // This B does not take a float immediate: its bits are those of any word.
    if (assembler_.cost(draft) > 1) return false;
    define(instruction.first_result, emit_word(draft));
    return true;
  }
  const IntegerCompare relation = swapped ? mirrored(what.integers) : what.integers;
  const ModifierSetting sign{Modifier::is_signed, what.kind == Kind::signed_ ? IsSigned::s32 : IsSigned::u32};
  const Draft draft{Opcode::icmp, {Arg(), yes, no, c}, {{Modifier::integer_compare, relation}, sign}};
  if (assembler_.cost(draft) > 1) return false;
  define(instruction.first_result, emit_word(draft));
  return true;
}

/// Does the selection make a condition 1.0 or less, down to 0, by a constant that FMNMX can hold?
bool Predicates::is_one_or_less(const ir::Instruction& selection) const {
  constexpr uint32_t kOne = 0x3f800000, kBeyondImmediate = 0xfff;
  const ir::Value less = operand(selection, 2);
  return module_.is_constant(operand(selection, 1), kOne) && module_.is_constant(less) &&
         module_.constant_bits(less) < kOne && (module_.constant_bits(less) & kBeyondImmediate) == 0;
}

// A comparison that only a nearby logic operation or selection reads is emitted there.
void Predicates::select_compare(const ir::Instruction& instruction) {
  const ir::Value result = instruction.first_result;
  if (absorbable(result, instruction.op) != nullptr) {
    const Op user = values_.only_user(result)->op;
    if (user == Op::pand || user == Op::por || user == Op::pxor || user == Op::mask) return;
    if (user == Op::select && (is_one_or_less(*values_.only_user(result)) || compared_with_zero(instruction)))
      return;
  }
  define(result, values_.compare(instruction, kAlways, Boolean::and_));
}

/// In one instruction: all bits set, or 1.0, if the comparison holds, otherwise 0.
MachineValue Predicates::emit_compare_mask(const ir::Instruction& instruction, BoolFloat form) {
  const Comparison what = comparison(instruction.op);
  const ModifierSetting bf{Modifier::bf, form};
  const ir::Value x = operand(instruction, 0);
  const ir::Value y = operand(instruction, 1);
  const Predicate always = kAlways;
  if (what.kind == Kind::double_) {
    const Arg a = first_double(module_, values_, x, y);
    const Arg b = values_.double_arg(y);
    const Draft straight{Opcode::dset, {Arg(), a, b, always}, {{Modifier::float_compare, what.floats}, bf}};
    const Draft swapped{
        Opcode::dset, {Arg(), b, a, always}, {{Modifier::float_compare, mirrored(what.floats)}, bf}};
    return emit_word(assembler_.cheaper(straight, swapped));
  }
  if (what.kind == Kind::float_) {
    const Source a = float_source(x);
    const Source b = float_source(y);
    const Draft straight{
        Opcode::fset, {Arg(), a, b, always}, {{Modifier::float_compare, what.floats}, kFtz, bf}};
    const Draft swapped{
        Opcode::fset, {Arg(), b, a, always}, {{Modifier::float_compare, mirrored(what.floats)}, kFtz, bf}};
    return emit_word(assembler_.cheaper(straight, swapped));
  }
  const ModifierSetting sign{Modifier::is_signed, what.kind == Kind::signed_ ? IsSigned::s32 : IsSigned::u32};
  const Draft straight{Opcode::iset,
                       {Arg(), word(x), word(y), always},
                       {{Modifier::integer_compare, what.integers}, sign, bf}};
  const Draft swapped{Opcode::iset,
                      {Arg(), word(y), word(x), always},
                      {{Modifier::integer_compare, mirrored(what.integers)}, sign, bf}};
  return emit_word(assembler_.cheaper(straight, swapped));
}

}  // namespace texlate::maxwell::select
