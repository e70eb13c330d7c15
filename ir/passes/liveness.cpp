#include "ir/passes/liveness.h"

#include <algorithm>

#include "ir/base/zeroed.h"

namespace texlate::ir {

Liveness::Liveness(const Module& module, const Structure& structure,
                   std::pmr::monotonic_buffer_resource& arena)
    : module_(module),
      structure_(structure),
      defined_at_(&arena),
      live_instruction_(zeroed<uint8_t>(arena, module.code.size())),
      values_(zeroed<uint8_t>(arena, module.values.size())),
      waiting_(&arena),
      results_(&arena) {
  find_markers();
  mark();
}

void Liveness::find_markers() {
  defined_at_.extend(module_.values.size());
  for (const Construct& construct : structure_.constructs()) {
    note_results(construct.marker, kOfMarker);
    note_results(construct.end, kOfMarker);
  }
}

inline void Liveness::note_results(uint32_t index, uint8_t what) {
  const Instruction& instruction = module_.code[index];
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    defined_at_[instruction.first_result + r] = index;
    values_[instruction.first_result + r] = what;
  }
}

bool Liveness::is_root(uint32_t index, Op op) const {
  if (info(op).has(kWritesMemory)) return true;
  if (!info(op).has(kControl)) return false;
  if (op == Op::return_ || op == Op::phase) return true;
  // A loop without a break: the code after it is unreachable, so the loop must stay.
  return op == Op::loop && structure_.of(index).first_exit == kNone;
}

/// The innermost loop around a read of what other groups write: it may wait for that. Otherwise kNone.
uint32_t Liveness::loop_that_may_wait(const Instruction& instruction, uint32_t around) const {
  if (instruction.op != Op::buf_load && instruction.op != Op::surf_load) return kNone;
  if (!module_.resources[module_.access_of(instruction).resource].globally_coherent) return kNone;
  while (around != kNone && structure_.of(around).op != Op::loop) {
    const uint32_t parent = structure_.of(around).parent;
    around = parent != kNone ? structure_[parent].marker : kNone;
  }
  return around;
}

inline bool Liveness::has_live_result(const Instruction& instruction) const {
  const uint8_t* const results = values_.data() + instruction.first_result;
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    if ((results[r] & kLive) != 0) return true;
  }
  return false;
}

/// Going backwards, users come before what they use. Something that is needed before its user (a loop's
/// values, the end of a construct) waits.
void Liveness::mark() {
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
uint32_t Liveness::mark_control(uint32_t index, const Instruction& instruction, uint32_t around) {
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
inline uint8_t Liveness::mark_operands(const Instruction& instruction) {
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

void Liveness::mark_instruction(uint32_t index) {
  if (live_instruction_[index] != 0) return;
  live_instruction_[index] = 1;
  if (index >= cursor_) waiting_.push_back(index);
}
/// Its definition may be one that the walk has passed as dead. It reaches earlier ones by itself.
void Liveness::mark_value(Value value) {
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
uint32_t Liveness::construct_around(uint32_t index, Op op) const {
  if (info(op).has(kControl)) return structure_.around(index);
  const std::span<const Construct> constructs = structure_.constructs();
  const auto behind = std::ranges::upper_bound(constructs, index, {}, &Construct::marker);
  auto construct = static_cast<uint32_t>(behind - constructs.begin()) - 1;  // kNone if there is none before
  while (construct != kNone && structure_[construct].end < index) construct = structure_[construct].parent;
  return construct;
}

/// Everything that runs needs the constructs around it; a construct needs its markers and the jumps that
/// belong to it.
void Liveness::need(uint32_t index) {
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
void Liveness::need_passed_values() {
  while (!results_.empty()) {
    const Value value = results_.back();
    results_.pop_back();
    const uint32_t index = defined_at_[value];
    mark_instruction(index);
    need_sources(index, value - module_.code[index].first_result);
  }
}
void Liveness::need_sources(uint32_t index, uint32_t position) {
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
void Liveness::need_passed(uint32_t first, uint32_t position) {
  for (uint32_t i = first; i != kNone; i = structure_.next(i)) {
    const Instruction& instruction = module_.code[i];
    if (position < instruction.operand_count)
      mark_value(module_.operands[instruction.first_operand + position]);
  }
}

uint32_t receiver_of(const Structure& structure, uint32_t index, Op op) {
  switch (op) {
    case Op::else_:
    case Op::endif:
    case Op::break_: return structure.of(index).end;
    case Op::loop:
    case Op::endloop:
    case Op::continue_: return structure.of(index).marker;
    case Op::if_:
    case Op::switch_:
    case Op::case_:
    case Op::default_:
    case Op::endswitch:
    case Op::return_:
    case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
      break;
  }
  return Structure::kNoIndex;
}

}  // namespace texlate::ir
