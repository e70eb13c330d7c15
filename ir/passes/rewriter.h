// What passes share that walk the list once and replace values by earlier ones.
#pragma once

#include "ir/module.h"

namespace texlate::ir {

/// value -> the value that stands for it. Replaced values are defined later than what replaces them.
class Replacements {
 public:
  Replacements(const Module& module, std::pmr::memory_resource* memory)
      : of_(module.values.size(), kNoValue, memory) {}

  void replace(Value value, Value by) {
    if (value >= of_.size()) of_.resize(size_t{value} + 1, kNoValue);
    of_[value] = by;
    any_ = true;
  }
  bool any() const { return any_; }

  Value resolve(Value value) {
    Value last = value;
    while (last < of_.size() && of_[last] != kNoValue) last = of_[last];
    while (value < of_.size() && of_[value] != kNoValue) {  // shorten the chain
      const Value next = of_[value];
      of_[value] = last;
      value = next;
    }
    return last;
  }

  void apply(Module& module, const Instruction& instruction) {
    for (Value& operand : module.operands_of(instruction)) operand = resolve(operand);
  }

 private:
  std::pmr::vector<Value> of_;
  bool any_ = false;
};

}  // namespace texlate::ir
