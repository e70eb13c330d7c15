#include "backend/spirv/control_flow.h"

namespace texlate::spirv {

uint32_t ControlFlow::innermost(bool loops_only) const {
  for (size_t i = open_.size(); i-- != 0;) {
    const Op op = code_[open_[i].marker].op;
    if (op == Op::loop || (!loops_only && op == Op::switch_)) return static_cast<uint32_t>(i);
  }
  return 0;
}

// ---- values that leave a construct ----

void ControlFlow::branch_with_values(uint32_t construct, bool to_continue, const Instruction& instruction) {
  Open& open = open_[construct];
  uint32_t& head = to_continue ? open.first_continue : open.first_edge;
  edges_.push_back({body_.block(), instruction.first_operand, head});
  head = static_cast<uint32_t>(edges_.size() - 1);
  ++(to_continue ? open.continue_count : open.edge_count);
}

/// Ends the block with a branch to where the construct ends or, a loop, continues.
void ControlFlow::leave(uint32_t construct, bool to_continue, const Instruction& instruction) {
  if (body_.reached()) branch_with_values(construct, to_continue, instruction);
  body_.branch(to_continue ? open_[construct].other : open_[construct].merge);
}

/// Emits the results of `results_of` in the block that was just started.
void ControlFlow::emit_phis(const Instruction& results_of, uint32_t first_edge, uint32_t edge_count) {
  const uint32_t count = results_of.result_count;
  if (count == 0) return;
  if (edge_count == 1) return pass_on(results_of, edges_[first_edge]);
  std::pmr::vector<Operand> words(module_.memory());
  for (uint32_t r = 0; r < count; ++r) {
    const Value result = results_of.first_result + r;
    if (!is_used(result)) continue;
    const As form = values_.form(result);
    const Id type = type_of(form);
    words.clear();
    for (uint32_t e = first_edge; e != kNoIndex; e = edges_[e].next) {
      words.push_back(values_.use(module_.operands[edges_[e].first_operand + r], form));
      words.push_back(edges_[e].block);
    }
    values_.define(result, form, Writer::emit(spv::OpPhi, type, words));
  }
  for (uint32_t r = 0; r < count; ++r) values_.move_definition(results_of.first_result + r);
}

/// Only one edge leads here: its values are the results.
void ControlFlow::pass_on(const Instruction& results_of, const Edge& edge) {
  for (uint32_t r = 0; r < results_of.result_count; ++r) {
    const Value result = results_of.first_result + r;
    if (is_used(result)) values_.define_same(result, module_.operands[edge.first_operand + r]);
  }
}

/// The merge block of an if or switch; for a loop, too, after its continue block.
void ControlFlow::close_construct(const Instruction& instruction) {
  const Open open = open_.back();
  open_.pop_back();
  body_.start_block(open.merge);
  if (open.edge_count == 0) {
    effect(spv::OpUnreachable, {});
    return body_.end_block();
  }
  emit_phis(instruction, open.first_edge, open.edge_count);
}

// ---- if ----

// if c { break } else { }: the jump's target is the branch's target.
bool ControlFlow::emit_conditional_jump(const Instruction& instruction) {
  const uint32_t i = current_;
  if (i + 3 >= code_.size()) return false;
  const Instruction& jump = code_[i + 1];
  if (jump.op != Op::break_ && jump.op != Op::continue_) return false;
  if (code_[i + 2].op != Op::else_ || code_[i + 3].op != Op::endif || code_[i + 3].result_count != 0)
    return false;
  const bool to_continue = jump.op == Op::continue_;
  const uint32_t construct = innermost(to_continue);
  const Id next = builder_.new_id();
  branch_with_values(construct, to_continue, jump);
  body_.branch(as_bool(operand(instruction, 0)),
               to_continue ? open_[construct].other : open_[construct].merge, next, next);
  body_.start_block(next);
  current_ += 3;
  return true;
}

void ControlFlow::emit_if(const Instruction& instruction) {
  if (emit_conditional_jump(instruction)) return;
  const uint32_t else_index = control_.end_of[current_];
  Open open{current_, control_.end_of[else_index], builder_.new_id()};
  // An empty else needs no block.
  const bool has_else = open.end != else_index + 1;
  open.other = has_else ? builder_.new_id() : Id::none;
  const Id then = builder_.new_id();
  body_.branch(as_bool(operand(instruction, 0)), then, has_else ? open.other : open.merge, open.merge);
  open_.push_back(open);
  if (!has_else) branch_with_values(top(), false, code_[open.end]);
  body_.start_block(then);
}

// ---- loop ----

void ControlFlow::emit_loop(const Instruction& instruction) {
  Open open{current_, control_.end_of[current_], builder_.new_id(), builder_.new_id()};
  const Id before = body_.block();
  const Id header = builder_.new_id();
  body_.branch(header);
  body_.start_block(header);
  open.first_phi = body_.position();
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    const Value result = instruction.first_result + r;
    if (!is_used(result)) continue;
    const As form = values_.form(result);
    const Id type = type_of(form);
    // emit_endloop fills in the id of the value from the next iteration.
    const Id first = values_.use(module_.operands[instruction.first_operand + r], form);
    values_.define(result, form, Writer::emit(spv::OpPhi, type, {first, before, Id::none, open.other}));
  }
  for (uint32_t r = 0; r < instruction.result_count; ++r)
    values_.move_definition(instruction.first_result + r);
  const Id body = builder_.new_id();
  effect(spv::OpLoopMerge, {open.merge, open.other, spv::LoopControlMaskNone});
  body_.branch(body);
  body_.start_block(body);
  open_.push_back(open);
}

