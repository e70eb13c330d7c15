#include "sim/maxwell/hazards.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/maxwell/latency.h"

namespace texlate::sim::maxwell {

namespace {

// No operation of variable latency finishes before one of fixed latency. ptxas relies on it: it fills a
// register, loads into it under a guard, and makes the reader wait only for the load.
const uint32_t kLeastVariableLatency = least_distance(Passed::register_, Producer::fixed, Consumer::any);

// A barrier counts from one cycle after the instruction that sets it.
constexpr uint32_t kBarrierActive = 2;

// Six scoreboards count up to 63 operations each. Older operations are done, whether or not anything waited.
constexpr size_t kInFlight = 512;

// Cycles until an operation of variable latency is done. Used only for the clock: no check relies on it.
constexpr uint32_t typical_latency(Pipe pipe) {
  switch (pipe) {
    case Pipe::multiply: return 40;
    case Pipe::special:
    case Pipe::half: return 24;
    case Pipe::fp64: return 48;
    case Pipe::memory: return 220;
    case Pipe::texture: return 280;
    case Pipe::attribute: return 40;
    default: return 6;
  }
}
// Cycles until the operation has read its sources.
constexpr uint32_t typical_read(Pipe pipe) {
  switch (pipe) {
    case Pipe::memory:
    case Pipe::texture: return 20;
    default: return 8;
  }
}

constexpr bool is_fixed(Pipe pipe) {
  return pipe == Pipe::alu || pipe == Pipe::range_reduction || pipe == Pipe::control;
}

// Operations of the same order finish one after the other. Loads from global and local memory and atomic
// operations on global memory go through the texture unit (docs/reference/maxwell.md 8).
Pipe order_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::ldg:
    case Opcode::ldl:
    case Opcode::ld:
    case Opcode::atom:
    case Opcode::atom_cas: return Pipe::texture;
    default: return operation(i.opcode).pipe;
  }
}

// Operations of the same queue read their sources one after the other: all of memory and texture.
Pipe queue_of(const Instruction& i) {
  const Pipe pipe = operation(i.opcode).pipe;
  return pipe == Pipe::texture ? Pipe::memory : pipe;
}

bool is_shared(Opcode opcode) {
  return opcode == Opcode::lds || opcode == Opcode::sts || opcode == Opcode::atoms ||
         opcode == Opcode::atoms_cas;
}

/// LDG.CI, of memory that nothing writes while the kernel runs: no fence concerns it.
bool is_read_only(const Instruction& i) {
  constexpr uint32_t kCi = 2;
  return i.opcode == Opcode::ldg && i.field(46, 2) == kCi;
}

/// Does the operation access memory that other threads access?
bool shares_memory(Opcode opcode) {
  switch (opcode) {
    case Opcode::ldg:
    case Opcode::stg:
    case Opcode::ld:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::red:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suatom:
    case Opcode::suatom_cas: return true;
    default: return is_shared(opcode);
  }
}

/// Does it read what a cache of the SM may hold? Atomic operations are executed in the second level.
bool reads_cache(Opcode opcode) {
  return opcode == Opcode::ldg || opcode == Opcode::ld || opcode == Opcode::suld;
}

/// One past the last register. A vector that extends past R255 is a bad operand, which is reported elsewhere.
uint32_t end_of(const RegisterRange& range) {
  return std::min<uint32_t>(uint32_t{range.first} + range.count, 256);
}

bool overlaps(const RegisterRange& x, const RegisterRange& y) {
  return x.count != 0 && y.count != 0 && x.first < y.first + y.count && y.first < x.first + x.count;
}

std::string name_of(const RegisterRange& range) {
  return range.count == 1 ? fmt::format("R{}", range.first)
                          : fmt::format("R{}..R{}", range.first, range.first + range.count - 1);
}

}  // namespace

Hazards::Hazards() {
  flights_.reserve(32);
}

// Operations issued before `flight` in the same order finish no later: ptxas gives a barrier only to the last
// of several loads.
void Hazards::land(const Flight& flight, uint8_t barrier, Clock& clock) {
  const bool whole = flight.write_barrier == barrier;
  clock.now = std::max(clock.now, whole ? flight.done : flight.read);
  if (whole) clock.soonest = std::max(clock.soonest, flight.issued + kLeastVariableLatency);
  const Pipe order = flight.order, queue = flight.queue;
  for (Flight& earlier : flights_) {
    if (earlier.queue == queue) earlier.sources_read = true;
    if (earlier.sources_read && (!earlier.has_result || (whole && earlier.order == order)))
      earlier.result_written = true;
    if (&earlier == &flight) return;
  }
}

