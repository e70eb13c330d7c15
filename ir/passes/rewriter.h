// For passes that walk the list once and replace values by earlier ones.
#pragma once

#include <algorithm>
#include <span>

#include "ir/base/buffer.h"
#include "ir/module.h"

namespace texlate::ir {

/// value -> the value that replaces it. Replaced values are defined later than what replaces them.
class Replacements {
 public:
  Replacements(const Module& module, std::pmr::monotonic_buffer_resource* memory)
      : of_(memory), expected_(module.values.size()) {}

  void replace(Value value, Value by) {
    if (value >= of_.size()) grow(value);
    of_[value] = by;
  }
  bool any() const { return !of_.empty(); }

  Value resolve(Value value) { return stays(value) ? value : follow(value); }

  void apply(Module& module, const Instruction& instruction) {
    apply(std::span(module.operands.data() + instruction.first_operand, instruction.operand_count));
  }
  void apply(std::span<Value> operands) {
    if (of_.empty()) return;
    for (Value& operand : operands) {
      if (!stays(operand)) operand = follow(operand);
    }
  }

 private:
  bool stays(Value value) const { return value >= of_.size() || of_[value] == kNoValue; }
  Value follow(Value value) {
    Value last = of_[value];
    while (!stays(last)) last = of_[last];
    while (!stays(value)) {  // shorten the chain
      const Value next = of_[value];
      of_[value] = last;
      value = next;
    }
    return last;
  }

  [[gnu::noinline]] void grow(Value value) {
    of_.resize(std::max<size_t>(size_t{value} + 1, expected_), kNoValue);
  }

  ArenaBuffer<Value> of_;  // empty until something is replaced
  size_t expected_;
};

}  // namespace texlate::ir
