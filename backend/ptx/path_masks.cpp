#include "backend/ptx/path_masks.h"

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

void PathMasks::find(const ir::Module& module, const ir::Structure& structure) {
  uniformity_ = ir::find_uniformity(module);
  const auto size = static_cast<uint32_t>(module.code.size());
  exchanges_before_.assign(size + 1, 0);
  reaches_.assign(size, 0);
  uint32_t outermost_loop_end = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const Op op = module.code[i].op;
    reaches_[i] = structure.reached(i);
    if (op == Op::loop && outermost_loop_end < i) outermost_loop_end = structure.of(i).end;
    const bool exchange = ir::info(op).family == ir::Family::derivative;
    const bool partial = exchange && uniformity_.in_part[i] != 0;
    exchanges_before_[i + 1] = exchanges_before_[i] + (partial ? 1 : 0);
    // The next turn comes back to it.
    if (partial) needed_until_ = std::max(i, outermost_loop_end) + 1;
  }
  if (needed()) find_leaving(module);
}

void PathMasks::find_leaving(const ir::Module& module) {
  leaves_.assign(module.code.size(), 0);
  std::pmr::vector<uint32_t> open(module.memory());
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const Op op = module.code[i].op;
    if (ir::opens_construct(op)) open.push_back(i);
    if (op == Op::break_ || op == Op::continue_ || op == Op::return_) {
      const uint8_t kind = op == Op::break_ ? 1 : op == Op::continue_ ? 2 : 4;
      for (size_t at = open.size(); at-- != 0;) {
        const Op around = module.code[open[at]].op;
        if (op == Op::break_ && around != Op::if_) break;
        if (op == Op::continue_ && around == Op::loop) break;
        if ((leaves_[open[at]] & kind) != 0) break;  // so are those around it
        leaves_[open[at]] |= kind;
      }
    }
    if (ir::closes_construct(op)) open.pop_back();
  }
}

namespace {

bool is_breakable(Op op) {
  return op == Op::loop || op == Op::switch_;
}

uint8_t bit(Jump jump) {
  return static_cast<uint8_t>(1u << static_cast<uint32_t>(jump));
}

}  // namespace

void Emitter::branch_if(TempPred condition, Label target) {
  put("\t@");
  put(condition);
  put(" bra ");
  put(target);
  put(";\n");
}

Mask Emitter::new_mask() {
  return {masks_++};
}

/// Does the construct that opens here part lanes that must be told from each other?
bool Emitter::parts_lanes(uint32_t marker) const {
  return path_.tracked && paths_.needed_at(marker) && paths_.parts(marker) != 0;
}

bool Emitter::counts_again_at_end(uint32_t marker) const {
  return paths_.is_left_by_jumps(marker) && paths_.needed_at(end_of_construct(marker));
}

uint32_t Emitter::end_of_construct(uint32_t marker) const {
  const uint32_t end = end_of_[marker];
  return module_.code[marker].op == Op::if_ ? end_of_[end] : end;
}

// Before the branch of an `if`: who takes the first arm.
void Emitter::vote_for_arms(Open& construct, Value condition) {
  construct.outside = path_;
  if (!parts_lanes(construct.marker)) return;
  const uint32_t otherwise = end_of_[construct.marker];
  construct.first_has = paths_.has_partial_exchange(construct.marker, otherwise);
  construct.second_has = paths_.has_partial_exchange(otherwise, construct.end);
  const bool first_leaves = !paths_.reaches(otherwise), second_leaves = !paths_.reaches(construct.end);
  // Where one arm never comes to its end, the rest of the flow is the other arm's: it goes on in the mask
  // outside.
  construct.arms = first_leaves == second_leaves ? Arms::apart
                   : first_leaves                ? Arms::second_goes_on
                                                 : Arms::first_goes_on;
  construct.counts_again =
      construct.arms == Arms::apart && !first_leaves && counts_again_at_end(construct.marker);
  path_.tracked = construct.first_has;
  if (construct.arms == Arms::apart && !construct.first_has && !construct.second_has) return;
  construct.ballot = new_mask();
  construct.voted = true;
  line("vote.sync.ballot.b32 ", construct.ballot, ", ", Pred{condition}, ", ", path_.mask);
  path_.mask = construct.ballot;
}

