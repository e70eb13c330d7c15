// The IR's constructs are SPIR-V's: if, loop and switch become blocks with merge instructions; values that
// leave a construct become phis in its merge block, or keep their ids where one edge alone leads there.

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

void Emitter::start_block(Id label) {
  append(body_, spv::OpLabel, {label});
  block_ = label;
  reached_ = true;
  line_ = 0;  // OpLine ends with its block
}

void Emitter::branch(Id label) {
  if (reached_) append(body_, spv::OpBranch, {label});
  reached_ = false;
}

uint32_t Emitter::innermost(bool loops_only) const {
  for (size_t i = open_.size(); i-- != 0;) {
    const Op op = module_.code[open_[i].marker].op;
    if (op == Op::loop || (!loops_only && op == Op::switch_)) return static_cast<uint32_t>(i);
  }
  return 0;
}

void Emitter::branch_with_values(uint32_t construct, bool to_continue, const Instruction& instruction) {
  Open& open = open_[construct];
  uint32_t& head = to_continue ? open.first_continue : open.first_edge;
  edges_.push_back({block_, instruction.first_operand, head});
  head = static_cast<uint32_t>(edges_.size() - 1);
  ++(to_continue ? open.continue_count : open.edge_count);
}

Id Emitter::phi_operand(Value value, Value result) {
  switch (module_.values[result].type) {
    case ir::Type::b1: return as_bool(value);
    case ir::Type::b64: return as_double(value);
    case ir::Type::b32: return use(value, kind_[result]);
  }
  return 0;
}

// The results of `results_of` in the block that just started.
void Emitter::emit_phis(const Instruction& results_of, uint32_t first_edge, uint32_t edge_count) {
  const uint32_t count = results_of.result_count;
  if (count == 0) return;
  if (edge_count == 1) {
    for (uint32_t r = 0; r < count; ++r) {
      const Value value = module_.operands[edges_[first_edge].first_operand + r];
      const Value result = results_of.first_result + r;
      if (module_.is_constant(value)) {
        if (module_.values[value].type == ir::Type::b1) as_bool(value);
        if (module_.values[value].type == ir::Type::b64) as_double(value);
        if (module_.values[value].type == ir::Type::b32) {
          if ((need_[result] & kNeedsFloat) != 0) as_float(value);
          if ((need_[result] & kNeedsUint) != 0) as_uint(value);
        }
      }
      ids_[result] = ids_[value];
    }
    // The source may lack the other kind.
    for (uint32_t r = 0; r < count; ++r) {
      const Value result = results_of.first_result + r;
      if (module_.values[result].type != ir::Type::b32) continue;
      Ids& ids = ids_[result];
      if (ids.float_ == 0 && ids.uint == 0) continue;
      if ((need_[result] & kNeedsFloat) != 0 && ids.float_ == 0)
        ids.float_ = bitcast(builder_.float_type(), ids.uint);
      if ((need_[result] & kNeedsUint) != 0 && ids.uint == 0)
        ids.uint = bitcast(builder_.uint_type(), ids.float_);
    }
    return;
  }
  std::pmr::vector<Id> phis(module_.memory());
  std::pmr::vector<uint32_t> words(module_.memory());
  for (uint32_t r = 0; r < count; ++r) {
    const Value result = results_of.first_result + r;
    const ir::Type type = module_.values[result].type;
    const Id type_id = type == ir::Type::b1    ? builder_.bool_type()
                       : type == ir::Type::b64 ? builder_.double_type()
                                               : type_of(kind_[result]);
    words.clear();
    for (uint32_t e = first_edge; e != kNoIndex; e = edges_[e].next) {
      words.push_back(phi_operand(module_.operands[edges_[e].first_operand + r], result));
      words.push_back(edges_[e].block);
    }
    phis.push_back(emit(spv::OpPhi, type_id, words));
  }
  for (uint32_t r = 0; r < count; ++r) {
    const Value result = results_of.first_result + r;
    switch (module_.values[result].type) {
      case ir::Type::b1: define_bool(result, phis[r]); break;
      case ir::Type::b64: define_double(result, phis[r]); break;
      case ir::Type::b32: define(result, kind_[result], phis[r]); break;
    }
  }
}

// The merge block of an if or switch; of a loop too, after its continue block.
void Emitter::close_construct(const Instruction& instruction) {
  const Open open = open_.back();
  open_.pop_back();
  start_block(open.merge);
  if (open.edge_count == 0) {
    effect(spv::OpUnreachable, {});
    reached_ = false;
    return;
  }
  emit_phis(instruction, open.first_edge, open.edge_count);
}

