// Comparisons: FSETP, ISETP, DSETP, alone or combined with another predicate; FSET and ISET if the result is
// needed as a word.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

enum class Kind : uint8_t { none, float_, signed_, unsigned_, double_ };
enum class Relation : uint8_t { eq, ne, lt, ge, gt, le };

/// By Relation; comparisons of floats are ordered, except `ne`.
struct RelationForms {
  Relation mirrored;
  FloatCompare floats;
  IntegerCompare integers;
};
constexpr RelationForms kRelations[] = {{Relation::eq, FloatCompare::eq, IntegerCompare::eq},
                                        {Relation::ne, FloatCompare::neu, IntegerCompare::ne},
                                        {Relation::gt, FloatCompare::lt, IntegerCompare::lt},
                                        {Relation::le, FloatCompare::ge, IntegerCompare::ge},
                                        {Relation::lt, FloatCompare::gt, IntegerCompare::gt},
                                        {Relation::ge, FloatCompare::le, IntegerCompare::le}};

struct Comparison {
  Kind kind = Kind::none;
  Relation relation = Relation::eq;

  bool has(Relation which) const { return relation == which; }
  /// With its operands in each other's place.
  Comparison mirrored() const { return {kind, forms().mirrored}; }
  FloatCompare floats() const { return forms().floats; }
  IntegerCompare integers() const { return forms().integers; }
  const RelationForms& forms() const { return kRelations[static_cast<size_t>(relation)]; }
  ModifierSetting sign() const { return kind == Kind::signed_ ? kSigned : kUnsigned; }
};

constexpr Comparison comparison(Op op) {
  switch (op) {
    case Op::feq: return {Kind::float_, Relation::eq};
    case Op::fne: return {Kind::float_, Relation::ne};
    case Op::flt: return {Kind::float_, Relation::lt};
    case Op::fge: return {Kind::float_, Relation::ge};
    case Op::deq: return {Kind::double_, Relation::eq};
    case Op::dne: return {Kind::double_, Relation::ne};
    case Op::dlt: return {Kind::double_, Relation::lt};
    case Op::dge: return {Kind::double_, Relation::ge};
    case Op::ieq: return {Kind::unsigned_, Relation::eq};
    case Op::ine: return {Kind::unsigned_, Relation::ne};
    case Op::ilt: return {Kind::signed_, Relation::lt};
    case Op::ige: return {Kind::signed_, Relation::ge};
    case Op::ult: return {Kind::unsigned_, Relation::lt};
    case Op::uge: return {Kind::unsigned_, Relation::ge};
    default: return {};
  }
}

/// The instructions for comparisons of floats, integers and doubles.
struct CompareOpcodes {
  Opcode floats, integers, doubles;
};

/// The comparison in the cheaper order of its operands: `results`, the operands, the other condition.
Draft compare_draft(const CompareOpcodes& opcodes, std::initializer_list<Arg> results, const Comparison& what,
                    const Values::Compared& operands, Predicate combined, const ModifierSetting& more) {
  const auto draft = [&](const Comparison& as, const Arg& a, const Arg& b) {
    const bool is_float = as.kind == Kind::float_, is_double = as.kind == Kind::double_;
    Draft out{is_float ? opcodes.floats : is_double ? opcodes.doubles : opcodes.integers, results, {more}};
    for (const Arg& arg : {a, b, Arg(combined)}) out.add(arg);
    if (is_float || is_double) {
      out.with({Modifier::float_compare, as.floats()});
      return is_float ? out.with(kFtz) : out;
    }
    return out.with({Modifier::integer_compare, as.integers()}).with(as.sign());
  };
  const auto& [a, b] = operands;
  const Draft straight = draft(what, a, b);
  const unsigned limit = Assembler::cost(straight);
  if (limit == 0) return straight;
  const Draft swapped = draft(what.mirrored(), b, a);
  // A word of a constant bank, once it is in a register, serves more comparisons than an immediate.
  const bool fills_immediate = a.kind == Arg::Kind::source && a.source.is_immediate();
  return Assembler::cost(swapped) < limit + (fills_immediate ? 1 : 0) ? swapped : straight;
}

}  // namespace

