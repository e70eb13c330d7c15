// Structured control flow to branches and labels. Values that leave a construct are moved into the registers
// of its results just before the branch.

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

void Emitter::find_structure() {
  end_of_.assign(module_.code.size(), 0);
  ir::find_ends(structure_, end_of_);
  copy_stamp_.assign(module_.values.size(), 0);
  if (uses_quads_ && !ir::is_straight_line(module_)) paths_.find(module_, structure_);
  path_.tracked = paths_.needed();
}

void Emitter::move(Value destination, Value source) {
  if (destination == source) return;
  switch (module_.values[destination].type) {
    case ir::Type::b1: return line("mov.pred ", Pred{destination}, ", ", Pred{source});
    case ir::Type::b32: return line("mov.b32 ", Int{destination}, ", ", Int{source});
    case ir::Type::b64: return line("mov.b64 ", Double{destination}, ", ", Double{source});
  }
}

// All at once: a source that an earlier move of the group overwrites is saved first (a loop that swaps two
// values).
void Emitter::move_all(std::span<const Value> sources, Value first_destination, uint32_t count) {
  if (sources.size() < count) return;  // the end of this arm is not reached
  ++stamp_;
  for (uint32_t i = 0; i < count; ++i) copy_stamp_[first_destination + i] = stamp_;
  std::pmr::vector<std::pair<uint32_t, uint32_t>> saved(module_.memory());  // (index of the move, temporary)
  for (uint32_t i = 0; i < count; ++i) {
    const Value source = sources[i];
    // Overwritten before move i happens only by an earlier move.
    if (copy_stamp_[source] != stamp_ || source >= first_destination + i) continue;
    const uint32_t n = module_.values[source].type == ir::Type::b64   ? temp64().n
                       : module_.values[source].type == ir::Type::b32 ? temp().n
                                                                      : temp_pred().n;
    switch (module_.values[source].type) {
      case ir::Type::b1: line("mov.pred ", TempPred{n}, ", ", Pred{source}); break;
      case ir::Type::b32: line("mov.b32 ", Temp{n}, ", ", Int{source}); break;
      case ir::Type::b64: line("mov.b64 ", Temp64{n}, ", ", Double{source}); break;
    }
    saved.push_back({i, n});
  }
  auto next_saved = saved.begin();
  for (uint32_t i = 0; i < count; ++i) {
    const Value destination = first_destination + i;
    if (next_saved == saved.end() || next_saved->first != i) {
      move(destination, sources[i]);
      continue;
    }
    const uint32_t n = (next_saved++)->second;
    switch (module_.values[destination].type) {
      case ir::Type::b1: line("mov.pred ", Pred{destination}, ", ", TempPred{n}); break;
      case ir::Type::b32: line("mov.b32 ", Int{destination}, ", ", Temp{n}); break;
      case ir::Type::b64: line("mov.b64 ", Double{destination}, ", ", Temp64{n}); break;
    }
  }
}

// Labels of the arms are consecutive, in the order of the case and default markers; an arm is what follows
// labels that stand together.
void Emitter::emit_switch_dispatch(uint32_t switch_index) {
  const Value selector = operand(module_.code[switch_index], 0);
  const uint32_t end = end_of_[switch_index];
  const uint32_t first = labels_;
  struct Case {
    TempPred matches;
    Label label;
  };
  std::pmr::vector<Case> cases(module_.memory());
  std::pmr::vector<SwitchArm> arms(module_.memory());
  const bool votes = parts_lanes(switch_index);
  uint32_t labels = 0;
  Label otherwise = open_.back().finish;
  bool joins = false;  // the label stands right behind another one
  for (uint32_t i = switch_index + 1; i < end; ++i) {
    const Instruction& instruction = module_.code[i];
    const bool is_label = instruction.op == Op::case_ || instruction.op == Op::default_;
    if (is_label) {
      if (!joins) arms.push_back({});
      SwitchArm& arm = arms.back();
      if (instruction.op == Op::default_) {
        otherwise = Label{first + labels};
        arm.is_default = true;
      } else {
        const TempPred matches = temp_pred();
        const auto value = static_cast<uint32_t>(instruction.payload);
        line("setp.eq.u32 ", matches, ", ", Int{selector}, ", ", value);
        if (votes && arm.voted) line("or.pred ", arm.matches, ", ", arm.matches, ", ", matches);
        if (votes && !arm.voted) {
          arm.matches = temp_pred();
          line("mov.pred ", arm.matches, ", ", matches);
        }
        arm.voted = true;
        cases.push_back({matches, Label{first + labels}});
      }
      ++labels;
    }
    joins = is_label;
    if (instruction.op == Op::if_) i = end_of_[end_of_[i]];  // to its endif
    if (instruction.op == Op::loop || instruction.op == Op::switch_) i = end_of_[i];
  }
  labels_ += labels;
  open_.back().begin = Label{first};
  vote_for_cases(open_.back(), arms);
  for (const Case& each : cases) branch_if(each.matches, each.label);
  line("bra ", otherwise);
}

