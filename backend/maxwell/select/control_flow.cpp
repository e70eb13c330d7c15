// The IR's constructs as blocks. Values that a construct passes are parameters of its merge block or its loop
// header, and so are the variables that it assigns: outputs, which the IR writes by name, and whether the
// pixel is live.

#include <algorithm>
#include <array>

#include "backend/maxwell/select/selector.h"
#include "ir/structure.h"

namespace texlate::maxwell::select {

using ir::Op;
using machine::BlockId;

namespace {

constexpr uint32_t kNoVariable = 0xffffffffu;

uint32_t row_words(size_t variables) {
  return static_cast<uint32_t>((variables + 63) / 64);
}

}  // namespace

// ---- variables

// Finds the outputs, and which constructs assign them.
void Selector::find_variables() {
  if (discards_) variables_.push_back({kNoVariable, true, kNone});
  add_variables(module.outputs, 0);
  if (module.stage == ir::Stage::hull) add_variables(module.patch_constants, kPatchFile);
  if (module.stage == ir::Stage::geometry) variables_.push_back({kHandlePayload, false, kNone});
  const uint32_t words = row_words(variables_.size());
  assigned_at_.assign(module.code.size(), 0);
  std::pmr::vector<uint32_t> open(module.memory());
  uint32_t rows = 0;
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const ir::Instruction& instruction = module.code[i];
    if (ir::opens_construct(instruction.op) || instruction.op == Op::phase) {
      // A phase lasts until the next one begins.
      if (instruction.op == Op::phase) open.clear();
      assigned_at_[i] = rows++;
      assigned_.resize(size_t{rows} * words, 0);
      open.push_back(i);
    } else if (ir::closes_construct(instruction.op)) {
      const uint32_t inner = assigned_at_[open.back()];
      open.pop_back();
      for (uint32_t w = 0; !open.empty() && w < words; ++w) {
        assigned_[size_t{assigned_at_[open.back()]} * words + w] |= assigned_[size_t{inner} * words + w];
      }
    } else if (is_assignment(instruction.op) && !open.empty()) {
      for (uint32_t v = 0; v < variables_.size(); ++v) {
        if (!may_assign(instruction, v)) continue;
        assigned_[size_t{assigned_at_[open.back()]} * words + v / 64] |= uint64_t{1} << (v % 64);
      }
    }
  }
}

/// One for each component. Several streams may declare the same registers.
void Selector::add_variables(std::span<const ir::Parameter> parameters, uint32_t file) {
  for (const ir::Parameter& parameter : parameters) {
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t payload = file + parameter.reg * 4 + c;
      if (((parameter.mask >> c) & 1) == 0 || variable_of(payload) != kNoVariable) continue;
      variables_.push_back({payload, false, kNone});
    }
  }
}

bool Selector::is_assignment(Op op) const {
  return op == Op::output || op == Op::discard || op == Op::patch_output || op == Op::emit || op == Op::cut;
}

uint32_t Selector::assigned_payload(const ir::Instruction& instruction) const {
  switch (instruction.op) {
    case Op::emit:
    case Op::cut: return kHandlePayload;
    case Op::patch_output: return kPatchFile + instruction.payload;
    default: return instruction.payload;
  }
}

/// Does `output`, `patch.output`, `emit`, `cut` or `discard` write the variable? A run-time register number
/// may be any register of the same kind from its base on.
bool Selector::may_assign(const ir::Instruction& instruction, uint32_t variable) const {
  const Variable& written = variables_[variable];
  if (instruction.op == Op::discard || written.is_predicate)
    return instruction.op == Op::discard && written.is_predicate;
  const uint32_t payload = assigned_payload(instruction);
  if (!instruction.has(ir::kIndexOperand)) return written.payload == payload;
  const uint32_t file = instruction.op == Op::patch_output ? kPatchFile : 0;
  return written.payload >= payload && written.payload < file + 4 * ir::kSpecialRegister &&
         written.payload % 4 == payload % 4;
}

uint32_t Selector::variable_of(uint32_t payload) const {
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].payload == payload && !variables_[i].is_predicate) return i;
  }
  return kNoVariable;
}

bool Selector::assigns(uint32_t marker, uint32_t variable) const {
  const size_t row = size_t{assigned_at_[marker]} * row_words(variables_.size());
  return ((assigned_[row + variable / 64] >> (variable % 64)) & 1) != 0;
}

void Selector::set_output(uint32_t payload, const Source& value) {
  variables_[variable_of(payload)].value = assembler.reg(value);
}

void Selector::restore_variables(const Open& construct) {
  for (size_t i = 0; i < variables_.size(); ++i) variables_[i].value = saved_[construct.saved + i];
}

// ---- what jumps pass

void Selector::pass(ir::Value value, std::pmr::vector<MachineValue>& list) {
  switch (module.values[value].type) {
    case ir::Type::b1: list.push_back(assembler.predicate_value(predicate(value))); break;
    case ir::Type::b32: list.push_back(reg(value)); break;
    case ir::Type::b64: {
      const Pair words = pair(value);
      list.push_back(words.low);
      list.push_back(words.high);
      break;
    }
  }
}

