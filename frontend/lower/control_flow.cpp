// if, loop, switch and the jumps out of them (D3D11.3 22.7), discard, sync.
//
// The IR's form is stricter than the source's: every `if` has an `else`, and every `switch` has a default and
// an explicit break in every arm. Code after a jump in the same region is unreachable; only the markers are
// emitted for it.

#include <algorithm>
#include <span>

#include "frontend/lower/families.h"
#include "frontend/lower/operations.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;

void jump(Lowering& lowering, Op op) {
  if (!lowering.reachable) return;
  if (op == Op::return_ && !lowering.calls.empty()) return return_from_subroutine(lowering);
  if (op == Op::break_) {
    for (auto construct = lowering.constructs.rbegin(); construct != lowering.constructs.rend();
         ++construct) {
      if (construct->kind == Construct::Kind::if_) continue;
      construct->broken_out_of = true;
      break;
    }
  }
  lowering.emit_control(op);
  lowering.reachable = false;
}

bool inside(const Lowering& lowering, bool loops_only) {
  for (auto construct = lowering.constructs.rbegin(); construct != lowering.constructs.rend(); ++construct) {
    if (construct->kind == Construct::Kind::subroutine) return false;
    if (construct->kind == Construct::Kind::loop) return true;
    if (!loops_only && construct->kind == Construct::Kind::switch_) return true;
  }
  return false;
}

constexpr auto kJumpOf = by_opcode(kJumps, kConditionalJumps);

/// The IR jump for a source jump. Reports a jump outside of any construct that it could leave.
bool jump_of(Lowering& lowering, const Instruction& instruction, Op& op) {
  op = kJumpOf[static_cast<uint32_t>(instruction.opcode)];
  if (op == Op::break_ && !inside(lowering, false)) {
    lowering.unsupported(instruction, "is outside a loop or switch");
    return false;
  }
  if (op == Op::continue_ && !inside(lowering, true)) {
    lowering.unsupported(instruction, "is outside a loop");
    return false;
  }
  return true;
}

Construct* top(Lowering& lowering, const Instruction& instruction, Construct::Kind kind) {
  if (!lowering.constructs.empty() && lowering.constructs.back().kind == kind)
    return &lowering.constructs.back();
  lowering.unsupported(instruction, "does not match the innermost open if, loop or switch");
  return nullptr;
}

void open(Lowering& lowering, const Instruction& instruction, Construct::Kind kind) {
  Construct construct{kind};
  construct.entry_reachable = lowering.reachable;
  construct.location = instruction.location;
  lowering.constructs.push_back(construct);
}

void emit_else(Lowering& lowering, Construct& construct) {
  construct.first_arm_reachable = lowering.reachable;
  construct.has_else = true;
  if (construct.entry_reachable) lowering.emit_control(Op::else_);
  lowering.reachable = construct.entry_reachable;
}

}  // namespace

void lower_if(Lowering& lowering, const Instruction& instruction) {
  open(lowering, instruction, Construct::Kind::if_);
  if (lowering.reachable) {
    const Value condition = lowering.test(instruction, lowering.operand(instruction, 0));
    lowering.emit_control(Op::if_, {condition});
  }
}

void lower_else(Lowering& lowering, const Instruction& instruction) {
  Construct* construct = top(lowering, instruction, Construct::Kind::if_);
  if (construct == nullptr) return;
  if (construct->has_else) return lowering.unsupported(instruction, "is the second else of its if");
  emit_else(lowering, *construct);
}

void lower_endif(Lowering& lowering, const Instruction& instruction) {
  Construct* construct = top(lowering, instruction, Construct::Kind::if_);
  if (construct == nullptr) return;
  if (!construct->has_else) emit_else(lowering, *construct);
  if (construct->entry_reachable) lowering.emit_control(Op::endif);
  lowering.reachable = lowering.reachable || construct->first_arm_reachable;
  lowering.constructs.pop_back();
}

void lower_loop(Lowering& lowering, const Instruction& instruction) {
  open(lowering, instruction, Construct::Kind::loop);
  if (lowering.reachable) lowering.emit_control(Op::loop);
}

void lower_endloop(Lowering& lowering, const Instruction& instruction) {
  Construct* construct = top(lowering, instruction, Construct::Kind::loop);
  if (construct == nullptr) return;
  if (construct->entry_reachable) lowering.emit_control(Op::endloop);
  lowering.reachable = construct->broken_out_of;
  const bool returned_from = construct->returned_from;
  lowering.constructs.pop_back();
  if (returned_from) continue_return(lowering);
}

void lower_switch(Lowering& lowering, const Instruction& instruction) {
  open(lowering, instruction, Construct::Kind::switch_);
  lowering.constructs.back().after_label = false;
  lowering.constructs.back().first_case = lowering.cases.size();
  if (lowering.reachable) {
    const Value selector = lowering.load_scalar(lowering.operand(instruction, 0), Reading::integer);
    lowering.emit_control(Op::switch_, {selector});
  }
  lowering.reachable = false;  // until the first label
}

