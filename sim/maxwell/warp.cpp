#include "sim/maxwell/warp.h"

#include <algorithm>

#include "sim/maxwell/primitive_stage.h"

namespace texlate::sim::maxwell {

Warp::Warp(Block& block, uint32_t index) : block_(block), options_(block.machine.options()), index_(index) {
  const Program& program = block.machine.program();
  for (int lane = 0; lane < kLanes; ++lane) {
    const Attributes& attributes = block.machine.attributes();
    const uint32_t element = element_of(lane);
    const bool runs = thread_of(lane) < block.threads && element < attributes.elements &&
                      (attributes.primitives == nullptr || attributes.primitives->threads[element].runs);
    if (runs) alive_ |= 1u << lane;
    local_[static_cast<size_t>(lane)].resize(program.local_bytes, options_.check_uninitialized);
  }
  active_ = alive_;
  predicates_[kTruePredicate] = 0xffffffffu;
  const uint32_t known = options_.check_uninitialized ? 0 : 0xffffffffu;
  written_.fill(known);
  predicate_written_.fill(known);
  cc_written_ = known;
  written_[kZeroRegister] = 0xffffffffu;
  predicate_written_[kTruePredicate] = 0xffffffffu;
  address_ = program.entry;
}

WarpState Warp::run() {
  const std::vector<Instruction>& code = block_.machine.code();
  Report& report = block_.report;
  while (alive_ != 0 && !waiting_) {
    const uint32_t index = index_of(address_);
    if (address_ % kGroupBytes == 0 || index >= code.size()) {
      Instruction nowhere;
      nowhere.address = address_;
      fault(FaultKind::unknown_word, nowhere, std::countr_zero(active_),
            "there is no instruction at this address");
      alive_ = active_ = 0;
      break;
    }
    step(code[index]);
    if (report.lane_instructions > options_.max_lane_instructions) {
      fault(FaultKind::limit, code[index], 0, "the instruction budget is used up");
      alive_ = active_ = 0;
    }
  }
  return alive_ == 0 ? WarpState::done : WarpState::at_barrier;
}

void Warp::step(const Instruction& i) {
  uint32_t lanes = active_;
  if (i.guard != kTruePredicate || i.guard_negated) {
    const uint32_t holds = predicates_[i.guard];
    if (options_.check_uninitialized && (active_ & ~predicate_written_[i.guard]) != 0) {
      report_undefined(FaultKind::uninitialized, i, active_ & ~predicate_written_[i.guard],
                       "the guard predicate was never written");
      predicate_written_[i.guard] = 0xffffffffu;
    }
    lanes &= i.guard_negated ? ~holds : holds;
  }
  Report& report = block_.report;
  ++report.warp_instructions;
  report.lane_instructions += static_cast<uint64_t>(std::popcount(active_));
  if (options_.check_hazards) {
    found_.clear();
    hazards_.issue(i, lanes, found_);
    for (const Hazard& hazard : found_) fault(hazard.kind, i, std::countr_zero(active_), hazard.message);
  }
  address_ = next_address(i.address);
  if (i.run == nullptr) {
    fault(FaultKind::unknown_word, i, std::countr_zero(active_), i.why);
    alive_ = active_ = 0;
    return;
  }
  // The word is wrong whether or not a lane executes it.
  if (refuse_operands(i, active_) || lanes == 0) return;
  if (options_.check_uninitialized) check_initialized(i, lanes);
  i.run(*this, i, lanes);
  mark_written(i, lanes);
}

// A word that hardware does not accept.
bool Warp::refuse_operands(const Instruction& i, uint32_t lanes) {
  std::string_view what = i.operand_fault;
  const auto beyond = [&](const RegisterRange& range) {
    return range.count != 0 && uint32_t{range.first} + range.count > block_.machine.program().registers;
  };
  for (int k = 0; k < i.read_count; ++k) {
    if (beyond(i.reads[static_cast<size_t>(k)])) what = "a register that the thread does not have is read";
  }
  for (int k = 0; k < i.write_count; ++k) {
    if (beyond(i.writes[static_cast<size_t>(k)]))
      what = "a register that the thread does not have is written";
  }
  if (what.empty()) return false;
  fault(FaultKind::bad_operand, i, std::countr_zero(lanes), what);
  return true;
}

namespace {

/// XMAD.PSL of R.H1 and 1 into R itself, with half of another register. ptxas uses it to write the lower half
/// of a register that holds a 16-bit value and has nothing in its upper half.
bool keeps_upper_half(const Instruction& i) {
  if (i.opcode != Opcode::xmad || i.form != Form::immediate) return false;
  const bool half_of_c = i.field(50, 3) == 1 || i.field(50, 3) == 2;  // CLO, CHI
  return half_of_c && i.bit(36) && i.bit(53) && i.b.immediate == 1 && i.rd() == i.ra();
}

/// LOP.XOR of two registers, without codes and tests.
bool is_exclusive_or(const Instruction& i) {
  return i.opcode == Opcode::lop && i.field(41, 2) == 2 && i.field(39, 2) == 0 && !i.writes_cc &&
         i.predicates_written == 0 && i.b.kind == Operand::Kind::register_;
}

bool copies_register(const Instruction& i) {
  return i.opcode == Opcode::mov && i.b.kind == Operand::Kind::register_ && i.field(39, 4) == 15;
}

}  // namespace

// MOV may copy an uninitialized value: only its use matters. The same holds for an instruction that writes
// half of a register. SEL uses one of its two sources in each lane. A comparison combined with a predicate
// uses neither source if the predicate alone decides the result. Unused sources may be uninitialized.
uint32_t Warp::lanes_using(const Instruction& i, uint32_t reg, uint32_t lanes) const {
  if (copies_register(i)) return 0;
  if (keeps_upper_half(i) && reg == i.ra()) return 0;
  if (i.opcode == Opcode::isetp || i.opcode == Opcode::fsetp) {
    // x AND false, x OR true: the same for every x.
    const uint32_t with = predicate_source(i, 39);
    return i.field(45, 2) == 0 ? lanes & with : i.field(45, 2) == 1 ? lanes & ~with : lanes;
  }
  if (i.opcode != Opcode::sel) return lanes;
  const uint32_t first = predicate_source(i, 39);
  const bool is_second = i.b.kind == Operand::Kind::register_ && i.b.reg == reg;
  return (i.ra() == reg ? lanes & first : 0) | (is_second ? lanes & ~first : 0);
}

// a ^= b, b ^= a, a ^= b copies like MOV: each register then has what the other had, written or not. Any
// other use of the two in between is a read of both.
bool Warp::exchanges(const Instruction& i, uint32_t lanes) {
  Exchange& e = exchange_;
  if (!is_exclusive_or(i)) return false;
  const uint8_t to = i.rd(), other = i.ra() == to ? i.b.reg : i.ra();
  if ((i.ra() != to && i.b.reg != to) || other == to) return false;
  if (e.done == 0) {
    if ((lanes & ~(written_[to] & written_[other])) == 0) return false;
    e = {1, to, other, lanes, written_[to], written_[other]};
    return true;
  }
  const bool continues =
      lanes == e.lanes && (e.done == 1 ? to == e.b && other == e.a : to == e.a && other == e.b);
  if (continues) ++e.done;
  return continues;
}

void Warp::check_initialized(const Instruction& i, uint32_t lanes) {
  if (i.opcode == Opcode::exit) return;  // Results of components that were never written are not used.
  if (exchanges(i, lanes)) return;
  for (const uint8_t r : {exchange_.a, exchange_.b}) {
    const uint32_t bad = exchange_.lanes & lanes & ~(exchange_.a_written & exchange_.b_written);
    if (exchange_.done == 0 || !i.reads_register(r) || bad == 0) continue;
    report_undefined(FaultKind::uninitialized, i, bad,
                     "R" + std::to_string(r) + " has an exclusive or with what was never written");
    exchange_ = {};
  }
  for (int k = 0; k < i.read_count; ++k) {
    const RegisterRange& range = i.reads[static_cast<size_t>(k)];
    for (uint32_t r = range.first; r < uint32_t{range.first} + range.count; ++r) {
      const uint32_t bad = lanes_using(i, r, lanes) & ~written_[r];
      if (bad == 0) continue;
      report_undefined(FaultKind::uninitialized, i, bad, "R" + std::to_string(r) + " was never written");
      written_[r] |= lanes;
    }
  }
  for (uint32_t p = 0; p < kTruePredicate; ++p) {
    const uint32_t bad = lanes & ~predicate_written_[p];
    if ((i.predicates_read >> p & 1) == 0 || bad == 0) continue;
    report_undefined(FaultKind::uninitialized, i, bad, "P" + std::to_string(p) + " was never written");
    predicate_written_[p] |= lanes;
  }
  if (i.reads_cc && (lanes & ~cc_written_) != 0) {
    report_undefined(FaultKind::uninitialized, i, lanes & ~cc_written_, "CC was never written");
    cc_written_ |= lanes;
  }
}

void Warp::mark_written(const Instruction& i, uint32_t lanes) {
  if (copies_register(i)) {
    written_[i.rd()] = (written_[i.rd()] & ~lanes) | (written_[i.b.reg] & lanes);
    written_[kZeroRegister] = 0xffffffffu;
    return;
  }
  if (const Exchange& e = exchange_;
      e.done > 1 && is_exclusive_or(i) && i.rd() == (e.done == 2 ? e.b : e.a)) {
    const uint32_t moved = e.done == 2 ? e.a_written : e.b_written;
    written_[i.rd()] = (written_[i.rd()] & ~lanes) | (moved & lanes);
    if (e.done == 3) exchange_ = {};
    return;
  }
  for (int k = 0; k < i.write_count; ++k) {
    const RegisterRange& range = i.writes[static_cast<size_t>(k)];
    for (uint32_t r = range.first; r < uint32_t{range.first} + range.count; ++r) {
      written_[r] |= lanes;
      if (i.opcode != Opcode::rro && i.opcode != Opcode::mov) prepared_[r] = Prepared::no;
    }
  }
  for (uint32_t p = 0; p < kTruePredicate; ++p) {
    if ((i.predicates_written >> p & 1) != 0) predicate_written_[p] |= lanes;
  }
  if (i.writes_cc) cc_written_ |= lanes;
}

Lanes Warp::source(const Operand& operand, int slot) {
  switch (operand.kind) {
    case Operand::Kind::register_: return lanes(operand.reg);
    case Operand::Kind::constant:
      scalar_[static_cast<size_t>(slot)] = constant(operand.bank, operand.offset);
      break;
    case Operand::Kind::immediate:
      scalar_[static_cast<size_t>(slot)] = static_cast<uint32_t>(operand.immediate);
      break;
  }
  return {&scalar_[static_cast<size_t>(slot)], 0};
}

uint64_t Warp::wide(const Operand& operand, int lane) {
  switch (operand.kind) {
    case Operand::Kind::register_: return wide(operand.reg, lane);
    case Operand::Kind::constant:
      return uint64_t{constant(operand.bank, operand.offset + 4)} << 32 |
             constant(operand.bank, operand.offset);
    case Operand::Kind::immediate: return operand.immediate;
  }
  return 0;
}

// Offsets are modulo 64 KiB: ptxas 12 spells byte 0x8000 of bank 3 as c[0x3][-0x8000]. Words past the end of
// a bank read as 0.
uint32_t Warp::constant(uint32_t bank, int64_t offset, uint32_t bytes) const {
  const std::span<const std::byte> memory = block_.machine.bank(bank);
  uint32_t value = 0;
  if (offset < 0) offset += 0x10000;
  if (offset >= 0 && static_cast<uint64_t>(offset) + bytes <= memory.size())
    std::memcpy(&value, memory.data() + offset, bytes);
  return value;
}

void Warp::fault(FaultKind kind, const Instruction& i, int lane, std::string_view message) {
  Report& report = block_.report;
  ++report.fault_count;
  for (Fault& known : report.faults) {
    if (known.kind == kind && known.address == i.address && known.message == message) {
      ++known.count;
      return;
    }
  }
  if (report.faults.size() >= options_.max_faults) return;
  report.faults.push_back({kind, i.address, i.name(), static_cast<uint32_t>(lane), block_.index,
                           thread_of(lane), std::string(message), 1});
}

void Warp::report_undefined(FaultKind kind, const Instruction& i, uint32_t lanes, std::string_view message) {
  fault(kind, i, std::countr_zero(lanes), message);
  for_each_lane(lanes, [&](int lane) { block_.report.undefined_threads.push_back(element_of(lane)); });
}

void Warp::check_declared(const Instruction& i, int lane, bool write) {
  const Attributes& declared = machine().attributes();
  if (!declared.has_header) return;
  if (!declared.loads_or_stores) {
    fault(FaultKind::bad_operand, i, lane, "an access to memory that the header does not declare");
  } else if (write && !declared.stores) {
    fault(FaultKind::bad_operand, i, lane, "a write to memory that the header does not declare");
  }
}

std::byte* Warp::memory(const Instruction& i, Space space, int lane, uint64_t address, uint32_t size,
                        bool write, uint8_t*& shadow) {
  constexpr uint64_t kSharedWindow = 0x7f0000000000, kLocalWindow = 0x7e0000000000, kWindow = 0x10000000000;
  bool local = false;
  if (space == Space::generic) {
    space = Space::global;
    if (address - kSharedWindow < kWindow) {
      space = Space::shared;
      address -= kSharedWindow;
    } else if (address - kLocalWindow < kWindow) {
      local = true;
      address -= kLocalWindow;
    }
  }
  local = local || space == Space::local;
  if (address % size != 0) {
    fault(FaultKind::misaligned, i, lane, "the address is not a multiple of the access size");
    return nullptr;
  }
  if (local || space == Space::shared) {
    ShadowMemory& area = local ? local_[static_cast<size_t>(lane)] : block_.shared;
    if (address > area.bytes.size() || area.bytes.size() - address < size) {
      fault(FaultKind::out_of_range, i, lane, "the address is outside the thread's or group's memory");
      return nullptr;
    }
    shadow = area.written.data() + address;
    return area.bytes.data() + address;
  }
  check_declared(i, lane, write);
  const Machine::Range* range = machine().find_range(address, size);
  if (range == nullptr) {
    fault(FaultKind::out_of_range, i, lane, "the address is outside every mapped range");
    return nullptr;
  }
  if (write && !range->writable) {
    fault(FaultKind::out_of_range, i, lane, "a write to read-only memory");
    return nullptr;
  }
  return range->memory + (address - range->address);
}

}  // namespace texlate::sim::maxwell
