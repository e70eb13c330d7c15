#include "backend/ptx/path_masks.h"

#include "backend/ptx/control_flow.h"

namespace texlate::ptx {

namespace {

/// Is there an exchange inside a construct, or after one from which lanes may return? A quick check: most
/// derivatives are for all lanes.
bool may_be_partial(const ir::Module& module) {
  bool may_return = false;
  uint32_t depth = 0;
  for (const ir::Instruction& instruction : module.code) {
    const ir::OpInfo& info = ir::info(instruction.op);
    if (info.family == ir::Family::derivative && (depth != 0 || may_return)) return true;
    if (!info.has(ir::kControl)) continue;
    may_return |= instruction.op == Op::return_ && depth != 0;
    depth += ir::opens_construct(instruction.op) ? 1 : 0;
    depth -= ir::closes_construct(instruction.op) ? 1 : 0;
  }
  return false;
}

bool is_breakable(Op op) {
  return op == Op::loop || op == Op::switch_;
}

uint8_t bit(Jump jump) {
  return static_cast<uint8_t>(1u << static_cast<uint32_t>(jump));
}

}  // namespace

void PathMasks::find(const ir::Module& module, const ir::Structure& structure) {
  if (!may_be_partial(module)) return;
  uniformity_ = ir::find_uniformity(module, structure);
  const auto size = static_cast<uint32_t>(module.code.size());
  exchanges_before_.assign(size + 1, 0);
  uint32_t outermost_loop_end = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const Op op = module.code[i].op;
    if (op == Op::loop && outermost_loop_end < i) outermost_loop_end = structure.of(i).end;
    const bool exchange = ir::info(op).family == ir::Family::derivative;
    const bool partial = exchange && uniformity_.in_part[i] != 0;
    exchanges_before_[i + 1] = exchanges_before_[i] + (partial ? 1 : 0);
    // The next iteration executes it again.
    if (partial) needed_until_ = std::max(i, outermost_loop_end) + 1;
  }
  if (needed()) find_leaving(module, structure);
}

// Which constructs a jump leaves: those around it, up to its target.
void PathMasks::find_leaving(const ir::Module& module, const ir::Structure& structure) {
  const auto size = static_cast<uint32_t>(module.code.size());
  leaves_.assign(size, 0);
  for (uint32_t i = 0; i < size; ++i) {
    const Op op = module.code[i].op;
    if (op != Op::break_ && op != Op::continue_ && op != Op::return_) continue;
    const uint8_t kind = op == Op::break_ ? 1 : op == Op::continue_ ? 2 : 4;
    const uint32_t target = op == Op::return_ ? ir::Structure::kNoIndex : structure.construct_of(i);
    for (uint32_t c = structure.around(i); c != target; c = structure[c].parent) {
      uint8_t& leaves = leaves_[structure[c].marker];
      if ((leaves & kind) != 0) break;  // the constructs around it are marked, too
      leaves |= kind;
    }
  }
}

/// Does the construct that opens here divide lanes into groups that must be distinguished?
bool ControlFlow::parts_lanes(uint32_t construct) const {
  const uint32_t marker = structure_[construct].marker;
  return path_.tracked && paths_.needed_at(marker) && paths_.parts(marker) != 0;
}

bool ControlFlow::counts_again_at_end(uint32_t construct) const {
  return paths_.is_left_by_jumps(structure_[construct].marker) && paths_.needed_at(structure_[construct].end);
}

// Before the branch of an `if`: a vote for the first arm.
void ControlFlow::vote_for_arms(uint32_t construct, Value condition) {
  Flow& flow = flows_[construct];
  flow.outside = path_;
  if (!parts_lanes(construct)) return;
  const ir::Construct& place = structure_[construct];
  flow.first_has = paths_.has_partial_exchange(place.marker, place.otherwise);
  flow.second_has = paths_.has_partial_exchange(place.otherwise, place.end);
  const bool first_leaves = !structure_.reached(place.otherwise),
             second_leaves = !structure_.reached(place.end);
  // If one arm never reaches its end, the following code belongs to the other arm: it continues with the mask
  // from outside.
  flow.arms = first_leaves == second_leaves ? Arms::apart
              : first_leaves                ? Arms::second_goes_on
                                            : Arms::first_goes_on;
  flow.counts_again = flow.arms == Arms::apart && !first_leaves && counts_again_at_end(construct);
  path_.tracked = flow.first_has;
  if (flow.arms == Arms::apart && !flow.first_has && !flow.second_has) return;
  flow.ballot = text_.masks(1);
  flow.voted = true;
  line("vote.sync.ballot.b32 ", flow.ballot, ", ", Pred{condition}, ", ", path_.mask);
  path_.mask = flow.ballot;
}