void Selector::pass_variables(uint32_t marker, std::pmr::vector<MachineValue>& list) {
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    if (assigns(marker, i)) list.push_back(variables_[i].value);
  }
}

/// Parameters for the results of a marker and for the variables that its construct assigns.
void Selector::make_parameters(const ir::Instruction& results, uint32_t marker,
                               std::pmr::vector<MachineValue>& list) {
  for (uint32_t r = 0; r < results.result_count; ++r) {
    const ir::Value value = results.first_result + r;
    switch (module.values[value].type) {
      case ir::Type::b1: {
        list.push_back(assembler.predicate());
        define(value, Predicate{list.back(), false});
        break;
      }
      case ir::Type::b32:
        list.push_back(assembler.general());
        define(value, list.back());
        break;
      case ir::Type::b64: {
        const Pair words{assembler.general(), assembler.general()};
        list.push_back(words.low);
        list.push_back(words.high);
        define(value, words);
        break;
      }
    }
  }
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    if (!assigns(marker, i)) continue;
    variables_[i].value = variables_[i].is_predicate ? assembler.predicate() : assembler.general();
    list.push_back(variables_[i].value);
  }
}

/// Ends the open block, if control reaches this point.
void Selector::jump(BlockId target, std::span<const ir::Value> values, uint32_t marker) {
  if (!assembler.builder().is_open()) return;
  scratch_.clear();
  for (const ir::Value value : values) pass(value, scratch_);
  pass_variables(marker, scratch_);
  assembler.builder().jump(target, scratch_);
}

/// Continues after a construct, if control leaves it at all.
void Selector::begin_merge(const ir::Instruction& end, const Open& construct) {
  assembler.leave_region();
  if (leaves_[index_of(end)] != 0) {
    scratch_.clear();
    make_parameters(end, construct.marker, scratch_);
    assembler.builder().begin(construct.merge, scratch_);
  } else if (module.code[construct.marker].op == Op::loop) {
    // Unreachable: the loop is only left by the end of the program.
    assembler.builder().begin(construct.merge);
    assembler.builder().exit();
  }
  saved_.resize(construct.saved);
  open_.pop_back();
}

Selector::Open* Selector::innermost(bool loops_only) {
  for (size_t i = open_.size(); i-- != 0;) {
    const Op op = module.code[open_[i].marker].op;
    if (op == Op::loop || (!loops_only && op == Op::switch_)) return &open_[i];
  }
  return nullptr;
}

/// Ends the program, or jumps to where outputs are stored.
void Selector::leave_program() {
  machine::Builder& builder = assembler.builder();
  if (is_routine()) return exit_routine();
  if (module.stage == ir::Stage::hull) return leave_phase();
  if (!is_stream()) return builder.exit();
  if (exit_block_ == machine::kNoBlock) return exit_stream();
  scratch_.clear();
  for (const Variable& variable : variables_) scratch_.push_back(variable.value);
  builder.jump(exit_block_, scratch_);
}

// ---- markers

