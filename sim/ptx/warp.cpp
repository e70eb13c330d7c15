// Scheduling: some lanes at one program counter run until they meet others or branch (PTX
// ISA 3.1, 3.2, 9.7.12). The schedule chooses the lanes.
#include "sim/ptx/warp.h"

#include <algorithm>

#include "sim/ptx/opcode.h"

namespace texlate::sim::ptx {

namespace {

constexpr uint32_t kMaxCallDepth = 64;

bool is_control(Opcode opcode) {
  switch (opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::bar:
    case Opcode::barrier: return true;
    default: return false;
  }
}

// Instructions that affect more than their destination: a poisoned guard cannot be propagated.
bool has_effect(Opcode opcode) {
  switch (opcode) {
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::sust:
    case Opcode::sured: return true;
    default: return is_control(opcode);
  }
}

// shfl.sync, vote.sync, match.sync: the last source is the member mask.
bool is_warp_sync(const Instruction& i) {
  return i.has(Mod::sync) &&
         (i.opcode == Opcode::shfl || i.opcode == Opcode::vote || i.opcode == Opcode::match);
}

uint32_t member_mask_register(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::shfl: return i.src[3];
    case Opcode::match: return i.src[1];
    case Opcode::bar: return i.src[0];
    default: return i.src[1];
  }
}

}  // namespace

Handler select_control(const Instruction& i) {
  if (i.opcode == Opcode::bar && !i.has(Mod::sync)) return nullptr;
  if (i.opcode == Opcode::brx && !i.has(Mod::idx)) return nullptr;
  return [](Warp& w, const Instruction& fence, uint32_t) {
    if (!fence.has(Mod::cta)) w.machine().coherence().fence(w.block_number());
  };
}

Warp::Warp(Block& block, uint32_t index)
    : block_(block),
      module_(block.machine.module()),
      index_(index),
      random_(block.machine.options().schedule.seed * 0x9e3779b97f4a7c15u + index) {
  const uint32_t registers = module_.register_count;
  values_.resize(static_cast<size_t>(registers) * kLanes);
  const bool poisoned = block.machine.options().check_uninitialized;
  poison_.assign(registers, poisoned ? 0xffffffffu : 0);
  for (const Constant& constant : block.machine.constants()) {
    std::fill_n(reg(constant.reg), kLanes, constant.value);
    poison_[constant.reg] = 0;
  }
  start_lanes();
  for (int lane = 0; lane < kLanes; ++lane) {
    local_[lane].resize(module_.local_bytes, poisoned);
    call_parameters_[lane].resize(module_.call_parameter_bytes, poisoned);
  }
}

void Warp::start_lanes() {
  const Dim3 size = block_.size, grid = block_.grid, at = block_.index;
  const uint32_t warps = (block_.threads + kLanes - 1) / kLanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t thread = index_ * kLanes + static_cast<uint32_t>(lane);
    if (thread < block_.threads) alive_ |= 1u << lane;
    const uint32_t mask = 1u << lane;
    const uint64_t grid_id = 0;
    const uint64_t values[] = {
        thread % size.x,
        thread / size.x % size.y,
        thread / size.x / size.y,
        size.x,
        size.y,
        size.z,
        at.x,
        at.y,
        at.z,
        grid.x,
        grid.y,
        grid.z,
        static_cast<uint64_t>(lane),
        index_,
        warps,
        mask,
        mask | (mask - 1),
        mask - 1,
        ~(mask - 1),
        ~(mask - 1) & ~mask,
        0,
        1,
        grid_id,
        0,
        0,
    };
    static_assert(sizeof(values) / sizeof(values[0]) == static_cast<size_t>(Special::count_));
    for (uint32_t i = 0; i < static_cast<uint32_t>(Special::count_); ++i)
      reg(kFirstSpecial + i)[lane] = values[i];
    pc_[lane] = block_.entry.first_instruction;
  }
  for (uint32_t i = 0; i < static_cast<uint32_t>(Special::count_); ++i) poison_[kFirstSpecial + i] = 0;
  // PTX ISA 10: the values of the clocks and %smid are not predictable.
  for (Special s : {Special::clock, Special::clock64, Special::smid, Special::nsmid})
    poison_[special_register(s)] = 0xffffffffu;
}

WarpState Warp::run() {
  while (alive_ != 0) {
    if (may_stop_spinning()) spinning_ = 0;
    if (runnable() == 0) {
      if (is_spinning() || sync_waiting_ == 0) return WarpState::waiting;
      break_deadlock();
      continue;
    }
    if (!step_group()) break;
  }
  return alive_ == 0 ? WarpState::done : WarpState::waiting;
}