void ControlFlow::emit_endloop(const Instruction& instruction) {
  leave(top(), true, instruction);
  const Open open = open_.back();
  body_.start_block(open.other);
  // The continue block's only successor is the header: its phis determine the new values.
  constexpr size_t kPhiWords = 7;
  size_t phi = open.first_phi;
  for (uint32_t r = 0; r < code_[open.marker].result_count; ++r) {
    if (!is_used(code_[open.marker].first_result + r)) continue;
    body_.fill_in(phi + 5, next_value(open, r));
    phi += kPhiWords;
  }
  // The header's block starts before its phis: its label is the last word before them.
  body_.branch(body_.id_at(open.first_phi - 1));
  close_construct(instruction);
}

/// The value of a loop's result in the next iteration, in the continue block that was just started.
Id ControlFlow::next_value(const Open& loop, uint32_t result) {
  const Value value = code_[loop.marker].first_result + result;
  const As form = values_.form(value);
  const auto passed = [&](uint32_t edge) {
    return values_.use(module_.operands[edges_[edge].first_operand + result], form);
  };
  if (loop.continue_count == 0) return builder_.undefined(type_of(form));
  if (loop.continue_count == 1) return passed(loop.first_continue);
  std::pmr::vector<Operand> words(module_.memory());
  for (uint32_t e = loop.first_continue; e != kNoIndex; e = edges_[e].next) {
    words.push_back(passed(e));
    words.push_back(edges_[e].block);
  }
  return Writer::emit(spv::OpPhi, form, words);
}

// ---- switch ----

void ControlFlow::emit_switch(const Instruction& instruction) {
  Open open{current_, control_.end_of[current_], builder_.new_id()};
  std::pmr::vector<Operand> words(module_.memory());
  words.push_back(as_uint(operand(instruction, 0)));
  words.push_back(open.merge);
  // Consecutive labels share a block; the blocks get consecutive ids.
  bool fresh = true;
  Id label = Id::none;
  for (uint32_t i = current_ + 1; i < open.end; ++i) {
    const Instruction& marker = code_[i];
    if (marker.op == Op::case_ || marker.op == Op::default_) {
      if (fresh) {
        label = builder_.new_id();
        if (open.next_arm == Id::none) open.next_arm = label;
      }
      fresh = false;
      if (marker.op == Op::default_) {
        words[1] = label;
        continue;
      }
      words.push_back(literal(marker.payload));
      words.push_back(label);
      continue;
    }
    fresh = true;
    if (marker.op == Op::if_) i = control_.end_of[control_.end_of[i]];
    if (marker.op == Op::loop || marker.op == Op::switch_) i = control_.end_of[i];
  }
  effect(spv::OpSelectionMerge, {open.merge, spv::SelectionControlMaskNone});
  effect(spv::OpSwitch, words);
  body_.end_block();
  open_.push_back(open);
}

void ControlFlow::emit_label() {
  const Op before = code_[current_ - 1].op;
  if (before == Op::case_ || before == Op::default_) return;
  Id& arm = open_.back().next_arm;
  body_.start_block(arm);
  arm = Id{word_of(arm) + 1};
}

void ControlFlow::emit(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::if_: return emit_if(instruction);
    case Op::else_:
      leave(top(), false, instruction);
      if (open_.back().other != Id::none) body_.start_block(open_.back().other);
      return;
    case Op::endif:
      if (open_.back().other != Id::none) leave(top(), false, instruction);
      return close_construct(instruction);
    case Op::loop: return emit_loop(instruction);
    case Op::endloop: return emit_endloop(instruction);
    case Op::break_: return leave(innermost(false), false, instruction);
    case Op::continue_: return leave(innermost(true), true, instruction);
    case Op::switch_: return emit_switch(instruction);
    case Op::case_:
    case Op::default_: return emit_label();
    case Op::endswitch: return close_construct(instruction);
    case Op::return_:
    case Op::phase:  // emit.cpp
#define IR_COVERED_control
#include "ir/op_cases.inc"
      return refuse(instruction, "this control flow");
  }
}

}  // namespace texlate::spirv