bool is_compare(Op op) {
  return comparison(op).kind != Kind::none;
}

Values::Compared Values::compared(const ir::Instruction& instruction) const {
  const ir::Value x = operand(instruction, 0), y = operand(instruction, 1);
  switch (comparison(instruction.op).kind) {
    case Kind::double_: {
      // The first operand is an immediate only if the two may change places.
      const bool both = module_.is_constant(x) && module_.is_constant(y);
      return {both ? Arg::pair(pair(x)) : double_arg(x), double_arg(y)};
    }
    case Kind::float_: return {float_source(x), float_source(y)};
    default: return {word(x), word(y)};
  }
}

Predicate Values::compare(const ir::Instruction& instruction, Predicate combined, Boolean how) {
  const Predicate result{assembler_.predicate(), false};
  assembler_.emit(compare_draft({Opcode::fsetp, Opcode::isetp, Opcode::dsetp}, {result, Arg()},
                                comparison(instruction.op), compared(instruction), combined,
                                {Modifier::boolean, how}));
  return result;
}

/// Index of the operand that is compared with a constant 0; nothing if neither is.
std::optional<uint32_t> Arithmetic::compared_with_zero(const ir::Instruction& instruction) const {
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
      if (!what.has(Relation::eq) && !what.has(Relation::ne)) return std::nullopt;
      break;
  }
  if (is_zero(1)) return 0;
  if (is_zero(0)) return 1;
  return std::nullopt;
}

// Rd = (C compared with 0) ? A : B, without a predicate.
bool Arithmetic::select_by_zero(const ir::Instruction& instruction) {
  const ir::Value condition = operand(instruction, 0);
  const ir::Instruction* compared = own_comparison(condition);
  if (compared == nullptr) return false;
  const std::optional<uint32_t> tested = compared_with_zero(*compared);
  if (!tested) return false;
  const bool swapped = *tested == 1;
  Comparison what = comparison(compared->op);
  if (swapped) what = what.mirrored();
  ir::Value number = operand(*compared, *tested);
  // |x| > 0 holds for numbers other than zero.
  const ir::Instruction* magnitude = swapped && compared->op == Op::flt ? definition(number) : nullptr;
  const bool is_nonzero = magnitude != nullptr && magnitude->op == Op::fabs;
  if (is_nonzero) number = operand(*magnitude, 0);
  const Source c = Source::of(reg(number));
  const Source yes = word(operand(instruction, 1));
  const Source no = word(operand(instruction, 2));
  const FloatCompare relation = is_nonzero ? FloatCompare::ne : what.floats();
  // This B does not take a float immediate: its bits are those of any word.
  const Draft draft =
      what.kind == Kind::float_
          ? Draft{Opcode::fcmp, {Arg(), yes, no, c}, {{Modifier::float_compare_gt, relation}, kFtz}}
          : Draft{Opcode::icmp,
                  {Arg(), yes, no, c},
                  {{Modifier::integer_compare, what.integers()}, what.sign()}};
  if (assembler_.cost(draft) > 1) return false;
  emit_to(instruction.first_result, draft);
  return true;
}

/// Does the selection make a condition 1.0 or less, down to 0, by a constant that FMNMX can hold?
bool Arithmetic::is_one_or_less(const ir::Instruction& selection) const {
  constexpr uint32_t kOne = 0x3f800000, kBeyondImmediate = 0xfff;
  const ir::Value less = operand(selection, 2);
  return module_.is_constant(operand(selection, 1), kOne) && module_.is_constant(less) &&
         module_.constant_bits(less) < kOne && (module_.constant_bits(less) & kBeyondImmediate) == 0;
}

// A comparison that only a nearby logic operation or selection reads is emitted there.
void Arithmetic::select_compare(const ir::Instruction& instruction) {
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
MachineValue Arithmetic::emit_compare_mask(const ir::Instruction& instruction, BoolFloat form) {
  return emit_word(compare_draft({Opcode::fset, Opcode::iset, Opcode::dset}, {Arg()},
                                 comparison(instruction.op), values_.compared(instruction), kAlways,
                                 {Modifier::bf, form}));
}

}  // namespace texlate::maxwell::select
