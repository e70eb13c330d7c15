// Predicates and selection.

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {
using ir::Op;
}

void Selector::select_predicate(const ir::Instruction& instruction) {
  const ir::Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::pand: return select_logic(instruction, Boolean::and_);
    case Op::por: return select_logic(instruction, Boolean::or_);
    case Op::pxor: return select_logic(instruction, Boolean::xor_);
    case Op::pnot: return;  // users read the operand, negated
    case Op::mask: {
      const ir::Value condition = operand(instruction, 0);
      const ir::Instruction* compared = module.is_constant(condition) ? nullptr : definition(condition);
      if (compared != nullptr && is_compare(compared->op) && absorbable(condition, compared->op) != nullptr) {
        return define(result, emit_compare_mask(*compared));
      }
      return define(result,
                    emit_select(predicate(condition), Source::immediate(0xffffffff), Source::immediate(0)));
    }
    case Op::select:
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

// A comparison without other users includes the other operand.
void Selector::select_logic(const ir::Instruction& instruction, Boolean how) {
  const ir::Value result = instruction.first_result;
  for (uint32_t i = 0; i < 2; ++i) {
    const ir::Value mine = operand(instruction, 1 - i);
    const ir::Instruction* compared = module.is_constant(mine) ? nullptr : definition(mine);
    if (compared == nullptr || !is_compare(compared->op) || absorbable(mine, compared->op) == nullptr)
      continue;
    const Predicate other = predicate(operand(instruction, i));
    return define(result, emit_compare(*compared, other, how));
  }
  const MachineValue combined = assembler.predicate();
  emit({Opcode::psetp,
        {Predicate{combined, false}, Arg(), predicate(operand(instruction, 0)),
         predicate(operand(instruction, 1)), Predicate::constant(true)},
        {{Modifier::boolean, how}}});
  define(result, Predicate{combined, false});
}

}  // namespace texlate::maxwell::select