// After the branch, in the first arm.
void ControlFlow::enter_first_arm(uint32_t construct) {
  const Flow& flow = flows_[construct];
  if (!flow.voted || flow.arms != Arms::first_goes_on) return;
  path_ = flow.outside;
  line("mov.b32 ", path_.mask, ", ", flow.ballot);
}

void ControlFlow::enter_second_arm(uint32_t construct) {
  const Flow& flow = flows_[construct];
  path_ = flow.outside;
  if (!parts_lanes(construct)) return;
  if (flow.arms == Arms::second_goes_on) {
    return line("xor.b32 ", path_.mask, ", ", path_.mask, ", ", flow.ballot);
  }
  path_.tracked = flow.second_has;
  if (!flow.second_has) return;
  line("xor.b32 ", flow.ballot, ", ", path_.mask, ", ", flow.ballot);
  path_.mask = flow.ballot;
}

// Before a loop's first iteration.
void ControlFlow::open_loop_masks(uint32_t construct) {
  Flow& flow = flows_[construct];
  flow.outside = path_;
  if (!parts_lanes(construct)) return;
  const ir::Construct& place = structure_[construct];
  flow.counts_again = counts_again_at_end(construct);
  path_.tracked = paths_.has_partial_exchange(place.marker, place.end);
  if (!path_.tracked) return;
  flow.ballot = text_.masks(1);
  flow.counts_turns = (paths_.parts(place.marker) & ir::Uniformity::kByTurn) != 0;
  if (flow.counts_turns) {
    flow.turn = text_.masks(1);
    flow.latch = text_.labels(1);
    line("mov.b32 ", flow.turn, ", ", path_.mask);
  } else {
    line("mov.b32 ", flow.ballot, ", ", path_.mask);
  }
  path_.mask = flow.ballot;
}

// The end of an iteration that lanes reach on different paths: votes for the next iteration.
void ControlFlow::end_turn(uint32_t construct) {
  const Flow& flow = flows_[construct];
  const Temp odd = temp();
  const TempPred stays = temp_pred();
  line("and.b32 ", odd, ", %pending, 1");
  line("setp.eq.u32 ", stays, ", ", odd, ", 0");
  line("vote.sync.ballot.b32 ", flow.turn, ", ", stays, ", ", flow.turn);
  line('@', stays, " mov.b32 %pending, 0");
  branch_if(stays, flow.begin);
  go_on(construct, static_cast<uint8_t>(flow.turn_jumps & ~bit(Jump::continue_)), true);
}

// After the label at the end of a construct.
void ControlFlow::close_masks(uint32_t construct) {
  const Flow& flow = flows_[construct];
  path_ = flow.outside;
  const bool breakable = is_breakable(structure_[construct].op);
  if (flow.counts_again && flow.end_jumps != 0) {
    const TempPred stays = temp_pred();
    const Label here = text_.labels(1);
    // A break of this construct itself has reached its target.
    line("setp.lt.u32 ", stays, ", %pending, ", breakable ? 2u : 1u);
    line("vote.sync.ballot.b32 ", path_.mask, ", ", stays, ", ", path_.mask);
    branch_if(stays, here);
    go_on(construct, flow.end_jumps, false);
    text_.place(here);
  }
  if (breakable && flow.pending_break) line("mov.b32 %pending, 0");
}

