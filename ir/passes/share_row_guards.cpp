#include "ir/passes/share_row_guards.h"

#include <algorithm>
#include <span>

#include "ir/base/zeroed.h"
#include "ir/builder.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

// Measured (docs/maxwell.md, "Rows of constant buffers").
constexpr uint32_t kLeastRowGroup = 3;  // fewer are not worth a branch and a second copy
constexpr uint32_t kMostRowGroup = 8;   // 32 registers alive at once
constexpr uint32_t kRowWindow = 64;     // instructions from the first load to the last

/// A guarded load of a row with a constant number.
bool may_load_row(const Module& module, const Instruction& instruction) {
  return instruction.op == Op::cb_load && instruction.has(kGuarded) && instruction.operand_count == 2 &&
         module.is_constant(module.operands[instruction.first_operand]);
}

/// Do enough of them follow each other in straight-line code? A quick check: small shaders have no group.
bool may_have_groups(const Module& module) {
  uint32_t loads = 0;
  for (const Instruction& instruction : module.code) {
    if (instruction.op != Op::cb_load) {
      if (info(instruction.op).has(kControl)) loads = 0;
    } else if (may_load_row(module, instruction) && ++loads == kLeastRowGroup) {
      return true;
    }
  }
  return false;
}

class RowGuardSharer {
 public:
  explicit RowGuardSharer(Module& module)
      : module_(module),
        scratch_(module.memory()),
        uses_(zeroed<uint32_t>(scratch_, module.values.size())),
        definition_(zeroed<uint32_t>(scratch_, module.values.size())),
        group_of_(zeroed<uint32_t>(scratch_, module.code.size())),
        gone_(zeroed<uint8_t>(scratch_, module.code.size())),
        replacements_(module, &scratch_),
        loads_(module.memory()),
        groups_(module.memory()),
        yields_(module.memory()),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    find_uses();
    find_groups();
    if (groups_.empty()) return false;
    const auto count = static_cast<uint32_t>(module_.code.size());
    code_.reserve(size_t{count} + 2 * loads_.size() + 4 * groups_.size());
    const size_t operands = module_.operands.size();
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (gone_[i] == 0) continue;
      code_.append(std::span(module_.code).subspan(done, i - done));
      done = i + 1;
      if (group_of_[i] != 0) emit_group(groups_[group_of_[i] - 1]);
    }
    code_.append(std::span(module_.code).subspan(done));
    module_.code.swap(code_);
    // Not those of the groups, which join what is replaced.
    replacements_.apply(std::span(module_.operands.data(), operands));
    return true;
  }

 private:
  struct Group {
    uint32_t first, count;  // in loads_
  };

  void find_uses() {
    uint32_t at = 0;
    for (const Instruction& instruction : module_.code) {
      for (const Value value : module_.operands_of(instruction)) ++uses_[value];
      if (instruction.op == Op::ult || instruction.op == Op::cb_rows)
        definition_[instruction.first_result] = at;
      ++at;
    }
  }

  /// A load of a row with a constant number, whose guard compares it with the number of bound rows and has no
  /// other use.
  bool may_join(const Instruction& instruction) const {
    if (!may_load_row(module_, instruction)) return false;
    const auto operands = module_.operands_of(instruction);
    if (module_.is_constant(operands[1]) || uses_[operands[1]] != 1) return false;
    const Instruction* const guard = definition_of(operands[1], Op::ult);
    if (guard == nullptr || module_.operands_of(*guard)[0] != operands[0]) return false;
    const Value rows = module_.operands_of(*guard)[1];
    return !module_.is_constant(rows) && definition_of(rows, Op::cb_rows) != nullptr;
  }
  const Instruction* definition_of(Value value, Op op) const {
    const Instruction& instruction = module_.code[definition_[value]];
    return instruction.op == op && instruction.first_result == value ? &instruction : nullptr;
  }

  void find_groups() {
    const auto count = static_cast<uint32_t>(module_.code.size());
    Group open{0, 0};
    uint32_t begin = 0;
    const auto close = [&] {
      if (open.count >= kLeastRowGroup) {
        groups_.push_back(open);
        group_of_[loads_[open.first]] = static_cast<uint32_t>(groups_.size());
      } else {
        loads_.resize(open.first);
      }
      open = {static_cast<uint32_t>(loads_.size()), 0};
    };
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = module_.code[i];
      if (open.count != 0 &&
          (info(instruction.op).has(kControl) || open.count == kMostRowGroup || i - begin > kRowWindow))
        close();
      if (!may_join(instruction)) continue;
      if (open.count == 0) begin = i;
      loads_.push_back(i);
      ++open.count;
    }
    close();
    for (const uint32_t load : loads_) {
      gone_[load] = 1;
      gone_[definition_[module_.operands_of(module_.code[load])[1]]] = 1;
    }
  }

  void emit_group(const Group& group) {
    const auto loads = std::span(loads_).subspan(group.first, group.count);
    builder_.set_location(module_.code[loads.front()]);
    builder_.set_flags(0);
    builder_.emit(Op::if_, {common_condition(loads)});
    yields_.clear();
    for (const uint32_t load : loads) {
      const Instruction& guarded = module_.code[load];
      builder_.set_location(guarded);
      builder_.set_flags(guarded.flags & static_cast<uint8_t>(~kGuarded));
      const Value row = module_.operands_of(guarded)[0];
      const Value first = builder_.emit(Op::cb_load, {row}, guarded.payload);
      for_each_used(guarded, [&](uint32_t r) { yields_.push_back(first + r); });
    }
    builder_.set_flags(0);
    builder_.emit(Op::else_, std::span<const Value>(yields_));
    yields_.clear();
    for (const uint32_t load : loads) {
      Instruction& guarded = module_.code[load];
      builder_.set_location(guarded);
      const Value row = module_.operands_of(guarded)[0];
      const Value guard = builder_.emit(Op::ult, {row, builder_.emit(Op::cb_rows, {}, guarded.payload)});
      module_.operands[guarded.first_operand + 1] = guard;
      builder_.append(guarded);
      for_each_used(guarded, [&](uint32_t r) { yields_.push_back(guarded.first_result + r); });
    }
    const auto count = static_cast<uint32_t>(yields_.size());
    const Value joined = builder_.emit_variadic(Op::endif, yields_, count);
    for (uint32_t i = 0; i < count; ++i) replacements_.replace(yields_[i], joined + i);
  }

  template <typename Visit>
  void for_each_used(const Instruction& load, Visit visit) const {
    for (uint32_t r = 0; r < load.result_count; ++r) {
      if (uses_[load.first_result + r] != 0) visit(r);
    }
  }

  /// Does the last of the rows exist, in each of the buffers?
  Value common_condition(std::span<const uint32_t> loads) {
    Value all = kNoValue;
    for (size_t i = 0; i < loads.size(); ++i) {
      const uint32_t buffer = module_.code[loads[i]].payload;
      const auto is_same = [&](uint32_t load) { return module_.code[load].payload == buffer; };
      if (std::ranges::any_of(loads.first(i), is_same)) continue;
      uint32_t last = 0;
      for (const uint32_t load : loads.subspan(i)) {
        if (is_same(load)) last = std::max(last, row_of(load));
      }
      const Value rows = builder_.emit(Op::cb_rows, {}, buffer);
      const Value exists = builder_.emit(Op::ult, {module_.constant(last), rows});
      all = all == kNoValue ? exists : builder_.emit(Op::pand, {all, exists});
    }
    return all;
  }
  uint32_t row_of(uint32_t load) const {
    return module_.constant_bits(module_.operands_of(module_.code[load])[0]);
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::span<uint32_t> uses_, definition_;  // by value of the original code; of ult and cb_rows
  std::span<uint32_t> group_of_;           // by instruction: the group that begins there, plus 1
  std::span<uint8_t> gone_;                // by instruction: not written out at its place
  Replacements replacements_;
  std::pmr::vector<uint32_t> loads_;  // instructions, group by group
  std::pmr::vector<Group> groups_;
  std::pmr::vector<Value> yields_;
  Code code_;
  Builder builder_;
};

}  // namespace

bool share_row_guards(Module& module) {
  return may_have_groups(module) && RowGuardSharer(module).run();
}

}  // namespace texlate::ir
