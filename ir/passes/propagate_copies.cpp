// One walk finds what is passed where, deciding at the end of each construct: everything inside of it is
// decided by then, so that a value carried through nested loops unchanged is seen as such from the inside
// out. A second walk replaces the uses.

#include "ir/passes/propagate_copies.h"

#include "ir/passes/rewriter.h"
#include "ir/reachability.h"

namespace texlate::ir {

namespace {

class CopyPropagation {
 public:
  explicit CopyPropagation(Module& module)
      : module_(module),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        defined_at_(module.values.size(), 0, &scratch_),
        open_(&scratch_),
        passes_(&scratch_) {}

  bool run() {
    for (size_t i = 0; i < module_.code.size(); ++i) visit(i);
    if (!replacements_.any()) return false;
    for (const Instruction& instruction : module_.code) {
      replacements_.apply(module_, instruction);
    }
    return true;
  }

 private:
  struct Open {
    Op op;
    uint32_t index;            // of the opening marker
    uint32_t exits = kNone;    // instructions that pass the results, a chain in passes_
    uint32_t repeats = kNone;  // loop: instructions that pass the next iteration's values
  };
  struct Pass {
    uint32_t index;
    uint32_t next;
  };
  static constexpr uint32_t kNone = 0xffffffffu;

  void visit(size_t at) {
    const uint32_t index = static_cast<uint32_t>(at);
    const Instruction& instruction = module_.code[at];
    for (uint32_t i = 0; i < instruction.result_count; ++i) defined_at_[instruction.first_result + i] = index;
    switch (instruction.op) {
      case Op::if_:
      case Op::loop:
      case Op::switch_: open_.push_back({instruction.op, index}); break;
      case Op::else_: add(open_.back().exits, index); break;
      case Op::break_: add(innermost(true).exits, index); break;
      case Op::continue_: add(innermost(false).repeats, index); break;
      case Op::endif:
        add(open_.back().exits, index);
        close(instruction);
        break;
      case Op::endloop:
        add(open_.back().repeats, index);
        decide_carried(open_.back());
        close(instruction);
        break;
      case Op::endswitch: close(instruction); break;
      default: break;
    }
  }

  Open& innermost(bool switches) {
    size_t i = open_.size() - 1;
    while (open_[i].op == Op::if_ || (!switches && open_[i].op == Op::switch_)) --i;
    return open_[i];
  }

  /// An end that is not reached passes nothing and has no say.
  void add(uint32_t& chain, uint32_t index) {
    if (module_.code[index].operand_count == 0) return;
    passes_.push_back({index, chain});
    chain = static_cast<uint32_t>(passes_.size()) - 1;
  }

  /// The one value that all instructions of a chain pass at `position`, not counting `itself`; kNoValue if
  /// they differ.
  Value common(uint32_t chain, uint32_t position, Value first, Value itself) {
    Value found = first;
    for (; chain != kNone; chain = passes_[chain].next) {
      const Instruction& instruction = module_.code[passes_[chain].index];
      const Value value = replacements_.resolve(module_.operands[instruction.first_operand + position]);
      if (value == itself || value == found) continue;
      if (found != kNoValue) return kNoValue;
      found = value;
    }
    return found;
  }

  void decide_carried(const Open& open) {
    const Instruction& loop = module_.code[open.index];
    for (uint32_t i = 0; i < loop.result_count; ++i) {
      const Value itself = loop.first_result + i;
      const Value initial = replacements_.resolve(module_.operands[loop.first_operand + i]);
      const Value value = common(open.repeats, i, initial, itself);
      if (value != kNoValue) replacements_.replace(itself, value);
    }
  }

  void close(const Instruction& end) {
    const Open open = open_.back();
    open_.pop_back();
    for (uint32_t i = 0; i < end.result_count; ++i) {
      const Value value = common(open.exits, i, kNoValue, kNoValue);
      // Only what was there before the construct can be named after it.
      const bool outlives =
          value != kNoValue && (module_.is_constant(value) || defined_at_[value] < open.index);
      if (outlives) replacements_.replace(end.first_result + i, value);
    }
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  std::pmr::vector<uint32_t> defined_at_;
  std::pmr::vector<Open> open_;
  std::pmr::vector<Pass> passes_;
};

}  // namespace

bool propagate_copies(Module& module) {
  return !is_straight_line(module) && CopyPropagation(module).run();
}

}  // namespace texlate::ir