// if c { break } else { }: the jump's target is the branch's target.
bool Emitter::emit_conditional_jump(const Instruction& instruction) {
  const auto& code = module_.code;
  const uint32_t i = current_;
  if (i + 3 >= code.size()) return false;
  const Instruction& jump = code[i + 1];
  if (jump.op != Op::break_ && jump.op != Op::continue_) return false;
  if (code[i + 2].op != Op::else_ || code[i + 3].op != Op::endif || code[i + 3].result_count != 0)
    return false;
  const bool to_continue = jump.op == Op::continue_;
  const uint32_t construct = innermost(to_continue);
  const Id next = builder_.new_id();
  branch_with_values(construct, to_continue, jump);
  effect(spv::OpSelectionMerge, {next, spv::SelectionControlMaskNone});
  effect(spv::OpBranchConditional, {as_bool(operand(instruction, 0)),
                                    to_continue ? open_[construct].other : open_[construct].merge, next});
  start_block(next);
  current_ += 3;
  return true;
}

void Emitter::emit_loop(const Instruction& instruction) {
  Open open{current_, end_of_[current_], builder_.new_id(), builder_.new_id()};
  const Id before = block_;
  const Id header = builder_.new_id();
  branch(header);
  start_block(header);
  open.phi_patch = static_cast<uint32_t>(body_.size());
  const uint32_t first_value = instruction.first_operand;
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    const Value result = instruction.first_result + r;
    const ir::Type type = module_.values[result].type;
    const Id type_id = type == ir::Type::b1    ? builder_.bool_type()
                       : type == ir::Type::b64 ? builder_.double_type()
                                               : type_of(kind_[result]);
    // The id of the value that comes round is filled in by emit_endloop.
    const Id id = emit(spv::OpPhi, type_id,
                       {phi_operand(module_.operands[first_value + r], result), before, 0u, open.other});
    Ids& ids = ids_[result];
    (type == ir::Type::b64 || (type == ir::Type::b32 && kind_[result] == Kind::float_) ? ids.float_
                                                                                       : ids.uint) = id;
  }
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    const Value result = instruction.first_result + r;
    if (module_.values[result].type != ir::Type::b32) continue;
    const Kind kind = kind_[result];
    define(result, kind, kind == Kind::float_ ? ids_[result].float_ : ids_[result].uint);
  }
  const Id body = builder_.new_id();
  effect(spv::OpLoopMerge, {open.merge, open.other, spv::LoopControlMaskNone});
  branch(body);
  start_block(body);
  open_.push_back(open);
}

void Emitter::emit_endloop(const Instruction& instruction) {
  if (reached_) {
    branch_with_values(static_cast<uint32_t>(open_.size() - 1), true, instruction);
    branch(open_.back().other);
  }
  const Open open = open_.back();
  const Instruction& head = module_.code[open.marker];
  start_block(open.other);
  // The header is where the continue block's one successor starts: its phis say what each value becomes.
  std::pmr::vector<uint32_t> words(module_.memory());
  for (uint32_t r = 0; r < head.result_count; ++r) {
    const Value result = head.first_result + r;
    const uint32_t phi = open.phi_patch + 7 * r;
    const Id type_id = body_[phi + 1];
    Id next = 0;
    if (open.continue_count == 0) {
      next = builder_.undefined(type_id);
    } else if (open.continue_count == 1) {
      next = phi_operand(module_.operands[edges_[open.first_continue].first_operand + r], result);
    } else {
      words.clear();
      for (uint32_t e = open.first_continue; e != kNoIndex; e = edges_[e].next) {
        words.push_back(phi_operand(module_.operands[edges_[e].first_operand + r], result));
        words.push_back(edges_[e].block);
      }
      next = emit(spv::OpPhi, type_id, words);
    }
    body_[phi + 5] = next;
  }
  // The header is the block in front of its phis: its label is the last word before them.
  branch(body_[open.phi_patch - 1]);
  close_construct(instruction);
}

