// The first walk finds which values are passed where, and decides at the end of each construct. Everything
// inside is decided by then, so that a value carried unchanged through nested loops is found from the inside
// out. A second walk replaces the uses.

#include "ir/passes/propagate_copies.h"

#include <algorithm>

#include "ir/base/zeroed.h"
#include "ir/passes/rewriter.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

class CopyPropagation {
 public:
  explicit CopyPropagation(Module& module)
      : module_(module),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        structure_(module, &scratch_, Structure::Extent::control) {}

  bool run() {
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count; ++i) {
      if (closes_construct(module_.code[i].op)) visit(i);
    }
    if (!replacements_.any()) return false;
    const std::span<const Instruction> code = module_.code;
    for (const Instruction& instruction : code.subspan(first_)) replacements_.apply(module_, instruction);
    return true;
  }

 private:
  void visit(uint32_t end) {
    const Instruction& instruction = module_.code[end];
    const Construct& construct = structure_.of(end);
    if (instruction.op == Op::endloop) decide_carried(construct);
    close(construct, instruction);
  }

  /// Rarely called: computed for all values at the first call.
  bool is_defined_before(Value value, uint32_t instruction) {
    if (module_.is_constant(value)) return true;
    if (defined_at_.empty()) {
      defined_at_ = zeroed<uint32_t>(scratch_, module_.values.size());
      uint32_t at = 0;
      for (const Instruction& one : module_.code) {
        for (uint32_t r = 0; r < one.result_count; ++r) defined_at_[one.first_result + r] = at;
        ++at;
      }
    }
    return defined_at_[value] < instruction;
  }

  /// The only value that all instructions of a list pass at `position`, not counting `itself`; kNoValue if
  /// they differ. An end that is not reached passes nothing and does not count.
  Value common(uint32_t passes, uint32_t position, Value first, Value itself) {
    Value found = first;
    for (; passes != Construct::kNoIndex; passes = structure_.next(passes)) {
      const Instruction& instruction = module_.code[passes];
      if (instruction.operand_count == 0) continue;
      const Value value = replacements_.resolve(module_.operands[instruction.first_operand + position]);
      if (value == itself || value == found) continue;
      if (found != kNoValue) return kNoValue;
      found = value;
    }
    return found;
  }

  void decide_carried(const Construct& construct) {
    const Instruction& loop = module_.code[construct.marker];
    for (uint32_t i = 0; i < loop.result_count; ++i) {
      const Value itself = loop.first_result + i;
      const Value initial = replacements_.resolve(module_.operands[loop.first_operand + i]);
      const Value value = common(construct.first_repeat, i, initial, itself);
      if (value != kNoValue) replace(itself, value, construct.marker);
    }
  }

  void close(const Construct& construct, const Instruction& end) {
    for (uint32_t i = 0; i < end.result_count; ++i) {
      const Value value = common(construct.first_exit, i, kNoValue, kNoValue);
      // Only values from before the construct can be used after it.
      if (value != kNoValue && is_defined_before(value, construct.marker))
        replace(end.first_result + i, value, construct.end);
    }
  }

  void replace(Value result, Value by, uint32_t marker) {
    replacements_.replace(result, by);
    first_ = std::min(first_, marker);
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  const Structure structure_;
  std::span<uint32_t> defined_at_;        // by value; empty until the first query
  uint32_t first_ = Construct::kNoIndex;  // marker with a replaced result
};

}  // namespace

bool propagate_copies(Module& module) {
  return !is_straight_line(module) && CopyPropagation(module).run();
}

}  // namespace texlate::ir
