#include "frontend/lower/registers.h"

#include <algorithm>
#include <utility>

#include "ir/structure.h"

namespace texlate::lower {

using ir::Op;
using ir::Value;

namespace {

// What a program may require, so that hostile ones come to an end (docs/limits.md). Real shaders pass some
// thousands of values.
constexpr size_t kMostPassedValues = size_t{1} << 20;
constexpr size_t kMostResults = UINT16_MAX;  // of one construct: ir::Instruction::result_count

}  // namespace

void Registers::cross(size_t source, bool reachable) {
  const size_t index = module_.code.size() - 1;
  ir::Instruction& marker = module_.code[index];
  switch (marker.op) {
    case Op::if_: open_.push_back({Op::if_, static_cast<uint32_t>(undo_.size()), source}); break;
    case Op::loop:
    case Op::switch_:
      open_.push_back({marker.op, static_cast<uint32_t>(undo_.size()), source, sets_.of(source)});
      if (marker.op == Op::switch_) break;
      open_.back().loop_marker = static_cast<uint32_t>(index);
      pass(marker, open_.back().sets.carried);
      receive(marker, open_.back().sets.carried);
      break;
    case Op::else_: end_first_arm(index, reachable); break;
    case Op::case_:
    case Op::default_: undo(open_.back().undo_mark); break;
    case Op::endif: merge_arms(index, source, reachable); break;
    case Op::endloop:
    case Op::endswitch: {
      const Open closed = open_.back();
      if (marker.op == Op::endloop && reachable) repeat(marker, closed);
      undo(closed.undo_mark);
      open_.pop_back();  // what it leaves behind is written by the region around it
      if (closed.is_left) receive(marker, closed.sets.leaving);
      may_pass_copies_ |= marker.op == Op::endswitch && marker.result_count != 0;
      break;
    }
    case Op::break_:
      pass(marker, target(true).sets.leaving);
      target(true).is_left = true;
      break;
    case Op::continue_: repeat(marker, target(false)); break;
    case Op::phase:  // every phase has its own temporaries
      std::ranges::fill(current_, ir::kNoValue);
      undo_.clear();
      open_.clear();
      break;
    default: break;
  }
}

/// What a break (or, without switches, a continue) goes to.
Registers::Open& Registers::target(bool switches) {
  size_t i = open_.size() - 1;
  while (open_[i].op == Op::if_ || (!switches && open_[i].op == Op::switch_)) --i;
  return open_[i];
}

/// Counts values that a marker passes. Returns false, with an error, if the program passes too many.
bool Registers::may_pass(const ir::Instruction& marker, size_t count) {
  passed_ += count;
  if (refused_ || (passed_ <= kMostPassedValues && count <= kMostResults)) return !refused_;
  refused_ = true;
  if (passed_ > kMostPassedValues) {
    diagnostics_.error(module_.location_of(marker),
                       "ifs, loops and switches pass on too many temporaries ({}): the limit is {} in total",
                       ir::info(marker.op).text, kMostPassedValues);
  } else {
    diagnostics_.error(module_.location_of(marker),
                       "{} temporaries are live after one construct ({}): the limit is {}", count,
                       ir::info(marker.op).text, kMostResults);
  }
  return false;
}

void Registers::pass(ir::Instruction& marker, WrittenSets::List list) {
  if (!may_pass(marker, list.count)) return;
  marker.first_operand = static_cast<uint32_t>(module_.operands.size());
  marker.operand_count = list.count;
  for (const uint32_t reg : sets_.registers(list)) module_.operands.push_back(read(reg));
}

/// The same, to the next iteration.
void Registers::repeat(ir::Instruction& marker, const Open& loop) {
  pass(marker, loop.sets.carried);
  const ir::Instruction& head = module_.code[loop.loop_marker];
  for (uint32_t i = 0; i < marker.operand_count; ++i) {
    const Value value = module_.operands[marker.first_operand + i];
    may_pass_copies_ |= value == head.first_result + i || value == module_.operands[head.first_operand + i];
  }
}

void Registers::receive(ir::Instruction& marker, WrittenSets::List list) {
  if (!may_pass(marker, list.count) || list.count == 0) return;
  marker.result_count = static_cast<uint16_t>(list.count);
  marker.first_result = module_.new_values(ir::Type::b32, list.count);
  Value value = marker.first_result;
  for (const uint32_t reg : sets_.registers(list)) write(reg, value++);
}

void Registers::end_first_arm(size_t marker, bool reachable) {
  Open& open = open_.back();
  open.is_left = reachable;
  open.saved_mark = static_cast<uint32_t>(saved_.size());
  open.else_marker = static_cast<uint32_t>(marker);
  if (reachable) {
    for (size_t i = open.undo_mark; i < undo_.size(); ++i)
      saved_.push_back({undo_[i].reg, current_[undo_[i].reg]});
  }
  undo(open.undo_mark);
}

/// The registers that the arms of an `if` have written, in order, without those that are not read later; with
/// their values at the ends of the arms. Undoes the second arm.
void Registers::collect_merges(const Open& open, size_t read_from) {
  merged_.clear();
  merge_of_.resize(current_.size());
  const auto add = [&](uint32_t reg) {
    const uint32_t place = merge_of_[reg];
    if (place < merged_.size() && merged_[place].reg == reg) return place;
    merge_of_[reg] = static_cast<uint32_t>(merged_.size());
    merged_.push_back({reg, ir::kNoValue, current_[reg]});
    return merge_of_[reg];
  };
  const size_t second_begin = saved_.size();
  const uint32_t before = sets_.operands_before(read_from);
  for (size_t i = open.saved_mark; i < second_begin; ++i) {
    if (sets_.is_read_after(before, saved_[i].reg)) add(saved_[i].reg);
  }
  for (size_t i = open.undo_mark; i < undo_.size(); ++i) {
    if (sets_.is_read_after(before, undo_[i].reg)) add(undo_[i].reg);
  }
  undo(open.undo_mark);
  for (Merge& merge : merged_) merge.first = current_[merge.reg];
  for (size_t i = open.saved_mark; i < second_begin; ++i) {
    if (sets_.is_read_after(before, saved_[i].reg)) merged_[merge_of_[saved_[i].reg]].first = saved_[i].value;
  }
  saved_.resize(open.saved_mark);
  std::ranges::sort(merged_, {}, &Merge::reg);
}

/// Passes only registers whose value differs between the arms.
void Registers::merge_arms(size_t marker, size_t source, bool second_arm_ends) {
  const Open open = open_.back();
  const auto loop = std::ranges::find(open_, Op::loop, &Open::op);
  collect_merges(open, loop != open_.end() ? loop->source : source + 1);
  open_.pop_back();
  if (!open.is_left && !second_arm_ends) return;
  size_t kept = 0;
  for (Merge merge : merged_) {
    const Value before = read(merge.reg);
    if (!open.is_left) merge.first = merge.second;
    if (!second_arm_ends) merge.second = merge.first;
    merge.first = defined(merge.first);
    merge.second = defined(merge.second);
    if (merge.first != merge.second || (merge.first != before && !module_.is_constant(merge.first))) {
      merged_[kept++] = merge;
    } else if (merge.first != before) {
      write(merge.reg, merge.first);
    }
  }
  merged_.resize(kept);
  ir::Instruction& endif = module_.code[marker];
  if (!may_pass(endif, kept) || kept == 0) return;
  if (open.is_left) pass_merged(module_.code[open.else_marker], &Merge::first);
  if (second_arm_ends) pass_merged(endif, &Merge::second);
  endif.result_count = static_cast<uint16_t>(kept);
  endif.first_result = module_.new_values(ir::Type::b32, static_cast<uint32_t>(kept));
  Value value = endif.first_result;
  for (const Merge& merge : merged_) write(merge.reg, value++);
}

void Registers::pass_merged(ir::Instruction& marker, Value Merge::*which) {
  marker.first_operand = static_cast<uint32_t>(module_.operands.size());
  marker.operand_count = static_cast<uint32_t>(merged_.size());
  for (const Merge& merge : merged_) module_.operands.push_back(merge.*which);
}

}  // namespace texlate::lower
