// When the result of an instruction of fixed latency may be used (docs/reference/maxwell.md 6c).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/maxwell/instruction.h"

namespace texlate::sim::maxwell {

enum class Passed : uint8_t { register_, predicate, guard, carry };
enum class Producer : uint8_t { fixed, rro };
/// Kinds of instructions that read their sources at different times.
enum class Consumer : uint8_t {
  any,  // all others
  special,
  double_,
  half,
  shuffle,
  shared,    // LDS, STS, ATOMS
  constant,  // LDC
  generic,   // LD, ST
  global,    // LDG, STG, LDL, STL, ATOM, RED, CCTL
  texture,
  surface,
  control,
};
constexpr int kConsumers = 12;

Consumer consumer_of(const Instruction& instruction);

/// Cycles from issue to issue.
uint32_t least_distance(Passed passed, Producer producer, Consumer consumer);

/// The rows of the table, for the test that compares them with the document.
struct DistanceRow {
  std::string_view passed, producer, consumer;
  uint32_t cycles;
};
std::span<const DistanceRow> distance_rows();

}  // namespace texlate::sim::maxwell
