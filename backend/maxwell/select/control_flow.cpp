#include <algorithm>
#include <array>

#include "backend/maxwell/select/control_flow.h"

namespace texlate::maxwell::select {

using machine::BlockId;

ControlFlow::ControlFlow(Core& core, Host& host)
    : Writer(core), host_(host), structure_(module_, module_.memory()) {
  if (structure_.constructs().empty()) return;
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    returns_early_ |= module_.code[i].op == Op::return_ && structure_.around(i) != ir::Structure::kNoIndex;
  }
  const bool selects = std::ranges::any_of(
      structure_.constructs(), [](const ir::Construct& construct) { return construct.op != Op::loop; });
  // The arguments of a routine are not inputs that the analysis would know.
  if (selects && !assembler_.function().is_routine)
    parts_ = ir::find_uniformity(module_, structure_, false).parts;
}

// If a program of a stage may return early, its code is a body that is left for the code that ends it.
void ControlFlow::begin_program() {
  host_.begin();
  if (!is_stream() || !returns_early_) return;
  machine::Builder& builder = assembler_.builder();
  exit_block_ = builder.block();
  const BlockId body = builder.block();
  builder.loop(exit_block_, body);
  builder.jump(body);
  assembler_.enter_region();  // registers filled at the body's end are not available at every return
  builder.begin(body);
}

// ---- what jumps pass

void ControlFlow::pass(ir::Value value, std::pmr::vector<MachineValue>& list) {
  switch (module_.values[value].type) {
    case ir::Type::b1: list.push_back(assembler_.predicate_value(predicate(value))); break;
    case ir::Type::b32: list.push_back(reg(value)); break;
    case ir::Type::b64: {
      const Pair words = pair(value);
      list.push_back(words.low);
      list.push_back(words.high);
      break;
    }
  }
}

/// Registers for a value of that type, as parameters of a block.
void ControlFlow::make_registers(ir::Type type, std::pmr::vector<MachineValue>& list) {
  list.push_back(type == ir::Type::b1 ? assembler_.predicate() : assembler_.general());
  if (type == ir::Type::b64) list.push_back(assembler_.general());
}

/// Parameters for the results of a marker and for the state, if its construct changes it.
void ControlFlow::make_parameters(const ir::Instruction& results, uint32_t marker,
                                  std::pmr::vector<MachineValue>& list) {
  for (uint32_t r = 0; r < results.result_count; ++r) {
    const ir::Value value = results.first_result + r;
    const ir::Type type = module_.values[value].type;
    make_registers(type, list);
    switch (type) {
      case ir::Type::b1: define(value, Predicate{list.back(), false}); break;
      case ir::Type::b32: define(value, list.back()); break;
      case ir::Type::b64: define(value, Pair{list.end()[-2], list.back()}); break;
    }
  }
  state_.make(marker, list);
}

/// Ends the open block, if control reaches this point.
void ControlFlow::jump(BlockId target, std::span<const ir::Value> values, uint32_t marker) {
  if (!assembler_.builder().is_open()) return;
  scratch_.clear();
  for (const ir::Value value : values) pass(value, scratch_);
  state_.pass(marker, scratch_);
  assembler_.builder().jump(target, scratch_);
}

/// Continues after a construct, if control leaves it at all.
void ControlFlow::begin_merge(const ir::Instruction& end, const Open& construct) {
  assembler_.leave_region();
  if (structure_.continues(index_of(end))) {
    scratch_.clear();
    make_parameters(end, construct.marker, scratch_);
    assembler_.builder().begin(construct.merge, scratch_);
  } else if (module_.code[construct.marker].op == Op::loop) {
    // Unreachable: the loop is only left by the end of the program.
    assembler_.builder().begin(construct.merge);
    assembler_.builder().exit();
  }
  open_.pop_back();
}

ControlFlow::Open* ControlFlow::innermost(bool loops_only) {
  for (size_t i = open_.size(); i-- != 0;) {
    const Op op = module_.code[open_[i].marker].op;
    if (op == Op::loop || (!loops_only && op == Op::switch_)) return &open_[i];
  }
  return nullptr;
}