void Emitter::emit_case_label() {
  Open& construct = open_.back();
  place(Label{construct.begin.n + construct.next_label++});
  const Op next = module_.code[current_ + 1].op;
  if (next != Op::case_ && next != Op::default_) enter_case(construct, construct.next_arm++);
}

// The values that a break or continue passes, then the branch.
void Emitter::emit_jump(const Instruction& instruction, Jump kind) {
  for (size_t i = open_.size(); i-- != 0;) {
    const uint32_t marker = open_[i].marker;
    const Op op = module_.code[marker].op;
    if (op == Op::if_ || (op == Op::switch_ && kind == Jump::continue_)) continue;
    const Instruction& receiver = module_.code[kind == Jump::break_ ? open_[i].end : marker];
    move_all(module_.operands_of(instruction), receiver.first_result, receiver.result_count);
    break;
  }
  jump(kind);
}

void Emitter::emit_control(const Instruction& instruction) {
  auto end_reached = [this] {  // of the region that ends here
    return !ir::info(module_.code[current_ - 1].op).has(ir::kTerminator);
  };
  const auto operands = module_.operands_of(instruction);
  switch (instruction.op) {
    case Op::if_: {
      open_.push_back({current_, end_of_[end_of_[current_]], {0}, label(), label()});
      vote_for_arms(open_.back(), operands[0]);
      put("\t@!");
      put(Pred{operands[0]});
      put(" bra ");
      put(open_.back().otherwise);
      put(";\n");
      enter_first_arm(open_.back());
      break;
    }
    case Op::else_: {
      const Open& construct = open_.back();
      const Instruction& end = module_.code[construct.end];
      move_all(operands, end.first_result, end.result_count);
      const bool empty_else =
          construct.end == current_ + 1 && end.result_count == 0 && construct.arms != Arms::second_goes_on;
      if (!empty_else && end_reached()) line("bra ", construct.finish);
      place(construct.otherwise);
      enter_second_arm(construct);
      break;
    }
    case Op::endif:
      move_all(operands, instruction.first_result, instruction.result_count);
      place(open_.back().finish);
      close_masks(open_.size() - 1);
      open_.pop_back();
      break;
    case Op::loop:
      move_all(operands, instruction.first_result, instruction.result_count);
      open_.push_back({current_, end_of_[current_], label(), {0}, label()});
      open_loop_masks(open_.back());
      place(open_.back().begin);
      start_turn(open_.back());
      break;
    case Op::endloop: {
      const Open construct = open_.back();
      const Instruction& head = module_.code[construct.marker];
      if (end_reached()) {
        move_all(operands, head.first_result, head.result_count);
        if (!construct.counts_turns) line("bra ", construct.begin);
      }
      if (construct.counts_turns) {
        place(construct.latch);
        end_turn(construct, open_.size() - 1);
      }
      place(construct.finish);
      close_masks(open_.size() - 1);
      open_.pop_back();
      break;
    }
    case Op::break_: emit_jump(instruction, Jump::break_); break;
    case Op::continue_: emit_jump(instruction, Jump::continue_); break;
    case Op::switch_:
      open_.push_back({current_, end_of_[current_], {0}, {0}, label()});
      emit_switch_dispatch(current_);
      break;
    case Op::case_:
    case Op::default_: emit_case_label(); break;
    case Op::endswitch:
      place(open_.back().finish);
      close_masks(open_.size() - 1);
      open_.pop_back();
      break;
    case Op::return_:
      if (current_ + 1 != module_.code.size()) jump(Jump::return_);
      break;
    case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
      refuse(instruction, "this control flow");
      break;
  }
}

}  // namespace texlate::ptx