// After the branch, in the first arm.
void Emitter::enter_first_arm(const Open& construct) {
  if (!construct.voted || construct.arms != Arms::first_goes_on) return;
  path_ = construct.outside;
  line("mov.b32 ", path_.mask, ", ", construct.ballot);
}

void Emitter::enter_second_arm(const Open& construct) {
  path_ = construct.outside;
  if (!parts_lanes(construct.marker)) return;
  if (construct.arms == Arms::second_goes_on) {
    return line("xor.b32 ", path_.mask, ", ", path_.mask, ", ", construct.ballot);
  }
  path_.tracked = construct.second_has;
  if (!construct.second_has) return;
  line("xor.b32 ", construct.ballot, ", ", path_.mask, ", ", construct.ballot);
  path_.mask = construct.ballot;
}

// Before a loop's first turn.
void Emitter::open_loop_masks(Open& construct) {
  construct.outside = path_;
  if (!parts_lanes(construct.marker)) return;
  construct.counts_again = counts_again_at_end(construct.marker);
  path_.tracked = paths_.has_partial_exchange(construct.marker, construct.end);
  if (!path_.tracked) return;
  construct.ballot = new_mask();
  construct.counts_turns = (paths_.parts(construct.marker) & ir::Uniformity::kByTurn) != 0;
  if (construct.counts_turns) {
    construct.turn = new_mask();
    construct.latch = label();
    line("mov.b32 ", construct.turn, ", ", path_.mask);
  } else {
    line("mov.b32 ", construct.ballot, ", ", path_.mask);
  }
  path_.mask = construct.ballot;
}

void Emitter::start_turn(const Open& construct) {
  if (construct.counts_turns) line("mov.b32 ", construct.ballot, ", ", construct.turn);
}

// The end of a turn that not all lanes come to the same way: who starts the next one?
void Emitter::end_turn(const Open& construct, size_t level) {
  const Temp odd = temp();
  const TempPred stays = temp_pred();
  line("and.b32 ", odd, ", %pending, 1");
  line("setp.eq.u32 ", stays, ", ", odd, ", 0");
  line("vote.sync.ballot.b32 ", construct.turn, ", ", stays, ", ", construct.turn);
  put("\t@");
  put(stays);
  put(" mov.b32 %pending, 0;\n");
  branch_if(stays, construct.begin);
  go_on(level, static_cast<uint8_t>(construct.turn_jumps & ~bit(Jump::continue_)), true);
}

// After the label at the end of a construct.
void Emitter::close_masks(size_t level) {
  const Open construct = open_[level];
  path_ = construct.outside;
  const bool breakable = is_breakable(module_.code[construct.marker].op);
  if (construct.counts_again && construct.end_jumps != 0) {
    const TempPred stays = temp_pred();
    const Label here = label();
    // A break of this construct itself has come to its target.
    line("setp.lt.u32 ", stays, ", %pending, ", breakable ? 2u : 1u);
    line("vote.sync.ballot.b32 ", path_.mask, ", ", stays, ", ", path_.mask);
    branch_if(stays, here);
    go_on(level, construct.end_jumps, false);
    place(here);
  }
  if (breakable && construct.pending_break) line("mov.b32 %pending, 0");
}

