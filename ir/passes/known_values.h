// What is known about a value from its definition: a bound, low bits that are 0, a range of a float. This is
// enough to see that a masked count, a thread's number in its group or a saturated float needs no guard.
#pragma once

#include <limits>
#include <span>

#include "ir/module.h"

namespace texlate::ir {

struct Known {
  static constexpr int16_t kMostShort = std::numeric_limits<int16_t>::max();
  uint32_t greatest = 0xffffffffu;       // as an unsigned integer
  int16_t greatest_signed = kMostShort;  // as a signed one; kMostShort: no bound is known
  uint8_t zeros = 0;                     // number of low bits that are 0
  bool number = false;                   // as a float: not NaN, and within the following two
  float least_float = -std::numeric_limits<float>::infinity();
  float greatest_float = std::numeric_limits<float>::infinity();
  bool nonzero = false;  // some bit is 1
};

/// Computed on demand from the list that a pass walks, once per value. The list must not change: a pass may
/// only change operands and append to another list. Nothing is known of values that depend on a chain of more
/// than kDeepest operations, of values that the pass itself adds, and of results of constructs other than
/// counters. A counter is a loop's value that starts at a constant, grows by constants and is compared with a
/// constant before the loop goes on:
///
///   %3 = loop(0)
///     %4 = ige %3, 8
///     if %4
///       break
///     else
///     endif            from here to endloop, %3 is at most 7
///
class KnownValues {
 public:
  enum class Counters : uint8_t { skipped, found };
  enum class Positions : uint8_t { any, on_screen };
  /// `counters`: whether to look for counters. If so, set_instruction() must name the current instruction.
  /// `positions`: what the position of a pixel can be. A kernel's comes from the host's memory.
  explicit KnownValues(const Module& module, std::pmr::monotonic_buffer_resource& arena,
                       Counters counters = Counters::skipped, Positions positions = Positions::any);

  /// The following queries are about operands of this instruction.
  void set_instruction(uint32_t instruction) { place_ = instruction; }

  Known of(Value value);
  uint32_t greatest(Value value) { return of(value).greatest; }
  /// Is the value certainly a multiple of 2^bits?
  bool is_multiple(Value value, uint32_t bits) { return of(value).zeros >= bits; }

 private:
  /// Between two instructions, both of them markers, a counter is at most `greatest`.
  struct Counter {
    uint32_t from, to;
    Value value;
    uint32_t greatest;
  };
  class CounterFinder;
  const Counter* find_counter(Value value) const;
  static constexpr uint32_t kDeepest = 64;
  // In definition_, where 0 means that there is no definition to look at.
  static constexpr uint32_t kDone = 0xffffffffu;

  void find_definitions();
  Known result_of(const Instruction& instruction);
  Known integer_result(const Instruction& instruction);
  void float_result(const Instruction& instruction, Known& known);
  bool is_place_of_pixel(const Instruction& input) const;
  uint32_t greatest_number(uint32_t payload) const;
  Known operand(const Instruction& instruction, uint32_t i) {
    return of(module_.operands[instruction.first_operand + i]);
  }

  const Module& module_;
  std::pmr::monotonic_buffer_resource& arena_;
  const Positions positions_;
  std::span<uint32_t> definition_;  // by value: its instruction, plus 1; empty until the first query
  std::span<Known> known_;          // of the values computed so far
  uint32_t depth_ = 0;
  uint32_t place_ = 0;                  // the current instruction
  std::pmr::vector<Counter> counters_;  // in the order of their values
};

}  // namespace texlate::ir