void Emitter::emit_switch(const Instruction& instruction) {
  Open open{current_, end_of_[current_], builder_.new_id()};
  open.first_arm = open.next_arm = 0;
  std::pmr::vector<uint32_t> words(module_.memory());
  words.push_back(as_uint(operand(instruction, 0)));
  words.push_back(open.merge);
  // Labels that stand together share a block; the blocks get consecutive ids.
  bool fresh = true;
  Id label = 0;
  for (uint32_t i = current_ + 1; i < open.end; ++i) {
    const Instruction& marker = module_.code[i];
    if (marker.op == Op::case_ || marker.op == Op::default_) {
      if (fresh) {
        label = builder_.new_id();
        if (open.first_arm == 0) open.first_arm = open.next_arm = label;
      }
      fresh = false;
      if (marker.op == Op::default_) {
        words[1] = label;
        continue;
      }
      words.push_back(marker.payload);
      words.push_back(label);
      continue;
    }
    fresh = true;
    if (marker.op == Op::if_) i = end_of_[end_of_[i]];
    if (marker.op == Op::loop || marker.op == Op::switch_) i = end_of_[i];
  }
  effect(spv::OpSelectionMerge, {open.merge, spv::SelectionControlMaskNone});
  append(body_, spv::OpSwitch, words);
  reached_ = false;
  open_.push_back(open);
}

void Emitter::emit_control(const Instruction& instruction) {
  store_outputs_of_block();
  switch (instruction.op) {
    case Op::if_: {
      if (emit_conditional_jump(instruction)) return;
      const uint32_t else_index = end_of_[current_];
      Open open{current_, end_of_[else_index], builder_.new_id()};
      // An empty else needs no block.
      const bool has_else = open.end != else_index + 1;
      open.other = has_else ? builder_.new_id() : 0;
      const Id then = builder_.new_id();
      effect(spv::OpSelectionMerge, {open.merge, spv::SelectionControlMaskNone});
      effect(spv::OpBranchConditional,
             {as_bool(operand(instruction, 0)), then, has_else ? open.other : open.merge});
      open_.push_back(open);
      if (!has_else) {
        branch_with_values(static_cast<uint32_t>(open_.size() - 1), false, module_.code[open.end]);
      }
      return start_block(then);
    }
    case Op::else_: {
      const Open& open = open_.back();
      const bool has_else = open.other != 0;
      if (reached_) branch_with_values(static_cast<uint32_t>(open_.size() - 1), false, instruction);
      branch(open_.back().merge);
      if (has_else) start_block(open_.back().other);
      return;
    }
    case Op::endif:
      if (open_.back().other != 0) {
        if (reached_) branch_with_values(static_cast<uint32_t>(open_.size() - 1), false, instruction);
        branch(open_.back().merge);
      }
      return close_construct(instruction);
    case Op::loop: return emit_loop(instruction);
    case Op::endloop: return emit_endloop(instruction);
    case Op::break_:
    case Op::continue_: {
      const bool to_continue = instruction.op == Op::continue_;
      const uint32_t construct = innermost(to_continue);
      if (reached_) branch_with_values(construct, to_continue, instruction);
      return branch(to_continue ? open_[construct].other : open_[construct].merge);
    }
    case Op::switch_: return emit_switch(instruction);
    case Op::case_:
    case Op::default_: {
      const Op before = module_.code[current_ - 1].op;
      if (before == Op::case_ || before == Op::default_) return;
      return start_block(open_.back().next_arm++);
    }
    case Op::endswitch: return close_construct(instruction);
    case Op::return_:
      if (reached_ && in_ordered_section_) effect(spv::OpEndInvocationInterlockEXT, {});
      if (reached_) effect(spv::OpReturn, {});
      reached_ = false;
      return;
    case Op::phase: return start_phase(instruction.payload);
    default: return refuse(instruction, "this control flow");
  }
}

// Around an operation that must not run where its guard fails.
void Emitter::begin_guard(Id holds) {
  const Id inside = builder_.new_id();
  guard_merge_ = builder_.new_id();
  guard_from_ = block_;
  effect(spv::OpSelectionMerge, {guard_merge_, spv::SelectionControlMaskNone});
  effect(spv::OpBranchConditional, {holds, inside, guard_merge_});
  start_block(inside);
}

void Emitter::guard_begin(Value guard) {
  if (guard != ir::kNoValue) begin_guard(as_bool(guard));
}

/// Leaves the guarded block; the value, or the fallback where the guard failed. Without guard: the value.
Id Emitter::guard_end(Id type, Id value, Id fallback) {
  if (guard_merge_ == 0) return value;
  const Id from = block_;
  branch(guard_merge_);
  start_block(guard_merge_);
  guard_merge_ = 0;
  return type == 0 ? 0 : emit(spv::OpPhi, type, {value, from, fallback, guard_from_});
}

}  // namespace texlate::spirv
