// Optimistic: everything is uniform until a reason to the contrary is found. One walk finds what affects
// later code. What a loop passes back to its head is then propagated, once, along the uses of values.

#include "ir/passes/uniformity.h"

#include <algorithm>
#include <array>

namespace texlate::ir {

namespace {

// Results that differ between lanes for any operands. The derivative of a uniform INF or NaN is NaN, and 0 in
// lanes whose neighbor is not on the path (docs/ptx.md, "Derivatives and control flow").
constexpr Op kOfEachLane[] = {
    Op::input,       Op::patch_input,   Op::output_control_point, Op::system_value, Op::cycle_counter,
    Op::eval_sample, Op::eval_snapped,  Op::eval_centroid,        Op::reg_load,     Op::local_load,
    Op::shared_load, Op::shared_atomic, Op::surf_atomic,          Op::buf_atomic,   Op::counter,
    Op::ddx_coarse,  Op::ddx_fine,      Op::ddy_coarse,           Op::ddy_fine,
};
constexpr std::array<bool, kOpCount> kDiffers = [] {
  std::array<bool, kOpCount> differs{};
  for (const Op op : kOfEachLane) differs[static_cast<size_t>(op)] = true;
  return differs;
}();

class Analysis {
 public:
  Analysis(const Module& module, const Structure& structure, Uniformity& result)
      : module_(module),
        result_(result),
        structure_(structure),
        count_(static_cast<uint32_t>(module.code.size())),
        scratch_(module.memory()),
        escapes_(structure_.constructs().size(), 0, &scratch_),
        first_use_(&scratch_),
        uses_(&scratch_),
        work_(&scratch_) {
    result_.varies.resize(module.values.size());
    result_.parts.resize(module.code.size());
  }

  void run() {
    find_escapes();
    walk();
    if (!work_.empty()) pass_on();
  }

  void find_partial_points() {
    result_.in_part.assign(count_, 0);
    uint32_t parting = 0;
    uint32_t gone = count_;  // from here on lanes may have returned
    for (uint32_t i = 0; i < count_; ++i) {
      const Op op = module_.code[i].op;
      if (opens_construct(op)) parting += result_.parts[i] != 0;
      // In a loop, only some lanes reach code before the return in the next iteration.
      if (op == Op::return_ && parting != 0) gone = std::min(gone, outermost_loop(i, i));
      if (closes_construct(op)) parting -= result_.parts[structure_.of(i).marker] != 0;
      const bool opens_the_only = opens_construct(op) && parting == 1 && result_.parts[i] != 0;
      result_.in_part[i] = parting != 0 && !opens_the_only;
    }
    std::fill(result_.in_part.begin() + static_cast<ptrdiff_t>(gone), result_.in_part.end(), uint8_t{1});
  }

 private:
  enum Escape : uint8_t { kBreak = 1, kContinue = 2 };  // jumps that leave an if or a switch from inside
  struct Use {
    uint32_t instruction, position;
  };

  bool differs_by_itself(const Instruction& instruction) const {
    if (kDiffers[static_cast<size_t>(instruction.op)]) return true;
    // Another lane may have written between two reads.
    const bool loads = instruction.op == Op::surf_load || instruction.op == Op::buf_load;
    return loads && module_.resources[module_.access_of(instruction).resource].is_uav;
  }

  void walk() {
    uint8_t* const varies = result_.varies.data();
    for (uint32_t i = 0; i < count_; ++i) {
      const Instruction& instruction = module_.code[i];
      const auto operands = module_.operands_of(instruction);
      if (info(instruction.op).has(kControl)) {
        walked_ = i;
        for (uint32_t p = 0; p < operands.size(); ++p) {
          if (varies[operands[p]] != 0) operand_varies({i, p});
        }
      } else if (differs_by_itself(instruction) ||
                 std::ranges::any_of(operands, [varies](Value value) { return varies[value] != 0; })) {
        // The walk will reach the uses.
        uint8_t* const results = varies + instruction.first_result;
        if (instruction.result_count == 1) {
          *results = 1;
        } else {
          std::fill_n(results, instruction.result_count, uint8_t{1});
        }
      }
    }
    walked_ = count_;
  }

  void pass_on() {
    find_uses();
    while (!work_.empty()) {
      const Value value = work_.back();
      work_.pop_back();
      for (uint32_t i = first_use_[value]; i < first_use_[value + 1]; ++i) operand_varies(uses_[i]);
    }
  }

  bool is_loop(uint32_t construct) const { return structure_[construct].op == Op::loop; }
  /// The innermost loop, or the innermost loop or switch, around a construct.
  uint32_t target(uint32_t construct, bool loops_only) const {
    do {
      construct = structure_[construct].parent;
    } while (!is_loop(construct) && (loops_only || structure_[construct].op != Op::switch_));
    return construct;
  }