void Hazards::wait_for(uint8_t barrier, Clock& clock, std::vector<Hazard>& found) {
  const uint64_t soonest = clock.soonest;
  for (Flight& flight : flights_) {
    const bool written = flight.write_barrier == barrier && !flight.result_written;
    const bool read = flight.read_barrier == barrier && !flight.sources_read;
    if (!written && !read) continue;
    if (soonest < flight.issued + kBarrierActive) {
      found.push_back(
          {FaultKind::early_wait, fmt::format("barrier {} is set at 0x{:04x}, only {} cycle earlier", barrier,
                                              flight.address, soonest - flight.issued)});
    }
    land(flight, barrier, clock);
  }
}

// DEPBAR.LE: all but the newest `left` operations on a barrier are done. This holds if they finish in order:
// operations of one pipe.
void Hazards::wait_for_count(uint8_t barrier, uint32_t left, Clock& clock, std::vector<Hazard>& found) {
  uint32_t count = 0;
  const Flight* first = nullptr;
  for (const Flight& flight : flights_) {
    const bool written = flight.write_barrier == barrier && !flight.result_written;
    const bool read = flight.read_barrier == barrier && !flight.sources_read;
    if (!written && !read) continue;
    count += written && read ? 2 : 1;
    if (first == nullptr) first = &flight;
    if (left != 0 && (written ? first->order != flight.order : first->queue != flight.queue)) {
      found.push_back({FaultKind::barrier_order,
                       fmt::format("barrier {} counts 0x{:04x} and 0x{:04x}, which may finish in any order",
                                   barrier, first->address, flight.address)});
    }
  }
  for (Flight& flight : flights_) {
    if (count <= left) return;
    const bool written = flight.write_barrier == barrier && !flight.result_written;
    const bool read = flight.read_barrier == barrier && !flight.sources_read;
    if (!written && !read) continue;
    count -= written && read ? 2 : 1;
    land(flight, barrier, clock);
  }
}

void Hazards::forget_landed() {
  const auto landed = [](const Flight& flight) { return flight.sources_read && flight.result_written; };
  flights_.erase(std::remove_if(flights_.begin(), flights_.end(), landed), flights_.end());
}

void Hazards::check_guard(const Instruction& i, uint64_t now, std::vector<Hazard>& found) {
  if (i.guard == kTruePredicate) return;
  const uint64_t ready =
      predicates_[i.guard] + least_distance(Passed::guard, Producer::fixed, consumer_of(i));
  if (ready > now) {
    found.push_back({FaultKind::early_read,
                     fmt::format("guard P{} is ready only {} cycles later", i.guard, ready - now)});
  }
  const auto pending = std::ranges::find_if(flights_, [&](const Flight& flight) {
    return !flight.result_written && (flight.predicates >> i.guard & 1) != 0;
  });
  if (pending == flights_.end()) return;
  found.push_back({FaultKind::unwaited_read,
                   fmt::format("guard P{} is still pending from 0x{:04x}", i.guard, pending->address)});
}

void Hazards::check_reads(const Instruction& i, uint32_t lanes, uint64_t now, std::vector<Hazard>& found) {
  const Consumer consumer = consumer_of(i);
  for (int r = 0; r < i.read_count; ++r) {
    const RegisterRange& range = i.reads[static_cast<size_t>(r)];
    for (uint32_t reg = range.first; reg < end_of(range); ++reg) {
      const uint64_t ready = registers_[reg].ready(lanes, consumer);
      if (ready <= now) continue;
      found.push_back(
          {FaultKind::early_read, fmt::format("R{} is ready only {} cycles later", reg, ready - now)});
    }
    const auto pending = std::ranges::find_if(flights_, [&](const Flight& flight) {
      return !flight.result_written && (flight.lanes & lanes) != 0 &&
             std::ranges::any_of(flight.writes, [&](const auto& write) { return overlaps(write, range); });
    });
    if (pending == flights_.end()) continue;
    found.push_back({FaultKind::unwaited_read,
                     fmt::format("{} is still pending from 0x{:04x}", name_of(range), pending->address)});
  }
  for (uint8_t p = 0; p < kTruePredicate; ++p) {
    if ((i.predicates_read >> p & 1) == 0) continue;
    const uint64_t ready = predicates_[p] + least_distance(Passed::predicate, Producer::fixed, consumer);
    if (ready > now) {
      found.push_back({FaultKind::early_read, fmt::format("P{} is ready {} cycles later", p, ready - now)});
    }
    const auto pending = std::ranges::find_if(flights_, [&](const Flight& flight) {
      return !flight.result_written && (flight.lanes & lanes) != 0 && (flight.predicates >> p & 1) != 0;
    });
    if (pending == flights_.end()) continue;
    found.push_back(
        {FaultKind::unwaited_read, fmt::format("P{} is still pending from 0x{:04x}", p, pending->address)});
  }
  const uint64_t carry = carry_ + least_distance(Passed::carry, Producer::fixed, consumer);
  if (i.reads_cc && carry > now) {
    found.push_back({FaultKind::early_read, fmt::format("CC is ready only {} cycles later", carry - now)});
  }
}