// SM4 byte code may fall through from one case into the next; fxc's SM5 never does (22.7.18), and the IR
// cannot. The code after the label is lowered twice: as the rest of the previous arm, and as a separate
// arm.
void lower_fall_through(Lowering& lowering) {
  const auto& instructions = lowering.program.instructions;
  const size_t label = lowering.current;
  const size_t depth = lowering.constructs.size();
  for (size_t i = label; i < instructions.size() && lowering.reachable; ++i) {
    const Opcode opcode = instructions[i].opcode;
    if (lowering.constructs.size() == depth) {
      if (opcode == Opcode::case_ || opcode == Opcode::default_) continue;
      if (opcode == Opcode::endswitch) break;
    }
    if (!count_expanded(lowering, instructions[i])) return;
    lower_code(lowering, i, i + 1);
    // An open construct is lowered completely, even if parts of it are unreachable.
    while (lowering.constructs.size() > depth && i + 1 < instructions.size() &&
           !lowering.diagnostics.full()) {
      if (!count_expanded(lowering, instructions[i + 1])) return;
      ++i;
      lower_code(lowering, i, i + 1);
    }
  }
  jump(lowering, Op::break_);
  lowering.current = label;
}

void lower_case(Lowering& lowering, const Instruction& instruction) {
  Construct* construct = top(lowering, instruction, Construct::Kind::switch_);
  if (construct == nullptr) return;
  if (!construct->entry_reachable) return;
  const Op before = lowering.module.code.back().op;
  const bool follows_label = construct->after_label && (before == Op::case_ || before == Op::default_) &&
                             !lowering.registers.is_region_changed();
  if (lowering.reachable && !follows_label) {
    lower_fall_through(lowering);
    construct = top(lowering, instruction, Construct::Kind::switch_);
    if (construct == nullptr) return;
    lowering.builder.set_location(instruction.location);
  }
  if (instruction.opcode == Opcode::default_) {
    if (construct->has_default)
      return lowering.unsupported(instruction, "is the second default of its switch");
    construct->has_default = true;
    lowering.emit_control(Op::default_);
  } else {
    const sm4::Operand& label = lowering.operand(instruction, 0);
    if (!label.is_immediate()) return lowering.unsupported(instruction, label, "needs a literal");
    lowering.emit_control(Op::case_, {}, label.immediate[0]);
    lowering.cases.push_back({label.immediate[0], lowering.module.code.back().location});
  }
  construct->after_label = true;
  lowering.reachable = true;
}

namespace {

/// Checks the labels of the switch that closes: none may occur twice.
void close_cases(Lowering& lowering, const Construct& construct) {
  const auto cases = std::span(lowering.cases).subspan(construct.first_case);
  std::ranges::stable_sort(cases, {}, &Lowering::Case::value);
  const auto twice = std::ranges::adjacent_find(cases, {}, &Lowering::Case::value);
  if (twice != cases.end()) {
    ir::Instruction second;
    second.location = (twice + 1)->location;
    lowering.diagnostics.error(lowering.module.location_of(second), "a second case l({}) in one switch",
                               twice->value);
  }
  lowering.cases.resize(construct.first_case);
}

}  // namespace

void lower_endswitch(Lowering& lowering, const Instruction& instruction) {
  Construct* construct = top(lowering, instruction, Construct::Kind::switch_);
  if (construct == nullptr) return;
  close_cases(lowering, *construct);
  if (construct->entry_reachable) {
    jump(lowering, Op::break_);  // the last arm may have no break
    if (!construct->has_default) {
      lowering.emit_control(Op::default_);
      lowering.reachable = true;
      jump(lowering, Op::break_);
    }
    lowering.emit_control(Op::endswitch);
  }
  lowering.reachable = construct->broken_out_of;
  const bool returned_from = construct->returned_from;
  lowering.constructs.pop_back();
  if (returned_from) continue_return(lowering);
}

void lower_jump(Lowering& lowering, const Instruction& instruction) {
  Op op;
  if (jump_of(lowering, instruction, op)) jump(lowering, op);
}

void lower_conditional_jump(Lowering& lowering, const Instruction& instruction) {
  Op op;
  if (!jump_of(lowering, instruction, op)) return;
  const Value condition = lowering.test(instruction, lowering.operand(instruction, 0));
  lowering.emit_control(Op::if_, {condition});
  jump(lowering, op);
  lowering.emit_control(Op::else_);
  lowering.reachable = true;
  lowering.emit_control(Op::endif);
}

void lower_discard(Lowering& lowering, const Instruction& instruction) {
  // "discard instructions imply a sync_uglobal fence" (D3D11.3 22.17.7).
  if (std::ranges::any_of(lowering.module.resources, &ir::Resource::is_uav))
    lowering.emit(Op::barrier, {}, ir::kBarrierUavGlobal);
  lowering.emit(Op::discard, {lowering.test(instruction, lowering.operand(instruction, 0))});
}

void lower_sync(Lowering& lowering, const Instruction& instruction) {
  static_assert(sm4::controls::kSyncThreads == ir::kBarrierThreads);
  static_assert(sm4::controls::kSyncGroupShared == ir::kBarrierShared);
  static_assert(sm4::controls::kSyncUavGroup == ir::kBarrierUavGroup);
  static_assert(sm4::controls::kSyncUavGlobal == ir::kBarrierUavGlobal);
  lowering.emit(Op::barrier, {}, instruction.controls & 0xfu);
}

}  // namespace texlate::lower