void Selector::select_control(const ir::Instruction& instruction) {
  const auto operands = module.operands_of(instruction);
  switch (instruction.op) {
    case Op::if_: return open_if(instruction);
    case Op::else_: {
      Open& construct = open_.back();
      jump(construct.merge, operands, construct.marker);
      restore_variables(construct);
      assembler.leave_region();
      assembler.enter_region();
      return assembler.builder().begin(construct.next);
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
      if (assembler.builder().is_open()) leave_program();
      return;
    case Op::phase: return open_phase(instruction);
#define IR_COVERED_control
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

void Selector::open_if(const ir::Instruction& instruction) {
  machine::Builder& builder = assembler.builder();
  const Predicate condition = predicate(operand(instruction, 0));
  Open construct;
  construct.marker = index_of(instruction);
  const BlockId then_block = builder.block();
  construct.next = builder.block();
  construct.merge = builder.block();
  construct.saved = static_cast<uint32_t>(saved_.size());
  for (const Variable& variable : variables_) saved_.push_back(variable.value);
  open_.push_back(construct);
  const uint32_t end = end_of_[end_of_[construct.marker]];
  if (leaves_[end] != 0) builder.selection(construct.merge);
  const MachineValue chosen = condition.value == kNone
                                  ? assembler.predicate_value(Predicate{kNone, condition.negated})
                                  : condition.value;
  builder.branch(chosen, condition.value != kNone && condition.negated, then_block, construct.next,
                 is_uniform(construct.marker));
  assembler.enter_region();
  builder.begin(then_block);
}

void Selector::open_loop(const ir::Instruction& instruction) {
  machine::Builder& builder = assembler.builder();
  Open construct;
  construct.marker = index_of(instruction);
  const BlockId header = builder.block();
  construct.next = builder.block();
  construct.merge = builder.block();
  construct.saved = static_cast<uint32_t>(saved_.size());
  builder.loop(construct.merge, construct.next);
  jump(header, module.operands_of(instruction), construct.marker);
  scratch_.clear();
  make_parameters(instruction, construct.marker, scratch_);
  construct.header = header;
  open_.push_back(construct);
  assembler.enter_region();
  builder.begin(header, scratch_);
}

// The continue block passes on what it gets. If no iteration ends, there is no back edge.
void Selector::close_loop(const ir::Instruction& instruction) {
  machine::Builder& builder = assembler.builder();
  const Open construct = open_.back();
  const ir::Instruction& head = module.code[construct.marker];
  jump(construct.next, module.operands_of(instruction), construct.marker);
  std::pmr::vector<MachineValue> handed(module.memory());
  for (uint32_t r = 0; r < head.result_count; ++r) {
    switch (module.values[head.first_result + r].type) {
      case ir::Type::b1: handed.push_back(assembler.predicate()); break;
      case ir::Type::b32: handed.push_back(assembler.general()); break;
      case ir::Type::b64:
        handed.push_back(assembler.general());
        handed.push_back(assembler.general());
        break;
    }
  }
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    if (!assigns(construct.marker, i)) continue;
    handed.push_back(variables_[i].is_predicate ? assembler.predicate() : assembler.general());
  }
  builder.begin(construct.next, handed);
  builder.jump(construct.header, handed);
  begin_merge(instruction, construct);
}

std::pmr::vector<Selector::Arm> Selector::arms_of(uint32_t marker) {
  std::pmr::vector<Arm> arms(module.memory());
  bool label_before = false;
  for (uint32_t i = marker + 1; i < end_of_[marker]; ++i) {
    const ir::Instruction& label = module.code[i];
    const bool is_label = label.op == Op::case_ || label.op == Op::default_;
    if (is_label && !label_before) arms.push_back({i, false});
    if (label.op == Op::default_) arms.back().is_default = true;
    label_before = is_label;
    if (ir::opens_construct(label.op)) {
      i = end_of_[i];
      if (module.code[i].op == Op::else_) i = end_of_[i];
    }
  }
  return arms;
}

/// Is the selector one of the labels from instruction `label` on?
Predicate Selector::test_labels(const Source& selector, uint32_t label) {
  Predicate chosen = Predicate::constant(false);
  for (; module.code[label].op == Op::case_; ++label) {
    const MachineValue matches = assembler.predicate();
    const Source constant = Source::immediate(module.code[label].payload);
    emit({Opcode::isetp,
          {Predicate{matches, false}, Arg(), Source::of(assembler.reg(selector)), constant, chosen},
          {{Modifier::integer_compare, IntegerCompare::eq},
           {Modifier::is_signed, IsSigned::u32},
           {Modifier::boolean, Boolean::or_}}});
    chosen = {matches, false};
  }
  return chosen;
}

// A chain of tests, one for each arm, which join the comparisons with its labels; the rest is the default.
// The tests of several arms are computed together, since a predicate takes 13 cycles; the tests of all arms
// would be more than the machine has predicates.
void Selector::open_switch(const ir::Instruction& instruction) {
  constexpr uint32_t kTestsAtOnce = 6;
  machine::Builder& builder = assembler.builder();
  Open construct;
  construct.marker = index_of(instruction);
  construct.merge = builder.block();
  construct.saved = static_cast<uint32_t>(saved_.size());
  for (const Variable& variable : variables_) saved_.push_back(variable.value);
  const std::pmr::vector<Arm> arms = arms_of(construct.marker);
  const Source selector = word(operand(instruction, 0));
  construct.arm_count = static_cast<uint32_t>(arms.size());
  BlockId otherwise = machine::kNoBlock;
  std::pmr::vector<uint32_t> tests(module.memory());  // arms that are not the default
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
  if (leaves_[end_of_[construct.marker]] != 0) builder.selection(construct.merge);
  if (tests.empty()) builder.jump(otherwise);
  // Registers that later tests fill are not available in the arms of earlier ones.
  assembler.enter_region();
  for (uint32_t t = 0; t < tests.size(); ++t) {
    if (t != 0 && t % kTestsAtOnce == 0) test_some(t);
    const BlockId rest = t + 1 == tests.size() ? otherwise : builder.block();
    builder.branch(chosen[t % kTestsAtOnce].value, false, arms_[first + tests[t]], rest,
                   is_uniform(construct.marker));
    if (rest != otherwise) builder.begin(rest);
  }
  assembler.leave_region();
  open_.push_back(construct);
  assembler.enter_region();
}

/// The first label of an arm begins it.
void Selector::open_arm() {
  Open& construct = open_.back();
  if (assembler.builder().is_open()) return;  // another label of the same arm
  restore_variables(construct);
  assembler.leave_region();
  assembler.enter_region();
  assembler.builder().begin(arms_[arms_.size() - construct.arm_count + construct.next_arm++]);
}

}  // namespace texlate::maxwell::select