void Hazards::check_writes(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found) {
  const Pipe order = order_of(i), queue = queue_of(i);
  for (int k = 0; k < i.write_count; ++k) {
    const RegisterRange& range = i.writes[static_cast<size_t>(k)];
    const auto in_range = [&](const RegisterRange& other) { return overlaps(other, range); };
    // Later operations of the same order write later; later operations of the same queue read later.
    const auto written = std::ranges::find_if(flights_, [&](const Flight& flight) {
      return !flight.result_written && flight.order != order && (flight.lanes & lanes) != 0 &&
             std::ranges::any_of(flight.writes, in_range);
    });
    if (written != flights_.end()) {
      found.push_back({FaultKind::unwaited_write, fmt::format("{} is still to be written by 0x{:04x}",
                                                              name_of(range), written->address)});
    }
    const auto read = std::ranges::find_if(flights_, [&](const Flight& flight) {
      return !flight.sources_read && flight.queue != queue && (flight.lanes & lanes) != 0 &&
             std::ranges::any_of(flight.reads, in_range);
    });
    if (read != flights_.end()) {
      found.push_back({FaultKind::overwritten_source,
                       fmt::format("{} is still to be read by 0x{:04x}", name_of(range), read->address)});
    }
  }
  const auto overtaken = std::ranges::find_if(flights_, [&](const Flight& flight) {
    return !flight.result_written && flight.order != order && (flight.lanes & lanes) != 0 &&
           (flight.predicates & i.predicates_written) != 0;
  });
  if (overtaken == flights_.end()) return;
  const int predicate = std::countr_zero(static_cast<uint8_t>(overtaken->predicates & i.predicates_written));
  found.push_back({FaultKind::unwaited_write,
                   fmt::format("P{} is still to be written by 0x{:04x}", predicate, overtaken->address)});
}

// What issues together leaves no time between the two, so the second may not read what the first writes: that
// is an early read like any other. Two writes of one register have no order, unless the second has a variable
// latency: ptxas clears a register together with the load that may fill it, and never pairs two writes of
// fixed latency. docs/reference/maxwell.md 6c.
void Hazards::check_pair(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found) {
  const Pipe pipe = operation(i.opcode).pipe;
  const auto is_arithmetic = [](Pipe p) { return p == Pipe::alu || p == Pipe::range_reduction; };
  if (first_ == nullptr) return;
  if (is_arithmetic(first_pipe_) && is_arithmetic(pipe)) {
    found.push_back({FaultKind::pair, fmt::format("issues together with 0x{:04x}, which needs the same unit",
                                                  first_->address)});
  }
  if (!is_arithmetic(pipe) || (first_lanes_ & lanes) == 0) return;
  for (int x = 0; x < first_->write_count; ++x) {
    for (int y = 0; y < i.write_count; ++y) {
      const RegisterRange& range = i.writes[static_cast<size_t>(y)];
      if (!overlaps(first_->writes[static_cast<size_t>(x)], range)) continue;
      found.push_back({FaultKind::unwaited_write, fmt::format("{} is written by 0x{:04x} in the same cycle",
                                                              name_of(range), first_->address)});
    }
  }
}

// docs/reference/maxwell.md 8: ptxas puts MEMBAR after every BAR, and .IVALLD on every fence of the
// device and the system.
void Hazards::check_fences(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found) {
  constexpr uint32_t kBlock = 0, kInvalidateAll = 6;  // MEMBAR.CTA, CCTL.IVALL
  if (i.opcode == Opcode::bar) at_barrier_ = true;
  if (i.opcode == Opcode::cctl && i.field(0, 4) == kInvalidateAll) has_stale_cache_ = false;
  if (i.opcode == Opcode::membar) {
    at_barrier_ = false;
    if (i.field(0, 2) != 0) {
      has_stale_cache_ = false;
    } else if (i.field(8, 2) != kBlock) {
      has_stale_cache_ = true;
    }
  }
  if (lanes == 0 || is_read_only(i)) return;
  if (at_barrier_ && shares_memory(i.opcode))
    found.push_back({FaultKind::unfenced, "memory is accessed after BAR, with no MEMBAR after BAR"});
  if (has_stale_cache_ && reads_cache(i.opcode))
    found.push_back({FaultKind::unfenced, "memory is read after a MEMBAR that does not invalidate caches"});
}

// A warp that waits in BAR.SYNC has read the sources of its earlier operations on shared memory: ptxas gives
// them no barrier of their own. It does before BAR.ARV and MEMBAR, and for accesses to global memory.
void Hazards::read_sources_at_barrier(const Instruction& i) {
  constexpr uint32_t kSync = 0;
  if (i.opcode != Opcode::bar || i.field(32, 3) != kSync) return;
  for (Flight& flight : flights_) {
    if (!flight.is_shared) continue;
    flight.sources_read = true;
    if (!flight.has_result) flight.result_written = true;
  }
  forget_landed();
}

