#include "ir/passes/eliminate_dead_code.h"

#include "ir/passes/rewriter.h"
#include "ir/reachability.h"

namespace texlate::ir {

namespace {

class DeadCodeElimination {
 public:
  explicit DeadCodeElimination(Module& module)
      : module_(module),
        scratch_(module.memory()),
        defined_at_(module.values.size(), kNone, &scratch_),
        parent_(module.code.size(), kNone, &scratch_),
        live_instruction_(module.code.size(), 0, &scratch_),
        live_value_(module.values.size(), 0, &scratch_),
        construct_of_(module.code.size(), kNone, &scratch_),
        constructs_(&scratch_),
        passes_(&scratch_),
        instructions_(&scratch_),
        values_(&scratch_) {}

  bool run() {
    find_constructs();
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      if (is_root(i)) mark_instruction(i);
    }
    drain();
    return rewrite();
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  struct Construct {
    uint32_t open;  // index of the opening marker
    uint32_t end = kNone;
    uint32_t exits = kNone;  // chains in passes_: who passes the results of the end marker
    uint32_t repeats =
        kNone;  // loop: who passes the next iteration's values; the loop itself passes the first ones
  };
  struct Pass {
    uint32_t index;
    uint32_t next;
  };

  // construct_of_: for markers the construct they belong to, for jumps the one they go to. parent_: the
  // construct around.
  void find_constructs() {
    std::pmr::vector<uint32_t> open(&scratch_);
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Instruction& instruction = module_.code[i];
      const Op op = instruction.op;
      for (uint32_t r = 0; r < instruction.result_count; ++r) defined_at_[instruction.first_result + r] = i;
      if (opens_construct(op)) {
        parent_[i] = open.empty() ? kNone : open.back();
        construct_of_[i] = static_cast<uint32_t>(constructs_.size());
        open.push_back(construct_of_[i]);
        constructs_.push_back({i});
        continue;
      }
      const bool is_marker = bounds_region(op) && op != Op::phase;
      if (is_marker) {
        construct_of_[i] = open.back();
        if (closes_construct(op)) {
          constructs_[open.back()].end = i;
          open.pop_back();
        }
      }
      parent_[i] = open.empty() ? kNone : open.back();
      if (op == Op::else_ || op == Op::endif) chain(constructs_[construct_of_[i]].exits, i);
      if (op == Op::endloop) chain(constructs_[construct_of_[i]].repeats, i);
      if (op == Op::break_ || op == Op::continue_) {
        construct_of_[i] = target(open, op == Op::break_);
        Construct& construct = constructs_[construct_of_[i]];
        chain(op == Op::break_ ? construct.exits : construct.repeats, i);
      }
    }
  }

  uint32_t target(const std::pmr::vector<uint32_t>& open, bool switches) const {
    size_t i = open.size() - 1;
    while (op_of(open[i]) == Op::if_ || (!switches && op_of(open[i]) == Op::switch_)) --i;
    return open[i];
  }
  Op op_of(uint32_t construct) const { return module_.code[constructs_[construct].open].op; }

  void chain(uint32_t& head, uint32_t index) {
    passes_.push_back({index, head});
    head = static_cast<uint32_t>(passes_.size()) - 1;
  }

  bool is_root(uint32_t index) const {
    const Op op = module_.code[index].op;
    if (op == Op::return_ || op == Op::phase || info(op).has(kWritesMemory)) return true;
    // A loop without a break: what comes after it is not reached, so it cannot go.
    return op == Op::loop && constructs_[construct_of_[index]].exits == kNone;
  }

  // ---- marking ----

  void mark_instruction(uint32_t index) {
    if (live_instruction_[index]) return;
    live_instruction_[index] = 1;
    instructions_.push_back(index);
  }
  void mark_value(Value value) {
    if (module_.values[value].is_constant || live_value_[value]) return;
    live_value_[value] = 1;
    values_.push_back(value);
  }

  void drain() {
    while (!instructions_.empty() || !values_.empty()) {
      if (!instructions_.empty()) {
        const uint32_t index = instructions_.back();
        instructions_.pop_back();
        need(index);
      } else {
        const Value value = values_.back();
        values_.pop_back();
        need_value(value);
      }
    }
  }

  /// Whatever runs needs the constructs around it; a construct needs its markers and the jumps that belong to
  /// it.
  void need(uint32_t index) {
    const Instruction& instruction = module_.code[index];
    if (parent_[index] != kNone) mark_instruction(constructs_[parent_[index]].open);
    const OpInfo& operation = info(instruction.op);
    if (!operation.has(kControl) || instruction.op == Op::if_ || instruction.op == Op::switch_) {
      for (const Value operand : module_.operands_of(instruction)) mark_value(operand);
    }
    if (!opens_construct(instruction.op)) return;
    const Construct& construct = constructs_[construct_of_[index]];
    mark_instruction(construct.end);
    for (uint32_t i = construct.exits; i != kNone; i = passes_[i].next) mark_instruction(passes_[i].index);
    for (uint32_t i = construct.repeats; i != kNone; i = passes_[i].next) mark_instruction(passes_[i].index);
  }

