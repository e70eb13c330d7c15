#include "backend/maxwell/machine/propagate_moves.h"

#include "backend/maxwell/machine/access.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

/// A move of a whole register, or of a predicate, from one value to another.
bool is_plain_move(const Function& function, const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard() != kPT) return false;
  const Opcode op = opcode(instruction.code);
  if (op != Opcode::mov && op != Opcode::psetp) return false;
  const maxwell::Instruction code = instruction.code;
  switch (op) {
    case Opcode::mov:
      return code.operands[1].kind == OperandKind::reg && code.operands[1].reg != kRZ &&
             code.operands[2].value == 15 && function.operands[instruction.values] != kNoValue &&
             function.operands[instruction.values + 1] != kNoValue;
    case Opcode::psetp: {
      // Pd, PT = Ps and PT and PT
      if (get_modifier(code, Modifier::boolean) != 0 || get_modifier(code, Modifier::boolean_b) != 0)
        return false;
      for (const unsigned k : {1u, 3u, 4u}) {
        if (code.operands[k].reg != kPT || code.operands[k].flags != 0) return false;
      }
      return instruction.count(0) == 1 && instruction.count(2) == 1 && code.operands[2].flags == 0;
    }
    default: return false;
  }
}

}  // namespace

void propagate_moves(Function& function) {
  auto same = all_ones<Value>(function.values.size(), function.scratch());
  bool any = false;
  for (const Instruction& i : function.instructions) {
    if (!is_plain_move(function, i)) continue;
    same[function.operands[i.values]] = function.operands[i.values + 1];
    any = true;
  }
  if (!any) return;
  // Definitions dominate uses, and the graph of moves has no cycles, so chains end.
  const auto resolve = [&](Value& v) {
    Value end = v;
    while (same[end] != kNoValue) end = same[end];
    while (same[v] != kNoValue) {
      const Value next = same[v];
      same[v] = end == next ? next : end;
      v = next;
    }
    v = end;
  };
  for (Instruction& i : function.instructions) visit_uses(function, i, resolve);
  for (Block& b : function.blocks) visit_end_uses(function, b, resolve);
}

}  // namespace texlate::maxwell::machine
