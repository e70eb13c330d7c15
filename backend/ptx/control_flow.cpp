// Structured control flow to branches and labels. Values that leave a construct are moved into the registers
// of its results just before the branch.

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

void Emitter::find_structure() {
  flows_.assign(structure_.constructs().size(), {});
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

// All moves at once: a source that an earlier move of the group overwrites is saved first (a loop that swaps
// two values).
void Emitter::move_all(std::span<const Value> sources, Value first_destination, uint32_t count) {
  if (sources.size() < count) return;  // the end of this arm is not reached
  ++stamp_;
  for (uint32_t i = 0; i < count; ++i) copy_stamp_[first_destination + i] = stamp_;
  std::pmr::vector<std::pair<uint32_t, uint32_t>> saved(module_.memory());  // (index of the move, temporary)
  for (uint32_t i = 0; i < count; ++i) {
    const Value source = sources[i];
    // Only an earlier move can have overwritten the source before move i.
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

// Labels of the arms are consecutive, in the order of the case and default markers; an arm is the code after
// a group of consecutive labels.
void Emitter::emit_switch_dispatch(uint32_t construct) {
  const ir::Construct& place = structure_[construct];
  const Value selector = operand(module_.code[place.marker], 0);
  const uint32_t first = labels_;
  struct Case {
    TempPred matches;
    Label label;
  };
  std::pmr::vector<Case> cases(module_.memory());
  std::pmr::vector<SwitchArm> arms(module_.memory());
  const bool votes = parts_lanes(construct);
  uint32_t labels = 0;
  Label otherwise = flows_[construct].finish;
  uint32_t last = ir::Structure::kNoIndex;
  for (uint32_t i = place.first_arm; i != ir::Structure::kNoIndex; last = i, i = structure_.next(i)) {
    const Instruction& instruction = module_.code[i];
    const bool joins = last + 1 == i;  // the label directly follows another one
    if (!joins || arms.empty()) arms.push_back({});
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
  labels_ += labels;
  flows_[construct].begin = Label{first};
  vote_for_cases(construct, arms);
  for (const Case& each : cases) branch_if(each.matches, each.label);
  line("bra ", otherwise);
}

void Emitter::emit_case_label(uint32_t construct) {
  Flow& flow = flows_[construct];
  place(Label{flow.begin.n + flow.next_label++});
  const Op next = module_.code[current_ + 1].op;
  if (next != Op::case_ && next != Op::default_) enter_case(construct, flow.next_arm++);
}

// Emits the values that a break or continue passes, then the branch.
void Emitter::emit_jump(const Instruction& instruction, Jump kind) {
  const ir::Construct& target = structure_.of(current_);
  const Instruction& receiver = module_.code[kind == Jump::break_ ? target.end : target.marker];
  move_all(module_.operands_of(instruction), receiver.first_result, receiver.result_count);
  jump(kind);
}

void Emitter::emit_if(uint32_t construct) {
  const Value condition = operand(module_.code[current_], 0);
  flows_[construct].otherwise = label();
  flows_[construct].finish = label();
  vote_for_arms(construct, condition);
  put("\t@!");
  put(Pred{condition});
  put(" bra ");
  put(flows_[construct].otherwise);
  put(";\n");
  enter_first_arm(construct);
}

void Emitter::emit_else(uint32_t construct) {
  const Flow& flow = flows_[construct];
  const uint32_t end = structure_[construct].end;
  const Instruction& receiver = module_.code[end];
  move_all(module_.operands_of(module_.code[current_]), receiver.first_result, receiver.result_count);
  const bool empty_else =
      end == current_ + 1 && receiver.result_count == 0 && flow.arms != Arms::second_goes_on;
  if (!empty_else && is_end_reached()) line("bra ", flow.finish);
  place(flow.otherwise);
  enter_second_arm(construct);
}

void Emitter::emit_endloop(uint32_t construct) {
  const Flow& flow = flows_[construct];
  const Instruction& head = module_.code[structure_[construct].marker];
  if (is_end_reached()) {
    move_all(module_.operands_of(module_.code[current_]), head.first_result, head.result_count);
    if (!flow.counts_turns) line("bra ", flow.begin);
  }
  if (flow.counts_turns) {
    place(flow.latch);
    end_turn(construct);
  }
  place(flow.finish);
  close_masks(construct);
}

void Emitter::emit_control(const Instruction& instruction) {
  const auto operands = module_.operands_of(instruction);
  const uint32_t construct = structure_.construct_of(current_);
  // What is in a register at this point is also there in the regions of the construct; what one region loads
  // is not available in the next.
  if (ir::opens_construct(instruction.op))
    flows_[construct].fields = static_cast<uint32_t>(known_fields_.size());
  if (ir::bounds_region(instruction.op) && instruction.op != Op::phase)
    forget_fields(flows_[construct].fields);
  switch (instruction.op) {
    case Op::if_: emit_if(construct); break;
    case Op::else_: emit_else(construct); break;
    case Op::endif:
      move_all(operands, instruction.first_result, instruction.result_count);
      place(flows_[construct].finish);
      close_masks(construct);
      break;
    case Op::loop:
      move_all(operands, instruction.first_result, instruction.result_count);
      flows_[construct].begin = label();
      flows_[construct].finish = label();
      open_loop_masks(construct);
      place(flows_[construct].begin);
      start_turn(construct);
      break;
    case Op::endloop: emit_endloop(construct); break;
    case Op::break_: emit_jump(instruction, Jump::break_); break;
    case Op::continue_: emit_jump(instruction, Jump::continue_); break;
    case Op::switch_:
      flows_[construct].finish = label();
      emit_switch_dispatch(construct);
      break;
    case Op::case_:
    case Op::default_: emit_case_label(construct); break;
    case Op::endswitch:
      place(flows_[construct].finish);
      close_masks(construct);
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
