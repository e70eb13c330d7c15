#include "backend/maxwell/machine/timing.h"

namespace texlate::maxwell::machine {
namespace {

constexpr uint8_t late_read(Opcode opcode, LatencyClass latency_class) {
  switch (latency_class) {
    case LatencyClass::texture: return 4;
    case LatencyClass::load:
    case LatencyClass::store:
      switch (opcode) {
        case Opcode::ldg:
        case Opcode::stg: return 4;
        case Opcode::ald:
        case Opcode::isberd:
        case Opcode::ast: return 0;  // not seen in any code from NVIDIA's tools
        default: return 2;
      }
    case LatencyClass::variable:
      switch (opcode) {
        case Opcode::mufu:
        case Opcode::f2f:
        case Opcode::f2i:
        case Opcode::i2f:
        case Opcode::i2i:
        case Opcode::flo:
        case Opcode::popc: return 4;
        case Opcode::shfl: return 2;
        default: return 0;
      }
    case LatencyClass::surface_load:
    case LatencyClass::surface_store: return 2;
    case LatencyClass::none:
    case LatencyClass::alu:
    case LatencyClass::alu_half_rate:
    case LatencyClass::predicate:
    case LatencyClass::range_reduction:
    case LatencyClass::control:
    case LatencyClass::synchronise: return 0;
  }
  return 0;
}

constexpr uint8_t expected_latency(Opcode opcode, LatencyClass latency_class) {
  const Latency times = latency(latency_class);
  if (!times.write_barrier) return times.result;
  switch (latency_class) {
    case LatencyClass::texture:
    case LatencyClass::surface_load: return 200;
    case LatencyClass::load:
      switch (opcode) {
        case Opcode::lds:
        case Opcode::lds_u:
        case Opcode::ldc:
        case Opcode::isberd:
        case Opcode::ald: return 30;
        case Opcode::ldl: return 60;
        default: return 200;
      }
    default: break;
  }
  switch (opcode) {
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma: return 50;
    case Opcode::shfl:
    case Opcode::s2r:
    case Opcode::ipa: return 26;
    default: return 18;
  }
}

constexpr bool looks_at_other_lanes(Opcode opcode, LatencyClass latency_class) {
  return latency_class == LatencyClass::texture || opcode == Opcode::shfl || opcode == Opcode::vote ||
         opcode == Opcode::fswzadd;
}

constexpr Timing timing_of(Opcode opcode, LatencyClass latency_class) {
  return {late_read(opcode, latency_class), expected_latency(opcode, latency_class),
          looks_at_other_lanes(opcode, latency_class)};
}

}  // namespace

constexpr std::array<Timing, static_cast<size_t>(Opcode::count_)> kTimings{{
#define OPCODE(name, text, latency_class) timing_of(Opcode::name, LatencyClass::latency_class),
#include "backend/maxwell/isa/opcodes.inc"
#undef OPCODE
}};

}  // namespace texlate::maxwell::machine
