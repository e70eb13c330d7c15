// Values that leave a construct are moved into the registers of its results just before the branch.

#include "backend/ptx/control_flow.h"

namespace texlate::ptx {

namespace {

// By ir::Type.
constexpr std::string_view kMoves[] = {"mov.pred ", "mov.b32 ", "mov.b64 "};
constexpr std::string_view kTemporaries[] = {"%tp", "%t", "%td"};
constexpr char kLetters[] = {'p', 'i', 'd'};

}  // namespace

ControlFlow::ControlFlow(Core& core, Records& records)
    : Writer(core),
      records_(records),
      structure_(module_, module_.memory(), ir::Structure::Extent::control),
      flows_(structure_.constructs().size(), Flow{}, module_.memory()),
      paths_(module_.memory()),
      copy_stamp_(module_.values.size(), 0, module_.memory()) {
  if (uses_.has_derivatives && !ir::is_straight_line(module_)) paths_.find(module_, structure_);
  path_.tracked = paths_.needed();
}

void ControlFlow::move(Value destination, Value source) {
  if (destination == source) return;
  switch (module_.values[destination].type) {
    case ir::Type::b1: return line("mov.pred ", Pred{destination}, ", ", Pred{source});
    case ir::Type::b32: return line("mov.b32 ", Int{destination}, ", ", Int{source});
    case ir::Type::b64: return line("mov.b64 ", Double{destination}, ", ", Double{source});
  }
}

// All moves at once: a source that an earlier move of the group overwrites is saved first (a loop that swaps
// two values).
void ControlFlow::move_all(std::span<const Value> sources, Value first_destination, uint32_t count) {
  if (sources.size() < count) return;  // the end of this arm is not reached
  ++stamp_;
  for (uint32_t i = 0; i < count; ++i) copy_stamp_[first_destination + i] = stamp_;
  std::pmr::vector<std::pair<uint32_t, uint32_t>> saved(module_.memory());  // (index of the move, temporary)
  for (uint32_t i = 0; i < count; ++i) {
    const Value source = sources[i];
    // Only an earlier move can have overwritten the source before move i.
    if (copy_stamp_[source] != stamp_ || source >= first_destination + i) continue;
    const auto type = static_cast<size_t>(module_.values[source].type);
    const uint32_t n = type == 2 ? temp64().n : type == 1 ? temp().n : temp_pred().n;
    line(kMoves[type], kTemporaries[type], n, ", ", Operand{source, kLetters[type]});
    saved.push_back({i, n});
  }
  auto next_saved = saved.begin();
  for (uint32_t i = 0; i < count; ++i) {
    const Value destination = first_destination + i;
    if (next_saved == saved.end() || next_saved->first != i) {
      move(destination, sources[i]);
      continue;
    }
    const auto type = static_cast<size_t>(module_.values[destination].type);
    line(kMoves[type], Operand{destination, kLetters[type]}, ", ", kTemporaries[type],
         (next_saved++)->second);
  }
}

// Labels of the arms are consecutive, in the order of the case and default markers; an arm is the code after
// a group of consecutive labels.
void ControlFlow::emit_switch(uint32_t construct) {
  const ir::Construct& place = structure_[construct];
  const Value selector = operand(module_.code[place.marker], 0);
  const uint32_t first = text_.labels(0).n;
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
  text_.labels(labels);
  flows_[construct].begin = Label{first};
  vote_for_cases(construct, arms);
  for (const Case& each : cases) branch_if(each.matches, each.label);
  line("bra ", otherwise);
}

void ControlFlow::emit_case_label(uint32_t construct) {
  Flow& flow = flows_[construct];
  text_.place(Label{flow.begin.n + flow.next_label++});
  const Op next = module_.code[core_.current + 1].op;
  if (next != Op::case_ && next != Op::default_) enter_case(construct, flow.next_arm++);
}

// Emits the values that a break or continue passes, then the branch.
void ControlFlow::emit_jump(const Instruction& instruction, Jump kind) {
  const ir::Construct& target = structure_.of(core_.current);
  const Instruction& receiver = module_.code[kind == Jump::break_ ? target.end : target.marker];
  move_all(module_.operands_of(instruction), receiver.first_result, receiver.result_count);
  jump(kind);
}

void ControlFlow::emit_if(uint32_t construct) {
  const Value condition = operand(module_.code[core_.current], 0);
  flows_[construct].otherwise = text_.labels(1);
  flows_[construct].finish = text_.labels(1);
  vote_for_arms(construct, condition);
  line("@!", Pred{condition}, " bra ", flows_[construct].otherwise);
  enter_first_arm(construct);
}

void ControlFlow::emit_else(uint32_t construct) {
  const Flow& flow = flows_[construct];
  const uint32_t end = structure_[construct].end;
  const Instruction& receiver = module_.code[end];
  move_all(module_.operands_of(module_.code[core_.current]), receiver.first_result, receiver.result_count);
  const bool empty_else =
      end == core_.current + 1 && receiver.result_count == 0 && flow.arms != Arms::second_goes_on;
  if (!empty_else && is_end_reached()) line("bra ", flow.finish);
  text_.place(flow.otherwise);
  enter_second_arm(construct);
}

void ControlFlow::open_loop(uint32_t construct) {
  Flow& flow = flows_[construct];
  flow.begin = text_.labels(1);
  flow.finish = text_.labels(1);
  open_loop_masks(construct);
  text_.place(flow.begin);
  if (flow.counts_turns) line("mov.b32 ", flow.ballot, ", ", flow.turn);
}

void ControlFlow::emit_endloop(uint32_t construct) {
  const Flow& flow = flows_[construct];
  const Instruction& head = module_.code[structure_[construct].marker];
  if (is_end_reached()) {
    move_all(module_.operands_of(module_.code[core_.current]), head.first_result, head.result_count);
    if (!flow.counts_turns) line("bra ", flow.begin);
  }
  if (flow.counts_turns) {
    text_.place(flow.latch);
    end_turn(construct);
  }
  text_.place(flow.finish);
  close_masks(construct);
}

void ControlFlow::emit(const Instruction& instruction) {
  const auto operands = module_.operands_of(instruction);
  const uint32_t construct = structure_.construct_of(core_.current);
  // What is in a register at this point is also there in the regions of the construct; what one region loads
  // is not available in the next.
  if (ir::opens_construct(instruction.op)) flows_[construct].fields = records_.known();
  if (ir::bounds_region(instruction.op) && instruction.op != Op::phase)
    records_.forget(flows_[construct].fields);
  switch (instruction.op) {
    case Op::if_: emit_if(construct); break;
    case Op::else_: emit_else(construct); break;
    case Op::endif:
      move_all(operands, instruction.first_result, instruction.result_count);
      text_.place(flows_[construct].finish);
      close_masks(construct);
      break;
    case Op::loop:
      move_all(operands, instruction.first_result, instruction.result_count);
      open_loop(construct);
      break;
    case Op::endloop: emit_endloop(construct); break;
    case Op::break_: emit_jump(instruction, Jump::break_); break;
    case Op::continue_: emit_jump(instruction, Jump::continue_); break;
    case Op::switch_:
      flows_[construct].finish = text_.labels(1);
      emit_switch(construct);
      break;
    case Op::case_:
    case Op::default_: emit_case_label(construct); break;
    case Op::endswitch:
      text_.place(flows_[construct].finish);
      close_masks(construct);
      break;
    case Op::return_:
      if (core_.current + 1 != module_.code.size()) jump(Jump::return_);
      break;
    case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
      refuse(instruction, "this control flow");
      break;
  }
}

}  // namespace texlate::ptx
