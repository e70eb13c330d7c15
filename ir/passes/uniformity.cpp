// Optimistic: everything is uniform until a reason is found, and each fact found is passed on once.

#include "ir/passes/uniformity.h"

#include <algorithm>

#include "ir/structure.h"

namespace texlate::ir {

namespace {

// Results that differ between lanes whatever the operands are.
constexpr Op kOfEachLane[] = {
    Op::input,       Op::patch_input,   Op::output_control_point, Op::system_value, Op::cycle_counter,
    Op::eval_sample, Op::eval_snapped,  Op::eval_centroid,        Op::reg_load,     Op::local_load,
    Op::shared_load, Op::shared_atomic, Op::surf_atomic,          Op::buf_atomic,   Op::counter,
};

class Analysis {
 public:
  Analysis(const Module& module, Uniformity& result)
      : module_(module),
        result_(result),
        scratch_(module.memory()),
        parent_(module.code.size(), kNone, &scratch_),
        end_of_(module.code.size(), kNone, &scratch_),
        else_of_(module.code.size(), kNone, &scratch_),
        escapes_(module.code.size(), 0, &scratch_),
        first_use_(module.values.size() + 1, 0, &scratch_),
        uses_(&scratch_),
        work_(&scratch_) {
    result_.varies.assign(module.values.size(), 0);
    result_.parts.assign(module.code.size(), 0);
    result_.in_part.assign(module.code.size(), 0);
  }

  void run() {
    find_structure();
    find_uses();
    for (const Instruction& instruction : module_.code) {
      if (differs_by_itself(instruction)) results_vary(instruction);
    }
    while (!work_.empty()) {
      const Value value = work_.back();
      work_.pop_back();
      for (uint32_t i = first_use_[value]; i < first_use_[value + 1]; ++i) operand_varies(uses_[i]);
    }
    find_partial_points();
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  enum Escape : uint8_t { kBreak = 1, kContinue = 2 };  // jumps that leave an if or a switch from inside
  struct Use {
    uint32_t instruction, position;
  };

  bool differs_by_itself(const Instruction& instruction) const {
    if (std::ranges::find(kOfEachLane, instruction.op) != std::end(kOfEachLane)) return true;
    // Another lane may have written between two reads.
    const bool loads = instruction.op == Op::surf_load || instruction.op == Op::buf_load;
    return loads && module_.resources[module_.access_of(instruction).resource].is_uav;
  }

  bool is_loop(uint32_t marker) const { return module_.code[marker].op == Op::loop; }
  /// The innermost loop, or loop or switch, at or around `marker`.
  uint32_t target(uint32_t marker, bool loops_only) const {
    while (marker != kNone && !is_loop(marker) && (loops_only || module_.code[marker].op != Op::switch_))
      marker = parent_[marker];
    return marker;
  }

  /// Parents of markers and of jumps, and which constructs jumps leave.
  void find_structure() {
    std::pmr::vector<uint32_t> open(&scratch_);
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Op op = module_.code[i].op;
      parent_[i] = open.empty() ? kNone : open.back();
      if (opens_construct(op)) open.push_back(i);
      if (op == Op::else_) else_of_[open.back()] = i;
      if (op == Op::break_ || op == Op::continue_) {
        const uint8_t escape = op == Op::break_ ? kBreak : kContinue;
        const uint32_t stop = target(parent_[i], op == Op::continue_);
        // Constructs further out that know of such a jump were told by an earlier one.
        for (uint32_t at = parent_[i]; at != stop && (escapes_[at] & escape) == 0; at = parent_[at])
          escapes_[at] |= escape;
      }
      if (closes_construct(op)) {
        end_of_[open.back()] = i;
        open.pop_back();
      }
    }
  }

  void find_uses() {
    const auto each = [this](auto&& use) {
      for (uint32_t i = 0; i < module_.code.size(); ++i) {
        const auto operands = module_.operands_of(module_.code[i]);
        for (uint32_t p = 0; p < operands.size(); ++p) use(operands[p], Use{i, p});
      }
    };
    each([this](Value value, Use) { ++first_use_[value + 1]; });
    for (size_t i = 1; i < first_use_.size(); ++i) first_use_[i] += first_use_[i - 1];
    uses_.resize(first_use_.back());
    std::pmr::vector<uint32_t> next(first_use_.begin(), first_use_.end() - 1, &scratch_);
    each([&](Value value, Use use) { uses_[next[value]++] = use; });
  }