// The operand cache keeps what an instruction read: not what it wrote, and not while another warp may run.
// ptxas never asks for either.
void Hazards::check_reuse(const Instruction& i, std::vector<Hazard>& found) {
  if (i.control.reuse == 0 || operation(i.opcode).pipe != Pipe::alu) return;
  if (i.control.yield)
    found.push_back({FaultKind::overwritten_source, "a register is kept for reuse, but the warp yields"});
  const auto number = [](const Operand& operand) {
    return operand.kind == Operand::Kind::register_ ? operand.reg : kZeroRegister;
  };
  // An operation of two sources has something else in the field of the third.
  const bool has_third = operation(i.opcode).operands.find_first_of("cC") != std::string_view::npos;
  const std::array<uint8_t, 3> ports{i.ra(), number(i.b), has_third ? number(i.c) : number(i.b)};
  for (uint32_t port = 0; port < 3; ++port) {
    const uint8_t reg = ports[port];
    if ((i.control.reuse >> port & 1) == 0 || reg == kZeroRegister || !i.writes_register(reg)) continue;
    found.push_back({FaultKind::overwritten_source, fmt::format("R{} is kept for reuse and written", reg)});
  }
}

void Hazards::record(const Instruction& i, uint32_t lanes, const Clock& clock) {
  const uint64_t soonest = clock.soonest;
  const Pipe pipe = i.opcode == Opcode::unknown ? Pipe::control : operation(i.opcode).pipe;
  if (is_fixed(pipe)) {
    if (lanes == 0) return;
    const Producer producer = pipe == Pipe::range_reduction ? Producer::rro : Producer::fixed;
    for (int k = 0; k < i.write_count; ++k) {
      const RegisterRange& range = i.writes[static_cast<size_t>(k)];
      for (uint32_t reg = range.first; reg < end_of(range); ++reg) {
        registers_[reg].write(lanes, soonest, producer);
      }
    }
    for (uint8_t p = 0; p < kTruePredicate; ++p) {
      if ((i.predicates_written >> p & 1) != 0) predicates_[p] = soonest;
    }
    if (i.writes_cc) carry_ = soonest;
    return;
  }
  Flight flight{lanes,
                i.address,
                pipe,
                order_of(i),
                queue_of(i),
                is_shared(i.opcode),
                i.writes,
                i.reads,
                i.predicates_written,
                i.control.write_barrier,
                i.control.read_barrier,
                i.write_count != 0 || i.predicates_written != 0 || i.control.write_barrier != kNoBarrier,
                i.read_count == 0 && i.control.read_barrier == kNoBarrier,
                false,
                soonest,
                clock.now + typical_read(pipe),
                clock.now + typical_latency(pipe)};
  flight.result_written = !flight.has_result;
  if (flight.sources_read && flight.result_written) return;
  // Only now and then, so that an instruction in a loop without waits costs no more than others.
  if (flights_.size() == 2 * kInFlight) flights_.erase(flights_.begin(), flights_.begin() + kInFlight);
  flights_.push_back(flight);
}

void Hazards::issue(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found) {
  Clock clock{soonest_issue_, next_issue_};
  if (i.opcode == Opcode::unknown) return;
  if (i.control.wait_mask != 0) {
    for (uint8_t barrier = 0; barrier < kBarriers; ++barrier) {
      if ((i.control.wait_mask >> barrier & 1) != 0) wait_for(barrier, clock, found);
    }
    forget_landed();
  }
  if (i.opcode == Opcode::depbar) {
    if (i.bit(29)) wait_for_count(static_cast<uint8_t>(i.field(26, 3)), i.field(20, 6), clock, found);
    for (uint8_t barrier = 0; barrier < kBarriers; ++barrier) {
      if (i.bit(barrier)) wait_for_count(barrier, 0, clock, found);
    }
    forget_landed();
  }
  read_sources_at_barrier(i);
  check_fences(i, lanes, found);
  check_guard(i, clock.soonest, found);
  if (lanes != 0) {
    check_reads(i, lanes, clock.soonest, found);
    check_writes(i, lanes, found);
    check_reuse(i, found);
  }
  check_pair(i, lanes, found);
  first_ = i.control.stall == 0 ? &i : nullptr;
  first_lanes_ = lanes;
  first_pipe_ = operation(i.opcode).pipe;
  // An operation whose guard holds in no lane still signals its barriers.
  record(i, lanes, clock);
  next_issue_ = clock.now + i.control.stall;
  soonest_issue_ = clock.soonest + i.control.stall;
}

}  // namespace texlate::sim::maxwell