// Lanes with one of the `jumps` pending go on from the end of a turn, or of a construct.
void Emitter::go_on(size_t level, uint8_t jumps, bool from_turn) {
  needs_pending_ = true;
  for (Jump jump : {Jump::break_, Jump::continue_, Jump::return_}) {
    if ((jumps & bit(jump)) == 0) continue;
    jumps = static_cast<uint8_t>(jumps & ~bit(jump));
    const Label next = from_turn ? leave_turn(level, jump) : next_stop(level, jump, true).label;
    if (jumps == 0) {
      line("bra ", next);
    } else {
      const TempPred is = temp_pred();
      line("setp.eq.u32 ", is, ", %pending, ", static_cast<uint32_t>(jump));
      branch_if(is, next);
    }
  }
}

Label Emitter::leave_turn(size_t level, Jump jump) {
  Open& construct = open_[level];
  if (jump == Jump::break_) {
    construct.pending_break = true;
    return construct.finish;
  }
  if (!construct.counts_again) return next_stop(level, jump, true).label;
  construct.end_jumps |= bit(jump);
  return construct.finish;
}

// Where a jump out of the constructs from `level` on comes next; `pending`: it comes from such a place.
Emitter::Stop Emitter::next_stop(size_t level, Jump jump, bool pending) {
  while (level-- != 0) {
    Open& construct = open_[level];
    const Op op = module_.code[construct.marker].op;
    if (op == Op::loop && construct.counts_turns) {
      construct.turn_jumps |= bit(jump);
      return {construct.latch, true};
    }
    if (jump == Jump::break_ && is_breakable(op)) {
      construct.pending_break |= pending;
      return {construct.finish, false};
    }
    if (jump == Jump::continue_ && op == Op::loop) return {construct.begin, false};
    if (construct.counts_again) {
      construct.end_jumps |= bit(jump);
      return {construct.finish, true};
    }
  }
  return {kExitLabel, false};
}

void Emitter::jump(Jump jump) {
  const Stop stop = next_stop(open_.size(), jump, false);
  if (stop.counts) {
    needs_pending_ = true;
    line("mov.b32 %pending, ", static_cast<uint32_t>(jump));
  }
  line("bra ", stop.label);
}

// Before the branches of a switch: who takes which arm. All lanes hold all ballots; an arm takes its own.
void Emitter::vote_for_cases(Open& construct, std::span<const SwitchArm> arms) {
  construct.outside = path_;
  if (!parts_lanes(construct.marker)) return;
  construct.counts_again = counts_again_at_end(construct.marker);
  path_.tracked = false;
  const uint32_t marker = construct.marker;
  if (!paths_.has_partial_exchange(marker, construct.end)) return;
  construct.ballot = new_mask();
  construct.voted = true;
  if ((paths_.parts(marker) & ir::Uniformity::kBySelection) == 0) {  // all lanes take the same arm
    line("mov.b32 ", construct.ballot, ", ", path_.mask);
    return;
  }
  construct.first_arm_mask = masks_;
  masks_ += static_cast<uint32_t>(arms.size());
  const Mask others = {construct.first_arm_mask + static_cast<uint32_t>(arms.size())};
  ++masks_;
  line("mov.b32 ", others, ", ", path_.mask);
  uint32_t default_arm = 0;
  for (uint32_t a = 0; a < arms.size(); ++a) {
    const Mask mask = {construct.first_arm_mask + a};
    if (arms[a].is_default) {
      default_arm = a;
      continue;
    }
    line("vote.sync.ballot.b32 ", mask, ", ", arms[a].matches, ", ", path_.mask);
    line("xor.b32 ", others, ", ", others, ", ", mask);
  }
  line("mov.b32 ", Mask{construct.first_arm_mask + default_arm}, ", ", others);
}

// At the label of a switch's arm.
void Emitter::enter_case(const Open& construct, uint32_t arm) {
  if (!construct.voted) return;
  path_ = {construct.ballot, true};
  if ((paths_.parts(construct.marker) & ir::Uniformity::kBySelection) == 0) return;
  line("mov.b32 ", construct.ballot, ", ", Mask{construct.first_arm_mask + arm});
}

}  // namespace texlate::ptx