/// Ends the program, or jumps to where it ends.
void ControlFlow::leave_program() {
  if (exit_block_ == machine::kNoBlock) return host_.leave();
  scratch_.clear();
  state_.pass_always(scratch_);
  for (const MachineValue result : host_.results()) {
    if (result != kNone) scratch_.push_back(result);
  }
  assembler_.builder().jump(exit_block_, scratch_);
}

void ControlFlow::finish_program() {
  if (assembler_.builder().is_open()) leave_program();
  if (exit_block_ == machine::kNoBlock) return;
  assembler_.leave_region();
  scratch_.clear();
  state_.make_always(scratch_);
  for (MachineValue& result : host_.results()) {
    if (result != kNone) scratch_.push_back(result = assembler_.general());
  }
  assembler_.builder().begin(exit_block_, scratch_);
  host_.leave();
}

// ---- markers

void ControlFlow::select(const ir::Instruction& instruction) {
  const auto operands = module_.operands_of(instruction);
  switch (instruction.op) {
    case Op::if_: return open_if(instruction);
    case Op::else_: {
      Open& construct = open_.back();
      jump(construct.merge, operands, construct.marker);
      state_.restore(construct.saved);
      assembler_.leave_region();
      assembler_.enter_region();
      return assembler_.builder().begin(construct.next);
    }
    case Op::endif: {
      const Open construct = open_.back();
      jump(construct.merge, operands, construct.marker);
      return begin_merge(instruction, construct);
    }
    case Op::loop: return open_loop(instruction);
    case Op::endloop: return close_loop(instruction);
    case Op::break_: {
      const Open& construct = *innermost(false);
      return jump(construct.merge, operands, construct.marker);
    }
    case Op::continue_: {
      const Open& construct = *innermost(true);
      return jump(construct.next, operands, construct.marker);
    }
    case Op::switch_: return open_switch(instruction);
    case Op::case_:
    case Op::default_: return open_arm();
    case Op::endswitch: {
      const Open construct = open_.back();
      arms_.resize(arms_.size() - construct.arm_count);
      return begin_merge(instruction, construct);
    }
    case Op::return_:
      if (assembler_.builder().is_open()) leave_program();
      return;
    case Op::phase: return refuse(instruction, "a phase of a hull shader");
#define IR_COVERED_control
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

void ControlFlow::open_if(const ir::Instruction& instruction) {
  machine::Builder& builder = assembler_.builder();
  const Predicate condition = predicate(operand(instruction, 0));
  Open construct;
  construct.marker = index_of(instruction);
  const BlockId then_block = builder.block();
  construct.next = builder.block();
  construct.merge = builder.block();
  construct.saved = state_.save();
  open_.push_back(construct);
  if (is_left(construct.marker)) builder.selection(construct.merge);
  const MachineValue chosen = condition.value == kNone
                                  ? assembler_.predicate_value(Predicate{kNone, condition.negated})
                                  : condition.value;
  builder.branch(chosen, condition.value != kNone && condition.negated, then_block, construct.next,
                 is_uniform(construct.marker));
  assembler_.enter_region();
  builder.begin(then_block);
}

void ControlFlow::open_loop(const ir::Instruction& instruction) {
  machine::Builder& builder = assembler_.builder();
  Open construct;
  construct.marker = index_of(instruction);
  const BlockId header = builder.block();
  construct.next = builder.block();
  construct.merge = builder.block();
  builder.loop(construct.merge, construct.next);
  jump(header, module_.operands_of(instruction), construct.marker);
  scratch_.clear();
  make_parameters(instruction, construct.marker, scratch_);
  construct.header = header;
  open_.push_back(construct);
  assembler_.enter_region();
  builder.begin(header, scratch_);
}

// The continue block passes on what it gets. If no iteration ends, there is no back edge.
void ControlFlow::close_loop(const ir::Instruction& instruction) {
  machine::Builder& builder = assembler_.builder();
  const Open construct = open_.back();
  const ir::Instruction& head = module_.code[construct.marker];
  jump(construct.next, module_.operands_of(instruction), construct.marker);
  std::pmr::vector<MachineValue> handed(module_.memory());
  for (uint32_t r = 0; r < head.result_count; ++r)
    make_registers(module_.values[head.first_result + r].type, handed);
  state_.make(construct.marker, handed, false);
  builder.begin(construct.next, handed);
  builder.jump(construct.header, handed);
  begin_merge(instruction, construct);
}

std::pmr::vector<ControlFlow::Arm> ControlFlow::arms_of(uint32_t marker) {
  std::pmr::vector<Arm> arms(module_.memory());
  uint32_t last = ir::Structure::kNoIndex;
  for (uint32_t i = structure_.of(marker).first_arm; i != ir::Structure::kNoIndex; i = structure_.next(i)) {
    if (last + 1 != i) arms.push_back({i, false});
    if (module_.code[i].op == Op::default_) arms.back().is_default = true;
    last = i;
  }
  return arms;
}

/// Is the selector one of the labels from instruction `label` on?
Predicate ControlFlow::test_labels(const Source& selector, uint32_t label) {
  Predicate chosen = Predicate::constant(false);
  for (; module_.code[label].op == Op::case_; ++label) {
    const MachineValue matches = assembler_.predicate();
    const Source constant = Source::immediate(module_.code[label].payload);
    emit({Opcode::isetp,
          {Predicate{matches, false}, Arg(), Source::of(assembler_.reg(selector)), constant, chosen},
          {{Modifier::integer_compare, IntegerCompare::eq}, kUnsigned, {Modifier::boolean, Boolean::or_}}});
    chosen = {matches, false};
  }
  return chosen;
}

// A chain of tests, one for each arm, which join the comparisons with its labels; the rest is the default.
// The tests of several arms are computed together, since a predicate takes 13 cycles; the tests of all arms
// would be more than the machine has predicates.
void ControlFlow::open_switch(const ir::Instruction& instruction) {
  constexpr uint32_t kTestsAtOnce = 6;
  machine::Builder& builder = assembler_.builder();
  Open construct;
  construct.marker = index_of(instruction);
  construct.merge = builder.block();
  construct.saved = state_.save();
  const std::pmr::vector<Arm> arms = arms_of(construct.marker);
  const Source selector = word(operand(instruction, 0));
  construct.arm_count = static_cast<uint32_t>(arms.size());
  BlockId otherwise = machine::kNoBlock;
  std::pmr::vector<uint32_t> tests(module_.memory());  // arms that are not the default
  const size_t first = arms_.size();
  for (uint32_t i = 0; i < arms.size(); ++i) {
    arms_.push_back(builder.block());
    if (arms[i].is_default) {
      otherwise = arms_.back();
    } else {
      tests.push_back(i);
    }
  }
  std::array<Predicate, kTestsAtOnce> chosen;
  const auto test_some = [&](uint32_t begin) {
    for (uint32_t t = begin; t < tests.size() && t < begin + kTestsAtOnce; ++t)
      chosen[t - begin] = test_labels(selector, arms[tests[t]].label);
  };
  test_some(0);
  if (is_left(construct.marker)) builder.selection(construct.merge);
  if (tests.empty()) builder.jump(otherwise);
  // Registers that later tests fill are not available in the arms of earlier ones.
  assembler_.enter_region();
  for (uint32_t t = 0; t < tests.size(); ++t) {
    if (t != 0 && t % kTestsAtOnce == 0) test_some(t);
    const BlockId rest = t + 1 == tests.size() ? otherwise : builder.block();
    builder.branch(chosen[t % kTestsAtOnce].value, false, arms_[first + tests[t]], rest,
                   is_uniform(construct.marker));
    if (rest != otherwise) builder.begin(rest);
  }
  assembler_.leave_region();
  open_.push_back(construct);
  assembler_.enter_region();
}

/// The first label of an arm begins it.
void ControlFlow::open_arm() {
  Open& construct = open_.back();
  if (assembler_.builder().is_open()) return;  // another label of the same arm
  state_.restore(construct.saved);
  assembler_.leave_region();
  assembler_.enter_region();
  assembler_.builder().begin(arms_[arms_.size() - construct.arm_count + construct.next_arm++]);
}

}  // namespace texlate::maxwell::select
