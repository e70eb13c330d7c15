// Branches and the branch stack: SSY/SYNC, PBK/BRK, PCNT/CONT, CAL and PRET/RET, EXIT, KIL; BAR, DEPBAR.
//
// SSY, PBK, PCNT and CAL push a token with the active lanes and an address. A branch that only some active
// lanes take pushes a separate token with the others. Lanes that execute SYNC, BRK, CONT or RET become
// inactive. When no lane is active, tokens are popped until one has lanes that do not wait for a deeper
// token.
#include "sim/maxwell/primitive_stage.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

// Byte offset from the next instruction, encoded relative to address + 8 even if a control word is there.
uint32_t branch_target(const Instruction& i) {
  return i.address + 8 + static_cast<uint32_t>(i.signed_field(20, 24));
}
// A target on a control word means the instruction after it.
uint32_t past_control(uint32_t address) {
  return address % kGroupBytes == 0 ? address + 8 : address;
}

uint32_t passing(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t test = i.field(0, 5);
  return test == 15 ? active : active & w.cc_test(test);
}

void run_bra(Warp& w, const Instruction& i, uint32_t active) {
  w.branch(i, passing(w, i, active), past_control(branch_target(i)));
}
void run_brx(Warp& w, const Instruction& i, uint32_t active) {
  w.branch_indexed(i, active);
}
template <Warp::Token kToken>
void run_push(Warp& w, const Instruction& i, uint32_t) {
  w.push(i, kToken, past_control(branch_target(i)));
}
void run_call(Warp& w, const Instruction& i, uint32_t active) {
  w.push(i, Warp::Token::call, next_address(i.address));
  const uint32_t target = i.opcode == Opcode::jcal ? i.field(20, 32) : branch_target(i);
  w.branch(i, active, past_control(target));
}
void run_sync(Warp& w, const Instruction& i, uint32_t active) {
  w.join(i, passing(w, i, active));
}
template <Warp::Token kToken>
void run_leave(Warp& w, const Instruction& i, uint32_t active) {
  w.leave(i, kToken, passing(w, i, active));
}
void run_exit(Warp& w, const Instruction& i, uint32_t active) {
  w.exit_lanes(i, passing(w, i, active), i.opcode == Opcode::kil);
}
void run_nothing(Warp&, const Instruction&, uint32_t) {}
void run_trap(Warp& w, const Instruction& i, uint32_t active) {
  w.fault(FaultKind::trap, i, std::countr_zero(active), "BPT was executed");
  w.exit_lanes(i, active, true);
}

// BAR.SYNC and BAR.RED; BAR.ARV counts warps without waiting.
void run_bar(Warp& w, const Instruction& i, uint32_t active) {
  if (active != w.alive()) {
    w.fault(FaultKind::divergent_barrier, i, std::countr_zero(active),
            "not all lanes of the warp reach this barrier together");
  }
  w.wait_at_barrier(i, active);
}

bool constant_target(const Instruction& i) {
  return i.bit(5);
}

}  // namespace

Handler select_control(Instruction& i) {
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::ssy:
    case Opcode::pbk:
    case Opcode::pcnt:
    case Opcode::cal:
    case Opcode::jcal:
    case Opcode::pret:
      if (constant_target(i)) {
        i.why = "a branch target in a constant bank";
        return nullptr;
      }
      break;
    default: break;
  }
  switch (i.opcode) {
    case Opcode::bra: return run_bra;
    case Opcode::brx: return run_brx;
    case Opcode::ssy: return run_push<Warp::Token::sync>;
    case Opcode::pbk: return run_push<Warp::Token::loop_break>;
    case Opcode::pcnt: return run_push<Warp::Token::loop_continue>;
    case Opcode::pret: return run_push<Warp::Token::call>;
    case Opcode::cal:
    case Opcode::jcal: return run_call;
    case Opcode::sync: return run_sync;
    case Opcode::brk: return run_leave<Warp::Token::loop_break>;
    case Opcode::cont: return run_leave<Warp::Token::loop_continue>;
    case Opcode::ret: return run_leave<Warp::Token::call>;
    case Opcode::exit:
    case Opcode::kil: return run_exit;
    case Opcode::nop:
    case Opcode::depbar:
    case Opcode::membar:
    case Opcode::cctl: return run_nothing;
    case Opcode::bpt: return run_trap;
    case Opcode::bar:
      if (i.field(32, 3) == 0 && i.bit(44) && i.bit(43) && i.field(20, 12) == 0) return run_bar;
      i.why = "only BAR.SYNC of a numbered barrier for the whole block is supported";
      return nullptr;
    default: return nullptr;
  }
}

void Warp::push(const Instruction&, Token token, uint32_t address) {
  stack_.push_back({token, active_, address});
}

void Warp::branch(const Instruction&, uint32_t taken, uint32_t address) {
  if (taken == 0) return;
  const uint32_t others = active_ & ~taken;
  if (others != 0) stack_.push_back({Token::divergence, others, address_});
  active_ = taken;
  address_ = address;
}

