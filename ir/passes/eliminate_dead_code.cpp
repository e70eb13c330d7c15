#include "ir/passes/eliminate_dead_code.h"

#include <algorithm>

#include "ir/base/zeroed.h"
#include "ir/passes/rewriter.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

class DeadCodeElimination {
 public:
  explicit DeadCodeElimination(Module& module)
      : module_(module),
        scratch_(module.memory()),
        structure_(module, &scratch_, Structure::Extent::control),
        defined_at_(&scratch_),
        live_instruction_(zeroed<uint8_t>(scratch_, module.code.size())),
        values_(zeroed<uint8_t>(scratch_, module.values.size())),
        waiting_(&scratch_),
        results_(&scratch_) {}

  bool run() {
    find_markers();
    mark();
    return rewrite();
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  static constexpr uint8_t kLive = 1, kOfMarker = 2, kPassed = 4;  // of values_
  static constexpr uint8_t kUsesMarker = 2;  // of live_instruction_: some result of a marker

  void find_markers() {
    defined_at_.extend(module_.values.size());
    // Results get new numbers while instructions are rewritten; the receivers of values are found by the old
    // numbers.
    received_ = zeroed<Received>(scratch_, structure_.constructs().size());
    for (uint32_t c = 0; c < received_.size(); ++c) {
      const Construct& construct = structure_[c];
      received_[c] = {note_results(construct.marker, kOfMarker), note_results(construct.end, kOfMarker)};
    }
  }
  Value note_results(uint32_t index, uint8_t what) {
    const Instruction& instruction = module_.code[index];
    for (uint32_t r = 0; r < instruction.result_count; ++r) {
      defined_at_[instruction.first_result + r] = index;
      values_[instruction.first_result + r] = what;
    }
    return instruction.first_result;
  }

  bool is_value_live(Value value) const { return (values_[value] & kLive) != 0; }

  bool is_root(uint32_t index, Op op) const {
    if (info(op).has(kWritesMemory)) return true;
    if (!info(op).has(kControl)) return false;
    if (op == Op::return_ || op == Op::phase) return true;
    // A loop without a break: the code after it is unreachable, so the loop must stay.
    return op == Op::loop && structure_.of(index).first_exit == kNone;
  }
  /// The innermost loop around a read of what other groups write: it may wait for that. Otherwise kNone.
  uint32_t loop_that_may_wait(const Instruction& instruction, uint32_t around) const {
    if (instruction.op != Op::buf_load && instruction.op != Op::surf_load) return kNone;
    if (!module_.resources[module_.access_of(instruction).resource].globally_coherent) return kNone;
    while (around != kNone && structure_.of(around).op != Op::loop) {
      const uint32_t parent = structure_.of(around).parent;
      around = parent != kNone ? structure_[parent].marker : kNone;
    }
    return around;
  }
  bool has_live_result(const Instruction& instruction) const {
    const uint8_t* const results = values_.data() + instruction.first_result;
    for (uint32_t r = 0; r < instruction.result_count; ++r) {
      if ((results[r] & kLive) != 0) return true;
    }
    return false;
  }

  // ---- marking ----

  /// Going backwards, users come before what they use. Something that is needed before its user (a loop's
  /// values, the end of a construct) waits.
  void mark() {
    const std::span<const Instruction> code = module_.code;
    uint8_t* const live = live_instruction_.data();
    uint32_t around = kNone;  // marker of the innermost construct
    for (uint32_t i = static_cast<uint32_t>(code.size()); i-- != 0;) {
      const Instruction& instruction = code[i];
      const OpInfo& operation = info(instruction.op);
      if (operation.has(kControl)) {
        cursor_ = i;
        around = mark_control(i, instruction, around);
        if (!results_.empty()) need_passed_values();
      } else if (live[i] != 0 || has_live_result(instruction) || operation.has(kWritesMemory)) {
        cursor_ = i;
        if (around != kNone && live[around] == 0) mark_instruction(around);
        live[i] = kLive | mark_operands(instruction);
        if (!results_.empty()) need_passed_values();
      } else {
        note_results(i, kPassed);
        if (const uint32_t loop = loop_that_may_wait(instruction, around); loop != kNone)
          mark_instruction(loop);
      }
    }
    cursor_ = 0;
    while (!waiting_.empty()) {
      const uint32_t index = waiting_.back();
      waiting_.pop_back();
      need(index);
      need_passed_values();
    }
  }

  /// Returns the marker of the construct around the instruction before.
  uint32_t mark_control(uint32_t index, const Instruction& instruction, uint32_t around) {
    if (live_instruction_[index] != 0 || has_live_result(instruction) || is_root(index, instruction.op)) {
      live_instruction_[index] = 1;
      need(index);
    }
    if (closes_construct(instruction.op)) return structure_.of(index).marker;
    if (!opens_construct(instruction.op)) return around;
    const uint32_t parent = structure_.of(index).parent;
    return parent != kNone ? structure_[parent].marker : kNone;
  }

  /// kUsesMarker: some operands are results of markers. Those that become live are now in results_.
  uint8_t mark_operands(const Instruction& instruction) {
    const Value* const operands = module_.operands.data() + instruction.first_operand;
    const uint32_t count = instruction.operand_count;
    uint8_t* const values = values_.data();
    uint8_t all = 0;
    for (uint32_t i = 0; i < count; ++i) {
      uint8_t& value = values[operands[i]];
      if (value == kOfMarker) results_.push_back(operands[i]);
      all |= value;
      value |= kLive;
    }
    return all & kUsesMarker;
  }

  void mark_instruction(uint32_t index) {
    if (live_instruction_[index] != 0) return;
    live_instruction_[index] = 1;
    if (index >= cursor_) waiting_.push_back(index);
  }
  /// Its definition may be one that the walk has passed as dead. It reaches earlier ones by itself.
  void mark_value(Value value) {
    const uint8_t known = values_[value];
    if ((known & kLive) != 0) return;
    values_[value] = known | kLive;
    if (known == kOfMarker) {
      results_.push_back(value);
    } else if ((known & kPassed) != 0) {
      mark_instruction(defined_at_[value]);
    }
  }

  /// Called for few instructions that are not markers.
  uint32_t construct_around(uint32_t index, Op op) const {
    if (info(op).has(kControl)) return structure_.around(index);
    const std::span<const Construct> constructs = structure_.constructs();
    const auto behind = std::ranges::upper_bound(constructs, index, {}, &Construct::marker);
    auto construct = static_cast<uint32_t>(behind - constructs.begin()) - 1;  // kNone if there is none before
    while (construct != kNone && structure_[construct].end < index) construct = structure_[construct].parent;
    return construct;
  }

  /// Everything that runs needs the constructs around it; a construct needs its markers and the jumps that
  /// belong to it.
  void need(uint32_t index) {
    const Instruction& instruction = module_.code[index];
    const uint32_t around = construct_around(index, instruction.op);
    if (around != kNone) mark_instruction(structure_[around].marker);
    const OpInfo& operation = info(instruction.op);
    if (!operation.has(kControl)) live_instruction_[index] |= kUsesMarker;  // perhaps
    if (!operation.has(kControl) || instruction.op == Op::if_ || instruction.op == Op::switch_) {
      for (const Value operand : module_.operands_of(instruction)) mark_value(operand);
    }
    if (!opens_construct(instruction.op)) return;
    const Construct& construct = structure_.of(index);
    mark_instruction(construct.end);
    for (uint32_t i = construct.first_exit; i != kNone; i = structure_.next(i)) mark_instruction(i);
    for (uint32_t i = construct.first_repeat; i != kNone; i = structure_.next(i)) mark_instruction(i);
  }

  /// A result of a marker is one of the values that are passed to it.
  void need_passed_values() {
    while (!results_.empty()) {
      const Value value = results_.back();
      results_.pop_back();
      const uint32_t index = defined_at_[value];
      mark_instruction(index);
      need_sources(index, value - module_.code[index].first_result);
    }
  }
  void need_sources(uint32_t index, uint32_t position) {
    const Instruction& instruction = module_.code[index];
    const Construct& construct = structure_.of(index);
    if (instruction.op == Op::loop) {
      mark_value(module_.operands[instruction.first_operand + position]);
      need_passed(construct.first_repeat, position);
    } else {
      mark_instruction(construct.marker);
      need_passed(construct.first_exit, position);
    }
  }
  void need_passed(uint32_t first, uint32_t position) {
    for (uint32_t i = first; i != kNone; i = structure_.next(i)) {
      const Instruction& instruction = module_.code[i];
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
    Instruction* const code = module_.code.data();
    const uint8_t* const live = live_instruction_.data();
    for (uint32_t i = 0; i < count; ++i) {
      Instruction& instruction = code[i];
      const OpInfo& operation = info(instruction.op);
      const bool is_control = operation.has(kControl);
      if (is_control ? !stays(i, instruction.op) : live[i] == 0) continue;
      // Only results of markers get new numbers.
      if (is_control || (live[i] & kUsesMarker) != 0) replacements.apply(module_, instruction);
      if (is_control) {
        if (const Value receiver = receiver_of(i, instruction.op); receiver != kNoValue)
          changed |= keep_operands(instruction, receiver);
        if (operation.passes_results()) changed |= keep_results(instruction, replacements);
      }
      if (kept != i) code[kept] = instruction;
      ++kept;
    }
    module_.code.resize(kept);
    return changed || kept != count;
  }

  bool stays(uint32_t index, Op op) const {
    const bool is_own_marker = bounds_region(op) && op != Op::phase;
    if (is_own_marker) return live_instruction_[structure_.of(index).marker] != 0;
    return live_instruction_[index] != 0;
  }

  /// The first result, before renumbering, of the marker that receives the values that this instruction
  /// passes.
  Value receiver_of(uint32_t index, Op op) const {
    switch (op) {
      case Op::else_:
      case Op::endif:
      case Op::break_: return received_[structure_.construct_of(index)].leaving;
      case Op::loop:
      case Op::endloop:
      case Op::continue_: return received_[structure_.construct_of(index)].carried;
      case Op::if_:
      case Op::switch_:
      case Op::case_:
      case Op::default_:
      case Op::endswitch:
      case Op::return_:
      case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
        return kNoValue;
    }
    return kNoValue;
  }

  bool keep_operands(Instruction& instruction, Value receiver) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      if (!is_value_live(receiver + i)) continue;
      module_.operands[instruction.first_operand + kept++] = module_.operands[instruction.first_operand + i];
    }
    const bool changed = kept != instruction.operand_count;
    instruction.operand_count = kept;
    return changed;
  }

