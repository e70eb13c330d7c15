// How long instructions take: what has to be kept (with backend/maxwell/isa/latency.h), and what the
// scheduler reckons with where the machine itself waits.
#pragma once

#include "backend/maxwell/isa/latency.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine {

/// Cycles after issue at which a reader of fixed-latency results takes its registers, beyond those that an
/// arithmetic instruction takes: a result that others may read after 6 cycles may be read so much sooner by
/// this one. From the stall counts of ptxas 12.4 for sm_52 (docs/maxwell-isa.md, "Read early, read late"):
/// MUFU, conversions, memory and texture follow their operand's instruction after 2 cycles, exchange between
/// lanes and shared memory after 4.
unsigned late_read(Opcode opcode);

/// Cycles until the results are ready; an estimate for variable latency.
unsigned expected_latency(Opcode opcode, const Latency& times);

}  // namespace texlate::maxwell::machine
