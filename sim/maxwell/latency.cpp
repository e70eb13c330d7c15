#include "sim/maxwell/latency.h"

#include <array>

namespace texlate::sim::maxwell {

namespace {

constexpr DistanceRow kRows[] = {
#define TEXLATE_DISTANCE(passed, producer, consumer, cycles) {#passed, #producer, #consumer, cycles},
#include "sim/maxwell/latency_table.inc"
#undef TEXLATE_DISTANCE
};

/// By what is passed on, producer and consumer.
using Distances = std::array<std::array<std::array<uint8_t, kConsumers>, 2>, 4>;

constexpr Distances make_distances() {
  Distances out{};
  const auto set = [&out](Passed passed, Producer producer, Consumer consumer, uint8_t cycles) {
    auto& row = out[static_cast<size_t>(passed)][static_cast<size_t>(producer)];
    // `any` comes first, and the others replace it.
    if (consumer == Consumer::any) row.fill(cycles);
    row[static_cast<size_t>(consumer)] = cycles;
  };
#define TEXLATE_DISTANCE(passed, producer, consumer, cycles) \
  set(Passed::passed, Producer::producer, Consumer::consumer, cycles);
#include "sim/maxwell/latency_table.inc"
#undef TEXLATE_DISTANCE
  return out;
}

constexpr Distances kDistances = make_distances();

}  // namespace

Consumer consumer_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::unknown: return Consumer::any;
    case Opcode::shfl: return Consumer::shuffle;
    case Opcode::lds:
    case Opcode::sts:
    case Opcode::atoms:
    case Opcode::atoms_cas: return Consumer::shared;
    case Opcode::ldc: return Consumer::constant;
    case Opcode::ld:
    case Opcode::st: return Consumer::generic;
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suatom:
    case Opcode::suatom_cas: return Consumer::surface;
    case Opcode::bar:
    case Opcode::b2r:
    case Opcode::membar: return Consumer::any;
    default: break;
  }
  switch (operation(instruction.opcode).pipe) {
    case Pipe::special: return Consumer::special;
    case Pipe::fp64: return Consumer::double_;
    case Pipe::half: return Consumer::half;
    case Pipe::memory: return Consumer::global;
    case Pipe::texture: return Consumer::texture;
    case Pipe::alu:
    case Pipe::range_reduction:
    case Pipe::multiply:
    case Pipe::attribute: return Consumer::any;
    case Pipe::control: return Consumer::control;
  }
  return Consumer::any;
}

uint32_t least_distance(Passed passed, Producer producer, Consumer consumer) {
  return kDistances[static_cast<size_t>(passed)][static_cast<size_t>(producer)]
                   [static_cast<size_t>(consumer)];
}

std::span<const DistanceRow> distance_rows() {
  return kRows;
}

}  // namespace texlate::sim::maxwell
