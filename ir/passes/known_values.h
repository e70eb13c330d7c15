// What can be told of a value from how it is made: a bound, low bits that are 0, a range of a float. Enough
// to see that a masked count, a thread's number in its group or a saturated float needs no guard.
#pragma once

#include <limits>
#include <span>

#include "ir/module.h"

namespace texlate::ir {

struct Known {
  uint32_t greatest = 0xffffffffu;                                // as an unsigned integer
  int32_t greatest_signed = std::numeric_limits<int32_t>::max();  // as a signed one
  uint8_t zeros = 0;                                              // so many low bits are 0
  bool number = false;  // as a float: no NaN, and within the following two
  float least_float = -std::numeric_limits<float>::infinity();
  float greatest_float = std::numeric_limits<float>::infinity();
};

/// Filled in while a pass walks the list: `note` each instruction, in order, before what follows it asks.
/// Constant time an instruction. Of the results of constructs only counters are known: a loop's value that
/// starts at a constant, grows by constants and is compared with one before the loop goes on,
///
///   %3 = loop(0)
///     %4 = ige %3, 8
///     if %4
///       break
///     else
///     endif            from here to endloop, %3 is at most 7
///
/// Values that the pass itself adds are not known.
class KnownValues {
 public:
  KnownValues(const Module& module, std::pmr::monotonic_buffer_resource& arena);

  void note(const Instruction& instruction);

  Known of(Value value) const;
  uint32_t greatest(Value value) const { return of(value).greatest; }
  /// Is the value certainly a multiple of 2^bits?
  bool is_multiple(Value value, uint32_t bits) const { return of(value).zeros >= bits; }

 private:
  /// From the instruction `at` on, a marker, the value is at most `greatest`.
  struct Bound {
    uint32_t at;
    Value value;
    uint32_t greatest;
  };
  void find_counters(std::pmr::monotonic_buffer_resource& arena);
  void note_bounds();
  Known integer_result(const Instruction& instruction) const;
  void float_result(const Instruction& instruction, Known& known) const;
  /// Can the operands be numbers? A quick look.
  bool are_numbers(const Instruction& instruction) const;
  uint32_t greatest_number(uint32_t payload) const;
  Known operand(const Instruction& instruction, uint32_t i) const {
    return of(module_.operands[instruction.first_operand + i]);
  }

  const Module& module_;
  std::span<Known> known_;
  std::pmr::vector<Bound> bounds_;  // of counters, in order
  size_t next_bound_ = 0;
  uint32_t noted_ = 0;  // instructions so far
};

}  // namespace texlate::ir