uint32_t Warp::lanes_at(uint32_t pc, uint32_t among) const {
  uint32_t lanes = 0;
  for_each_lane(among, [&](int lane) { lanes |= (pc_[lane] == pc ? 1u : 0u) << lane; });
  return lanes;
}

uint32_t Warp::choose_group(uint32_t ready, uint32_t& merge) {
  merge = kNone;
  const auto next_random = [this](uint32_t below) {  // upper bits of a linear congruential generator
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(random_ >> 33) % below;
  };
  uint32_t pc = kNone;
  switch (options().schedule.policy) {
    case Schedule::Policy::together: {
      for_each_lane(ready, [&](int lane) { pc = std::min(pc, pc_[lane]); });
      const uint32_t group = lanes_at(pc, ready);
      for_each_lane(ready & ~group, [&](int lane) { merge = std::min(merge, pc_[lane]); });
      return group;
    }
    case Schedule::Policy::furthest_first:
      pc = 0;
      for_each_lane(ready, [&](int lane) { pc = std::max(pc, pc_[lane]); });
      return lanes_at(pc, ready);
    case Schedule::Policy::lane_by_lane: return ready & (~ready + 1);
    case Schedule::Policy::last_lane_first: return 1u << (31 - std::countl_zero(ready));
    case Schedule::Policy::random: {
      uint32_t lane = next_random(kLanes);
      while ((ready >> lane & 1) == 0) lane = (lane + 1) % kLanes;
      const uint32_t others =
          (next_random(1u << 31) & next_random(1u << 31)) | (next_random(2) != 0 ? ~0u : 0u);
      return lanes_at(pc_[lane], ready & (others | 1u << lane));
    }
    case Schedule::Policy::tree: {
      std::array<uint32_t, kLanes> groups{};
      uint32_t count = 0;
      for (uint32_t left = ready; left != 0; left &= ~groups[count++])
        groups[count] = lanes_at(pc_[std::countr_zero(left)], left);
      return groups[count == 1 ? 0 : options().schedule.tree->choose(count)];
    }
  }
  return ready;
}

// Runs some lanes at one pc. Returns false if the instruction budget is used up.
bool Warp::step_group() {
  uint32_t merge = kNone;
  const uint32_t group = choose_group(runnable(), merge);
  uint32_t pc = pc_[std::countr_zero(group)];
  const auto count = static_cast<uint64_t>(std::popcount(group));
  const Instruction* code = module_.code.data();
  uint64_t executed = 0;
  bool straight = true;
  while (straight && pc < merge) {
    const Instruction& i = code[pc];
    ++executed;
    if (is_control(i.opcode) || is_warp_sync(i)) {
      for_each_lane(group, [&](int lane) { pc_[lane] = pc; });
      uint32_t poisoned = 0;
      const uint32_t active = guard_lanes(i, group, poisoned);
      control(i, group, active);
      straight = false;
    } else {
      execute(i, group);
      ++pc;
    }
  }
  if (straight) {
    for_each_lane(group, [&](int lane) { pc_[lane] = pc; });
  }
  block_.report.lane_instructions += executed * count;
  if (block_.report.lane_instructions <= options().max_lane_instructions) return true;
  fault(FaultKind::limit, code[std::min<size_t>(pc, module_.code.size() - 1)], std::countr_zero(group),
        "the instruction budget is used up");
  alive_ = 0;
  return false;
}

uint32_t Warp::guard_lanes(const Instruction& i, uint32_t group, uint32_t& poisoned) {
  if (i.guard == kNone) return group;
  const uint64_t* guard = reg(i.guard);
  uint32_t set = 0;
  for (int lane = 0; lane < kLanes; ++lane) set |= static_cast<uint32_t>(guard[lane] & 1) << lane;
  uint32_t active = group & (i.guard_negated ? ~set : set);
  poisoned = group & poison_[i.guard];
  if (poisoned == 0 || !options().report_poison) return active;
  if (has_effect(i.opcode) || is_warp_sync(i)) {
    refuse_poison(FaultKind::poison_branch, i, i.guard, group, "the guard predicate");
    poisoned = 0;
    return active;  // reported; continue with the bits as they are
  }
  active &= ~poisoned;
  return active;
}

void Warp::execute(const Instruction& i, uint32_t group) {
  uint32_t poisoned = 0;
  const uint32_t active = guard_lanes(i, group, poisoned);
  if (poisoned != 0) poison_destinations(i, poisoned);
  if (active != 0) i.run(*this, i, active);
}

void Warp::poison_destinations(const Instruction& i, uint32_t lanes) {
  for (uint32_t dst : i.dst) {
    if (dst != kNone) poison_[dst] |= lanes;
  }
}

