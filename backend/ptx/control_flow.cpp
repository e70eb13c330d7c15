// Structured control flow to branches and labels. Values that leave a construct are moved into the registers
// of its results just before the branch.

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

void Emitter::find_structure() {
  labels_of_.assign(structure_.constructs().size(), {});
  copy_stamp_.assign(module_.values.size(), 0);
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

// Labels of the arms are consecutive, in the order of the case and default markers.
void Emitter::emit_switch_dispatch(const Instruction& instruction, const ir::Construct& construct,
                                   ConstructLabels& labels) {
  const Value selector = operand(instruction, 0);
  const uint32_t first = labels_;
  Label otherwise = labels.finish;
  for (uint32_t i = construct.first_arm; i != ir::Structure::kNoIndex; i = structure_.next(i)) {
    const Label arm = label();
    if (module_.code[i].op == Op::default_) {
      otherwise = arm;
      continue;
    }
    const TempPred matches = temp_pred();
    line("setp.eq.u32 ", matches, ", ", Int{selector}, ", ", static_cast<uint32_t>(module_.code[i].payload));
    put("\t@");
    put(matches);
    put(" bra ");
    put(arm);
    put(";\n");
  }
  labels.begin = Label{first};
  line("bra ", otherwise);
}

void Emitter::emit_control(const Instruction& instruction) {
  auto place = [this](Label l) {
    put(l);
    put(":\n");
  };
  auto end_reached = [this] {  // of the region that ends here
    return !ir::info(module_.code[current_ - 1].op).has(ir::kTerminator);
  };
  const auto operands = module_.operands_of(instruction);
  if (instruction.op == Op::return_) {
    if (structure_.around(current_) != ir::Structure::kNoIndex) varying_return_ = true;
    if (current_ + 1 != module_.code.size()) line("bra LEXIT");
    return;
  }
  if (instruction.op == Op::phase) return refuse(instruction, "this control flow");
  const ir::Construct& construct = structure_.of(current_);
  ConstructLabels& labels = labels_of_[structure_.construct_of(current_)];
  const Instruction& head = module_.code[construct.marker];
  const Instruction& end = module_.code[construct.end];
  switch (instruction.op) {
    case Op::if_:
      labels = {{0}, label(), label()};
      put("\t@!");
      put(Pred{operands[0]});
      put(" bra ");
      put(labels.otherwise);
      put(";\n");
      break;
    case Op::else_: {
      move_all(operands, end.first_result, end.result_count);
      const bool empty_else = construct.end == current_ + 1 && end.result_count == 0;
      if (!empty_else && end_reached()) line("bra ", labels.finish);
      place(labels.otherwise);
      break;
    }
    case Op::endif:
      move_all(operands, end.first_result, end.result_count);
      place(labels.finish);
      break;
    case Op::loop:
      move_all(operands, head.first_result, head.result_count);
      labels = {label(), {0}, label()};
      place(labels.begin);
      break;
    case Op::endloop:
      if (end_reached()) {
        move_all(operands, head.first_result, head.result_count);
        line("bra ", labels.begin);
      }
      place(labels.finish);
      break;
    case Op::break_:
      move_all(operands, end.first_result, end.result_count);
      line("bra ", labels.finish);
      break;
    case Op::continue_:
      move_all(operands, head.first_result, head.result_count);
      line("bra ", labels.begin);
      break;
    case Op::switch_:
      labels.finish = label();
      emit_switch_dispatch(instruction, construct, labels);
      break;
    case Op::case_:
    case Op::default_: place(Label{labels.begin.n + labels.next_arm++}); break;
    case Op::endswitch: place(labels.finish); break;
    case Op::return_:
    case Op::phase:  // above
#define IR_COVERED_control
#include "ir/op_cases.inc"
      break;
  }
}

}  // namespace texlate::ptx