  void value_varies(Value value) {
    if (result_.varies[value] != 0 || module_.is_constant(value)) return;
    result_.varies[value] = 1;
    work_.push_back(value);
  }
  void results_vary(const Instruction& instruction) {
    for (uint32_t i = 0; i < instruction.result_count; ++i) value_varies(instruction.first_result + i);
  }
  void result_varies(uint32_t marker, uint32_t position) {
    if (position < module_.code[marker].result_count)
      value_varies(module_.code[marker].first_result + position);
  }

  void operand_varies(Use use) {
    const Instruction& user = module_.code[use.instruction];
    switch (user.op) {
      case Op::if_:
      case Op::switch_: return part(use.instruction, Uniformity::kBySelection);
      case Op::else_:
      case Op::endif: return result_varies(end_of_[enclosing(use.instruction)], use.position);
      case Op::loop: return result_varies(use.instruction, use.position);
      case Op::endloop: return result_varies(enclosing(use.instruction), use.position);
      case Op::continue_: return result_varies(target(parent_[use.instruction], true), use.position);
      case Op::break_: return result_varies(end_of_[target(parent_[use.instruction], false)], use.position);
      default: return results_vary(user);  // what computes from its operands
    }
  }
  /// The construct whose marker an else, endif or endloop is.
  uint32_t enclosing(uint32_t marker) const { return parent_[marker]; }

  void part(uint32_t marker, uint8_t why) {
    uint8_t& parts = result_.parts[marker];
    if ((parts & why) == why) return;
    const bool first = parts == 0;
    parts |= why;
    const Instruction& end = module_.code[end_of_[marker]];
    if (module_.code[marker].op == Op::if_) {
      // Where one arm alone comes to its end, all lanes there took that arm.
      if (end.operand_count != 0 && module_.code[else_of_[marker]].operand_count != 0) results_vary(end);
    } else {
      if (is_loop(marker) && (why & Uniformity::kByTurn) != 0) {
        results_vary(module_.code[marker]);
        // Some go round while others may come to a break.
        parts |= Uniformity::kByExit;
      }
      results_vary(end);
    }
    if (!first || is_loop(marker)) return;
    const uint8_t escapes = escapes_[marker];
    if ((escapes & kBreak) != 0) part(target(parent_[marker], false), Uniformity::kByExit);
    if ((escapes & kContinue) != 0) part(target(parent_[marker], true), Uniformity::kByTurn);
  }

  void find_partial_points() {
    std::pmr::vector<uint32_t> open(&scratch_);
    uint32_t parting = 0;
    size_t gone = module_.code.size();  // from here on lanes may have returned
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Op op = module_.code[i].op;
      if (opens_construct(op)) {
        open.push_back(i);
        parting += result_.parts[i] != 0;
      }
      if (op == Op::return_ && parting != 0) {
        // In a loop, what stands before the return is reached in part the next time round.
        const auto outermost = std::ranges::find_if(open, [this](uint32_t at) { return is_loop(at); });
        gone = std::min<size_t>(gone, outermost != open.end() ? *outermost + 1 : i);
      }
      if (closes_construct(op)) {
        parting -= result_.parts[open.back()] != 0;
        open.pop_back();
      }
      const bool opens_the_only = opens_construct(op) && parting == 1 && result_.parts[i] != 0;
      result_.in_part[i] = parting != 0 && !opens_the_only;
    }
    std::fill(result_.in_part.begin() + static_cast<ptrdiff_t>(std::min(gone, result_.in_part.size())),
              result_.in_part.end(), uint8_t{1});
  }

  const Module& module_;
  Uniformity& result_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::pmr::vector<uint32_t> parent_;     // by instruction: the construct around it
  std::pmr::vector<uint32_t> end_of_;     // by marker
  std::pmr::vector<uint32_t> else_of_;    // by marker of an if
  std::pmr::vector<uint8_t> escapes_;     // by marker of an if or switch
  std::pmr::vector<uint32_t> first_use_;  // by value: in uses_; one more at the end
  std::pmr::vector<Use> uses_;
  std::pmr::vector<Value> work_;
};

}  // namespace

Uniformity find_uniformity(const Module& module) {
  Uniformity result(module.memory());
  Analysis(module, result).run();
  return result;
}

}  // namespace texlate::ir
