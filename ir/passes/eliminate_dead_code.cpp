#include "ir/passes/eliminate_dead_code.h"

#include "ir/base/zeroed.h"
#include "ir/passes/rewriter.h"
#include "ir/reachability.h"

namespace texlate::ir {

namespace {

class DeadCodeElimination {
 public:
  explicit DeadCodeElimination(Module& module)
      : module_(module),
        scratch_(module.memory()),
        defined_at_(zeroed<uint32_t>(scratch_, module.values.size())),
        parent_(zeroed<uint32_t>(scratch_, module.code.size())),
        construct_of_(zeroed<uint32_t>(scratch_, module.code.size())),
        live_instruction_(zeroed<uint8_t>(scratch_, module.code.size())),
        live_value_(zeroed<uint8_t>(scratch_, module.values.size())),
        constructs_(&scratch_),
        passes_(&scratch_),
        waiting_(&scratch_),
        results_(&scratch_) {}

  bool run() {
    find_constructs();
    mark();
    return rewrite();
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  struct Construct {
    uint32_t open;  // index of the opening marker
    uint32_t end = kNone;
    Value carried = kNoValue, leaving = kNoValue;  // first results of both markers, as they were
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
    uint32_t around = kNone;
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = module_.code[i];
      const Op op = instruction.op;
      for (uint32_t r = 0; r < instruction.result_count; ++r) defined_at_[instruction.first_result + r] = i;
      parent_[i] = around;
      construct_of_[i] = kNone;
      if (!info(op).has(kControl)) continue;
      if (opens_construct(op)) {
        around = construct_of_[i] = static_cast<uint32_t>(constructs_.size());
        open.push_back(around);
        constructs_.push_back({i, kNone, instruction.first_result});
        continue;
      }
      const bool is_marker = bounds_region(op) && op != Op::phase;
      if (is_marker) {
        construct_of_[i] = around;
        if (closes_construct(op)) {
          constructs_[around].end = i;
          constructs_[around].leaving = instruction.first_result;
          open.pop_back();
          around = open.empty() ? kNone : open.back();
          parent_[i] = around;
        }
      }
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

  /// Backwards, users come before what they use. What is needed further back than its user (a loop's values,
  /// the end of a construct) waits.
  void mark() {
    for (uint32_t i = static_cast<uint32_t>(module_.code.size()); i-- != 0;) {
      cursor_ = i;
      if (live_instruction_[i] == 0 && !is_root(i)) continue;
      live_instruction_[i] = 1;
      need(i);
      need_passed_values();
    }
    while (!waiting_.empty()) {
      const uint32_t index = waiting_.back();
      waiting_.pop_back();
      need(index);
      need_passed_values();
    }
  }

  void mark_instruction(uint32_t index) {
    if (live_instruction_[index] != 0) return;
    live_instruction_[index] = 1;
    if (index >= cursor_) waiting_.push_back(index);
  }
  void mark_value(Value value) {
    if (live_value_[value] != 0 || module_.values[value].is_constant) return;
    live_value_[value] = 1;
    const uint32_t index = defined_at_[value];
    mark_instruction(index);
    if (construct_of_[index] != kNone) results_.push_back(value);
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

  /// A result of a marker is one of the values that are passed to it.
  void need_passed_values() {
    while (!results_.empty()) {
      const Value value = results_.back();
      results_.pop_back();
      const uint32_t index = defined_at_[value];
      need_sources(index, value - module_.code[index].first_result);
    }
  }
  void need_sources(uint32_t index, uint32_t position) {
    const Instruction& instruction = module_.code[index];
    const Construct& construct = constructs_[construct_of_[index]];
    if (instruction.op == Op::loop) {
      mark_value(module_.operands[instruction.first_operand + position]);
      need_passed(construct.repeats, position);
    } else {
      mark_instruction(construct.open);
      need_passed(construct.exits, position);
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
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count; ++i) {
      Instruction& instruction = module_.code[i];
      if (!stays(i, instruction.op)) {
        changed = true;
        continue;
      }
      replacements.apply(module_, instruction);
      if (info(instruction.op).has(kControl)) {
        if (const Value receiver = receiver_of(i, instruction.op); receiver != kNoValue)
          changed |= keep_operands(instruction, receiver);
        if (info(instruction.op).passes_results()) changed |= keep_results(instruction, replacements);
      }
      if (kept != i) module_.code[kept] = instruction;
      ++kept;
    }
    module_.code.resize(kept);
    return changed;
  }

  bool stays(uint32_t index, Op op) const {
    if (bounds_region(op) && op != Op::phase)
      return live_instruction_[constructs_[construct_of_[index]].open] != 0;
    return live_instruction_[index] != 0;
  }

  /// First result, before anything was renumbered, of the marker that receives what this instruction passes.
  Value receiver_of(uint32_t index, Op op) const {
    switch (op) {
      case Op::else_:
      case Op::endif:
      case Op::break_: return constructs_[construct_of_[index]].leaving;
      case Op::loop:
      case Op::endloop:
      case Op::continue_: return constructs_[construct_of_[index]].carried;
      default: return kNoValue;
    }
  }

  bool keep_operands(Instruction& instruction, Value receiver) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      if (live_value_[receiver + i] == 0) continue;
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
      if (live_value_[result] != 0)
        replacements.replace(result, module_.new_values(module_.values[result].type));
    }
    instruction.result_count = static_cast<uint16_t>(live);
    instruction.first_result = live != 0 ? first : kNoValue;
    return true;
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::span<uint32_t> defined_at_;       // by value
  std::span<uint32_t> parent_;           // by instruction
  std::span<uint32_t> construct_of_;     // by instruction
  std::span<uint8_t> live_instruction_;  // the rest of the instructions goes
  std::span<uint8_t> live_value_;
  std::pmr::vector<Construct> constructs_;
  std::pmr::vector<Pass> passes_;
  std::pmr::vector<uint32_t> waiting_;  // live instructions whose needs are not marked yet
  std::pmr::vector<Value> results_;     // live results of markers, likewise
  uint32_t cursor_ = 0;                 // mark() has come back to here
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
