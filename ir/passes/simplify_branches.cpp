#include "ir/passes/simplify_branches.h"

#include "ir/builder.h"
#include "ir/passes/remove_unreachable.h"
#include "ir/passes/rewriter.h"
#include "ir/reachability.h"

namespace texlate::ir {

namespace {

class BranchSimplifier {
 public:
  explicit BranchSimplifier(Module& module)
      : module_(module),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        code_(module.memory()),
        builder_(module, code_),
        open_(&scratch_) {}

  bool run() {
    code_.reserve(module_.code.size());
    for (const Instruction& instruction : module_.code) {
      if (skipped_depth_ != 0) {
        skip(instruction);
        continue;
      }
      replacements_.apply(module_, instruction);
      visit(instruction);
    }
    module_.code.swap(code_);
    if (changed_) remove_unreachable(module_);  // a kept arm may jump
    return changed_;
  }

 private:
  enum class Kind : uint8_t { kept, first_arm, second_arm, other };
  struct Open {
    Kind kind;
    size_t position = 0;   // of the `if` in code_
    Instruction passes{};  // first_arm: the else, whose operands are the results
  };

  // The dead arm ends at the else or endif of its own `if`.
  void skip(const Instruction& instruction) {
    if (opens_construct(instruction.op)) ++skipped_depth_;
    if (skipped_depth_ == 1 && instruction.op == Op::else_) {
      skipped_depth_ = 0;
      return;
    }
    if (closes_construct(instruction.op) && --skipped_depth_ == 0) {
      finish_constant(instruction, open_.back().passes);
    }
  }

  void visit(const Instruction& instruction) {
    switch (instruction.op) {
      case Op::if_: return enter_if(instruction);
      case Op::else_: return else_marker(instruction);
      case Op::endif: return endif(instruction);
      case Op::loop:
      case Op::switch_: open_.push_back({Kind::other}); break;
      case Op::endloop:
      case Op::endswitch: open_.pop_back(); break;
      default: break;
    }
    code_.push_back(instruction);
  }

  void enter_if(const Instruction& instruction) {
    const Value condition = module_.operands[instruction.first_operand];
    if (!module_.is_constant(condition)) {
      open_.push_back({Kind::kept, code_.size()});
      code_.push_back(instruction);
      return;
    }
    changed_ = true;
    const bool first = module_.is_constant(condition, 1);
    open_.push_back({first ? Kind::first_arm : Kind::second_arm});
    if (!first) skipped_depth_ = 1;  // up to the else
  }

  void else_marker(const Instruction& instruction) {
    Open& open = open_.back();
    if (open.kind == Kind::first_arm) {
      open.passes = instruction;
      skipped_depth_ = 1;  // up to the endif
      return;
    }
    code_.push_back(instruction);
  }

  void endif(const Instruction& instruction) {
    const Open open = open_.back();
    if (open.kind == Kind::second_arm) return finish_constant(instruction, instruction);
    open_.pop_back();
    const bool empty = open.position + 2 == code_.size() && code_.back().op == Op::else_;
    if (!empty || !selectable(instruction)) return code_.push_back(instruction);
    changed_ = true;
    const Instruction otherwise = code_.back();
    const Value condition = module_.operands[code_[open.position].first_operand];
    code_.resize(open.position);
    builder_.set_location(instruction);
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Value result = instruction.first_result + i;
      const Value first = module_.operands[otherwise.first_operand + i];
      const Value second = module_.operands[instruction.first_operand + i];
      const Op op = module_.values[result].type == Type::b64 ? Op::select64 : Op::select;
      replacements_.replace(result, first == second ? first : builder_.emit(op, {condition, first, second}));
    }
  }

  /// There is no selection of predicates.
  bool selectable(const Instruction& endif) const {
    for (uint32_t i = 0; i < endif.result_count; ++i) {
      if (module_.values[endif.first_result + i].type == Type::b1) return false;
    }
    return true;
  }

  /// The results are what the kept arm passes; nothing where it does not reach its end.
  void finish_constant(const Instruction& endif, const Instruction& passes) {
    open_.pop_back();
    for (uint32_t i = 0; i < endif.result_count && i < passes.operand_count; ++i) {
      replacements_.replace(endif.first_result + i,
                            replacements_.resolve(module_.operands[passes.first_operand + i]));
    }
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  std::pmr::vector<Instruction> code_;
  Builder builder_;
  std::pmr::vector<Open> open_;
  uint32_t skipped_depth_ = 0;
  bool changed_ = false;
};

}  // namespace

namespace {

/// Is there an `if` of a constant, or one with nothing inside? Others become so only when these are gone.
bool has_simple_branch(const Module& module) {
  for (size_t i = 0; i + 2 < module.code.size(); ++i) {
    const Instruction& instruction = module.code[i];
    if (instruction.op != Op::if_) continue;
    if (module.is_constant(module.operands[instruction.first_operand])) return true;
    if (module.code[i + 1].op == Op::else_ && module.code[i + 2].op == Op::endif) return true;
  }
  return false;
}

}  // namespace

bool simplify_branches(Module& module) {
  return has_simple_branch(module) && BranchSimplifier(module).run();
}

}  // namespace texlate::ir