  /// Which constructs jumps leave.
  void find_escapes() {
    if (std::ranges::all_of(structure_.constructs(), [](const Construct& c) { return c.op == Op::if_; }))
      return;
    for (uint32_t i = 0; i < count_; ++i) {
      const Op op = module_.code[i].op;
      if (op != Op::break_ && op != Op::continue_) continue;
      const uint8_t escape = op == Op::break_ ? kBreak : kContinue;
      // An earlier jump that set the bit here has set it further out, too.
      for (uint32_t at = structure_.around(i);
           at != structure_.construct_of(i) && (escapes_[at] & escape) == 0; at = structure_[at].parent)
        escapes_[at] |= escape;
    }
  }

  void find_uses() {
    const auto each = [this](auto&& use) {
      for (uint32_t i = 0; i < count_; ++i) {
        const auto operands = module_.operands_of(module_.code[i]);
        for (uint32_t p = 0; p < operands.size(); ++p) use(operands[p], Use{i, p});
      }
    };
    first_use_.assign(module_.values.size() + 1, 0);
    each([this](Value value, Use) { ++first_use_[value + 1]; });
    for (size_t i = 1; i < first_use_.size(); ++i) first_use_[i] += first_use_[i - 1];
    uses_.resize(first_use_.back());
    std::pmr::vector<uint32_t> next(first_use_.begin(), first_use_.end() - 1, &scratch_);
    each([&](Value value, Use use) { uses_[next[value]++] = use; });
  }

  void result_varies(uint32_t index, uint32_t position) {
    const Instruction& instruction = module_.code[index];
    if (position >= instruction.result_count) return;
    const Value value = instruction.first_result + position;
    if (result_.varies[value] != 0) return;
    result_.varies[value] = 1;
    if (index < walked_) work_.push_back(value);  // otherwise the walk will reach its uses
  }
  void results_vary(uint32_t index) {
    for (uint32_t i = 0; i < module_.code[index].result_count; ++i) result_varies(index, i);
  }

  void operand_varies(Use use) {
    const Instruction& user = module_.code[use.instruction];
    switch (user.op) {
      case Op::if_:
      case Op::switch_: return part(structure_.construct_of(use.instruction), Uniformity::kBySelection);
      case Op::else_:
      case Op::endif:
      case Op::break_: return result_varies(structure_.of(use.instruction).end, use.position);
      case Op::loop:
      case Op::endloop:
      case Op::continue_: return result_varies(structure_.of(use.instruction).marker, use.position);
      default: return results_vary(use.instruction);  // the result is computed from its operands
    }
  }

  void part(uint32_t index, uint8_t why) {
    const Construct& construct = structure_[index];
    uint8_t& parts = result_.parts[construct.marker];
    if ((parts & why) == why) return;
    const bool first = parts == 0;
    parts |= why;
    const Instruction& end = module_.code[construct.end];
    if (construct.op == Op::if_) {
      // If only one arm reaches its end, all lanes there took that arm.
      if (end.operand_count != 0 && module_.code[construct.otherwise].operand_count != 0)
        results_vary(construct.end);
    } else {
      if (is_loop(index) && (why & Uniformity::kByTurn) != 0) {
        results_vary(construct.marker);
        // Some lanes continue the loop while others may reach a break.
        parts |= Uniformity::kByExit;
      }
      results_vary(construct.end);
    }
    if (!first || is_loop(index)) return;
    if ((escapes_[index] & kBreak) != 0) part(target(index, false), Uniformity::kByExit);
    if ((escapes_[index] & kContinue) != 0) part(target(index, true), Uniformity::kByTurn);
  }

  /// The start of the body of the outermost loop around an instruction; `otherwise` if there is none.
  uint32_t outermost_loop(uint32_t instruction, uint32_t otherwise) const {
    uint32_t found = otherwise;
    for (uint32_t at = structure_.around(instruction); at != Structure::kNoIndex;
         at = structure_[at].parent) {
      if (is_loop(at)) found = structure_[at].marker + 1;
    }
    return found;
  }

  const Module& module_;
  Uniformity& result_;
  const Structure& structure_;
  const uint32_t count_;  // of instructions
  std::pmr::monotonic_buffer_resource scratch_;
  std::pmr::vector<uint8_t> escapes_;     // by construct: an if or switch
  std::pmr::vector<uint32_t> first_use_;  // by value: in uses_; one more at the end; for pass_on()
  std::pmr::vector<Use> uses_;
  std::pmr::vector<Value> work_;  // varying values whose uses have not been visited yet
  uint32_t walked_ = 0;           // instructions that walk() has passed
};

}  // namespace

Uniformity find_uniformity(const Module& module, const Structure& structure, bool has_points) {
  Uniformity result(module.memory());
  Analysis analysis(module, structure, result);
  analysis.run();
  if (has_points) analysis.find_partial_points();
  return result;
}

}  // namespace texlate::ir
