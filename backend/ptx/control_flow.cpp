// Structured control flow to branches and labels. Values that leave a construct are moved into the registers
// of its results just before the branch.

#include "backend/ptx/emitter.h"
#include "ir/reachability.h"

namespace texlate::ptx {

void Emitter::find_structure() {
  end_of_.assign(module_.code.size(), 0);
  ir::find_ends(module_, end_of_);
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
void Emitter::emit_switch_dispatch(uint32_t switch_index) {
  const Value selector = operand(module_.code[switch_index], 0);
  const uint32_t end = end_of_[switch_index];
  const uint32_t first = labels_;
  uint32_t arm = 0;
  Label otherwise = open_.back().finish;
  for (uint32_t i = switch_index + 1; i < end; ++i) {
    const Instruction& instruction = module_.code[i];
    switch (instruction.op) {
      case Op::if_: i = end_of_[end_of_[i]]; break;  // to its endif
      case Op::loop:
      case Op::switch_: i = end_of_[i]; break;
      case Op::case_: {
        const TempPred matches = temp_pred();
        line("setp.eq.u32 ", matches, ", ", Int{selector}, ", ", static_cast<uint32_t>(instruction.payload));
        put("\t@");
        put(matches);
        put(" bra ");
        put(Label{first + arm++});
        put(";\n");
        break;
      }
      case Op::default_: otherwise = Label{first + arm++}; break;
      default: break;
    }
  }
  labels_ += arm;
  open_.back().begin = Label{first};
  line("bra ", otherwise);
}

void Emitter::emit_control(const Instruction& instruction) {
  auto place = [this](Label l) {
    put(l);
    put(":\n");
  };
  auto innermost = [this](bool loops_only) -> Open& {
    for (size_t i = open_.size(); i-- != 0;) {
      const Op op = module_.code[open_[i].marker].op;
      if (op == Op::loop || (!loops_only && op == Op::switch_)) return open_[i];
    }
    return open_.back();
  };
  auto end_reached = [this] {  // of the region that ends here
    return !ir::info(module_.code[current_ - 1].op).has(ir::kTerminator);
  };
  const auto operands = module_.operands_of(instruction);
  switch (instruction.op) {
    case Op::if_: {
      open_.push_back({current_, end_of_[end_of_[current_]], {0}, label(), label()});
      put("\t@!");
      put(Pred{operands[0]});
      put(" bra ");
      put(open_.back().otherwise);
      put(";\n");
      break;
    }
    case Op::else_: {
      const Open& construct = open_.back();
      const Instruction& end = module_.code[construct.end];
      move_all(operands, end.first_result, end.result_count);
      const bool empty_else = construct.end == current_ + 1 && end.result_count == 0;
      if (!empty_else && end_reached()) line("bra ", construct.finish);
      place(construct.otherwise);
      break;
    }
    case Op::endif:
      move_all(operands, instruction.first_result, instruction.result_count);
      place(open_.back().finish);
      open_.pop_back();
      break;
    case Op::loop:
      move_all(operands, instruction.first_result, instruction.result_count);
      open_.push_back({current_, end_of_[current_], label(), {0}, label()});
      place(open_.back().begin);
      break;
    case Op::endloop: {
      const Open construct = open_.back();
      const Instruction& head = module_.code[construct.marker];
      if (end_reached()) {
        move_all(operands, head.first_result, head.result_count);
        line("bra ", construct.begin);
      }
      place(construct.finish);
      open_.pop_back();
      break;
    }
    case Op::break_: {
      const Open& construct = innermost(false);
      const Instruction& end = module_.code[construct.end];
      move_all(operands, end.first_result, end.result_count);
      line("bra ", construct.finish);
      break;
    }
    case Op::continue_: {
      const Open& construct = innermost(true);
      const Instruction& head = module_.code[construct.marker];
      move_all(operands, head.first_result, head.result_count);
      line("bra ", construct.begin);
      break;
    }
    case Op::switch_:
      open_.push_back({current_, end_of_[current_], {0}, {0}, label()});
      emit_switch_dispatch(current_);
      break;
    case Op::case_:
    case Op::default_: place(Label{open_.back().begin.n + open_.back().next_arm++}); break;
    case Op::endswitch:
      place(open_.back().finish);
      open_.pop_back();
      break;
    case Op::return_:
      if (!open_.empty()) varying_return_ = true;
      if (current_ + 1 != module_.code.size()) line("bra LEXIT");
      break;
    default: refuse(instruction, "this control flow"); break;
  }
}

}  // namespace texlate::ptx