void Warp::control(const Instruction& i, uint32_t group, uint32_t active) {
  if (is_warp_sync(i)) {
    if (!wait_for_members(i, group, active)) return;
    return;
  }
  if (i.opcode == Opcode::bar || i.opcode == Opcode::barrier) return barrier(i, group, active);
  for_each_lane(group, [&](int lane) { ++pc_[lane]; });
  switch (i.opcode) {
    case Opcode::bra: branch(i, active); break;
    case Opcode::brx: branch_indexed(i, active); break;
    case Opcode::call: call(i, active); break;
    case Opcode::ret: ret(i, active); break;
    case Opcode::trap:
      for_each_lane(active, [&](int lane) { fault(FaultKind::trap, i, lane, "trap was executed"); });
      alive_ &= ~active;
      break;
    case Opcode::exit: alive_ &= ~active; break;
    default: break;
  }
}

void Warp::branch(const Instruction& i, uint32_t active) {
  for_each_lane(active, [&](int lane) { pc_[lane] = i.target; });
  const bool is_backwards = module_.code.data() + i.target <= &i;
  if (!is_backwards || active == 0 || !spin_.comes_round(i.target, active, values_, block_.changes)) return;
  spinning_ |= active;
  changes_seen_ = block_.changes;
}

void Warp::branch_indexed(const Instruction& i, uint32_t active) {
  active = refuse_poison(FaultKind::poison_branch, i, i.src[0], active, "the branch index");
  const std::vector<uint32_t>& table = module_.branch_tables[i.target];
  for_each_lane(active, [&](int lane) {
    const auto index = static_cast<uint32_t>(reg(i.src[0])[lane]);
    if (index < table.size()) {
      pc_[lane] = table[index];
    } else {  // PTX ISA 9.7.12.4 brx.idx: undefined
      fault(FaultKind::out_of_range, i, lane, "branch index past the table");
      alive_ &= ~(1u << lane);
    }
  });
}

void Warp::copy_parameter(const Parameter& from, const Parameter& to, int lane) {
  ShadowMemory& area = call_parameters_[lane];
  const size_t size = std::min(from.size, to.size);
  const size_t source = from.offset - kCallParameterBase, target = to.offset - kCallParameterBase;
  std::memmove(area.bytes.data() + target, area.bytes.data() + source, size);
  std::memmove(area.poison.data() + target, area.poison.data() + source, size);
}

// Registers are allocated statically, so a function cannot be active twice in one lane.
void Warp::call(const Instruction& i, uint32_t active) {
  const Call& call = module_.calls[i.target];
  const Function& function = module_.functions[call.function];
  for_each_lane(active, [&](int lane) {
    std::vector<CallFrame>& stack = calls_[lane];
    const bool recursive = std::any_of(stack.begin(), stack.end(), [&](const CallFrame& frame) {
      return module_.calls[frame.call].function == call.function;
    });
    if (recursive || stack.size() >= kMaxCallDepth) {
      fault(FaultKind::recursion, i, lane, "a function is called while it is active");
      alive_ &= ~(1u << lane);
      return;
    }
    stack.push_back({pc_[lane], i.target});
    for (size_t p = 0; p < call.arguments.size(); ++p)
      copy_parameter(call.arguments[p], function.parameters[p], lane);
    pc_[lane] = function.first_instruction;
  });
}

void Warp::ret(const Instruction&, uint32_t active) {
  for_each_lane(active, [&](int lane) {
    std::vector<CallFrame>& stack = calls_[lane];
    if (stack.empty()) {
      alive_ &= ~(1u << lane);
      return;
    }
    const Call& call = module_.calls[stack.back().call];
    const Function& function = module_.functions[call.function];
    for (size_t p = 0; p < call.results.size(); ++p)
      copy_parameter(function.results[p], call.results[p], lane);
    pc_[lane] = stack.back().return_pc;
    stack.pop_back();
  });
}

// bar.sync, barrier.sync[.aligned], bar.warp.sync (PTX ISA 9.7.13.1, .2).
void Warp::barrier(const Instruction& i, uint32_t group, uint32_t active) {
  for_each_lane(group & ~active, [&](int lane) { ++pc_[lane]; });
  if (active == 0) return;
  if (i.has(Mod::warp)) {
    wait_for_members(i, group, active);
    return;
  }
  // PTX ISA 9.7.13.1: a barrier is a number from 0 to 15.
  uint32_t beyond = 0;
  for_each_lane(active, [&](int lane) {
    if (static_cast<uint32_t>(reg(i.src[0])[lane]) < kBarriers) return;
    fault(FaultKind::out_of_range, i, lane, "there are barriers 0 to 15 only");
    beyond |= 1u << lane;
  });
  alive_ &= ~beyond;
  active &= ~beyond;
  if (active == 0) return;
  const bool aligned = i.opcode == Opcode::bar || i.has(Mod::aligned);
  // Other schedules bring lanes here one after the other, even if all of them arrive.
  const bool converges = options().schedule.policy == Schedule::Policy::together;
  if (aligned && converges && active != alive_) {
    fault(FaultKind::divergent_barrier, i, std::countr_zero(active),
          "not all lanes of the warp reach this barrier together");
  }
  for_each_lane(active, [&](int lane) {
    ++pc_[lane];
    barrier_[lane] = static_cast<uint32_t>(reg(i.src[0])[lane]);
    barrier_threads_[lane] = i.src[1] == kNone ? 0 : static_cast<uint32_t>(reg(i.src[1])[lane]);
  });
  blocked_ |= active;
}

