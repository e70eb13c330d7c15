// The warp's clock and everything in flight: fixed-latency results that are not ready, results that a barrier
// signals, and sources that are still to be read (docs/maxwell-machine.md, "Scheduling").
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/maxwell/instruction.h"
#include "sim/maxwell/latency.h"
#include "sim/maxwell/machine.h"

namespace texlate::sim::maxwell {

struct Hazard {
  FaultKind kind;
  std::string message;
};

class Hazards {
 public:
  Hazards();
  /// The instruction issues for `lanes` (those whose guard holds; may be 0). Appends the hazards found; if
  /// several operations are still pending for one operand, only the oldest.
  void issue(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found);
  /// Everything in flight completes: a block barrier that waits, or the end.
  uint64_t cycles() const { return next_issue_ - kBegin; }

 private:
  struct Flight {
    uint32_t lanes;
    uint32_t address;
    Pipe pipe, order, queue;
    bool is_shared;  // accesses shared memory
    std::array<RegisterRange, 2> writes;
    std::array<RegisterRange, 4> reads;
    uint8_t predicates;
    uint8_t write_barrier, read_barrier;
    bool has_result, sources_read, result_written;
    uint64_t issued;      // on the clock of the shortest waits
    uint64_t read, done;  // on the other clock: when its sources are read, when it is done
  };

  /// The times of one issue on both clocks.
  struct Clock {
    uint64_t soonest, now;
  };
  void wait_for(uint8_t barrier, Clock& clock, std::vector<Hazard>& found);
  void wait_for_count(uint8_t barrier, uint32_t left, Clock& clock, std::vector<Hazard>& found);
  void land(const Flight& flight, uint8_t barrier, Clock& clock);
  void forget_landed();
  void check_reads(const Instruction& i, uint32_t lanes, uint64_t now, std::vector<Hazard>& found);
  void check_writes(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found);
  void check_guard(const Instruction& i, uint64_t now, std::vector<Hazard>& found);
  void check_pair(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found);
  void check_fences(const Instruction& i, uint32_t lanes, std::vector<Hazard>& found);
  void read_sources_at_barrier(const Instruction& i);
  static void check_reuse(const Instruction& i, std::vector<Hazard>& found);
  void record(const Instruction& i, uint32_t lanes, const Clock& clock);

  /// The clocks start here, so that what nobody wrote has long been ready.
  static constexpr uint64_t kBegin = 64;
  uint64_t next_issue_ = kBegin;
  /// The same if every wait were as short as possible. Latencies are measured on this clock.
  uint64_t soonest_issue_ = kBegin;
  /// When a register was written by an instruction of fixed latency, for the lanes written last and for those
  /// written before. ptxas fills a register under a guard and its opposite.
  struct Written {
    uint64_t cycle = 0, cycle_before = 0;
    uint32_t lanes = 0, lanes_before = 0;
    Producer producer = Producer::fixed, producer_before = Producer::fixed;
    void write(uint32_t writing, uint64_t now, Producer by) {
      if ((lanes & ~writing) != 0)
        cycle_before = cycle, producer_before = producer, lanes_before = lanes & ~writing;
      cycle = now, producer = by, lanes = writing;
    }
    /// When the lanes may read it, on the clock of `cycle`.
    uint64_t ready(uint32_t reading, Consumer by) const {
      uint64_t out = 0;
      if ((lanes & reading) != 0) out = cycle + least_distance(Passed::register_, producer, by);
      if ((lanes_before & reading) == 0) return out;
      return std::max(out, cycle_before + least_distance(Passed::register_, producer_before, by));
    }
  };
  std::array<Written, 256> registers_{};
  std::array<uint64_t, 8> predicates_{};
  uint64_t carry_ = 0;
  // The instruction that issues together with the next one; null: none.
  const Instruction* first_ = nullptr;
  uint32_t first_lanes_ = 0;
  Pipe first_pipe_ = Pipe::control;
  std::vector<Flight> flights_;
  // After BAR: no MEMBAR yet. After MEMBAR of more than the block: its caches are not invalidated yet.
  bool at_barrier_ = false, has_stale_cache_ = false;
};

}  // namespace texlate::sim::maxwell