  // Results are consecutive values, so the remaining ones get new numbers.
  bool keep_results(Instruction& instruction, Replacements& replacements) {
    uint32_t live = 0;
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      live += is_value_live(instruction.first_result + i) ? 1 : 0;
    if (live == instruction.result_count) return false;
    const Value first = static_cast<Value>(module_.values.size());
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Value result = instruction.first_result + i;
      if (is_value_live(result))
        replacements.replace(result, module_.new_values(module_.values[result].type));
    }
    instruction.result_count = static_cast<uint16_t>(live);
    instruction.first_result = live != 0 ? first : kNoValue;
    return true;
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  struct Received {
    Value carried, leaving;  // first results of both markers, as they were
  };
  const Structure structure_;
  ArenaBuffer<uint32_t> defined_at_;     // of kOfMarker and kPassed: by value, its instruction
  std::span<Received> received_;         // by construct
  std::span<uint8_t> live_instruction_;  // the other instructions are removed
  std::span<uint8_t> values_;
  std::pmr::vector<uint32_t> waiting_;  // live instructions whose needs are not marked yet
  std::pmr::vector<Value> results_;     // live results of markers, likewise
  uint32_t cursor_ = 0;                 // mark() has come back to here
};

}  // namespace

namespace {

/// Without constructs one walk backwards meets every use before its definition.
bool sweep_straight_line(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  uint8_t* const live = zeroed<uint8_t>(scratch, module.values.size()).data();
  Instruction* const code = module.code.data();
  const size_t count = module.code.size();
  size_t kept = count;
  for (size_t i = count; i-- != 0;) {
    const Instruction& instruction = code[i];
    bool stays = instruction.op == Op::return_ || info(instruction.op).has(kWritesMemory);
    for (uint32_t r = 0; r < instruction.result_count && !stays; ++r)
      stays = live[instruction.first_result + r] != 0;
    if (!stays) continue;
    const Value* const operands = module.operands.data() + instruction.first_operand;
    const uint32_t operand_count = instruction.operand_count;
    for (uint32_t o = 0; o < operand_count; ++o) live[operands[o]] = 1;
    if (--kept != i) code[kept] = instruction;
  }
  module.code.drop_front(kept);
  return kept != 0;
}

}  // namespace

bool eliminate_dead_code(Module& module) {
  if (is_straight_line(module)) return sweep_straight_line(module);
  return DeadCodeElimination(module).run();
}

}  // namespace texlate::ir
