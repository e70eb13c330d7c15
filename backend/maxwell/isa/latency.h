// Latency classes and barrier needs of opcodes, in cycles (docs/reference/maxwell.md 6,
// "Scheduling").
#pragma once

#include <cstdint>

namespace texlate::maxwell {

enum class LatencyClass : uint8_t {
  none,             // no result
  alu,              // fixed latency
  alu_half_rate,    // shifts, minimum and maximum, comparisons: one issue every two cycles
  predicate,        // result is a predicate of the fixed-latency pipe
  range_reduction,  // RRO: fixed, and only MUFU reads it
  variable,         // the result arrives at an unknown time: write barrier
  load,             // memory: write barrier, and the sources are read late
  store,            // memory without a result: the sources are read late
  texture,
  surface_load,
  surface_store,
  control,
  synchronise,  // BAR, MEMBAR: waits for everything pending
};

struct Latency {
  uint8_t result;      // cycles until a register result may be read; 0 = not fixed or no result
  uint8_t predicate;   // cycles until a predicate result may be a guard or source
  uint8_t carry;       // cycles until CC may be read
  uint8_t stall;       // minimum stall after the instruction itself
  bool write_barrier;  // the result needs a write barrier
  bool read_barrier;   // sources are read late: needs a read barrier before one is overwritten
  bool wait_all;       // waits for all barriers before issue

  /// Are results waited for by counting cycles?
  constexpr bool is_fixed() const { return result != 0; }
};

/// Values: what ptxas leaves at least (docs/reference/maxwell.md 6c). The result of RRO is ready as late as
/// any other; MUFU, which alone reads it, follows after 2 cycles because it reads its sources late
/// (machine/timing.h).
constexpr Latency latency(LatencyClass latency_class) {
  switch (latency_class) {
    case LatencyClass::none: return {0, 0, 0, 1, false, false, false};
    case LatencyClass::alu: return {6, 13, 6, 1, false, false, false};
    case LatencyClass::alu_half_rate: return {6, 13, 6, 2, false, false, false};
    case LatencyClass::predicate: return {6, 13, 6, 2, false, false, false};
    case LatencyClass::range_reduction: return {6, 0, 0, 1, false, false, false};
    case LatencyClass::variable: return {0, 0, 0, 2, true, true, false};
    case LatencyClass::load: return {0, 0, 0, 2, true, true, false};
    case LatencyClass::store: return {0, 0, 0, 2, false, true, false};
    case LatencyClass::texture: return {0, 0, 0, 2, true, true, false};
    case LatencyClass::surface_load: return {0, 0, 0, 2, true, true, false};
    case LatencyClass::surface_store: return {0, 0, 0, 2, false, true, false};
    case LatencyClass::control: return {0, 0, 0, 13, false, false, false};
    case LatencyClass::synchronise: return {0, 0, 0, 15, false, false, true};
  }
  return {};
}

/// A barrier becomes active one cycle after the instruction that sets it: a wait in the next slot requires
/// this stall.
constexpr uint8_t kBarrierActiveStall = 2;

}  // namespace texlate::maxwell
