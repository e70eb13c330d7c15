// Rules of integers.

#include "ir/passes/folder.h"

namespace texlate::ir::folding {

void Folder::simplify_integer(Instruction& instruction) {
  switch (instruction.op) {
    case Op::iadd:
    case Op::isub:
    case Op::ineg:
    case Op::imul:
    case Op::imad:
    case Op::mad_wide:
    case Op::udiv:
    case Op::urem: return simplify_arithmetic(instruction);
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::not_: return simplify_bits(instruction);
    case Op::shl:
    case Op::ishr:
    case Op::ushr:
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return simplify_shift(instruction);
    case Op::imin:
    case Op::imax:
    case Op::umin:
    case Op::umax: return simplify_extreme(instruction);
    default: return simplify_integer_compare(instruction);
  }
}

void Folder::simplify_arithmetic(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
  const bool constant = module_.is_constant(b);
  const uint32_t bits = constant ? module_.constant_bits(b) : 0;
  switch (instruction.op) {
    case Op::iadd:
      if (is(b, 0)) return become(a);
      if (constant) return add_constant(instruction, a, bits);
      if (const Instruction* negated = made_by(b, Op::ineg)) {
        return rewrite(instruction, Op::isub, {a, operand(*negated, 0)});
      }
      if (const Instruction* negated = made_by(a, Op::ineg)) {
        return rewrite(instruction, Op::isub, {b, operand(*negated, 0)});
      }
      return;
    case Op::isub:
      if (a == b) return become_word(0);
      if (constant) return rewrite(instruction, Op::iadd, {a, word(0u - bits)});
      if (is(a, 0)) return rewrite(instruction, Op::ineg, {b});
      return;
    case Op::ineg:
      if (const Instruction* inner = made_by(a, Op::ineg)) return become(operand(*inner, 0));
      if (const Instruction* inner = made_by(a, Op::isub)) {
        return rewrite(instruction, Op::isub, {operand(*inner, 1), operand(*inner, 0)});
      }
      return;
    case Op::imul:
      if (is(b, 0)) return become(b);
      if (is(b, 1)) return become(a);
      if (is(b, kAllOnes)) return rewrite(instruction, Op::ineg, {a});
      if (constant && std::has_single_bit(bits)) return shift_left(instruction, a, bits);
      return;
    case Op::imad: return simplify_imad(instruction);
    case Op::mad_wide:
      if (module_.is_constant(a) && !constant)
        return rewrite(instruction, Op::mad_wide, {b, a, operand(instruction, 2)});
      if (is(a, 0) || is(b, 0)) return become(operand(instruction, 2));
      return;
    case Op::udiv:
      if (is(b, 1)) return become(a);
      if (is(b, 0)) return become_word(kAllOnes);
      if (constant && std::has_single_bit(bits)) {
        return rewrite(instruction, Op::ushr, {a, word(static_cast<uint32_t>(std::countr_zero(bits)))});
      }
      return;
    case Op::urem:
      if (is(b, 0)) return become_word(kAllOnes);
      if (constant && std::has_single_bit(bits)) return rewrite(instruction, Op::and_, {a, word(bits - 1)});
      return;
    default: return;
  }
}

void Folder::simplify_imad(Instruction& instruction) {
  Value a = operand(instruction, 0);
  Value b = operand(instruction, 1);
  const Value c = operand(instruction, 2);
  if (module_.is_constant(a)) std::swap(a, b);
  if (is(b, 0)) return become(c);
  if (is(b, 1)) return rewrite(instruction, Op::iadd, {a, c});
  if (is(c, 0)) return rewrite(instruction, Op::imul, {a, b});
  if (module_.is_constant(a) && module_.is_constant(b)) {
    rewrite(instruction, Op::iadd, {c, word(module_.constant_bits(a) * module_.constant_bits(b))});
  }
}

void Folder::simplify_bits(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = instruction.operand_count > 1 ? operand(instruction, 1) : kNoValue;
  switch (instruction.op) {
    case Op::and_:
      if (is(b, 0)) return become(b);
      if (is(b, kAllOnes) || a == b) return become(a);
      // and(mask(p), x) -> select(p, x, 0), for any x
      if (const Instruction* mask = made_by(a, Op::mask)) {
        return rewrite(instruction, Op::select, {operand(*mask, 0), b, word(0)});
      }
      if (const Instruction* mask = made_by(b, Op::mask)) {
        return rewrite(instruction, Op::select, {operand(*mask, 0), a, word(0)});
      }
      return;
    case Op::or_:
      if (is(b, kAllOnes)) return become(b);
      if (is(b, 0) || a == b) return become(a);
      if (const Instruction* mask = made_by(a, Op::mask)) {
        return rewrite(instruction, Op::select, {operand(*mask, 0), word(kAllOnes), b});
      }
      if (const Instruction* mask = made_by(b, Op::mask)) {
        return rewrite(instruction, Op::select, {operand(*mask, 0), word(kAllOnes), a});
      }
      return;
    case Op::xor_:
      if (a == b) return become_word(0);
      if (is(b, 0)) return become(a);
      if (is(b, kAllOnes)) return rewrite(instruction, Op::not_, {a});
      return;
    default:
      if (const Instruction* inner = made_by(a, Op::not_)) become(operand(*inner, 0));
      return;
  }
}

void Folder::simplify_shift(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = operand(instruction, 1);
  switch (instruction.op) {
    case Op::ubfe:
    case Op::ibfe:
      if (module_.is_constant(a) && (module_.constant_bits(a) & 31) == 0) become_word(0);
      return;
    case Op::bfi:
      if (module_.is_constant(a) && (module_.constant_bits(a) & 31) == 0) become(operand(instruction, 3));
      return;
    default:
      // The count is taken modulo 32 (D3D11.3 22.11).
      if (module_.is_constant(b) && (module_.constant_bits(b) & 31) == 0) return become(a);
      if (is(a, 0)) return become(a);
      return;
  }
}

void Folder::simplify_extreme(Instruction& instruction) {
  const Value a = operand(instruction, 0);
  const Value b = operand(instruction, 1);
  if (a == b) return become(a);
  const Op op = instruction.op;
  const uint32_t least = op == Op::umin || op == Op::umax ? 0 : 0x80000000u;
  const uint32_t greatest = ~least;
  const bool minimum = op == Op::umin || op == Op::imin;
  if (is(b, minimum ? least : greatest)) return become(b);
  if (is(b, minimum ? greatest : least)) return become(a);
}

// `if` and `movc` test the results of comparisons: most tests are tests of masks.
void Folder::simplify_test(Instruction& instruction, Value a) {
  const Instruction* const mask = made_by(a, Op::mask);
  if (mask == nullptr) return;
  const Value predicate = operand(*mask, 0);
  if (instruction.op == Op::ine) return become(predicate);
  rewrite(instruction, Op::pnot, {predicate});
}

void Folder::simplify_integer_compare(Instruction& instruction) {
  if (result_type(instruction.op) != Type::b1) return;
  const Value a = operand(instruction, 0);
  const Value b = operand(instruction, 1);
  const Op op = instruction.op;
  if (a == b) return become_predicate(op == Op::ieq || op == Op::ige || op == Op::uge);
  if ((op == Op::ieq || op == Op::ine) && is(b, 0)) return simplify_test(instruction, a);
  // Nothing is less than 0 or greater than the greatest value.
  if ((op == Op::ult || op == Op::uge) && (is(b, 0) || is(a, kAllOnes))) {
    return become_predicate(op == Op::uge);
  }
  if ((op == Op::ult && is(a, 0)) || (op == Op::uge && is(b, 1))) {
    return rewrite(instruction, Op::ine, {op == Op::ult ? b : a, word(0)});
  }
  if ((op == Op::ult && is(b, 1)) || (op == Op::uge && is(a, 0))) {
    return rewrite(instruction, Op::ieq, {op == Op::ult ? a : b, word(0)});
  }
}

}  // namespace texlate::ir::folding