// Lanes with one of the `jumps` pending continue from the end of an iteration or a construct.
void ControlFlow::go_on(uint32_t construct, uint8_t jumps, bool from_turn) {
  needs_pending_ = true;
  for (Jump jump : {Jump::break_, Jump::continue_, Jump::return_}) {
    if ((jumps & bit(jump)) == 0) continue;
    jumps = static_cast<uint8_t>(jumps & ~bit(jump));
    const Label next =
        from_turn ? leave_turn(construct, jump) : next_stop(structure_[construct].parent, jump, true).label;
    if (jumps == 0) {
      line("bra ", next);
    } else {
      const TempPred is = temp_pred();
      line("setp.eq.u32 ", is, ", %pending, ", static_cast<uint32_t>(jump));
      branch_if(is, next);
    }
  }
}

Label ControlFlow::leave_turn(uint32_t construct, Jump jump) {
  Flow& flow = flows_[construct];
  if (jump == Jump::break_) {
    flow.pending_break = true;
    return flow.finish;
  }
  if (!flow.counts_again) return next_stop(structure_[construct].parent, jump, true).label;
  flow.end_jumps |= bit(jump);
  return flow.finish;
}

// The next stop of a jump out of the constructs from `construct` outwards. `pending`: the jump comes from
// such a stop.
ControlFlow::Stop ControlFlow::next_stop(uint32_t construct, Jump jump, bool pending) {
  for (; construct != ir::Structure::kNoIndex; construct = structure_[construct].parent) {
    Flow& flow = flows_[construct];
    const Op op = structure_[construct].op;
    if (op == Op::loop && flow.counts_turns) {
      flow.turn_jumps |= bit(jump);
      return {flow.latch, true};
    }
    if (jump == Jump::break_ && is_breakable(op)) {
      flow.pending_break |= pending;
      return {flow.finish, false};
    }
    if (jump == Jump::continue_ && op == Op::loop) return {flow.begin, false};
    if (flow.counts_again) {
      flow.end_jumps |= bit(jump);
      return {flow.finish, true};
    }
  }
  return {kExitLabel, false};
}

void ControlFlow::jump(Jump jump) {
  const Stop stop = next_stop(structure_.around(core_.current), jump, false);
  if (stop.counts) {
    needs_pending_ = true;
    line("mov.b32 %pending, ", static_cast<uint32_t>(jump));
  }
  line("bra ", stop.label);
}

// Before the branches of a switch: votes for each arm. All lanes hold all ballots; an arm uses its own.
void ControlFlow::vote_for_cases(uint32_t construct, std::span<const SwitchArm> arms) {
  Flow& flow = flows_[construct];
  flow.outside = path_;
  if (!parts_lanes(construct)) return;
  const ir::Construct& place = structure_[construct];
  flow.counts_again = counts_again_at_end(construct);
  path_.tracked = false;
  if (!paths_.has_partial_exchange(place.marker, place.end)) return;
  flow.ballot = text_.masks(1);
  flow.voted = true;
  if ((paths_.parts(place.marker) & ir::Uniformity::kBySelection) == 0) {  // all lanes take the same arm
    line("mov.b32 ", flow.ballot, ", ", path_.mask);
    return;
  }
  flow.first_arm_mask = text_.masks(static_cast<uint32_t>(arms.size())).n;
  const Mask others = text_.masks(1);
  line("mov.b32 ", others, ", ", path_.mask);
  uint32_t default_arm = 0;
  for (uint32_t a = 0; a < arms.size(); ++a) {
    const Mask mask = {flow.first_arm_mask + a};
    if (arms[a].is_default) {
      default_arm = a;
      continue;
    }
    line("vote.sync.ballot.b32 ", mask, ", ", arms[a].matches, ", ", path_.mask);
    line("xor.b32 ", others, ", ", others, ", ", mask);
  }
  line("mov.b32 ", Mask{flow.first_arm_mask + default_arm}, ", ", others);
}

// At the label of a switch's arm.
void ControlFlow::enter_case(uint32_t construct, uint32_t arm) {
  const Flow& flow = flows_[construct];
  if (!flow.voted) return;
  path_ = {flow.ballot, true};
  if ((paths_.parts(structure_[construct].marker) & ir::Uniformity::kBySelection) == 0) return;
  line("mov.b32 ", flow.ballot, ", ", Mask{flow.first_arm_mask + arm});
}

}  // namespace texlate::ptx
