// call, callc, label (D3D11.3 22.7): subroutines are expanded where they are called. They share the caller's
// registers and cannot recurse, so the IR needs no functions.
//
// A body with an early ret is wrapped in `switch 0 { default }`, and ret becomes a break out of it. If the
// ret is inside a loop or switch of the body, it sets a flag, and each of these is left in turn.

#include <algorithm>

#include "frontend/lower/families.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;

/// D3D11.3 22.7.10: calls nest 32 deep; the 33rd is skipped.
constexpr size_t kDeepestCall = 32;
/// Subroutines that call others several times can expand without bound. No real program is near this limit.
constexpr size_t kMostExpanded = 200'000;

/// The flag of the innermost call: a temporary after those of the program.
uint32_t flag_register(const Lowering& lowering) {
  return (lowering.program_registers + static_cast<uint32_t>(lowering.calls.size()) - 1) * 4;
}

void store_flag(Lowering& lowering, uint32_t value) {
  const uint32_t reg = flag_register(lowering);
  lowering.module.register_count = std::max(lowering.module.register_count, reg / 4 + 1);
  lowering.registers.write(reg, lowering.constant(value));
}

struct Returns {
  bool early = false;   // some ret is not the body's last instruction
  bool nested = false;  // some ret is inside a loop or switch
};

Returns find_returns(const Lowering& lowering, size_t begin, size_t end) {
  Returns found;
  uint32_t depth = 0;
  for (size_t i = begin; i < end; ++i) {
    switch (lowering.program.instructions[i].opcode) {
      case Opcode::loop:
      case Opcode::switch_: ++depth; break;
      case Opcode::endloop:
      case Opcode::endswitch: depth -= depth != 0 ? 1 : 0; break;
      case Opcode::ret:
      case Opcode::retc:
        found.early |= i + 1 != end || lowering.program.instructions[i].opcode == Opcode::retc;
        found.nested |= depth != 0;
        break;
      default: break;
    }
  }
  return found;
}

void expand(Lowering& lowering, const Instruction& call, size_t label) {
  const size_t end = end_of_subroutine(lowering, label);
  const size_t call_index = lowering.current;
  for (size_t i = label + 1; i < end; ++i) {
    if (!count_expanded(lowering, call)) return;
  }
  const Returns returns = find_returns(lowering, label + 1, end);
  Construct body{Construct::Kind::subroutine};
  body.location = lowering.program.instructions[label].location;
  const size_t depth = lowering.constructs.size();
  lowering.constructs.push_back(body);
  if (returns.nested) store_flag(lowering, 0);
  if (returns.early) {
    lowering.emit_control(Op::switch_, {lowering.constant(0)});
    lowering.emit_control(Op::default_);
  }
  // A single ret at the end needs no jump.
  const bool ends_in_ret = lowering.program.instructions[end - 1].opcode == Opcode::ret;
  lower_code(lowering, label + 1, ends_in_ret && !returns.early ? end - 1 : end);
  if (lowering.constructs.size() != depth + 1) {
    if (!lowering.diagnostics.full()) {
      lowering.diagnostics.error(body.location, "an if, loop or switch of this subroutine is not closed");
    }
    lowering.constructs.resize(depth);
    return;
  }
  if (returns.early) {
    if (lowering.reachable) {
      lowering.constructs.back().broken_out_of = true;
      lowering.emit_control(Op::break_);
    }
    lowering.emit_control(Op::endswitch);
    lowering.reachable = lowering.constructs.back().broken_out_of;
  }
  lowering.constructs.pop_back();
  lowering.current = call_index;
  lowering.builder.set_location(call.location);
}

/// Made at the first call: few programs have any.
void collect_labels(Lowering& lowering) {
  const auto& instructions = lowering.program.instructions;
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].opcode != Opcode::label || instructions[i].operand_count == 0) continue;
    const sm4::Operand& name = lowering.operand(instructions[i], 0);
    const uint32_t kind = name.file == sm4::RegisterFile::function_body ? kFunctionBody : 0;
    lowering.labels.push_back({name.index[0].immediate | kind, i});
  }
  std::ranges::stable_sort(lowering.labels, {}, &Lowering::Label::number);
  lowering.program_registers = lowering.module.register_count;
  for (const Instruction& instruction : instructions) {
    if (instruction.opcode == Opcode::dcl_temps && instruction.word_count != 0) {
      lowering.program_registers =
          std::max(lowering.program_registers, lowering.program.words[instruction.first_word]);
    }
  }
}

}  // namespace

void call_label(Lowering& lowering, const Instruction& call, uint32_t number) {
  if (lowering.labels.empty()) collect_labels(lowering);
  const auto label = std::ranges::lower_bound(lowering.labels, number, {}, &Lowering::Label::number);
  if (label == lowering.labels.end() || label->number != number)
    return lowering.unsupported(call, "refers to a label that does not exist");
  if (std::ranges::find(lowering.calls, number) != lowering.calls.end())
    return lowering.unsupported(call, "is recursive");
  if (lowering.calls.size() >= kDeepestCall) return;
  lowering.calls.push_back(number);
  expand(lowering, call, label->index);
  lowering.calls.pop_back();
}

bool count_expanded(Lowering& lowering, const Instruction& instruction) {
  if (++lowering.expanded <= kMostExpanded) return true;
  if (lowering.expanded == kMostExpanded + 1)
    lowering.unsupported(instruction, "makes the program expand to more than 200000 instructions");
  return false;
}

size_t end_of_subroutine(const Lowering& lowering, size_t label) {
  const auto& instructions = lowering.program.instructions;
  size_t end = label + 1;
  while (end < instructions.size() && instructions[end].opcode != Opcode::label &&
         !starts_phase(instructions[end].opcode)) {
    ++end;
  }
  return end;
}

void return_from_subroutine(Lowering& lowering) {
  bool nested = false;
  for (auto construct = lowering.constructs.rbegin(); construct != lowering.constructs.rend(); ++construct) {
    if (construct->kind == Construct::Kind::if_) continue;
    if (construct->kind == Construct::Kind::subroutine) {
      if (!nested) construct->broken_out_of = true;
      break;
    }
    if (!nested) construct->broken_out_of = true;
    nested = construct->returned_from = true;
  }
  if (nested) store_flag(lowering, 1);
  lowering.emit_control(Op::break_);
  lowering.reachable = false;
}

void continue_return(Lowering& lowering) {
  if (!lowering.reachable) return;
  const Value flag = lowering.registers.read(flag_register(lowering));
  lowering.emit_control(Op::if_, {lowering.emit(Op::ine, {flag, lowering.constant(0)})});
  return_from_subroutine(lowering);
  lowering.emit_control(Op::else_);
  lowering.reachable = true;
  lowering.emit_control(Op::endif);
}

void lower_call(Lowering& lowering, const Instruction& instruction) {
  const bool conditional = instruction.opcode == Opcode::callc;
  const uint32_t number = lowering.operand(instruction, conditional ? 1 : 0).index[0].immediate;
  if (!conditional) return call_label(lowering, instruction, number);
  lower_if(lowering, instruction);
  call_label(lowering, instruction, number);
  lowering.builder.set_location(instruction.location);
  lower_endif(lowering, instruction);
}

}  // namespace texlate::lower
