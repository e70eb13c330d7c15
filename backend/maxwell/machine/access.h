// How the passes of this folder visit the values of an instruction.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/lists.h"

namespace texlate::maxwell::machine {

/// visit(operand index, its values) for every operand that lists any, in order.
template <typename Visit>
void visit_lists(Function& function, const Instruction& instruction, Visit visit) {
  Value* at = function.operands.data() + instruction.values;
  unsigned k = 0;
  for (uint32_t counts = instruction.counts; counts != 0; counts >>= 4, ++k) {
    const unsigned count = counts & 15;
    if (count != 0) visit(k, std::span<Value>(at, count));
    at += count;
  }
}

/// visit(operand index, element, Value&, is result) for every value of the operands, in order.
template <typename Visit>
void visit_operands(Function& function, const Instruction& instruction, Visit visit) {
  const unsigned results = facts(instruction.code).destinations;
  visit_lists(function, instruction, [&](unsigned k, std::span<Value> values) {
    for (unsigned e = 0; e < values.size(); ++e) visit(k, e, values[e], (results >> k & 1) != 0);
  });
}

/// visit(values of the operand, is result) for every operand that covers several registers.
template <typename Visit>
void visit_vectors(Function& function, const Instruction& instruction, Visit visit) {
  constexpr uint32_t kAboveOneEach = 0xeeeeeeee;
  if ((instruction.counts & kAboveOneEach) == 0) return;
  visit_lists(function, instruction, [&](unsigned k, std::span<Value> values) {
    if (values.size() > 1) visit(values, instruction.is_result(k));
  });
}

/// visit(Value, Value&) for every result of an instruction that has values to merge with, and its such value.
template <typename Visit>
void visit_merges(Function& function, const Instruction& instruction, Visit visit) {
  if (instruction.merge == kNoIndex) return;
  uint32_t merge = instruction.merge;
  for (uint32_t left = instruction.result_values; left != 0; left &= left - 1) {
    const auto at = static_cast<uint32_t>(std::countr_zero(left));
    visit(function.operands[instruction.values + at], function.operands[merge++]);
  }
}

/// visit(Value&) for every value that the instruction, const or not, reads: sources, guard, the values it
/// merges with.
template <typename AnyInstruction, typename Visit>
void visit_uses(Function& function, AnyInstruction& instruction, Visit visit) {
  Value* const values = function.operands.data() + instruction.values;
  const uint32_t all = (1u << instruction.value_count()) - 1;
  for (uint32_t left = all & ~uint32_t{instruction.result_values}; left != 0; left &= left - 1) {
    Value& v = values[std::countr_zero(left)];
    if (v != kNoValue) visit(v);
  }
  if (instruction.guard != kNoValue) visit(instruction.guard);
  if (instruction.merge == kNoIndex) return;
  for (unsigned i = 0; i < instruction.result_count(); ++i) {
    Value& v = function.operands[instruction.merge + i];
    if (v != kNoValue) visit(v);
  }
}

/// visit(Value) for every value that the instruction defines.
template <typename Visit>
void visit_results(Function& function, const Instruction& instruction, Visit visit) {
  const Value* const values = function.operands.data() + instruction.values;
  for (uint32_t left = instruction.result_values; left != 0; left &= left - 1) {
    const Value v = values[std::countr_zero(left)];
    if (v != kNoValue) visit(v);
  }
}

/// Rewrites the instructions block by block: write(i, out) appends to `out` what instruction i becomes.
template <typename Write>
void rewrite_instructions(Function& function, Write write) {
  std::pmr::vector<Instruction>& out = function.spare;
  out.clear();
  out.reserve(function.instructions.size() + function.instructions.size() / 8);
  for (Block& b : function.blocks) {
    const auto first = static_cast<uint32_t>(out.size());
    for (uint32_t i = b.first; i < b.first + b.count; ++i) write(i, out);
    b.first = first;
    b.count = static_cast<uint32_t>(out.size()) - first;
  }
  function.instructions.swap(out);
}

/// visit(Value&) for the condition and the arguments of a block's end.
template <typename Visit>
void visit_end_uses(Function& function, Block& block, Visit visit) {
  if (block.terminator == Terminator::branch) visit(block.condition);
  for (Value& v : function.arguments(block)) {
    if (v != kNoValue) visit(v);
  }
}

inline unsigned successor_count(const Block& block) {
  switch (block.terminator) {
    case Terminator::jump: return 1;
    case Terminator::branch: return 2;
    case Terminator::exit: return 0;
    case Terminator::call: return 1;
  }
  return 0;
}

/// Whether the instruction writes the condition code, and whether it reads it.
inline bool writes_condition_code(const Code& code, const FormFacts& known) {
  return (code.word & known.carry_out) != 0;
}
inline bool writes_condition_code(const Code& code) {
  return writes_condition_code(code, facts(code));
}
/// reads_condition_code() for forms that can without .X.
bool finds_condition_code(const maxwell::Instruction& code);
bool finds_condition_code(const Code& code);
inline bool reads_condition_code(const maxwell::Instruction& code) {
  return get_modifier(code, Modifier::x) != 0 ||
         (maxwell::facts(code).may_read_carry && finds_condition_code(code));
}
inline bool reads_condition_code(const Code& code, const FormFacts& known) {
  return (code.word & known.carry_in) != 0 || (known.may_read_carry && finds_condition_code(code));
}
inline bool reads_condition_code(const Code& code) {
  return reads_condition_code(code, facts(code));
}

/// Is it a move of what any instruction could load again: an immediate or a constant at a fixed place?
bool is_constant_move(const Instruction& instruction);
/// Is it a comparison of only such operands, such as the test whether a resource is bound?
bool is_constant_comparison(const Instruction& instruction);

/// The predecessors of every block.
using Predecessors = Lists<BlockId, BlockId>;
Predecessors find_predecessors(const Function& function);

/// The number of loops around a block.
std::pmr::vector<uint8_t> find_loop_depths(const Function& function);

}  // namespace texlate::maxwell::machine
