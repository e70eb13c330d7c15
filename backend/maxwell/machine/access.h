// How the passes of this folder visit the values of an instruction.
#pragma once

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

inline bool has_vectors(const Instruction& instruction) {
  constexpr uint32_t kAboveOneEach = 0xeeeeeeee;
  return (instruction.counts & kAboveOneEach) != 0;
}

/// visit(values of the operand, is result) for every operand that covers several registers.
template <typename Visit>
void visit_vectors(Function& function, const Instruction& instruction, Visit visit) {
  if (!has_vectors(instruction)) return;
  visit_lists(function, instruction, [&](unsigned k, std::span<Value> values) {
    if (values.size() > 1) visit(values, instruction.is_result(k));
  });
}

/// visit(Value, Value&) for every result of an instruction that has values to merge with, and its such value.
template <typename Visit>
void visit_merges(Function& function, const Instruction& instruction, Visit visit) {
  if (instruction.merge == kNoIndex) return;
  for (uint32_t i = 0; i < instruction.result_count; ++i)
    visit(function.operands[instruction.values + i], function.operands[instruction.merge + i]);
}

/// visit(Value&) for every value that the instruction, const or not, reads: sources, guard, the values it
/// merges with.
template <typename AnyInstruction, typename Visit>
void visit_uses(Function& function, AnyInstruction& instruction, Visit visit) {
  Value* const values = function.operands.data() + instruction.values;
  for (unsigned i = instruction.result_count; i < instruction.value_count; ++i) {
    if (values[i] != kNoValue) visit(values[i]);
  }
  if (instruction.guard != kNoValue) visit(instruction.guard);
  if (instruction.merge == kNoIndex) return;
  for (unsigned i = 0; i < instruction.result_count; ++i) {
    Value& v = function.operands[instruction.merge + i];
    if (v != kNoValue) visit(v);
  }
}

inline bool has_predicates(const Instruction& instruction) {
  return instruction.guard != kNoValue || facts(instruction.code).predicates != 0;
}

/// visit(Value) for every value that the instruction defines.
template <typename Visit>
void visit_results(Function& function, const Instruction& instruction, Visit visit) {
  const Value* const values = function.operands.data() + instruction.values;
  for (unsigned i = 0; i < instruction.result_count; ++i) {
    if (values[i] != kNoValue) visit(values[i]);
  }
}

/// Rewrites the instructions block by block: write(i, out) appends to `out` what instruction i becomes.
template <typename Write>
void rewrite_instructions(Function& function, Write write) {
  Buffer<Instruction>& out = function.spare;
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

inline bool is_guarded(const Instruction& instruction) {
  return instruction.guard != kNoValue || instruction.code.guard() != kPT;
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

/// For an unguarded MOV: does it load an immediate or a constant at a fixed place into all lanes?
bool is_move_of_constant(const Instruction& mov);
/// Is it a move of what any instruction could load again: an immediate or a constant at a fixed place?
inline bool is_constant_move(const Instruction& instruction) {
  const Opcode op = opcode(instruction.code);
  if ((op != Opcode::mov && op != Opcode::mov32i) || is_guarded(instruction)) return false;
  return op == Opcode::mov32i || is_move_of_constant(instruction);
}
/// Is it a comparison of only such operands, such as the test whether a resource is bound?
inline bool is_constant_comparison(const Instruction& instruction) {
  const Opcode op = opcode(instruction.code);
  return (op == Opcode::isetp || op == Opcode::fsetp) && instruction.value_count == 1 &&
         instruction.result_count == 1 && !is_guarded(instruction) && !reads_condition_code(instruction.code);
}

/// The predecessors of every block.
using Predecessors = Lists<BlockId, BlockId>;
Predecessors find_predecessors(const Function& function);

/// The number of loops around a block.
std::pmr::vector<uint8_t> find_loop_depths(const Function& function);

}  // namespace texlate::maxwell::machine
