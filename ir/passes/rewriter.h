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

  Value resolve(Value value) { return stays(value) ? value : follow(value); }

  void apply(Module& module, const Instruction& instruction) {
    if (!any_) return;
    Value* const operands = module.operands.data() + instruction.first_operand;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      if (!stays(operands[i])) operands[i] = follow(operands[i]);
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

  std::pmr::vector<Value> of_;
  bool any_ = false;
};

}  // namespace texlate::ir
