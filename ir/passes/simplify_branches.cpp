#include "ir/passes/simplify_branches.h"

#include "ir/builder.h"
#include "ir/passes/remove_unreachable.h"
#include "ir/passes/rewriter.h"
#include "ir/structure.h"

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
        structure_(module, &scratch_, Structure::Extent::control),
        position_(structure_.constructs().size(), 0, &scratch_) {}

  bool run() {
    code_.reserve(module_.code.size());
    const Instruction* const code = module_.code.data();
    const auto count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count;) {
      const uint32_t first = i;
      for (; i < count && !is_of_if(code[i].op); ++i) replacements_.apply(module_, code[i]);
      code_.append(std::span(code + first, i - first));
      if (i < count) i = visit(i);
    }
    module_.code.swap(code_);
    if (keeps_arm_) remove_unreachable(module_);  // which may jump
    return changed_;
  }

 private:
  static bool is_of_if(Op op) { return op == Op::if_ || op == Op::else_ || op == Op::endif; }

  /// A marker of an `if`. Returns the index of the next instruction to visit.
  uint32_t visit(uint32_t index) {
    const Instruction& instruction = module_.code[index];
    replacements_.apply(module_, instruction);
    const Construct& construct = structure_.of(index);
    const Value condition = module_.operands[module_.code[construct.marker].first_operand];
    if (module_.is_constant(condition))
      return constant_if(index, construct, module_.is_constant(condition, 1));
    if (instruction.op == Op::if_) position_[structure_.construct_of(index)] = code_.size();
    if (instruction.op != Op::endif ||
        !select_results(position_[structure_.construct_of(index)], instruction))
      code_.push_back(instruction);
    return index + 1;
  }

  /// Removes the markers and the dead arm; the results are what the kept arm passes.
  uint32_t constant_if(uint32_t index, const Construct& construct, bool first_arm) {
    changed_ = keeps_arm_ = true;
    const Instruction& end = module_.code[construct.end];
    switch (module_.code[index].op) {
      case Op::if_: return first_arm ? index + 1 : construct.otherwise + 1;
      case Op::else_: replace_results(end, module_.code[index]); return construct.end + 1;
      default: replace_results(end, end); return index + 1;
    }
  }

  /// An `if` without instructions becomes a selection of its results. Returns false if the one at `position`
  /// of the new code does not.
  bool select_results(size_t position, const Instruction& instruction) {
    const bool empty = position + 2 == code_.size() && code_.back().op == Op::else_;
    if (!empty || !selectable(instruction)) return false;
    changed_ = true;
    const Instruction otherwise = code_.back();
    const Value condition = module_.operands[code_[position].first_operand];
    code_.resize(position);
    builder_.set_location(instruction);
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Value result = instruction.first_result + i;
      const Value first = module_.operands[otherwise.first_operand + i];
      const Value second = module_.operands[instruction.first_operand + i];
      const Op op = module_.values[result].type == Type::b64 ? Op::select64 : Op::select;
      replacements_.replace(result, first == second ? first : builder_.emit(op, {condition, first, second}));
    }
    return true;
  }

  /// There is no selection of predicates.
  bool selectable(const Instruction& endif) const {
    for (uint32_t i = 0; i < endif.result_count; ++i) {
      if (module_.values[endif.first_result + i].type == Type::b1) return false;
    }
    return true;
  }

  /// If the kept arm does not reach its end, nothing is passed.
  void replace_results(const Instruction& endif, const Instruction& passes) {
    for (uint32_t i = 0; i < endif.result_count && i < passes.operand_count; ++i) {
      replacements_.replace(endif.first_result + i, module_.operands[passes.first_operand + i]);
    }
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  Replacements replacements_;
  Code code_;
  Builder builder_;
  Structure structure_;
  std::pmr::vector<size_t> position_;  // by construct: of an `if` that stays, in code_
  bool changed_ = false;
  bool keeps_arm_ = false;  // of an `if` on a constant
};

}  // namespace

namespace {

/// Is there an `if` on a constant, or one without instructions? Others only become so when these are gone.
bool has_simple_branch(const Module& module) {
  const Instruction* const end = module.code.end();
  for (const Instruction* at = module.code.begin(); at != end; ++at) {
    if (at->op != Op::if_) continue;  // an else and an endif follow
    if (module.is_constant(module.operands[at->first_operand])) return true;
    if (at[1].op == Op::else_ && at[2].op == Op::endif) return true;
  }
  return false;
}

}  // namespace

bool simplify_branches(Module& module) {
  return has_simple_branch(module) && BranchSimplifier(module).run();
}

}  // namespace texlate::ir
