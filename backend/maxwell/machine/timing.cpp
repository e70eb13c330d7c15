#include "backend/maxwell/machine/timing.h"

namespace texlate::maxwell::machine {

unsigned late_read(Opcode opcode) {
  switch (opcode_info(opcode).latency_class) {
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

unsigned expected_latency(Opcode opcode, const Latency& times) {
  if (!times.write_barrier) return times.result;
  switch (opcode_info(opcode).latency_class) {
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

}  // namespace texlate::maxwell::machine
