// Single precision. Everything flushes denormals (.FTZ), as Direct3D requires, except the steps within
// divisions and square roots.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

void Arithmetic::select_float(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  // The saturation of a value that nothing else reads is part of the instruction that computes the value.
  const ir::Instruction* user = values_.only_user(result);
  const bool saturates =
      user != nullptr && user->op == Op::fsat && absorbable(result, instruction.op) != nullptr;
  const uint8_t sat = saturates ? 1 : 0;
  const auto done = [&](MachineValue value) {
    define(result, value);
    if (!saturates) return;
    define(user->first_result, value);
    values_.skip(*user);
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
      return emit_to(result, assembler_.commuted({Opcode::fmnmx, {Arg(), in(0), in(1), minimum}, {kFtz}}));
    }
    // Bits change, and nothing is flushed; float operations include the sign change in their operand.
    case Op::fneg:
      return emit_to(result, {Opcode::lop32i,
                              {Arg(), word(operand(instruction, 0)), minus_zero()},
                              {{Modifier::logic, Logic::xor_}}});
    case Op::fabs:
      return emit_to(result, {Opcode::lop32i,
                              {Arg(), word(operand(instruction, 0)), Source::immediate(0x7fffffff)},
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

}  // namespace texlate::maxwell::select