uint32_t Warp::waiting(uint32_t barrier) const {
  uint32_t lanes = 0;
  for_each_lane(blocked_ & ~sync_waiting_ & alive_,
                [&](int lane) { lanes |= (barrier_[lane] == barrier ? 1u : 0u) << lane; });
  return lanes;
}

void Warp::fault_as_stuck() {
  const int lane = std::countr_zero(is_spinning() ? spinning_ & alive_ : alive_);
  if (!is_spinning())
    return fault(FaultKind::deadlock, module_.code[pc_[lane] - 1], lane,
                 "the threads of the block wait at different barriers");
  const Instruction& loop = module_.code[pc_[lane]];
  if ((alive_ & ~blocked_ & ~spinning_) != 0)
    return fault(FaultKind::deadlock, loop, lane,
                 "the loop waits for other lanes of its warp, which make no progress before sm_70");
  fault(FaultKind::limit, loop, lane, "the loop never ends: no thread of the block changes what it reads");
}

void Warp::release_barrier(uint32_t barrier) {
  blocked_ &= ~waiting(barrier);
}

// A .sync instruction runs when all living lanes of its member mask are at it with the same mask. Lanes
// arrive in `group`; lanes that already wait are at the same pc.
bool Warp::wait_for_members(const Instruction& i, uint32_t group, uint32_t active) {
  for_each_lane(group & ~active, [&](int lane) { ++pc_[lane]; });
  const uint32_t mask_register = member_mask_register(i);
  active = refuse_poison(FaultKind::poison_branch, i, mask_register, active, "the member mask");
  const uint64_t* masks = reg(mask_register);
  const auto here = static_cast<uint32_t>(&i - module_.code.data());
  blocked_ |= active;
  sync_waiting_ |= active;
  uint32_t at_this = 0;
  for_each_lane(sync_waiting_, [&](int lane) { at_this |= (pc_[lane] == here ? 1u : 0u) << lane; });
  bool ran = false;
  for (uint32_t left = at_this; left != 0;) {
    const int lane = std::countr_zero(left);
    const auto mask = static_cast<uint32_t>(masks[lane]);
    uint32_t same = 0;
    for_each_lane(
        left, [&](int other) { same |= (static_cast<uint32_t>(masks[other]) == mask ? 1u : 0u) << other; });
    left &= ~same;
    const uint32_t outside = same & ~mask;
    for_each_lane(outside, [&](int other) {
      fault(FaultKind::warp_mask, i, other, "the lane is not in its own member mask");
    });
    if ((mask & alive_ & ~same) != 0) continue;
    blocked_ &= ~same;
    sync_waiting_ &= ~same;
    for_each_lane(same, [&](int other) { ++pc_[other]; });
    run_sync(i, same);
    ran = true;
  }
  return ran;
}

void Warp::run_sync(const Instruction& i, uint32_t active) {
  if (i.opcode != Opcode::bar) i.run(*this, i, active);
}

// Every lane waits. Lanes whose .sync waits for a lane that has exited can continue; otherwise it is a
// deadlock.
void Warp::break_deadlock() {
  const uint32_t before = blocked_;
  for (uint32_t left = sync_waiting_ & alive_; left != 0;) {
    const int lane = std::countr_zero(left);
    const uint32_t pc = pc_[lane];
    uint32_t same = 0;
    for_each_lane(left, [&](int other) { same |= (pc_[other] == pc ? 1u : 0u) << other; });
    left &= ~same;
    wait_for_members(module_.code[pc], same, same);
  }
  if (blocked_ != before) return;
  const uint32_t stuck = sync_waiting_ & alive_;
  const int first = std::countr_zero(stuck);
  fault(FaultKind::deadlock, module_.code[pc_[first]], first, "lanes of the member mask never arrive");
  alive_ &= ~stuck;
  blocked_ &= ~stuck;
  sync_waiting_ &= ~stuck;
}

}  // namespace texlate::sim::ptx
