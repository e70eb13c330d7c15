#include "ir/passes/split_switches.h"

#include <algorithm>

#include "ir/builder.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

constexpr bool is_label(Op op) {
  return op == Op::case_ || op == Op::default_;
}

class SwitchSplitter {
 public:
  SwitchSplitter(Module& module, uint32_t most_labels)
      : module_(module),
        most_(most_labels),
        scratch_(module.memory()),
        end_of_(module.code.size(), Structure::kNoIndex, &scratch_),
        labels_(&scratch_),
        open_(&scratch_),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    if (std::ranges::none_of(module_.code, [](const Instruction& i) { return i.op == Op::switch_; }))
      return false;
    find_ends(Structure(module_, &scratch_), end_of_);
    code_.reserve(module_.code.size());
    bool changed = false;
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Instruction& instruction = module_.code[i];
      builder_.set_location(instruction);
      if (opens_construct(instruction.op)) {
        open_.push_back({instruction.op});
        if (instruction.op == Op::switch_ && has_too_many(i)) {
          changed = true;
          open_split(i);
          continue;
        }
      } else if (closes_construct(instruction.op)) {
        if (open_.back().is_split) close_groups(instruction);
        open_.pop_back();
      } else if (instruction.op == Op::break_) {
        note_break();
      } else if (is_label(instruction.op) && open_.back().is_split) {
        if (!is_label(module_.code[i - 1].op)) start_arm();
        continue;
      }
      code_.push_back(instruction);
    }
    if (changed) module_.code.swap(code_);
    return changed;
  }

 private:
  struct Label {
    uint32_t value, arm;
  };
  struct Open {
    Op op;
    bool is_split = false;
    Value arm = kNoValue;  // its number
    uint32_t arms = 0, next_arm = 0;
    uint32_t depth = 1;         // groups of arms that are open, each inside the previous one
    uint32_t deepest_left = 0;  // the deepest group that a break leaves; 0: none
  };

  /// Reads labels_, those of the switch at `i` except default; its arms, and which is the default.
  void read_labels(uint32_t i, uint32_t& arms, uint32_t& default_arm) {
    labels_.clear();
    arms = 0;
    for (uint32_t at = i + 1; at < end_of_[i]; ++at) {
      const Instruction& marker = module_.code[at];
      if (is_label(marker.op)) {
        if (!is_label(module_.code[at - 1].op)) ++arms;
        if (marker.op == Op::default_) {
          default_arm = arms - 1;
        } else {
          labels_.push_back({marker.payload, arms - 1});
        }
      }
      at = skip(at);
    }
  }
  /// The end of the construct that starts at `at`, or `at`.
  uint32_t skip(uint32_t at) const {
    const Op op = module_.code[at].op;
    if (!opens_construct(op)) return at;
    return op == Op::if_ ? end_of_[end_of_[at]] : end_of_[at];
  }

  bool has_too_many(uint32_t i) {
    if (end_of_[i] - i <= most_) return false;
    uint32_t arms = 0, default_arm = 0;
    read_labels(i, arms, default_arm);
    return labels_.size() > most_;
  }

  /// labels_ are those of the switch at `i`.
  void open_split(uint32_t i) {
    Open& open = open_.back();
    uint32_t default_arm = 0;
    read_labels(i, open.arms, default_arm);
    open.is_split = true;
    open.arm = find_arm(module_.operands[module_.code[i].first_operand], default_arm);
    builder_.emit(Op::switch_, {open.arm});
  }

  /// A switch for each part of the labels.
  Value find_arm(Value selector, uint32_t default_arm) {
    Value arm = module_.constant(default_arm);
    const size_t parts = (labels_.size() + most_ - 1) / most_;
    for (size_t part = 0; part < parts; ++part) {
      builder_.emit(Op::switch_, {selector});
      const size_t end = std::min<size_t>(labels_.size(), (part + 1) * most_);
      for (size_t l = part * most_; l < end; ++l) {
        builder_.emit(Op::case_, {}, labels_[l].value);
        if (l + 1 != end && labels_[l + 1].arm == labels_[l].arm) continue;
        builder_.emit(Op::break_, {module_.constant(labels_[l].arm)});
      }
      builder_.emit(Op::default_);
      builder_.emit(Op::break_, {arm});
      arm = builder_.emit_variadic(Op::endswitch, {}, 1);
    }
    return arm;
  }

  // The number of the arm is one of these, so the last one needs no label: it is the default.
  void start_arm() {
    Open& open = open_.back();
    const uint32_t arm = open.next_arm++;
    if (arm != 0 && arm % most_ == 0) {
      builder_.emit(Op::default_);
      builder_.emit(Op::switch_, {open.arm});
      ++open.depth;
    }
    if (arm + 1 == open.arms) {
      builder_.emit(Op::default_);
    } else {
      builder_.emit(Op::case_, {}, arm);
    }
  }

  void note_break() {
    for (size_t i = open_.size(); i-- != 0;) {
      if (open_[i].op == Op::if_) continue;
      open_[i].deepest_left = open_[i].depth;
      return;
    }
  }

  /// Closes all groups except the first: leaving an inner one leaves the one around it. A group that no break
  /// leaves does not reach its end.
  void close_groups(const Instruction& end) {
    for (uint32_t depth = open_.back().depth; depth != 1; --depth) {
      if (open_.back().deepest_left < depth) {
        builder_.emit_variadic(Op::endswitch, {}, 0);
        continue;
      }
      Instruction inner = end;
      results_.clear();
      for (uint32_t r = 0; r < end.result_count; ++r)
        results_.push_back(module_.new_values(module_.values[end.first_result + r].type));
      inner.first_result = results_.empty() ? kNoValue : results_[0];
      code_.push_back(inner);
      builder_.emit(Op::break_, results_);
    }
  }

  Module& module_;
  const uint32_t most_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::pmr::vector<uint32_t> end_of_;
  std::pmr::vector<Label> labels_;
  std::pmr::vector<Open> open_;
  Code code_;
  std::pmr::vector<Value> results_{&scratch_};
  Builder builder_;
};

}  // namespace

bool split_switches(Module& module, uint32_t most_labels) {
  // Each label is an instruction, so smaller modules cannot have too many.
  return module.code.size() > most_labels && SwitchSplitter(module, most_labels).run();
}

}  // namespace texlate::ir
