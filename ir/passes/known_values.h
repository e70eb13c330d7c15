// What can be told of a value from how it is made: a bound, low bits that are 0, a range of a float. Enough
// to see that a masked count, a thread's number in its group or a saturated float needs no guard.
#pragma once

#include <limits>
#include <span>

#include "ir/module.h"

namespace texlate::ir {

struct Known {
  uint32_t greatest = 0xffffffffu;  // as an unsigned integer
  uint8_t zeros = 0;                // so many low bits are 0
  bool number = false;              // as a float: no NaN, and within the following two
  float least_float = -std::numeric_limits<float>::infinity();
  float greatest_float = std::numeric_limits<float>::infinity();
};

/// Filled in while a pass walks the list: `note` an instruction before what follows it asks. Constant time an
/// instruction. Results of constructs, and values that the pass itself adds, are not known.
class KnownValues {
 public:
  KnownValues(const Module& module, std::pmr::monotonic_buffer_resource& arena);

  void note(const Instruction& instruction);

  Known of(Value value) const;
  uint32_t greatest(Value value) const { return of(value).greatest; }
  /// Is the value certainly a multiple of 2^bits?
  bool is_multiple(Value value, uint32_t bits) const { return of(value).zeros >= bits; }

 private:
  Known integer_result(const Instruction& instruction) const;
  void float_result(const Instruction& instruction, Known& known) const;
  /// Can the operands be numbers? A quick look.
  bool are_numbers(const Instruction& instruction) const;
  uint32_t greatest_thread(uint32_t payload) const;
  Known operand(const Instruction& instruction, uint32_t i) const {
    return of(module_.operands[instruction.first_operand + i]);
  }

  const Module& module_;
  std::span<Known> known_;
};

}  // namespace texlate::ir