  void need_value(Value value) {
    const uint32_t index = defined_at_[value];
    const Instruction& instruction = module_.code[index];
    mark_instruction(index);
    const uint32_t position = value - instruction.first_result;
    if (instruction.op == Op::loop) {
      mark_value(module_.operands[instruction.first_operand + position]);
      need_passed(constructs_[construct_of_[index]].repeats, position);
    } else if (closes_construct(instruction.op)) {
      mark_instruction(constructs_[construct_of_[index]].open);
      need_passed(constructs_[construct_of_[index]].exits, position);
    }
  }
  void need_passed(uint32_t chain_head, uint32_t position) {
    for (uint32_t i = chain_head; i != kNone; i = passes_[i].next) {
      const Instruction& instruction = module_.code[passes_[i].index];
      if (position < instruction.operand_count)
        mark_value(module_.operands[instruction.first_operand + position]);
    }
  }

  // ---- rewriting ----

  bool rewrite() {
    Replacements replacements(module_, &scratch_);
    bool changed = false;
    size_t kept = 0;
    const size_t count = module_.code.size();
    // Which results a marker keeps is asked after it was renumbered: look at the old list.
    const std::pmr::vector<Instruction> old(module_.code.begin(), module_.code.end(), &scratch_);
    for (uint32_t i = 0; i < count; ++i) {
      Instruction instruction = old[i];
      if (!stays(i, old)) {
        changed = true;
        continue;
      }
      replacements.apply(module_, instruction);
      if (const Instruction* receiver = receiver_of(i, old)) changed |= keep_operands(instruction, *receiver);
      if (info(instruction.op).results == "*") changed |= keep_results(instruction, replacements);
      module_.code[kept++] = instruction;
    }
    module_.code.resize(kept);
    return changed;
  }

  bool stays(uint32_t index, const std::pmr::vector<Instruction>& old) const {
    const Op op = old[index].op;
    if (bounds_region(op) && op != Op::phase)
      return live_instruction_[constructs_[construct_of_[index]].open];
    return live_instruction_[index];
  }

  /// The marker whose results are what this instruction passes.
  const Instruction* receiver_of(uint32_t index, const std::pmr::vector<Instruction>& old) const {
    switch (old[index].op) {
      case Op::loop: return &old[index];
      case Op::else_:
      case Op::endif:
      case Op::break_: return &old[constructs_[construct_of_[index]].end];
      case Op::endloop:
      case Op::continue_: return &old[constructs_[construct_of_[index]].open];
      default: return nullptr;
    }
  }

  bool keep_operands(Instruction& instruction, const Instruction& receiver) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      if (!live_value_[receiver.first_result + i]) continue;
      module_.operands[instruction.first_operand + kept++] = module_.operands[instruction.first_operand + i];
    }
    const bool changed = kept != instruction.operand_count;
    instruction.operand_count = kept;
    return changed;
  }

  // Results are consecutive values, so the ones that stay get new numbers.
  bool keep_results(Instruction& instruction, Replacements& replacements) {
    uint32_t live = 0;
    for (uint32_t i = 0; i < instruction.result_count; ++i) live += live_value_[instruction.first_result + i];
    if (live == instruction.result_count) return false;
    const Value first = static_cast<Value>(module_.values.size());
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Value result = instruction.first_result + i;
      if (live_value_[result]) replacements.replace(result, module_.new_values(module_.values[result].type));
    }
    instruction.result_count = static_cast<uint16_t>(live);
    instruction.first_result = live != 0 ? first : kNoValue;
    return true;
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::pmr::vector<uint32_t> defined_at_;
  std::pmr::vector<uint32_t> parent_;
  std::pmr::vector<uint8_t> live_instruction_;
  std::pmr::vector<uint8_t> live_value_;
  std::pmr::vector<uint32_t> construct_of_;
  std::pmr::vector<Construct> constructs_;
  std::pmr::vector<Pass> passes_;
  std::pmr::vector<uint32_t> instructions_;
  std::pmr::vector<Value> values_;
};

}  // namespace

namespace {

/// Without constructs one walk backwards sees every use before its definition.
bool sweep_straight_line(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  std::pmr::vector<uint8_t> live(module.values.size(), 0, &scratch);
  const size_t count = module.code.size();
  size_t kept = count;
  for (size_t i = count; i-- != 0;) {
    const Instruction& instruction = module.code[i];
    const OpInfo& operation = info(instruction.op);
    bool stays = instruction.op == Op::return_ || operation.has(kWritesMemory);
    for (uint32_t r = 0; r < instruction.result_count && !stays; ++r)
      stays = live[instruction.first_result + r] != 0;
    if (!stays) continue;
    for (const Value operand : module.operands_of(instruction)) live[operand] = 1;
    module.code[--kept] = instruction;
  }
  module.code.erase(module.code.begin(), module.code.begin() + static_cast<ptrdiff_t>(kept));
  return kept != 0;
}

}  // namespace

bool eliminate_dead_code(Module& module) {
  if (is_straight_line(module)) return sweep_straight_line(module);
  return DeadCodeElimination(module).run();
}

}  // namespace texlate::ir
