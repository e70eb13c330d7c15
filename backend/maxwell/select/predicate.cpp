// Predicates and selection.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

void Arithmetic::select_predicate(const ir::Instruction& instruction) {
  const ir::Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::pand: return select_logic(instruction, Boolean::and_);
    case Op::por: return select_logic(instruction, Boolean::or_);
    case Op::pxor: return select_logic(instruction, Boolean::xor_);
    case Op::pnot: return;  // users read the operand, negated
    case Op::mask: {
      const ir::Value condition = operand(instruction, 0);
      if (const ir::Instruction* compared = own_comparison(condition))
        return define(result, emit_compare_mask(*compared, BoolFloat::off));
      return define(result,
                    emit_select(predicate(condition), Source::immediate(0xffffffff), Source::immediate(0)));
    }
    case Op::select:
      if (const ir::Instruction* compared = own_comparison(operand(instruction, 0));
          compared != nullptr && is_one_or_less(instruction))
        return select_one_or_less(instruction, *compared);
      if (select_by_zero(instruction)) return;
      return define(result, emit_select(predicate(operand(instruction, 0)), word(operand(instruction, 1)),
                                        word(operand(instruction, 2))));
    case Op::select64: {
      const Predicate condition = predicate(operand(instruction, 0));
      const Pair yes = pair(operand(instruction, 1));
      const Pair no = pair(operand(instruction, 2));
      return define(result, Pair{emit_select(condition, Source::of(yes.low), Source::of(no.low)),
                                 emit_select(condition, Source::of(yes.high), Source::of(no.high))});
    }
#define IR_COVERED_predicate
#include "ir/op_cases.inc"
    break;  // of another family
  }
}

// The comparison as 1.0 or 0, then the greater of it and the constant.
void Arithmetic::select_one_or_less(const ir::Instruction& instruction, const ir::Instruction& compared) {
  const MachineValue one = emit_compare_mask(compared, BoolFloat::on);
  const Source less = word(operand(instruction, 2));
  if (less.is_immediate(0)) return define(instruction.first_result, one);
  emit_to(instruction.first_result,
          {Opcode::fmnmx, {Arg(), Source::of(one), less, Predicate::constant(false)}});
}

/// The comparison that gives the condition, if the current instruction may include it; otherwise null.
const ir::Instruction* Arithmetic::own_comparison(ir::Value condition) const {
  const ir::Instruction* compared = definition(condition);
  if (compared == nullptr || !is_compare(compared->op)) return nullptr;
  return absorbable(condition, compared->op);
}

// A comparison without other users includes the other operand.
void Arithmetic::select_logic(const ir::Instruction& instruction, Boolean how) {
  const ir::Value result = instruction.first_result;
  for (uint32_t i = 0; i < 2; ++i) {
    const ir::Instruction* compared = own_comparison(operand(instruction, 1 - i));
    if (compared == nullptr) continue;
    const Predicate other = predicate(operand(instruction, i));
    return define(result, values_.compare(*compared, other, how));
  }
  const MachineValue combined = assembler_.predicate();
  emit({Opcode::psetp,
        {Predicate{combined, false}, Arg(), predicate(operand(instruction, 0)),
         predicate(operand(instruction, 1)), kAlways},
        {{Modifier::boolean, how}}});
  define(result, Predicate{combined, false});
}

}  // namespace texlate::maxwell::select
