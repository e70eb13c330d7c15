// How long instructions take: what must be kept (with backend/maxwell/isa/latency.h), and what the scheduler
// assumes where the machine itself waits.
#pragma once

#include <array>
#include <cstdint>

#include "backend/maxwell/isa/latency.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/line_access.h"

namespace texlate::maxwell::machine {

/// What is asked of every instruction while it gets its place and its control slot.
struct Timing {
  /// How many cycles later than an arithmetic instruction it reads registers with results of fixed latency:
  /// it may read a result that others may read after 6 cycles so many cycles sooner. From the stall counts of
  /// ptxas 12.4 for sm_52 (docs/maxwell-isa.md, "Read early, read late"): MUFU, conversions, memory and
  /// texture follow their operand's instruction after 2 cycles, exchange between lanes and shared memory
  /// after 4.
  uint8_t late_read;
  /// Cycles until the results are ready; an estimate for variable latency.
  uint8_t expected;
  /// It reads what other lanes hold, or derivatives of it: texture at an implicit level, SHFL, VOTE.
  bool looks_at_other_lanes;
};
extern const std::array<Timing, static_cast<size_t>(Opcode::count_)> kTimings;
inline const Timing& timing(Opcode opcode) {
  return kTimings[static_cast<size_t>(opcode)];
}

/// Cycles until a result of fixed latency may be read, by its place.
constexpr unsigned result_latency(const Latency& times, Place place) {
  if (is_register(place)) return times.result;
  return place == kConditionCode ? times.carry : times.predicate;
}

}  // namespace texlate::maxwell::machine