// BRX: Ra + offset, a byte address. Lanes with the same target branch together.
void Warp::branch_indexed(const Instruction& i, uint32_t taken) {
  const Lanes base = a(i);
  const uint32_t others = active_ & ~taken;
  if (others != 0) stack_.push_back({Token::divergence, others, address_});
  uint32_t left = taken;
  while (left != 0) {
    const uint32_t target = base[std::countr_zero(left)];
    uint32_t same = 0;
    for_each_lane(left, [&](int lane) { same |= (base[lane] == target ? 1u : 0u) << lane; });
    left &= ~same;
    const uint32_t address = past_control(branch_target(i) + target);
    if (left != 0) {
      stack_.push_back({Token::divergence, same, address});
    } else {
      active_ = same;
      address_ = address;
    }
  }
}

// Lanes that wait for a token below one of this kind.
uint32_t Warp::gone(Token token) const {
  switch (token) {
    case Token::divergence:
    case Token::sync: return broken_ | continued_ | returned_;
    case Token::loop_break: return continued_ | returned_;
    case Token::loop_continue: return broken_ | returned_;
    case Token::call: return broken_ | continued_;
  }
  return 0;
}

void Warp::pop(const Instruction& i) {
  while (active_ == 0 && !stack_.empty()) {
    const StackEntry entry = stack_.back();
    stack_.pop_back();
    if (entry.token == Token::loop_break) broken_ &= ~entry.lanes;
    if (entry.token == Token::loop_continue) continued_ &= ~entry.lanes;
    if (entry.token == Token::call) returned_ &= ~entry.lanes;
    active_ = entry.lanes & alive_ & ~gone(entry.token);
    address_ = entry.address;
  }
  if (active_ != 0 || alive_ == 0) return;
  fault(FaultKind::branch_stack, i, std::countr_zero(alive_),
        "lanes wait for a target that no token on the stack leads to");
  alive_ = 0;
}

void Warp::join(const Instruction& i, uint32_t lanes) {
  if (lanes == 0) return;
  const StackEntry* entry = nullptr;
  for (size_t k = stack_.size(); k-- > 0 && entry == nullptr;) {
    if (stack_[k].token != Token::divergence) entry = &stack_[k];
  }
  if (entry == nullptr || entry->token != Token::sync) {
    fault(FaultKind::branch_stack, i, std::countr_zero(lanes), "SYNC without its SSY");
    alive_ &= ~lanes;
  }
  active_ &= ~lanes;
  if (active_ == 0) pop(i);
}

void Warp::leave(const Instruction& i, Token token, uint32_t lanes) {
  if (lanes == 0) return;
  bool found = false;
  for (const StackEntry& entry : stack_) found = found || entry.token == token;
  if (!found) {
    fault(FaultKind::branch_stack, i, std::countr_zero(lanes), "no token on the stack for this instruction");
    alive_ &= ~lanes;
  }
  uint32_t& waiting = token == Token::loop_break      ? broken_
                      : token == Token::loop_continue ? continued_
                                                      : returned_;
  waiting |= lanes;
  active_ &= ~lanes;
  if (active_ == 0) pop(i);
}

void Warp::exit_lanes(const Instruction& i, uint32_t lanes, bool killed) {
  const Attributes& attributes = machine().attributes();
  for_each_lane(killed ? 0 : lanes, [&](int lane) {
    if (attributes.primitives != nullptr) attributes.primitives->end(*this, i, lane);
    const uint32_t element = element_of(lane), count = attributes.result_registers;
    if (element < attributes.alive.size()) attributes.alive[element] = 1;
    for (uint32_t r = 0; r < count && size_t{element} * count + r < attributes.results.size(); ++r)
      attributes.results[size_t{element} * count + r] = registers_[r][static_cast<size_t>(lane)];
  });
  alive_ &= ~lanes;
  active_ &= ~lanes;
  if (active_ == 0 && alive_ != 0) pop(i);
}

void Warp::wait_at_barrier(const Instruction& i, uint32_t) {
  barrier_ = i.field(8, 8);
  waiting_ = true;
}

// 0..15 are the float comparisons of the result with zero, where .U also accepts unordered. Unordered results
// write no codes here, so that both halves agree.
uint32_t Warp::cc_test(uint32_t test) const {
  const uint32_t zero = cc_.zero, less = cc_.sign ^ cc_.overflow;
  switch (test) {
    case 0: return 0;
    case 1:
    case 9: return less & ~zero;
    case 2:
    case 10: return zero;
    case 3:
    case 11: return less | zero;
    case 4:
    case 12: return ~less & ~zero;
    case 5:
    case 13: return ~zero;
    case 6:
    case 14: return ~less | zero;
    case 7: return 0xffffffffu;
    case 8: return 0;
    case 16: return ~cc_.overflow;
    case 17: return ~cc_.carry;         // LO
    case 18: return ~cc_.sign;          // SFF
    case 19: return ~cc_.carry | zero;  // LS
    case 20: return cc_.carry & ~zero;  // HI
    case 21: return cc_.sign;           // SFT
    case 22: return cc_.carry;          // HS
    case 23: return cc_.overflow;       // OFT
    default: return 0xffffffffu;
  }
}

}  // namespace texlate::sim::maxwell
