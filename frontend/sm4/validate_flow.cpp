#include "frontend/sm4/validate_flow.h"

#include <algorithm>

namespace texlate::sm4 {

uint64_t FlowChecker::number_of(const Operand& label) {
  return label.index[0].immediate + (label.file == RegisterFile::function_body ? kFunctionBody : 0);
}

void FlowChecker::open_block(const Instruction& instruction) {
  const bool is_switch = instruction.opcode == Opcode::switch_;
  blocks_.push_back({.opener = &instruction, .first_case = static_cast<uint32_t>(cases_.size())});
  open_loops_ += instruction.opcode == Opcode::loop;
  open_switches_ += is_switch;
  is_in_bare_switch_ = is_switch;
  if (blocks_.size() == kMaxNesting + 1)
    report_.error(instruction, "blocks are nested more than {} deep", kMaxNesting);
}

void FlowChecker::close_block(const Instruction& instruction, Opcode opener) {
  if (blocks_.empty() || blocks_.back().opener->opcode != opener) {
    return report_.error(instruction, "{} without {}", info(instruction.opcode).mnemonic,
                         info(opener).mnemonic);
  }
  if (opener == Opcode::switch_) check_cases(blocks_.back());
  blocks_.pop_back();
  open_loops_ -= opener == Opcode::loop;
  open_switches_ -= opener == Opcode::switch_;
  // A block that is in a switch comes after one of its labels.
  is_in_bare_switch_ = false;
}

void FlowChecker::check_bare_switch(const Instruction& instruction) {
  const bool is_label = instruction.opcode == Opcode::case_ || instruction.opcode == Opcode::default_ ||
                        instruction.opcode == Opcode::endswitch;
  if (is_in_bare_switch_ && !is_label)
    report_.error(instruction, "{} before the first case of its switch", info(instruction.opcode).mnemonic);
}

void FlowChecker::check(const Instruction& instruction, bool ended) {
  const std::string_view name = info(instruction.opcode).mnemonic;
  switch (instruction.opcode) {
    case Opcode::if_:
    case Opcode::loop:
    case Opcode::switch_: return open_block(instruction);
    case Opcode::else_:
      if (blocks_.empty() || blocks_.back().opener->opcode != Opcode::if_)
        return report_.error(instruction, "else without if");
      if (blocks_.back().has_else) report_.error(instruction, "a second else in one if");
      blocks_.back().has_else = true;
      return;
    case Opcode::endif: return close_block(instruction, Opcode::if_);
    case Opcode::endloop: return close_block(instruction, Opcode::loop);
    case Opcode::endswitch: return close_block(instruction, Opcode::switch_);
    case Opcode::case_:
    case Opcode::default_: return check_case(instruction);
    case Opcode::break_:
    case Opcode::breakc:
      if (open_loops_ == 0 && open_switches_ == 0)
        report_.error(instruction, "{} outside loop and switch", name);
      return;
    case Opcode::continue_:
    case Opcode::continuec:
      if (open_loops_ == 0) report_.error(instruction, "{} outside loop", name);
      return;
    case Opcode::label: return check_label(instruction, ended);
    case Opcode::call:
    case Opcode::callc: {
      if (instruction.operand_count == 0) return;
      const Operand& target = program_.operands[instruction.first_operand + instruction.operand_count - 1];
      calls_.push_back({subroutine_, number_of(target), &instruction});
      return;
    }
    default: return;
  }
}

void FlowChecker::check_case(const Instruction& instruction) {
  if (blocks_.empty() || blocks_.back().opener->opcode != Opcode::switch_)
    return report_.error(instruction, "{} without switch", info(instruction.opcode).mnemonic);
  Block& block = blocks_.back();
  block.has_case = true;
  is_in_bare_switch_ = false;
  if (instruction.opcode == Opcode::default_) {
    if (block.has_default) report_.error(instruction, "a second default in one switch");
    block.has_default = true;
    return;
  }
  if (instruction.operand_count == 0) return;
  // 22.7.12: the label is an immediate.
  const Operand& value = program_.operands[instruction.first_operand];
  if (!value.is_immediate()) return report_.error(instruction, "case needs a literal");
  cases_.push_back({value.immediate[0], &instruction});
}

/// As in C (22.7.18), no label occurs twice.
void FlowChecker::check_cases(const Block& block) {
  const std::span<Case> cases(cases_.data() + block.first_case, cases_.size() - block.first_case);
  std::ranges::stable_sort(cases, {}, &Case::value);
  const auto twice = std::ranges::adjacent_find(cases, {}, &Case::value);
  if (twice != cases.end())
    report_.error(*(twice + 1)->label, "a second case l({}) in one switch", twice->value);
  cases_.shrink(cases.size());
}

/// 22.7.15: a label stands after a ret that is in no block.
void FlowChecker::check_label(const Instruction& instruction, bool ended) {
  if (!blocks_.empty()) {
    report_.error(instruction, "label inside a block");
  } else if (!ended) {
    report_.error(instruction, "label must follow a ret");
  }
  if (instruction.operand_count == 0) return;
  const Operand& name = program_.operands[instruction.first_operand];
  if (name.file != RegisterFile::label && name.file != RegisterFile::function_body) return;
  subroutine_ = number_of(name);
  labels_.push_back({subroutine_, &instruction});
}

size_t FlowChecker::find_label(uint64_t number) const {
  const auto found = std::lower_bound(labels_.begin(), labels_.end(), number,
                                      [](const Label& label, uint64_t n) { return label.number < n; });
  const bool exists = found != labels_.end() && found->number == number;
  return exists ? static_cast<size_t>(found - labels_.begin()) : labels_.size();
}

void FlowChecker::check_labels() {
  std::stable_sort(labels_.begin(), labels_.end(),
                   [](const Label& a, const Label& b) { return a.number < b.number; });
  for (size_t i = 1; i < labels_.size(); ++i) {
    if (labels_[i].number != labels_[i - 1].number) continue;
    report_.error(*labels_[i].instruction, "a second label {}",
                  spelled(program_.operands[labels_[i].instruction->first_operand]));
  }
}

void FlowChecker::check_calls() {
  bool good = true;
  for (const Call& call : calls_) {
    if (find_label(call.to) != labels_.size()) continue;
    const Instruction& at = *call.instruction;
    report_.error(at, "no label {}", spelled(program_.operands[at.first_operand + at.operand_count - 1]));
    good = false;
  }
  if (good && !calls_.empty()) check_recursion();
}

/// 22.7.10: no subroutine calls itself, not even through others. Takes away those that call nothing that is
/// left, until none is left or all that are left reach a cycle.
void FlowChecker::check_recursion() {
  std::sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) { return a.to < b.to; });
  std::pmr::vector<uint32_t> open_calls(labels_.size(), 0, scratch_);  // of each subroutine
  for (const Call& call : calls_) {
    if (const size_t from = find_label(call.from); from != labels_.size()) ++open_calls[from];
  }
  std::pmr::vector<size_t> done(scratch_);
  for (size_t i = 0; i < labels_.size(); ++i) {
    if (open_calls[i] == 0) done.push_back(i);
  }
  for (size_t next = 0; next < done.size(); ++next) {
    const uint64_t number = labels_[done[next]].number;
    auto call = std::lower_bound(calls_.begin(), calls_.end(), number,
                                 [](const Call& c, uint64_t n) { return c.to < n; });
    for (; call != calls_.end() && call->to == number; ++call) {
      const size_t from = find_label(call->from);
      if (from != labels_.size() && --open_calls[from] == 0) done.push_back(from);
    }
  }
  for (const Call& call : calls_) {
    const size_t from = find_label(call.from);
    if (from == labels_.size() || open_calls[from] == 0 || open_calls[find_label(call.to)] == 0) continue;
    return report_.error(*call.instruction, "{} is recursive", info(call.instruction->opcode).mnemonic);
  }
}

void FlowChecker::finish() {
  for (const Block& block : blocks_)
    report_.error(*block.opener, "{} is not closed", info(block.opener->opcode).mnemonic);
  if (labels_.empty() && calls_.empty()) return;
  check_labels();
  check_calls();
}

}  // namespace texlate::sm4
