// Rules of predicates and selections.

#include "ir/passes/constant_evaluation.h"
#include "ir/passes/folder.h"

namespace texlate::ir::folding {

/// op(select(p, a, b), c) -> select(p, op(a, c), op(b, c)) if both can be evaluated: the masks and 0/1 that
/// shaders make of comparisons become predicates again. Operand `which` is the selection, the other one is a
/// constant.
void Folder::fold_selection(Instruction& instruction, uint32_t which) {
  const Instruction* const chosen = definition(operand(instruction, which));
  const Type type = result_type(instruction.op);
  if (type == Type::b64) return;
  const bool is_mask = chosen->op == Op::mask;
  const Value predicate = operand(*chosen, 0);
  const Value arms[2] = {is_mask ? word(kAllOnes) : operand(*chosen, 1),
                         is_mask ? word(0) : operand(*chosen, 2)};
  uint64_t results[2];
  for (uint32_t arm = 0; arm < 2; ++arm) {
    if (!module_.is_constant(arms[arm])) return;
    std::array<uint64_t, 2> bits{};
    for (uint32_t i = 0; i < instruction.operand_count; ++i)
      bits[i] = module_.values[i == which ? arms[arm] : operand(instruction, i)].bits;
    const auto result = evaluate(instruction.op, std::span(bits.data(), instruction.operand_count));
    if (!result) return;
    results[arm] = *result;
  }
  if (type == Type::b32) {
    rewrite(instruction, Op::select,
            {predicate, word(static_cast<uint32_t>(results[0])), word(static_cast<uint32_t>(results[1]))});
  } else if (results[0] == results[1]) {
    become_predicate(results[0] != 0);
  } else if (results[0] != 0) {
    become(predicate);
  } else {
    rewrite(instruction, Op::pnot, {predicate});
  }
}

void Folder::simplify_predicate(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
  switch (instruction.op) {
    case Op::pand:
      if (is(b, 0)) return become(b);
      if (is(b, 1) || a == b) return become(a);
      if (excludes(a, b)) return become_predicate(false);
      return;
    case Op::por:
      if (is(b, 1)) return become(b);
      if (is(b, 0) || a == b) return become(a);
      if (excludes(a, b)) return become_predicate(true);
      return;
    case Op::pxor:
      if (a == b) return become_predicate(false);
      if (is(b, 0)) return become(a);
      if (is(b, 1)) return rewrite(instruction, Op::pnot, {a});
      return;
    case Op::pnot: return simplify_not(instruction, a);
    case Op::select:
    case Op::select64: return simplify_select(instruction);
    default: return;
  }
}

// Integer comparisons and (in)equality of floats have an exact opposite. `a < b` of floats has none: with a
// NaN neither `a < b` nor `a >= b` holds.
void Folder::simplify_not(Instruction& instruction, Value a) {
  const Instruction* inner = definition(a);
  if (inner == nullptr) return;
  if (inner->op == Op::pnot) return become(operand(*inner, 0));
  Op opposite;
  switch (inner->op) {
    case Op::ieq: opposite = Op::ine; break;
    case Op::ine: opposite = Op::ieq; break;
    case Op::ilt: opposite = Op::ige; break;
    case Op::ige: opposite = Op::ilt; break;
    case Op::ult: opposite = Op::uge; break;
    case Op::uge: opposite = Op::ult; break;
    case Op::feq: opposite = Op::fne; break;
    case Op::fne: opposite = Op::feq; break;
    case Op::deq: opposite = Op::dne; break;
    case Op::dne: opposite = Op::deq; break;
    default: return;
  }
  rewrite(instruction, opposite, {operand(*inner, 0), operand(*inner, 1)});
}

void Folder::simplify_select(Instruction& instruction) {
  const Op op = instruction.op;
  const Value condition = operand(instruction, 0);
  const Value yes = operand(instruction, 1);
  const Value no = operand(instruction, 2);
  if (module_.is_constant(condition)) return become(is(condition, 1) ? yes : no);
  if (yes == no) return become(yes);
  if (op == Op::select && is(yes, kAllOnes) && is(no, 0)) return rewrite(instruction, Op::mask, {condition});
  if (const Instruction* negated = made_by(condition, Op::pnot)) {
    return rewrite(instruction, op, {operand(*negated, 0), no, yes});
  }
  // An arm that tests the same condition again.
  const Instruction* inner = made_by(yes, op);
  if (inner != nullptr && operand(*inner, 0) == condition) {
    return rewrite(instruction, op, {condition, operand(*inner, 1), no});
  }
  inner = made_by(no, op);
  if (inner != nullptr && operand(*inner, 0) == condition) {
    return rewrite(instruction, op, {condition, yes, operand(*inner, 2)});
  }
}

}  // namespace texlate::ir::folding
