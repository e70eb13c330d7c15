// Rules of floats.

#include "ir/passes/constant_evaluation.h"
#include "ir/passes/folder.h"

namespace texlate::ir::folding {

namespace {

bool rounds_to_integer(Op op) {
  return op == Op::frint || op == Op::ffloor || op == Op::fceil || op == Op::ftrunc;
}

}  // namespace

// Adding a zero and multiplying by one flush a denormal operand, so they can only be removed for values that
// are flushed already. x + 0 also turns -0 into +0, so only x + -0 can be removed at all. Any NaN pattern is
// legal, so one may be passed on. Sign operations only touch the sign bit.
void Folder::simplify_float(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
  switch (instruction.op) {
    case Op::fadd:
      if (is(b, kMinusZero) && is_flushed(a)) become(a);
      break;
    case Op::fmul:
      if (is(b, kOne) && is_flushed(a)) become(a);
      if (is(b, kMinusOne) && is_flushed(a)) rewrite(instruction, Op::fneg, {a});
      break;
    case Op::ffma: simplify_ffma(instruction); break;
    case Op::fdiv: simplify_fdiv(instruction, a, b); break;
    case Op::fneg:
      if (const Instruction* inner = made_by(a, Op::fneg)) become(operand(*inner, 0));
      break;
    case Op::fabs:
      if (made_by(a, Op::fabs)) {
        become(a);
      } else if (const Instruction* inner = made_by(a, Op::fneg)) {
        rewrite(instruction, Op::fabs, {operand(*inner, 0)});
      }
      break;
    case Op::fsat:
      if (made_by(a, Op::fsat)) become(a);
      break;
    case Op::frint:
    case Op::ffloor:
    case Op::fceil:
    case Op::ftrunc: {
      const Instruction* inner = definition(a);
      if (inner != nullptr &&
          (rounds_to_integer(inner->op) || inner->op == Op::itof || inner->op == Op::utof)) {
        become(a);
      }
      break;
    }
    default: break;
  }
}

// The product by 1 is exact, and so is the sum with -0; the fadd or fmul that remains still flushes the other
// operand.
void Folder::simplify_ffma(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = operand(instruction, 1);
  const Value c = operand(instruction, 2);
  if (is(c, kMinusZero)) return rewrite(instruction, Op::fmul, {a, b});
  if (is(b, kOne)) return rewrite(instruction, Op::fadd, {a, c});
  if (is(a, kOne)) return rewrite(instruction, Op::fadd, {b, c});
}

// The reciprocal of a power of two is exact unless it is a denormal: both round the same real number.
void Folder::simplify_fdiv(Instruction& instruction, Value a, Value b) {
  if (!module_.is_constant(b)) return;
  const uint32_t bits = module_.constant_bits(b);
  const uint32_t exponent = (bits >> 23) & 0xffu;
  if (bits == kOne && is_flushed(a)) return become(a);
  if ((bits & 0x7fffffu) != 0 || exponent < 2 || exponent > 252) return;
  rewrite(instruction, Op::fmul, {a, word((bits & 0x80000000u) | ((254 - exponent) << 23))});
}

void Folder::simplify_double(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  switch (instruction.op) {
    case Op::dneg:
      if (const Instruction* inner = made_by(a, Op::dneg)) become(operand(*inner, 0));
      break;
    case Op::dabs:
      if (made_by(a, Op::dabs)) {
        become(a);
      } else if (const Instruction* inner = made_by(a, Op::dneg)) {
        rewrite(instruction, Op::dabs, {operand(*inner, 0)});
      }
      break;
    case Op::pack64: {
      // pack(unpack(x)) -> x
      const Instruction* inner = made_by(a, Op::unpack64);
      if (inner != nullptr && inner->first_result == a && operand(instruction, 1) == a + 1) {
        become(operand(*inner, 0));
      }
      break;
    }
    default: break;
  }
}

}  // namespace texlate::ir::folding
